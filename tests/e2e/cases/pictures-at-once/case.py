"""A picture right after a start, a load in the same or in another process, and a change shows what is there by then."""
import base64

from png_files import Pixels

STARTS, LOADS = 20, 5
TIME_LIMIT = 300
PNG = ("screenshot", {"format": "png"})


def colour(number):
    return number % 256, number * 7 % 256, number * 31 % 256


def run(ctx):
    origins = [ctx.origin, ctx.origin.replace("127.0.0.1", "localhost")]
    for start in range(STARTS):
        steps, wanted = [], {}
        for load in range(LOADS):
            number = 1 + 2 * (start * LOADS + load)
            page = "{}/case/plain.html?{},{},{}".format(origins[load % 2], *colour(number))
            change = "document.documentElement.style.background = 'rgb({},{},{})'".format(*colour(number + 1))
            for step in (("navigate" if load else "start", {"url": page}), ("evaluate", {"expression": change})):
                steps += [step, PNG]
                wanted[len(steps)] = colour(number + len(wanted) % 2)
        result = ctx.run_batch(steps, "--screenshots", "explicit")
        for id, expected in wanted.items():
            response = result.response(id)
            ctx.match(response, {"success": True, "attempts": 1}, f"start {start}, picture {id}")
            told = [entry["message"] for entry in response["logs"] if entry["category"] == "screenshot"]
            ctx.expect(not told, f"start {start}, picture {id}: {told}")
            seen = Pixels(base64.b64decode(response["screenshots"]["post"]["source"]["data"])).at(10, 10)
            ctx.expect(seen == expected, f"start {start}, picture {id}: {seen} instead of {expected}, at {steps[id - 2][1]}")
