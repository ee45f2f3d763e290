"""The browser is killed before, during and after a navigation: each is repeated if necessary."""
from faults import RECOVERED, REPEATED, UNTOUCHED, Talk, board, kill, until


def requested(ctx, count):
    requests = ctx.fetch("/requests")
    return sum(request["path"].startswith("/slow?") for request in requests) >= count


def run(ctx):
    slow = ctx.origin + "/slow?headers=1&ms=600"
    talk = Talk(ctx)
    # During the very first action.
    talk.send("start", url=slow)
    until(lambda: requested(ctx, 1), "the start asks the server")
    kill(ctx)
    talk.answer({**REPEATED, "url": slow, "title": "Slow"}, "killed during start")

    kill(ctx)
    talk.do({**RECOVERED, "url": board(ctx, 90), "httpStatus": 200}, "navigate", "killed before",
            url=board(ctx, 90))

    talk.send("navigate", url=slow)
    until(lambda: requested(ctx, 3), "the navigation asks the server")
    kill(ctx)
    talk.answer({**REPEATED, "url": slow, "title": "Slow", "httpStatus": 200}, "killed during")

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
