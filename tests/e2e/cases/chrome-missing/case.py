"""No Chrome, or one that does not start: exit 3, the path, and a remedy."""
from faults import fake_chrome, real_chrome

BROWSER = "any"


def run(ctx):
    batch = ctx.batch([("start", {"url": "about:blank"})])
    result = ctx.run(["run", batch, "--temp-profile", "--chrome", "/nowhere/chrome"])
    ctx.expect(result.exit == 3, f"not there: exit {result.exit}")
    ctx.match(result.text, {"$regex": "/nowhere/chrome"}, "not there")
    ctx.match(result.text, {"$regex": "(?i)install"}, "not there")
    for response in result.responses:
        ctx.match(response, {"success": False, "errorCode": "BROWSER_NOT_FOUND"}, "not there")

    broken = ctx.run(["run", batch, "--temp-profile", "--chrome", ctx.mark_chrome()])
    ctx.expect(broken.exit == 3, f"ends at once: exit {broken.exit}")
    ctx.expect(ctx.marked(), "ends at once: it was not started")

    silent = ctx.work / "silent"
    silent.write_text("#!/bin/sh\necho 'the reason why' >&2\nexec sleep 600\n")
    silent.chmod(0o755)
    mute = ctx.run(["run", batch, "--temp-profile", "--chrome", silent, "--timeout", "6000"], seconds=45)
    ctx.expect(mute.exit == 3, f"never answers: exit {mute.exit}")

    once = fake_chrome(ctx, f'rm -f "$0"\nexec "{real_chrome(ctx)}" "$@"\n', "once")
    failing = ("click", {"selector": "#missing", "timeout": 300})
    batch = ctx.batch([("start", {"url": "about:blank", "maxConsecutiveErrors": 1}), failing, failing, ("stop", {}),
                       ("start", {"url": "about:blank"}), failing])
    gone = ctx.run(["run", batch, "--temp-profile", *ctx.browser_args(), "--chrome", once, "--screenshots", "none"])
    ctx.expect(gone.exit == 3, f"not there any more: exit {gone.exit}")
    ctx.match(gone.responses[-1], {"id": 5, "type": "start", "errorCode": "BROWSER_NOT_FOUND"}, "not there any more")

    ctx.environment["BROWSER_RUNNER_CHROME"] = "/nowhere/other"
    shot = ctx.run(["shot", "about:blank", "-o", "x.jpg", "--temp-profile"])
    ctx.expect(shot.exit == 3, f"shot: exit {shot.exit}")
    ctx.match(shot.stderr, {"$regex": "/nowhere/other"}, "shot")
