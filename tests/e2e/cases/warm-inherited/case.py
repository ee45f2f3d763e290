"""The daemon serves a socket that a service manager has opened, and leaves it there."""
import os
import signal
import socket
import subprocess

from warm import Warm

BROWSER = "any"


def run(ctx):
    warm = Warm(ctx)
    warm.socket.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(warm.socket))
        listening.listen()
        daemon = subprocess.Popen(
            ["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" session daemon', ctx.options.binary],
            env=ctx.environment, cwd=ctx.work, close_fds=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.set_inheritable(os.dup2(listening.fileno(), 3), True), text=True)
        ctx.known.add(daemon.pid)
        ctx.expect('"listening"' in daemon.stdout.readline(), "it does not say that it listens")
        ctx.expect(warm.daemon() == daemon.pid, "another daemon answers")
        ctx.expect(warm.fine("evaluate", "6 * 7", "--temp-profile", *ctx.browser_args()) == "42\n", "an action")
        daemon.send_signal(signal.SIGTERM)
        ctx.expect(daemon.wait(20) == 0, f"it ended with {daemon.returncode}")
        daemon.stdout.close()
        ctx.expect(warm.socket.exists(), "the socket is the service manager's")
