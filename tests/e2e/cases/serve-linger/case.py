"""A connection that breaks during actions is resumed: no answer is lost, and none comes twice."""
import asyncio
import json
import time

from processes import SLOWNESS
from served import ask, hear, served, websockets

BROWSER = "any"


def run(ctx):
    with served(ctx, "--linger", str(round(5 * SLOWNESS)), "--screenshots", "none") as server:
        asyncio.run(talk(ctx, server))


async def talk(ctx, server):
    async with server.connect("?session=mine") as socket:
        await socket.recv()
        await ask(socket, type="start", url=ctx.origin + "/")
        ctx.match(await ask(socket, type="evaluate", expression="window.kept = 7"), {"id": 2, "result": 7}, "before")
        await socket.send(json.dumps([{"type": "wait", "ms": 600}] + [
            {"type": "evaluate", "expression": f"kept + {i}"} for i in range(5)]))
        await asyncio.sleep(0.2)
        try:
            async with server.connect("?session=mine") as second:
                ctx.match(json.loads(await second.recv()), {"kind": "error", "error": {"$regex": "already has a client"}},
                          "a second client")
                await second.recv()
                ctx.problem("a second client is let in")
        except websockets.exceptions.ConnectionClosed as error:
            ctx.expect(error.code == 1008, f"the second client: {error}")
        socket.transport.abort()  # without closing the connection

    await asyncio.sleep(1.2)  # the actions continue meanwhile
    async with server.connect("?session=mine&after=2") as socket:
        greeting = json.loads(await socket.recv())
        ctx.match(greeting, {"kind": "opened", "session": "mine", "new": False}, "taken up")
        answers = [await hear(socket) for _ in range(6)]
        ctx.expect([answer["id"] for answer in answers] == [3, 4, 5, 6, 7, 8], f"{[a['id'] for a in answers]}")
        ctx.expect([answer.get("result") for answer in answers[1:]] == [7, 8, 9, 10, 11], "the results")
        ctx.match(await ask(socket, type="evaluate", expression="kept"), {"id": 9, "result": 7}, "the page is the same")

    for wrong in ("abc", "1.5", "-1", "", "9" * 30):
        async with server.connect(f"?session=mine&after={wrong}") as socket:
            ctx.match(json.loads(await socket.recv()), {"kind": "error", "errorCode": "INVALID_ACTION",
                                                        "error": {"$contains": "after"}}, f"after={wrong}")
            try:
                await socket.recv()
                ctx.problem(f"after={wrong} is accepted")
            except websockets.exceptions.ConnectionClosed as error:
                ctx.expect(error.code == 1008, f"after={wrong}: {error}")

    async with server.connect("?session=mine&after=9") as socket:
        await socket.recv()
        ctx.match(await ask(socket, type="evaluate", expression="1"), {"id": 10}, "nothing twice")
    end = time.monotonic() + 30 * SLOWNESS
    while "browser_runner_sessions 0" not in server.get("/metrics")[1] and time.monotonic() < end:
        await asyncio.sleep(0.1)
    async with server.connect("?session=mine") as socket:
        ctx.match(json.loads(await socket.recv()), {"new": True, "lastId": 0}, "it did not wait for ever")
