"""Dialogs that hold a page: an alert at each turn, and a page that does not want to be left."""
from faults import RECOVERED, Talk, kill


def run(ctx):
    talk = Talk(ctx, timeout=8000, screenshots="both")
    for trap, click in (("alert-on-click", "#open"), ("beforeunload", None)):
        url = f"{ctx.origin}/traps/{trap}.html"
        talk.do("ok", "start", url=url)
        if click:
            talk.do("ok", "click", selector=click)
        else:
            talk.do("ok", "type", selector="#text", text="unsaved")
        # An armed beforeunload does not keep a page from being left, nor a browser from ending.
        talk.do({"success": True, "httpStatus": 200}, "reload")
        talk.do({"success": True, "title": "Read-only"}, "navigate",
                url=ctx.origin + "/traps/readonly.html")
    talk.do("ok", "navigate", url=ctx.origin + "/traps/alert-on-load.html")
    # The dialog is there again when the page comes back.
    kill(ctx)
    talk.do({**RECOVERED, "result": 2}, "evaluate", expression="1 + 1")
    talk.do("ok", "evaluate", expression="setTimeout(() => { for (;;) alert('again'); }, 0); 0")
    talk.do({}, "evaluate", "dialogs for ever", expression="1", timeout=1500)
    talk.end()
