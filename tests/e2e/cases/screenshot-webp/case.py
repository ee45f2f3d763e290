"""WebP from Chrome's encoder: within the limits, of all parts of a page, as tiles; and refused options."""
from pictures import Picture

BROWSER = "shared"


def run(ctx):
    long = ctx.origin + "/long/"
    result = ctx.run_batch(
        [("start", {"url": long}),
         ("screenshot", {"format": "webp"}),
         ("screenshot", {"format": "webp", "maxEdge": 501}),
         ("screenshot", {"format": "webp", "fullPage": True}),
         ("screenshot", {"format": "webp", "selector": "#harbour-5 .side svg", "quality": 90}),
         ("screenshot", {"format": "webp", "tiles": True, "clip": '{"x": 10, "y": 20, "width": 640, "height": 1000}'}),
         ("screenshot", {"format": "webp", "fullPage": True, "maxEdge": 0, "maxPixels": 0}),
         ("evaluate", {"expression": "[scrollX, scrollY, innerWidth, innerHeight, devicePixelRatio]"})],
        "--screenshots", "explicit")
    wanted = {2: (1280, 720), 5: (345, 140)}
    for number in (2, 3, 4, 5):
        picture, capture = Picture(result.picture(number)), result.response(number)["captures"]["post"]
        ctx.expect(picture.format == "webp", f"response {number}: a {picture.format}")
        if number in wanted:
            ctx.expect((picture.width, picture.height) == wanted[number], f"response {number}: {picture.summary()}")
        ctx.expect(abs(capture["scale"] - capture["width"] / (345 if number == 5 else 1280)) < 0.001,
                   f"response {number}: scale {capture['scale']} at {capture['width']} pixels")
    small = Picture(result.picture(3))
    ctx.expect(495 <= small.width <= 501 and abs(small.width / small.height - 16 / 9) < 0.02, f"{small.summary()}")
    whole = Picture(result.picture(4))
    ctx.expect(1550 <= whole.height <= 1568 and abs(whole.width / whole.height - 1280 / 12064) < 0.01, f"{whole.summary()}")
    tiles = result.response(6)["captures"]["tiles"]
    ctx.expect([(tile["width"], tile["height"], tile["place"]["y"]) for tile in tiles] == [(640, 720, 20), (640, 316, 704)],
               f"tiles: {tiles}")
    ctx.match(result.response(7), {"success": False, "errorCode": "LIMIT_EXCEEDED", "hint": {"$regex": "jpeg or png"}},
              "12064 px in full")
    ctx.match(result.response(8)["result"], [0, 0, 1280, 720, 1], "the page afterwards")

    for name, value in (("maxBytes", "1000"), ("stable", "true"), ("mask", ".side")):
        refused = ctx.run_batch([("start", {"url": long}), ("screenshot", {"format": "webp", name: value})])
        ctx.expect(refused.exit == 2 and f"screenshot.{name}" in refused.stderr and "jpeg or png" in refused.stderr,
                   f"{name}: exit {refused.exit}: {refused.stderr}")

    dense = ctx.run_batch([("start", {"url": long}), ("screenshot", {"format": "webp"})],
                          "--screenshots", "explicit", "--viewport", "800x600@2.5")
    picture = Picture(dense.picture(2))
    ctx.expect(picture.width * picture.height <= 1150000 and picture.width > 1100, f"at 2.5: {picture.summary()}")
