"""An element with a hole in its middle, or a badge over it, is clicked at another point. Areas of an image and elements
with display: contents have no box of their own, and are clicked nevertheless."""

BROWSER = "shared"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0})]
    for name in ("left", "right", "corner"):
        steps += [("click", {"selector": "#" + name}), ("evaluate", {"expression": "location.hash"})]
    steps += [("click", {"selector": "#contents"}), ("evaluate", {"expression": "clicks"})]
    shapes = {**{name: name for name in ("ring", "stroke", "group", "far", "badged", "clipped", "card", "tree", "delete", "nearly",
                                              "lines", "label", "stand-in", "picture-card", "pointer-card", "tab", "large",
                                              "host", "bent")},
              "entry": "entry-link", "hidden": "stand-in", "wrapper": "wrapped", "row": ""}
    refused = {"covered": "badge", "full": "pear", "all-link": "terms", "under": "upon"}
    for name in shapes:
        steps += [("click", {"selector": "#" + name, "timeout": 2000}), ("evaluate", {"expression": "hitId"})]
    steps += [("click", {"selector": "#" + name, "timeout": 1000}) for name in refused]
    steps += [("click", {"selector": "#full", "position": {"x": 20, "y": 5}}), ("evaluate", {"expression": "hitId"})]
    steps += [("click", {"selector": "#lottery", "visualVerify": True, "visualSeed": 3, "timeout": 9000}),
              ("evaluate", {"expression": "hits"})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for i, (name, hit) in enumerate(shapes.items()):
        ctx.match(result.response(11 + 2 * i), {"result": hit}, f"what a click on {name} has hit")
    delivered = {"group": "<rect>", "far": "<circle>", "entry": "<a#entry-link>", "wrapper": "<button#wrapped>", "row": "<td>", "host": "<my-button#host>"}
    for i, name in enumerate(shapes):
        ctx.match(result.response(10 + 2 * i), {"delivered": {"element": {"$regex": delivered.get(name, "")}}},
                  f"the target of the events of a click on {name}")
    first = 10 + 2 * len(shapes)
    for number, (name, over) in enumerate(refused.items(), first):
        ctx.match(result.response(number), {"errorCode": "TARGET_OBSCURED", "error": {"$contains": over},
                                            "hint": {"$contains": "position"}, "delivered": {"$absent": True}}, f"{name}")
    ctx.match(result.responses[-2], {"errorCode": "NO_VISUAL_CHANGE"}, "a card that does nothing")
    hits = result.responses[-1]["result"]
    ctx.expect("most" not in hits and "lottery" in hits, f"a click by chance on a control in a card: {hits}")
    ctx.match(result.responses[-3], {"result": "pear"}, "a position is pressed, whatever is there")
    for number, response in enumerate(result.responses, 1):
        if number not in range(first, first + len(refused)) and response.get("errorCode") != "NO_VISUAL_CHANGE":
            ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    for number, name in ((3, "left"), (5, "right"), (7, "corner")):
        ctx.match(result.response(number), {"result": "#" + name}, f"the hash after {name}")
    ctx.match(result.response(9), {"result": [True]}, "clicks on what has display: contents")
