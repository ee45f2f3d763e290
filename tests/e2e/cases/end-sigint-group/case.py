"""Ctrl-C at a terminal goes to the whole process group, Chrome too."""
import os
import signal

BROWSER = "any"


def run(ctx):
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"}), ("wait", {"ms": 60000, "timeout": 90000})])
    process = ctx.start(["run", batch, "--temp-profile", "--screenshots", "none", *ctx.browser_args()],
                        start_new_session=True)
    ctx.match(process.line(30), {"id": 1, "success": True}, "start")
    os.killpg(process.pid, signal.SIGINT)
    done = process.wait(15)
    ctx.expect(done.exit == 130, f"exit {done.exit}")
