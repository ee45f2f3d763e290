"""Dialogs that block a page: an alert in every task, and a beforeunload question."""
from faults import RECOVERED, Talk, kill

BROWSER = "any"


def run(ctx):
    talk = Talk(ctx, timeout=8000, screenshots="both")
    for trap, click in (("alert-on-click", "#open"), ("beforeunload", None)):
        url = f"{ctx.origin}/traps/{trap}.html"
        talk.do("ok", "start", url=url)
        if click:
            talk.do("ok", "click", selector=click)
        else:
            talk.do("ok", "type", selector="#text", text="unsaved")
        # beforeunload does not prevent leaving a page, nor the end of the browser.
        talk.do({"success": True, "httpStatus": 200}, "reload")
        talk.do({"success": True, "title": "Read-only"}, "navigate",
                url=ctx.origin + "/traps/readonly.html")
    talk.do("ok", "navigate", url=ctx.origin + "/traps/alert-on-load.html")
    # The dialog appears again when the page is restored.
    kill(ctx)
    talk.do({**RECOVERED, "result": 2}, "evaluate", expression="1 + 1")
    talk.do("ok", "evaluate", expression="setTimeout(() => { for (;;) alert('again'); }, 0); 0", timeout=3000)
    talk.do({}, "evaluate", "dialogs for ever", expression="1", timeout=500)
    talk.end()
