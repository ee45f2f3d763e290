"""Pictures of whole pages that take Chrome long to draw, and of one that consists of many canvases."""
from pictures import Picture

BROWSER = "any"
SHADE = 0x40


def run(ctx):
    whole = {"fullPage": True, "timeout": 60000}
    result = ctx.run_batch(
        [("start", {"url": f"{ctx.origin}/case/large.html?cards=1200"}),
         # Drawing the whole page takes longer than the 5 s that each way to a picture has.
         ("emulate", {"cpuThrottle": 12}),
         ("screenshot", whole),
         ("emulate", {"cpuThrottle": 1}),
         ("navigate", {"url": f"{ctx.origin}/case/canvases.html"}),
         ("screenshot", {**whole, "maxEdge": 0, "maxPixels": 0})],
        "--screenshots", "explicit")
    drawn = result.response(3)
    ctx.match(drawn, {"success": True, "recovered": False, "attempts": 1, "captures": {"post": {"height": 1568}}},
              "the picture of a page that is drawn for long")
    ctx.expect(drawn["durationMs"] > 5500, f"drawn within {drawn['durationMs']} ms: this shows nothing")
    ctx.match(result.response(6), {"success": True, "captures": {"post": {"width": 1280, "height": 15000}}}, "canvases")
    shades = {value for row in Picture(result.picture(6)).thumbnail() for value in row}
    ctx.expect(min(shades) > SHADE - 4 and max(shades) < SHADE + 4, f"canvases of {SHADE}: {sorted(shades)}")
