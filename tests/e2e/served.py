"""serve --actions, and clients of it over WebSockets."""
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


class Served:
    def __init__(self, ctx, process, url):
        self.ctx, self.process, self.url = ctx, process, url
        self.http = url.replace("ws://", "http://").replace("/actions", "")

    def connect(self, query="", **more):
        return websockets.connect(self.url + query, max_size=None, **more)

    def get(self, path, **headers):
        """Status and text."""
        request = urllib.request.Request(self.http + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def memory(self):
        """Bytes that the server has in memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


@contextlib.contextmanager
def served(ctx, *options):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    process = ctx.start(["serve", "--actions=0", "--temp-profile", *ctx.browser_args(), *options])
    line = process.line(20)
    ctx.match(line, {"kind": "listening", "server": "actions", "url": {"$regex": "^ws://.*/actions$"}}, "listening")
    try:
        yield Served(ctx, process, line["url"])
    finally:
        # A second signal would end it at once.
        if not getattr(process, "was_told_to_end", False):
            process.signal(signal.SIGTERM)
        code = process.popen.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"serve ended with {code}: {process.stderr.decode()[-600:]}")


async def hear(socket, kind="response", seconds=30):
    """The next line of this kind; others are passed over."""
    while True:
        line = json.loads(await asyncio.wait_for(socket.recv(), seconds * SLOWNESS))
        if line["kind"] == kind:
            return line


async def ask(socket, **action):
    await socket.send(json.dumps(action))
    return await hear(socket)
