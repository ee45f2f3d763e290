"""console and serve --console-bridge, and their extensions over WebSockets."""
import asyncio
import contextlib
import datetime
import json
import re
import signal
import subprocess

from harness import Skip
from processes import SLOWNESS, TIMEOUT

try:
    import websockets
except ImportError:
    websockets = None


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def envelope(kind, payload, tab=1, **more):
    return {"version": "1.0.0", "type": kind, "timestamp": now(),
            "source": {"tabId": tab, "url": "http://localhost:3000/app", "title": "Test App"}, "payload": payload, **more}


def called(method, *args, tab=1, **more):
    """Returns a console_event as text; strings and numbers among the arguments get their types."""
    typed = [{"type": "string", "value": arg} if isinstance(arg, str) else
             {"type": "number", "value": arg} if isinstance(arg, (int, float)) else arg for arg in args]
    return json.dumps(envelope("console_event", {"method": method, "args": typed, **more}, tab))


class Console:
    def __init__(self, ctx, process, url):
        self.ctx, self.process, self.url = ctx, process, url

    def connect(self, **more):
        return websockets.connect(self.url, max_size=None, **more)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


def requires():
    if not websockets:
        raise Skip("python3-websockets is not installed")


@contextlib.contextmanager
def consoled(ctx, *args):
    """Runs the program with lines of JSON on stdout; the first line has its address."""
    requires()
    process = ctx.start(args or ["console", "--json", "--port", "0"])
    line = process.line(20)
    ctx.match(line, {"kind": "listening", "server": "console-bridge", "url": {"$regex": r"^ws://127\.0\.0\.1:\d+$"}}, "listening")
    try:
        yield Console(ctx, process, line["url"])
    finally:
        process.signal(signal.SIGTERM)
        code = process.popen.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"{args} ended with {code}: {process.stderr.decode()[-600:]}")


@contextlib.contextmanager
def console(ctx, *args):
    """Runs `console` with lines of JSON for driven pages."""
    process = ctx.start(["console", "--json", *TIMEOUT, *args])
    try:
        yield process
    finally:
        process.signal(signal.SIGTERM)
        code = process.popen.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"console {args} ended with {code}: {process.stderr.decode()[-600:]}")


@contextlib.contextmanager
def printing(ctx, *args, stdout=subprocess.DEVNULL, environment=None):
    """Runs `console` with its output somewhere other than the harness's pipe. Yields the process and its address."""
    process = subprocess.Popen([ctx.options.binary, "console", "--port", "0", *args], stdin=subprocess.DEVNULL, stdout=stdout,
                               stderr=subprocess.PIPE, cwd=ctx.work, env={**ctx.environment, **(environment or {})})
    ctx.known.add(process.pid)
    try:
        words = process.stderr.readline().decode()
        yield process, re.search(r"ws://\S+", words).group()
        process.send_signal(signal.SIGTERM)
        code = process.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"console {args} ended with {code}: {process.stderr.read()}")
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def check_end(ctx, process, exit, text):
    """Checks how a console has ended, and what it said."""
    code = process.popen.wait(20 * SLOWNESS)
    for reader in process.readers:
        reader.join(5)
    said = process.stderr.decode()
    ctx.expect(code == exit and text in said, f"it ended with {code}, not {exit} and \"{text}\": {said}")


async def hear(peer, seconds=10):
    return json.loads(await asyncio.wait_for(peer.recv(), seconds * SLOWNESS))
