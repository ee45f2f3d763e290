"""Areas of an image and elements with display: contents have no box of their own, and are clicked all the same."""


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"})]
    for name in ("left", "right", "corner"):
        steps += [("click", {"selector": "#" + name}), ("evaluate", {"expression": "location.hash"})]
    steps += [("click", {"selector": "#contents"}), ("evaluate", {"expression": "clicks"})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    for number, name in ((3, "left"), (5, "right"), (7, "corner")):
        ctx.match(result.response(number), {"result": "#" + name}, f"the hash after {name}")
    ctx.match(result.response(9), {"result": [True]}, "clicks on what has display: contents")
