"""A WebSocket connection is a session: instructions in, the lines of `run` out; cancel, events, refusals."""
import asyncio
import base64
import json

from pictures import Picture
from served import ask, hear, served, websockets

BROWSER = "any"
# Fills the page with colours that no format compresses well.
NOISE = """{
    const canvas = Object.assign(document.createElement('canvas'), { width: 600, height: 400 });
    document.body.replaceChildren(canvas);
    const image = new ImageData(600, 400);
    for (let i = 0; i < image.data.length; i++) {
        image.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
    }
    canvas.getContext('2d').putImageData(image, 0, 0);
    0;
}"""


def run(ctx):
    with served(ctx, "--token", "open sesame") as server:
        status, text = server.get("/health")
        ctx.expect(status == 200 and json.loads(text)["status"] == "ok", f"/health: {status} {text}")
        for headers, expected in (({}, 401), ({"Authorization": "Bearer wrong"}, 401),
                                  ({"Authorization": "Bearer open sesame", "Host": "evil.test"}, 403),
                                  ({"Authorization": "Bearer open sesame"}, 200)):
            status, text = server.get("/metrics", **headers)
            ctx.expect(status == expected, f"/metrics with {headers}: {status}")
        asyncio.run(refuse(ctx, server))
        asyncio.run(talk(ctx, server))
        status, text = server.get("/metrics", Authorization="Bearer open sesame")
        for words in ('browser_runner_action_seconds_count{type="evaluate"}', "browser_runner_browser_starts_total 1",
                      "# EOF"):
            ctx.expect(words in text, f"/metrics has no {words}: {text[-1500:]}")
        ctx.expect(text.count("# TYPE browser_runner_action_seconds ") == 1, "a metric is described twice")


async def refuse(ctx, server):
    for query, headers, expected in (("", {}, 401), ("?token=wrong", {}, 401),
                                     ("?token=open%20sesame", {"Origin": "https://evil.test"}, 403),
                                     ("?token=open%20sesame", {"Origin": "null"}, 403)):
        try:
            async with server.connect(query, extra_headers=headers):
                ctx.problem(f"let in: {query} {headers}")
        except websockets.exceptions.InvalidStatusCode as error:
            ctx.expect(error.status_code == expected, f"{query} {headers}: {error.status_code}")


async def talk(ctx, server):
    # The Authorization header's scheme is followed by the token, which itself has a space.
    async with server.connect(extra_headers={"Authorization": "Bearer open sesame"}) as socket:
        ctx.match(json.loads(await socket.recv()), {"kind": "opened", "new": True, "lastId": 0}, "the greeting")
        await socket.send(f"<browser_action><type>start</type><url>{ctx.origin}/shop/</url></browser_action>")
        ctx.match(await hear(socket), {"id": 1, "type": "start", "success": True}, "XML")
        ctx.match(await ask(socket, type="evaluate", expression="6 * 7"), {"id": 2, "result": 42}, "JSON")
        # A bare instruction ends with its message.
        await socket.send("<type>evaluate</type><expression>7 * 7</expression>")
        ctx.match(await hear(socket), {"id": 3, "result": 49}, "a bare one")

        # An array within an array is an error, and its missing end is another.
        for text, errors in (("nonsense", 1), ('{"type":"click"', 1), ('{"type":"clack"}', 1), ("[" * 10000, 2)):
            await socket.send(text)
            for _ in range(errors):
                ctx.match(await hear(socket), {"success": False, "errorCode": "INVALID_ACTION"}, text[:20])
        await socket.send('{"kind":"dance"}')
        ctx.match(await hear(socket, "error"), {"errorCode": "INVALID_ACTION"}, "a kind that is none")
        last = (await ask(socket, type="evaluate", expression=NOISE))["id"]

        # A picture of over 200 KB arrives in chunks.
        await socket.send(json.dumps({"type": "screenshot", "format": "png", "fullPage": True, "maxEdge": 0, "timeout": 45000,
                                      "maxPixels": 0}))
        chunks = []
        while (line := json.loads(await socket.recv()))["kind"] == "chunk":
            chunks.append(line)
        ctx.expect(line["success"], f"the screenshot: {line}")
        picture = Picture(base64.b64decode("".join(chunk["data"] for chunk in chunks)))
        ctx.expect(len(chunks) > 1 and picture.width == 1280, f"{len(chunks)} chunks, {picture.width} wide")
        ctx.match(line, {"id": last + 1, "success": True}, "the answer behind its chunks")

        # A cancel that comes while the chunks go out ends neither this action nor the next one.
        await socket.send(json.dumps([{"type": "screenshot", "fullPage": True, "format": "png", "maxEdge": 0,
                                       "maxPixels": 0},
                                      {"type": "wait", "ms": 300}, {"type": "wait", "ms": 1}]))
        ctx.match(json.loads(await socket.recv()), {"kind": "chunk"}, "the first chunk")
        await socket.send(json.dumps({"kind": "cancel", "id": last + 2}))
        lines = []
        while sum(line["kind"] == "response" for line in lines) < 3:
            lines.append(json.loads(await socket.recv()))
        ctx.expect([line.get("found") for line in lines if line["kind"] == "cancel"] == ["over"], f"late: {lines}"[:500])
        ctx.expect(all(line["success"] for line in lines if line["kind"] == "response"), f"late: {lines}"[:500])

        # Only a number of an action is one.
        for number in ("3", None, 0.5, True, [], {}, 0, -1, 1e300, 1.5, 2**53 + 1, 10**6):
            await socket.send(json.dumps({"kind": "cancel", "id": number}))
            ctx.match(await hear(socket, "error"), {"errorCode": "INVALID_ACTION"}, f"cancel {number!r}")

        # Files are not accessible.
        ctx.match(await ask(socket, type="navigate", url="file:///etc/passwd"), {"errorCode": "POLICY_DENIED"}, "a file")

        await socket.send('{"kind":"subscribe","events":["logs","dialog"]}')
        ctx.match(await hear(socket, "subscribe"), {"events": ["logs", "dialog"]}, "subscribed")
        await socket.send(json.dumps({"type": "evaluate", "expression": "console.warn('look'); alert('stop')"}))
        lines = []
        while not lines or lines[-1]["kind"] != "response":
            lines.append(json.loads(await socket.recv()))
        events = {line["event"]["name"]: line["event"] for line in lines if line["kind"] == "event"}
        ctx.match(events.get("console"), {"log": {"message": "look"}}, "a log")
        ctx.match(events.get("dialog"), {"dialog": {"message": "stop"}}, "a dialog")
        first = lines[-1]["id"] + 1
        await socket.send('{"kind":"subscribe","events":[]}')
        await hear(socket, "subscribe")
        await socket.send('{"kind":"subscribe","events":["nothing"]}')
        ctx.match(await hear(socket, "error"), {"errorCode": "INVALID_ACTION"}, "no event of that name")

        # A running and a waiting action are cancelled by their ids, and no other.
        await socket.send(json.dumps([{"type": "wait", "ms": 60000, "timeout": 70000},
                                      {"type": "evaluate", "expression": "1"},
                                      {"type": "evaluate", "expression": "2"},
                                      {"type": "evaluate", "expression": "3"}]))
        await asyncio.sleep(0.5)
        for number in (first + 2, first, 1):
            await socket.send(json.dumps({"kind": "cancel", "id": number}))
        lines = [json.loads(await asyncio.wait_for(socket.recv(), 30)) for _ in range(7)]
        found = {line["id"]: line["found"] for line in lines if line["kind"] == "cancel"}
        ctx.expect(found == {first + 2: "waiting", first: "running", 1: "over"}, f"cancels: {found}")
        ends = [line.get("errorCode") for line in lines if line["kind"] == "response"]
        ctx.expect(ends == ["CANCELLED", None, "CANCELLED", None], f"{ends}")
