"""kill -9 during a batch, and at once the next run of the same project: it is not refused."""
import signal

BROWSER = "any"
PROJECT = ("--project", "restarted")


def run(ctx):
    url = ctx.origin + "/shop/"
    for i in range(3):
        batch = ctx.batch([("start", {"url": url}), ("wait", {"ms": 60000, "timeout": 90000}),
                           ("evaluate", {"expression": "1"})], f"killed-{i}.xml")
        killed = ctx.start(["run", batch, *PROJECT, "--screenshots", "none", *ctx.browser_args()])
        ctx.match(killed.line(30), {"id": 1, "success": True}, f"start {i}")
        killed.signal(signal.SIGKILL)
        killed.popen.wait(5)
        again = ctx.run_batch([("start", {"url": url}), ("evaluate", {"expression": "6 * 7"})],
                              "--screenshots", "none", profile=PROJECT)
        killed.wait(5, complete=False)
        ctx.expect(again.exit == 0, f"run {i} after a kill: exit {again.exit}: {again.text[-500:]}")
        if again.exit == 0:
            ctx.match(again.response(2), {"result": 42}, f"run {i} after a kill")
