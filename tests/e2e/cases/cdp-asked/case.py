"""What clients in Go send: chromedp and rod themselves are not here, since they are in no registry that the tests use. The
first requests are from their sources; the later sequence is modelled on the libraries from memory."""
import asyncio
import json

from endpoint import connect, endpoint

BROWSER = "any"


def run(ctx):
    with endpoint(ctx) as served:
        asyncio.run(as_chromedp_asks(ctx, served))
        asyncio.run(as_rod_asks(ctx, served))


async def leave(client):
    await client.socket.close()
    client.reader.cancel()


async def navigate(ctx, client, session, url):
    for method in ("Log.enable", "Runtime.enable", "Network.enable", "Inspector.enable", "Page.enable", "DOM.enable", "CSS.enable"):
        await client.call(method, session)
    await client.call("Page.setLifecycleEventsEnabled", session, enabled=True)
    reply = await client.call("Page.navigate", session, url=url)
    ctx.expect(reply.get("loaderId") and "errorText" not in reply, f"{url}: {reply}")
    await client.hear(lambda message: message.get("method") == "Page.lifecycleEvent" and message["params"]["name"] == "load" and
                      message["params"]["loaderId"] == reply["loaderId"], "load")
    ctx.expect(await client.evaluate(session, "location.pathname") == "/counts", "where it is")


async def as_chromedp_asks(ctx, served):
    """A remote allocator: /json/version by an address, the first blank tab for the first context, a browser context of its
    own for a new one, attached to by id, and a child's targets by auto-attach."""
    url = served.ask("/json/version")["webSocketDebuggerUrl"]
    client = await connect(url)
    await client.call("Target.setDiscoverTargets", discover=True)
    infos = (await client.call("Target.getTargets"))["targetInfos"]
    blank = next(info for info in infos if info["type"] == "page" and info["url"] == "about:blank")
    for more in ({"targetId": blank["targetId"]}, None, "context"):
        context = {}
        if more == "context":
            context = await client.call("Target.createBrowserContext", disposeOnDetach=True)
        target = more if isinstance(more, dict) else await client.call("Target.createTarget", url="about:blank", **context)
        session = (await client.call("Target.attachToTarget", flatten=True, **target))["sessionId"]
        await client.call("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        await navigate(ctx, client, session, ctx.origin + "/counts")
        picture = await client.call("Page.captureScreenshot", session, format="png", captureBeyondViewport=True, fromSurface=True)
        ctx.expect(picture["data"].startswith("iVBOR"), "a picture")
        if more is None:
            ctx.expect((await client.call("Target.closeTarget", **target))["success"], "closed")
            await client.event("Target.targetDestroyed", **target)
        if context:
            await client.call("Target.disposeBrowserContext", **context)
    await leave(client)


async def as_rod_asks(ctx, served):
    """launcher.ResolveURL takes the path of webSocketDebuggerUrl and its own host; then pages from Target.getTargets, a new
    one for MustPage, and Browser.close at its end."""
    path = json.loads(served.fetch("/json/version")[2])["webSocketDebuggerUrl"].split("/", 3)[3]
    client = await connect(served.websocket + "/" + path)
    await client.call("Target.setDiscoverTargets", discover=True)
    target = await client.call("Target.createTarget", url="about:blank")
    session = (await client.call("Target.attachToTarget", flatten=True, **target))["sessionId"]
    await client.call("Emulation.setDeviceMetricsOverride", session, width=1200, height=900, deviceScaleFactor=1, mobile=False)
    await navigate(ctx, client, session, ctx.origin + "/counts")
    pages = [info["targetId"] for info in (await client.call("Target.getTargets"))["targetInfos"] if info["type"] == "page"]
    ctx.expect(len(pages) == 2 and target["targetId"] in pages, f"{pages}")
    await client.call("Browser.close")
    ctx.expect((await client.end())[0] == 1000, f"{client.closed}")
    client.reader.cancel()
