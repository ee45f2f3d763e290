"""The relay of debug-bridge: which client receives which messages, with python's websockets and npm's ws; limits, tokens,
garbage."""
import asyncio
import contextlib
import json
import socket
import struct

from bridge import NODES
from bridged import bridged
from harness import ROOT

BROWSER = "any"
TELEMETRY = ["dom_snapshot", "dom_mutations", "ui_tree", "ui_element_update", "console", "error", "state_update",
             "screenshot", "of_another_version"]
COMMANDS = ["click", "type", "navigate", "evaluate", "scroll", "hover", "select", "focus", "request_ui_tree",
            "request_dom_snapshot", "request_screenshot", "request_state", "of_another_version"]
MIB = 1 << 20


def run(ctx):
    with bridged(ctx) as bridge:
        for part in (connecting, passing, results, replaying, isolation, limits, garbage, refusing, slowness, other_stack):
            asyncio.run(part(ctx, bridge))
    by_the_letter(ctx)
    with_a_token(ctx)


async def hear(peer, seconds=20):
    return json.loads(await asyncio.wait_for(peer.recv(), seconds))


async def hear_kind(peer, kind):
    while True:
        message = await hear(peer)
        if message["type"] == kind:
            return message


async def hears_nothing(ctx, peer, what, seconds=0.3):
    with contextlib.suppress(asyncio.TimeoutError):
        ctx.expect(False, f"{what}: {await asyncio.wait_for(peer.recv(), seconds)}")


def event(name, apps, agents, **more):
    return {"type": "connection_event", "origin": "server", "protocolVersion": 1, "timestamp": {"$ge": 1}, "event": name,
            "connectedApps": apps, "connectedAgents": agents, **more}


async def connecting(ctx, bridge):
    async with bridge.connect("app", "c", "&appId=one") as app:
        async with bridge.connect("agent", "c") as agent:
            ctx.match(await hear(app), event("agent_connected", ["one"], 1, agentId={"$regex": "."}), "agent_connected")
            await hears_nothing(ctx, agent, "a newcomer hears of itself")
            async with bridge.connect("app", "c", "&appId=two%20%22%C3%A9%22") as second:
                ctx.match(await hear(agent), event("app_connected", ["one", 'two "é"'], 1, appId='two "é"'), "app_connected")
                ctx.match(await hear(app), event("app_connected", ["one", 'two "é"'], 1), "to the other app")
                await second.send('{"type":"console"}')
                ctx.match(await hear(agent), {"type": "console", "appId": 'two "é"', "origin": "app"}, "a name to be escaped")
            ctx.match(await hear(agent), event("app_disconnected", ["one"], 1, appId='two "é"'), "app_disconnected")
            await hear(app)
        ctx.match(await hear(app), event("agent_disconnected", ["one"], 0), "agent_disconnected")
    # Two sockets with one name: both are kept, and listed once.
    async with bridge.connect("agent", "c2") as agent, bridge.connect("app", "c2", "&appId=x") as a, \
            bridge.connect("app", "c2", "&appId=x") as b:
        await hear(agent)
        ctx.match(await hear(agent), event("app_connected", ["x"], 1), "the second of a name")
        await hear(a)
        await agent.send(json.dumps({"type": "click", "requestId": "1", "appId": "x"}))
        ctx.expect([(await hear(a))["type"], (await hear(b))["type"]] == ["click", "click"], "one of two of a name")
    # An app without a name gets its earlier name when it reconnects.
    async with bridge.connect("agent", "c3") as agent:
        names = []
        for _ in range(2):
            async with bridge.connect("app", "c3"):
                names.append((await hear(agent))["appId"])
            await hear(agent)
        ctx.expect(names[0] and names[0] == names[1], f"names of an app that was loaded again: {names}")


    # Loads of one tab, of which Chrome keeps the earlier ones: only the latest one gets commands.
    async with bridge.connect("agent", "c4") as agent, bridge.connect("app", "c4", "&appId=x&takesOver=1") as a, \
            bridge.connect("app", "c4", "&appId=x&takesOver=1") as b, bridge.connect("app", "c4", "&appId=y&takesOver=1") as c:
        await hear_kind(a, "connection_event")
        await agent.send(json.dumps({"type": "click", "requestId": "1"}))
        ctx.expect((await hear_kind(b, "click")) and (await hear_kind(c, "click")), "the latest load of each")
        await b.close()
        await hear_event(agent, "app_disconnected")
        await agent.send(json.dumps({"type": "focus", "requestId": "2", "appId": "x"}))
        while (got := (await hear(a))["type"]) == "connection_event":
            pass
        ctx.expect(got == "focus", f"an earlier load got {got}")


async def hear_event(peer, name):
    while (await hear_kind(peer, "connection_event"))["event"] != name:
        pass


async def passing(ctx, bridge):
    """All types in both directions arrive unchanged, except for missing members."""
    async with bridge.connect("app", "p", "&appId=one") as app, bridge.connect("agent", "p") as first, \
            bridge.connect("agent", "p") as second, bridge.connect("app", "p", "&appId=two") as other:
        for peer, count in ((app, 3), (first, 2), (second, 1)):
            for _ in range(count):
                await hear(peer)
        for kind in TELEMETRY + ["hello", "capabilities"]:
            # Order, white space, escapes and numbers differ from what a serialiser would write.
            text = f'{{ "z":1.50, "type" : "{kind}","u":"\\u00e9é","n":{{"type":"click","a":[1,2,{{}}]}}, "appId":"mine","origin":"app" }}'
            await app.send(text)
            for agent in (first, second):
                got = await asyncio.wait_for(agent.recv(), 10)
                ctx.expect(got == text, f"{kind} was changed: {got}")
        await app.send('{"type":"console"}')
        ctx.expect(await first.recv() == '{"type":"console","appId":"one","origin":"app"}', "what is missing is added")
        await app.send('{}')
        ctx.expect(await first.recv() == '{"appId":"one","origin":"app"}', "an empty object")
        for number, kind in enumerate(COMMANDS):
            text = json.dumps({"type": kind, "requestId": f"p{number}", "origin": "agent"})
            await (first if number < 12 else second).send(text)
            for peer in (app, other):
                got = await asyncio.wait_for(peer.recv(), 10)
                ctx.expect(got == text, f"{kind} to all apps: {got}")
        await second.send('{"type":"focus","requestId":"q","appId":"two"}')
        ctx.expect(json.loads(await other.recv())["origin"] == "agent", "to one app, with its origin")
        await hears_nothing(ctx, app, "a command for another app")
        await second.send('{"type":"focus","requestId":"r","appId":"nobody"}')
        while (answer := await hear(second)).get("type") != "command_result":
            pass
        ctx.match(answer, {"origin": "server", "requestId": "r", "requestType": "focus", "success": False,
                           "error": {"code": "TARGET_NOT_FOUND", "message": {"$regex": "appId"}}}, "an app that is not there")


async def results(ctx, bridge):
    """Two agents may use the same ids; results that no agent asked for are dropped."""
    async with bridge.connect("app", "r", "&appId=one") as app, bridge.connect("agent", "r") as first, \
            bridge.connect("agent", "r") as second:
        await hear(first)
        for agent, number in ((first, 1), (second, 2)):
            await agent.send(json.dumps({"type": "click", "requestId": "same é", "n": number}))
        for _ in range(2):
            command = await hear_kind(app, "click")
            await app.send(json.dumps({"type": "command_result", "requestId": command["requestId"], "n": command["n"]},
                                      ensure_ascii=False))
        ctx.expect(((await hear(first))["n"], (await hear(second))["n"]) == (1, 2), "results of the same id")
        # Like a client that treats every received message as a command.
        for _ in range(20):
            await app.send('{"type":"command_result","success":false,"error":{"code":"INVALID_COMMAND"}}')
        await hears_nothing(ctx, first, "an answer that nobody asked for")
        await hears_nothing(ctx, app, "an answer to an answer")
        # A command without an id has a result without one.
        await first.send('{"type":"click"}')
        await hear_kind(app, "click")
        await app.send('{"type":"command_result","success":true}')
        ctx.match(await hear(first), {"type": "command_result", "success": True}, "a result without an id")
        # The result of a command that the relay has not seen goes to all agents.
        await app.send('{"type":"command_result","requestId":"elsewhere"}')
        ctx.expect((await hear(first))["requestId"] == (await hear(second))["requestId"] == "elsewhere", "of unknown origin")


async def replaying(ctx, bridge):
    async with bridge.connect("app", "l", "&appId=one") as one, bridge.connect("app", "l", "&appId=two") as two:
        await one.send('{"type":"hello","v":1}')
        for app, name in ((one, "one"), (two, "two")):
            await app.send(json.dumps({"type": "hello", "url": name}))
            await app.send(json.dumps({"type": "capabilities", "capabilities": [name]}))
            await app.send('{"type":"console"}')
        async with bridge.connect("agent", "l") as early:
            await (await early.ping())
        async with bridge.connect("agent", "l") as late:
            heard = [await hear(late) for _ in range(4)]
            ctx.expect([(m["type"], m.get("url") or m.get("capabilities"), m["appId"]) for m in heard] ==
                       [("hello", "one", "one"), ("capabilities", ["one"], "one"), ("hello", "two", "two"),
                        ("capabilities", ["two"], "two")], f"a late agent: {heard}")
            await hears_nothing(ctx, late, "what is no hello")


async def isolation(ctx, bridge):
    async with bridge.connect("app", "i1", "&appId=x") as app, bridge.connect("agent", "i1") as agent, \
            bridge.connect("app", "i2", "&appId=x") as other, bridge.connect("agent", "i2") as stranger:
        await hear(app)
        await hear(other)
        await app.send('{"type":"console"}')
        await agent.send('{"type":"click","requestId":"1"}')
        ctx.expect((await hear(agent))["type"] == "console" and (await hear(app))["type"] == "click", "in one session")
        for peer in (other, stranger):
            await hears_nothing(ctx, peer, "of another session")


async def limits(ctx, bridge):
    async with bridge.connect("app", "f", "&appId=one") as app, bridge.connect("agent", "f") as agent:
        await hear(app)
        for number in range(60):
            await agent.send(json.dumps({"type": "click", "requestId": f"f{number}"}))
        await agent.send('{"type":"click","requestId":"last","appId":"nobody"}')
        refused, passed = [], []
        while (answer := await hear(agent))["requestId"] != "last":
            ctx.match(answer, {"type": "command_result", "requestType": "click", "success": False,
                               "error": {"code": "RATE_LIMITED"}}, "too many commands")
            refused.append(answer["requestId"])
        while len(passed) + len(refused) < 60:
            passed.append((await hear(app))["requestId"])
        ctx.expect(sorted(passed + refused) == sorted(f"f{n}" for n in range(60)) and passed[:20] == [f"f{n}" for n in range(20)],
                   f"each is passed on or refused: {len(passed)} and {len(refused)}")
        # What has no requestId is not waited for, and is answered once a second.
        for number in range(40):
            await agent.send('{"type":"click"}')
        await agent.send('{"type":"click","requestId":"last"}')
        count = 0
        while (answer := await hear(agent))["requestId"] != "last":
            ctx.match(answer, {"requestId": "rate_limit", "requestType": "click"}, "without a requestId")
            count += 1
        ctx.expect(count in (1, 2), f"told {count} times within a second")
        # An app gets no error; messages over the limit are dropped, results are not.
        for number in range(3000):
            await app.send(json.dumps({"type": "console", "n": number}))
        await app.send('{"type":"command_result","requestId":"f0"}')
        got = 0
        while (await hear(agent))["type"] == "console":
            got += 1
        ctx.expect(1000 <= got < 2500, f"{got} of 3000 messages at once were passed on")
        with contextlib.suppress(asyncio.TimeoutError):
            while True:
                heard = json.loads(await asyncio.wait_for(app.recv(), 0.3))
                ctx.expect(heard["type"] == "click", f"an answer to an app: {heard}")
    async with bridge.connect("agent", "f2") as agent:
        await asyncio.sleep(0.2)
        await agent.send('{"type":"click","requestId":"1"}')
        ctx.match(await hear(agent), {"error": {"code": "TARGET_NOT_FOUND", "message": {"$regex": "no app"}}}, "nobody there")


async def closes(ctx, peer, code, what, reason=""):
    try:
        while True:
            await asyncio.wait_for(peer.recv(), 20)
    except Exception as error:
        ctx.expect(getattr(error, "code", None) == code, f"{what}: {error!r}, not {code}")
        ctx.expect(getattr(error, "reason", "").startswith(reason), f"{what}: {error!r}, not {reason}")


def memory(bridge):
    with open(f"/proc/{bridge.process.popen.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


async def garbage(ctx, bridge):
    before = memory(bridge)
    async with bridge.connect("app", "g", "&appId=one") as app, bridge.connect("agent", "g") as agent:
        await hear(app)
        for text in ("", "no JSON", "[1]", "null", '{"type":"console"', '{"type":"console"}}', '{"a":\0}', '{"type":}', '{,}',
                     '{"a" 1}', "{" * 1000, '"' * 999, '{"' + "[" * 100000):
            await app.send(text)
            await agent.send(text)
        ctx.match(await hear(agent), {"requestId": "unknown", "requestType": "unknown", "error": {"code": "INVALID_COMMAND"}},
                  "what is no object")
        await agent.send('{"type":"click","requestId":"broken","target":}')
        while (answer := await hear(agent))["requestId"] != "broken":
            ctx.match(answer, {"requestId": "unknown"}, "what is no object")
        ctx.match(answer, {"requestType": "click", "error": {"code": "INVALID_COMMAND"}}, "a broken command with a requestId")
        await asyncio.sleep(0.1)
        await app.send('{"type":"console"}')
        await hear_kind(agent, "console")
        # A snapshot of 16 MB passes completely.
        await app.send(json.dumps({"type": "dom_snapshot", "html": "é<\"" * (3 * MIB)}, ensure_ascii=False))
        snapshot = await hear_kind(agent, "dom_snapshot")
        ctx.expect(len(snapshot["html"]) == 9 * MIB, "16 MB were cut")
        del snapshot
    async with bridge.connect("app", "g") as app:
        await app.send("x" * (32 * MIB + 1))
        await closes(ctx, app, 1009, "33 MB")
    async with bridge.connect("app", "g") as app:
        await app.send(b"{}")
        await closes(ctx, app, 1003, "a binary message")
    ctx.expect(await asyncio.to_thread(raw_invalid_utf8, bridge) == 1007, "invalid UTF-8")
    await asyncio.sleep(0.5)
    ctx.expect(memory(bridge) < before + 40 * MIB, f"memory: {before} bytes, then {memory(bridge)}")


def raw_invalid_utf8(bridge):
    """Returns the code with which the relay closes."""
    host, port = bridge.place.removeprefix("ws://").split(":")
    with socket.create_connection((host, int(port)), 10) as raw:
        raw.sendall((f"GET /debug?sessionId=g HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        raw.recv(4096)
        raw.sendall(bytes([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]))
        answer = raw.recv(4096)
        return struct.unpack(">H", answer[2:4])[0] if answer[:1] == b"\x88" else answer


async def refusing(ctx, bridge):
    import websockets
    for query in ("?role=agent", "?role=boss&sessionId=s", "?role=app&sessionId=", "?sessionId=" + "x" * 200,
                  "?sessionId=s&appId="):
        async with websockets.connect(bridge.url + query) as peer:
            await closes(ctx, peer, 4000, query, "appId" if "appId" in query else "Missing role or sessionId")
    for origin, status in (("http://localhost:5173", None), ("https://127.0.0.1", None), ("http://[::1]:80", None),
                           ("http://localhost.evil.example", 403), ("https://example.com", 403), ("null", 403),
                           ("http://127.0.0.1.evil.example", 403), ("file://", 403)):
        try:
            async with bridge.connect("app", "o", origin=origin):
                ctx.expect(status is None, f"{origin} was let in")
        except websockets.exceptions.InvalidStatusCode as error:
            ctx.expect(error.status_code == status, f"{origin}: {error}")
    for address, headers, status in ((bridge.url + "?sessionId=h", {"Host": "evil.example"}, 403),
                                     (bridge.place + "/other?sessionId=h", {}, 404)):
        try:
            async with websockets.connect(address, extra_headers=headers):
                ctx.expect(False, f"{address} {headers} was let in")
        except websockets.exceptions.InvalidStatusCode as error:
            ctx.expect(error.status_code == status, f"{address}: {error}")
        except websockets.exceptions.InvalidMessage as error:
            # Two Host headers.
            ctx.expect("Host" in headers, f"{address}: {error}")


async def slowness(ctx, bridge):
    """A client that does not read does not delay others; it loses telemetry, but no answer."""
    async with bridge.connect("app", "s", "&appId=one") as app, bridge.connect("agent", "s") as fast, \
            bridge.connect("agent", "s", max_queue=1, read_limit=1024) as slow:
        await hear(fast)
        await slow.send('{"type":"click","requestId":"slow"}')
        await hear_kind(app, "click")
        count, heard = 100, []
        for number in range(count):
            await app.send(json.dumps({"type": "ui_tree", "n": number, "x": "x" * MIB}))
            # Not faster than the agent reads, otherwise it would be a slow client, too.
            if number % 10 == 9:
                heard += [(await hear_kind(fast, "ui_tree"))["n"] for _ in range(10)]
        await app.send('{"type":"command_result","requestId":"slow"}')
        ctx.expect(heard == list(range(count)), f"a fast agent beside a slow one has heard {heard}")
        got = []
        while (message := await hear(slow))["type"] != "command_result":
            got.append(message["n"])
        ctx.expect(got == sorted(got) and 10 < len(got) < count, f"{len(got)} of {count} came to the slow agent")


async def other_stack(ctx, bridge):
    """npm's ws as app, python as agent, and vice versa."""
    if not NODES:
        return
    script = ctx.dir / "node_peer.mjs"
    module = ROOT / "tests" / "widgets" / "node_modules" / "ws" / "wrapper.mjs"

    async def start(query):
        return await asyncio.create_subprocess_exec(str(NODES[0]), str(script), bridge.url + query, str(module),
                                                    stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=8 * MIB)

    async def say(process, **message):
        process.stdin.write(json.dumps(message).encode() + b"\n")
        await process.stdin.drain()

    async def line(process):
        return json.loads(await asyncio.wait_for(process.stdout.readline(), 20))

    async with bridge.connect("agent", "n") as agent:
        app = await start("?role=app&sessionId=n&appId=node")
        try:
            await hear(agent)
            await say(app, type="dom_snapshot", html="x" * (2 * MIB))
            ctx.expect(len((await hear(agent))["html"]) == 2 * MIB, "2 MB from ws")
            await agent.send('{"type":"click","requestId":"1"}')
            ctx.match(await line(app), {"type": "click", "origin": "agent"}, "a command to ws")
            other = await start("?role=agent&sessionId=n")
            await line(app)
            await say(other, type="focus", requestId="2")
            ctx.match(await line(app), {"type": "focus"}, "from ws to ws")
            await say(app, type="command_result", requestId="2", success=True)
            ctx.match(await line(other), {"type": "command_result", "appId": "node"}, "and back")
            other.stdin.close()
            ctx.expect(await asyncio.wait_for(other.wait(), 20) == 0, "ws was not closed in an orderly way")
        finally:
            app.stdin.close()
            await asyncio.wait_for(app.wait(), 20)


def by_the_letter(ctx):
    async def talk(bridge):
        async with bridge.connect("app", "v", "&appId=one") as app, bridge.connect("agent", "v") as first, \
                bridge.connect("agent", "v") as second:
            ctx.match(await hear(app), event("app_connected", ["one"], 0), "a newcomer hears of itself")
            ctx.match(await hear(first), event("agent_connected", ["one"], 1), "an agent, too")
            await hear(first)
            await hear(second)
            await first.send('{"type":"click","requestId":"1"}')
            while (got := await asyncio.wait_for(app.recv(), 10)).find("click") < 0:
                pass
            ctx.expect(got == '{"type":"click","requestId":"1"}', f"verbatim: {got}")
            await app.send('{"type":"command_result","requestId":"1"}')
            for agent in (first, second):
                ctx.expect(await asyncio.wait_for(agent.recv(), 10) == '{"type":"command_result","requestId":"1"}', "to all agents")
            await app.send(json.dumps({"type": "error", "message": "at http://localhost/?token=hunter22", "password": "hunter23"}))
            await first.send(json.dumps({"type": "type", "requestId": "2", "text": "hunter24"}))
            await hear_kind(app, "type")

    with bridged(ctx, "--include-newcomer", "--broadcast-results", "--verbatim", "--log-messages") as bridge:
        asyncio.run(talk(bridge))
    log = bridge.process.stderr.decode()
    ctx.expect("hunter" not in log, f"secrets in the log: {log}")
    for part in ('app "one" of session "v": there', '"command_result", 41 bytes: ', '"type", ', "token=***", "gone; sent 2 messages of"):
        ctx.expect(part in log, f"no {part} in the log: {log}")


def with_a_token(ctx):
    async def talk(bridge):
        import websockets
        for query in ("", "&token=wrong", "&token="):
            async with bridge.connect("app", "t", query) as peer:
                await closes(ctx, peer, 4001, f"token {query}", "Unauthorized")
        async with bridge.connect("app", "t", "&token=right&appId=one") as app, websockets.connect(
                f"{bridge.url}?role=agent&sessionId=t", extra_headers={"Authorization": "Bearer right"}) as agent:
            ctx.match(await hear(app), event("agent_connected", ["one"], 1), "with a token")
            await (await agent.ping())

    with bridged(ctx, "--token", "right") as bridge:
        asyncio.run(talk(bridge))
    log = bridge.process.stderr.decode()
    ctx.expect("right" not in log, "the token is in the log")
    lines = [line for line in log.splitlines() if "refused 127.0.0.1:" in line]
    ctx.expect(lines and "Unauthorized" in lines[0] and len(lines) < 3, f"refused connections in the log: {log}")
