"""Pages that have painted nothing yet, or owe a picture: an answer in time, and Chrome survives."""
from faults import BLOCKS, Talk, UNTOUCHED, board, chrome, expect_shade
from processes import SLOWNESS

BROWSER = "any"
HELD_UP = r"nothing of the page has been painted yet: it waits for the stylesheet \S+/hang$"
LEFT_OUT = {"category": "screenshot", "message": {"$regex": r"picture could not be taken: nothing of the page"}}


def run(ctx):
    # Default pictures are requested where they are checked.
    talk = Talk(ctx, timeout=8000)
    talk.start(ctx.origin + "/case/", waitUntil="domcontentloaded")
    browser = chrome(ctx)
    talk.do({"success": False, "errorCode": "TIMEOUT", "errorCategory": "network", "recovered": False,
             "error": {"$regex": HELD_UP}, "hint": {"$regex": "route"}}, "screenshot",
            "a style sheet stalls", timeout=1500)
    beside = talk.do({**UNTOUCHED, "result": "Held up", "logs": {"$contains": LEFT_OUT}}, "evaluate",
                     "pictures around it", expression="document.title", screenshots="both")
    limit = 2000 + 1000 * SLOWNESS
    ctx.expect(beside["durationMs"] < limit, f"the pictures took {beside['durationMs']} ms")
    no_frame = {"success": False, "errorCode": "TIMEOUT", "hint": {"$regex": "/hang"}}
    talk.do(no_frame, "evaluate", "no frame comes", expression="new Promise(requestAnimationFrame)", timeout=1000)
    # A mouse move waits for a frame, too, but after 5 s without one Chrome delivers the moves that wait.
    hover = talk.do({}, "hover", "the mouse", selector="p", timeout=1000)
    ctx.match(hover, {"success": True} if hover["success"] else no_frame, "the mouse")
    # Content that arrives late is painted, and captured.
    late = "setTimeout(() => { document.querySelector('link').remove(); document.title = 'Shown'; }, 300); 0"
    talk.do("ok", "evaluate", expression=late)
    talk.do({"success": True, "title": "Shown"}, "screenshot", "the style sheet is gone")

    # The page owes a picture when it is given up.
    talk.do("ok", "navigate", url=board(ctx, 90))
    talk.do("ok", "evaluate", expression=f"setTimeout(() => {BLOCKS}, 0); 0")
    shot = talk.do({}, "screenshot", "stuck", timeout=6500)
    ctx.match(shot, {"recovered": True} if shot["success"] else {"errorCode": "TIMEOUT"}, "stuck")
    talk.do({"success": True}, "screenshot", "afterwards")
    ctx.expect(chrome(ctx) == browser, f"the browser was {browser}, and is {chrome(ctx)}")
    done = talk.end()
    expect_shade(ctx, done.picture(done.responses[-1]["id"]), 90, "afterwards")
