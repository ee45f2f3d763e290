"""Pages that never come to rest: each action ends in time, and the page is reopened."""
from faults import Talk, UNTOUCHED, board, expect_shade

BROWSER = "any"


def run(ctx):
    url = board(ctx, 130)
    # On a busy machine a page counts as stuck after 15 s only, and each of these needs that to happen first.
    talk = Talk(ctx, screenshots="explicit", timeout=25000)

    def get_over(what):
        """The page is reopened, and usable."""
        talk.do({"success": True, "recovered": True, "url": url}, "screenshot", f"{what}: afterwards")
        talk.do({**UNTOUCHED, "result": url}, "evaluate", expression="location.href")

    talk.start(url)
    # The click has arrived; whether it succeeds does not matter here.
    talk.do({"attempts": 1}, "click", "by a click", selector="#forever", timeout=2000)
    talk.do({"success": False, "errorCode": "TIMEOUT"}, "evaluate", "still busy", expression="1",
            timeout=500)
    get_over("by a click")
    talk.do("ok", "evaluate", "by a timer", expression="setTimeout(() => { for (;;) ; }, 0); 0")
    get_over("by a timer")
    # A script of ours can be ended, so the page need not be reopened.
    talk.do({"success": False, "errorCode": "TIMEOUT"}, "evaluate", "by a script",
            expression="for (;;) ;", timeout=1500)
    talk.do({"success": True, "url": url}, "screenshot", "by a script: afterwards")
    # The page is left for another one, without a recovery before.
    talk.do({}, "click", selector="#forever", timeout=1500)
    talk.do({"success": True, "url": board(ctx, 30)}, "navigate", "away from a busy page",
            url=board(ctx, 30))
    done = talk.end()
    for response in done.responses:
        if response["type"] == "screenshot" and response["success"]:
            expect_shade(ctx, done.picture(response["id"]), 130, f"response {response['id']}")
