"""The browser is killed before, during and after a navigation: each is repeated if necessary."""
from faults import RECOVERED, REPEATED, UNTOUCHED, Talk, board, kill, until

BROWSER = "any"


def stuck(ctx, name):
    """A page that only the second request for it gets; the first one has no answer, however long the kill takes."""
    return f"{ctx.origin}/flaky?name={name}&fails=1&how=hang"


def is_requested(ctx, name):
    return any(request["path"].startswith(f"/flaky?name={name}&") for request in ctx.fetch("/requests"))


def run(ctx):
    talk = Talk(ctx)
    # During the very first action.
    talk.send("start", url=stuck(ctx, "start"))
    until(lambda: is_requested(ctx, "start"), "the start asks the server")
    kill(ctx)
    talk.answer({**REPEATED, "url": stuck(ctx, "start"), "title": "Works"}, "killed during start")

    kill(ctx)
    talk.do({**RECOVERED, "url": board(ctx, 90), "httpStatus": 200}, "navigate", "killed before",
            url=board(ctx, 90))

    talk.send("navigate", url=stuck(ctx, "navigate"))
    until(lambda: is_requested(ctx, "navigate"), "the navigation asks the server")
    kill(ctx)
    talk.answer({**REPEATED, "url": stuck(ctx, "navigate"), "title": "Works", "httpStatus": 200}, "killed during")

    talk.do({**UNTOUCHED, "url": board(ctx, 60)}, "navigate", url=board(ctx, 60))
    kill(ctx)
    talk.do({**RECOVERED, "url": board(ctx, 60), "result": "Board 60"}, "evaluate", "killed after",
            expression="document.title")
    # The tab's history is lost, but a start always opens its own page.
    kill(ctx)
    talk.do({"success": True, "url": board(ctx, 30), "title": "Board 30"}, "start", "killed before start",
            url=board(ctx, 30))
    done = talk.end()
    ctx.expect(done.exit == 0, f"exit {done.exit}")
