"""Faults on demand: this case's Chrome found, killed, stopped; and a session to try them on.

The pages are those of pages/board.html: button cN and field tN tell the server about each click and
each input before the event is over, so that `arrived()` knows what reached the page.
"""
import ctypes
import os
import re
import shutil
import signal
import subprocess
import time

import processes
from harness import Failure, Skip, expand, instruction
from pictures import Picture
from processes import SLOWNESS
from stream import GRACE_MS

SILENCE = 5  # seconds after which a silent browser or page is given up
CRASHES = {"$in": ["BROWSER_CRASHED", "PAGE_CRASHED", "DISCONNECTED"]}
TOLD = {"$contains": {"source": "tool", "category": "browser"}}
MAY_HAVE_ARRIVED = re.compile(r"(?i)may have (reached|arrived)")

# Patterns for answers: recovered at the first attempt, after a second one, and not repeated.
RECOVERED = {"success": True, "recovered": True, "attempts": 1, "logs": TOLD}
REPEATED = {"success": True, "recovered": True, "attempts": 2, "logs": {
    "$contains": {"source": "tool", "category": "retry", "message": {"$regex": r"attempt \d of 4"}}}}
NOT_REPEATED = {"success": False, "recovered": True, "attempts": 1, "errorCode": CRASHES,
                "hint": {"$regex": MAY_HAVE_ARRIVED.pattern}, "logs": TOLD}
UNTOUCHED = {"success": True, "recovered": False, "attempts": 1}
# For `start`: the case causes failures on purpose.
NO_LIMITS = {"maxConsecutiveErrors": 0, "totalErrorThreshold": 0}


def board(ctx, shade=200, **query):
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return f"{ctx.origin}/e2e/board.html?shade={shade}{more}"


def until(holds, what, seconds=10):
    """Waits until holds() returns a true value, and returns it."""
    seconds *= SLOWNESS
    deadline = time.monotonic() + seconds
    while not (value := holds()):
        if time.monotonic() > deadline:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return value


def arrived(ctx, name):
    """Returns how often the server has received the event."""
    return ctx.counts().get(name, 0)


def wait_for(ctx, name, count=1):
    until(lambda: arrived(ctx, name) >= count, f"{name} arrives")


# Chrome's processes.

def chrome(ctx, kind=None):
    """Returns the browser processes of this case, or those of a --type such as renderer or gpu-process."""
    found = []
    for pid in ctx.stray():
        words = processes.read(pid, "cmdline").replace(b"\0", b" ")
        types = re.findall(rb" --type=([a-z-]+)", words)
        if kind and kind.encode() in types or not kind and not types and b" --user-data-dir=" in words:
            found.append(pid)
    return found


def has_threads(pid):
    """Whether threads of a process that has ended still run: its end is reported only after the last one."""
    try:
        return len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def kill(ctx, kind=None, number=signal.SIGKILL):
    """Kills the browser, or all processes of a type, and waits for their end."""
    pids = until(lambda: chrome(ctx, kind), f"a {kind or 'browser'} process")
    send(pids, number)
    until(lambda: not set(pids) & set(chrome(ctx, kind)), f"{kind or 'browser'} processes end")
    until(lambda: not any(map(has_threads, pids)), f"the threads of {kind or 'browser'} processes end")
    if kind:
        # Chrome reaps the process when it has noticed its end, and notifies others at the same time.
        until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), f"Chrome notices the end of its {kind}")


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def long_run(ctx, *more):
    """Starts a run that is in a long wait."""
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"}), ("wait", {"ms": 60000, "timeout": 90000}),
                      ("evaluate", {"expression": "1"})])
    process = ctx.start(["run", batch, "--temp-profile", "--screenshots", "none", *ctx.browser_args(), *more])
    ctx.match(process.line(30), {"id": 1, "success": True}, "start")
    return process


def stop(ctx, kind=None):
    """Sends SIGSTOP. Returns the processes, for SIGCONT."""
    pids = until(lambda: chrome(ctx, kind), f"a {kind or 'browser'} process")
    send(pids, signal.SIGSTOP)
    return pids


def real_chrome(ctx):
    path = ctx.options.chrome or ctx.environment.get("BROWSER_RUNNER_CHROME")
    return path or shutil.which("chromium") or shutil.which("google-chrome")


def fake_chrome(ctx, script, name="chrome-script"):
    """Creates a shell script that replaces Chrome."""
    path = ctx.work / name
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return path


# A script that never ends, and costs nothing meanwhile: the page waits for an answer of the server.
BLOCKS = "((ask) => { ask.open('GET', '/hang', false); ask.send(); })(new XMLHttpRequest())"


# Sessions.

class Talk:
    """A session over an open stream: sends one action at a time, and checks that each is answered in time."""

    def __init__(self, ctx, *args, profile=None, timeout=20000, screenshots="none"):
        self.ctx, self.timeout, self.count = ctx, round(timeout * SLOWNESS), 0
        place = [*profile, *ctx.browser_args()] if profile else ctx.usual_args()
        self.process = ctx.start(["run", "-", *place, "--screenshots", screenshots, "--timeout", self.timeout, *args])
        self.process.send("<batch>\n")

    def send(self, kind, **parameters):
        if kind not in ("start", "diagnose", "stop"):
            parameters = {"timeout": self.timeout, **parameters}  # otherwise that of `start` would apply
        self.limit = (parameters.get("timeout", self.timeout) + GRACE_MS) / 1000
        self.process.send(instruction(kind, parameters) + "\n")
        self.sent = time.monotonic()

    def answer(self, pattern=None, what=""):
        """Returns the answer to the last action; checks it against `pattern`."""
        response = self.process.line(self.limit + 20)
        took = time.monotonic() - self.sent
        self.count += 1
        what = f"response {self.count} ({response.get('type')}{', ' if what else ''}{what})"
        # Some time for reading and writing lines on a busy machine.
        self.ctx.expect(took <= self.limit + SLOWNESS,
                        f"{what}: came after {took:.2f} s, allowed are {self.limit:.1f}")
        if pattern is not None:
            before = len(self.ctx.problems)
            self.ctx.match(response, expand(pattern), what)
            if len(self.ctx.problems) > before:
                self.ctx.problem(f"{what} was: {brief(response)}")
        return response

    def do(self, pattern, kind, what="", **parameters):
        """Runs an action and checks the answer against the pattern."""
        self.send(kind, **parameters)
        return self.answer(pattern, what)

    def start(self, url, **parameters):
        """With the time that Chrome needs on a busy machine."""
        return self.do("ok", "start", url=url, **{"timeout": max(self.timeout, 30000), **NO_LIMITS, **parameters})

    def end(self):
        """Ends the session; no process of Chrome may be left. Returns the run."""
        self.process.send("</batch>\n")
        self.process.close_stdin()
        run = self.process.wait()
        left = processes.wait_until_gone(lambda: chrome(self.ctx), 5)
        self.ctx.expect(not left, f"Chrome is left after the end: {left}")
        return run


def brief(response):
    """Returns an answer without its long parts."""
    short = {key: value for key, value in response.items()
             if key not in ("kind", "networkEvents", "screenshots", "captures", "metrics", "logs")}
    logs = [f"{log.get('category')}: {log['message'][:120]}" for log in response.get("logs", [])]
    return f"{short} logs {logs}"


# Pictures of boards.

def shade_of(content):
    """Returns the grey of the page's lower edge, and whether the edge has one colour."""
    last = Picture(content).thumbnail()[-3]
    return round(sum(last) / len(last)) if max(last) - min(last) < 8 else None


def expect_shade(ctx, content, shade, what):
    found = shade_of(content)
    ctx.expect(found is not None and abs(found - shade) <= 4 and not Picture(content).is_blank(),
               f"{what}: the picture shows a page of grey {found}, not the board of grey {shade}")


# What needs root.

CLONE_NEWNS = 0x20000


def private_mounts(ctx):
    """From here on, only the case sees what it mounts, and it disappears with the case."""
    if os.geteuid() != 0:
        raise Skip("needs root, to mount a small file system")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        raise Skip(f"no mounts of one's own here: {os.strerror(ctypes.get_errno())}")
    if subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True).returncode != 0:
        raise Skip("mounts cannot be made private here")


def mount_tmpfs(ctx, path, size, *options):
    """Mounts a tmpfs for the case, after private_mounts()."""
    path.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join([f"size={size}", *options]),
                           "br-e2e", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(f"no tmpfs can be mounted here: {done.stderr.strip()}")
    ctx.at_end.append(lambda: subprocess.run(["umount", "-l", path], capture_output=True))
    return path


def fill(path):
    """Uses up all free space, and returns the file that holds it."""
    name = path / "filled"
    with open(name, "wb", buffering=0) as file:
        for block in (1 << 20, 4096):
            try:
                while file.write(b"\0" * block):
                    pass
            except OSError:
                pass
    return name
