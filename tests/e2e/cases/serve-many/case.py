"""200 sessions, 20 at a time, some with a page; a client that does not read; the end: others are not disturbed, memory is
released."""
import asyncio
import json
import signal
import socket as sockets
import time

from processes import SLOWNESS
from served import ask, hear, served, websockets

BROWSER = "any"


SESSIONS, AT_A_TIME = 200, 20
# A page is a window, of which Chrome opens only a few a second.
PAGES, PAGES_AT_A_TIME = 16, 4


def run(ctx):
    with served(ctx, "--screenshots", "none") as server:
        asyncio.run(many(ctx, server))
        asyncio.run(deaf(ctx, server))
        asyncio.run(end(ctx, server))


async def without_page(ctx, server, number):
    async with server.connect() as socket:
        await socket.recv()
        answer = await ask(socket, type="logs", label=f"{number}")
        ctx.expect(answer["success"] and answer.get("label") == f"{number}", f"{number}: {str(answer)[:300]}")


async def with_page(ctx, server, number):
    async with server.connect() as socket:
        await socket.recv()
        answer = await ask(socket, type="start", url=ctx.origin + "/")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        answer = await ask(socket, type="evaluate", expression=f"{number}")
        ctx.expect(answer.get("result") == number, f"{number}: {answer.get('result')}")


async def each(one, ctx, server, count, at_a_time):
    gate = asyncio.Semaphore(at_a_time)

    async def gated(number):
        async with gate:
            await one(ctx, server, number)

    await asyncio.gather(*(gated(i) for i in range(count)))


async def many(ctx, server):
    await each(with_page, ctx, server, PAGES_AT_A_TIME, PAGES_AT_A_TIME)
    await each(without_page, ctx, server, SESSIONS // 4, AT_A_TIME)
    before = server.memory()
    await each(without_page, ctx, server, SESSIONS, AT_A_TIME)
    await each(with_page, ctx, server, PAGES, PAGES_AT_A_TIME)
    _, text = server.get("/metrics")
    end_at = time.monotonic() + 10 * SLOWNESS
    while "browser_runner_sessions 0" not in text and time.monotonic() < end_at:
        await asyncio.sleep(0.1)
        _, text = server.get("/metrics")
    ctx.expect("browser_runner_sessions 0" in text, "sessions are left")
    ctx.expect("browser_runner_browser_starts_total 1" in text, "it is one browser for all")
    grown = server.memory() - before
    ctx.expect(grown < 24e6, f"the server has grown by {grown / 1e6:.1f} MB")


async def deaf(ctx, server):
    """A client that requests pictures and reads none of them."""
    host, port = server.url.split("//")[1].split("/")[0].split(":")
    raw = sockets.create_connection((host, int(port)))
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    deaf_socket = await websockets.connect(server.url, sock=raw, max_size=None, max_queue=1)
    await deaf_socket.send(json.dumps({"type": "start", "url": ctx.origin + "/shop/"}))
    for _ in range(40):
        await deaf_socket.send(json.dumps({"type": "screenshot", "format": "png", "maxEdge": 0, "maxPixels": 0}))
    async with server.connect() as socket:
        await socket.recv()
        await ask(socket, type="start", url=ctx.origin + "/")
        for i in range(10):
            ctx.match(await ask(socket, type="evaluate", expression=str(i)), {"result": i}, "beside")
    deaf_socket.transport.abort()
    raw.close()


async def end(ctx, server):
    async with server.connect() as socket:
        await socket.recv()
        await ask(socket, type="start", url=ctx.origin + "/")
        await socket.send(json.dumps({"type": "wait", "ms": 60000, "timeout": 70000}))
        await asyncio.sleep(0.3)
        server.process.signal(signal.SIGTERM)
        server.process.was_told_to_end = True
        try:
            while True:
                await hear(socket, "nothing", 15)
        except websockets.exceptions.ConnectionClosed as error:
            ctx.expect(error.code == 1001, f"at the end of the server: {error}")
