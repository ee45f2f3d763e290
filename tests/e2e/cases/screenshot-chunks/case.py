"""Joined chunks equal the file of --save-dir, byte for byte, whatever their size."""

BROWSER = "shared"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/long/"}),
             ("screenshot", {"fullPage": True, "maxEdge": 0, "maxPixels": 0}),
             ("screenshot", {})]
    for size, number in (("4096", 2), ("1000", 2), ("204800", 2), ("0", 2)):
        folder = ctx.base / f"pictures-{size}"
        result = ctx.run_batch(steps, "--screenshots", "explicit", "--chunk-size", size,
                               "--save-dir", folder)
        ctx.expect(result.exit == 0, f"chunk size {size}: exit {result.exit}")
        saved = folder / "0002-screenshot-post.jpg"
        if ctx.expect(saved.is_file(), f"chunk size {size}: {saved.name} was not saved"):
            ctx.expect(saved.read_bytes() == result.picture(number),
                       f"chunk size {size}: the joined picture is not the saved one")
        chunked = "chunks" in result.response(number)["captures"]["post"]
        ctx.expect(chunked == (size != "0"), f"chunk size {size}: chunked is {chunked}")
