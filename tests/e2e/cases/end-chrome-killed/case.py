"""Chrome is killed during a session: it is restarted at its page, or at that of a start."""
from faults import RECOVERED, Talk, chrome, kill


def run(ctx):
    talk = Talk(ctx)
    talk.start(ctx.origin + "/shop/")
    kill(ctx)
    talk.do({**RECOVERED, "result": "/shop/"}, "evaluate", expression="location.pathname")
    ctx.expect(len(chrome(ctx)) == 1, f"{len(chrome(ctx))} browsers after the kill")
    kill(ctx)
    talk.do({"success": True, "title": "Coast marks"}, "start", url=ctx.origin + "/spa/")
    talk.end()
