"""Large replies, a client that does not read, one that sends too fast, many that come and go: all others go on, and
memory returns."""
import asyncio
import json
import socket as sockets
import threading
import time

from endpoint import Raw, endpoint, websockets
from processes import SLOWNESS

LARGE, CONNECTS, FLOOD = 100_000_000, 60, 3000
MANY, LARGEST = 100_000, 100_000_000
TIME_LIMIT = 240
TIER = "long"


def run(ctx):
    with endpoint(ctx) as served:
        asyncio.run(large(ctx, served))
        asyncio.run(flood(ctx, served))
        many(ctx, served)
        asyncio.run(deaf(ctx, served))
        asyncio.run(come_and_go(ctx, served))


async def large(ctx, served):
    async with served.client() as client, served.client() as other:
        session = await client.attach((await client.pages())[0]["targetId"])
        theirs = await other.attach((await other.pages())[0]["targetId"])
        number = await client.send("Runtime.evaluate", session, expression=f"'x'.repeat({LARGE})", returnByValue=True)
        began, slowest = time.monotonic(), 0
        while not any(message.get("id") == number for message in client.heard):
            asked = time.monotonic()
            ctx.expect(await other.evaluate(theirs, "1") == 1, "beside a large reply")
            slowest = max(slowest, time.monotonic() - asked)
            ctx.expect(time.monotonic() - began < 60 * SLOWNESS, "the large reply does not come")
        reply = next(message for message in client.heard if message.get("id") == number)
        ctx.expect(len(reply["result"]["result"]["value"]) == LARGE, "the large reply is not whole")


async def flood(ctx, served):
    """All commands at once, large ones among them: each is answered, in order."""
    async with served.client() as client:
        session = await client.attach((await client.pages())[0]["targetId"])
        numbers = [await client.send("Runtime.evaluate", session, returnByValue=True,
                                     expression=f"'{'y' * (20000 if i % 10 == 0 else 10)}'.length + {i}") for i in range(FLOOD)]
        await client.hear(lambda message: message.get("id") == numbers[-1], "the last reply", 60)
        replies = [message for message in client.heard if message.get("id") in set(numbers)]
        ctx.expect([reply["id"] for reply in replies] == numbers, "replies in order")
        values = [reply["result"]["result"]["value"] for reply in replies]
        ctx.expect(values == [(20000 if i % 10 == 0 else 10) + i for i in range(FLOOD)], "values")


def many(ctx, served):
    """So many commands at once that Chrome is behind, and some as large as it takes: each is answered, in order."""
    client = Raw(served.websocket + "/devtools/browser/x")
    texts = [json.dumps({"id": i, "method": f"Nothing.{i}"}) for i in range(MANY)]
    texts += ['{"id":%d,"method":"Nothing.%d","params":{"a":"%s"}}' % (i, i, "x" * LARGEST) for i in range(MANY, MANY + 3)]
    sender = threading.Thread(target=lambda: [client.send(text) for text in texts])
    sender.start()
    client.socket.settimeout(60 * SLOWNESS)
    for i in range(len(texts)):
        reply = client.reply()
        if not isinstance(reply, dict) or reply.get("id") != i or f"'Nothing.{i}'" not in reply["error"]["message"]:
            raise AssertionError(f"the reply to {i} is {str(reply)[:300]}")
    sender.join()
    client.close()


async def deaf(ctx, served):
    """It asks for more than its limit and reads nothing of it."""
    async with served.client() as other:
        target = (await other.pages())[0]["targetId"]
        beside = await other.call("Target.createTarget", url="about:blank")
        theirs = await other.attach(beside["targetId"])  # not the page that is busy with the large values
        socket = await websockets.connect(served.websocket + f"/devtools/page/{target}", max_size=None, ping_interval=None,
                                          read_limit=1024, max_queue=1)
        for i in range(12):  # twice its limit: a client takes some of it in its buffers
            await socket.send(json.dumps({"id": i, "method": "Runtime.evaluate", "params": {
                "expression": f"'z'.repeat({LARGE // 2})", "returnByValue": True}}))
        end_at = time.monotonic() + 60 * SLOWNESS
        while served.memory() < 200_000_000 and time.monotonic() < end_at:
            ctx.expect(await other.evaluate(theirs, "1") == 1, "beside a deaf client")
        while served.memory() > 200_000_000 and time.monotonic() < end_at:
            ctx.expect(await other.evaluate(theirs, "2") == 2, "beside a deaf client")
        ctx.expect(served.memory() < 200_000_000, f"{served.memory()} bytes are held for a deaf client")
        ctx.expect(served.memory("VmHWM") < 450_000_000, f"{served.memory('VmHWM')} bytes were held for a deaf client")
        # Longer than the server waits for a client that is closed for another reason.
        for _ in range(70):
            await asyncio.sleep(0.1)
            ctx.expect(await other.evaluate(theirs, "3") == 3, "beside a deaf client that was closed")
        end = None
        try:
            while True:
                await asyncio.wait_for(socket.recv(), 20 * SLOWNESS)
        except websockets.exceptions.ConnectionClosed as closed:
            end = closed.code, closed.reason
        ctx.expect(end == (1013, "the client reads too slowly"), f"the deaf client was closed with {end}")


async def come_and_go(ctx, served):
    async with served.client() as other:
        theirs = await other.attach((await other.pages())[0]["targetId"])
        for i in range(CONNECTS):
            if i % 3 == 0:  # gone before it is there
                raw = sockets.create_connection(served.url[len("http://"):].split(":"))
                raw.sendall(b"GET /devtools/browser/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
                raw.close()
            else:
                async with served.client() as client:
                    await client.call("Browser.getVersion")
        ctx.expect(await other.evaluate(theirs, "3") == 3, "beside many that come and go")
        end_at, text = time.monotonic() + 20 * SLOWNESS, ""
        while time.monotonic() < end_at:
            text = served.fetch("/health")[2]
            if json.loads(text)["connections"] <= 2:
                break
            await asyncio.sleep(0.1)
        ctx.expect(json.loads(text)["connections"] <= 2, f"left: {text}")
