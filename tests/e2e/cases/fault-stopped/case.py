"""The browser is stopped (SIGSTOP): this is detected, and it is killed and restarted in time."""
import signal
import time

from faults import UNTOUCHED, Talk, arrived, board, chrome, expect_shade, send, stop, wait_for

BROWSER = "any"


def run(ctx):
    url, other = board(ctx, 70), board(ctx, 40, slow=10000)
    talk = Talk(ctx, screenshots="explicit")
    talk.start(url)
    # Shorter than the limit of silence: only time is lost.
    held = stop(ctx)
    talk.send("evaluate", expression="1 + 1")
    time.sleep(1.2)
    send(held, signal.SIGCONT)
    talk.answer({**UNTOUCHED, "result": 2}, "stopped for a moment")

    held = stop(ctx)
    talk.do({"success": True, "recovered": True, "url": url}, "screenshot", "stopped")
    ctx.expect(not set(held) & set(chrome(ctx)), "the stopped browser is still there")

    # Longer than the timeout: the action ends in time, and the next one recovers.
    held = stop(ctx)
    talk.do({"success": False, "errorCode": "TIMEOUT"}, "navigate", "stopped for longer than the timeout",
            url=other, timeout=2500)
    talk.do({"success": True, "recovered": True, "url": other}, "navigate", "afterwards", url=other)
    ctx.expect(not set(held) & set(chrome(ctx)), "the second stopped browser is still there")

    # During a click, which is not repeated.
    talk.send("click", selector="#slow", timeout=3000)
    wait_for(ctx, "slow")
    held = stop(ctx)
    talk.answer({"success": False, "errorCode": {"$in": ["TIMEOUT", "BROWSER_CRASHED"]}},
                "stopped in mid-click")
    talk.do({"success": True, "recovered": True, "url": other}, "screenshot", "afterwards")
    ctx.expect(arrived(ctx, "slow") == 1, f"the click came {arrived(ctx, 'slow')} times")
    done = talk.end()
    expect_shade(ctx, done.picture(3), 70, "after the first stop")
    expect_shade(ctx, done.picture(7), 40, "after the last stop")
