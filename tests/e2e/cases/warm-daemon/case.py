"""The daemon sleeps while it is idle, is waited for while it ends, and is named if its socket was removed."""
import os
import pathlib
import signal
import time

import processes
from warm import alive, kill, warm_sessions

BROWSER = "any"


def run(ctx):
    with warm_sessions(ctx) as warm:
        ctx.expect(warm.fine("open", ctx.origin + "/", "--temp-profile", *ctx.browser_args()), "the first")
        # Idle: it sleeps.
        daemon = warm.daemon()
        counts = []
        for _ in range(20):
            counts.append(wakes(daemon))
            time.sleep(0.5)
            if wakes(daemon) == counts[-1]:
                break
        else:
            ctx.problem(f"the idle daemon wakes again and again: {counts}")

        # A daemon that is ending, and ends its browser, does not block the next.
        os.kill(daemon, signal.SIGTERM)
        processes.wait_until_gone(lambda: [daemon] if warm.socket.exists() else [], 10)
        answer = warm.act("evaluate", "1", "--temp-profile", *ctx.browser_args())
        ctx.expect(answer.exit == 0, f"behind one that ends: exit {answer.exit}, {answer.seconds} s: {answer.text}")

        # A daemon whose socket was removed is named.
        warm.socket.unlink()
        answer = warm.act("evaluate", "1")
        daemon = int((warm.socket.parent / "daemon.lock").read_text())
        ctx.expect(answer.exit == 1 and f"process {daemon}" in answer.err, f"no socket: {answer.exit}: {answer.text}")
        kill(daemon, signal.SIGTERM)
        left = processes.wait_until_gone(lambda: [daemon] if alive(daemon) else [], 15)
        ctx.expect(not left and warm.fine("open", ctx.origin + "/", "--temp-profile", *ctx.browser_args()), "the next")


def wakes(pid):
    """Returns how often its threads have slept so far."""
    return sum(int(line.split()[1]) for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status")
               for line in status.read_text().splitlines() if line.startswith("voluntary_ctxt_switches"))
