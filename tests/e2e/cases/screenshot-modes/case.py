"""--screenshots none, post, both and explicit, and an action's own setting."""

BROWSER = "shared"
MODES = {
    # mode: (start, click, screenshot, click that wants both, click that wants none, stop)
    "none": ("", "", "post", "pre post", "", ""),
    "post": ("post", "post", "post", "pre post", "", ""),
    "both": ("post", "pre post", None, "pre post", "", ""),
    "explicit": ("", "", "post", "", "", ""),
}


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/shop/"}),
             ("click", {"selector": "#add-kettle"}),
             ("screenshot", {}),
             ("click", {"selector": "#keep-shopping", "screenshots": "both"}),
             ("click", {"selector": "#add-mug", "screenshots": "none"}),
             ("stop", {})]
    for mode, wanted in MODES.items():
        result = ctx.run_batch(steps, "--screenshots", mode)
        ctx.expect(result.exit == 0, f"{mode}: exit {result.exit}")
        for number, keys in enumerate(wanted, 1):
            found = set(result.response(number).get("screenshots", {}))
            if keys is None:
                ctx.expect("post" in found, f"{mode}: the screenshot action has no picture")
            else:
                ctx.expect(found == set(keys.split()),
                           f"{mode}: response {number} has {sorted(found)}, expected {keys or 'none'}")
    default = ctx.run_batch(steps)
    ctx.match(default.response(2), {"screenshots": {"pre": {}, "post": {}}}, "without the option")
