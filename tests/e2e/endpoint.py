"""serve --cdp, and clients of the DevTools protocol of it: raw ones over WebSockets, and those of npm, in Node."""
import asyncio
import contextlib
import itertools
import json
import shutil
import signal
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.request

from foreign import read_port
from harness import ROOT, Skip
from processes import SLOWNESS

try:
    import websockets
except ImportError:
    websockets = None

WIDGETS = ROOT / "tests" / "widgets" / "node_modules"


def fetch(url, method="GET", **headers):
    """Status, type and text."""
    request = urllib.request.Request(url, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=40 * SLOWNESS) as answer:
            return answer.status, answer.headers.get("Content-Type"), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("Content-Type"), error.read().decode()


class Endpoint:
    def __init__(self, ctx, process, urls):
        self.ctx, self.process, self.urls, self.url = ctx, process, urls, urls["cdp"]
        self.websocket = self.url.replace("http:", "ws:")

    def fetch(self, path, method="GET", **headers):
        return fetch(self.url + path, method, **headers)

    def ask(self, path, method="GET"):
        status, _, text = self.fetch(path, method)
        self.ctx.expect(status == 200, f"{path}: {status} {text[:300]}")
        return json.loads(text)

    def memory(self, what="VmRSS"):
        """Bytes that the server has in memory; VmHWM: the most that it had."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith(what))

    @contextlib.asynccontextmanager
    async def client(self, path="/devtools/browser/x"):
        async with websockets.connect(self.websocket + path, max_size=None, ping_interval=None) as socket:
            client = Client(socket)
            try:
                yield client
            finally:
                client.reader.cancel()


async def connect(url):
    """Returns a client that the case closes itself."""
    return Client(await websockets.connect(url, max_size=None, ping_interval=None))


class Client:
    """Sends commands and keeps all that comes."""

    def __init__(self, socket):
        self.socket = socket
        self.ids = itertools.count(1)
        self.heard, self.news, self.closed = [], asyncio.Condition(), None
        self.reader = asyncio.ensure_future(self.read())

    async def read(self):
        try:
            while True:
                text = await self.socket.recv()
                async with self.news:
                    self.heard.append(json.loads(text))
                    self.news.notify_all()
        except websockets.exceptions.ConnectionClosed as end:
            async with self.news:
                self.closed = (end.code, end.reason)
                self.news.notify_all()

    async def hear(self, is_it, what, seconds=30):
        """The first message of which is_it says so."""
        def find():
            return next((message for message in self.heard if is_it(message)), None)

        async def wait():
            async with self.news:
                while not find() and not self.closed:
                    await self.news.wait()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(wait(), seconds * SLOWNESS)
        message = find()
        if not message:
            raise AssertionError(f"no {what}; closed: {self.closed}; heard: {str(self.heard[-5:])[:600]}")
        return message

    async def event(self, method, seconds=30, **params):
        return await self.hear(lambda message: message.get("method") == method and
                               all(message["params"].get(key) == value for key, value in params.items()), method, seconds)

    async def send(self, method, session=None, **params):
        number = next(self.ids)
        await self.socket.send(json.dumps({"id": number, "method": method, "params": params,
                                           **({"sessionId": session} if session else {})}))
        return number

    async def ask(self, method, session=None, **params):
        """The whole reply."""
        number = await self.send(method, session, **params)
        return await self.hear(lambda message: message.get("id") == number, f"reply to {method}")

    async def call(self, method, session=None, **params):
        reply = await self.ask(method, session, **params)
        if "error" in reply:
            raise AssertionError(f"{method}: {reply['error']}")
        return reply["result"]

    async def attach(self, target):
        return (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]

    async def pages(self):
        infos = (await self.call("Target.getTargets"))["targetInfos"]
        return [info for info in infos if info["type"] == "page"]

    async def evaluate(self, session, expression):
        result = await self.call("Runtime.evaluate", session, expression=expression, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")

    async def arrive(self, session, path, seconds=30):
        """Waits until a tab has its document: Chrome names a new tab before it has left about:blank."""
        end = time.monotonic() + seconds * SLOWNESS
        while True:
            reply = await self.ask("Runtime.evaluate", session, expression="location.pathname")
            if reply.get("result", {}).get("result", {}).get("value") == path:
                return
            if time.monotonic() > end:
                raise AssertionError(f"{path} was not reached: {reply}")
            await asyncio.sleep(0.05)

    async def end(self, seconds=30):
        """Code and reason of the close."""
        async def wait():
            async with self.news:
                while not self.closed:
                    await self.news.wait()
        await asyncio.wait_for(wait(), seconds * SLOWNESS)
        return self.closed


class Raw:
    """A WebSocket whose frames a case makes itself."""

    def __init__(self, url):
        host, _, path = url.removeprefix("ws://").partition("/")
        self.bytes = b""
        self.socket = socket.create_connection(host.split(":"), 20 * SLOWNESS)
        self.socket.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.bytes:
            self.receive()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        assert head.split()[1] == b"101", head

    @staticmethod
    def frame(payload, opcode=1, final=True, reserved=0):
        payload = payload.encode() if isinstance(payload, str) else payload
        length = len(payload)
        size = bytes([128 | length]) if length < 126 else \
            b"\xfe" + struct.pack(">H", length) if length < 65536 else b"\xff" + struct.pack(">Q", length)
        return bytes([(128 if final else 0) | reserved << 4 | opcode]) + size + b"\0\0\0\0" + payload

    def send(self, payload, **more):
        self.socket.sendall(self.frame(payload, **more))

    def receive(self):
        more = self.socket.recv(1 << 20)
        if not more:
            raise ConnectionError("the end")
        self.bytes += more

    def take(self, count):
        while len(self.bytes) < count:
            self.receive()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def read_frame(self):
        """Whether it is final, its opcode and its payload."""
        first, length = self.take(2)
        if length > 125:
            length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
        return first & 128 != 0, first & 15, self.take(length)

    def read(self):
        """Opcode and payload of a message or a control frame."""
        kind, payload = 0, b""
        while True:
            is_final, opcode, part = self.read_frame()
            if opcode > 7:
                return opcode, part
            kind, payload = kind or opcode, payload + part
            if is_final:
                return kind, payload

    def reply(self):
        """The next message, or what has come instead of it: (code, reason), or None for an end without them."""
        try:
            while True:
                opcode, payload = self.read()
                if opcode == 8:
                    return int.from_bytes(payload[:2], "big"), payload[2:].decode()
                if opcode == 1:
                    return json.loads(payload)
        except ConnectionError:
            return None

    def close(self):
        self.socket.close()


@contextlib.contextmanager
def endpoint(ctx, *options, profile=("--temp-profile",)):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    process = ctx.start(["serve", "--cdp=0", *profile, *ctx.browser_args(), *options])
    urls = {}
    while "cdp" not in urls:
        line = process.line(20)
        ctx.match(line, {"kind": "listening", "server": {"$regex": "."}, "url": {"$regex": "^(http|ws)://"}}, "listening")
        urls[line["server"]] = line["url"]
    try:
        yield Endpoint(ctx, process, urls)
    finally:
        process.signal(signal.SIGTERM)
        code = process.popen.wait(30 * SLOWNESS)
        ctx.expect(code == 0, f"serve ended with {code}: {process.stderr.decode()[-600:]}")


class Observer:
    """All of a browser, at a port of its own beside the pipe by which it is driven."""

    def __init__(self, port, path):
        self.url = f"ws://127.0.0.1:{port}{path}"

    async def ask(self, method, **params):
        async with websockets.connect(self.url, max_size=None, ping_interval=None) as socket:
            client = Client(socket)
            try:
                return await client.call(method, **params)
            finally:
                client.reader.cancel()

    async def pages(self):
        """The URL of each, by its id."""
        infos = (await self.ask("Target.getTargets"))["targetInfos"]
        return {info["targetId"]: info["url"] for info in infos if info["type"] == "page"}

    async def until(self, is_it, seconds=20):
        """The pages, once is_it says so of them, or as they are at last."""
        end = time.monotonic() + seconds * SLOWNESS
        pages = await self.pages()
        while not is_it(pages) and time.monotonic() < end:
            await asyncio.sleep(0.1)
            pages = await self.pages()
        return pages


@contextlib.contextmanager
def observed(ctx, *options):
    """An endpoint, and an observer of its browser, which is there already."""
    chrome = ctx.work / "chrome-with-a-port"
    chrome.write_text(f"#!/bin/sh\nexec '{ctx.options.chrome or '/usr/bin/chromium'}' \"$@\" --remote-debugging-port=0\n")
    chrome.chmod(0o755)
    ctx.options.chrome = str(chrome)
    profile = ctx.base / "observed"
    with endpoint(ctx, *options, profile=("--profile", str(profile))) as served:
        served.ask("/json/version")
        yield served, Observer(*read_port(profile / "DevToolsActivePort"))


def node_program(newest=False):
    """The Node of PATH, or the newer one of the packages, which some clients want."""
    found = sorted(WIDGETS.glob("node-linux-*/bin/node")) if newest else [shutil.which("node")]
    if not found or not found[0]:
        raise Skip("Node 22 is not installed: npm ci --prefix tests/widgets --ignore-scripts" if newest else "Node is not installed")
    return found[0]


def node(ctx, script, *args, seconds=120, program=None):
    """Runs a script that prints an object of what it found."""
    program = program or node_program()
    run = subprocess.run([program, script, WIDGETS, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         timeout=seconds * SLOWNESS, cwd=ctx.work)
    ctx.expect(run.returncode == 0, f"{script.name}: {run.returncode} {run.stderr[-1500:]}")
    return json.loads(run.stdout or "{}")
