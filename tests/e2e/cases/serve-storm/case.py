"""All servers at once, with rules and without: clients of every kind connect, command, cancel and disconnect while four others
ask for /metrics and /health. Each answer comes within its limit, or the stacks of the server's threads are printed; then
memory and descriptors are as before. E2E_STORM_SECONDS: duration of both parts together."""
import asyncio
import collections
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
from processes import SLOWNESS
from served import hear

TIER = "long"
SECONDS = float(os.environ.get("E2E_STORM_SECONDS", 120))
TIME_LIMIT = SECONDS + 360

ANSWER_S, PAGE_S = 20, 45  # limits of an answer, and of one that opens or closes a page
SERVERS = ("--actions=0", "--debug-bridge=0", "--console-bridge=0", "--brop=0", "--all", "--screenshots", "none")
MAX_GROWTH = 40e6


class Overdue(Exception):
    """An answer did not come within its limit."""


class Storm:
    def __init__(self, ctx, served, seconds):
        self.ctx, self.served = ctx, served
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
                                    + runner.stacks([self.served.process.pid]))
            raise Overdue(what) from None
        self.counts[what] += 1
        self.worst[what] = max(self.worst[what], time.monotonic() - began)
        return result

    def connect(self, url):
        return websockets.connect(url, max_size=None, ping_interval=None, open_timeout=ANSWER_S * SLOWNESS,
                                  close_timeout=ANSWER_S * SLOWNESS)

    def state(self):
        """Returns memory in bytes, descriptors and threads."""
        place = f"/proc/{self.served.process.pid}"
        return self.served.memory(), len(os.listdir(place + "/fd")), len(os.listdir(place + "/task"))

    async def get(self, url, path):
        """Returns the whole answer to a GET."""
        place = urlsplit(url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            return (await reader.read()).decode()
        finally:
            writer.close()

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
        for visit in (self.run_actions, self.run_brop, self.run_cdp, self.run_bridge, self.run_console):
            await self.within("a first visit", 2 * PAGE_S, visit())
        await self.rest()
        before = self.state()
        self.end_at = time.monotonic() + self.seconds
        clients = 3 * [self.run_actions] + 2 * [self.run_brop] + 2 * [self.run_cdp] + 2 * [self.run_bridge]
        clients += 2 * [self.run_console] + 4 * [self.ask_for_pages]
        await asyncio.gather(*(self.repeat(visit) for visit in clients))
        if not self.overdue:
            await self.rest()
        after = self.state()
        for problem in self.overdue:
            self.ctx.expect(False, problem)
        print(f"{dict(self.counts)}\nlongest: { {what: round(s, 2) for what, s in self.worst.items()} }\n"
              f"memory, descriptors, threads: {before} before, {after} after")
        self.ctx.expect(self.counts["GET /metrics"] > 0 and self.counts["start"] > 1, "nothing happened")
        self.ctx.expect(after[0] - before[0] < MAX_GROWTH, f"memory has grown by {(after[0] - before[0]) / 1e6:.1f} MB")
        self.ctx.expect(after[1] <= before[1] + 4, f"{before[1]} descriptors before, {after[1]} after")


def run(ctx):
    for rules in ((), ("--deny", "private", "--allow", "127.0.0.1")):
        with endpoint(ctx, *SERVERS, *rules) as served:
            while len(served.urls) < 5:
                line = served.process.line(20)
                served.urls[line["server"]] = line["url"]
            asyncio.run(Storm(ctx, served, SECONDS / 2).run())
