"""What comes back after a kill: the last page, of whatever sort; and nothing is stuck when it cannot."""
from faults import NOT_REPEATED, RECOVERED, UNTOUCHED, Talk, board, kill


def run(ctx):
    talk = Talk(ctx, timeout=6000)
    talk.start(board(ctx, 100))
    unseen = []

    def comes_back(what, url):
        kill(ctx)
        talk.send("evaluate", expression="location.href")
        response = talk.answer()
        if response["success"]:
            ctx.match(response, {**RECOVERED, "result": url, "url": url}, what)
            return
        # On a machine that gave the program no time to see the end it says so, and the page is back nonetheless.
        unseen.append(what)
        ctx.match(response, {**NOT_REPEATED, "url": url}, what)
        talk.do({**UNTOUCHED, "result": url}, "evaluate", f"{what}, asked again", expression="location.href")

    talk.do("ok", "evaluate", expression="history.pushState(0, '', '?shade=90#there'); 0")
    comes_back("an address made by a script", board(ctx, 90) + "#there")
    for what, url in (("a page with an error", ctx.origin + "/status/500"), ("an empty page", "about:blank"),
                      ("a page in its address", "data:text/html,<title>D</title>here")):
        talk.do("ok", "navigate", url=url)
        comes_back(what, url)

    # Where the page is gone, too, that is the answer, and another page can be gone to.
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
    ctx.expect(len(unseen) <= 1, f"the end of the browser was not seen before {unseen}")
