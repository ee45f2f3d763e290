"""SIGTERM during an action: the browser is closed, and nothing is left."""
import signal

from faults import long_run

BROWSER = "any"


def run(ctx):
    process = long_run(ctx)
    process.signal(signal.SIGTERM)
    done = process.wait(15, complete=False)
    ctx.expect(done.exit in (130, 143, -signal.SIGTERM), f"exit {done.exit}")
