"""A thousand clients come and go in every way: what is in Chrome afterwards (contexts, targets, sessions) is what was there
before, counted at its own port, and the server's memory and descriptors are back."""
import asyncio
import json
import os
import socket
import struct

from endpoint import Client, observed, websockets
from processes import SLOWNESS

VISITS, WARM_UP, AT_ONCE = 1000, 100, 6
GROWTH = 12_000_000  # bytes: less than 14 kB a client
TIME_LIMIT = 400
TIER = "long"
OWN, PROFILE = "/devtools/browser/x", "/devtools/browser/x?context=profile"
HANDSHAKE = (b"GET /devtools/browser/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
AUTO = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


def run(ctx):
    with observed(ctx) as (served, observer):
        asyncio.run(visit_all(ctx, served, observer))


async def visit_all(ctx, served, observer):
    async with served.client() as stays:
        session = await stays.attach((await stays.pages())[0]["targetId"])
        before = await count_with_ahead(observer)
        await visit(served, range(WARM_UP))
        await until_as(ctx, served, observer, before, "warm up")
        memory, descriptors = served.memory(), count_descriptors(served)
        await visit(served, range(WARM_UP, VISITS))
        ctx.expect(await stays.evaluate(session, "6 * 7") == 42, "a client that stays")
        await until_as(ctx, served, observer, before, "the end")
        ctx.expect(count_descriptors(served) <= descriptors, f"{count_descriptors(served)} descriptors, {descriptors} before")
        ctx.expect(served.memory() < memory + GROWTH, f"{served.memory()} bytes, {memory} before")


async def count(observer):
    """Contexts and targets of all kinds, by whether somebody is attached to them."""
    async with websockets.connect(observer.url, max_size=None, ping_interval=None) as connection:
        client = Client(connection)
        contexts = (await client.call("Target.getBrowserContexts"))["browserContextIds"]
        targets = (await client.call("Target.getTargets", filter=[{}]))["targetInfos"]
        client.reader.cancel()
    return len(contexts), sorted((target["type"], target["attached"]) for target in targets)


async def count_with_ahead(observer):
    """The same when there are two contexts: that of the client that stays, and the one made ahead of the next."""
    end = asyncio.get_running_loop().time() + 20 * SLOWNESS
    while True:
        found = await count(observer)
        if found[0] == 2 or asyncio.get_running_loop().time() > end:
            return found
        await asyncio.sleep(0.1)


def count_descriptors(served):
    return len(os.listdir(f"/proc/{served.process.pid}/fd"))


async def until_as(ctx, served, observer, wanted, what):
    end = asyncio.get_running_loop().time() + 60 * SLOWNESS
    while True:
        found = await count(observer)
        connections = json.loads(served.fetch("/health")[2])["connections"]
        if found == wanted and connections <= 2:
            return
        if asyncio.get_running_loop().time() > end:
            raise AssertionError(f"{what}: Chrome has {found}, had {wanted}; {connections} connections")
        await asyncio.sleep(0.1)


async def visit(served, numbers):
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number):
        async with gate:
            if number % 10 < 4:
                await half_visit(served, number % 10)
            else:
                await whole_visit(served, number % 10)
    await asyncio.gather(*(one(number) for number in numbers))


async def half_visit(served, kind):
    """Gone before it is let in."""
    raw = socket.create_connection(served.url[len("http://"):].split(":"))
    raw.sendall(HANDSHAKE[:60] if kind < 2 else HANDSHAKE)
    if kind % 2:
        reset(raw)
    raw.close()


def reset(raw):
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def whole_visit(served, kind):
    path = PROFILE if kind in (4, 5, 9) else OWN
    connection = await websockets.connect(served.websocket + path, max_size=None, ping_interval=None)
    client = Client(connection)
    await client.call("Browser.getVersion")
    if kind in (5, 8):
        await client.call("Target.setAutoAttach", **AUTO)
    if kind in (7, 9):
        context = await client.call("Target.createBrowserContext", disposeOnDetach=True)
        await client.call("Target.createTarget", url="about:blank", **context)
    if kind == 8:  # it waits at its start, for nobody
        await client.send("Target.createTarget", url="about:blank")
        await client.event("Target.attachedToTarget")
    client.reader.cancel()
    if kind in (4, 6):
        await connection.close()
    else:
        reset(connection.transport.get_extra_info("socket"))
        connection.transport.abort()
