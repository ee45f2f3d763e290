"""debug-bridge: relays, agents of a session, and tabs of an independent browser, with their actual state."""
import asyncio
import contextlib
import itertools
import json
import subprocess
import time
import urllib.request

from bridged import bridged
from harness import ROOT, Failure, Skip
from processes import SLOWNESS

try:
    import websockets
except ImportError:
    websockets = None

NODES = sorted((ROOT / "tests" / "widgets" / "node_modules").glob("node-linux-*/bin/node"))


def requires(ctx):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    ctx.requires_widgets("ws", "terser", "debug-bridge-browser")
    if not NODES:
        raise Skip("Node 22 is not installed: npm ci --prefix tests/widgets --ignore-scripts")


@contextlib.contextmanager
def our_relay(ctx, *options, port=0):
    """Yields the URL of its WebSocket."""
    with bridged(ctx, *options, port=port) as bridge:
        yield bridge.url


@contextlib.contextmanager
def reference_relay(ctx, port=0, token=None):
    process = subprocess.Popen(
        [NODES[0], ROOT / "tests" / "bench" / "reference_relay.mjs", f"--port={port}",
         *([f"--token={token}"] if token else [])], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=ctx.work)
    ctx.known.add(process.pid)
    try:
        yield f"ws://127.0.0.1:{json.loads(process.stdout.readline())['port']}/debug"
    finally:
        process.kill()
        process.wait(10 * SLOWNESS)


def fetch(url):
    """Returns headers and bytes."""
    with urllib.request.urlopen(url, timeout=10 * SLOWNESS) as answer:
        return answer.headers, answer.read()


class Agent:
    """Receives all messages, and sends one command after the other."""

    numbers = itertools.count(1)

    def __init__(self, socket, session):
        self.socket, self.session = socket, session
        self.heard, self.news = [], asyncio.Condition()
        self.reader = asyncio.ensure_future(self.read())

    async def read(self):
        with contextlib.suppress(websockets.exceptions.ConnectionClosed):
            async for text in self.socket:
                async with self.news:
                    self.heard.append(json.loads(text))
                    self.news.notify_all()

    async def until(self, holds, what, seconds=15, since=0):
        """Returns the first message received since then for which `holds` is true."""
        seconds *= SLOWNESS
        end = time.monotonic() + seconds
        async with self.news:
            while True:
                for message in self.heard[since:]:
                    if holds(message):
                        return message
                try:
                    await asyncio.wait_for(self.news.wait(), max(0.01, end - time.monotonic()))
                except asyncio.TimeoutError:
                    raise Failure(f"{what}: not heard in {seconds} s, but "
                                  f"{[m['type'] for m in self.heard[since:]]}") from None

    async def hear(self, kind, seconds=15, since=0, **members):
        return await self.until(lambda m: m["type"] == kind and all(m.get(k) == v for k, v in members.items()),
                                f"{kind} {members}", seconds, since)

    async def send(self, kind, **members):
        await self.socket.send(json.dumps({"type": kind, **members}))

    async def ask(self, kind, seconds=20, **members):
        """Returns the command_result."""
        request = f"r{next(self.numbers)}"
        await self.send(kind, requestId=request, **members)
        return await self.hear("command_result", seconds, requestId=request)

    async def ask_for(self, kind, told, **members):
        """Returns the message before the command_result, and the command_result."""
        since = len(self.heard)
        result = await self.ask(kind, **members)
        before = [m for m in self.heard[since:] if m["type"] == told and m.get("requestId") == result["requestId"]]
        if not before or self.heard.index(before[0]) > self.heard.index(result):
            raise Failure(f"{kind}: no {told} before {result}")
        return before[0], result


@contextlib.asynccontextmanager
async def agent_of(url, session, **parameters):
    query = "".join(f"&{name}={value}" for name, value in parameters.items())
    async with websockets.connect(f"{url}?role=agent&sessionId={session}{query}", max_size=None, ping_interval=None) as socket:
        agent = Agent(socket, session)
        try:
            yield agent
        finally:
            agent.reader.cancel()


class Tab:
    """A tab of the browser of foreign.py, controlled by the DevTools protocol."""

    def __init__(self, socket, identity):
        self.socket, self.identity, self.numbers = socket, identity, itertools.count(1)

    async def call(self, method, **params):
        number = next(self.numbers)
        await self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            reply = json.loads(await asyncio.wait_for(self.socket.recv(), 20 * SLOWNESS))
            if reply.get("id") == number:
                return reply.get("result", {})

    async def evaluate(self, expression):
        reply = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise Failure(f"{expression}: {reply['exceptionDetails']}")
        return reply["result"].get("value")


@contextlib.asynccontextmanager
async def tab_of(browser, url):
    identity = browser.open("about:blank")
    async with websockets.connect(f"ws://{browser.http.split('//')[1]}/devtools/page/{identity}",
                                  max_size=None, ping_interval=None) as socket:
        tab = Tab(socket, identity)
        await tab.call("Page.navigate", url=url)
        yield tab
    with contextlib.suppress(OSError):
        urllib.request.urlopen(f"{browser.http}/json/close/{identity}", timeout=10).close()
