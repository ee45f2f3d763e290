"""SIGTERM during an action: the browser is closed, and nothing is left."""
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
    process.signal(signal.SIGTERM)
    done = process.wait(15, complete=False)
    ctx.expect(done.exit in (130, 143, -signal.SIGTERM), f"exit {done.exit}")
