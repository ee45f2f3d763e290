"""kill -9 of the program: no Chrome is left after 2 s."""
import signal

from faults import long_run

BROWSER = "any"


def run(ctx):
    process = long_run(ctx)
    ctx.expect(len(ctx.stray()) > 2, "no Chrome was found while the program ran")
    process.signal(signal.SIGKILL)
    process.wait(5, complete=False)
    # No process is left that could remove the temporary profile.
    ctx.leftovers_allowed = True
