"""The page's process is killed, by SIGKILL and like by its own crash; so is the GPU process."""
import signal

from faults import (NOT_REPEATED, RECOVERED, UNTOUCHED, Talk, arrived, board, expect_shade, kill,
                    until, wait_for)
from processes import SLOWNESS

BROWSER = "any"


# Becomes true a while after its first evaluation on the page.
SLOWLY = "window.since ??= performance.now(), tell('asked'), performance.now() - since > 1500"


def run(ctx):
    url = board(ctx, 110, slow=10000)
    talk = Talk(ctx, screenshots="explicit")
    talk.start(url)
    kill(ctx, "renderer")
    talk.do({**RECOVERED, "url": url}, "screenshot", "killed before")
    kill(ctx, "renderer", signal.SIGSEGV)
    talk.do({**RECOVERED, "url": url}, "click", "crashed before", selector="#c1")
    ctx.expect(arrived(ctx, "c1") == 1, f"c1 was clicked {arrived(ctx, 'c1')} times")

    talk.send("click", selector="#slow")
    wait_for(ctx, "slow")
    kill(ctx, "renderer")
    talk.answer({**NOT_REPEATED, "errorCode": "PAGE_CRASHED", "url": url}, "killed in mid-click")
    ctx.expect(arrived(ctx, "slow") == 1, f"the click came {arrived(ctx, 'slow')} times")

    talk.send("evaluate", expression="tell('script', 10000)")
    wait_for(ctx, "script")
    kill(ctx, "renderer", signal.SIGSEGV)
    talk.answer({**NOT_REPEATED, "errorCode": "PAGE_CRASHED"}, "crashed in mid-script")
    talk.do({**UNTOUCHED, "result": url}, "evaluate", expression="location.href")

    # An action without side effects is repeated on the restored page.
    talk.send("wait", expression=SLOWLY)
    wait_for(ctx, "asked")
    kill(ctx, "renderer", signal.SIGSEGV)
    talk.answer({"success": True, "recovered": True}, "crashed during a wait")

    talk.send("navigate", url=ctx.origin + f"/slow?ms={round(700 * SLOWNESS)}")
    until(lambda: any(one["path"].startswith("/slow?") for one in ctx.fetch("/requests")), "the request")
    kill(ctx, "renderer")
    talk.answer({"success": True, "recovered": True, "title": "Slow"}, "killed in mid-navigation")

    # Chrome starts another GPU process at once.
    talk.do(UNTOUCHED, "navigate", url=board(ctx, 50))
    kill(ctx, "gpu-process")
    talk.do({"success": True, "url": board(ctx, 50)}, "screenshot", "GPU process killed")
    talk.do({"success": True}, "click", selector="#c2")
    ctx.expect(arrived(ctx, "c2") == 1, f"c2 was clicked {arrived(ctx, 'c2')} times")
    done = talk.end()
    expect_shade(ctx, done.picture(2), 110, "renderer killed")
    expect_shade(ctx, done.picture(len(done.responses) - 1), 50, "GPU process killed")
