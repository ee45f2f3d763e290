"""Ctrl-C during an action: exit 130, soon, and nothing is left."""
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
    process.signal(signal.SIGINT)
    done = process.wait(15)
    ctx.expect(done.exit == 130, f"exit {done.exit}")
    ctx.expect(len(done.responses) <= 2, "went on after the interruption")
    if done.summary:
        ctx.match(done.summary, {"aborted": True}, "summary")
