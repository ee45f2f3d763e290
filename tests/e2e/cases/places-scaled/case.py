"""Every output that has a place agrees with the page where it is drawn smaller than the phone's viewport (without <meta
viewport>, with initial-scale, zoomed out by wide content), and where the document begins at the right. Marks of highlight on these pages are in the case highlight."""
from pictures import pixels_of
from png_files import Pixels

BROWSER = "any"

COLOURS = {"red": (255, 0, 0), "green": (0, 170, 0), "blue": (0, 0, 255)}
HIDDEN = (255, 170, 0)

# page, whether it is on a phone, the size of its viewport, which buttons are in it at the begin
PAGES = [("plain", False, (1280, 720), {"Red", "Green", "Blue"}), ("right-to-left", False, (1280, 720), {"Red"}),
         ("vertical", False, (1280, 720), {"Red", "Blue"}), ("no-meta", True, (980, 1660), {"Red", "Green", "Blue"}),
         ("half", True, (804, 1362), {"Red", "Green", "Blue"}), ("wide", True, (1100, 1863), {"Red", "Green", "Blue"})]


def colours_in(data):
    """Returns which of the colours are in the picture."""
    seen = Pixels(data).colours()
    return {name for name, colour in {**COLOURS, "hidden": HIDDEN}.items() if colour in seen}


def emulation(is_phone):
    return {"preset": "iphone"} if is_phone else {"viewport": {"width": 1280, "height": 720}}


def run(ctx):
    steps = [("start", {"url": "about:blank"})]
    pages = [add_page(steps, ctx, *page) for page in PAGES]
    result = ctx.run_batch(steps, "--screenshots", "explicit")
    for page, numbers in zip(PAGES, pages):
        check_page(ctx, result, *page, **numbers)


def add_page(steps, ctx, name, is_phone, size, _):
    """Adds the actions on a page. Returns their numbers."""
    def step(kind, **parameters):
        steps.append((kind, parameters))
        return len(steps)

    def shot(**parameters):
        return step("screenshot", format="png", **parameters)

    step("emulate", **emulation(is_phone))
    step("navigate", url=f"{ctx.origin}/e2e/scaled/{name}.html")
    return {
        "outline": step("snapshot", inViewport=True),
        "whole": step("snapshot"),
        "labelled": shot(labels=True),
        "full": shot(fullPage=True),
        "masked": shot(fullPage=True, stable=True, mask=["#green", "#blue"]),
        "tiled": shot(tiles=True),
        "alone": {button: shot(selector="#" + button) for button in COLOURS},
        "clicks": {button: step("click", selector="#" + button) for button in COLOURS},
        "placed": step("click", x=10, y=size[1] - 10),
    }


def check_page(ctx, result, name, _, size, shown, outline, whole, labelled, full, masked, tiled, alone, clicks, placed):
    about = result.response(outline)["result"]["text"]
    ctx.expect(f"{size[0]}x{size[1]}" in about, f"{name}: the size of the viewport: {about}")
    ctx.expect({one for one in ("Red", "Green", "Blue") if one in about} == shown, f"{name}: in the viewport: {about}")
    ctx.expect("offscreen" not in result.response(whole)["result"]["text"], f"{name}: all of it can be scrolled to")

    response = result.response(labelled)
    labels = {label["name"]: label["box"] for label in response["result"]["labels"]}
    ctx.expect(set(labels) == shown, f"{name}: labels {labels}")
    width, height, at = pixels_of(result.picture(labelled))
    scale = response["captures"]["post"]["scale"]
    ctx.expect(abs(scale - width / size[0]) < 0.01, f"{name}: scale {scale} of {width} pixels for {size[0]}")
    for button in shown:
        x, y, _, tall = labels[button]
        # Near the lower left corner, away from the text and the tag.
        place = round((x + 6) * scale), round((y + tall - 8) * scale)
        ctx.expect(at(*place) == COLOURS[button.lower()], f"{name}: {button} is not at {place}: {at(*place)}")

    ctx.expect(colours_in(result.picture(full)) == set(COLOURS), f"{name}: the whole page")
    ctx.expect(colours_in(result.picture(masked)) == {"red"}, f"{name}: masks: {colours_in(result.picture(masked))}")
    tiles = result.response(tiled)["captures"]["tiles"]
    seen = set().union(*(colours_in(result.picture(tiled, f"tile-{i + 1:02}")) for i in range(len(tiles))))
    ctx.expect(seen == set(COLOURS), f"{name}: tiles: {seen}")
    for button, number in alone.items():
        ctx.expect(result.response(number)["success"] and colours_in(result.picture(number)) == {button},
                   f"{name}: the picture of {button}: {result.response(number).get('error')}")
        ctx.match(result.response(clicks[button]), {"success": True, "delivered": {"element": f"<button#{button}>"}}, f"{name}: click")
    ctx.match(result.response(placed), {"success": True}, f"{name}: a click at a position near the lower edge")
