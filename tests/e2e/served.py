"""Runs servers; serve --actions, and its clients over WebSockets."""
import asyncio
import contextlib
import json
import signal
import urllib.error
import urllib.request

from harness import Skip
from processes import SLOWNESS

try:
    import websockets
except ImportError:
    websockets = None


class Server:
    """A running server with an HTTP port."""

    def __init__(self, ctx, process, http):
        self.ctx, self.process, self.http = ctx, process, http

    def get(self, path, **headers):
        """Returns status and text."""
        request = urllib.request.Request(self.http + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def memory(self):
        """Returns the server's resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


@contextlib.contextmanager
def serving(ctx, server, url, *options):
    """Runs serve; yields the process and its first line, which must name the server and match the url's pattern."""
    if not websockets:
        raise Skip("python3-websockets is not installed")
    process = ctx.start(["serve", *options])
    line = process.line(20)
    ctx.match(line, {"kind": "listening", "server": server, "url": {"$regex": url}}, "listening")
    try:
        yield process, line
    finally:
        # A second signal would end it at once.
        if not getattr(process, "was_told_to_end", False):
            process.signal(signal.SIGTERM)
        code = process.popen.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"serve ended with {code}: {process.stderr.decode()[-600:]}")


class Served(Server):
    def __init__(self, ctx, process, url):
        super().__init__(ctx, process, url.replace("ws://", "http://").replace("/actions", ""))
        self.url = url

    def connect(self, query="", **more):
        return websockets.connect(self.url + query, max_size=None, **more)


@contextlib.contextmanager
def served(ctx, *options):
    with serving(ctx, "actions", "^ws://.*/actions$", "--actions=0", "--temp-profile", *ctx.browser_args(),
                 *options) as (process, line):
        yield Served(ctx, process, line["url"])


async def hear(socket, kind="response", seconds=30):
    """Returns the next line of this kind; skips others."""
    while True:
        line = json.loads(await asyncio.wait_for(socket.recv(), seconds * SLOWNESS))
        if line["kind"] == kind:
            return line


async def ask(socket, **action):
    await socket.send(json.dumps(action))
    return await hear(socket)
