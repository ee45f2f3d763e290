"""A cancelled action leaves nothing behind: no script continues, no page loads later."""
import asyncio
import json
import signal
import threading
import time

from answers import Site, page
from faults import Talk, board, wait_for
from processes import SLOWNESS
from served import ask, hear, served

BROWSER = "any"
SOON = 1 + SLOWNESS


def run(ctx):
    held = threading.Event()
    arrived = threading.Event()

    def late():
        arrived.set()
        held.wait(30)
        return page("<title>Late</title>")

    site = Site(ctx, {"/": page("<title>First</title><p>first"), "/late": late})
    ctx.at_end.append(held.set)
    with served(ctx, "--screenshots", "none") as server:
        asyncio.run(cancel(ctx, server, site, arrived, held))
    terminate(ctx)


async def cancelled(ctx, socket, what, begun, **action):
    """Cancels the action after begun() returns true."""
    await socket.send(json.dumps(action))
    await begun()
    await socket.send(json.dumps({"kind": "cancel"}))
    ctx.match(await hear(socket), {"success": False, "errorCode": "CANCELLED"}, what)


async def soon(ctx, socket, what, expression, result):
    began = time.monotonic()
    ctx.match(await ask(socket, type="evaluate", expression=expression, timeout=8000),
              {"success": True, "result": result, "recovered": False}, what)
    took = time.monotonic() - began
    ctx.expect(took < SOON, f"{what}: it took {took:.2f} s")


async def cancel(ctx, server, site, arrived, held):
    async with server.connect() as socket:
        ctx.match(await ask(socket, type="start", url=site.url), {"success": True}, "start")

        async def looping():
            while not await spins():
                await asyncio.sleep(0.02)

        async def spins():
            return any(path == "/spins" for _, path, _ in site.requests)

        await cancelled(ctx, socket, "an endless script", looping, type="evaluate", timeout=20000,
                        expression="const ask = new XMLHttpRequest(); ask.open('GET', '/spins', false);"
                                   "try { ask.send(); } catch {} for (;;) ;")
        await soon(ctx, socket, "behind the script", "6 * 7", 42)

        await cancelled(ctx, socket, "a navigation", lambda: asyncio.to_thread(arrived.wait, 20),
                        type="navigate", url=site.url + "/late", timeout=20000)
        await soon(ctx, socket, "behind the navigation", "document.title", "First")
        held.set()
        # By now, any late effect would have occurred.
        await soon(ctx, socket, "once the server answers",
                   "fetch('/').then(() => new Promise((done) => setTimeout(done, 300, document.title)))", "First")


def terminate(ctx):
    """SIGTERM during an action cancels it as well."""
    talk = Talk(ctx)
    talk.start(board(ctx))
    talk.send("evaluate", expression="fetch('/count?name=runs').then(() => new Promise(() => {}))", timeout=70000)
    wait_for(ctx, "runs")
    talk.process.signal(signal.SIGTERM)
    ctx.match(talk.process.line(20), {"success": False, "errorCode": "CANCELLED",
                                      "error": {"$regex": "interrupted"}}, "SIGTERM")
    talk.process.wait()
