"""Warm sessions: the commands session and act, and their connection to the daemon."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import processes
from processes import SLOWNESS


class Answer:
    def __init__(self, process, stdout, stderr, seconds):
        self.exit, self.out, self.err, self.seconds = process.returncode, stdout, stderr, seconds

    @property
    def text(self):
        return self.out + self.err

    @property
    def json(self):
        return json.loads(self.out.splitlines()[0])


class Warm:
    def __init__(self, ctx):
        self.ctx = ctx
        self.socket = pathlib.Path(ctx.environment["XDG_RUNTIME_DIR"], "browser-runner", "daemon.sock")
        self.log = pathlib.Path(ctx.environment.get("HOME", "/"), ".local/state/browser-runner/daemon.log")

    def begin(self, *args, **more):
        process = subprocess.Popen([self.ctx.options.binary, *map(str, args)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, stdin=subprocess.PIPE, text=True, cwd=self.ctx.work,
                                   env={**self.ctx.environment, **more})
        process.began = time.monotonic()
        self.ctx.known.add(process.pid)
        return process

    def end(self, process, seconds=60, stdin=None):
        seconds *= SLOWNESS
        try:
            out, err = process.communicate(stdin, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.ctx.problem(f"{process.args} still ran after {seconds} s")
            out, err = "", ""
        return Answer(process, out, err, time.monotonic() - process.began)

    def call(self, *args, stdin=None, seconds=60, **more):
        return self.end(self.begin(*args, **more), seconds, stdin)

    def act(self, *words, session=None, **more):
        return self.call("act", *(["--session", session] if session else []), *words, **more)

    def start(self, name, path="/", *options):
        answer = self.call("session", "start", name, self.ctx.origin + path, *self.ctx.browser_args(), *options)
        self.ctx.expect(answer.exit == 0, f"session start {name}: exit {answer.exit}: {answer.text}")
        return answer

    def fine(self, *words, session=None, **more):
        """Runs an act that must succeed; returns its output."""
        answer = self.act(*words, session=session, **more)
        self.ctx.expect(answer.exit == 0, f"act {words}: exit {answer.exit}: {answer.text[-600:]}")
        return answer.out

    def list(self):
        answer = self.call("session", "list", "--json", seconds=10)
        return {session["name"]: session for session in answer.json["sessions"]}

    def daemon(self):
        """Returns the daemon's pid; 0 if none runs."""
        answer = self.call("session", "list", "--json", seconds=10)
        return answer.json.get("daemon", {}).get("pid", 0)

    def version(self):
        """Returns the version that a request to the daemon has to name."""
        return self.call("session", "list", "--json", seconds=10).json["daemon"]["version"]

    def await_state(self, name, state, seconds=20):
        seconds *= SLOWNESS
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.list().get(name, {}).get("state") == state:
                return
            time.sleep(0.05)
        self.ctx.problem(f"{name} was not {state} within {seconds} s: {self.list().get(name)}")

    def request(self, seconds=30, **request):
        """Returns the lines with which the daemon answers a request."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds * SLOWNESS)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps(request).encode() + b"\n")
            return [json.loads(line) for line in connection.makefile()]


@contextlib.contextmanager
def warm_sessions(ctx):
    """Ends the daemon, and checks that it has left nothing."""
    warm = Warm(ctx)
    try:
        yield warm
    finally:
        pid = warm.daemon()
        answer = warm.call("session", "stop", "--all", seconds=40)
        ctx.expect(answer.exit == 0, f"stop --all: exit {answer.exit}: {answer.text}")
        gone = not pid or not processes.wait_until_gone(lambda: [pid] if alive(pid) else [], 10)
        ctx.expect(gone, "the daemon goes on after session stop --all")
        ctx.expect(not warm.socket.exists(), "the socket is still there")


def alive(pid):
    try:
        os.kill(pid, 0)
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def kill(pid, number=signal.SIGKILL):
    os.kill(pid, number)
