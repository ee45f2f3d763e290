"""shot with --tiles, --max-bytes and --format webp: file names, lines, warnings, exit codes."""
import json

from pictures import Picture
from stream import schema_problems

BROWSER = "shared"


def run(ctx):
    shop, long = ctx.origin + "/shop/", ctx.origin + "/long/"

    def shot(*args, wanted=0):
        # A tab that is open already keeps its size.
        place = ["--temp-profile", *ctx.browser_args()] if "--viewport" in args else ctx.usual_args()
        result = ctx.run(["shot", *args, *place])
        ctx.expect(result.exit == wanted, f"shot {args}: exit {result.exit}: {result.stderr[-300:]}")
        return result

    result = shot(long, "--tiles", "-o", "a.b/page.jpg", wanted=1)
    ctx.expect("a.b/page-01.jpg" in result.stderr, f"no directory: {result.stderr}")
    shot(long, "--tiles", "-o", "page.jpg", "--viewport", "1280x1000")
    names = sorted(path.name for path in ctx.work.glob("page*"))
    ctx.expect(names == [f"page-{number:02}.jpg" for number in range(1, 14)], f"files: {names}")
    first = Picture((ctx.work / names[0]).read_bytes())
    ctx.expect(first.height > first.width * 0.7 and not first.is_blank(), f"the first: {first.summary()}")

    lines = shot(long, "--tiles", "--format", "png", "--selector", "#harbour-5").stdout.splitlines()
    for line in lines:
        for fault in schema_problems(json.loads(line), "image"):
            ctx.problem(f"image block: {fault}")
    ctx.expect(lines, "no block on stdout")
    shot(long, "--tiles", "-o", "-", wanted=2)

    shot(shop, "--format", "webp", "-o", "x.webp", "--quality", "60")
    picture = Picture((ctx.work / "x.webp").read_bytes())
    ctx.expect((picture.format, picture.width, picture.height) == ("webp", 1280, 720), f"{picture.summary()}")
    shot(shop, "--format", "webp", "--max-bytes", "9000", wanted=2)
    shot(shop, "--max-bytes", "9000", "-o", "small.jpg")
    ctx.expect((ctx.work / "small.jpg").stat().st_size <= 9000, "--max-bytes 9000 is exceeded")
    none = shot(shop, "--max-bytes", "200", "-o", "none.jpg", wanted=1)
    ctx.expect("left out" in none.stderr and "--max-bytes" in none.stderr, none.stderr)
    ctx.expect(not (ctx.work / "none.jpg").exists(), "a file without a picture")
