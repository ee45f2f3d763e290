"""retryOptions: what is retried, how often, and the pauses in between."""
from faults import CRASHES, NO_LIMITS, Talk, UNTOUCHED, board, kill, until
from processes import SLOWNESS

BROWSER = "any"


def tries(response):
    """Returns the log entries about the attempts."""
    return [log["message"] for log in response["logs"] if log.get("category") == "retry"]


def run(ctx):
    talk = Talk(ctx, timeout=20000)

    def flaky(name, fails, how="garbled"):
        return f"{ctx.origin}/flaky?name={name}&fails={fails}&how={how}"

    def arrivals(name):
        return [one["at"] for one in ctx.fetch("/requests") if f"name={name}&" in one["path"]]

    def expect_arrivals(name, count):
        ctx.expect(len(arrivals(name)) == count, f"{name}: {len(arrivals(name))} requests, not {count}")

    # With a delay that doubles, and varies by a fifth.
    last = talk.do({"success": True, "attempts": 4, "recovered": False, "title": "Works"},
                   "start", "three failures", url=flaky("three", 3), **NO_LIMITS,
                   retryOptions={"retryDelay": 300, "retryOnErrors": ["NAVIGATION_FAILED"]})
    ctx.match(tries(last), [{"$regex": rf"attempt {i} of 4\b"} for i in (1, 2, 3)], "three failures")
    times = arrivals("three")
    expect_arrivals("three", 4)
    for i, (before, after) in enumerate(zip(times, times[1:])):
        least = 0.3 * 2 ** i * 0.8
        ctx.expect(least <= after - before <= least * 1.5 + 3 * SLOWNESS,
                   f"pause {i + 1}: {after - before:.2f} s, expected {least / 0.8:.2f} and a little")

    gone = talk.do({"success": False, "errorCode": "NAVIGATION_FAILED", "attempts": 3}, "navigate",
                   "too many failures", url=flaky("many", 9),
                   retryOptions={"maxRetries": 2, "retryDelay": 100, "retryOnErrors": ["NAVIGATION_FAILED"]})
    ctx.match(tries(gone), [{"$regex": rf"attempt {i} of 3\b"} for i in (1, 2)], "too many failures")
    expect_arrivals("many", 3)
    # None of that by default, nor when the time is over. An action's own options replace those of the start.
    talk.do({"success": False, "attempts": 1}, "navigate", "not by default", url=flaky("once", 9), retryOptions={})
    expect_arrivals("once", 1)
    talk.do({"success": False, "errorCode": "NAVIGATION_FAILED"}, "navigate", "no time left",
            url=flaky("hurried", 9), timeout=1500,
            retryOptions={"retryDelay": 1000, "retryOnErrors": ["NAVIGATION_FAILED"]})
    talk.do({"success": True, "attempts": 3}, "navigate", "TimeoutError",
            url=flaky("hung", 2, "hang"), timeout=6000,
            retryOptions={"retryDelay": 200, "retryOnErrors": ["TimeoutError"]})
    expect_arrivals("hung", 3)

    # A script may be repeated if the instruction allows it.
    talk.do({**UNTOUCHED}, "navigate", url=board(ctx))
    talk.do({"success": True, "attempts": 3, "result": 3}, "evaluate", "EVAL_ERROR", expression="""
            window.times = (window.times || 0) + 1;
            if (times < 3) throw new Error('not yet');
            times""", retryOptions={"retryDelay": 50, "retryOnErrors": ["EVAL_ERROR"]})
    talk.do({"success": True, "attempts": 1}, "click", "names of other tools", selector="#c1",
            retryOptions={"retryOnErrors": ["DetachedFrameError", "TargetClosedError", "TimeoutError"]})

    # Less than by default: a list without crashes, and no retries at all.
    for i, options in enumerate(({"retryOnErrors": ["TimeoutError"]}, {"maxRetries": 0})):
        talk.send("navigate", url=f"{ctx.origin}/hang?name=slow{i}&", retryOptions=options)
        until(lambda: arrivals(f"slow{i}"), "the request")
        kill(ctx)
        talk.answer({"success": False, "attempts": 1, "errorCode": CRASHES}, f"with {options}")
        expect_arrivals(f"slow{i}", 1)
    talk.end()

    wrong = ctx.run_batch([("start", {"url": "about:blank", "retryOptions": {"retryOnErrors": ["TimeOutError"]}})])
    ctx.expect(wrong.exit == 2, f"an unknown error: exit {wrong.exit}")
    ctx.match(wrong.stderr, {"$regex": "TimeoutError"}, "an unknown error: stderr")
