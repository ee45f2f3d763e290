"""The browser, the daemon and files are lost: each time the next act works, and nothing is left behind."""
import os
import pathlib
import signal
import socket

import processes
from warm import alive, kill, warm_sessions

BROWSER = "any"


def run(ctx):
    with warm_sessions(ctx) as warm:
        warm.start("one", "/shop/", "--temp-profile")
        browser = warm.list()["one"]["browserPid"]
        # Storage of the page is kept, also if it was written while the script still waited.
        warm.fine("evaluate", "new Promise((done) => { localStorage.kept = 'yes'; setTimeout(done, 300); })",
                  session="one")
        kill(browser)
        ctx.expect(warm.fine("evaluate", "localStorage.kept", session="one") == "yes\n", "the storage is lost")
        answer = warm.act("evaluate", "location.pathname", session="one")
        ctx.expect(answer.exit == 0 and answer.out == "/shop/\n", f"after the browser's end: {answer.text}")
        ctx.expect(warm.list()["one"]["browserPid"] != browser, "it is another browser")

        # The daemon is killed, and its browsers end with it.
        browser, daemon = warm.list()["one"]["browserPid"], warm.daemon()
        kill(daemon)
        left = processes.wait_until_gone(lambda: [pid for pid in (browser, daemon) if alive(pid)], 10)
        ctx.expect(not left, "the browser outlived its daemon")
        ctx.expect(warm.socket.exists(), "the case is about a socket that nobody serves")
        ctx.expect(warm.fine("open", ctx.origin + "/", "--temp-profile", *ctx.browser_args()), "another daemon")
        ctx.expect(warm.daemon() not in (0, daemon), "it is another one")

        # A daemon that stands still is reported long before the limits of all that a daemon may have to do.
        daemon = warm.daemon()
        kill(daemon, signal.SIGSTOP)
        for words in (("act", "--timeout", "1000", "evaluate", "1"), ("session", "list")):
            stopped = warm.call(*words)
            ctx.expect(stopped.exit == 1 and f"kill -CONT {daemon}" in stopped.err and stopped.seconds < 8 * processes.SLOWNESS,
                       f"{words}: exit {stopped.exit} after {stopped.seconds:.1f} s: {stopped.text}")
        kill(daemon, signal.SIGCONT)
        # An action that is silent for longer is waited for.
        slow = warm.act("evaluate", "new Promise((done) => setTimeout(done, 4500, 'late'))")
        ctx.expect(slow.out == "late\n", f"a silent action: {slow.text}")

        # SIGTERM: everything ends in order.
        browser, daemon = warm.list()["default"]["browserPid"], warm.daemon()
        kill(daemon, signal.SIGTERM)
        left = processes.wait_until_gone(lambda: [pid for pid in (browser, daemon) if alive(pid)], 15)
        ctx.expect(not left, "SIGTERM left somebody")
        ctx.expect(not warm.socket.exists(), "SIGTERM left the socket")

        # Idle: it ends by itself.
        warm.call("session", "start", "brief", ctx.origin, "--temp-profile", *ctx.browser_args(),
                                    BROWSER_RUNNER_IDLE="1")
        daemon = int(warm.log.read_text().split("process ")[-1].split(",")[0])
        left = processes.wait_until_gone(lambda: [daemon] if alive(daemon) else [], 15)
        ctx.expect(not left and "ending: no request" in warm.log.read_text(), "the idle daemon goes on")

        # Directories that other users could have made are refused.
        directory = warm.socket.parent
        for spoil, restore in ((lambda: directory.chmod(0o777), lambda: directory.chmod(0o700)),
                               (lambda: make_link(directory), lambda: restore_directory(directory))):
            spoil()
            refused = warm.act("evaluate", "1")
            listed = warm.call("session", "list")
            for answer in (refused, listed):
                ctx.expect(answer.exit == 1 and "only you own and may enter" in answer.err, f"{answer.exit}: {answer.text}")
            restore()

        # One that accepts connections and never answers.
        with Impostor(warm):
            mute = warm.act("--timeout", "1000", "evaluate", "1")
            ctx.expect(mute.exit == 1 and f"process {os.getpid()}" in mute.err and "does not answer" in mute.err and
                       mute.seconds < 20 * processes.SLOWNESS, f"exit {mute.exit} after {mute.seconds:.1f} s: {mute.text}")

        # A daemon of another version that is in use is named.
        with Impostor(warm) as impostor:
            refused = impostor.meet(warm.begin("act", "evaluate", "1"))
            ctx.expect(refused.exit == 1 and "0.0.1" in refused.err and "stop --all" in refused.err,
                       f"{refused.exit}: {refused.text}")
        # An idle one is replaced.
        warm.call("session", "start", "gone", ctx.origin, "--temp-profile", *ctx.browser_args())
        lines = warm.request(version="0.0.1", op="act", session="x", instructions="{}", opens=True)
        ctx.match(lines[0], {"kind": "otherVersion", "sessions": 1, "ends": False}, "a session is open")
        ctx.expect(warm.call("session", "stop", "gone").exit == 0, "stop")
        daemon = warm.daemon()
        lines = warm.request(version="0.0.1", op="act", session="x", instructions="{}", opens=True)
        ctx.match(lines[0], {"kind": "otherVersion", "ends": True}, "none is open")
        left = processes.wait_until_gone(lambda: [daemon] if alive(daemon) else [], 10)
        ctx.expect(not left, "the old daemon goes on")

        # An invalid request is answered.
        warm.start("last", "/", "--temp-profile")
        version = warm.version()
        for text in (f'{{"version":"{version}"}}', '{"version":1,"op":"list"}', "[]", "nonsense", f'{{"op":"act","version":"{version}"}}',
                     f'{{"version":"{version}","op":"dance"}}', "[" * 10000):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(10)
                connection.connect(str(warm.socket))
                connection.sendall(text.encode() + b"\n")
                said = connection.makefile().read()
                ctx.expect('"kind":"error"' in said, f"{text[:40]}: {said!r}")
        ctx.expect(list(warm.list()) == ["last"], "the daemon lives")


def make_link(directory):
    os.rename(directory, str(directory) + ".away")
    directory.symlink_to(str(directory) + ".away")


def restore_directory(directory):
    directory.unlink()
    os.rename(str(directory) + ".away", directory)


class Impostor:
    """A daemon of another version, in use."""

    def __init__(self, warm):
        self.warm = warm
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(warm.socket))
        self.socket.listen()
        self.socket.settimeout(10)

    def meet(self, process):
        connection, _ = self.socket.accept()
        connection.makefile().readline()
        connection.sendall(b'{"kind":"otherVersion","version":"0.0.1","pid":1,"sessions":2,"ends":false}\n')
        connection.close()
        return self.warm.end(process, 20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        pathlib.Path(self.warm.socket).unlink()
