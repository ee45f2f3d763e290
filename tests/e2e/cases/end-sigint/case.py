"""Ctrl-C during an action: exit 130, soon, and nothing is left."""
import signal

from faults import long_run

BROWSER = "any"


def run(ctx):
    process = long_run(ctx)
    process.signal(signal.SIGINT)
    done = process.wait(15)
    ctx.expect(done.exit == 130, f"exit {done.exit}")
    ctx.expect(len(done.responses) <= 2, "went on after the interruption")
    if done.summary:
        ctx.match(done.summary, {"aborted": True}, "summary")
