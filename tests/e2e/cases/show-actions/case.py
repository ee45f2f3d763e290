"""--show-actions: what is drawn, which pictures show it, and what a page can notice."""
import json

from harness import batch

BROWSER = "any"
PICTURE = ("screenshot", {"format": "png"})
CHILDREN = ("evaluate", {"expression": "document.documentElement.children.length"})
STEPS = [
    ("type", {"selector": "#name", "text": "Ann"}),
    PICTURE,
    ("click", {"selector": "#go"}),
    CHILDREN,
    PICTURE,
    ("screenshot", {"format": "png", "stable": True}),
    ("click", {"selector": "#go", "visualVerify": True}),
    ("hover", {"selector": "#name"}),
    PICTURE,
    ("snapshot", {"format": "json", "all": True}),
    CHILDREN,
    ("evaluate", {"expression": "seen.join()"}),
    ("evaluate", {"expression": "out.value"}),
]
SHOTS = [3, 6, 7, 10]
STABLE = 7
POINT = ("evaluate", {"expression": "(({x, y, width, height}) => [x + width / 2, y + height / 2])"
                                    "(go.getBoundingClientRect())"})
# A page that cannot be drawn on: the actions are not affected.
GONE = [
    ("evaluate", {"expression": "document.documentElement.remove()"}),
    ("click", {"x": 50, "y": 50}),
    ("hover", {"x": 60, "y": 60}),
]
SHOWN = ([], ["--show-actions"], ["--show-actions=captured"])
BOXES = ("evaluate", {"expression": "Object.fromEntries([...document.querySelectorAll('[id]')].map((one) => "
                                    "[one.id, one.getBoundingClientRect().toJSON()]))"})
KEYS = [
    ("press", {"selector": "#name", "key": "Control+A"}),
    PICTURE,
    ("select", {"selector": "#list", "value": "b"}),
    PICTURE,
    ("press", {"selector": "#secret", "key": "x"}),
    PICTURE,
    ("evaluate", {"expression": "secret.value = ''"}),
    ("press", {"key": "W"}),
    PICTURE,
    ("press", {"selector": "#go", "key": "j"}),
    PICTURE,
    ("press", {"key": "k"}),
    PICTURE,
    CHILDREN,
    ("evaluate", {"expression": "seen.join()"}),
    BOXES,
]


def results(run, *numbers):
    return [run.response(number).get("result") for number in numbers]


def run_with(ctx, *args, steps=(*STEPS, POINT, *GONE)):
    steps = [("start", {"url": f"{ctx.origin}/case/page.html"}), *steps]
    result = ctx.run(["run", ctx.file("batch.xml", batch(steps)), "--temp-profile", "--screenshots", "none", *args])
    for response in result.responses:
        ctx.expect(response["success"], f"{args}: {response['type']}: {response.get('error')}")
    return result


def regions(ctx, one, other):
    """Returns where two pictures differ."""
    files = []
    for index, content in enumerate((one, other)):
        path = ctx.work / f"{index}.png"
        path.write_bytes(content)
        files.append(path)
    return json.loads(ctx.run(["diff", *files, "--json", "--threshold", "0"]).stdout)["regions"]


def holds(region, x, y):
    return region["x"] <= x <= region["x"] + region["width"] and region["y"] <= y <= region["y"] + region["height"]


def check_keys(ctx):
    """Keys and choices: a frame around the focused element, and the name of a key that is not secret."""
    runs = plain, live, captured = [run_with(ctx, *args, steps=KEYS) for args in SHOWN]
    numbers = {name: 1 + KEYS.index(PICTURE, start) + 1 for name, start in
               (("name", 0), ("list", 2), ("secret", 4), ("again", 7), ("j", 9), ("k", 11))}
    children, seen, boxes = (len(KEYS) - 1, len(KEYS), len(KEYS) + 1)
    for number in numbers.values():
        ctx.expect(live.picture(number) == plain.picture(number), f"picture {number} shows what was done")
    ctx.expect([one.response(children)["result"] for one in runs] == [2, 3, 3], "what the page has of it")
    ctx.expect(len({one.response(seen)["result"] for one in runs}) == 1, "the page sees what is drawn")
    places = plain.response(boxes)["result"]
    for name, has_badge in (("name", True), ("list", False), ("secret", True)):
        box = places[name]
        found = regions(ctx, captured.picture(numbers[name]), plain.picture(numbers[name]))
        ctx.expect(any(holds(region, box["left"] - 2, box["top"] + 5) for region in found), f"no frame: {name}: {found}")
        below = any(holds(region, box["left"] + 6, box["bottom"] + 16) for region in found)
        ctx.expect(below == has_badge, f"{name}: {'no key is named' if has_badge else 'a key is named'}: {found}")
    one, other, j, k = (captured.picture(numbers[name]) for name in ("secret", "again", "j", "k"))
    ctx.expect(one == other, "a key that was typed into a private field can be read")
    ctx.expect(j != k, "keys of a button are not told apart")


def run(ctx):
    plain, live, captured = (run_with(ctx, *args) for args in SHOWN)
    for number in SHOTS:
        ctx.expect(live.picture(number) == plain.picture(number), f"picture {number} shows what was done")
    ctx.expect(captured.picture(STABLE) == plain.picture(STABLE), "a stable picture shows what was done")
    x, y = results(captured, 15)[0]
    found = regions(ctx, captured.picture(6), plain.picture(6))
    ctx.expect(any(holds(region, x + 3, y + 8) for region in found), f"no cursor at {x},{y}: {found}")
    typed = regions(ctx, captured.picture(3), plain.picture(3))
    ctx.expect(typed and not any(holds(region, x, y) for region in typed), f"no frame around the field: {typed}")
    expected, snapshot = results(plain, 13, 11)
    for name, result, children in (("plain", plain, 2), ("live", live, 3), ("captured", captured, 3)):
        # The drawing existed, otherwise nothing is proved; and it was removed for the snapshot.
        shown, left, clicks, seen, seen_by_us = results(result, 5, 12, 14, 13, 11)
        ctx.expect(shown == children and left == 2, f"{name}: {shown}, then {left} elements")
        ctx.expect(clicks == "2" and seen == expected, f"{name}: {clicks} clicks, and the page saw {seen!r}")
        ctx.expect(seen_by_us == snapshot, f"{name}: the snapshot shows what was done")
    refused = ctx.run(["run", ctx.work / "batch.xml", "--show-actions=often"])
    ctx.expect(refused.exit == 2 and "--show-actions" in refused.stderr, f"refused: {refused.stderr}")
