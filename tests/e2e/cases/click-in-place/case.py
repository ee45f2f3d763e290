"""click with scrollIntoView false scrolls nothing: neither the page, nor a box in it, nor a frame."""

BROWSER = "shared"


def run(ctx):
    steps, wanted = [("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0})], {}

    def click(selector, is_seen, **parameters):
        steps.append(("click", {"selector": selector, "scrollIntoView": False, "timeout": 1500, **parameters}))
        wanted[len(steps)] = {"success": True} if is_seen else {
            "errorCode": "TARGET_NOT_VISIBLE", "delivered": {"$absent": True}, "hint": {"$regex": "scroll|\u27e8viewport\u27e9|position"}}

    click("#seen", True)
    click("#tall", True)
    click("#below", False)
    click("#boxed", False)
    click("#inside", False, frame="far")
    click("#first", True, frame="near")
    click("#last", False, frame="near")
    click("#tall", False, position={"x": 5, "y": 2500})
    click("#seen", True, visualVerify=False, clickCount=2)
    steps.append(("evaluate", {"expression": "[scrolls, scrollY, frames.near.scrollY, seen.parentNode.querySelector('div').scrollTop]"}))
    wanted[len(steps)] = {"result": [[], 0, 0, 0]}
    click("#below", True, scrollIntoView=True)
    steps.append(("evaluate", {"expression": "scrollY > 2000"}))
    wanted[len(steps)] = {"result": True}
    click("#below", True)
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, pattern in wanted.items():
        ctx.match(result.response(number), pattern, f"{number}: {steps[number - 1]}")
