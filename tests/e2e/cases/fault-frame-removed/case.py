"""A frame that removes itself during a click: nothing is clicked twice."""
from faults import UNTOUCHED, Talk, arrived

BROWSER = "shared"


def run(ctx):
    talk = Talk(ctx)
    for i, on in enumerate(("mousedown", "mouseup", "mousemove")):
        url = f"{ctx.origin}/case/frame.html?on={on}"
        talk.do("ok", "navigate" if i else "start", url=url)
        clicked = talk.do({"recovered": False}, "click", f"removed on {on}", selector="#frame", timeout=3000)
        if not clicked["success"]:
            ctx.match(clicked, {"errorCode": {"$in": ["STALE_NODE", "TARGET_NOT_FOUND", "TARGET_OBSCURED", "TIMEOUT"]},
                                "errorCategory": "automation"}, on)
        ctx.expect(not clicked["success"] or on != "mousemove", "success, though nothing was clicked")
        talk.do({**UNTOUCHED, "result": None}, "evaluate", expression="document.querySelector('iframe')")
        downs = arrived(ctx, f"{on}-mousedown")
        ctx.expect(downs == (on != "mousemove"), f"removed on {on}: the mouse went down {downs} times")
        ctx.expect(arrived(ctx, f"{on}-click") == 0, f"removed on {on}: a click arrived")
    talk.end()
