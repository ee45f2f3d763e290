"""What a killed run leaves in the temporary directory, the next run removes."""
import signal

import processes


def begin(ctx, *more):
    """A run that is in the middle of a long wait."""
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"}), ("wait", {"ms": 60000, "timeout": 90000}),
                      ("evaluate", {"expression": "1"})])
    process = ctx.start(["run", batch, "--temp-profile", "--screenshots", "none",
                         *ctx.browser_args(), *more])
    ctx.match(process.line(30), {"id": 1, "success": True}, "start")
    return process


def run(ctx):
    process = begin(ctx)
    process.signal(signal.SIGKILL)
    process.wait(5, complete=False)
    ctx.expect(not processes.wait_until_gone(ctx.stray, 3), "Chrome is still there")
    result = ctx.run_batch([("start", {"url": "about:blank"})], "--screenshots", "none")
    ctx.expect(result.exit == 0, f"exit {result.exit}")
