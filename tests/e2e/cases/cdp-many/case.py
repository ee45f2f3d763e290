"""Many clients of the DevTools protocol on one browser: none sees, stops or speaks for another; what they ask for that
is refused; hostile texts; a browser that is killed; what is left of them in Chrome."""
import asyncio
import itertools
import json
import os
import signal

from endpoint import endpoint
from processes import SLOWNESS

BROWSER = "any"


SERVER_ERROR, NO_SESSION, NO_METHOD, NO_JSON, NO_COMMAND = -32000, -32001, -32601, -32700, -32600
AUTO = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


def run(ctx):
    with endpoint(ctx) as served:
        asyncio.run(apart(ctx, served))
        asyncio.run(hung(ctx, served))
        asyncio.run(refused(ctx, served))
        asyncio.run(hostile(ctx, served))
        asyncio.run(undrawn(ctx, served))
        asyncio.run(in_profile(ctx, served))
        asyncio.run(traced(ctx, served))
        asyncio.run(leave_nothing(ctx, served))
        asyncio.run(killed(ctx, served))
    with endpoint(ctx, "--read-only") as served:
        asyncio.run(read_only(ctx, served))
    with endpoint(ctx, "--allow-close") as served:
        asyncio.run(closed(ctx, served))


async def apart(ctx, served):
    """Two clients with the same ids: each has a tab of its own, and hears of its own alone."""
    async with served.client() as first, served.client() as second:
        for client in (first, second):
            await client.call("Target.setDiscoverTargets", discover=True, filter=[{}])
            await client.call("Target.setAutoAttach", **{**AUTO, "waitForDebuggerOnStart": False})
        mine, theirs = await first.pages(), await second.pages()
        ctx.expect([page["url"] for page in mine + theirs] == ["about:blank"] * 2, f"{mine} {theirs}")
        ctx.expect(mine[0]["targetId"] != theirs[0]["targetId"], "both have one tab")
        made = (await first.call("Target.createTarget", url=ctx.origin + "/counts"))["targetId"]
        await first.event("Target.attachedToTarget")
        session = await first.attach(made)
        await first.arrive(session, "/counts")
        await first.evaluate(session, "document.cookie = 'mine=1'")
        ctx.expect(await first.evaluate(session, "document.cookie") == "mine=1", "its own cookie")
        other = await second.attach(theirs[0]["targetId"])
        await second.call("Page.enable", other)
        await second.call("Page.navigate", other, url=ctx.origin + "/counts")
        await second.event("Page.loadEventFired")
        ctx.expect(await second.evaluate(other, "document.cookie") == "", "the cookie of another client")
        text = json.dumps(second.heard)
        ctx.expect(made not in text and mine[0]["targetId"] not in text, "the second heard of the first's tabs")
        ctx.expect(len(await second.pages()) == 1 and len(await first.pages()) == 2, "tabs")
        # What it cannot know it cannot use either.
        for method, params in (("Target.attachToTarget", {"targetId": made, "flatten": True}),
                               ("Target.closeTarget", {"targetId": made}), ("Target.activateTarget", {"targetId": made})):
            reply = await second.ask(method, **params)
            ctx.expect("No target with given id" in reply.get("error", {}).get("message", ""), f"{method}: {reply}")
        reply = await second.ask("Runtime.evaluate", session, expression="1")
        ctx.expect(reply.get("error", {}).get("code") == NO_SESSION, f"a session of another: {reply}")
        contexts = await first.call("Target.createBrowserContext")
        ctx.expect((await second.call("Target.getBrowserContexts"))["browserContextIds"] == [], "contexts of another")
        ctx.expect((await first.call("Target.getBrowserContexts"))["browserContextIds"] == [contexts["browserContextId"]], "own")
        reply = await second.ask("Target.createTarget", url="about:blank", browserContextId=contexts["browserContextId"])
        ctx.expect("Failed to find browser context" in reply.get("error", {}).get("message", ""), f"{reply}")
        browsers = [info for info in (await first.call("Target.getTargets", filter=[{}]))["targetInfos"]
                    if info["type"] == "browser"]
        ctx.expect(len(browsers) <= 1, f"{browsers}")


async def hung(ctx, served):
    """A client that holds all new tabs and never lets them go; one that does not read."""
    async with served.client() as first, served.client("/devtools/browser") as second:
        await first.call("Target.setAutoAttach", **AUTO)
        made = (await second.call("Target.createTarget", url="about:blank"))["targetId"]
        session = await second.attach(made)
        ctx.expect(await asyncio.wait_for(second.evaluate(session, "6 * 7"), 20 * SLOWNESS) == 42, "beside a hung client")
        await second.call("Page.enable", session)
        await second.call("Page.navigate", session, url=ctx.origin + "/counts")
        await second.event("Page.loadEventFired")


async def refused(ctx, served):
    async with served.client() as client:
        for method in ("Browser.crash", "Browser.crashGpuProcess", "Target.exposeDevToolsProtocol", "Extensions.loadUnpacked",
                       "Tethering.bind", "Target.sendMessageToTarget", "Browser.executeBrowserCommand"):
            reply = await client.ask(method)
            ctx.expect(reply.get("error", {}).get("code") == SERVER_ERROR and "not allowed" in reply["error"]["message"],
                       f"{method}: {reply}")
        session = await client.attach((await client.pages())[0]["targetId"])
        reply = await client.ask("Browser.crash", session)
        ctx.expect(reply.get("sessionId") == session and "error" in reply, f"on a session: {reply}")
        reply = await client.ask("Target.attachToTarget", targetId=(await client.pages())[0]["targetId"])
        ctx.expect("flatten" in reply.get("error", {}).get("message", ""), f"{reply}")
        ctx.expect("product" in await client.call("Browser.getVersion"), "Browser.getVersion")
        ctx.expect(await client.call("Browser.close") == {}, "Browser.close")
        ctx.expect((await client.end())[0] == 1000, f"{client.closed}")
    async with served.client() as client:
        ctx.expect(len(await client.pages()) == 1, "the browser has gone with a client")


async def hostile(ctx, served):
    texts = [("{", NO_JSON), ("[1]", NO_COMMAND), ('{"id":1}', NO_COMMAND), ('{"id":"a","method":"Browser.getVersion"}', NO_COMMAND),
             ('{"id":1.5,"method":"Browser.getVersion"}', NO_COMMAND), ('{"id":4294967296,"method":"Browser.getVersion"}', NO_COMMAND),
             ('{"id":null,"method":"Browser.getVersion"}', NO_COMMAND), ('{"id":true,"method":"x"}', NO_COMMAND),
             ('{"id":7,"method":"Browser.getVersion","id":8}', NO_COMMAND), ('{"id":7,"method":"Browser.getVersion"}\x00{"id":8}', NO_JSON),
             ('{"id":7,"method":"Browser.getVersion","sessionId":"nobody\'s"}', NO_SESSION),
             ('{"id":7,"method":"Browser.\\u0063rash"}', SERVER_ERROR), ("[" * 100000, None),
             ('{"id":7,"method":"Target.createTarget","params":{"url":"about:blank","browserContext\\u0049d":"theirs"}}', SERVER_ERROR)]
    async with served.client() as other:
        async with served.client() as client:
            client.ids = itertools.count(1000)
            for text, code in texts:
                client.heard.clear()
                await client.socket.send(text)
                reply = await client.hear(lambda message: "error" in message, f"error for {text[:60]}")
                ctx.expect(code is None or reply["error"]["code"] == code, f"{text[:80]!r}: {reply}")
                ctx.expect("product" in await client.call("Browser.getVersion"), f"after {text[:60]}")
            await client.socket.send(b"\x00")
            ctx.expect((await client.end())[0] == 1003, f"binary: {client.closed}")
        ctx.expect("product" in await other.call("Browser.getVersion"), "another client")


async def undrawn(ctx, served):
    """A picture of a tab that has drawn nothing yet waits for that, as at Chrome's own port; errors stay errors."""
    async with served.client() as client, served.client("/devtools/browser/x?context=profile") as other:
        for asked in (client, other):
            for _ in range(2):
                made = (await asked.call("Target.createTarget", url="about:blank"))["targetId"]
                session = await asked.attach(made)
                numbers = [await asked.send("Page.captureScreenshot", session, format=kind) for kind in ("png", "jpeg")]
                for number in numbers:
                    reply = await asked.hear(lambda message: message.get("id") == number, "picture")
                    ctx.expect("data" in reply.get("result", {}) and reply.get("sessionId") == session, f"{str(reply)[:300]}")
                ctx.expect(await asked.evaluate(session, "6 * 7") == 42, "behind pictures")
                await asked.call("Target.closeTarget", targetId=made)
        reply = await client.ask("Page.captureScreenshot", await client.attach((await client.pages())[0]["targetId"]), format="none")
        ctx.expect("Invalid image format" in reply.get("error", {}).get("message", ""), f"{reply}")
        made = (await client.call("Target.createTarget", url="about:blank"))["targetId"]
        await client.send("Page.captureScreenshot", await client.attach(made))  # and goes


async def in_profile(ctx, served):
    """Chrome's manner: clients of the profile see its tabs, and one that holds them is not waited for."""
    path = "/devtools/browser/x?context=profile"
    async with served.client(path) as first, served.client(path) as second, served.client() as apart_from:
        await first.call("Target.setDiscoverTargets", discover=True)
        await first.call("Target.setAutoAttach", **AUTO)
        made = (await second.call("Target.createTarget", url=ctx.origin + "/counts"))["targetId"]
        await first.event("Target.targetCreated")
        held = await first.event("Target.attachedToTarget")
        ctx.expect(held["params"]["waitingForDebugger"], f"{held}")
        ctx.expect(made in [page["targetId"] for page in await first.pages()], "a tab of the profile")
        ctx.expect(made not in [page["targetId"] for page in await apart_from.pages()], "a tab of the profile, apart")
        session = await second.attach(made)
        await second.arrive(session, "/counts")  # although the first one holds it
        await second.call("Target.closeTarget", targetId=made)
        await first.event("Target.targetDestroyed", targetId=made)


async def traced(ctx, served):
    """A trace ends with its client; what a client of the profile says of downloads, too."""
    path = "/devtools/browser/x?context=profile"
    async with served.client(path) as first, served.client() as second:
        await first.call("Tracing.start", transferMode="ReportEvents")
        reply = await second.ask("Tracing.start", transferMode="ReportEvents")
        ctx.expect("already been started" in reply.get("error", {}).get("message", ""), f"{reply}")
        await first.call("Browser.setDownloadBehavior", behavior="deny", eventsEnabled=True)
    async with served.client() as client:
        for _ in range(100):
            reply = await client.ask("Tracing.start", transferMode="ReportEvents")
            if "result" in reply:
                break
            await asyncio.sleep(0.1)
        ctx.expect("result" in reply, f"the trace of one that has gone: {reply}")
        await client.call("Tracing.end")
        await client.event("Tracing.tracingComplete")


async def leave_nothing(ctx, served):
    """Of those that have gone, no page is left in Chrome."""
    for _ in range(4):
        async with served.client() as client:
            await client.call("Target.createBrowserContext")
            await client.call("Target.createTarget", url="about:blank")
    async with served.client() as client:
        for _ in range(100):
            count = await count_targets(client)
            if count <= 4:  # the profile's, its own, and one that is made ahead
                break
            await asyncio.sleep(0.1)
        ctx.expect(count <= 4, f"{count} renderers are left")


async def count_targets(client):
    processes = (await client.call("SystemInfo.getProcessInfo"))["processInfo"]
    return len([process for process in processes if process["type"] == "renderer"])


async def killed(ctx, served):
    async with served.client() as first, served.client() as second:
        processes = (await first.call("SystemInfo.getProcessInfo"))["processInfo"]
        browser = next(process["id"] for process in processes if process["type"] == "browser")
        await second.send("Runtime.evaluate", expression="1")
        os.kill(browser, signal.SIGKILL)
        for client in (first, second):
            code, reason = await client.end()
            ctx.expect(code == 1012 and reason, f"{code} {reason}")
    async with served.client() as client:
        ctx.expect(len(await client.pages()) == 1, "the next life")
    ctx.expect(served.ask("/json/version")["webSocketDebuggerUrl"].endswith("/2"), "the life in the URL")


async def read_only(ctx, served):
    async with served.client() as client:
        session = await client.attach((await client.pages())[0]["targetId"])
        reply = await client.ask("Page.captureScreenshot", session)
        ctx.expect("data" in reply.get("result", {}), f"a screenshot: {reply}")
        for method, params in (("Runtime.evaluate", {"expression": "1"}), ("Page.navigate", {"url": "about:blank"}),
                               ("Input.dispatchMouseEvent", {}), ("Target.createTarget", {"url": "about:blank"})):
            reply = await client.ask(method, session, **params)
            ctx.expect("reading alone" in reply.get("error", {}).get("message", ""), f"{method}: {reply}")
    ctx.expect(served.fetch("/json/new", "PUT")[0] == 403, "/json/new")


async def closed(ctx, served):
    async with served.client() as first, served.client() as second:
        ctx.expect(await first.call("Browser.close") == {}, "Browser.close")
        ctx.expect((await second.end())[0] == 1012, f"{second.closed}")
    async with served.client() as client:
        ctx.expect(len(await client.pages()) == 1, "the next life")
