"""--viewport sets the size and the density of the page; pictures follow."""

BROWSER = "any"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/shop/"}),
             ("evaluate", {"expression": "[innerWidth, innerHeight, devicePixelRatio]"})]
    for given, size, captures in [("800x600", [800, 600, 1], {"width": 800, "height": 600, "scale": 1}),
                                  ("400x300@2", [400, 300, 2], {"width": 800, "height": 600, "scale": 2})]:
        result = ctx.run_batch(steps, "--viewport", given)
        ctx.match(result.response(2), {"success": True, "result": size}, f"--viewport {given}")
        ctx.match(result.response(1), {"captures": {"post": captures}}, f"--viewport {given}")
    large = ctx.run_batch(steps[:1], "--viewport", "2400x1800")
    ctx.match(large.response(1), {"captures": {"post": {"width": {"$le": 1568}, "scale": {"$lt": 1}}}},
              "a large viewport")
