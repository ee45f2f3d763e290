"""A page that takes the press of a drag and does nothing with it has dragged nothing; what waits for a long press gets one."""

from processes import SLOWNESS

BROWSER = "shared"


def run(ctx):
    steps = [("start", {"url": ctx.origin + f"/case/press.html?slowness={SLOWNESS}", "maxConsecutiveErrors": 0})]
    wanted = {}

    def drag(name, over, pattern=None, **parameters):
        steps.append(("drag", {"selector": "#" + name, "to": {"selector": "#" + over}, "timeout": int(15000 * SLOWNESS),
                               **parameters}))
        wanted[len(steps)] = pattern or {"success": True}

    def value(expression, expected):
        steps.append(("evaluate", {"expression": expression}))
        wanted[len(steps)] = {"result": expected}

    def nothing(why, hint="hold"):
        return {"errorCode": "TARGET_DISABLED", "error": {"$contains": why}, "hint": {"$contains": hint}}

    hold = int(2600 * SLOWNESS)
    for name in ("mouse", "pointer", "captured"):
        drag(name, "basket", nothing("handled the press"))
    drag("start", "basket", nothing("prevented its start"))
    # What is undone with the release was no drag, unless it has gone with the mouse.
    drag("pressed", "basket", nothing("nothing has changed"))
    drag("back", "words", {"success": True, "result": {"source": {"index": {"$type": "number"}}}})
    # What cannot be looked into may have done something with it.
    drag("over", "over", to={"selector": "#over", "position": {"x": 190, "y": 50}})
    value("seen.splice(0).length > 3", True)
    drag("closed", "basket")
    # The browser drags the image, and the page hears of its own drag no more.
    drag("image", "mouse", nothing("nothing accepted the drop", "dragover"))
    value("seen.splice(0).pop()", "cancelled")
    drag("words", "basket", {"result": {"onlySelected": True}, "logs": {"$contains": {"message": {"$regex": "selected text.*hold"}}}},
         position={"x": 10, "y": 8})
    drag("one", "three", nothing("nothing has changed"))
    value("order()", "one two three")
    drag("one", "three", hold=hold)
    value("order()", "two three one")
    drag("late", "basket", nothing("nothing has changed"))
    drag("late", "basket", hold=hold)
    value("seen.splice(0)", ["late"])
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, pattern in wanted.items():
        ctx.match(result.response(number), pattern, f"{number}: {steps[number - 1]}")
