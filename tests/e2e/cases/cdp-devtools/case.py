"""The front end of DevTools, as another Chrome bundles it: opened by its address, which needs its Origin allowed, and by
chrome://inspect, which needs nothing. It shows the page, and what is typed into its console is done in the page."""
import asyncio
import contextlib
import json
import time

from endpoint import Client, endpoint, websockets
from foreign import foreign_browser
from processes import SLOWNESS

TIER = "long"
TIME_LIMIT = 120
ORIGIN = "devtools://devtools"
# The text of a document with that of its shadow trees.
WORDS = """(() => {
    let all = "";
    const walk = node => {
        for (const child of node.childNodes) {
            if (child.nodeType === Node.TEXT_NODE) {
                all += child.data;
            } else if (!["STYLE", "SCRIPT"].includes(child.nodeName)) {
                if (child.shadowRoot) {
                    walk(child.shadowRoot);
                }
                walk(child);
            }
        }
    };
    walk(document.body);
    return all;
})()"""


def run(ctx):
    with endpoint(ctx, "--allow-origin", ORIGIN) as served, foreign_browser(ctx) as theirs:
        asyncio.run(opened(ctx, served, theirs))
    with endpoint(ctx) as served:
        asyncio.run(refused(ctx, served))
        preferences = ctx.base / "theirs" / "Default" / "Preferences"
        preferences.write_text(json.dumps({"devtools": {"discover_tcp_targets": True,
                                                        "tcp_discovery_config": [served.url[len("http://"):]]}}))
        (ctx.base / "theirs" / "DevToolsActivePort").unlink()
        with foreign_browser(ctx) as theirs:
            asyncio.run(inspected(ctx, served, theirs))


def make_tab(ctx, served):
    return served.ask(f"/json/new?{ctx.origin}/case/page.html", "PUT")


@contextlib.asynccontextmanager
async def browser(theirs):
    async with websockets.connect(theirs.websocket, max_size=None, ping_interval=None) as socket:
        client = Client(socket)
        try:
            yield client
        finally:
            client.reader.cancel()


async def until(what, look, seconds=40):
    """What look gives once it is something."""
    end = time.monotonic() + seconds * SLOWNESS
    found = await look()
    while not found:
        assert time.monotonic() < end, f"{what} does not come"
        await asyncio.sleep(0.1)
        found = await look()
    return found


async def type_into_console(ctx, served, client, session, tab):
    """By the shortcut that goes there."""
    for kind in ("rawKeyDown", "keyUp"):
        await client.call("Input.dispatchKeyEvent", session, type=kind, modifiers=2, code="Backquote", key="`",
                          windowsVirtualKeyCode=192)

    async def prompt():
        return await client.evaluate(session, """(() => {
            let at = document.activeElement;
            while (at?.shadowRoot?.activeElement) {
                at = at.shadowRoot.activeElement;
            }
            return Boolean(at?.closest(".cm-content"));
        })()""")
    await until("the console's prompt", prompt)
    await client.call("Input.insertText", session, text="document.title = 6 * 7")
    for kind in ("rawKeyDown", "char", "keyUp"):
        await client.call("Input.dispatchKeyEvent", session, type=kind, code="Enter", key="Enter", text="\r",
                          windowsVirtualKeyCode=13)

    async with served.client("/devtools/page/" + tab["id"]) as page:
        async def titled():
            return await page.evaluate(None, "document.title") == "42"
        await until("what was typed into the console", titled)


async def shows(ctx, client, session):
    async def words():
        return "words of the page" in (await client.evaluate(session, WORDS) or "")
    await until("the page's text among the elements", words)


async def opened(ctx, served, theirs):
    tab = make_tab(ctx, served)
    async with browser(theirs) as client:
        address = tab["webSocketDebuggerUrl"].replace("ws://", "ws=")
        target = (await client.call("Target.createTarget", url=f"{ORIGIN}/bundled/inspector.html?{address}&panel=elements"))["targetId"]
        session = await client.attach(target)
        await shows(ctx, client, session)
        await type_into_console(ctx, served, client, session, tab)


async def refused(ctx, served):
    tab = make_tab(ctx, served)
    try:
        async with websockets.connect(tab["webSocketDebuggerUrl"], origin=ORIGIN):
            ctx.expect(False, "its Origin is allowed without the option")
    except websockets.exceptions.InvalidStatusCode as error:
        ctx.expect(error.status_code == 403, f"{error.status_code}")
    served.fetch("/json/close/" + tab["id"])


async def inspected(ctx, served, theirs):
    tab = make_tab(ctx, served)
    async with browser(theirs) as client:
        session = await client.attach((await client.call("Target.createTarget", url="chrome://inspect"))["targetId"])

        async def click():
            return await client.evaluate(session, """(() => {
                const row = [...document.querySelectorAll(".row")].find(row => row.innerText.includes("/case/page.html"));
                const action = row && [...row.querySelectorAll(".action")].find(action => action.title.includes("fallback"));
                action?.click();
                return Boolean(action);
            })()""")  # the other one is of the version of the remote browser, which comes from the network

        async def front_end():
            return next((page for page in await client.pages() if page["url"].startswith(ORIGIN)), None)
        await until("the page at chrome://inspect", click)
        page = await until("the front end", front_end)
        session = await client.attach(page["targetId"])
        await shows(ctx, client, session)
        await type_into_console(ctx, served, client, session, tab)
