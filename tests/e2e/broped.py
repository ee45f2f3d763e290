"""serve --brop, and clients of it over WebSockets."""
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


class Failed(Exception):
    """A command whose reply is success: false."""

    def __init__(self, reply):
        super().__init__(reply["error"])
        self.reply = reply


class Client:
    """As the clients of the protocol are written: ids of its own, results by them, many in flight."""

    def __init__(self, socket):
        self.socket, self.waiting, self.last = socket, {}, 0
        self.reader = asyncio.ensure_future(self.read())

    async def read(self):
        async for text in self.socket:
            reply = json.loads(text)
            future = self.waiting.pop(json.dumps(reply.get("id")), None)
            if future and not future.done():
                future.set_result(reply)
        for future in self.waiting.values():
            future.cancel()

    async def raw(self, method, params=None, seconds=60, **more):
        """The whole reply."""
        self.last += 1
        message = {"id": f"msg_{self.last}", "method": method, **({} if params is None else {"params": params}), **more}
        future = asyncio.get_running_loop().create_future()
        self.waiting[json.dumps(message["id"])] = future
        await self.socket.send(json.dumps(message))
        return await asyncio.wait_for(future, seconds * SLOWNESS)

    async def ask(self, method, seconds=60, **params):
        """The result; Failed for an error."""
        reply = await self.raw(method, params, seconds)
        if not reply["success"]:
            raise Failed(reply)
        return reply["result"]

    async def error(self, method, **params):
        """The text of the error that has to come."""
        reply = await self.raw(method, params)
        return reply.get("error", f"no error: {json.dumps(reply)[:300]}")


class Brop:
    def __init__(self, ctx, process, url, extension_url=None):
        self.ctx, self.process, self.url, self.extension_url = ctx, process, url, extension_url
        self.http = url.replace("ws://", "http://")

    @contextlib.asynccontextmanager
    async def client(self, query="?name=test", **more):
        async with websockets.connect(self.url + query, max_size=None, **more) as socket:
            client = Client(socket)
            try:
                yield client
            finally:
                client.reader.cancel()

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
def broped(ctx, *options):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    process = ctx.start(["serve", "--brop=0", "--temp-profile", *ctx.browser_args(), *options])
    line = process.line(20)
    ctx.match(line, {"kind": "listening", "server": "brop", "url": {"$regex": r"^ws://127\.0\.0\.1:\d+$"}}, "listening")
    extension = next((process.line(20)["url"] for option in options if option.startswith("--brop-extension")), None)
    try:
        yield Brop(ctx, process, line["url"], extension)
    finally:
        process.signal(signal.SIGTERM)
        code = process.popen.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"serve ended with {code}: {process.stderr.decode()[-600:]}")
