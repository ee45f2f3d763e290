"""All servers at once, with rules and without: clients of every kind connect, command, cancel and disconnect while four others
ask for /metrics and /health; beside them MCP and its daemon. Each answer comes within its limit, or the stacks of the servers'
threads are printed; then memory and descriptors are as before. E2E_STORM_SECONDS: duration of both parts together."""
import asyncio
import collections
import contextlib
import json
import os
import random
import time
from urllib.parse import urlsplit

import runner
from bridged import App, Bridge
from broped import Client as BropClient
from consoled import called
from endpoint import endpoint, websockets
from mcped import MODERN
from processes import SLOWNESS
from served import hear
from warm import warm_sessions

TIER = "long"
SECONDS = float(os.environ.get("E2E_STORM_SECONDS", 120))
TIME_LIMIT = 1200

ANSWER_S, PAGE_S = 20, 45  # limits of an answer, and of one that opens or closes a page
SERVERS = ("--actions=0", "--debug-bridge=0", "--console-bridge=0", "--brop=0", "--http=0", "--all",
           "--screenshots", "none")
MAX_GROWTH = 40e6
MORE_DESCRIPTORS = 4 + 2 * 6  # Chrome keeps up to 6 connections to a host, which pass through the server if there are rules


class Overdue(Exception):
    """An answer did not come within its limit."""


class Storm:
    def __init__(self, ctx, served, mcp, warm, seconds):
        self.ctx, self.served, self.mcp, self.warm = ctx, served, mcp, warm
        self.processes = {"serve": served.process.pid, "mcp": mcp.pid}
        self.seed = int(os.environ.get("E2E_SEED", random.randrange(10**6)))
        self.random = random.Random(self.seed)
        self.seconds, self.end_at = seconds, None
        self.counts, self.worst, self.overdue = collections.Counter(), collections.Counter(), []

    def goes_on(self):
        return not self.overdue and time.monotonic() < self.end_at

    async def within(self, what, seconds, answer):
        began = time.monotonic()
        try:
            result = await asyncio.wait_for(answer, seconds * SLOWNESS)
        except asyncio.TimeoutError:
            if not self.overdue:
                self.overdue.append(f"{what}: no answer within {seconds * SLOWNESS:.0f} s (seed {self.seed})\n"
                                    + runner.stacks(list(self.processes.values())))
            raise Overdue(what) from None
        self.counts[what] += 1
        self.worst[what] = max(self.worst[what], time.monotonic() - began)
        return result

    def connect(self, url):
        return websockets.connect(url, max_size=None, ping_interval=None, open_timeout=ANSWER_S * SLOWNESS,
                                  close_timeout=ANSWER_S * SLOWNESS)

    def states(self):
        """Returns memory in bytes, descriptors and threads of each process."""
        def state(pid):
            with open(f"/proc/{pid}/status") as status:
                memory = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))
            return memory, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))
        return {name: state(pid) for name, pid in self.processes.items()}

    async def request(self, url, head, body="", is_left=False):
        """Returns the whole answer; is_left: closes the connection after sending, and returns None."""
        place = urlsplit(url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            head += f"\r\nHost: {place.netloc}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write((head + body).encode())
            await writer.drain()
            if is_left:
                await asyncio.sleep(self.random.random())
                return writer.transport.abort()
            return (await reader.read()).decode()
        finally:
            writer.close()

    def get(self, url, path):
        return self.request(url, f"GET {path} HTTP/1.1")

    # Each of these is one visit of a client.

    async def ask_for_pages(self):
        name = self.random.choice(list(self.served.urls))
        path = self.random.choice(["/metrics", "/health"])
        text = await self.within(f"GET {path}", ANSWER_S, self.get(self.served.urls[name], path))
        self.ctx.expect(text.startswith("HTTP/1.1 200"), f"{path} of {name}: {text[:200]}")

    async def run_actions(self):
        async with self.connect(self.served.urls["actions"]) as socket:
            await self.within("session", ANSWER_S, socket.recv())

            async def ask(**action):
                await socket.send(json.dumps({"timeout": 15000 * SLOWNESS, **action}))
                return await self.within(action["type"], PAGE_S, hear(socket, seconds=10 * PAGE_S))

            answer = await ask(type="start", url=self.ctx.origin + "/counts")
            self.ctx.expect(answer["success"] or answer["errorCode"] == "TIMEOUT", f"start: {str(answer)[:300]}")
            number = self.random.randrange(10**6)
            answer = await ask(type="evaluate", expression=f"{number}")
            self.ctx.expect(answer.get("result") == number or not answer["success"], f"untrue: {str(answer)[:300]}")
            await socket.send(json.dumps({"type": "wait", "ms": 60000, "timeout": 70000}))
            if self.random.random() < 0.5:
                return socket.transport.abort()
            await socket.send('{"kind":"cancel","id":3}')
            answer = await self.within("cancel", ANSWER_S, hear(socket, seconds=10 * PAGE_S))
            self.ctx.expect(answer.get("errorCode") == "CANCELLED", f"cancel: {str(answer)[:300]}")

    async def run_brop(self):
        async with self.connect(self.served.urls["brop"] + "?name=storm") as socket:
            client = BropClient(socket)
            try:
                made = await self.within("create_tab", PAGE_S, client.raw("create_tab", {"url": self.ctx.origin + "/counts"}))
                if made["success"]:
                    tab = made["result"]["tabId"]
                    await self.within("evaluate_js", PAGE_S, client.raw("evaluate_js", {"tabId": tab, "code": "6 * 7"}))
                    await self.within("close_tab", PAGE_S, client.raw("close_tab", {"tabId": tab}))
                if self.random.random() < 0.5:
                    await socket.send(json.dumps({"id": 99, "method": "list_tabs"}))
                    socket.transport.abort()
            finally:
                client.reader.cancel()

    async def run_cdp(self):
        async with self.served.client() as client:
            made = await self.within("createTarget", PAGE_S, client.ask("Target.createTarget", url="about:blank"))
            if "result" in made:
                attached = await self.within("attach", ANSWER_S, client.ask(
                    "Target.attachToTarget", targetId=made["result"]["targetId"], flatten=True))
                if "result" in attached:
                    await self.within("Runtime.evaluate", ANSWER_S, client.ask(
                        "Runtime.evaluate", attached["result"]["sessionId"], expression="6 * 7"))
                else:
                    self.counts[f"attach: {attached['error']['message']}"] += 1
            if self.random.random() < 0.5:
                await client.send("Target.getTargets")
                client.socket.transport.abort()

    async def run_bridge(self):
        session = f"s{self.random.randrange(3)}"
        bridge = Bridge(self.ctx, self.served.process, self.served.urls["debug-bridge"])

        def answer(command):
            return [{"type": "command_result", "requestId": command["requestId"], "success": True}]

        async def result(agent):
            while json.loads(await agent.recv()).get("type") != "command_result":
                pass

        app_id = f"app{self.random.randrange(10**6)}"
        async with App(bridge, session, app_id, answer), bridge.connect("agent", session) as agent:
            await agent.send(json.dumps({"type": "focus", "requestId": "1", "appId": app_id}))
            await self.within("command", ANSWER_S, result(agent))
            if self.random.random() < 0.5:
                agent.transport.abort()

    async def run_console(self):
        async with self.connect(self.served.urls["console-bridge"]) as socket:
            for number in range(self.random.randrange(1, 50)):
                await socket.send(called("log", f"storm {number}"))
            if self.random.random() < 0.5:
                socket.transport.abort()

    async def run_batches(self):
        head = "POST /run HTTP/1.1\r\nContent-Type: application/json"
        batch = [{"type": "start", "url": self.ctx.origin + "/counts"}, {"type": "evaluate", "expression": "6 * 7"}]
        is_left = self.random.random() < 0.5
        answer = await self.within("POST /run", 2 * PAGE_S, self.request(self.served.urls["http"], head, json.dumps(batch), is_left))
        self.ctx.expect(is_left or '"result":42' in answer or "TIMEOUT" in answer, f"/run: {str(answer)[:600]}")

    async def call_tool(self, name, is_left=False, **arguments):
        """Returns the text of the answer."""
        head = ("POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                f"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {name}")
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                           "params": {"name": name, "arguments": arguments, "_meta": MODERN}})
        answer = await self.within(name, 2 * PAGE_S, self.request(self.mcp.url, head, body, is_left))
        return None if is_left else json.loads(answer[answer.index('{"'):])["result"]["content"][0]["text"]

    async def run_tools(self):
        text = await self.call_tool("browser_open", url=self.ctx.origin + "/counts")
        if "\nsession " not in text:
            self.ctx.expect("TIMEOUT" in text, f"browser_open: {text[:300]}")
            return
        session = text.rsplit("session ", 1)[1].strip()
        await self.call_tool("browser_evaluate", session=session, expression="new Promise(() => {})", is_left=True)
        text = await self.call_tool("browser_evaluate", session=session, expression="6 * 7")
        self.ctx.expect("42" in text or "TIMEOUT" in text, f"browser_evaluate: {text[:300]}")
        await self.call_tool("browser_close", session=session)

    async def repeat(self, visit):
        while self.goes_on():
            try:
                await visit()
            except (websockets.exceptions.ConnectionClosed, ConnectionError, asyncio.IncompleteReadError) as error:
                self.counts[f"{visit.__name__}: {type(error).__name__}"] += 1
            except Overdue:
                return
            await asyncio.sleep(0.01)

    async def rest(self):
        """Waits until no session is open."""
        text, end_at = "", time.monotonic() + PAGE_S * SLOWNESS
        while "browser_runner_sessions 0\n" not in text and time.monotonic() < end_at:
            text = await self.within("GET /metrics at the end", ANSWER_S, self.get(self.served.urls["actions"], "/metrics"))
            await asyncio.sleep(0.1)
        self.ctx.expect("browser_runner_sessions 0\n" in text, f"sessions are left: {text[-1500:]}")

    async def run(self):
        for visit in (self.run_actions, self.run_brop, self.run_cdp, self.run_bridge, self.run_console, self.run_batches,
                      self.run_tools):
            await self.within("a first visit", 2 * PAGE_S, visit())
        await self.rest()
        self.processes["daemon"] = self.warm.daemon()
        before = self.states()
        self.end_at = time.monotonic() + self.seconds
        clients = 3 * [self.run_actions] + 2 * [self.run_brop] + 2 * [self.run_cdp] + 2 * [self.run_bridge]
        clients += 2 * [self.run_console] + [self.run_batches] + 2 * [self.run_tools] + 4 * [self.ask_for_pages]
        await asyncio.gather(*(self.repeat(visit) for visit in clients))
        if not self.overdue:
            await self.rest()
        after = self.states()
        for problem in self.overdue:
            self.ctx.expect(False, problem)
        print(f"{dict(self.counts)}\nlongest: { {what: round(s, 2) for what, s in self.worst.items()} }\n"
              f"memory, descriptors, threads: {before} before, {after} after")
        self.ctx.expect(self.counts["GET /metrics"] > 0 and self.counts["start"] > 1, "nothing happened")
        for name, (memory, descriptors, _) in after.items():
            growth, had = memory - before[name][0], before[name][1]
            self.ctx.expect(growth < MAX_GROWTH, f"{name}: memory has grown by {growth / 1e6:.1f} MB")
            self.ctx.expect(descriptors <= had + MORE_DESCRIPTORS, f"{name}: {had} descriptors before, {descriptors} after")


@contextlib.contextmanager
def mcp_server(ctx, warm, *rules):
    process = warm.begin("mcp", "--http=0", "--temp-profile", *ctx.browser_args(), *rules)
    process.url = json.loads(process.stdout.readline())["url"]
    try:
        yield process
    finally:
        process.terminate()
        answer = warm.end(process)
        ctx.expect(answer.exit == 0, f"mcp ended with {answer.exit}: {answer.err[-600:]}")


def run(ctx):
    for rules in ((), ("--deny", "private", "--allow", "127.0.0.1")):
        with warm_sessions(ctx) as warm, mcp_server(ctx, warm, *rules) as mcp, endpoint(ctx, *SERVERS, *rules) as served:
            while len(served.urls) < 6:
                line = served.process.line(20)
                served.urls[line["server"]] = line["url"]
            asyncio.run(Storm(ctx, served, mcp, warm, SECONDS / 2).run())
