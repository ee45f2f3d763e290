"""Pages that cannot be shot: exit 1, the reason on stderr, no file."""
from processes import SLOWNESS

BROWSER = "shared"


def run(ctx):
    # Their time is over at once.
    late = str(round(8000 * SLOWNESS))
    failing = [(args, wanted, ctx.start(["shot", *args, "-o", "x.jpg", "--temp-profile", *ctx.browser_args()])) for args, wanted in [
        ([ctx.closed_origin + "/"], r"(?i)refused"),
        ([ctx.origin + "/hang", "--timeout", late], rf"(?i)timeout|timed out|within|in time|{late}"),
        ([ctx.origin + "/shop/", "--selector", "#nope", "--timeout", late], r"#nope")]]
    for args, wanted, process in failing:
        result = process.wait(60)
        ctx.expect(result.exit == 1, f"{args}: exit {result.exit}")
        ctx.match(result.stderr, {"$regex": wanted}, f"stderr of {args}")
        ctx.expect(not (ctx.work / "x.jpg").exists(), f"{args}: a file was written")
        ctx.expect(result.stdout == b"", f"{args}: on stdout: {result.stdout[:100]}")
    missing = ctx.run(["shot", ctx.origin + "/shop/", "-o", "nowhere/x.jpg", *ctx.usual_args()])
    ctx.expect(missing.exit in (1, 2), f"a folder that is not there: exit {missing.exit}")
    ctx.match(missing.stderr, {"$regex": "nowhere/x.jpg"}, "stderr")
    # A picture of a page with status 404 is taken, but is not a success.
    found = ctx.run(["shot", ctx.origin + "/status/404", "-o", "y.jpg", *ctx.usual_args()])
    ctx.expect(found.exit == 1 and (ctx.work / "y.jpg").exists(), f"404: exit {found.exit}")
    ctx.match(found.stderr, {"$regex": "404"}, "stderr of a 404")
