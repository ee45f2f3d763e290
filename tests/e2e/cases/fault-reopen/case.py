"""What is restored after a kill: the last page, of any kind; and the session is usable if that fails."""
from faults import RECOVERED, UNTOUCHED, Talk, board, kill

BROWSER = "any"


def run(ctx):
    talk = Talk(ctx)
    talk.start(board(ctx, 100))

    def comes_back(what, url):
        kill(ctx)
        talk.do({**RECOVERED, "result": url, "url": url}, "evaluate", what, expression="location.href")

    talk.do("ok", "evaluate", expression="history.pushState(0, '', '?shade=90#there'); 0")
    comes_back("an address made by a script", board(ctx, 90) + "#there")
    for what, url in (("a page with an error", ctx.origin + "/status/500"), ("an empty page", "about:blank"),
                      ("a page in its address", "data:text/html,<title>D</title>here")):
        talk.do("ok", "navigate", url=url)
        comes_back(what, url)

    # If the page is gone, too, the answer says so, and another page can be opened.
    for what, how in (("it breaks off", "garbled"), ("it hangs", "hang")):
        url = f"{ctx.origin}/flaky?name={how}&works=1&how={how}"
        talk.do("ok", "navigate", url=url)
        kill(ctx)
        talk.do({"success": False, "errorCode": {"$in": ["NAVIGATION_FAILED", "TIMEOUT"]}}, "evaluate", what,
                expression="1", timeout=4000)
        talk.do({"success": True, "url": board(ctx, 60)}, "navigate", f"{what}: away", url=board(ctx, 60))
        talk.do({**UNTOUCHED, "result": board(ctx, 60)}, "evaluate", expression="location.href")
    talk.do({"success": False, "errorCode": "NAVIGATION_FAILED"}, "navigate", url=ctx.closed_origin)
    kill(ctx)
    talk.do({"success": True, "recovered": True, "url": board(ctx, 50)}, "navigate",
            "away from a page that was never there", url=board(ctx, 50))
    talk.end()
