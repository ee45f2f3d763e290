"""Console calls of driven pages are sent to a console-bridge server: to ours, and to one written here from the document."""
import asyncio
import contextlib
import datetime
import json
import signal
import threading
import time

import harness
from consoled import consoled
from warm import warm_sessions

BROWSER = "any"


try:
    import websockets
except ImportError:
    websockets = None

METHODS = set("log info warn error debug trace table group groupCollapsed groupEnd clear count countReset time timeEnd "
              "timeLog assert dir dirxml".split())


class Server:
    """The server side, as the document specifies it."""

    def __init__(self, port=0, refuses=False):
        self.messages, self.faults, self.connections, self.refuses = [], [], 0, refuses
        self.port, self.ready = port, threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True)

    def __enter__(self):
        self.thread.start()
        self.ready.wait(10)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.end.set)
        self.thread.join(10)

    async def serve(self):
        self.loop, self.end = asyncio.get_running_loop(), asyncio.Event()
        async with websockets.serve(self.talk, "127.0.0.1", self.port, max_size=None) as server:
            self.port = server.sockets[0].getsockname()[1]
            self.ready.set()
            await self.end.wait()

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}"

    async def talk(self, socket):
        self.connections += 1
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in socket:
                message = json.loads(text)
                self.check(message, len(text))
                self.messages.append(message)
                message["arrivedAt"] = time.time()
                await self.answer(socket, message)

    async def answer(self, socket, message):
        reply = {"version": "1.0.0", "timestamp": "2025-10-07T12:34:56.790Z"}
        if message["type"] == "connection_status" and message["payload"]["status"] == "connected":
            if self.refuses:
                reply |= {"type": "error", "payload": {"code": "UNSUPPORTED_VERSION", "message": "too new",
                                                       "details": {"supportedVersions": ["0.9.0"]}}}
            else:
                reply |= {"type": "connection_status",
                          "payload": {"status": "connected", "clientInfo": {"cliVersion": "2.0.0", "platform": "linux"}}}
            await socket.send(json.dumps(reply))
            await socket.send(json.dumps({**reply, "type": "ping", "payload": {"id": "ping-1234567890"}}))

    def check(self, message, size):
        """Checks the document's requirements on every message."""
        def demand(holds, what):
            if not holds:
                self.faults.append(f"{what}: {str(message)[:300]}")
        demand(isinstance(message, dict) and message.get("version") == "1.0.0", "version")
        demand(message.get("type") in ("console_event", "connection_status", "error", "ping", "pong"), "type")
        with contextlib.suppress(ValueError):
            demand(datetime.datetime.fromisoformat(message["timestamp"].replace("Z", "+00:00")).tzinfo, "timestamp")
        payload = message.get("payload")
        demand(isinstance(payload, dict), "payload")
        if message["type"] != "console_event":
            return
        source = message.get("source", {})
        demand(isinstance(source.get("tabId"), int) and isinstance(source.get("url"), str), "source")
        demand(payload.get("method") in METHODS, "method")
        demand(isinstance(payload.get("args"), list), "args")
        for arg in payload["args"]:
            demand(depth(arg) <= 11, "depth")
            demand(all(len(text.encode()) <= 10 * 1024 + 64 for text in texts(arg)), "long texts")
            demand(isinstance(arg.get("type"), str), "an argument without a type")
        demand(size < 200000, "a message that is too large")

    def wait(self, holds, seconds=30):
        """Returns the first message for which `holds` is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for message in list(self.messages):
                if holds(message):
                    return message
            time.sleep(0.02)
        raise harness.Failure(f"no such message within {seconds} s; there are {str(self.messages)[-600:]}")

    def calls(self):
        return [message["payload"] for message in self.messages if message["type"] == "console_event"]


def depth(value):
    inner = value.get("value") if isinstance(value, dict) else value
    items = inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else []
    return 1 + max((depth(item) for item in items), default=0) if isinstance(inner, (dict, list)) else 0


def texts(value):
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(item)


def run(ctx):
    if not websockets:
        raise harness.Skip("python3-websockets is not installed")
    to_another_server(ctx)
    to_our_own(ctx)
    comes_back(ctx)
    nobody_listens(ctx)
    refused(ctx)
    of_servers(ctx)
    usage(ctx)


def batch(ctx, *steps):
    return [("start", {"url": ctx.origin + "/case/calls.html"}), *steps]


def to_another_server(ctx):
    with Server() as server:
        run = ctx.run_batch(batch(ctx, ("wait", {"ms": "500"})), "--screenshots", "none", "--console-bridge", server.url)
        ctx.expect(run.exit == 0, f"exit {run.exit}: {run.stderr}")
        server.wait(lambda message: message["payload"].get("status") == "disconnected")  # the last one
        calls = server.calls()
        ctx.expect(not server.faults, "\n".join(server.faults))
        titles(ctx, server)
    ctx.match(server.messages[0], {"type": "connection_status",
                                   "payload": {"status": "connected", "clientInfo": {"extensionVersion": {"$regex": r"^\d"},
                                                                                     "browser": {"$regex": "Chrom"},
                                                                                     "browserVersion": {"$regex": r"^\d+\."}}}}, "hello")
    ctx.expect(server.messages[-1]["payload"].get("status") == "disconnected", f"the last: {server.messages[-1]}")
    ctx.expect(any(message["type"] == "pong" and message["payload"] == {"id": "ping-1234567890"} for message in server.messages),
               "a ping is answered")
    ctx.match(calls[0], {"method": "log", "location": {"url": {"$regex": "calls.html$"}, "line": 4, "column": 9}, "args": [
        {"type": "string", "value": "User data:"},
        {"type": "object", "value": {"id": {"type": "number", "value": 42}, "name": {"type": "string", "value": "Alice"}}}]}, "nested")
    ctx.match(calls[1], {"method": "error", "args": [{"type": "error", "value": "TypeError: bad",
                                                      "stack": {"$regex": r"^TypeError: bad\n    at .*calls.html:5"}}]}, "an error")
    kinds = [(arg["type"], arg.get("value")) for arg in calls[2]["args"]]
    ctx.expect(kinds == [("number", "-0"), ("number", "NaN"), ("bigint", "10n"), ("undefined", None), ("null", None),
                         ("boolean", True), ("function", "function named() {}"), ("symbol", "Symbol(s)"), ("regexp", "/a/g"),
                         ("date", "1970-01-01T00:00:00.000Z"), ("dom", None)], f"kinds: {kinds}")
    ctx.expect(calls[2]["args"][6]["name"] == "named" and calls[2]["args"][10]["tagName"] == "b", f"names: {calls[2]['args']}")
    ctx.expect(calls[3]["args"][0]["value"]["self"] == {"type": "circular"}, f"a circle: {calls[3]}")
    ctx.expect('"max-depth"' in json.dumps(calls[4]), f"depth: {str(calls[4])[:600]}")
    long = calls[5]["args"]
    ctx.expect(len(long[2]["value"]) <= 1000 and long[2]["leftOut"] >= 4000, f"an array: {str(long[2])[-200:]}")
    ctx.expect(len(long[3]["value"]["long"]["value"]) > 9000, "a text within is cut, not left out")
    methods = [call["method"] for call in calls[6:]]
    ctx.expect(methods == ["group", "groupEnd", "count", "time", "timeEnd", "assert", "warn"], f"methods: {methods}")
    ctx.match(calls[8], {"args": [{"type": "string", "value": "n"}]}, "the label of a counter")
    ctx.match(calls[11], {"args": [{"type": "boolean", "value": False}, {"type": "string", "value": "why"}]}, "an assertion")


def to_our_own(ctx):
    with consoled(ctx) as console:
        run = ctx.run_batch(batch(ctx), "--screenshots", "none", "--console-bridge", console.url)
        ctx.expect(run.exit == 0, f"exit {run.exit}: {run.stderr}")
        lines = []
        while not lines or lines[-1].get("status") != "gone":
            lines.append(console.process.line(20))
    told = [line["text"] for line in lines if line["kind"] == "console"]
    for text in ("User data: {id: 42, name: 'Alice'}", "{n: 1, self: [Circular]}", "n: 1", "formatted!", "Assertion failed: why"):
        ctx.expect(any(line.startswith(text) for line in told), f"{text} is not among {told}")
    ctx.expect(not any(line["kind"] in ("console_error", "console_invalid") for line in lines), f"faults: {lines}")


def says(text):
    return lambda message: message["type"] == "console_event" and text in json.dumps(message)


def comes_back(ctx):
    """The server starts late, stops, and starts again: calls made meanwhile arrive."""
    port = ctx.take_port()
    process = ctx.start(["run", "-", "--temp-profile", *ctx.browser_args(), "--screenshots", "none",
                         "--console-bridge", f"ws://127.0.0.1:{port}"])
    ctx.expect(process.ask("start", {"url": "about:blank"})["success"], "start")
    process.ask("evaluate", {"expression": "console.log('before'), 1"})
    with Server(port) as server:
        server.wait(says("before"))
    process.ask("evaluate", {"expression": "console.log('between'), 1"})
    with Server(port) as server:
        server.wait(says("between"))
        process.ask("evaluate", {"expression": "console.log('after'), 1"})
        server.wait(says("after"))
        process.close_stdin()
        run = process.wait(30)
    ctx.expect(run.exit == 0 and "trying again" in run.stderr and "connected again" in run.stderr, f"{run.exit}: {run.stderr}")


def nobody_listens(ctx):
    run = ctx.run_batch([("start", {"url": "about:blank"}),
                         ("evaluate", {"expression": "for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000), i); 1"})],
                        "--screenshots", "none", "--console-bridge", f"ws://127.0.0.1:{ctx.take_port()}")
    ctx.expect(run.exit == 0, f"nobody listens: exit {run.exit}: {run.stderr}")
    ctx.match(run.stderr, {"$regex": r"1000 console messages were not sent"}, "what was lost is counted")


def refused(ctx):
    with Server(refuses=True) as server:
        run = ctx.run_batch(batch(ctx, ("wait", {"ms": "500"})), "--screenshots", "none", "--console-bridge", server.url)
    ctx.expect(run.exit == 0, f"{run.exit}: {run.stderr}")
    ctx.match(run.stderr, {"$regex": r"does not take version 1\.0\.0 of the protocol, only 0\.9\.0: .*Start a server that does"}, "the refusal and its cure")
    ctx.match(run.stderr, {"$regex": r"\d+ console messages were not sent"}, "what was refused is counted")
    ctx.expect(not any(message["type"] == "error" for message in server.messages), f"the loss is the server's: {server.messages}")


def of_servers(ctx):
    """Sessions of serve, and warm ones."""
    with Server() as server, warm_sessions(ctx) as warm:
        warm.start("one", "/case/calls.html", "--temp-profile", "--console-bridge", server.url)
        server.wait(says("formatted"))
        again = warm.call("session", "start", "one", "about:blank", "--console-bridge", server.url)
        ctx.expect(again.exit == 2, f"a session that is there: {again.text}")
        warm.fine("evaluate", "console.log('from a warm session'), 1", session="one")
        server.wait(says("from a warm session"))
        warm.fine("navigate", ctx.origin + "/case/calls.html", session="one")
        warm.fine("evaluate", "open('window.html'), 1", session="one")
        server.wait(says("from a window"))
        titles(ctx, server)
        warm.call("session", "stop", "--all")
    with Server() as server:
        process = ctx.start(["serve", "--actions=0", f"--console-bridge={server.url}", "--temp-profile", *ctx.browser_args()])
        url = process.line(20)["url"]
        asyncio.run(act(ctx, url))
        server.wait(says("formatted"))
        titles(ctx, server)
        process.signal(signal.SIGTERM)
        ctx.expect(process.popen.wait(30) == 0, f"serve: {process.stderr.decode()[-600:]}")


async def act(ctx, url):
    async with websockets.connect(url, max_size=None) as client:
        await client.send(json.dumps({"type": "start", "url": ctx.origin + "/case/calls.html", "screenshots": "none"}))
        while json.loads(await asyncio.wait_for(client.recv(), 30))["kind"] != "response":
            pass


def is_late(message):
    """A call waits 5 s for the title of its document, which a busy machine may need."""
    return message["arrivedAt"] - datetime.datetime.fromisoformat(message["timestamp"].replace("Z", "+00:00")).timestamp() > 4.5


def titles(ctx, server):
    """Each call has the title of its document, also those that were made while it loaded, and those of its windows."""
    sources = [(message["source"]["url"].rsplit("/", 1)[-1], message["source"].get("title"))
               for message in server.messages if message["type"] == "console_event" and not is_late(message)]
    known = {"calls.html": "Sender", "window.html": "Window"}
    wrong = [source for source in sources if source[0] in known and source[1] != known[source[0]]]
    ctx.expect(not wrong, f"titles: {wrong} of {len(sources)}")


def usage(ctx):
    run = ctx.run_batch(batch(ctx), "--console-bridge", "http://127.0.0.1:9223")
    ctx.expect(run.exit == 2 and "not a WebSocket" in run.stderr, f"http: {run.exit} {run.stderr}")
