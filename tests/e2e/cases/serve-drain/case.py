"""SIGTERM: no client is accepted any more, what runs is answered, clients are closed with 1001; a second one ends at once."""
import asyncio
import errno
import json
import os
import pty
import signal
import socket

import broped
from endpoint import Client
from faults import arrived, until
from harness import Skip
from processes import SLOWNESS
from served import ask, hear, websockets
from serviced import Manager, ended

BROWSER = "any"

OPTIONS = ("--temp-profile", "--screenshots", "none", "--progress")


def run(ctx):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    asyncio.run(drain(ctx))
    asyncio.run(cancel(ctx))
    hang_up(ctx)


async def begin(ctx, url):
    """A client with a session."""
    client = await websockets.connect(url, max_size=None)
    await client.recv()
    ctx.match(await ask(client, type="start", url=ctx.origin + "/"), {"success": True}, "the start")
    return client


async def wait_there(client, ms):
    """Has an action run that takes so long."""
    await client.send(json.dumps({"type": "wait", "ms": ms, "timeout": ms + 10000}))
    await hear(client, "progress")


async def code_of_end(client):
    try:
        while True:
            await asyncio.wait_for(client.recv(), 30 * SLOWNESS)
    except websockets.exceptions.ConnectionClosed as end:
        return end.code


async def begin_brop(ctx, url, name, ms):
    """A client of BROP, and its command that waits for an answer of the web server."""
    client = broped.Client(await websockets.connect(url, max_size=None))
    tab = (await client.ask("create_tab", url=ctx.origin + "/"))["tabId"]
    command = asyncio.ensure_future(client.raw("evaluate_js", {
        "tabId": tab, "code": f"fetch('/count?name={name}&ms={ms}').then((answer) => answer.json())", "timeout": 90000}))
    while not arrived(ctx, name):
        ctx.match(await command if command.done() else None, None, "a command of BROP that has to run")
        await asyncio.sleep(0.02)
    return client, command


async def drain(ctx):
    """Sockets of a service manager: what runs ends, whoever comes meanwhile waits for the next start."""
    with Manager(ctx) as manager:
        ports = {name: manager.listen(name) for name in ("actions", "brop", "cdp", "debug-bridge", "console-bridge")}
        process = manager.start("--all", *OPTIONS, *ctx.browser_args())
        manager.hear()
        client = await begin(ctx, f"ws://127.0.0.1:{ports['actions']}/actions")
        idle = await begin(ctx, f"ws://127.0.0.1:{ports['actions']}/actions")
        others = [await websockets.connect(f"ws://127.0.0.1:{ports['debug-bridge']}/debug?role=app&sessionId=a"),
                  await websockets.connect(f"ws://127.0.0.1:{ports['console-bridge']}/")]
        devtools = Client(await websockets.connect(f"ws://127.0.0.1:{ports['cdp']}/devtools/browser/x", ping_interval=None))
        await devtools.call("Browser.getVersion")
        brop, command = await begin_brop(ctx, f"ws://127.0.0.1:{ports['brop']}", "drained", 2000)
        await wait_there(client, 2000)
        process.signal(signal.SIGTERM)
        told = manager.hear()
        ctx.expect(told.get("STOPPING") == "1", f"{told}")
        ctx.match(await hear(client), {"type": "wait", "success": True}, "what ran")
        ctx.match(await command, {"success": True, "result": {"result": {"count": 1}}}, "a command of BROP that ran")
        late = socket.create_connection(("127.0.0.1", ports["actions"]), 20 * SLOWNESS)
        codes = [await code_of_end(each) for each in (client, idle, *others)]
        await brop.reader
        codes.append(brop.socket.close_code)
        ctx.expect(codes == [1001] * 5, f"closed with {codes}")
        code, _ = await devtools.end()
        ctx.expect(code == 1001, f"a client of cdp was closed with {code}")
        ended(ctx, process)
        opened = next(opened for name, opened in manager.sockets if name == "actions")
        opened.settimeout(20 * SLOWNESS)
        accepted, _ = opened.accept()
        ctx.expect(accepted.getpeername() == late.getsockname(), "another client was in the queue")
        accepted.close()
        late.close()


def is_refused(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED


async def cancel(ctx):
    """Sockets of its own: they are closed at once, and what takes too long is cancelled, and answered."""
    for is_hasty in (False, True):
        process = ctx.start(["serve", "--actions=0", "--brop=0", *OPTIONS, *ctx.browser_args()])
        url = process.line()["url"]
        client = await begin(ctx, url)
        brop, command = await begin_brop(ctx, process.line()["url"], f"cancelled-{is_hasty}", 60000)
        await wait_there(client, 60000)
        process.signal(signal.SIGTERM)
        until(lambda: is_refused(int(url.split(":")[2].split("/")[0])), "no client is accepted any more")
        if is_hasty:
            process.signal(signal.SIGHUP)
            process.signal(signal.SIGTERM)
            ended(ctx, process, 130)
        else:
            ctx.match(await hear(client), {"type": "wait", "success": False, "errorCode": "CANCELLED"}, "what ran too long")
            ctx.match(await command, {"success": False, "error": {"$regex": "."}}, "a command of BROP that ran too long")
            await brop.reader
            codes = [await code_of_end(client), brop.socket.close_code]
            ctx.expect(codes == [1001] * 2, f"closed with {codes}")
            ended(ctx, process)
        for socket_of in (client, brop.socket):
            await socket_of.close()
        command.cancel()
        await asyncio.gather(brop.reader, command, return_exceptions=True)


def hang_up(ctx):
    """A server in a terminal ends with it, by SIGHUP from a process it does not."""
    outer, inner = pty.openpty()
    process = ctx.start(["serve", "--debug-bridge=0"], stdin=inner, start_new_session=True,
                        preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)))
    os.close(inner)
    process.line()
    process.signal(signal.SIGHUP)
    until(lambda: b"no file to read again" in process.stderr, "SIGHUP of a process")
    os.close(outer)
    ended(ctx, process)
