"""The server for extensions: its answers, its output, its limits and its speed."""
import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import threading
import time

from bridge import NODES
from consoled import called, consoled, envelope, hear, printing
from harness import ROOT
from terminal import Terminal

BROWSER = "any"

MIB = 1 << 20
EVIL = "\x1b]0;x\x07\x1b[2J\x9b31m\r\b\u202eabc\u2066\x00\x7f"


def run(ctx):
    with consoled(ctx) as console:
        for part in (handshake, letter, faults, batches, sizes, refusing, many, other_stack, shut_down):
            asyncio.run(part(ctx, console))
    by_serve(ctx)
    into_a_file(ctx)
    into_a_slow_pipe(ctx)
    on_a_terminal(ctx)
    on_a_terminal_that_does_not_read(ctx)
    usage(ctx)


def line_of(ctx, console, kind="console"):
    while (line := console.process.line(20))["kind"] != kind:
        pass
    return line


async def handshake(ctx, console):
    async with console.connect() as peer:
        info = {"extensionVersion": "2.0.0", "browser": "Chrome", "browserVersion": "120.0.0"}
        await peer.send(json.dumps(envelope("connection_status", {"status": "connected", "clientInfo": info})))
        ctx.match(await hear(peer), {"version": "1.0.0", "type": "connection_status", "timestamp": {"$regex": r"^\d{4}-.*Z$"},
                                     "payload": {"status": "connected", "clientInfo": {"cliVersion": {"$regex": r"^\d"},
                                                                                       "platform": "linux"}}}, "the answer")
        ctx.match(console.process.line(), {"kind": "console_connection", "status": "connected", "clientInfo": info}, "told")
        # The answer to a ping has its id, if it has one.
        for payload in ({"id": "ping-1234567890"}, {"id": 7}, {}):
            await peer.send(json.dumps(envelope("ping", payload)))
            pong = await hear(peer)
            ctx.expect((pong["type"], pong["payload"]) == ("pong", payload), f"pong: {pong}")
        # Messages that must not be answered.
        for kind, payload in (("pong", {"id": "x"}), ("error", {"code": "INTERNAL_ERROR", "message": "lost\x1b"}),
                              ("error", {}), ("connection_status", {"status": "reconnecting", "reason": "why"})):
            await peer.send(json.dumps(envelope(kind, payload)))
        await peer.send(json.dumps(envelope("ping", {"id": "last"})))
        ctx.expect((await hear(peer))["payload"] == {"id": "last"}, "something was answered that is no question")
        ctx.match(line_of(ctx, console, "console_error"), {"code": "INTERNAL_ERROR", "message": "lost\x1b"}, "an error is told")
        ctx.match(line_of(ctx, console, "console_connection"), {"status": "reconnecting", "reason": "why"}, "a status is told")
    ctx.match(line_of(ctx, console, "console_connection"), {"status": "gone"}, "gone")


async def shut_down(ctx, console):
    """A server that ends sends `disconnected` before it closes its connections."""
    async with console.connect() as peer:
        await peer.send(json.dumps(envelope("ping", {"id": "open"})))
        await hear(peer)
        console.process.signal(signal.SIGTERM)
        ctx.match(await hear(peer), {"type": "connection_status", "payload": {"status": "disconnected", "reason": "the server is shutting down"}}, "the last")
        await asyncio.wait_for(peer.wait_closed(), 20)
        ctx.expect(peer.close_code == 1001, f"closed with {peer.close_code}")
    console.process.popen.wait(20)


async def letter(ctx, console):
    """The document's examples, and each method; before any connection_status."""
    user = {"type": "object", "value": {"id": {"type": "number", "value": 42}, "name": {"type": "string", "value": "Alice"}}}
    error = {"type": "error", "value": "TypeError: x", "stack": "TypeError: x\n    at app.js:42:15"}
    place = {"url": "http://localhost:3000/app.js", "line": 42, "column": 15}
    async with console.connect() as peer:
        for message, text in ((called("log", "User logged in"), "User logged in"),
                              (called("log", "User data:", user), "User data: {id: 42, name: 'Alice'}"),
                              (called("error", error, location=place), "TypeError: x\n    at app.js:42:15")):
            await peer.send(message)
            line = line_of(ctx, console)
            sent = json.loads(message)
            ctx.match(line, {"text": text, "method": sent["payload"]["method"], "args": sent["payload"]["args"],
                             "timestamp": sent["timestamp"], "source": sent["source"], "groups": 0}, "an example")
        ctx.expect(line["location"] == place, f"location: {line}")
        methods = ["log", "info", "warn", "error", "debug", "trace", "table", "group", "groupCollapsed", "groupEnd", "clear",
                   "count", "countReset", "time", "timeEnd", "timeLog", "assert", "dir", "dirxml"]
        for method in methods:
            await peer.send(called(method, "x"))
            ctx.expect(line_of(ctx, console)["method"] == method, f"{method} is not told")
        # As a real extension sends: no url, raw values, no line.
        await peer.send(json.dumps({"version": "1.0.0", "type": "console_event", "timestamp": "2025-10-07T12:34:56.789Z",
                                    "source": {"tabId": "t", "url": "unknown"},
                                    "payload": {"method": "log", "args": [{"type": "object", "value": {"a": [1]}}, {"b": 2}],
                                                "location": {"url": "x.js"}}}))
        ctx.match(line_of(ctx, console), {"text": '{a: [1]} {"b":2}', "source": {"tabId": "t", "url": "unknown"},
                                          "location": {"url": "x.js"}}, "raw values")


async def faults(ctx, console):
    good = json.loads(called("log", "x"))
    async with console.connect() as peer:
        async def refused(message, code, details):
            await peer.send(message if isinstance(message, str) else json.dumps(message))
            answer = await hear(peer)
            ctx.match(answer, {"version": "1.0.0", "type": "error", "payload": {"code": code, "details": details}}, str(message)[:80])
            return answer

        for field in ("version", "type", "timestamp", "payload"):
            missing = {key: value for key, value in good.items() if key != field}
            answer = await refused(missing, "INVALID_MESSAGE", {"field": field, "received": missing})
            ctx.expect(answer["payload"]["message"] == f"Missing required field: {field}", str(answer))
        for change, field in (({"version": "one"}, "version"), ({"type": "shout"}, "type"), ({"timestamp": "now"}, "timestamp"),
                              ({"payload": []}, "payload"), ({"payload": {}}, "payload.method"),
                              ({"payload": {"method": "lug", "args": []}}, "payload.method"),
                              ({"payload": {"method": "log"}}, "payload.args"), ({"source": 1}, "source"),
                              ({"type": "connection_status"}, "payload.status")):
            await refused({**good, **change}, "INVALID_MESSAGE", {"field": field})
        for text in ("", "no JSON", '{"version":"1.0.0"', "[" * 100000, "null", "1"):
            await refused(text, "INVALID_MESSAGE", {"field": "message"})
        large = await refused({**good, "type": "x" * (4 * MIB)}, "INVALID_MESSAGE", {"field": "type"})
        ctx.expect(len(json.dumps(large)) < 2000, "a large message was sent back")
        for version in ("0.9.0", "2.0.0", "10.1.0"):
            answer = await refused({**good, "version": version}, "UNSUPPORTED_VERSION",
                                   {"receivedVersion": version, "supportedVersions": ["1.0.0"]})
            ctx.expect(answer["payload"]["message"] == f"Protocol version {version} is not supported", str(answer))
        ctx.match(line_of(ctx, console, "console_error"), {"kind": "console_error", "code": "UNSUPPORTED_VERSION",
                                                             "message": {"$regex": "0.9.0.*1.x.*install"}}, "said once")
        # And the connection is still open.
        await peer.send(json.dumps({**good, "version": "1.1.0"}))
        ctx.match(line_of(ctx, console), {"text": "x"}, "after faults")


async def batches(ctx, console):
    async with console.connect() as peer:
        await peer.send("[" + ",".join([called("log", "one"), "7", called("log", "two")]) + "]")
        ctx.match(await hear(peer), {"payload": {"code": "INVALID_MESSAGE"}}, "one of a batch is invalid")
        ctx.expect([line_of(ctx, console)["text"] for _ in range(2)] == ["one", "two"], "a batch")
        await peer.send("[]")
        await peer.send(json.dumps(envelope("ping", {})))
        ctx.match(await hear(peer), {"type": "pong"}, "behind an empty batch")


async def sizes(ctx, console):
    async with console.connect() as peer:
        await peer.send(called("log", "e" * (8 * MIB)))
        line = line_of(ctx, console)
        ctx.expect(line["args"][0]["value"] == "e" * (8 * MIB) and len(line["text"]) < 11000, "8 MB were cut, or shown")
        with contextlib.suppress(Exception):
            await peer.send("x" * (16 * MIB + 1))
            await asyncio.wait_for(peer.recv(), 20)
        await asyncio.wait_for(peer.wait_closed(), 10)
        ctx.expect(peer.close_code == 1009, f"17 MB: {peer.close_code}")


async def refusing(ctx, console):
    import websockets
    for origin, is_fine in (("chrome-extension://abcdefghijklmnopabcdefghijklmnop", True),
                            ("moz-extension://5f3d5a1e-0c1b-4c3e-9d0a-1b2c3d4e5f60", True), (None, True),
                            ("http://localhost:3000", False), ("https://example.com", False), ("null", False)):
        try:
            async with console.connect(origin=origin):
                ctx.expect(is_fine, f"{origin} was let in")
        except websockets.exceptions.InvalidStatusCode as error:
            ctx.expect(not is_fine and error.status_code == 403, f"{origin}: {error}")
    for address in (console.url + "/other", console.url.replace("127.0.0.1", "[::1]")):
        try:
            async with websockets.connect(address):
                ctx.expect(False, f"{address} was let in")
        except (websockets.exceptions.InvalidStatusCode, OSError):
            pass


async def many(ctx, console):
    """50 extensions, each with its own tabs."""
    count, calls = 50, 40

    async def one(number):
        async with console.connect() as peer:
            for call in range(calls):
                await peer.send(called("count", f"of {number}", tab=call % 2))
            await peer.send(json.dumps(envelope("ping", {"id": number})))
            ctx.expect((await hear(peer, 30))["payload"]["id"] == number, "another one's pong")

    await asyncio.gather(*(one(number) for number in range(count)))
    said = {}
    for _ in range(count * calls):
        line = line_of(ctx, console)
        said.setdefault((line["text"].split(":")[0], line["connection"]), []).append(line["text"])
    expected = [f": {call // 2 + 1}" for call in range(calls)]
    ctx.expect(len(said) == count, f"{len(said)} of {count} extensions were heard")
    for (name, _), texts in said.items():
        ctx.expect(texts == [name + number for number in expected], f"counters of {name}: {texts[:6]}")


async def other_stack(ctx, console):
    """npm's ws as the extension."""
    if not NODES:
        return
    script = ROOT / "tests" / "e2e" / "cases" / "bridge-relay" / "node_peer.mjs"
    module = ROOT / "tests" / "widgets" / "node_modules" / "ws" / "wrapper.mjs"
    process = await asyncio.create_subprocess_exec(str(NODES[0]), str(script), console.url, str(module),
                                                   stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=8 * MIB)

    async def say(message):
        process.stdin.write(message.encode() + b"\n")
        await process.stdin.drain()

    async def answer():
        return json.loads(await asyncio.wait_for(process.stdout.readline(), 20))

    try:
        await say(json.dumps(envelope("connection_status", {"status": "connected"})))
        ctx.match(await answer(), {"type": "connection_status", "payload": {"status": "connected"}}, "ws is greeted")
        await say(json.dumps(envelope("ping", {"id": "n"})))
        ctx.match(await answer(), {"type": "pong", "payload": {"id": "n"}}, "ws is answered")
        await say(json.dumps({**envelope("ping", {}), "version": "3.0.0"}))
        ctx.match(await answer(), {"payload": {"code": "UNSUPPORTED_VERSION"}}, "ws is refused")
        await say("{}")
        ctx.match(await answer(), {"payload": {"code": "INVALID_MESSAGE"}}, "ws is told")
        await say(called("warn", "from ws"))
        ctx.match(line_of(ctx, console), {"text": "from ws", "level": "warn"}, "ws is heard")
    finally:
        process.stdin.close()
        await asyncio.wait_for(process.wait(), 20)


def by_serve(ctx):
    """Together with another server, with filtered output."""
    async def talk(console):
        async with console.connect() as peer:
            for method, text in (("log", "a needle"), ("warn", "hay"), ("warn", "a NEEDLE"), ("group", "needle"), ("error", "needle")):
                await peer.send(called(method, text))
            ctx.expect([line_of(ctx, console)["method"] for _ in range(3)] == ["warn", "group", "error"], "levels and filter")
            for _ in range(60):
                await peer.send(called("warn", "needle"))
            told = 0
            dropped = line_of(ctx, console, "console_dropped")
            while told < dropped["count"]:
                error = await hear(peer)
                ctx.match(error, {"type": "error", "payload": {"code": "RATE_LIMIT", "details": {"maxRate": 10, "dropped": {"$gt": 0}}}}, "too fast")
                told += error["payload"]["details"]["dropped"]
            ctx.expect(told == dropped["count"], f"{told} are told, {dropped}")
            ctx.expect(10 <= dropped["count"] <= 45 and dropped["errors"] == dropped["count"], f"dropped: {dropped}")

    with consoled(ctx, "serve", "--console-bridge=0", "--levels", "warning,error,startGroup", "--filter", "needle",
                  "--max-rate", "10") as console:
        asyncio.run(talk(console))


async def flood(url, count, batch=1, method="log", pad=""):
    import websockets
    async with websockets.connect(url, max_size=None) as peer:
        for begin in range(0, count, batch):
            texts = [called(method, f"line {number};{pad}") for number in range(begin, begin + batch)]
            await peer.send("[" + ",".join(texts) + "]" if batch > 1 else texts[0])
        await peer.send(json.dumps(envelope("ping", {"id": "end"})))
        return await hear(peer, 60)


def into_a_file(ctx):
    """No call is lost, whatever its content and rate."""
    path = ctx.work / "console.log"
    count = 8000
    with printing(ctx, "--output", str(path), "--timestamp", "iso") as (process, url):
        asyncio.run(flood(url, count, batch=100))
        asyncio.run(flood(url, count))
    said = [int(number) for number in re.findall(r"line (\d+);", path.read_text())]
    ctx.expect(said == 2 * list(range(count)), f"{len(said)} of {2 * count} lines are in the file")
    ctx.expect("\x1b" not in path.read_text(), "colours in a file")


def into_a_slow_pipe(ctx):
    """A slow reader makes extensions wait: nothing is lost, and no backlog builds up."""
    reading, writing = os.pipe()
    count, pad = 15000, "x" * 4000
    got = bytearray()
    with printing(ctx, stdout=writing) as (process, url):
        os.close(writing)
        flooding = threading.Thread(target=lambda: asyncio.run(flood(url, count, batch=100, pad=pad)))
        flooding.start()
        time.sleep(2)
        with open(f"/proc/{process.pid}/status") as status:
            memory = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))
        ctx.expect(memory < 120, f"{memory} MB while nobody reads")

        def read():
            while block := os.read(reading, 1 << 16):
                got.extend(block)

        reader = threading.Thread(target=read)
        reader.start()
        flooding.join(120)
    reader.join(30)
    os.close(reading)
    said = [int(number) for number in re.findall(rb"line (\d+);", got)]
    ctx.expect(said == list(range(count)), f"{len(said)} of {count} lines came out of the pipe")


def on_a_terminal(ctx):
    async def talk(url):
        import websockets
        async with websockets.connect(url) as peer:
            await peer.send(json.dumps(envelope("connection_status", {"status": "connected", "reason": EVIL,
                                                                      "clientInfo": {"browser": EVIL}})))
            for method in ("log", "error", "group", "table", "count", "time", "timeEnd", "assert", "trace", "groupEnd"):
                await peer.send(called(method, EVIL, {"type": "object", "className": EVIL, "value": {"k": {EVIL: 1}}},
                                       {"type": "error", "value": EVIL, "stack": EVIL}, location={"url": EVIL}, stack=EVIL))
            await peer.send(json.dumps(envelope("error", {"code": EVIL, "message": EVIL})))
            await peer.send(called("table", {"type": "array", "value": [{"name": "x" * 200, "n": 1}]}))
            await peer.send(called("warn", "tab\there\nsecond line"))
            for _ in range(600):
                await peer.send(called("log", "fast"))
            await peer.send(called("error", "an error at last"))
            await asyncio.sleep(1.5)
            await peer.send(called("error", "the end"))

    for environment in ({"NO_COLOR": ""}, {"NO_COLOR": "1"}):
        terminal = Terminal()
        with printing(ctx, "--location", stdout=terminal.slave, environment=environment) as (process, url):
            asyncio.run(talk(url))
            text = terminal.read(b"the end")
        terminal.close()
        raw = re.sub(r"\x1b\[\d*m", "", text) if not environment["NO_COLOR"] else text
        ctx.expect(("\x1b[31m" in text) == (not environment["NO_COLOR"]), f"colours with {environment}")
        strange = sorted({char for char in raw.replace("\r\n", "\n") if (ord(char) < 32 and char not in "\n\t")
                          or 0x7f <= ord(char) < 0xa0 or char in "\u202e\u2066"})
        ctx.expect(not strange, f"reached the terminal: {strange!r}")
        ctx.expect("\\u{1b}]0;x" in raw and "tab\there" in raw and "second line" in raw, "what a page says is not shown")
        ctx.expect("an error at last" in raw, "an error was left out")
        shown = raw.count("fast")
        ctx.expect(190 <= shown <= 500 and re.search(r"\d+ messages of tab 1 of connection 1 dropped", raw),
                   f"{shown} of 600 messages at once were shown")
        width = max(len(line) for line in raw.splitlines() if "│" in line or "┌" in line)
        ctx.expect(width <= 60, f"a table of {width} columns in a terminal of 60")


def on_a_terminal_that_does_not_read(ctx):
    """A terminal that is not read loses lines, and reports how many; extensions are answered, memory is bounded, and the
    end comes."""
    terminal = Terminal()
    with printing(ctx, "--max-rate", "0", stdout=terminal.slave) as (process, url):
        answer = asyncio.run(flood(url, 40000, batch=100, pad="x" * 1000))
        ctx.expect(answer["payload"] == {"id": "end"}, f"while nobody reads: {answer}")
        asyncio.run(flood(url, 1, method="error", pad="severe"))
        with open(f"/proc/{process.pid}/status") as status:
            memory = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))
        ctx.expect(memory < 120, f"{memory} MB")
        text = terminal.read(b"severe", 60)
        ctx.expect("severe" in text and "lines dropped: the output is not being read" in text, "errors go last, and it is said")
        asyncio.run(flood(url, 20000, batch=100, pad="x" * 1000))
    terminal.close()


def usage(ctx):
    for args, word in ((["console", "--levels", "loud"], "neither a console level"), (["console", "--levels", ""], "neither a console level"),
                       (["console", "--timestamp", "x"], "--timestamp"), (["console", "--max-rate", "-1"], "--max-rate"),
                       (["console", "--output", "/nowhere/x"], "/nowhere/x"),
                       (["serve", "--console-bridge=0", "--host", "127.0.0.1"], "--host"),
                       (["serve", "--console-bridge=0", "--token", "x"], "--token")):
        result = subprocess.run([ctx.options.binary, *args], capture_output=True, text=True, timeout=20, env=ctx.environment)
        ctx.expect(result.returncode == 2 and word in result.stderr, f"{args}: {result}")
    with consoled(ctx) as console:
        port = console.url.rsplit(":", 1)[1]
        result = subprocess.run([ctx.options.binary, "console", "--port", port], capture_output=True, text=True, timeout=20,
                                env=ctx.environment)
        ctx.expect(result.returncode == 2 and f"(process {console.process.pid}) listens there" in result.stderr, f"taken: {result}")
