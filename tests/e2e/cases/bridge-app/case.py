"""A driven page as an app of debug-bridge: each message and each command, ids, private values. bridge-app-ends has the
failures."""
import asyncio
import base64
import json

import faults
from driven import driven, driven_page
from foreign import foreign_browser
from pictures import Picture

BROWSER = "any"
SECRETS = ("hunter2initial", "4111222233334444", "typed-secret-value", "state-token-value", "Not for models",
           "hidden-from-models")


def run(ctx):
    with driven_page(ctx, f"{ctx.origin}/case/index.html", "--allow-eval", "--app-id", "page") as bridge:
        ctx.expect(bridge.app_id == "page", f"the appId: {bridge.app_id}")
        asyncio.run(talk(ctx, bridge, telemetry, ids, clicks, other_commands, requests, mutations, errors, private_values,
                         late, navigation))


def run_ends(ctx):
    with driven_page(ctx, f"{ctx.origin}/case/index.html", "--allow-eval", "--app-id", "page") as bridge:
        asyncio.run(talk(ctx, bridge, death, crash, hanging))
    with driven_page(ctx, f"{ctx.origin}/case/second.html") as bridge:
        asyncio.run(without_eval(ctx, bridge))
    with foreign_browser(ctx) as browser:
        tab = browser.open(f"{ctx.origin}/case/second.html")
        with driven(ctx, "--connect", browser.http, "--tab", "/second.html") as bridge:
            asyncio.run(adopted(ctx, bridge))
        ctx.expect(browser.tabs().get(tab, "").endswith("/second.html"), f"the tab is gone: {browser.tabs()}")
    refused = ctx.run(["serve", "--debug-bridge=0", "--temp-profile", "--bridge-session", "dev", *ctx.browser_args(),
                       "--page", ctx.closed_origin], complete=False)
    ctx.expect(refused.exit != 0 and "was not reached" in refused.text, f"a page that is not there: {refused.text}")
    unnamed = ctx.run(["serve", "--debug-bridge=0", "--page", ctx.origin], complete=False)
    ctx.expect(unnamed.exit == 2 and "--bridge-session" in unnamed.text, f"--page alone: {unnamed.text}")


async def talk(ctx, bridge, *parts):
    async with bridge.agent() as agent:
        try:
            for part in parts:
                await part(ctx, bridge if part is late else agent)
        finally:
            texts = json.dumps(agent.messages)
            for secret in SECRETS:
                ctx.expect(secret not in texts, f"told: {secret}")
            for message in agent.messages:
                base = (message["protocolVersion"], message["sessionId"], message["origin"] in ("app", "server"))
                ctx.expect(base == (1, "dev", True) and message["timestamp"] > 1e12, f"the base of {message}")
                ctx.expect(message["origin"] == "server" or message["appId"] == "page", f"the appId of {message}")


def fine(ctx, result, what):
    ctx.expect(result["success"] and result["duration"] >= 0 and "error" not in result, f"{what}: {result}")


def failed(ctx, result, code, what, ours=None):
    ctx.match(result, {"success": False, "error": {"code": code, "details": {"code": ours or {"$type": "string"}}}}, what)


async def said(ctx, agent, text):
    """Returns what the page itself reports."""
    result = await agent.ask("evaluate", code="document.getElementById('said').textContent")
    ctx.expect(result.get("result") == text, f"the page says {result.get('result')}, not {text}")


async def telemetry(ctx, agent):
    hello = await agent.hear("hello")
    ctx.match(hello, {"appName": "Driven", "url": f"{ctx.origin}/case/index.html", "userAgent": {"$regex": "Chrome"},
                      "viewport": {"width": 1280, "height": 720}, "appId": "page", "origin": "app"}, "hello")
    capabilities = await agent.hear("capabilities")
    ctx.expect(set(capabilities["capabilities"]) == {
        "dom_snapshot", "dom_mutations", "ui_tree", "ui_element_updates", "console", "errors", "eval", "screenshot",
        "custom_state"}, f"{capabilities}")
    snapshot = await agent.hear("dom_snapshot")
    ctx.expect(snapshot["html"].startswith("<html") and "requestId" not in snapshot, f"{snapshot['html'][:80]}")
    tree = await agent.hear("ui_tree")
    kinds = [message["type"] for message in agent.messages if message["origin"] == "app"]
    ctx.expect(kinds[:2] == ["hello", "capabilities"] and kinds.index("dom_snapshot") < kinds.index("ui_tree"),
               f"the order: {kinds}")
    items = {item["stableId"]: item for item in tree["items"]}
    ctx.expect(len(items) == len(tree["items"]), "ids are not unique")
    ctx.match(items.get("go"), {"role": "button", "text": "Go", "disabled": False, "visible": True, "selector": "#go",
                                "bounds": {"width": {"$ge": 10}}, "meta": {"tagName": "button"}}, "go")
    ctx.match(items.get("off"), {"disabled": True, "text": "Off"}, "off")
    ctx.match(items.get("name"), {"role": "textbox", "meta": {
        "tagName": "input", "type": "text", "name": "name_", "placeholder": "Name", "maxLength": 20,
        "pattern": "[A-Z].*", "required": True}}, "name")
    ctx.match(items.get("gift"), {"role": "checkbox", "checked": False, "label": "Gift"}, "gift")
    ctx.match(items.get("away"), {"role": "link", "meta": {"href": "second.html"}}, "away")
    ctx.match(items.get("size"), {"value": "s"}, "size")
    ctx.match(items.get("button-More-0"), {"role": "button", "meta": {"tagName": "summary"}}, "a summary")
    ctx.expect("value" not in items["secret"] and "value" not in items["card"], "private values in the tree")
    ctx.expect({"button-Delete-0", "button-Delete-1", "button-Made up-0"} <= set(items) and "menu" not in items,
               f"ids: {list(items)}")
    for scope, pattern in (("location", {"pathname": "/case/index.html", "title": "Driven"}),
                           ("viewport", {"width": 1280, "devicePixelRatio": 1}),
                           ("storage", {"local": [], "session": []}), ("cart", {"items": 1}),
                           ("auth", {"isLoggedIn": True})):
        ctx.match((await agent.hear("state_update", lambda message: message["scope"] == scope))["state"], pattern, scope)


async def ids(ctx, agent):
    """Each id of the tree can be used, also of two elements with the same name."""
    fine(ctx, await agent.ask("click", target={"stableId": "button-Delete-1"}), "the second of two")
    await said(ctx, agent, "second")
    fine(ctx, await agent.ask("click", target={"stableId": "button-Delete-0"}), "the first of two")
    await said(ctx, agent, "first")
    fine(ctx, await agent.ask("click", target={"stableId": "button-Made up-0"}), "an id that was made up")
    await said(ctx, agent, "made up")
    tree = await agent.hear("ui_tree")
    for item in tree["items"]:
        if not item["disabled"]:
            fine(ctx, await agent.ask("hover", target={"stableId": item["stableId"]}), f"hover {item['stableId']}")
    # The first one is removed, the second one keeps its id.
    await agent.ask("evaluate", code="document.querySelector('.twin').remove()")
    failed(ctx, await agent.ask("click", target={"stableId": "button-Delete-0"}), "TARGET_NOT_FOUND", "one that has gone")
    fine(ctx, await agent.ask("click", target={"stableId": "button-Delete-1"}), "the one that is left")
    await said(ctx, agent, "second")
    texts = {}
    for code, change in (("document.body.insertAdjacentHTML('beforeend', '<button id=new style=\"position: fixed; top: 0; "
                          "right: 0\">New</button>')", "added"),
                         ("document.getElementById('new').textContent = 'Newer'", "modified"),
                         ("document.getElementById('new').remove()", "removed")):
        since = len(agent.messages)
        await agent.ask("evaluate", code=code)
        update = await agent.hear("ui_element_update", lambda message: message["stableId"] == "new", since)
        ctx.match(update, {"changeType": change}, change)
        texts[change] = update["changes"].get("text")
    ctx.expect(texts == {"added": "New", "modified": "Newer", "removed": None}, f"{texts}")
    # Elements without a name: the ids of a tree mean the same elements after one of them is removed.
    since = len(agent.messages)
    await agent.ask("evaluate", code="document.getElementById('list').innerHTML = ['A', 'B', 'C', 'D'].map((one) => "
                    "`<div><button style='width: 9px; height: 9px' onclick='say(\"${one}\"); "
                    "this.parentNode.remove()'></button></div>`).join(''); 0")
    rows = [(await agent.hear("ui_element_update", lambda message: message["stableId"] == f"list>div[{row}]>button[0]", since))
            ["stableId"] for row in range(4)]
    for row, name in enumerate("ABC"):
        since = len(agent.messages)
        fine(ctx, await agent.ask("click", target={"stableId": rows[row]}), f"row {name}")
        await said(ctx, agent, name)
        await agent.hear("ui_element_update", lambda message: message["changeType"] == "removed", since)
        failed(ctx, await agent.ask("click", target={"stableId": rows[row]}), "TARGET_NOT_FOUND", f"row {name} again")
    await agent.ask("evaluate", code="document.getElementById('list').replaceChildren()")
    # What is beside an id that no element has is tried next.
    fine(ctx, await agent.ask("hover", target={"stableId": rows[0], "selector": "#go"}), "a selector beside an id")
    fine(ctx, await agent.ask("hover", target={"stableId": "none", "text": "Go", "role": "button"}), "a text beside an id")
    # Its text changes at once: an id that the page has set stays.
    await agent.ask("evaluate", code="document.getElementById('go').textContent = 'Went'")
    fine(ctx, await agent.ask("click", target={"stableId": "go"}), "a button with another text")


async def clicks(ctx, agent):
    fine(ctx, await agent.ask("click", target={"selector": "#go"}, options={"position": {"x": 5, "y": 6}}), "a place")
    await said(ctx, agent, "click 0 false false true 5,6")
    fine(ctx, await agent.ask("click", target={"stableId": "go"}, options={
        "button": "right", "modifiers": ["ctrl", "shift"], "position": {"x": 7, "y": 8}}), "right")
    await said(ctx, agent, "contextmenu 2 true true true 7,8")
    fine(ctx, await agent.ask("click", target={"text": "went", "role": "button"}, options={
        "clickCount": 2, "position": {"x": 5, "y": 5}}), "twice")
    await said(ctx, agent, "dblclick 0 false false true 5,5")
    fine(ctx, await agent.ask("click", target={"text": "Went"}), "by its text")


async def other_commands(ctx, agent):
    fine(ctx, await agent.ask("type", target={"stableId": "name"}, text="Ann", options={"delay": 5}), "type")
    since = len(agent.messages)
    fine(ctx, await agent.ask("type", target={"text": "Name"}, text="Bob", options={"clear": True, "pressEnter": True}),
         "type by its label")
    await said(ctx, agent, "sent Bob")
    await agent.hear("ui_element_update", lambda message: message["stableId"] == "name" and
                     message["changes"].get("value") == "Bob" and message["changeType"] == "modified", since)
    fine(ctx, await agent.ask("hover", target={"selector": "#hover"}), "hover")
    await said(ctx, agent, "hovered true")
    fine(ctx, await agent.ask("focus", target={"selector": "#hover"}), "focus")
    await said(ctx, agent, "focused")
    for target, members, value in (({"stableId": "size"}, {"options": {"value": "m"}}, "m"),
                                   ({"selector": "#size"}, {"options": {"label": "Large"}}, "l"),
                                   ({"stableId": "size"}, {"index": 0}, "s")):
        fine(ctx, await agent.ask("select", target=target, **members), f"select {members}")
        await said(ctx, agent, f"chose {value}")
    for members, place in (({"options": {"y": 300}}, 300), ({"options": {"y": 50, "mode": "delta"}}, 350),
                           ({"x": 0, "y": 20}, 20)):
        fine(ctx, await agent.ask("scroll", **members), f"scroll {members}")
        result = await agent.ask("evaluate", code="scrollY")
        ctx.expect(result["result"] == place, f"scroll {members}: {result}")
    fine(ctx, await agent.ask("scroll", target={"selector": "#box"}, options={"y": 40, "behavior": "smooth"}), "a box")
    result = await agent.ask("evaluate", code="document.getElementById('box').scrollTop")
    ctx.expect(result["result"] == 40, f"the box: {result}")
    await agent.ask("scroll", options={"y": 0})
    result = await agent.ask("evaluate", code="new Map([[1, 2]])", options={"returnByValue": False})
    ctx.match(result, {"success": True, "result": {"type": "object", "description": "Map(1)"}}, "by reference")
    result = await agent.ask("evaluate", code="const a = 6; return a * await Promise.resolve(7)", options={"timeout": 3000})
    ctx.expect(result.get("result") == 42, f"statements: {result}")
    since = len(agent.messages)
    await agent.ask("evaluate", code="console.warn('look', {a: [1]}, 7); fail();"
                    "Promise.reject(new TypeError('rejected')); console.log('x'.repeat(2000))")
    ctx.match(await agent.hear("console", lambda message: message["level"] == "warn", since),
              {"args": ["look", '{"a":[1]}', "7"]}, "console")
    since_equal = len(agent.messages)
    await agent.ask("evaluate", code="for (let i = 0; i < 20; i++) console.log('equal'); 0")
    await agent.ask("evaluate", code="for (let i = 0; i < 5; i++) setTimeout(() => { throw new Error('equal'); }); 0")
    await agent.ask("evaluate", code="console.info('done', {n: 1, f() {}}, new Map([[1, 2]]), document.body); "
                    "console.error('failed', new TypeError('x'))")
    ctx.match(await agent.hear("console", lambda message: message["level"] == "info", since_equal),
              {"args": ["done", '{"n":1,"f":"[Function]"}', '{"1":2}', "[HTMLElement: BODY]"]}, "values")
    ctx.match(await agent.hear("console", lambda message: message["args"][0] == "failed", since_equal),
              {"args": ["failed", {"$regex": '^{"message":"x","stack":"TypeError: x'}], "stack": {"$regex": "^TypeError: x"}}, "an error")
    equal = [message["type"] for message in agent.messages[since_equal:] if "equal" in str(message.get("args") or message.get("message"))]
    ctx.expect((equal.count("console"), equal.count("error")) == (20, 5), f"equal calls: {equal}")
    long = await agent.hear("console", lambda message: message["level"] == "log", since)
    ctx.expect(long["args"] == ["x" * 1000 + "..."], f"a long argument: {len(long['args'][0])}")
    ctx.match(await agent.hear("error", lambda message: message["errorType"] == "runtime", since),
              {"message": "Error: thrown", "lineno": {"$ge": 1}, "stack": {"$regex": "thrown"}}, "an error")
    ctx.match(await agent.hear("error", lambda message: message["errorType"] == "unhandledrejection", since),
              {"message": "TypeError: rejected"}, "a rejection")


def before_result(ctx, agent, result, kind):
    """Returns the requested message, which precedes the result."""
    found = [message for message in agent.messages if message.get("requestId") == result["requestId"]]
    ctx.expect(len(found) >= 2 and found[0]["type"] == kind and found[-1] is result, f"{kind}: {found}"[:500])
    return found[0]


async def requests(ctx, agent):
    result = await agent.ask("request_ui_tree", options={"includeHidden": True, "includeBounds": False})
    items = {item["stableId"]: item for item in before_result(ctx, agent, result, "ui_tree")["items"]}
    ctx.match(items.get("menu"), {"visible": False, "text": {"$absent": True}}, "a hidden one") \
        if "menu" in items else ctx.problem(f"no hidden one: {list(items)}")
    ctx.expect(not any("bounds" in item for item in items.values()), "bounds")
    result = await agent.ask("request_ui_tree", options={"filter": {"roles": ["textbox"], "selector": "#name"}})
    items = before_result(ctx, agent, result, "ui_tree")["items"]
    ctx.expect([item["stableId"] for item in items] == ["name"], f"filtered: {items}")
    result = await agent.ask("request_dom_snapshot", options={"sanitize": True})
    html = before_result(ctx, agent, result, "dom_snapshot")["html"]
    ctx.expect("<script" not in html and "<style" not in html and "onclick" not in html and 'id="go"' in html, html[:300])
    result = await agent.ask("request_dom_snapshot", options={"selector": "h1"})
    ctx.expect(before_result(ctx, agent, result, "dom_snapshot")["html"] == "<h1>Driven</h1>", "a part")
    for options, kind, size in (({}, "png", (1280, 720)), ({"format": "jpeg", "quality": 30}, "jpeg", (1280, 720)),
                                ({"selector": "#box"}, "png", (200, 60)),
                                ({"format": "jpeg", "fullPage": True}, "jpeg", None)):
        result = await agent.ask("request_screenshot", options=options)
        shot = before_result(ctx, agent, result, "screenshot")
        ctx.match(shot, {"format": kind, "viewport": {"width": 1280, "height": 720, "devicePixelRatio": 1}}, "screenshot")
        picture = Picture(base64.b64decode(shot["data"]))
        ctx.expect(not size or (picture.width, picture.height) == size, f"{options}: {picture.width}x{picture.height}")
        ctx.expect(size or picture.height > 3000, f"the whole page: {picture.height}")
    result = await agent.ask("request_state", scope="cart")
    ctx.match(before_result(ctx, agent, result, "state_update"), {"scope": "cart", "state": {"items": 1}}, "a scope")
    result = await agent.ask("request_state")
    ctx.expect({"location", "viewport", "storage", "cart", "auth"} <= set(result["result"]["scopes"]), f"{result}")
    since = len(agent.messages)
    await agent.ask("evaluate", code="localStorage.setItem('key', 'value'); __debugBridgeState.cart = {items: 2, of: 1}")
    ctx.match(await agent.hear("state_update", lambda message: message["scope"] == "cart", since),
              {"state": {"items": 2, "of": 1}, "diff": {"added": ["of"], "modified": ["items"]}}, "a state that changed")
    ctx.match(await agent.hear("state_update", lambda message: message["scope"] == "storage", since),
              {"state": {"local": ["key"]}}, "storage")


async def mutations(ctx, agent):
    since = len(agent.messages)
    await agent.ask("evaluate", code="many(1200); document.body.setAttribute('lang', 'en')")
    deadline = asyncio.get_running_loop().time() + 10
    while asyncio.get_running_loop().time() < deadline:
        messages = agent.of("dom_mutations", since)
        if sum(len(message["mutations"]) for message in messages) >= 1201:
            break
        await asyncio.sleep(0.05)
    messages = agent.of("dom_mutations", since)
    told = [mutation for message in messages for mutation in message["mutations"]]
    ctx.expect(max(len(message["mutations"]) for message in messages) == 500, "500 mutations a message")
    batches = {}
    for message in messages:
        batches.setdefault(message["batchId"], []).append(message)
    for batch in batches.values():
        total = sum(len(message["mutations"]) for message in batch)
        ctx.expect(all(message["batchSize"] == total for message in batch), f"batchSize of {total}: {batch[0]['batchSize']}")
    added = [mutation for mutation in told if mutation["mutationType"] == "childList"]
    ctx.match(added[0], {"targetSelector": "#list", "targetStableId": "list", "addedNodes": [
        {"type": "element", "tagName": "p", "html": "<p>item 0</p>"}], "removedNodes": []}, "an added node")
    ctx.expect(len(added) == 1200, f"{len(added)} of 1200")
    ctx.expect([mutation for mutation in told if mutation["mutationType"] == "attributes" and
                (mutation["targetSelector"], mutation["attributeName"]) == ("body", "lang")], "an attribute")
    # More mutations than are kept: a snapshot replaces them.
    since = len(agent.messages)
    await agent.ask("evaluate", code="many(9000)")
    snapshot = await agent.hear("dom_snapshot", since=since)
    ctx.expect("item 8999" in snapshot["html"], "a snapshot in the place of what was too much")
    ctx.expect(sum(len(message["mutations"]) for message in agent.of("dom_mutations", since)) < 4000, "bounded")
    await agent.ask("evaluate", code="document.getElementById('list').replaceChildren()")


async def errors(ctx, agent):
    for kind, members, code, ours in (
            ("click", {"target": {"selector": "#nothing"}}, "TARGET_NOT_FOUND", "TARGET_NOT_FOUND"),
            ("click", {"target": {"stableId": "menu"}}, "TARGET_NOT_VISIBLE", None),
            ("click", {"target": {"selector": "#menu"}}, "TARGET_NOT_VISIBLE", "TARGET_NOT_VISIBLE"),
            ("click", {"target": {"stableId": "off"}}, "TARGET_DISABLED", "TARGET_DISABLED"),
            ("click", {"target": {"selector": "input"}}, "TARGET_NOT_FOUND", "TARGET_AMBIGUOUS"),
            ("click", {"target": {"stableId": "go"}, "options": {"clickCount": 4}}, "INVALID_COMMAND", "INVALID_ACTION"),
            ("click", {"target": {"text": "nowhere to be read", "role": "div"}}, "TARGET_NOT_FOUND", None),
            ("click", {"target": {}}, "INVALID_COMMAND", "INVALID_ACTION"),
            ("click", {}, "INVALID_COMMAND", "INVALID_ACTION"),
            ("select", {"target": {"stableId": "size"}, "options": {"value": "none"}}, None, None),
            ("evaluate", {"code": "throw new Error('mine')"}, "EVAL_ERROR", "EVAL_ERROR"),
            ("evaluate", {"code": "new Promise(() => {})", "options": {"timeout": 300}}, "TIMEOUT", "TIMEOUT"),
            ("navigate", {"url": ctx.closed_origin}, "NAVIGATION_FAILED", "NAVIGATION_FAILED"),
            ("navigate", {"url": "file:///etc/passwd"}, "UNKNOWN_ERROR", "POLICY_DENIED"),
            ("request_state", {"scope": "nothing"}, "INVALID_COMMAND", "INVALID_ACTION"),
            ("request_dom_snapshot", {"options": {"selector": "<"}}, "INVALID_COMMAND", "INVALID_ACTION"),
            ("request_dom_snapshot", {"options": {"selector": "#nothing"}}, "TARGET_NOT_FOUND", "TARGET_NOT_FOUND"),
            ("request_screenshot", {"options": {"format": "gif"}}, "INVALID_COMMAND", "INVALID_ACTION"),
            ("clack", {}, "INVALID_COMMAND", "INVALID_ACTION")):
        result = await agent.ask(kind, **members)
        if code:
            failed(ctx, result, code, f"{kind} {members}", ours)
        else:
            ctx.expect(not result["success"], f"{kind} {members}: {result}")
        if kind == "navigate":
            await agent.ask("navigate", url=f"{ctx.origin}/case/index.html")
    for text, kind in (('{"type":"click","target":{"stableId":"go"}}', "click"), ("{}", "unknown")):
        since = len(agent.messages)
        await agent.socket.send(text)
        result = await agent.hear("command_result", since=since)
        ctx.match(result, {"requestId": "", "requestType": kind, "error": {"code": "INVALID_COMMAND"}}, text)
    # Messages that are not commands get no answer.
    since = len(agent.messages)
    await agent.socket.send('{"type":"command_result","requestId":"x","success":true}')
    fine(ctx, await agent.ask("focus", target={"stableId": "name"}), "behind it")
    ctx.expect(len(agent.of("command_result", since)) == 1, "a result was answered")


async def private_values(ctx, agent):
    fine(ctx, await agent.ask("type", target={"stableId": "secret"}, text="typed-secret-value", options={"clear": True}),
         "a private field")
    await agent.ask("evaluate", code="document.getElementById('card').setAttribute('value', '4111222233334444');"
                    "document.title = 'typed-secret-value'; console.log('typed-secret-value');"
                    "document.getElementById('said').textContent = 'typed-secret-value'; 0")
    result = await agent.ask("request_ui_tree")
    ctx.expect("value" not in [item for item in before_result(ctx, agent, result, "ui_tree")["items"]
                               if item["stableId"] == "secret"][0], "a private value")
    result = await agent.ask("request_dom_snapshot")
    ctx.expect('id="secret"' in before_result(ctx, agent, result, "dom_snapshot")["html"], "the field itself")
    await agent.ask("evaluate", code="document.title = 'Driven'")


async def late(ctx, bridge):
    """An agent that joins late receives everything it needs, also if it replaces another one at once."""
    for _ in range(3):
        async with bridge.agent() as agent:
            for kind in ("hello", "capabilities", "dom_snapshot", "ui_tree"):
                await agent.hear(kind)
            await agent.hear("state_update", lambda message: message["scope"] == "location")


async def navigation(ctx, agent):
    since = len(agent.messages)
    fine(ctx, await agent.ask("click", target={"stableId": "away"}), "a link")
    ctx.match(await agent.hear("hello", since=since), {"url": f"{ctx.origin}/case/second.html", "appId": "page"}, "hello")
    await agent.hear("dom_snapshot", lambda message: "Here" in message["html"], since)
    tree = await agent.hear("ui_tree", since=since)
    ctx.expect([item["stableId"] for item in tree["items"]] == ["here"], f"{tree}")
    result = await agent.ask("request_screenshot", options={"format": "webp", "quality": 50})
    shot = before_result(ctx, agent, result, "screenshot")
    picture = Picture(base64.b64decode(shot["data"]))
    ctx.expect((shot["format"], picture.width, picture.height) == ("webp", 1280, 720), "a webp")
    since = len(agent.messages)
    await agent.ask("evaluate", code="history.pushState({}, '', '?pushed')")
    await agent.hear("state_update", lambda message: message["scope"] == "location" and
                     message["state"]["search"] == "?pushed", since)
    since = len(agent.messages)
    result = await agent.ask("navigate", url="index.html", options={"waitUntil": "networkidle"})
    ctx.match(result, {"success": True, "result": {"url": f"{ctx.origin}/case/index.html", "status": 200}}, "relative")
    await agent.hear("ui_tree", since=since)
    failed(ctx, await agent.ask("click", target={"stableId": "button-Nothing-0"}), "TARGET_NOT_FOUND", "nothing")


async def death(ctx, agent):
    """A killed browser returns to its page, as the same app."""
    since = len(agent.messages)
    await asyncio.sleep(0.3)
    faults.kill(ctx)
    ctx.match(await agent.hear("hello", since=since, seconds=30),
              {"url": f"{ctx.origin}/case/index.html", "appId": "page"}, "hello again")
    await agent.hear("ui_tree", since=since, seconds=20)
    fine(ctx, await agent.ask("click", target={"stableId": "go"}), "a click behind it")
    # Killed during a command: its result says what happened, or it was retried.
    faults.kill(ctx)
    result = await agent.ask("request_ui_tree", seconds=40)
    fine(ctx, result, "a request right behind a kill")


async def crash(ctx, agent):
    """Only the page's process ends."""
    since = len(agent.messages)
    faults.kill(ctx, "renderer")
    ctx.match(await agent.hear("hello", since=since, seconds=30),
              {"url": f"{ctx.origin}/case/index.html", "appId": "page"}, "hello behind a crash")
    await agent.hear("dom_snapshot", since=since, seconds=20)
    await agent.hear("ui_tree", since=since, seconds=20)
    fine(ctx, await agent.ask("click", target={"stableId": "go"}), "a click behind a crash")


async def hanging(ctx, agent):
    await agent.ask("evaluate", code="setTimeout(() => { const end = Date.now() + 3500; while (Date.now() < end); }, 50)")
    await asyncio.sleep(0.3)
    results = [await agent.ask("evaluate", code="1", options={"timeout": 700})]
    failed(ctx, results[0], "TIMEOUT", "while the page hangs")
    fine(ctx, await agent.ask("focus", target={"selector": "#name"}, seconds=40), "behind it")


async def without_eval(ctx, bridge):
    async with bridge.agent() as agent:
        capabilities = await agent.hear("capabilities")
        ctx.expect("eval" not in capabilities["capabilities"], "eval is offered")
        failed(ctx, await agent.ask("evaluate", code="1"), "EVAL_DISABLED", "evaluate", "EVAL_DISABLED")
        failed(ctx, await agent.ask("evaluate", code="1", options={"returnByValue": False}), "EVAL_DISABLED", "by reference")


async def adopted(ctx, bridge):
    """A tab that another client has opened."""
    async with bridge.agent() as agent:
        # The tab may still be loading its page when it is adopted: then that page has its own hello.
        await agent.hear("hello", lambda message: message["appName"] == "Second", seconds=20)
        await agent.hear("ui_tree", lambda message: any(item["stableId"] == "here" for item in message["items"]), seconds=20)
        fine(ctx, await agent.ask("click", target={"stableId": "here"}), "a click in a tab")
