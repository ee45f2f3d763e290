"""serve --brop, and its clients over WebSockets."""
import asyncio
import contextlib
import json

from processes import SLOWNESS
from served import Server, serving, websockets


class Failed(Exception):
    """A command failed: its reply has success: false."""

    def __init__(self, reply):
        super().__init__(reply["error"])
        self.reply = reply


class Client:
    """A client of the protocol: generates ids, finds replies by them, and may have many commands in flight."""

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
        """Returns the whole reply."""
        self.last += 1
        message = {"id": f"msg_{self.last}", "method": method, **({} if params is None else {"params": params}), **more}
        future = asyncio.get_running_loop().create_future()
        self.waiting[json.dumps(message["id"])] = future
        await self.socket.send(json.dumps(message))
        return await asyncio.wait_for(future, seconds * SLOWNESS)

    async def ask(self, method, seconds=60, **params):
        """Returns the result; raises Failed for an error."""
        reply = await self.raw(method, params, seconds)
        if not reply["success"]:
            raise Failed(reply)
        return reply["result"]

    async def error(self, method, **params):
        """Returns the text of the expected error."""
        reply = await self.raw(method, params)
        return reply.get("error", f"no error: {json.dumps(reply)[:300]}")


class Brop(Server):
    def __init__(self, ctx, process, url, extension_url=None):
        super().__init__(ctx, process, url.replace("ws://", "http://"))
        self.url, self.extension_url = url, extension_url

    @contextlib.asynccontextmanager
    async def client(self, query="?name=test", **more):
        async with websockets.connect(self.url + query, max_size=None, **more) as socket:
            client = Client(socket)
            try:
                yield client
            finally:
                client.reader.cancel()


@contextlib.contextmanager
def broped(ctx, *options):
    with serving(ctx, "brop", r"^ws://127\.0\.0\.1:\d+$", "--brop=0", "--temp-profile", *ctx.browser_args(),
                 *options) as (process, line):
        extension = next((process.line(20)["url"] for option in options if option.startswith("--brop-extension")), None)
        yield Brop(ctx, process, line["url"], extension)
