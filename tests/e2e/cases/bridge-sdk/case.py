"""The browser SDK of debug-bridge in a page of another origin: what it reports, what it executes, what it never sends."""
import asyncio
import base64
import contextlib
import gzip
import json
import subprocess
import urllib.parse

from answers import Site
from bridge import NODES, agent_of, fetch, our_relay, reference_relay, requires, tab_of
from foreign import foreign_browser
from harness import ROOT, Failure
from pictures import pixels_of

BROWSER = "any"

MAX_MINIFIED = 21000
MAX_COMPRESSED = 9500
SECRETS = ("secret-attribute", "secret-typed", "4111-secret", "secret-balance", "secret-button", "secret-label", "secret-caption",
           "secret-gone")


def page(ctx, relay, sdk, waits=False, **config):
    query = {"relay": relay, "sdk": sdk, "config": json.dumps(config), **({"waits": "1"} if waits else {})}
    return ctx.adapt("http://127.0.0.1:8765/case/app.html?") + urllib.parse.urlencode(query)


def check_size(ctx, text):
    ctx.file("debug-bridge.mjs", text)
    done = subprocess.run(
        [NODES[0], ROOT / "tests/widgets/node_modules/terser/bin/terser", "-c", "-m", "--module", "debug-bridge.mjs"],
        cwd=ctx.work, capture_output=True, timeout=60)
    minified, compressed = len(done.stdout), len(gzip.compress(done.stdout, 9))
    ctx.expect(0 < minified < MAX_MINIFIED and compressed < MAX_COMPRESSED,
               f"minified it has {minified} bytes, compressed {compressed}: {done.stderr[-300:]}")


async def check_begin(ctx, agent):
    """hello, capabilities, and then the present state."""
    hello = await agent.hear("hello")
    ctx.match(hello, {"protocolVersion": 1, "sessionId": "s", "origin": "app", "appId": {"$regex": "^app-"},
                      "appName": "App", "appVersion": "1.2", "url": {"$regex": "/case/app.html"}}, "hello")
    tree = await agent.hear("ui_tree")
    mine = [message for message in agent.heard if message.get("origin") == "app"]
    ctx.expect([m["type"] for m in mine[:2]] == ["hello", "capabilities"], f"first {[m['type'] for m in mine]}")
    ctx.expect(set(mine[1]["capabilities"]) == {
        "dom_snapshot", "dom_mutations", "ui_tree", "ui_element_updates", "console", "errors", "screenshot",
        "custom_state"}, f"capabilities {mine[1]}")
    snapshot = await agent.hear("dom_snapshot")
    ctx.expect(snapshot["html"].startswith("<html") and 'id="green"' in snapshot["html"], "the snapshot is no page")
    ctx.match(await agent.hear("state_update"), {"scope": "cart", "state": {"count": "2"}}, "the first state")
    for message in mine:
        ctx.expect(message["appId"] == hello["appId"] and message["protocolVersion"] == 1 and
                   message["timestamp"] > 1.7e12, f"the envelope of {message['type']}")
    return tree["items"]


async def check_ids(ctx, agent, tab, items):
    named = {item["stableId"]: item for item in items}
    ctx.expect(len(named) == len(items), "ids come twice")
    for name in ("same", "same~2", "register", "button-Delete-0", "button-Delete-1", "button-React-0", "inner"):
        ctx.expect(name in named, f"no {name} among {sorted(named)}")
    ctx.expect("hidden" not in named, "what is hidden is in the tree")
    ctx.match(named.get("off", {}), {"disabled": True, "visible": True, "role": "button", "text": "Off"}, "off")
    ctx.match(named.get("agree", {}), {"role": "checkbox", "checked": False, "label": "I agree"}, "agree")
    ctx.match(named.get("name", {}), {"role": "textbox", "value": "", "label": "Your name",
                                      "meta": {"tagName": "input", "maxLength": 40}}, "name")
    for name, fruit in (("button-Delete-0", "Apple"), ("button-Delete-1", "Pear")):
        ctx.match(await agent.ask("click", target={"stableId": name}), {"success": True}, name)
        ctx.expect(await tab.evaluate("deleted") == fruit, f"{name} was not {fruit}'s")
    for item in items:
        if item["visible"] and not item["disabled"] and item["role"] == "button" and item["stableId"] != "covered":
            result = await agent.ask("click", target={"stableId": item["stableId"]})
            ctx.expect(result["success"], f"a click by id: {item['stableId']}: {result}")
    ctx.expect(await tab.evaluate("window.inner") is True, "what is in the shadow root was not clicked")


async def check_click(ctx, agent, tab):
    await tab.evaluate("events.length = 0")
    result = await agent.ask("click", target={"text": "register", "role": "button"}, options={"clickCount": 2})
    ctx.match(result, {"success": True, "requestType": "click"}, "click")
    got = [event[0] for event in await tab.evaluate("events") if event[1] == "register"]
    one = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
    ctx.expect([e for e in got if e != "mouseover"] == one + one + ["dblclick"], f"a double click was {got}")
    await tab.evaluate("events.length = 0")
    await agent.ask("click", target={"selector": "#register"}, options={"button": "right", "modifiers": ["ctrl"]})
    got = [event[0] for event in await tab.evaluate("events")]
    ctx.expect("contextmenu" in got and "click" not in got, f"a right click was {got}")
    await agent.ask("click", target={"stableId": "agree"})
    ctx.expect(await tab.evaluate("out.textContent") == "agreed", "the box was not checked")
    for target, options, code in (
            ({"stableId": "off"}, {}, "TARGET_DISABLED"), ({"selector": "#hidden"}, {}, "TARGET_NOT_VISIBLE"),
            ({"stableId": "covered"}, {}, "TARGET_NOT_VISIBLE"), ({"stableId": "none"}, {}, "TARGET_NOT_FOUND"),
            ({"text": "Delete"}, {}, "TARGET_NOT_FOUND"), ({"selector": "<"}, {}, "INVALID_COMMAND"),
            ({}, {}, "INVALID_COMMAND"), (None, {}, "INVALID_COMMAND"),
            ({"stableId": "register"}, {"modifiers": ["Control"]}, "INVALID_COMMAND")):
        result = await agent.ask("click", target=target, options=options)
        ctx.match(result, {"success": False, "error": {"code": code}}, f"click on {target} {options}")
    await agent.ask("hover", target={"stableId": "register"})
    got = [event[:2] for event in await tab.evaluate("events")]
    ctx.expect(["mouseover", "register"] in got, "hover was not noticed")


async def check_type(ctx, agent, tab):
    async def typed(target, text, **options):
        return await agent.ask("type", target={"stableId": target}, text=text, options=options)
    await tab.evaluate("events.length = 0")
    ctx.match(await typed("name", "Ann"), {"success": True}, "type")
    got = [event[0] for event in await tab.evaluate("events") if event[1] == "name"]
    key = ["keydown", "keypress", "beforeinput", "input", "keyup"]
    ctx.expect(got == key * 3 + ["change"], f"typing was {got}")
    await typed("name", " Lee", delay=5)
    ctx.expect(await tab.evaluate("document.getElementById('name').value") == "Ann Lee", "text is not added at the end")
    await typed("name", "x" * 50, clear=True)
    ctx.expect(await tab.evaluate("document.getElementById('name').value") == "x" * 40, "maxlength does not hold")
    await typed("tracked", "seen")
    ctx.expect(await tab.evaluate("window.noticed") == "seen", "a framework does not notice")
    await typed("number", "4.5")
    ctx.expect(await tab.evaluate("number.value") == "4.5", "a number was not typed")
    await typed("notes", "a\nb")
    ctx.expect(await tab.evaluate("notes.value") == "a\nb", "lines were not typed")
    await typed("editor", " Ann", clear=False)
    ctx.expect(await tab.evaluate("editor.textContent") == "Dear Ann",
               f"the editor has {await tab.evaluate('editor.textContent')!r}")
    await tab.evaluate("events.length = 0")
    await typed("tracked", "!", pressEnter=True)
    ctx.expect(["submit", "form", None] in await tab.evaluate("events"), "Enter does not submit")
    for target, text, code in (("fixed", "x", "TARGET_DISABLED"), ("register", "x", "INVALID_COMMAND"),
                               ("number", "abc", "UNKNOWN_ERROR"), ("name", None, "INVALID_COMMAND")):
        ctx.match(await typed(target, text), {"success": False, "error": {"code": code}}, f"{text} into {target}")
    await typed("password", "secret-typed")
    await typed("card", "4111-secret")
    ctx.expect(await tab.evaluate("password.value + card.value") == "secret-attributesecret-typed4111-secret", "not typed")


async def check_rest(ctx, agent, tab):
    for how, value in (({"options": {"value": "p"}}, "p"), ({"options": {"label": "Apple"}}, "a"),
                       ({"options": {"index": 1}}, "p"), ({"value": "a"}, "a")):
        result = await agent.ask("select", target={"stableId": "fruit"}, **how)
        ctx.match(result, {"success": True}, f"select {how}")
        ctx.expect(await tab.evaluate("fruit.value") == value, f"select {how} chose another")
    for target, options, code in (("fruit", {"value": "none"}, "TARGET_NOT_FOUND"), ("fruit", {"value": "x"}, "TARGET_DISABLED"),
                                  ("name", {"value": "x"}, "INVALID_COMMAND")):
        result = await agent.ask("select", target={"stableId": target}, options=options)
        ctx.match(result, {"success": False, "error": {"code": code}}, f"select {options} in {target}")
    for how, place in (({"options": {"y": 300}}, 300), ({"options": {"y": 100, "mode": "delta"}}, 400),
                       ({"y": 50}, 50), ({"options": {"y": 0, "behavior": "smooth"}}, 0)):
        ctx.match(await agent.ask("scroll", **how), {"success": True, "result": {"y": place}}, f"scroll {how}")
        ctx.expect(await tab.evaluate("scrollY") == place, f"scroll {how} went elsewhere")
    await agent.ask("scroll", target={"selector": "#list"}, options={"y": 40})
    ctx.expect(await tab.evaluate("list.scrollTop") == 40, "the list did not scroll")
    ctx.match(await agent.ask("focus", target={"stableId": "notes"}), {"success": True}, "focus")
    ctx.expect(await tab.evaluate("document.activeElement.id") == "notes", "the focus is elsewhere")
    ctx.match(await agent.ask("focus", target={"selector": "#green"}),
              {"success": False, "error": {"code": "INVALID_COMMAND"}}, "focus of what takes none")
    ctx.match(await agent.ask("evaluate", code="1+1"), {"success": False, "error": {"code": "EVAL_DISABLED"}}, "evaluate")


async def check_requests(ctx, agent, tab):
    tree, _ = await agent.ask_for("request_ui_tree", "ui_tree", options={
        "includeHidden": True, "includeBounds": True, "filter": {"roles": ["button"]}})
    items = {item["stableId"]: item for item in tree["items"]}
    ctx.match(items.get("hidden", {}), {"visible": False}, "what is hidden, asked for")
    ctx.expect(all(item["role"] == "button" for item in tree["items"]), "roles are not filtered")
    ctx.expect(items["register"]["bounds"]["width"] > 10, "no bounds")
    tree, _ = await agent.ask_for("request_ui_tree", "ui_tree", options={"filter": {"selector": "#fruit"}})
    ctx.expect([item["value"] for item in tree["items"]] == ["a"], f"by selector: {tree['items']}")
    part, _ = await agent.ask_for("request_dom_snapshot", "dom_snapshot", options={"selector": "ul", "sanitize": True})
    ctx.expect(part["html"].startswith("<ul") and part["html"].count("Delete") == 2, part["html"])
    whole, _ = await agent.ask_for("request_dom_snapshot", "dom_snapshot", options={"sanitize": True})
    ctx.expect("<script" not in whole["html"] and "<style" not in whole["html"] and "style=" not in whole["html"],
               "sanitize leaves scripts or styles")
    ctx.expect(await tab.evaluate("document.scripts.length > 0 && document.styleSheets.length") == 1, "the page was sanitized")
    ctx.match(await agent.ask("request_dom_snapshot", options={"selector": "#none"}),
              {"success": False, "error": {"code": "TARGET_NOT_FOUND"}}, "a snapshot of nothing")
    state, _ = await agent.ask_for("request_state", "state_update", scope="cart")
    ctx.match(state, {"scope": "cart", "state": {"count": "2"}}, "state")
    since = len(agent.heard)
    await agent.ask("request_state")
    scopes = {m["scope"] for m in agent.heard[since:] if m["type"] == "state_update"}
    ctx.expect({"cart", "location", "viewport"} <= scopes, f"scopes {scopes}")
    ctx.match(await agent.ask("request_state", scope="none"), {"success": False, "error": {"code": "INVALID_COMMAND"}}, "no scope")
    await tab.evaluate("void bridge.sendState('route', {at: 1})")
    ctx.match(await agent.hear("state_update", scope="route"), {"state": {"at": 1}}, "sendState")


async def check_picture(ctx, agent, tab):
    ratio = await tab.evaluate("devicePixelRatio")
    shot, result = await agent.ask_for("request_screenshot", "screenshot")
    ctx.match(result, {"success": True}, "screenshot")
    ctx.match(shot, {"format": "png", "viewport": {"width": await tab.evaluate("innerWidth")}}, "screenshot")
    width, height, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(shot["data"]))
    ctx.expect(width == ratio * await tab.evaluate("document.documentElement.clientWidth"), f"{width} wide")
    ctx.expect(pixel(50, 50) == (0, 128, 0), f"the green box is {pixel(50, 50)}")
    ctx.expect(pixel(width - 3, 50) == (240, 240, 255), f"the background is {pixel(width - 3, 50)}")
    x, y = await tab.evaluate("(({x, y}) => [x + 25, y + 25])(drawn.getBoundingClientRect())")
    ctx.expect(pixel(int(x), int(y)) == (0, 0, 200), f"the canvas is {pixel(int(x), int(y))}")
    x, y = await tab.evaluate("(({x, y}) => [x + 25, y + 25])(photo.getBoundingClientRect())")
    ctx.expect(pixel(int(x), int(y)) == (255, 128, 0), f"the picture is {pixel(int(x), int(y))}")
    shot, _ = await agent.ask_for("request_screenshot", "screenshot", options={"selector": "#far"})
    width, height, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(shot["data"]))
    ctx.expect((width, height, pixel(9, 9)) == (200, 50, (200, 0, 0)), f"the element is {width}x{height}, {pixel(9, 9)}")
    shot, _ = await agent.ask_for("request_screenshot", "screenshot", options={"fullPage": True})
    _, height, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(shot["data"]))
    ctx.expect(height == await tab.evaluate("document.documentElement.scrollHeight") and
               pixel(9, height - 9) == (200, 0, 0), f"the whole page is {height} high, its end {pixel(9, height - 9)}")
    await tab.evaluate("list.scrollTop = 400, green.innerHTML = '<a id=link href=/x style=display:block;height:50px>\u2588</a>', 1")
    shot, _ = await agent.ask_for("request_screenshot", "screenshot", options={"selector": "#list"})
    _, _, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(shot["data"]))
    ctx.expect(pixel(9, 30) == (0, 0, 255), f"a box that is scrolled shows {pixel(9, 30)}")
    shot, _ = await agent.ask_for("request_screenshot", "screenshot", options={"selector": "#link"})
    _, _, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(shot["data"]))
    ctx.expect((0, 0, 238) in [pixel(x, 8) for x in range(12)], f"a link has the colours {[pixel(x, 8) for x in range(12)]}")
    await tab.evaluate("list.scrollTop = 0, green.innerHTML = '', 1")
    for kind, magic in (("jpeg", b"\xff\xd8"), ("webp", b"RIFF")):
        shot, _ = await agent.ask_for("request_screenshot", "screenshot", options={"format": kind, "quality": 50})
        ctx.expect(shot["format"] == kind and base64.b64decode(shot["data"]).startswith(magic), f"no {kind}")
    ctx.match(await agent.ask("request_screenshot", options={"format": "bmp"}),
              {"success": False, "error": {"code": "INVALID_COMMAND"}}, "a picture as bmp")


async def check_telemetry(ctx, agent, tab):
    since = len(agent.heard)
    await tab.evaluate("""console.log('plain', {a: [1, 2n]}, document.body, 'x'.repeat(1500)),
        console.warn(...'abcdefghijkl'), console.error(new Error('bad')), (() => {
            const ring = {}; ring.ring = ring; console.info(ring, undefined, () => 1, new Map([[1, 2]]), NaN, /x/g); console.debug('fine'); })(),
        setTimeout(() => { throw new TypeError('thrown'); }), void Promise.reject(new Error('rejected'))""")
    said = await agent.hear("console", since=since, level="log")
    ctx.match(said["args"][:3], ["plain", '{"a":[1,"2"]}', "[HTMLElement: BODY]"], "console.log")
    ctx.expect(said["args"][3] == "x" * 1000 + "...", "a long argument is not cut")
    ctx.expect(len((await agent.hear("console", since=since, level="warn"))["args"]) == 10, "more than ten arguments")
    ctx.match(await agent.hear("console", since=since, level="error"),
              {"args": [{"$regex": '^{"message":"bad","stack":"Error: bad'}], "stack": {"$regex": "Error: bad"}}, "console.error")
    ctx.match(await agent.hear("console", since=since, level="info"),
              {"args": ['{"ring":"[Circular]"}', "undefined", "[Function]", '{"1":2}', "NaN", "/x/g"]}, "a circle")
    await agent.hear("console", since=since, level="debug")
    ctx.match(await agent.hear("error", since=since, errorType="runtime"),
              {"message": {"$regex": "thrown"}, "stack": {"$regex": "TypeError"}}, "an error")
    ctx.match(await agent.hear("error", since=since, errorType="unhandledrejection"), {"message": "rejected"}, "a rejection")

    since = len(agent.heard)
    await tab.evaluate("""out.setAttribute('data-a', '1'), out.append('text'), out.firstChild.data = 'changed',
        out.innerHTML += '<p>new <input type=password value=secret-attribute></p>', account.append(' secret-balance'),
        account.firstChild.firstChild.data = 'secret-gone', account.firstChild.remove(), 1""")
    batch = await agent.hear("dom_mutations", since=since)
    kinds = {m["mutationType"] for m in batch["mutations"]}
    ctx.expect(kinds == {"childList", "attributes", "characterData"} and batch["batchSize"] == len(batch["mutations"]),
               f"mutations {batch}")
    attribute = next(m for m in batch["mutations"] if m["mutationType"] == "attributes")
    ctx.match(attribute, {"targetSelector": "#out", "targetStableId": "out", "attributeName": "data-a"}, "an attribute")
    ctx.expect(any("new <input" in node.get("html", "") for m in batch["mutations"] for node in m.get("addedNodes", [])),
               "the new element is not told")

    since = len(agent.heard)
    await tab.evaluate("register.textContent = 'Done', off.disabled = false, send.remove(), 1")
    for name, kind, change in (("register", "modified", {"text": "Done"}), ("off", "modified", {"disabled": False}),
                               ("send", "removed", {})):
        ctx.match(await agent.hear("ui_element_update", since=since, stableId=name),
                  {"changeType": kind, "changes": change}, f"the update of {name}")
    since = len(agent.heard)
    await tab.evaluate("out.innerHTML = '<button>Row</button>'.repeat(100), 1")
    tree = await agent.hear("ui_tree", since=since)
    ctx.expect(sum(item.get("text") == "Row" for item in tree["items"]) == 100, "the rows are not in the tree")

    since = len(agent.heard)
    await tab.evaluate("(() => { for (let i = 0; i < 1200; i++) out.setAttribute('data-n', i); })()")
    await agent.until(lambda m: m["type"] == "dom_mutations" and m["batchSize"] > 1000, "the batch", since=since)
    await asyncio.sleep(0.3)
    parts = [m for m in agent.heard[since:] if m["type"] == "dom_mutations" and m["batchSize"] > 1000]
    ctx.expect([len(m["mutations"]) for m in parts] == [500, 500, 200] and len({m["batchId"] for m in parts}) == 1,
               f"a large batch: {[len(m['mutations']) for m in parts]}")
    since = len(agent.heard)
    await tab.evaluate("(() => { for (let i = 0; i < 1000; i++) console.log(i); })()")
    await asyncio.sleep(1.1)
    await tab.evaluate("console.log('last')")
    await agent.until(lambda m: m["type"] == "console" and m["args"] == ["last"], "the last call", since=since)
    said = [m["args"] for m in agent.heard[since:] if m["type"] == "console"]
    ctx.expect(len(said) < 450 and any("left out" in args[0] for args in said), f"{len(said)} of a thousand calls")


async def check_quiet(ctx, agent, tab):
    """Messages that are not commands for this app get no answer; a command that it does not know gets one."""
    since, lived = len(agent.heard), await tab.evaluate("lived.length")
    for message in ({"type": "command_result", "requestId": "x", "success": False}, {"type": "connection_event"},
                    {"type": "no_such_thing", "requestId": "x"}, {"type": "click", "requestId": "x", "appId": "other"},
                    {"type": "toString", "requestId": "x"}, {"type": "click", "requestId": "x", "origin": "app"}):
        await agent.socket.send(json.dumps(message))
    await agent.socket.send("no JSON")
    await agent.ask("focus", target={"stableId": "notes"})
    got = [m for m in agent.heard[since:] if m["type"] == "command_result" and m.get("requestId") == "x" and m["origin"] == "app"]
    ctx.expect([(m["requestType"], m["error"]["code"]) for m in got] == [
        ("no_such_thing", "INVALID_COMMAND"), ("toString", "INVALID_COMMAND")], f"answered: {got}")
    ctx.expect(await tab.evaluate("lived.length") == lived + 2, "a handler heard of what is no command")
    await agent.send("focus", target={"stableId": "notes"})
    await agent.hear("command_result", since=since, success=False, requestType="focus")


async def check_navigate(ctx, agent, tab):
    app = agent.heard[-1]["appId"]
    ctx.match(await agent.ask("navigate", url="#there"), {"success": True, "result": {"url": {"$regex": "#there$"}}}, "#there")
    since = len(agent.heard)
    ctx.match(await agent.ask("navigate", url="javascript:1"), {"success": False, "error": {"code": "INVALID_COMMAND"}}, "a script")
    ctx.match(await agent.ask("navigate", url="/status/204", options={"timeout": 1500}),
              {"success": False}, "a page that does not come")
    ctx.expect(not [m for m in agent.heard[since:] if m["type"] == "hello"], "the page has gone")
    url = await tab.evaluate("location.href.replace('app.html?', 'app.html?again=1&').split('#')[0]")
    ctx.match(await agent.ask("navigate", url=url), {"success": True, "result": {"url": url}}, "navigate")
    hello = await agent.hear("hello", since=since)
    ctx.expect(hello["appId"] == app and hello["url"] == url, f"the app is another one: {hello['appId']}, before {app}")


async def check_all(ctx, browser, relay, sdk):
    async with agent_of(relay, "s") as agent, tab_of(browser, page(ctx, relay, sdk)) as tab:
        items = await check_begin(ctx, agent)
        await check_ids(ctx, agent, tab, items)
        for check in (check_click, check_type, check_rest, check_requests, check_picture, check_quiet, check_telemetry):
            await check(ctx, agent, tab)
        everything = json.dumps(agent.heard)
        for secret in SECRETS:
            at = everything.find(secret)
            ctx.expect(at < 0, f"{secret} was sent: {everything[max(at - 300, 0):at + 100]}")
        await check_navigate(ctx, agent, tab)
        lived = await tab.evaluate("lived")
        ctx.expect(lived[:2] == ["onConnect", "connect"], f"lived {lived[:4]}")


async def check_back(ctx, browser, relay, sdk):
    """Chrome keeps a page for going back to it: it leaves the session meanwhile, and comes back with the same id."""
    html = {"Content-Type": "text/html"}  # without no-store, for which Chrome would not keep the page
    site = Site(ctx, {"/app.html": (200, html, (ctx.dir / "pages" / "app.html").read_bytes()), "/other": (200, html, b"<p>Other")})
    query = page(ctx, relay, sdk, sessionId="back").split("?")[1]
    async with agent_of(relay, "back") as agent, tab_of(browser, f"{site.url}/app.html?{query}") as tab:
        app = (await agent.hear("hello"))["appId"]
        await tab.evaluate("onpageshow = ({persisted}) => window.isBack = persisted")
        first = await tab.evaluate("location.href")
        since = len(agent.heard)
        await tab.evaluate("location = '/other', 1")  # without the SDK
        await agent.hear("connection_event", since=since, event="app_disconnected", appId=app)
        await until_true(tab, "location.pathname === '/other' && document.readyState === 'complete'")
        ctx.match(await agent.ask("focus", target={"stableId": "notes"}), {"error": {"code": "TARGET_NOT_FOUND"}}, "while it is away")
        since = len(agent.heard)
        await tab.evaluate("history.back()")
        await until_true(tab, "window.isBack === true")
        ctx.expect((await agent.hear("hello", since=since))["appId"] == app, "it comes back as another app")
        await agent.hear("ui_tree", since=since)
        ctx.match(await agent.ask("focus", target={"stableId": "notes"}), {"success": True}, "after going back")
        # Each page of an app leaves when the next one comes, and a command is executed once.
        for number in range(3):
            since = len(agent.heard)
            result = await agent.ask("navigate", url=f"{first}&n={number}")
            ctx.match(result, {"success": True}, "navigate")
            await agent.hear("ui_tree", since=since)
        heard = [m for m in agent.heard if m["type"] == "connection_event"]
        ctx.expect(heard[-1]["connectedApps"] == [app] and heard[-1]["event"] == "app_connected", f"{heard[-1]}")
        since = len(agent.heard)
        ctx.match(await agent.ask("focus", target={"stableId": "notes"}), {"success": True}, "after three navigations")
        await agent.ask("request_state")
        results = [m for m in agent.heard[since:] if m["type"] == "command_result"]
        ctx.expect(len(results) == 2, f"a command was executed by each of {len(results) - 1} pages")


async def check_evaluate(ctx, browser, relay, sdk):
    async with agent_of(relay, "eval") as agent, tab_of(browser, page(
            ctx, relay, sdk, sessionId="eval", enableEval=True, maxDomSnapshotSize=1001, appId="mine")):
        hello = await agent.hear("hello")
        ctx.expect(hello["appId"] == "mine", "another appId")
        ctx.expect("eval" in (await agent.hear("capabilities"))["capabilities"], "no eval")
        snapshot = await agent.hear("dom_snapshot")
        ctx.expect(len(snapshot["html"]) == 1001 and snapshot["truncated"], f"{len(snapshot['html'])} of 1001")
        for code, value in (("1 + 1", 2), ("const a = 3; return a", 3), ("await Promise.resolve('later')", "later"),
                            ("({a: [1, undefined, 2n]})", {"a": [1, None, "2"]}), ("window.n = (window.n ?? 0) + 1", 1)):
            ctx.match(await agent.ask("evaluate", code=code), {"success": True, "result": value}, code)
        ctx.match(await agent.ask("evaluate", code="const a = 2; a * 3"), {"success": True, "result": 6}, "statements")
        for code, error in (("new Map([[1, 2]])", "EVAL_ERROR"), ("[NaN]", "EVAL_ERROR"), ("nothing.at.all", "EVAL_ERROR"), ("(", "EVAL_ERROR"), ("JSON.parse('{')", "EVAL_ERROR")):
            ctx.match(await agent.ask("evaluate", code=code), {"success": False, "error": {"code": error}}, code)
        ctx.match(await agent.ask("evaluate", code="new Promise(() => {})", options={"timeout": 200}),
                  {"success": False, "error": {"code": "TIMEOUT"}}, "what never ends")
        ctx.match(await agent.ask("evaluate", code="document.body", options={"returnByValue": False}),
                  {"success": True, "result": {"type": "object", "description": "[HTMLElement: BODY]"}}, "by reference")


async def check_toggles(ctx, browser, relay, sdk):
    names = ("DomSnapshot", "DomMutations", "UiTree", "UiElementUpdates", "Console", "Errors", "Screenshot")
    async with agent_of(relay, "less") as agent, tab_of(browser, page(
            ctx, relay, sdk, sessionId="less", **{"enable" + name: False for name in names})) as tab:
        ctx.expect((await agent.hear("capabilities"))["capabilities"] == ["custom_state"], "capabilities in spite of all")
        await tab.evaluate("console.log('unheard'), document.body.append('x'), 1")
        for kind in ("request_ui_tree", "request_dom_snapshot", "request_screenshot"):
            ctx.match(await agent.ask(kind), {"success": False, "error": {"code": "INVALID_COMMAND"}}, kind)
        await asyncio.sleep(0.5)
        kinds = {m["type"] for m in agent.heard if m.get("origin") == "app"}
        ctx.expect(kinds <= {"hello", "capabilities", "state_update", "command_result"}, f"told {kinds}")


async def check_policy(ctx, browser, relay, sdk):
    """A page with a content security policy: what the policy forbids is not among the capabilities."""
    origin = sdk.rsplit("/", 1)[0]
    app = (ctx.dir / "pages" / "app.html").read_bytes()
    for images, capabilities in (("'self'", set()), ("'self' data:", {"screenshot"})):
        policy = (f"default-src 'self'; script-src 'self' 'unsafe-inline' {origin}; style-src 'unsafe-inline'; "
                  f"img-src {images}; connect-src {relay.removesuffix('/debug')}")
        site = Site(ctx, {"/app.html": (200, {"Content-Type": "text/html", "Content-Security-Policy": policy}, app)})
        session = f"policy-{len(capabilities)}"
        query = page(ctx, relay, sdk, sessionId=session, enableEval=True).split("?")[1]
        async with agent_of(relay, session) as agent, tab_of(browser, f"{site.url}/app.html?{query}"):
            able = set((await agent.hear("capabilities"))["capabilities"])
            ctx.expect(able & {"eval", "screenshot"} == capabilities, f"with images from {images}: {able}")
            ctx.match(await agent.ask("evaluate", code="1"), {"success": False, "error": {"code": "EVAL_DISABLED"}}, policy)
            if capabilities:
                shot, _ = await agent.ask_for("request_screenshot", "screenshot")
                _, _, pixel = await asyncio.to_thread(pixels_of, base64.b64decode(shot["data"]))
                ctx.expect(pixel(50, 50) == (0, 128, 0), f"with a policy the green box is {pixel(50, 50)}")
            else:
                ctx.match(await agent.ask("request_screenshot"), {"success": False}, policy)


async def until_true(tab, expression, seconds=15):
    for _ in range(seconds * 10):
        if await tab.evaluate(expression):
            return
        await asyncio.sleep(0.1)
    raise Failure(f"{expression}: not in {seconds} s; {await tab.evaluate('lived')}")


async def check_reconnect(ctx, browser, sdk):
    with contextlib.ExitStack() as first:
        relay = first.enter_context(reference_relay(ctx))
        async with tab_of(browser, page(ctx, relay, sdk, reconnectBaseDelayMs=2000)) as tab:
            await until_true(tab, "window.bridge?.isConnected()")
            app = await tab.evaluate("lived.length")
            first.close()
            await until_true(tab, "lived.includes('disconnect')")
            await tab.evaluate("console.log('while away')")
            with reference_relay(ctx, urllib.parse.urlparse(relay).port):
                async with agent_of(relay, "s") as agent:
                    await agent.hear("hello")
                    ctx.match(await agent.hear("console"), {"args": ["while away"]}, "what was said without a relay")
                    await agent.hear("ui_tree")
                    ctx.match(await agent.ask("focus", target={"stableId": "notes"}), {"success": True}, "after all")
                    since = len(agent.heard)
                    await tab.evaluate("bridge.disconnect(), console.log('after the end'), out.append('x'), 1")
                    await agent.hear("connection_event", since=since, event="app_disconnected")
                    ctx.expect(not [m for m in agent.heard[since:] if m["type"] != "connection_event"], "told after the end")
            ctx.expect(await tab.evaluate("/native code/.test(console.log) && !bridge.isConnected()"), "the console is not restored")
            ctx.expect((await tab.evaluate("lived"))[app:].count("onDisconnect") == 2, "disconnect was not told twice")


async def check_refused(ctx, browser, sdk):
    with reference_relay(ctx, token="right") as relay:
        async with tab_of(browser, page(ctx, relay, sdk, token="wrong")) as tab:
            await until_true(tab, "window.lived?.some((one) => one.startsWith('onError refused: 4001'))")
            lived = await tab.evaluate("lived")
            await asyncio.sleep(1.5)
            ctx.expect(await tab.evaluate("lived") == lived, "a refusal is tried again")
            ctx.expect(await tab.evaluate("/native code/.test(console.log)"), "the console is not restored")
        async with tab_of(browser, page(ctx, relay, sdk, token="right")) as tab:
            await until_true(tab, "window.bridge?.isConnected()")


def run(ctx):
    requires(ctx)
    with our_relay(ctx, "--agent-rate", "0") as relay, foreign_browser(ctx) as browser:
        sdk = relay.replace("ws:", "http:").replace("/debug", "/debug-bridge.js")
        headers, text = fetch(sdk)
        ctx.expect(headers["Content-Type"].startswith("text/javascript") and
                   headers["Access-Control-Allow-Origin"] == "*", f"headers {headers}")
        types_headers, types = fetch(sdk.replace(".js", ".d.ts"))
        ctx.expect(b"createDebugBridge" in types and types_headers["Access-Control-Allow-Origin"] == "*", "no types")
        check_size(ctx, text)
        asyncio.run(check_all(ctx, browser, relay, sdk))
        asyncio.run(check_evaluate(ctx, browser, relay, sdk))
        asyncio.run(check_toggles(ctx, browser, relay, sdk))
        asyncio.run(check_policy(ctx, browser, relay, sdk))
        asyncio.run(check_reconnect(ctx, browser, sdk))
        asyncio.run(check_refused(ctx, browser, sdk))
        with reference_relay(ctx) as reference:
            asyncio.run(check_all(ctx, browser, reference, sdk))


def run_back(ctx):
    requires(ctx)
    with our_relay(ctx, "--agent-rate", "0") as relay, foreign_browser(ctx) as browser:
        asyncio.run(check_back(ctx, browser, relay, relay.replace("ws:", "http:").replace("/debug", "/debug-bridge.js")))
