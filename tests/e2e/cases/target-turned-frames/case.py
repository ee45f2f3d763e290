"""Frames that are rotated, skewed, mirrored or scaled unevenly: small buttons in their corners are hit where they are
drawn."""
from pictures import Picture

BROWSER = "shared"
FRAMES = ("turned", "uneven", "upright", "skewed", "mirrored", "larger", "flat", "case/inner.html?deep")


def run(ctx):
    steps, wanted = [("start", {"url": ctx.origin + "/case/outer.html"})], []
    for frame in FRAMES:
        for button in ("high", "low"):
            steps.append(("click", {"selector": f"#{button}", "frame": frame if "?" in frame else f"#{frame}"}))
            wanted.append(f"{frame.rpartition('?')[2]} {button} true")
    # The clicks that the pages themselves have received.
    steps += [("wait", {"expression": f"hits.length >= {len(wanted)}", "timeout": 3000}),
              ("evaluate", {"expression": "hits"}),
              # The picture of an element is the box around its drawn shape.
              ("screenshot", {"selector": "#low", "frame": "#upright", "format": "png"}),
              ("screenshot", {"selector": "#low", "frame": "#uneven", "format": "png"})]
    result = ctx.run_batch(steps)
    for number, (kind, parameters) in enumerate(steps, 1):
        response = result.response(number)
        ctx.expect(response["success"], f"{kind} {parameters}: {response.get('error')}")
    heard = result.response(len(steps) - 2).get("result")
    ctx.expect(heard == wanted, f"heard {heard}, wanted {wanted}")
    for number, size in ((len(steps) - 1, (14, 14)), (len(steps), (6, 19))):
        picture = Picture(result.picture(number))
        near = abs(picture.width - size[0]) <= 2 and abs(picture.height - size[1]) <= 2
        ctx.expect(near, f"the picture is {picture.width}x{picture.height}, not about {size}")
