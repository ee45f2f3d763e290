"""What has a hole in its middle, or a badge upon it, is clicked beside that. Areas of an image and elements with display: contents have no box of their own, and are clicked all the same."""


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"})]
    for name in ("left", "right", "corner"):
        steps += [("click", {"selector": "#" + name}), ("evaluate", {"expression": "location.hash"})]
    steps += [("click", {"selector": "#contents"}), ("evaluate", {"expression": "clicks"})]
    shapes = {**{name: name for name in ("ring", "stroke", "group", "badged", "clipped", "card", "tree", "delete")},
              "entry": "entry-link"}
    for name in shapes:
        steps += [("click", {"selector": "#" + name, "timeout": 2000}), ("evaluate", {"expression": "hitId"})]
    steps += [("click", {"selector": "#covered", "timeout": 1000}), ("click", {"selector": "#full", "timeout": 1000})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for i, (name, hit) in enumerate(shapes.items()):
        ctx.match(result.response(11 + 2 * i), {"result": hit}, f"what a click on {name} has hit")
    ctx.match(result.responses[-2], {"errorCode": "TARGET_OBSCURED"}, "a cover over all of a button")
    ctx.match(result.responses[-1], {"errorCode": "TARGET_OBSCURED", "error": {"$contains": "pear"}}, "a control in a control")
    for number, response in enumerate(result.responses[:-2], 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    for number, name in ((3, "left"), (5, "right"), (7, "corner")):
        ctx.match(result.response(number), {"result": "#" + name}, f"the hash after {name}")
    ctx.match(result.response(9), {"result": [True]}, "clicks on what has display: contents")
