"""A picture right after a start, a load in the same or another process, and a change shows the present state."""
import base64

from png_files import Pixels

BROWSER = "any"
LOADS = 5
PNG = ("screenshot", {"format": "png"})


def colour(number):
    return number % 256, number * 7 % 256, number * 31 % 256


def run(ctx):
    take(ctx, 2)


def take(ctx, starts):
    """After this many starts."""
    origins = [ctx.origin, ctx.origin.replace("127.0.0.1", "localhost")]
    for start in range(starts):
        steps, wanted = [("start", {"url": "about:blank"})], {}
        for load in range(LOADS):
            number = 1 + 2 * (start * LOADS + load)
            page = "{}/case/plain.html?{},{},{}".format(origins[load % 2], *colour(number))
            change = "document.documentElement.style.background = 'rgb({},{},{})'".format(*colour(number + 1))
            steps += [("navigate", {"url": page}), PNG, ("evaluate", {"expression": change}), PNG]
            wanted |= {len(steps) - 2: colour(number), len(steps): colour(number + 1)}
        result = ctx.run_batch(steps, "--screenshots", "explicit")
        for id, expected in wanted.items():
            response = result.response(id)
            ctx.match(response, {"success": True, "attempts": 1}, f"start {start}, picture {id}")
            told = [entry["message"] for entry in response["logs"] if entry["category"] == "screenshot"]
            ctx.expect(not told, f"start {start}, picture {id}: {told}")
            seen = Pixels(base64.b64decode(response["screenshots"]["post"]["source"]["data"])).at(10, 10)
            ctx.expect(seen == expected, f"start {start}, picture {id}: {seen} instead of {expected}, at {steps[id - 2][1]}")
        out = ctx.work / "shot.png"
        page = "{}/case/plain.html?{},{},{}".format(origins[start % 2], *colour(start))
        shot = ctx.run(["shot", page, "-o", out, "--full-page", "--temp-profile", *ctx.browser_args()])
        ctx.expect(not shot.stderr, f"shot {start}: {shot.stderr}")
        seen = Pixels(out.read_bytes()).at(10, 10)
        ctx.expect(seen == colour(start), f"shot {start}: {seen} instead of {colour(start)}")
