"""Windows that a page opens are tabs: listed, read, used, closed, closed by themselves, and back after a crash."""
import asyncio

from broped import broped
from faults import kill
from processes import SLOWNESS

BROWSER = "any"
TIME_LIMIT = 120


def run(ctx):
    with broped(ctx) as brop:
        for part in (used, closed, hung, lost):
            asyncio.run(part(ctx, brop))


async def titles(client):
    return {tab["tabId"]: tab["title"] for tab in (await client.ask("list_tabs"))["tabs"]}


async def titled(ctx, client, title):
    """The id of the tab with this title, once it is loaded."""
    end = asyncio.get_running_loop().time() + 20 * SLOWNESS
    while True:
        tabs = await titles(client)
        found = [tab for tab, shown in tabs.items() if shown == title]
        if found:
            return found[0]
        ctx.expect(asyncio.get_running_loop().time() < end, f"no tab is titled {title}: {tabs}")
        await asyncio.sleep(0.05)


async def opened(ctx, client, how):
    """The ids of an opener and of the tab that it has opened."""
    opener = (await client.ask("create_tab", url=ctx.origin + "/case/opener.html"))["tabId"]
    before = set(await titles(client))
    await client.ask("click", tabId=opener, selector="#" + how)
    name = "script" if how == "open" else how
    ctx.expect(len(set(await titles(client)) - before) == 1, f"{how}: the list right after the click")
    return opener, await titled(ctx, client, "Popup " + name)


async def used(ctx, brop):
    """By links, by scripts, with a size: each command works, in turn with those of the opener."""
    async with brop.client() as client, brop.client() as other:
        for how in ("blank", "open", "small"):
            opener, popup = await opened(ctx, client, how)
            name = "script" if how == "open" else how
            listed = await other.ask("list_tabs", include_content=True)
            shown = next(tab for tab in listed["tabs"] if tab["tabId"] == popup)
            ctx.match(shown, {"url": {"$regex": rf"popup\.html\?{name}$"}, "title": f"Popup {name}", "accessible": True, "content": {"$regex": "Nothing"}},
                      f"{how}: list_tabs")
            logs = await client.ask("get_console_logs", tabId=popup)
            ctx.expect([log["message"] for log in logs["logs"]] == [f"first of {name}"], f"{how}: console: {logs['logs']}")
            ctx.match(await client.ask("activate_tab", tabId=popup), {"tabId": popup, "title": f"Popup {name}"}, f"{how}: activate_tab")
            ctx.match(await client.ask("type", tabId=popup, selector="#who", text="Zoë"), {"finalValue": "Zoë"}, f"{how}: type")
            await client.ask("click", tabId=popup, selector="#say")
            ctx.match(await client.ask("get_element", tabId=popup, selector="#said"), {"element": {"textContent": "Zoë"}}, f"{how}: get_element")
            ctx.match(await client.ask("get_page_content", tabId=popup), {"text": {"$regex": "Zoë"}, "title": f"Popup {name}"}, f"{how}: content")
            ctx.match(await client.ask("click", tabId=opener, selector="#count"), {"clicked": {"id": "count"}}, f"{how}: the opener")
            # Both at once, without waiting for one another.
            codes = [client.ask("evaluate_js", tabId=tab, code="document.title") for tab in (opener, popup) * 4]
            said = [got["result"] for got in await asyncio.gather(*codes)]
            ctx.expect(said == ["Opener", f"Popup {name}"] * 4, f"{how}: in turn: {said}")
            for tab in (popup, opener):
                ctx.expect(len((await client.ask("get_screenshot", tabId=tab))["image_data"]) > 1000, f"{how}: a picture of {tab}")
            await client.ask("evaluate_js", tabId=opener, code="console.log('of the opener'); popup?.console.log('from outside')")
            logs = [log["message"] for log in (await client.ask("get_console_logs", tabId=opener))["logs"]]
            ctx.expect(logs == ["of the opener"], f"{how}: the opener's console: {logs}")
            logs = [log["message"] for log in (await client.ask("get_console_logs", tabId=popup))["logs"]]
            outside = ["from outside"] if how == "open" else []
            ctx.expect(logs == [f"first of {name}", "said Zoë", *outside], f"{how}: its console: {logs}")
            moved = await client.ask("navigate", tabId=popup, url=ctx.origin + "/case/opener.html")
            ctx.match(moved, {"tabId": popup, "title": "Opener"}, f"{how}: navigate")
            ctx.match(await client.ask("close_tab", tabId=popup), {"tabId": popup, "action": "closed"}, f"{how}: close_tab")
            ctx.expect(await client.error("close_tab", tabId=popup) == f"Tab {popup} not found: No tab with id: {popup}.", f"{how}: twice")
            ctx.expect(set(await titles(client)) == {opener}, f"{how}: after close_tab")
            await client.ask("close_tab", tabId=opener)


async def closed(ctx, brop):
    """A window outlives its opener, and leaves the list when it closes itself."""
    async with brop.client() as client:
        opener, popup = await opened(ctx, client, "open")
        ctx.match(await client.ask("close_tab", tabId=opener), {"action": "closed"}, "the opener")
        ctx.expect(await titles(client) == {popup: "Popup script"}, "the window has gone with its opener")
        ctx.match(await client.ask("type", tabId=popup, selector="#who", text="alone"), {"finalValue": "alone"}, "alone")
        ctx.match(await client.ask("close_tab", tabId=popup), {"action": "closed"}, "the last one")
        # By itself
        opener, popup = await opened(ctx, client, "open")
        done = await client.ask("click", tabId=popup, selector="#done")
        ctx.match(done, {"success": True, "navigation": {"occurred": False}}, "a click that closes its own window")
        error = await client.error("evaluate_js", tabId=popup, code="1")
        ctx.expect(error == f"Tab {popup} not found: No tab with id: {popup}.", f"closed by itself: {error}")
        ctx.match(await client.ask("evaluate_js", tabId=opener, code="popup.closed"), {"result": True}, "the opener goes on")
        # By its opener
        await client.ask("click", tabId=opener, selector="#open")
        again = await titled(ctx, client, "Popup script")
        ctx.expect(again > popup, f"an id was used again: {again}")
        await client.ask("click", tabId=opener, selector="#close")
        end = asyncio.get_running_loop().time() + 20 * SLOWNESS
        while again in await titles(client):
            ctx.expect(asyncio.get_running_loop().time() < end, "it is still listed")
            await asyncio.sleep(0.05)
        await client.ask("close_tab", tabId=opener)
        ctx.expect(await titles(client) == {}, "something is left")


async def hung(ctx, brop):
    """A window that hangs holds up its opener alone, and can be closed."""
    async with brop.client() as client, brop.client() as other:
        opener, popup = await opened(ctx, client, "blank")
        free = (await client.ask("create_tab", url=ctx.origin + "/case/opener.html"))["tabId"]
        stuck = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": popup, "code": "new Promise(() => {})", "timeout": 60000}))
        waiting = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": opener, "code": "document.title"}))
        ctx.match(await other.ask("click", tabId=free, selector="#count", seconds=20), {"success": True}, "in another window")
        ctx.match(await other.ask("close_tab", tabId=popup, seconds=30), {"action": "closed"}, "closing it")
        ctx.expect(not (await asyncio.wait_for(stuck, 20 * SLOWNESS))["success"], "the script")
        ctx.match(await asyncio.wait_for(waiting, 20 * SLOWNESS), {"success": True, "result": {"result": "Opener"}}, "the opener")
        for tab in (opener, free):
            await client.ask("close_tab", tabId=tab)


async def lost(ctx, brop):
    """After the browser was killed both are back, whichever was used last."""
    async with brop.client() as client:
        for last in (0, 1):
            pair = await opened(ctx, client, "open")
            shown = ("Opener", "Popup script")
            await client.ask("evaluate_js", tabId=pair[last], code="1")
            kill(ctx)
            for i in (1, 0):
                got = await client.ask("evaluate_js", tabId=pair[i], code="document.title")
                ctx.expect(got["result"] == shown[i], f"{pair[i]} is back as {got}")
            ctx.expect(await titles(client) == dict(zip(pair, shown)), f"the list: {await titles(client)}")
            for tab in pair:
                await client.ask("close_tab", tabId=tab)
