"""maxBytes: scaled first, then compressed more, then omitted; each step is reported."""
from pictures import Picture

STEP = r"^maxBytes (\d+): the picture of \d+ bytes (is scaled to|gets quality)"


def run(ctx):
    plain = ctx.run_batch([("start", {"url": ctx.origin + "/shop/"}), ("screenshot", {})], "--screenshots", "explicit")
    whole = len(plain.picture(2))
    limits = [whole, whole * 2 // 3, whole // 5, 300]
    steps = [("start", {"url": ctx.origin + "/shop/"})]
    steps += [("screenshot", {"maxBytes": limit}) for limit in limits]
    steps += [("screenshot", {"maxBytes": 300, "format": "png"}), ("screenshot", {"maxBytes": 0}),
              ("screenshot", {"maxBytes": 9000, "tiles": True})]
    result = ctx.run_batch(steps, "--screenshots", "explicit")
    ctx.expect(result.exit == 0, f"exit {result.exit}: {result.stderr[-300:]}")

    def told(number, word):
        return [log["message"] for log in result.response(number)["logs"]
                if log["message"].startswith("maxBytes") and word in log["message"]]

    ctx.expect(result.picture(2) == plain.picture(2) and not told(2, "the picture"), "what fits was changed")
    scaled = Picture(result.picture(3))
    ctx.expect(scaled.bytes <= limits[1] and told(3, "is scaled") and not told(3, "gets quality"),
               f"{scaled.bytes} bytes for {limits[1]}: {told(3, 'the picture')}")
    ctx.expect(640 < scaled.width < 1280 and abs(scaled.width / scaled.height - 16 / 9) < 0.01,
               f"scaled to {scaled.width}x{scaled.height}")
    coarse = Picture(result.picture(4))
    ctx.expect((coarse.width, coarse.height) == (640, 360) and coarse.bytes <= limits[2] and told(4, "gets quality"),
               f"{coarse.width}x{coarse.height}, {coarse.bytes} bytes for {limits[2]}")
    for number in (5, 6):
        response = result.response(number)
        ctx.expect("screenshots" not in response and response["success"], f"response {number} has a picture, or failed")
        warning = {"type": "warning", "message": {"$regex": "the picture is left out: .* maxBytes is 300$"}}
        ctx.match(response["logs"], {"$contains": warning}, f"logs of response {number}")
    ctx.expect(told(5, "quality 5 ") and not told(6, "gets quality"), "the steps down to the last are not told")
    ctx.match(result.response(5)["logs"], {"$contains": {"message": {"$regex": STEP}, "source": "tool"}}, "a step")
    ctx.expect(result.picture(7) == plain.picture(2), "maxBytes 0 is a limit")
    sizes = [capture["bytes"] for capture in result.response(8)["captures"]["tiles"]]
    ctx.expect(sizes and max(sizes) <= 9000, f"tiles of {sizes} bytes")
