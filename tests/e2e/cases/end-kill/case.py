"""kill -9 of the program: no Chrome is left after 2 s."""
import signal


def begin(ctx, *more):
    """Starts a run that is in a long wait."""
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"}), ("wait", {"ms": 60000, "timeout": 90000}),
                      ("evaluate", {"expression": "1"})])
    process = ctx.start(["run", batch, "--temp-profile", "--screenshots", "none",
                         *ctx.browser_args(), *more])
    ctx.match(process.line(30), {"id": 1, "success": True}, "start")
    return process


def run(ctx):
    process = begin(ctx)
    ctx.expect(len(ctx.stray()) > 2, "no Chrome was found while the program ran")
    process.signal(signal.SIGKILL)
    process.wait(5, complete=False)
    # No process is left that could remove the temporary profile.
    ctx.leftovers_allowed = True
