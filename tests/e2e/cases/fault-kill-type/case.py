"""The browser is killed before, during and after typing."""
from faults import NOT_REPEATED, RECOVERED, UNTOUCHED, Talk, arrived, board, kill, wait_for

BROWSER = "any"
VALUE = "document.querySelector('#slow-text').value"


def run(ctx):
    url = board(ctx, 120)
    talk = Talk(ctx)
    talk.start(url)
    talk.do(UNTOUCHED, "type", selector="#t2", text="x")
    kill(ctx)
    talk.do({**RECOVERED, "url": url}, "type", "killed after one and before another", selector="#t1", text="x")
    for name in ("t1", "t2"):
        ctx.expect(arrived(ctx, name) == 1, f"{name} was typed into {arrived(ctx, name)} times")
    talk.do({**UNTOUCHED, "result": ""}, "evaluate", expression="document.querySelector('#t2').value")

    talk.send("type", selector="#slow-text", text="abcdefgh", delay=100)
    wait_for(ctx, "slow-text", 2)
    kill(ctx)
    talk.answer({**NOT_REPEATED, "url": url}, "killed during")
    came = arrived(ctx, "slow-text")
    ctx.expect(came < 8, f"all of the text had arrived: {came}")
    talk.do({**UNTOUCHED, "result": ""}, "evaluate", expression=VALUE)

    talk.send("type", selector="#slow-text", text="ij", delay=100,
              retryOptions={"retryOnErrors": ["BROWSER_CRASHED", "DISCONNECTED"]})
    wait_for(ctx, "slow-text", came + 1)
    kill(ctx)
    talk.answer({"success": True, "recovered": True, "attempts": 2}, "killed during, repeated")
    talk.do({**UNTOUCHED, "result": "ij"}, "evaluate", expression=VALUE)

    # A key is no different.
    kill(ctx)
    talk.do({**RECOVERED, "url": url}, "press", "killed before", key="x", selector="#t3")
    ctx.expect(arrived(ctx, "t3") == 1, f"the key came {arrived(ctx, 't3')} times")
    talk.end()
