"""The unmodified npm client debug-bridge-browser 0.2.2, in the real browser and over our relay: every message of the
protocol in both directions, as the client actually uses them."""
import asyncio
import base64
import json
import urllib.parse

from bridge import agent_of, our_relay, requires, tab_of
from foreign import foreign_browser
from pictures import pixels_of

BROWSER = "any"

VERSION = "0.2.2"

# Telemetry: what causes it, how it is recognised, and its other members. Each has protocolVersion, sessionId, timestamp
# and, from the relay, appId and origin.
TOLD = [
    (None, "hello", {}, {"appName": "first", "appVersion": "1", "url": {"$regex": "/case/app.html"}}),
    (None, "capabilities", {}, {}),
    (None, "dom_snapshot", {}, {"html": {"$regex": "<button id=\"go\""}}),
    (None, "ui_tree", {}, {}),
    (None, "state_update", {"scope": "cart"}, {"state": {"count": 2}}),
    (None, "navigation", {"trigger": "initial"}, {}),
    ("console.log('said', {a: 1})", "console", {"level": "log"}, {"args": ["said", '{"a":1}']}),
    ("console.warn('warned')", "console", {"level": "warn"}, {"args": ["warned"]}),
    ("console.error('failed')", "console", {"level": "error"}, {"args": ["failed"]}),
    ("void setTimeout(() => { throw new TypeError('thrown') })", "error", {"errorType": "runtime"},
     {"message": {"$regex": "thrown"}}),
    ("void Promise.reject(new Error('rejected'))", "error", {"errorType": "unhandledrejection"}, {"message": "rejected"}),
    ("out.append('new'), 1", "dom_mutations", {}, {}),
    ("void fetch('/api/items?ms=0')", "network_request", {"method": "GET"}, {"url": {"$regex": "/api/items"}}),
    (None, "network_response", {"status": 200}, {"ok": True}),
    ("history.pushState(null, '', '?pushed')", "navigation", {"trigger": "pushstate"}, {"url": {"$regex": "pushed$"}}),
    ("bridge.sendState('route', {at: 1})", "state_update", {"scope": "route"}, {"state": {"at": 1}}),
]

# Commands with a command_result: members, the content of the result, the resulting state of the page.
DONE = [
    ("click", {"target": {"stableId": "go"}}, {"success": True}, "out.textContent === 'went'"),
    ("click", {"target": {"text": "Go", "role": "button"}}, {"success": True}, "true"),
    ("click", {"target": {"selector": "#none"}}, {"success": False, "error": {"code": "TARGET_NOT_FOUND"}}, "true"),
    ("type", {"target": {"stableId": "name"}, "text": "Ann", "options": {"clear": True}}, {"success": True},
     "document.getElementById('name').value === 'Ann'"),
    ("hover", {"target": {"selector": "#go"}}, {"success": True}, "hovered"),
    ("select", {"target": {"stableId": "fruit"}, "value": "p", "options": {"value": "p"}}, {"success": True}, "fruit.value === 'p'"),
    ("focus", {"target": {"stableId": "name"}}, {"success": True}, "document.activeElement.id === 'name'"),
    ("scroll", {"x": 0, "y": 0, "options": {"x": 0, "y": 0}}, {"success": True}, "scrollY === 0"),
    ("evaluate", {"code": "1 + 1"}, {"success": True, "result": 2}, "true"),
    ("evaluate", {"code": "nothing.at.all"}, {"success": False}, "true"),
    ("no_such_command", {}, {"success": False, "error": {"code": "INVALID_COMMAND"}}, "true"),
]

# Commands that the client answers only with data.
ASKED = [
    ("request_ui_tree", {}, "ui_tree"),
    ("request_dom_snapshot", {}, "dom_snapshot"),
    ("request_screenshot", {}, "screenshot"),
]


async def check_told(ctx, agent, tab):
    since = 0
    for code, kind, members, pattern in TOLD:
        if code:
            since = len(agent.heard)
            await tab.evaluate(code)
        message = await agent.hear(kind, since=since, **members)
        ctx.match(message, pattern, f"{kind} {members}")
        ctx.match(message, {"protocolVersion": 1, "sessionId": "npm", "origin": "app", "appId": {"$regex": "."}},
                  f"the envelope of {kind}")


async def check_asked(ctx, agent, tab):
    for kind, members, result, truth in DONE:
        ctx.match(await agent.ask(kind, **members), {"requestType": kind, **result}, f"{kind} {members}")
        ctx.expect(await tab.evaluate(truth) is True, f"{kind} {members}: not {truth}")
    for kind, members, told in ASKED:
        await agent.send(kind, requestId=kind, **members)
        message = await agent.hear(told, 30, requestId=kind)
        if told == "screenshot":
            head, data = message["data"].split(",")
            _, _, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(data))
            ctx.expect(head == "data:image/png;base64" and pixel(50, 50) == (0, 128, 0), f"{head}: {pixel(50, 50)}")
    since = len(agent.heard)
    await agent.send("request_state", requestId="state", scope="cart")
    ctx.match(await agent.hear("state_update", since=since, scope="cart"), {"state": {"count": 2}}, "request_state")


async def check_quiet(ctx, agent):
    """The client answers every message that it receives, also events and results: without a relay in between this would
    never end."""
    before = len(agent.heard)
    await asyncio.sleep(1)
    ctx.expect(len(agent.heard) - before < 5, f"{len(agent.heard) - before} messages in a second of silence: "
               f"{[m['type'] for m in agent.heard[before:before + 9]]}")


async def check_two(ctx, agent, browser, page):
    """A second app without a role, as in the client's sample; commands by appId; an agent that joins later receives both."""
    first = (await agent.hear("hello", appName="first"))["appId"]
    since = len(agent.heard)
    async with tab_of(browser, page("second", bare=1)) as tab:
        second = (await agent.hear("hello", since=since, appName="second"))["appId"]
        ctx.expect(first != second, "both apps have one appId")
        ctx.match(await agent.hear("connection_event", since=since, event="app_connected"),
                  {"appId": second, "connectedApps": [first, second]}, "app_connected")
        for app, name in ((first, "first"), (second, "second")):
            ctx.match(await agent.ask("evaluate", appId=app, code="new URLSearchParams(location.search).get('name')"),
                      {"success": True, "appId": app}, f"evaluate in {name}")
        await agent.ask("click", appId=second, target={"stableId": "go"})
        ctx.expect(await tab.evaluate("out.textContent") == "went", "the second app was not clicked")
        async with agent_of(agent.url, "npm") as late:
            for name in ("first", "second"):
                await late.hear("hello", appName=name)
            ctx.expect([m["type"] for m in late.heard[:2]] == ["hello", "capabilities"], f"{[m['type'] for m in late.heard]}")
        await agent.send("navigate", appId=second, requestId="n", url="?relay=" + urllib.parse.quote(agent.url) + "&name=third")
        await agent.hear("hello", appName="third")
    await agent.hear("connection_event", event="app_disconnected", appId=second)


def run(ctx):
    requires(ctx)
    package = json.loads((ctx.dir.parents[2] / "widgets/node_modules/debug-bridge-browser/package.json").read_text())
    ctx.expect(package["version"] == VERSION, f"debug-bridge-browser is {package['version']}")

    async def check_all(relay, browser):
        def page(name, **more):
            return ctx.adapt("http://127.0.0.1:8765/case/app.html?") + urllib.parse.urlencode(
                {"relay": relay, "name": name, **more})
        async with agent_of(relay, "npm") as agent, tab_of(browser, page("first")) as tab:
            agent.url = relay
            await check_told(ctx, agent, tab)
            await check_asked(ctx, agent, tab)
            await check_quiet(ctx, agent)
            await check_two(ctx, agent, browser, page)
            ctx.expect(await tab.evaluate("lived.join()") == "connect", "the first app had to connect again")

    with our_relay(ctx, "--agent-rate", "0") as relay, foreign_browser(ctx) as browser:
        asyncio.run(check_all(relay, browser))
