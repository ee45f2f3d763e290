"""One page, one picture: to a file, to stdout, as JSON; whole page, element, formats."""
import json

from pictures import Picture
from stream import schema_problems
import base64

BROWSER = "shared"


def run(ctx):
    shop, long = ctx.origin + "/shop/", ctx.origin + "/long/"

    def shot(*args):
        # A tab that is open already keeps its size.
        place = ["--temp-profile", *ctx.browser_args()] if "--viewport" in args else ctx.usual_args()
        result = ctx.run(["shot", *args, *place])
        ctx.expect(result.exit == 0, f"shot {args}: exit {result.exit}: {result.stderr[-300:]}")
        return result

    def picture(data, what, **wanted):
        try:
            ctx.match(Picture(data).summary(), wanted, what)
        except ValueError as error:
            ctx.problem(f"{what}: {error}")

    result = shot(shop, "-o", "x.jpg")
    ctx.expect(result.stdout == b"", f"-o FILE: on stdout: {result.stdout[:100]}")
    default = (ctx.work / "x.jpg").read_bytes()
    picture(default, "-o x.jpg", format="jpeg", width=1280, height=720, blank=False)
    picture(shot(shop, "-o", "-").stdout, "-o -", format="jpeg", width=1280, height=720, blank=False)

    block = json.loads(shot(shop).stdout)
    for fault in schema_problems(block, "image"):
        ctx.problem(f"image block: {fault}")
    picture(base64.b64decode(block["source"]["data"]), "image block", format="jpeg", width=1280)

    shot(shop, "-o", "x.png", "--format", "png")
    picture((ctx.work / "x.png").read_bytes(), "--format png", format="png", width=1280, height=720)
    shot(shop, "-o", "fine.jpg", "--quality", "90")
    ctx.expect((ctx.work / "fine.jpg").stat().st_size > 1.5 * len(default), "--quality 90 is not larger")
    shot(long, "-o", "full.jpg", "--full-page")
    full = Picture((ctx.work / "full.jpg").read_bytes())
    ctx.expect(abs(full.height / full.width - 12064 / 1280) < 0.1,
               f"--full-page: {full.width}x{full.height} has not the page's shape")
    shot(long, "-o", "part.jpg", "--selector", "#harbour-5 .side svg")
    picture((ctx.work / "part.jpg").read_bytes(), "--selector", width=345, height=140, blank=False)
    shot(ctx.origin + "/spa/", "-o", "idle.jpg", "--wait-until", "networkidle0")
    shot(shop, "-o", "small.jpg", "--viewport", "800x600")
    picture((ctx.work / "small.jpg").read_bytes(), "--viewport", width=800, height=600)

    shot(shop, "-o", "named.png", "--color-scheme", "dark", "--stable", "--wait-for", "text=Goods for the shore", "--delay", "10")
    picture((ctx.work / "named.png").read_bytes(), "-o named.png", format="png", width=1280, height=720, blank=False)
    refused = ctx.run(["shot", shop, "-o", "x.png", "--format", "jpeg", *ctx.usual_args()], complete=False)
    ctx.expect(refused.exit == 2 and "--format jpeg and -o x.png" in refused.stderr, f"another format: {refused.exit} {refused.stderr}")
    for more, code in (([], 1), (["--allow-http-errors"], 0)):
        (ctx.work / "missing.jpg").unlink(missing_ok=True)
        missing = ctx.run(["shot", ctx.origin + "/status/404", "-o", "missing.jpg", *more, *ctx.usual_args()])
        ctx.expect(missing.exit == code, f"404 {more}: exit {missing.exit}, not {code}")
        ctx.expect("404" in missing.stderr and ("--allow-http-errors" in missing.stderr) == (not more), f"404 {more}: {missing.stderr}")
        ctx.expect((ctx.work / "missing.jpg").exists(), f"404 {more}: there is no picture")
