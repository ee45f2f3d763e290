"""A lock of a Chrome that has exited does not block the next run."""
import os
import socket

BROWSER = "any"


def run(ctx):
    args = ("--project", "locked")
    ctx.run_batch([("start", {"url": "about:blank"})], profile=args)
    folder = ctx.config / "browser-runner" / "projects" / "locked" / "browser"
    # A process id that no process has: beyond the largest.
    dead = int(open("/proc/sys/kernel/pid_max").read()) + 7
    os.symlink(f"{socket.gethostname()}-{dead}", folder / "SingletonLock")
    again = ctx.run_batch([("start", {"url": "about:blank"}),
                           ("evaluate", {"expression": "1 + 1"})], profile=args)
    ctx.expect(again.exit == 0, f"exit {again.exit}: {again.text[-400:]}")
