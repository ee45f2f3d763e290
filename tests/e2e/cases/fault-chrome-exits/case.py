"""A Chrome that is missing, that exits at once, that prints why, and one that exits when restarted."""
import re

from faults import NO_LIMITS, RECOVERED, Talk, board, fake_chrome, kill, real_chrome

BROWSER = "any"
# Busy about half of the time: enough to count as working.
WORKS = "while :; do i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; sleep 0.03; done\n"


def run(ctx):
    batch = ctx.batch([("start", {"url": "about:blank"}), ("evaluate", {"expression": "1"})])
    tries = ctx.base / "tries"

    def fails(what, chrome, words, count=None):
        result = ctx.run(["run", batch, "--temp-profile", "--timeout", "6000", "--chrome", chrome])
        ctx.expect(result.exit == 3, f"{what}: exit {result.exit}")
        ctx.match(result.text, {"$regex": words}, what)
        for response in result.responses:
            ctx.match(response, {"success": False, "attempts": 1,
                                 "errorCode": {"$in": ["BROWSER_NOT_FOUND", "BROWSER_CRASHED"]}}, what)
        if count is not None:
            found = tries.read_text().count("\n") if tries.exists() else 0
            ctx.expect(found == count, f"{what}: it was tried {found} times, not {count}")
            tries.unlink(missing_ok=True)
        return result

    count = f"echo >> '{tries}'\n"
    fails("missing", "/nowhere/chrome", "/nowhere/chrome")
    fails("a directory", ctx.base, re.escape(str(ctx.base)))
    fails("no program", ctx.file("text", "no program"), re.escape(str(ctx.work / "text")))
    fails("ends at once", fake_chrome(ctx, count + "exit 1\n", "exits"), r"(?i)exit|ended|code", 3)
    fails("says why", fake_chrome(ctx, count + "echo 'the reason of it all' >&2\nexit 7\n", "says"),
          "the reason of it all", 3)
    fails("is killed", fake_chrome(ctx, count + "kill -9 $$\n", "killed"), r"(?i)signal 9|killed", 3)
    fails("never answers", fake_chrome(ctx, "exec sleep 600\n", "sleeps"), "(?i)did not answer|within")

    # One that is at work is slow, not broken: callers start another one after a crash.
    result = ctx.run(["run", ctx.batch([("start", {"url": "about:blank"})]), "--temp-profile", "--timeout", "5200",
                      "--chrome", fake_chrome(ctx, WORKS, "works")])
    ctx.match(result.responses[0], {"errorCode": "TIMEOUT", "error": {"$regex": "did not answer"}}, "slow to start")
    ctx.expect(result.exit == 1, f"slow to start: exit {result.exit}")

    # A Chrome that works only as long as the test allows it.
    broken = ctx.base / "broken"
    chrome = fake_chrome(
        ctx, f"{count}[ -e '{broken}' ] && {{ echo 'worn out' >&2; exit 5; }}\n"
        f'exec "{real_chrome(ctx)}" "$@"\n', "sometimes")
    talk = Talk(ctx, "--chrome", chrome)
    talk.start(board(ctx, 55))
    broken.touch()
    tries.unlink()
    kill(ctx)
    gone = talk.do({"success": False, "errorCode": "BROWSER_CRASHED", "recovered": False,
                    "error": {"$regex": "worn out"}}, "screenshot", "three starts in vain")
    found = tries.read_text().count("\n")
    ctx.expect(found == 3, f"Chrome was started {found} times, not 3: {gone.get('error')}")
    # When it works again, so does the session.
    broken.unlink()
    talk.do({**RECOVERED, "result": "Board 55"}, "evaluate", "when it works again",
            expression="document.title")
    broken.touch()
    kill(ctx)
    talk.do({"success": False, "errorCode": "BROWSER_CRASHED", "error": {"$regex": "worn out"}},
            "navigate", "in vain again", url=board(ctx, 77))
    broken.unlink()
    talk.do({"success": True, "title": "Board 44"}, "start", "a start", url=board(ctx, 44), **NO_LIMITS)
    talk.end()
