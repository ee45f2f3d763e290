"""The next run removes what a killed run, or one ended by a second signal, left behind."""
import pathlib
import signal

import processes
from faults import long_run

BROWSER = "any"


def left_by(ctx, pid):
    places = (ctx.tmp, pathlib.Path("/tmp"), pathlib.Path("/dev/shm"))
    return [path for place in places for path in place.glob(f"browser-runner-*-{pid}-*")]


def run(ctx):
    for signals in ((signal.SIGKILL,), (signal.SIGTERM, signal.SIGINT)):
        process = long_run(ctx)
        for number in signals:
            process.signal(number)
        process.wait(5, complete=False)
        ctx.expect(not processes.wait_until_gone(ctx.stray, 10), "Chrome is still there")
        if signals == (signal.SIGKILL,):
            ctx.expect(left_by(ctx, process.pid), "nothing was left, so that there is nothing to remove")
        result = ctx.run(["shot", "about:blank", "-o", "x.png", "--temp-profile", *ctx.browser_args()])
        ctx.expect(result.exit == 0, f"exit {result.exit}")
        ctx.expect(not left_by(ctx, process.pid), f"after {signals}: {left_by(ctx, process.pid)}")
