"""The browser is killed before, during and after a click: no click arrives twice unless allowed."""
import time

from faults import (NOT_REPEATED, RECOVERED, REPEATED, UNTOUCHED, Talk, arrived, board, kill,
                    wait_for)

BROWSER = "any"


def run(ctx):
    url = board(ctx, 80, late=3000, slow=4000)
    talk = Talk(ctx)
    talk.start(url)
    talk.do(UNTOUCHED, "click", selector="#c2")
    kill(ctx)
    talk.do({**RECOVERED, "url": url}, "click", "killed after one and before another", selector="#c1")
    for name in ("c1", "c2"):
        ctx.expect(arrived(ctx, name) == 1, f"{name} was clicked {arrived(ctx, name)} times")

    talk.send("click", selector="#slow")
    wait_for(ctx, "slow")
    kill(ctx)
    talk.answer({**NOT_REPEATED, "url": url}, "killed during")
    ctx.expect(arrived(ctx, "slow") == 1, f"the click came {arrived(ctx, 'slow')} times")
    talk.do({**UNTOUCHED, "result": url}, "evaluate", expression="location.href")

    # Allowed by the instruction.
    talk.send("click", selector="#slow", retryOptions={"retryOnErrors": ["TargetClosedError"]})
    wait_for(ctx, "slow", 2)
    kill(ctx)
    talk.answer({**REPEATED, "url": url}, "killed during, repeated")
    ctx.expect(arrived(ctx, "slow") == 3, f"the click came {arrived(ctx, 'slow')} times, not 3")

    # While the element is searched, nothing has reached the page.
    talk.do("ok", "navigate", url=url)
    talk.send("click", selector="#late")
    time.sleep(0.2)
    kill(ctx)
    talk.answer({"success": True, "recovered": True}, "killed during the lookup")
    ctx.expect(arrived(ctx, "late") == 1, f"late was clicked {arrived(ctx, 'late')} times")
    talk.end()
