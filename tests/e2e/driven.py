"""serve --debug-bridge with a page that is driven as an app, and agents by python3-websockets."""
import asyncio
import contextlib
import json
import time

from bridged import bridged, websockets
from harness import Failure
from processes import SLOWNESS


class Driven:
    def __init__(self, bridge, app_id):
        self.url, self.process, self.app_id = bridge.url, bridge.process, app_id

    @contextlib.asynccontextmanager
    async def agent(self, session="dev"):
        # The library's default limit: unrequested messages must fit into it.
        async with websockets.connect(f"{self.url}?role=agent&sessionId={session}", max_size=1 << 20) as socket:
            agent = Agent(socket)
            reader = asyncio.create_task(agent.read())
            try:
                yield agent
            finally:
                reader.cancel()


class Agent:
    def __init__(self, socket):
        self.socket, self.messages, self.asked = socket, [], 0

    async def read(self):
        with contextlib.suppress(websockets.exceptions.ConnectionClosed):
            async for text in self.socket:
                self.messages.append(json.loads(text))

    def of(self, kind, since=0):
        return [message for message in self.messages[since:] if message["type"] == kind]

    async def hear(self, kind, holds=lambda message: True, since=0, seconds=10):
        """Returns the first message of this type since then for which `holds` is true."""
        seconds *= SLOWNESS
        deadline = time.monotonic() + seconds
        while True:
            found = [message for message in self.of(kind, since) if holds(message)]
            if found:
                return found[0]
            if time.monotonic() > deadline:
                raise Failure(f"no such {kind} within {seconds} s; the last ones: {self.of(kind)[-3:]}")
            await asyncio.sleep(0.01)

    async def ask(self, kind, seconds=30, **members):
        """Returns the result of a command, which has no more members than the specification requires."""
        self.asked += 1
        request_id = f"r{self.asked}"
        since = len(self.messages)
        await self.socket.send(json.dumps({"type": kind, "requestId": request_id, **members}))
        return await self.hear("command_result", lambda message: message["requestId"] == request_id, since, seconds)


@contextlib.contextmanager
def driven(ctx, *options):
    """Takes the options that name the page, or the tab, and its browser."""
    with bridged(ctx, "--agent-rate", "0", "--bridge-session", "dev", *options) as bridge:
        app = bridge.process.line(30)
        ctx.match(app, {"kind": "app", "sessionId": "dev"}, "the line about the app")
        yield Driven(bridge, app["appId"])


def driven_page(ctx, page, *options):
    return driven(ctx, "--temp-profile", "--page", page, *ctx.browser_args(), *options)
