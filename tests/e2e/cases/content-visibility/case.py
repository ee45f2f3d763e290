"""Content that `content-visibility: auto` skips is in snapshots, actions and pictures, as for a person who scrolls there."""
import json

BROWSER = "shared"
PARTS = range(8)
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done()))))"
EVERYTHING = [*(f"Words of part {i}" for i in PARTS), "Only text", "Around", "Inside of it", "In open", "In closed",
              "Send", "Placed beside", "Bottom of a frame", "Far down"]


def snapshots(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/case/sections.html"}),
        ("wait", {"expression": "document.querySelector('#other').contentWindow.length === 0 && heard.length > 0"}),
        ("evaluate", {"expression": FRAMES + ".then(() => heard.splice(0).length)"}),
        ("snapshot", {}),
        ("snapshot", {"format": "json"}),
        ("snapshot", {"format": "markdown"}),
        ("snapshot", {"find": "Buy 5"}),
        ("snapshot", {"role": "button", "name": "Buy 7"}),
        ("evaluate", {"expression": "JSON.stringify([heard, scrollY, document.adoptedStyleSheets.length])"}),
        ("evaluate", {"expression": "document.querySelector('#s6 p').textContent = 'Other words'"}),
        ("snapshot", {"diff": True}),
        ("click", {"role": "button", "name": "Buy 6"}),
        ("evaluate", {"expression": "document.title"}),
        ("click", {"text": "Buy 2"}),
        ("evaluate", {"expression": "document.title"}),
        ("click", {"role": "button", "name": "Press closed"}),
        ("click", {"role": "button", "name": "Inner"}),
        ("scroll", {"y": 0, "mode": "absolute"}),
        ("type", {"role": "textbox", "name": "Field", "text": "x"}),
    ])
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    for number in (4, 5, 6):
        said = json.dumps(result.response(number)["result"])
        missing = [words for words in EVERYTHING if words not in said]
        ctx.expect(not missing, f"{number}: not in the snapshot: {missing}: {said[:3000]}")
        frames = said.count("Bottom of a frame")
        ctx.expect(frames == (1 if number == 6 else 2) or frames == 2, f"{number}: frames: {frames}")
    ctx.expect("Buy 5" in result.response(7)["result"]["text"], f"{result.response(7)['result']}")
    ctx.expect("Buy 7" in result.response(8)["result"]["text"], f"{result.response(8)['result']}")
    heard, *left = json.loads(result.response(9)["result"])
    # Only nested skipped content receives an event as soon as it has a layout.
    ctx.expect(set(heard) <= {"inner"} and left == [0, 0], f"what the page has noticed: {heard}, {left}")
    ctx.match(result.response(11)["result"], {"text": {"$regex": r"\+.*Other words"}}, "what has changed far below")
    ctx.match(result.response(13), {"result": "Bought 6"}, "the click by role")
    ctx.match(result.response(15), {"result": "Bought 2"}, "the click by text")


def pictures(ctx):
    """The picture equals that of a page that draws everything, and the visible content stays in place."""
    clip = json.dumps({"x": 0, "y": 4500, "width": 1280, "height": 900})
    wishes = [{"fullPage": True}, {"fullPage": True, "stable": True}, {"selector": "#s7"}, {"selector": "#form"},
              {"clip": clip}, {"tiles": True}, {"fullPage": True, "format": "webp", "maxEdge": 900}]
    expected = take_pictures(ctx, "?plain", wishes)
    for name, some in (("", wishes), ("?important", wishes[:1])):
        for wish, found, wanted in zip(some, take_pictures(ctx, name, some), expected):
            ctx.expect(found[0] == wanted[0], f"{name} {wish}: {found[0]}, not {wanted[0]}")
            ctx.expect(found == wanted or wish.get("format") == "webp", f"{name} {wish}: another picture")


def take_pictures(ctx, name, wishes):
    """Returns the sizes and the blocks of each."""
    url = ctx.origin + "/case/sections.html" + name
    place = "document.elementFromPoint(640, 360).getBoundingClientRect().top"
    steps = [("start", {"url": url})]
    for wish in wishes:
        steps += [("navigate", {"url": url}),
                  ("evaluate", {"expression": "document.querySelector('x-closed').remove(); scrollTo(0, 900); "
                                              + FRAMES}),
                  ("evaluate", {"expression": f"before = {place}"}),
                  ("screenshot", wish),
                  ("wait", {"expression": f"Math.abs({place} - before) < 1.5 && document.adoptedStyleSheets.length === 0"})]
    result = ctx.run_batch(steps, "--screenshots", "explicit", "--max-edge", "20000", "--max-pixels", "80000000", "--quality", "90")
    taken = []
    for number, ((kind, wish), response) in enumerate(zip(steps, result.responses), 1):
        ctx.expect(response["success"], f"{name} {number} {kind}: {response.get('errorCode')}: {response.get('error')}")
        if kind == "screenshot":
            captures, blocks = response["captures"], response["screenshots"]
            key = "tiles" if "tiles" in wish else "post"
            sizes = [(one["width"], one["height"]) for one in (captures[key] if key == "tiles" else [captures[key]])]
            taken.append((sizes, json.dumps(blocks[key])))
    return taken


def run(ctx):
    snapshots(ctx)
    pictures(ctx)
