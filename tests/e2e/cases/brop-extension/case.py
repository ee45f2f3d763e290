"""The extension's port: welcome, commands, pings, a second one, its end under commands; which backend serves."""
import asyncio
import contextlib
import json
import subprocess

from broped import broped, websockets
from processes import SLOWNESS

BROWSER = "any"
ORIGIN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
NONE = "Chrome extension not connected"


def run(ctx):
    for backend in ("runner", "extension"):
        with broped(ctx, "--brop-extension=0", "--brop-backend", backend) as brop:
            asyncio.run(talk(ctx, brop, backend))
    for args, word in ((["--brop-extension=0"], "need --brop"), (["--brop=0", "--brop-backend", "extension"], "needs --brop-extension"),
                       (["--brop=0", "--brop-backend", "x"], "brop-backend")):
        done = subprocess.run([ctx.options.binary, "serve", *args], capture_output=True, text=True, timeout=20, env=ctx.environment)
        ctx.expect(done.returncode == 2 and word in done.stderr, f"{args}: {done}")


async def hear(socket):
    return json.loads(await asyncio.wait_for(socket.recv(), 10 * SLOWNESS))


@contextlib.asynccontextmanager
async def extension(ctx, brop):
    async with websockets.connect(brop.extension_url, origin=ORIGIN, max_size=None) as socket:
        ctx.match(await hear(socket), {"type": "welcome", "timestamp": {"$gt": 0}}, "welcome")
        yield socket


async def talk(ctx, brop, backend):
    other = {"backend": "extension"} if backend == "runner" else {}
    async with brop.client() as client, brop.client() as second:
        reply = await client.raw("list_tabs", other)
        ctx.expect(not reply["success"] and reply["error"] == NONE, f"without an extension: {reply}")
        ctx.match(await client.ask("get_server_status"), {"backend": backend, "extension_connected": False}, "status")
        async with extension(ctx, brop) as socket:
            ctx.match(await client.ask("get_server_status"), {"extension_connected": True}, "status with an extension")
            await socket.send(json.dumps({"type": "ping", "timestamp": 5}))
            ctx.match(await hear(socket), {"type": "pong", "originalTimestamp": 5, "timestamp": {"$gt": 5}}, "pong")
            # Two clients with the same id; answers in the other order.
            asked = [asyncio.ensure_future(peer.raw("click", {"tabId": 123, "selector": name, **other}))
                     for peer, name in ((client, "a"), (second, "b"))]
            commands = {}
            for _ in range(2):
                command = await hear(socket)
                ctx.match(command, {"type": "brop_command", "method": "click", "params": {"tabId": 123}}, "a command")
                ctx.expect("backend" not in command["params"], f"params: {command}")
                commands[command["params"]["selector"]] = command["id"]
            ctx.expect(len(set(commands.values())) == 2, f"ids: {commands}")
            for name in ("b", "a"):
                await socket.send(json.dumps({"type": "response", "id": commands[name], "success": True, "result": {"name": name}}))
            await socket.send(json.dumps({"type": "response", "id": "ext_999", "success": True}))
            await socket.send(json.dumps({"type": "cdp_event", "method": "x"}))
            await socket.send("no JSON")
            for future, name in zip(asked, ("a", "b")):
                ctx.match(await asyncio.wait_for(future, 10 * SLOWNESS), {"type": "response", "success": True, "result": {"name": name}}, name)
            # The browser of the server is there as well.
            made = await client.raw("create_tab", {"url": ctx.origin + "/shop/", "backend": "runner"})
            ctx.match(made, {"success": True, "result": {"tabId": 1}}, "the runner's own tab")
            await client.raw("close_tab", {"tabId": 1, "backend": "runner"})
            ctx.match(await client.raw("list_tabs", {"backend": "nobody"}), {"success": False, "error": {"$regex": "Unknown backend"}}, "a backend")
            # A second extension, and none of a page.
            async with websockets.connect(brop.extension_url, origin=ORIGIN) as late:
                await asyncio.wait_for(late.wait_closed(), 10 * SLOWNESS)
                ctx.expect((late.close_code, late.close_reason) == (1000, "Extension already connected"), f"{late.close_code} {late.close_reason}")
            try:
                async with websockets.connect(brop.extension_url, origin="https://evil.example"):
                    ctx.expect(False, "a page was let in")
            except websockets.exceptions.InvalidStatusCode as error:
                ctx.expect(error.status_code == 403, f"a page: {error}")
            waiting = [asyncio.ensure_future(client.raw("get_element", {"tabId": 5, "selector": "a", **other})) for _ in range(3)]
            for _ in waiting:
                await hear(socket)
        for future in waiting:
            ctx.match(await asyncio.wait_for(future, 10 * SLOWNESS), {"success": False, "error": NONE}, "it has gone")
        async with extension(ctx, brop):
            ctx.match(await client.ask("get_server_status"), {"extension_connected": True}, "it is back")
