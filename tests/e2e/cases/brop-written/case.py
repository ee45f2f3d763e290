"""What a client that was written from the text of BROP's specification runs into."""
import asyncio
import json
import re
import urllib.request

from broped import broped

BROWSER = "any"


def run(ctx):
    with broped(ctx) as brop:
        for part in (waits, changes, forms, elements, markup, comments, relative, tabs):
            asyncio.run(part(ctx, brop))
    with broped(ctx, "--cdp=0") as brop:
        cdp = brop.process.line(20)["url"]
        with urllib.request.urlopen(cdp + "/logs?limit=5", timeout=20) as answer:
            ctx.match(json.load(answer), {"total": 0, "logs": []}, "/logs at the port for CDP")


async def opened(ctx, client):
    return (await client.ask("create_tab", url=ctx.origin + "/case/forms.html"))["tabId"]


async def waits(ctx, brop):
    """A wait is not in the way of the command that fulfils it, nor of other waits and of the tab's end."""
    async with brop.client() as client:
        tab = await opened(ctx, client)
        added = asyncio.ensure_future(client.ask("wait_for_element", tabId=tab, selector="#added", timeout=40000))
        never = asyncio.ensure_future(client.error("wait_for_element", tabId=tab, selector="#never", timeout=1500))
        # A command that has been answered means that both waits have had their turn.
        ctx.match(await client.ask("evaluate_js", tabId=tab, code="1 + 1"), {"result": 2}, "beside two waits")
        ctx.expect(not added.done(), "a wait ended before its element was there")
        await client.ask("click", tabId=tab, selector="#add")
        ctx.match(await added, {"found": True, "waitTime": {"$gt": 0}, "element": {"textContent": "Added"}}, "the element that was added")
        ctx.expect("#never" in await never, "a wait without an end")
        pending = asyncio.ensure_future(client.error("wait_for_element", tabId=tab, selector="#never", timeout=40000))
        await client.ask("evaluate_js", tabId=tab, code="1")
        ctx.match(await client.ask("close_tab", tabId=tab), {"action": "closed"}, "close_tab beside a wait")
        ctx.expect("not found" in await pending, "a wait in a closed tab")


async def changes(ctx, brop):
    """`change` is fired once for each edit, while the field keeps the focus."""
    async with brop.client() as client:
        tab = await opened(ctx, client)

        async def heard():
            return (await client.ask("evaluate_js", tabId=tab, code="changes.splice(0)"))["result"]

        await client.ask("type", tabId=tab, selector="#one", text="abc")
        ctx.expect(await heard() == ["abc"], "type: a change")
        await client.ask("click", tabId=tab, selector="#heading")
        ctx.expect(await heard() == ["left"], "type: a second change at the blur")
        await client.ask("type", tabId=tab, selector="#one", text="d")
        await client.ask("type", tabId=tab, selector="#one", text="e")
        ctx.expect(await heard() == ["abcd", "abcde"], "one change for each edit")
        await client.ask("fill_form", tabId=tab, formData={"two": "2", "notes": "3"})
        ctx.expect(await heard() == ["left", "2", "left", "3"], "fill_form: the last field, too")
        await client.ask("click", tabId=tab, selector="#heading")
        ctx.expect(await heard() == ["left"], "fill_form: a second change at the blur")
        await client.ask("close_tab", tabId=tab)


async def forms(ctx, brop):
    async with brop.client() as client:
        tab = await opened(ctx, client)
        filled = await client.ask("fill_form", tabId=tab, formData={"username": "zoe", "Second line": "x"})
        ctx.match(filled, {"filledFields": 2, "filled": [{"key": "username", "fieldName": "username"}, {"key": "Second line", "fieldName": "Second line"}],
                           "warnings": ["username: 2 fields have this name, and the first one was filled"]}, "two forms with one name")
        values = await client.ask("evaluate_js", tabId=tab, code="[...document.querySelectorAll('[name=username]')].map((one) => one.value)")
        ctx.expect(values["result"] == ["zoe", ""], f"which one: {values}")
        reply = await client.raw("fill_form", {"tabId": tab, "formData": {"size": "Huge", "nothing": 1}})
        ctx.match(reply, {"success": False, "result": {"errors": [{"$regex": "^size: .*has no option \"Huge\""}, "Field not found: nothing"]}}, "an option")
        await client.ask("close_tab", tabId=tab)


async def elements(ctx, brop):
    async with brop.client() as client:
        tab = await opened(ctx, client)
        for selector, shown, clickable in (("#heading", True, False), ("#inside", False, False), ("#under", True, False), ("#label", True, True),
                                           ("#word", True, True), ("#one", True, True), ("select", True, True)):
            element = (await client.ask("get_element", tabId=tab, selector=selector))["element"]
            ctx.match(element, {"isVisible": shown, "isClickable": clickable}, selector)
        ctx.match(await client.ask("detect_interactive_elements", tabId=tab, maxElements=999999), {"total_detected": {"$gt": 5}}, "maxElements")
        await client.ask("close_tab", tabId=tab)


async def markup(ctx, client_of):
    async with client_of.client() as client:
        tab = await opened(ctx, client)
        dom = await client.ask("get_simplified_dom", tabId=tab, format="html")
        ctx.expect("Under</button>" in dom["html"] and not any(word in dom["html"] for word in ("<script", "onclick", "style=")), f"without scripts: {dom}")
        await client.ask("evaluate_js", tabId=tab, code="document.querySelector('textarea').outerHTML = '<main onclick=\"x()\"><script>1<\\/script><p>Main</p></main>'")
        for params, html in (({}, "<main><p>Main</p></main>"), ({"enableDetailedResponse": False}, "<main><p>Main</p></main>"),
                             ({"enableDetailedResponse": True}, {"$regex": "<script"})):
            ctx.match(await client.ask("get_simplified_dom", tabId=tab, format="html", **params), {"html": html}, f"markup, {params}")
        await client.ask("close_tab", tabId=tab)


async def comments(ctx, brop):
    """Selectors in the comments of Markdown have no `>` where a descendant is enough: clients look for comments by such a pattern."""
    async with brop.client() as client:
        tab = await opened(ctx, client)
        lists = "".join(f"<ul>{'<li><span><a href=x>Same</a> <button>Delete</button></span></li>' * 3}</ul>" for _ in range(3))
        await client.ask("evaluate_js", tabId=tab, code="(html) => void (document.body.innerHTML = `<main>${html}</main>`)", args=[lists])
        text = (await client.ask("get_simplified_dom", tabId=tab))["markdown"]
        found = re.findall(r"<!--([^:]+):([^>]+)-->", text)
        ctx.expect(len(found) == 18 == text.count("<!--"), f"comments: {text}")
        for kind, selector in found:
            several = await client.ask("get_element", tabId=tab, selector=selector, multiple=True)
            ctx.expect(several["found"] == 1 and several["elements"][0]["tagName"] == {"link": "a", "button": "button"}[kind], f"{selector}: {several}")
        await client.ask("close_tab", tabId=tab)


async def relative(ctx, brop):
    """A URL is relative to that of the tab, also after one that was not reached."""
    async with brop.client() as client:
        tab = await opened(ctx, client)
        ctx.match(await client.ask("navigate", tabId=tab, url="../shop/?a"), {"url": ctx.origin + "/shop/?a"}, "../")
        ctx.match(await client.ask("navigate", tabId=tab, url="/case/forms.html"), {"url": ctx.origin + "/case/forms.html"}, "/")
        await client.error("navigate", tabId=tab, url="http://127.0.0.1:8766/a/b")
        error = await client.error("navigate", tabId=tab, url="./c")
        ctx.expect("http://127.0.0.1:8766/a/" in error and "REFUSED" in error, error)
        ctx.expect("is relative" in await client.error("create_tab", url="/c"), "relative to no page")
        await client.ask("close_tab", tabId=tab)


async def tabs(ctx, brop):
    """`active: false` changes no active tab."""
    async with brop.client() as client:
        first = await opened(ctx, client)
        second = (await client.ask("create_tab", url=ctx.origin + "/case/forms.html", active=False))["tabId"]
        ctx.match(await client.ask("list_tabs"), {"activeTabId": first, "tabs": [{"active": True}, {"tabId": second, "active": False}]}, "active: false")
        ctx.match(await client.ask("navigate", url=ctx.origin + "/shop/"), {"tabId": first}, "navigate the active tab")
        front = await client.ask("activate_tab", tabId=second)
        ctx.expect(front["action"] == "activated" and "warnings" not in front, f"activate_tab: {front}")
        busy = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": first, "code": "while (true);", "timeout": 20000}))
        await asyncio.sleep(0)  # sends it
        front = await client.ask("activate_tab", tabId=first)
        ctx.match(front, {"action": "activated", "warnings": [{"$regex": "was not brought to the front: .* busy with evaluate"}]}, "a busy tab")
        ctx.expect((await client.ask("list_tabs"))["activeTabId"] == first, "a busy tab is the active one")
        await client.ask("close_tab", tabId=first)
        await busy
