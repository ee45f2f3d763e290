"""Each command of BROP and each of its error sentences, on a form with frames and on the shop."""
import asyncio
import base64
import json

from broped import broped
from pictures import Picture

BROWSER = "any"
TIME_LIMIT = 120
NO_TAB = "tabId is required. Use list_tabs to see available tabs or create_tab to create a new one."


def run(ctx):
    with broped(ctx) as brop:
        for part in (tabs, navigation, elements, forms, scripts, consoles, reading, pictures, extension, envelopes, refused):
            asyncio.run(part(ctx, brop))
        status, text = brop.get("/logs?limit=2")
        logs = json.loads(text)
        ctx.match(logs, {"total": {"$gt": 2}, "returned": 2, "logs": [{"timestamp": {"$regex": r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"},
                                                                     "level": {"$regex": "info|error"}}, {}]}, "logs")
        ctx.expect(status == 200 and brop.get("/other")[0] == 404, "HTTP")
    without_scripts(ctx)
    under_rules(ctx)


async def open_form(ctx, client):
    return (await client.ask("create_tab", url=ctx.origin + "/case/form.html"))["tabId"]


async def tabs(ctx, brop):
    async with brop.client() as client, brop.client() as other:
        ctx.match(await client.ask("list_tabs"), {"success": True, "tabs": [], "activeTabId": None, "totalTabs": 0,
                                                  "accessibleTabs": 0}, "no tabs")
        url = ctx.origin + "/case/form.html"
        first = await client.ask("create_tab", url=url)
        ctx.match(first, {"success": True, "tabId": 1, "url": url, "title": "Form", "active": True, "status": "complete"}, "create_tab")
        blank = await other.ask("create_tab", active=False)
        ctx.match(blank, {"tabId": 2, "url": "about:blank", "active": False}, "a blank tab")
        listed = await client.ask("list_tabs", include_content=True)
        ctx.match(listed, {"activeTabId": 1, "totalTabs": 2, "accessibleTabs": 2, "tabs": [
            {"tabId": 1, "url": url, "title": "Form", "active": True, "status": "complete", "windowId": 1, "index": 0,
             "pinned": False, "accessible": True, "content": {"$regex": "Save draft"}},
            {"tabId": 2, "active": False, "index": 1}]}, "list_tabs")
        # An active tab for each client.
        ctx.match(await other.ask("activate_tab", tabId="2"), {"tabId": 2, "action": "activated", "url": "about:blank"}, "activate_tab")
        ctx.expect((await other.ask("list_tabs"))["activeTabId"] == 2, "the other client's active tab")
        ctx.expect((await client.ask("list_tabs"))["activeTabId"] == 1, "each client has an active tab")
        ctx.match(await client.ask("close_tab", tabId=1), {"success": True, "tabId": 1, "action": "closed"}, "close_tab")
        for method in ("close_tab", "activate_tab", "click", "get_console_logs"):
            error = await client.error(method, tabId=1, selector="a")
            ctx.expect(error == "Tab 1 not found: No tab with id: 1.", f"{method} of a closed tab: {error}")
        error = await client.error("create_tab", url="http://127.0.0.1:8766/")
        ctx.expect(error.startswith("Tab creation failed: ") and "net::ERR_CONNECTION_REFUSED" in error, error)
        error = await client.error("create_tab", url="chrome://extensions/")
        ctx.expect(error.startswith("Tab creation failed: Cannot access chrome:// URL: chrome://extensions/"), error)
        ctx.expect((await client.ask("list_tabs"))["totalTabs"] == 1, "a tab that could not be opened is closed")
        third = await client.ask("create_tab", url=url)
        ctx.expect(third["tabId"] > 2, f"an id was used again: {third}")
        await client.ask("close_tab", tabId=third["tabId"])
        await client.ask("close_tab", tabId=2)


async def navigation(ctx, brop):
    async with brop.client() as client:
        url = ctx.origin + "/case/form.html"
        made = await client.ask("navigate", url=url)
        ctx.match(made, {"success": True, "action": "tab_created", "url": url, "title": "Form"}, "navigate without any tab")
        ctx.match(await client.ask("navigate", url=ctx.origin + "/shop/"), {"action": "navigated", "tabId": made["tabId"],
                                                                            "url": ctx.origin + "/shop/"}, "the active tab")
        new = await client.ask("navigate", url=url, create_new_tab=True)
        ctx.expect(new["tabId"] != made["tabId"] and new["action"] == "tab_created", f"create_new_tab: {new}")
        error = await client.error("navigate", url="chrome://settings", tabId=new["tabId"])
        ctx.expect(error == "Cannot access chrome:// URL: chrome://settings", error)
        error = await client.error("navigate", url="http://127.0.0.1:8766/", tabId=new["tabId"])
        ctx.expect(error.startswith("Navigation failed: ") and "net::ERR_CONNECTION_REFUSED" in error, error)
        ctx.expect(await client.error("navigate") == "url is required", "no url")
        gone = await client.ask("navigate", url=url, tabId=new["tabId"], close_tab=True)
        ctx.match(gone, {"action": "tab_closed", "tabId": new["tabId"], "url": url}, "close_tab")
        listed = await client.ask("list_tabs")
        ctx.expect([tab["tabId"] for tab in listed["tabs"]] == [made["tabId"]], f"after close_tab: {listed}")
        await client.ask("close_tab", tabId=made["tabId"])


async def elements(ctx, brop):
    async with brop.client() as client:
        tab = await open_form(ctx, client)
        clicked = await client.ask("click", tabId=tab, selector="button.twice")
        ctx.match(clicked, {"success": True, "clicked": {"tagName": "BUTTON", "className": "twice", "text": "Save draft", "type": "submit"},
                            "position": {"x": {"$gt": 0}, "width": {"$gt": 10}}, "navigation": {"occurred": False}}, "the first match")
        clicked = await client.ask("click", tabId=tab, selector='button:contains("Save")')
        ctx.match(clicked, {"clicked": {"text": "Save"}}, ":contains()")
        ctx.match(await client.ask("click", tabId=tab, selector="#inside"), {"clicked": {"tagName": "BUTTON", "id": "inside"}}, "in a frame")
        error = await client.error("click", tabId=tab, selector="#nothing", timeout=500)
        ctx.expect(error.startswith("Click failed: ") and "#nothing" in error, error)
        error = await client.error("click", tabId=tab, selector="button[disabled]", timeout=500)
        ctx.expect("disabled" in error, error)
        error = await client.error("click", tabId=tab, selector="#gone", timeout=500)
        ctx.expect(error.startswith("Click failed: "), error)
        ctx.expect("selector" in await client.error("click", tabId=tab), "no selector")
        ctx.expect(":contains()" in await client.error("click", tabId=tab, selector='div b:contains("x")'), "a selector that is no CSS")
        # Typing
        typed = await client.ask("type", tabId=tab, selector="#who", text="Zoë")
        ctx.match(typed, {"typed": "Zoë", "finalValue": "Zoë", "element": {"tagName": "input", "id": "who"}, "corrections": 0}, "type")
        ctx.expect("warnings" not in typed, f"warned of nothing: {typed}")
        typed = await client.ask("type", tabId=tab, selector="#who", text="abcdefghijk", humanLike=True, typoChance=0.5, clear=True)
        ctx.match(typed, {"finalValue": "abcdefghijk", "humanLike": True, "corrections": 0, "warnings": ["typoChance has no effect: no typos are made"]},
                  "humanLike")
        gaps = (await client.ask("evaluate_js", tabId=tab, code="keys.slice(-11).map((at, i, all) => at - (all[i - 1] ?? 0)).slice(1)"))["result"]
        ctx.expect(len(gaps) == 10 and min(gaps) >= 40, f"humanLike pauses, ms: {gaps}")
        await client.ask("type", tabId=tab, selector="#who", text="Zoë", humanLike=True, delay=1, clear=True)
        typed = await client.ask("type", tabId=tab, selector="[name=mail]", text="new@example.org", clear=True)
        ctx.match(typed, {"finalValue": "new@example.org"}, "type with clear")
        typed = await client.ask("type", tabId=tab, selector="#pw", text="hunter2!")
        ctx.expect("hunter2" not in json.dumps(typed) and typed["element"]["type"] == "password", f"a password is told: {typed}")
        error = await client.error("type", tabId=tab, selector="h1", text="x", timeout=1000)
        ctx.expect(error.startswith("Type failed: "), error)
        # Elements
        got = await client.ask("get_element", tabId=tab, selector="select")
        ctx.match(got, {"success": True, "found": 1, "element": {
            "tagName": "select", "name": "country", "type": "select-one", "isVisible": True, "parentTagName": "form",
            "boundingBox": {"width": {"$gt": 10}, "left": {"$gt": 0}}, "computedStyle": {"display": "inline-block"},
            "attributes": {"name": "country"}, "options": [{"value": "de", "text": "Germany", "selected": True}, {}, {}, {}]}}, "get_element")
        several = await client.ask("get_element", tabId=tab, selector="button.twice", multiple=True)
        ctx.expect(several["found"] == 2 and [e["textContent"] for e in several["elements"]] == ["Save draft", "Save"], f"multiple: {several}")
        ctx.match(await client.ask("get_element", tabId=tab, selector=".none", multiple=True), {"found": 0, "elements": []}, "none of several")
        error = await client.error("get_element", tabId=tab, selector=".none", timeout=200)
        ctx.expect(error.startswith("Element not found: "), error)
        secret = await client.ask("get_element", tabId=tab, selector="#pw")
        ctx.expect("hunter2" not in json.dumps(secret) and secret["element"]["value"] == "***", f"a password is told: {secret}")
        # Waiting
        await client.ask("click", tabId=tab, selector="#later")
        waited = await client.ask("wait_for_element", tabId=tab, selector="#late", timeout=5000, pollInterval=50, tiemout=1)
        ctx.match(waited, {"warnings": ["pollInterval has no effect: the page is watched, not polled", "tiemout has no effect: the command does not know it"]},
                  "parameters without an effect")
        ctx.match(waited, {"found": True, "waitTime": {"$ge": 0}, "element": {"textContent": "Here now", "isVisible": True}}, "wait_for_element")
        ctx.match(await client.ask("wait_for_element", tabId=tab, selector="#gone", visible=False), {"found": True}, "a hidden element")
        error = await client.error("wait_for_element", tabId=tab, selector="#gone", timeout=500)
        ctx.expect(error.startswith("Wait for element failed: "), error)
        left = await client.ask("click", tabId=tab, selector='a:contains("Onward")', waitForNavigation=True)
        ctx.match(left, {"navigation": {"occurred": True, "oldUrl": {"$regex": "form.html$"}, "newUrl": {"$regex": "done.html$"}}}, "navigation")
        await client.ask("close_tab", tabId=tab)


async def forms(ctx, brop):
    async with brop.client() as client:
        tab = await open_form(ctx, client)
        data = {"who": "Zoë", "Mail": "zoe@example.org", "pw": "hunter2!", "size": "L", "news": True, "country": "France", "notes": None,
                "nothing": "x"}
        got = await client.ask("fill_form", tabId=tab, formData=data, formSelector="#f", timeout=2000)
        ctx.match(got, {"success": True, "tabId": tab, "filledFields": 7, "totalFields": 8, "submitted": False, "formFound": True,
                        "errors": ["Field not found: nothing"]}, "fill_form")
        filled = {field["key"]: field for field in got["filled"]}
        ctx.expect([field["key"] for field in got["filled"]] == ["who", "Mail", "pw", "size", "news", "country", "notes"], f"order: {got['filled']}")
        ctx.match(filled["who"], {"fieldName": "who", "fieldType": "text", "value": "Zoë"}, "a text field")
        ctx.expect("hunter2" not in json.dumps(got), f"a password is told: {got}")
        state = await client.ask("evaluate_js", tabId=tab, code="[...new FormData(document.querySelector('form'))].map((pair) => pair.join('='))")
        ctx.expect(state["result"] == ["who=Zoë", "mail=zoe@example.org", "pw=hunter2!", "size=L", "news=on", "country=fr", "notes="],
                   f"the form has {state['result']}")
        for params, part in (({"formData": {"nothing": "1"}}, "nothing"), ({"formData": {"who": "x"}, "formSelector": "#none"}, "#none")):
            reply = await client.raw("fill_form", {"tabId": tab, "timeout": 500, **params})
            ctx.expect(not reply["success"] and reply["error"].startswith("Fill form failed: ") and part in reply["error"], f"{params}: {reply}")
            ctx.match(reply, {"result": {"success": False, "filledFields": 0, "totalFields": 1, "formFound": False, "submitted": False}}, "none was filled")
        ctx.expect(await client.error("fill_form", tabId=tab) == "formData is required", "no formData")
        sent = await client.ask("fill_form", tabId=tab, formData={"who": "Ann"}, submit=True)
        ctx.match(sent, {"submitted": True, "filledFields": 1}, "submit")
        where = await client.ask("evaluate_js", tabId=tab, code="location.pathname + location.search")
        ctx.expect(where["result"].startswith("/case/done.html?who=Ann&"), f"submitted to {where['result']}")
        await client.ask("navigate", tabId=tab, url=ctx.origin + "/case/form.html")
        found = await client.ask("detect_interactive_elements", tabId=tab)
        ctx.match(found, {"success": True, "total_detected": {"$gt": 10}, "detection_layers": {"$contains": "element"}, "timestamp": {"$gt": 0}},
                  "detect_interactive_elements")
        later = next(element for element in found["elements"] if element.get("selector") == "#later")
        ctx.match(later, {"tagName": "button", "text": "Later", "confidence": "HIGH", "coordinates": {"width": {"$gt": 5}, "centerX": {"$gt": 0}}}, "a button")
        few = await client.ask("detect_interactive_elements", tabId=tab, maxElements=2, includeCoordinates=False)
        ctx.expect(len(few["elements"]) == 2 and "coordinates" not in few["elements"][0], f"maxElements: {few}")
        await client.ask("close_tab", tabId=tab)


async def scripts(ctx, brop):
    async with brop.client() as client:
        tab = await open_form(ctx, client)
        for code, kind, result, more in (
                ("document.title", "string", "Form", {}),
                ("const a = 3; return a * 2", "number", 6, {}),
                ("(a, b) => a + b", "number", 35, {"args": [10, 25]}),
                ("async () => { await null; return 'waited' }", "string", "waited", {}),
                ("function name() { return this === undefined || 7 }", "number", 7, {}),
                ("async function () { return [1] }", "object", [1], {}),
                ("(() => 5)()", "number", 5, {}),
                ("{a: 1}", "object", {"a": 1}, {}),
                ("({a: 1})", "object", {"a": 1}, {}),
                ("await Promise.resolve(4)", "number", 4, {}),
                ("undefined", "undefined", None, {}),
                ("null", "object", None, {}),
                ("window", "object", "Window", {}),
                ("constant = 2, constant + 1", "number", 3, {}),
                ("let five = 5; five", "number", 5, {}),
                ("const two = 2\nif (two) { return 'two' }", "string", "two", {}),
                ("[...document.querySelectorAll('button')].length;", "number", 4, {})):
            got = await client.ask("evaluate_js", tabId=tab, code=code, **more)
            ctx.expect((got["type"], got["result"]) == (kind, result), f"{code}: {got}")
        ctx.match(await client.ask("evaluate_js", tabId=tab, code="Promise.resolve(1)"), {"isPromise": True, "isSerializable": True}, "a promise")
        ctx.match(await client.ask("evaluate_js", tabId=tab, code="window"), {"isSerializable": False}, "a window")
        ctx.match(await client.ask("evaluate_js", tabId=tab, code="document", returnByValue=False),
                  {"returnByValue": False, "result": {"className": "HTMLDocument"}}, "by reference")
        for code, word in (("nothing", "ReferenceError"), ("this is none", "SyntaxError"), ("throw new Error('why')", "why"),
                           ("null.x", "TypeError")):
            error = await client.error("evaluate_js", tabId=tab, code=code)
            ctx.expect(error.startswith("JavaScript execution failed: ") and word in error, f"{code}: {error}")
        # What has thrown has run, and is not run again.
        for code in ("runs++, JSON.parse('{')", "(() => { runs++; throw new SyntaxError('own') })", "runs++; eval('}')", "runs++, nothing"):
            await client.ask("evaluate_js", tabId=tab, code="window.runs = 0")
            await client.error("evaluate_js", tabId=tab, code=code)
            got = await client.ask("evaluate_js", tabId=tab, code="runs")
            ctx.expect(got["result"] == 1, f"{code}: it ran {got['result']} times")
        error = await client.error("evaluate_js", tabId=tab, code="5", args=[1])
        ctx.expect("not a function" in error, error)
        error = await client.error("evaluate_js", tabId=tab, code="while (true) {}", timeout=500)
        ctx.expect("timed out" in error, error)
        ctx.expect((await client.ask("evaluate_js", tabId=tab, code="1 + 1"))["result"] == 2, "after an endless loop")
        await client.ask("close_tab", tabId=tab)


async def consoles(ctx, brop):
    async with brop.client() as client:
        tab = await open_form(ctx, client)
        for code, result in (("document.title", "Form"), ("document.readyState", "complete"), ("console.log('a', 1)", "Logged: a 1")):
            ctx.match(await client.ask("execute_console", tabId=tab, code=code), {"result": result}, code)
        for code in ("alert(1)", "document.title = 'x'", "console.log(document.cookie)"):
            error = await client.error("execute_console", tabId=tab, code=code)
            ctx.expect(error.startswith("Unsupported console operation: "), error)
        logs = await client.ask("get_console_logs", tabId=tab)
        said = [(log["level"], log["message"]) for log in logs["logs"]]
        # Chrome is asked for what objects hold, for a short time.
        ctx.expect(said[0] in (("log", "loading {a: [1, 2]}"), ("log", "loading {a: Array(2)}")) and
                   said[1:] == [("warn", "careful"), ("log", "a 1")], f"since the tab was made: {said}")
        ctx.match(logs, {"tab_title": "Form", "tab_url": {"$regex": "form.html$"}, "total_captured": 3, "source": {"$regex": "."},
                         "method": {"$regex": "."}, "message": {"$regex": "No capture"}}, "get_console_logs")
        ctx.expect(len((await client.ask("get_console_logs", tabId=tab))["logs"]) == 3, "reading them consumes them")
        ctx.expect([log["message"] for log in (await client.ask("get_console_logs", tabId=tab, level="warn"))["logs"]] == ["careful"], "level")
        ctx.expect([log["message"] for log in (await client.ask("get_console_logs", tabId=tab, limit=1))["logs"]] == ["a 1"], "limit")
        ctx.match(await client.ask("start_console_capture", tabId=tab), {"capture_started": {"$gt": 0}, "tab_title": "Form"}, "start")
        await client.ask("evaluate_js", tabId=tab, code="for (let i = 0; i < 5; i++) console.error('same', i); console.info('x')")
        logs = await client.ask("get_console_logs", tabId=tab)
        ctx.expect([log["level"] for log in logs["logs"]] == ["error"] * 5 + ["info"], f"a capture: {logs['logs']}")
        ctx.match(logs, {"total_in_session": 6, "capture_duration": {"$ge": 0}}, "a capture")
        await client.ask("navigate", tabId=tab, url=ctx.origin + "/case/done.html")
        ctx.expect(len((await client.ask("get_console_logs", tabId=tab))["logs"]) == 6, "a capture survives a navigation")
        ctx.match(await client.ask("clear_console_logs", tabId=tab), {"logs_cleared": 6, "previous_capture_duration": {"$ge": 0}}, "clear")
        ctx.expect((await client.ask("get_console_logs", tabId=tab))["logs"] == [], "cleared")
        ctx.match(await client.ask("stop_console_capture", tabId=tab), {"logs_captured": 0, "capture_duration": {"$ge": 0}}, "stop")
        await client.ask("evaluate_js", tabId=tab, code="for (let i = 0; i < 1200; i++) console.log('many ' + i)")
        many = (await client.ask("get_console_logs", tabId=tab, limit=2000))["logs"]
        ctx.expect(len(many) <= 1000, f"{len(many)} entries are kept")
        await client.ask("close_tab", tabId=tab)


async def reading(ctx, brop):
    async with brop.client() as client:
        tab = await open_form(ctx, client)
        content = await client.ask("get_page_content", tabId=tab)
        ctx.match(content, {"title": "Form", "url": {"$regex": "form.html$"}, "html": {"$regex": "<form id=.f."},
                            "text": {"$regex": "Save draft"}}, "get_page_content")
        dom = await client.ask("get_simplified_dom", tabId=tab)
        for line in ("# Form", "<!-- form-start: #f -->", "[text: Full name]<!--text:#who-->", "[email: old@example.org]<!--email:input[name=\"mail\"]-->",
                     "[password: Password]<!--password:#pw-->", "[Small]<!--radio:[name=\"size\"][value=\"S\"]-->",
                     "[News]<!--checkbox:input[name=\"news\"]-->", "[select-one: Germany, France, Italy...]<!--select-one:select[name=\"country\"]-->",
                     "<!--textarea:textarea[name=\"notes\"]-->", "[Send it]<!--submit:", "<!-- form-end -->", "[Later]<!--button:#later-->",
                     "Who<!--label:label[for=\"who\"]-->", "done.html)<!--link:"):
            ctx.expect(line in dom["markdown"], f"{line} is not in\n{dom['markdown']}")
        ctx.expect("Hidden" not in dom["markdown"] and "Text of the frame" in dom["markdown"], "hidden text, or no frame")
        ctx.match(dom, {"title": "Form", "format": "markdown", "tabId": tab, "timestamp": {"$regex": r"^\d{4}-.*Z$"},
                        "stats": {"source": "turndown_full", "markdownLength": len(dom["markdown"].encode()), "processed": True}}, "dom")
        bare = await client.ask("get_simplified_dom", tabId=tab, annotations="bare")
        ctx.expect("[text: Full name]<!--#who-->" in bare["markdown"], bare["markdown"])
        plain = await client.ask("get_simplified_dom", tabId=tab, includeSelectors=False)
        ctx.expect("<!--" not in plain["markdown"] and "[text: Full name]" in plain["markdown"], plain["markdown"])
        html = await client.ask("get_simplified_dom", tabId=tab, format="html")
        ctx.match(html, {"format": "html", "html": {"$regex": "<form"}, "stats": {"source": "full_document_html"}}, "as html")
        ctx.expect("Unsupported format" in await client.error("get_simplified_dom", tabId=tab, format="pdf"), "a format")
        # The main part alone, where there is one.
        for params, source, has_rest in (({"enableDetailedResponse": True}, "turndown_full", True), ({"enableDetailedResponse": False}, "turndown_full", True)):
            got = await client.ask("get_simplified_dom", tabId=tab, **params)
            ctx.expect(got["stats"]["source"] == source and got["markdown"] == dom["markdown"], f"{params} without a main part: {got['stats']}")
        await client.ask("evaluate_js", tabId=tab, code="""const main = document.createElement('main');
            const none = document.createElement('main'); none.hidden = true;
            document.querySelector('form').replaceWith(none, main); main.innerHTML = '<p>Main words <button id=within>Within</button></p>'""")
        for params, source, has_rest in (({}, "turndown_full", True), ({"enableDetailedResponse": True}, "turndown_full", True),
                                         ({"enableDetailedResponse": False}, "turndown_main", False)):
            got = await client.ask("get_simplified_dom", tabId=tab, **params)
            ctx.expect("[Within]<!--button:#within-->" in got["markdown"] and ("Onward" in got["markdown"]) == has_rest, f"{params}: {got['markdown']}")
            ctx.expect(got["stats"]["source"] == source and "warnings" not in got, f"{params}: {got['stats']}")
        html = await client.ask("get_simplified_dom", tabId=tab, format="html", enableDetailedResponse=False)
        ctx.expect("Main words" in html["html"] and "Onward" not in html["html"] and html["stats"]["source"] == "main_html", f"main, as html: {html}")
        await client.ask("navigate", tabId=tab, url=ctx.origin + "/case/form.html")
        # Each selector finds its element.
        for selector in ("[name=\"size\"][value=\"L\"]", "label[for=\"who\"]"):
            ctx.match(await client.ask("get_element", tabId=tab, selector=selector), {"found": 1}, selector)
        await client.ask("close_tab", tabId=tab)


async def pictures(ctx, brop):
    async with brop.client() as client:
        tab = await open_form(ctx, client)
        await client.ask("evaluate_js", tabId=tab, code="document.body.style.height = '2000px'")
        for params, kind, size in (({}, b"\x89PNG", (1280, 720)), ({"format": "jpeg", "quality": 50}, b"\xff\xd8", (1280, 720)),
                                   ({"full_page": True}, b"\x89PNG", None)):
            got = await client.ask("get_screenshot", tabId=tab, **params)
            data = base64.b64decode(got["image_data"], validate=True)
            ctx.expect(data.startswith(kind), f"{params}: {data[:8]}")
            picture = Picture(data)
            shown = (picture.width, picture.height)
            ctx.expect(shown == size if size else shown[1] >= 2000, f"{params}: {shown}")
            ctx.match(got, {"tabId": tab, "format": params.get("format", "png"), "tab_title": "Form"}, str(params))
        ctx.expect("Unsupported screenshot format: gif" in await client.error("get_screenshot", tabId=tab, format="gif"), "gif")
        await client.ask("close_tab", tabId=tab)


async def extension(ctx, brop):
    async with brop.client() as client:
        version = await client.ask("get_extension_version")
        ctx.match(version, {"success": True, "result": {"extension_name": "browser-runner", "manifest_version": 3, "timestamp": {"$gt": 0}}}, "version")
        errors = await client.ask("get_extension_errors", limit=2)
        ctx.match(errors, {"errors": [{"id": {"$regex": "^error_"}, "message": {"$regex": "."}}, {}], "max_stored": 100,
                           "total_errors": {"$gt": 2}, "extension_info": {"name": "browser-runner"}}, "errors")
        ctx.match(await client.ask("clear_extension_errors"), {"cleared_errors": errors["total_errors"], "message": {"$regex": "^Cleared"}}, "clear")
        ctx.match(await client.ask("get_extension_errors"), {"errors": [], "total_errors": 0}, "cleared")
        ctx.match(await client.ask("reload_extension", reason="x"), {"success": True, "reason": "x", "message": {"$regex": "no extension"}}, "reload")
        ctx.match(await client.ask("get_server_status"), {"success": True, "message": {"$regex": "."}, "clients": 1}, "status")


async def envelopes(ctx, brop):
    async with brop.client() as client:
        for sent in (0, "a", 7.5, [1], {"a": None}, None, True):
            future = asyncio.get_running_loop().create_future()
            client.waiting[json.dumps(sent)] = future
            await client.socket.send(json.dumps({"id": sent, "method": "list_tabs"}))
            ctx.match(await asyncio.wait_for(future, 10), {"type": "response", "success": True}, f"id {sent}")
        for text, error in (("no JSON", "Invalid JSON: "), ("[" * 100000, "Invalid JSON: "), ("[]", "Invalid command: "),
                            ("\"x\"", "Invalid command: ")):
            future = asyncio.get_running_loop().create_future()
            client.waiting["null"] = future
            await client.socket.send(text)
            reply = await asyncio.wait_for(future, 10)
            ctx.expect(not reply["success"] and reply["error"].startswith(error) and "id" not in reply, f"{text[:20]}: {reply}")
        for message, error in (({"id": 1}, "Invalid command: missing method"), ({"id": 1, "method": "nothing"}, "Unsupported BROP command: nothing"),
                               ({"id": 1, "method": "click"}, NO_TAB), ({"id": 1, "method": "click", "params": []}, "Invalid command: params must be an object"),
                               ({"id": 1, "method": "get_screenshot", "params": {"tabId": "x"}}, "Tab \"x\" not found: No tab with id: \"x\"."),
                               ({"id": 1, "method": "get_screenshot", "params": {"tabId": 4000}}, "Tab 4000 not found: No tab with id: 4000.")):
            future = asyncio.get_running_loop().create_future()
            client.waiting["1"] = future
            await client.socket.send(json.dumps(message))
            reply = await asyncio.wait_for(future, 10)
            ctx.expect(reply["error"].split(" (")[0] == error, f"{message}: {reply}")
        # A command without an id gets one.
        future = asyncio.get_running_loop().create_future()
        client.waiting["\"bridge_1\""] = future
        await client.socket.send(json.dumps({"method": "list_tabs"}))
        ctx.match(await asyncio.wait_for(future, 10), {"id": "bridge_1", "success": True}, "without an id")


async def refused(ctx, brop):
    import websockets
    for more in ({"origin": "https://evil.example"}, {"extra_headers": {"Host": "evil.example"}}):
        try:
            async with brop.client(**more):
                ctx.expect(False, f"{more} was let in")
        except websockets.exceptions.InvalidStatusCode as error:
            ctx.expect(error.status_code == 403, f"{more}: {error}")
    async with brop.client() as client:
        try:
            await client.socket.send("x" * (16 * 1024 * 1024 + 1))
            await asyncio.wait_for(client.socket.wait_closed(), 20)
        except websockets.exceptions.ConnectionClosed:
            pass
        ctx.expect(client.socket.close_code == 1009, f"17 MB: {client.socket.close_code}")


def without_scripts(ctx):
    async def go(brop):
        async with brop.client() as client:
            tab = await open_form(ctx, client)
            for method, code in (("evaluate_js", "1"), ("execute_console", "document.title")):
                reply = await client.raw(method, {"tabId": tab, "code": code})
                ctx.match(reply, {"success": False, "errorCode": {"$in": ["EVAL_DISABLED", "POLICY_DENIED"]}}, f"{method} with --no-eval")
            ctx.match(await client.ask("click", tabId=tab, selector="#later"), {"success": True}, "a click with --no-eval")

    with broped(ctx, "--no-eval") as brop:
        asyncio.run(go(brop))


def under_rules(ctx):
    """Tabs share one browser also where rules hold for them."""
    async def go(brop):
        async with brop.client() as client:
            first, second = [await open_form(ctx, client) for _ in range(2)]
            await client.ask("evaluate_js", tabId=first, code="document.cookie = 'shared=1'")
            ctx.match(await client.ask("evaluate_js", tabId=second, code="document.cookie"), {"result": "shared=1"}, "cookies")
            error = await client.error("navigate", tabId=first, url="http://elsewhere.example/")
            ctx.expect(error.startswith("Navigation failed: ") and "elsewhere.example" in error, error)
        ctx.expect("browser_runner_browser_starts_total 1" in brop.get("/metrics")[1], "it is one browser")

    with broped(ctx, "--allow", "127.0.0.1") as brop:
        asyncio.run(go(brop))
