"""serve --http: Chrome is killed while 10 requests run; each is answered, later ones are served, nothing is left."""
import contextlib
import os
import signal

from faults import chrome, until
from one_shots import shots

BROWSER = "any"
REQUESTS = 10


def batch(ctx, name):
    """Waits until the server lets all of them go on, so that all run when the browser is killed."""
    return [{"type": "start", "url": ctx.origin + "/", "timeout": 60000},
            {"type": "evaluate", "expression": f"fetch('/count?name={name}').then(() => new Promise(() => {{}}))", "timeout": 60000},
            {"type": "evaluate", "expression": "1"}]


def run(ctx):
    with shots(ctx, "--max-running", str(REQUESTS), "--recycle-after", "5") as server:
        waiting = [server.ask_aside("/run", batch(ctx, f"r{i}")) for i in range(REQUESTS)]
        until(lambda: len([name for name in ctx.counts() if name.startswith("r")]) == REQUESTS, "all run", 90)
        # Each browser has had five sessions, and those that wait for their batches live on.
        browsers = server.metric("browsers")
        ctx.expect(server.metric("browsers_recycled_total") == REQUESTS / 5 - 1 and browsers == REQUESTS / 5, f"{browsers} browsers")
        for pid in chrome(ctx):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for i, answer in enumerate(waiting):
            answer = answer()
            lines = answer.lines
            ctx.expect(answer.status == 200 and lines[-1]["kind"] == "summary", f"{i}: {answer.status} {answer.body[-300:]}")
            ctx.match(lines[1], {"success": False, "errorCode": {"$in": ["BROWSER_CRASHED", "DISCONNECTED"]}}, f"what ran in {i}")
            ctx.match(lines[2], {"success": True, "result": 1}, f"what followed in {i}")
        server.await_metric("batches_running", 0)
        ctx.match(server.run(batch(ctx, "after")[::2]).lines[1], {"success": True, "result": 1}, "a later request")
        ctx.expect(server.get("/ready")[0] == 200, "ready again")
        # Worn browsers end when their last session has ended; the newest one stays.
        server.await_metric("browsers", 1)
