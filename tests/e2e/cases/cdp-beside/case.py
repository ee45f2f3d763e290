"""Clients of the DevTools protocol and sessions of ours in one browser: neither touches the other's tabs; rules about hosts
hold for clients, too."""
import asyncio
import json
import subprocess

from endpoint import endpoint, websockets
from processes import SLOWNESS, descendants
from served import ask

BROWSER = "any"

AUTO = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


def run(ctx):
    with endpoint(ctx, "--actions=0", "--screenshots", "none") as served:
        asyncio.run(beside(ctx, served))
        asyncio.run(known_at_once(ctx, served))
    with endpoint(ctx, "--actions=0", "--debug-bridge=0", "--console-bridge=0", "--brop=0", "--all", "--screenshots", "none") as served:
        asyncio.run(all_at_once(ctx, served))
    with endpoint(ctx, "--actions=0", "--brop=0", "--deny", "localhost", "--screenshots", "none") as served:
        asyncio.run(all_at_once(ctx, served))
        asyncio.run(ruled(ctx, served))


async def beside(ctx, served):
    path = "/devtools/browser/x?context=profile"
    async with websockets.connect(served.urls["actions"], max_size=None) as session, served.client() as own:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/counts?ours")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        async with served.client(path) as client:
            await client.call("Target.setDiscoverTargets", discover=True)
            await client.call("Target.setAutoAttach", **AUTO)
            ctx.expect(await client.pages() == [], f"{await client.pages()}")
            answer = await ask(session, type="evaluate", expression="window.open('/counts?popup') && 1")
            ctx.expect(answer["success"], f"popup: {str(answer)[:300]}")
            made = (await client.call("Target.createTarget", url=ctx.origin + "/counts?theirs"))["targetId"]
            attached = await client.event("Target.attachedToTarget")
            ctx.expect(attached["params"]["targetInfo"]["targetId"] == made, f"{attached}")
            await client.call("Runtime.runIfWaitingForDebugger", attached["params"]["sessionId"])
            async with websockets.connect(served.urls["actions"], max_size=None) as second:
                await second.recv()
                answer = await ask(second, type="start", url=ctx.origin + "/counts?ours")
                ctx.expect(answer["success"], f"start beside: {str(answer)[:300]}")
            told = {message["params"]["targetInfo"]["targetId"] for message in client.heard
                    if "targetInfo" in message.get("params", {})}
            ctx.expect(told <= {made}, f"it was told of {told}: {str(client.heard)[:1500]}")
            answer = await ask(session, type="tab", op="list")
            tabs = sorted(tab["url"].rsplit("?", 1)[1] for tab in answer["result"])
            ctx.expect(tabs == ["ours", "popup"], f"the session has {tabs}")
            answer = await ask(session, type="evaluate", expression="alert('ours') || 42")
            ctx.expect(answer.get("result") == 42, f"a dialog of ours: {str(answer)[:300]}")
            ctx.expect("javascriptDialogOpening" not in json.dumps(client.heard), "it heard of a dialog of ours")
            ctx.expect([page["targetId"] for page in await client.pages()] == [made], f"{await client.pages()}")
        ctx.expect([page["url"] for page in await own.pages()] == ["about:blank"], "the client of its own")
        listed = served.ask("/json/list?context=profile")
        ctx.expect(not any("ours" in tab["url"] for tab in listed), f"{listed}")
        ctx.expect(await own.call("Browser.close") == {}, "close")
        answer = await asyncio.wait_for(ask(session, type="evaluate", expression="location.search"), 20 * SLOWNESS)
        ctx.expect(answer.get("result") == "?ours", f"the session behind a client: {str(answer)[:300]}")


async def known_at_once(ctx, served):
    """A tab that a client has just made is known while a session of ours opens tabs, whichever way it was made."""
    async with websockets.connect(served.urls["actions"], max_size=None) as session, \
            served.client() as own, served.client("/devtools/browser/x?context=profile") as shared:
        await session.recv()
        answer = await ask(session, type="start", url="about:blank")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")

        opened, is_over = 0, False

        async def open_tabs():
            nonlocal opened
            while not is_over:
                for op in ({"op": "new"}, {"op": "close"}):
                    answer = await ask(session, type="tab", **op)
                    ctx.expect(answer["success"], f"tab {op}: {str(answer)[:300]}")
                opened += 1

        async def connect(path, method="PUT"):
            made = await asyncio.to_thread(served.ask, path, method)
            async with websockets.connect(made["webSocketDebuggerUrl"], ping_interval=None):
                return made["id"]

        task = asyncio.ensure_future(open_tabs())
        while opened < 4 and not task.done():
            for client in (own, shared):
                target = (await client.call("Target.createTarget", url="about:blank"))["targetId"]
                await client.attach(target)
                await client.call("Target.closeTarget", targetId=target)
            for query in ("", "?context=profile"):
                await asyncio.to_thread(served.fetch, "/json/close/" + await connect("/json/new" + query))
        is_over = True
        await task
        # chrome-remote-interface's CDP({target: ID}) looks for the id there, whatever context it was made in.
        async with asyncio.timeout(20 * SLOWNESS):
            while len(given := {page["targetId"] for page in await own.pages()}) > 1:
                await asyncio.sleep(0.1)  # a tab that was closed above may still be there
        context = (await own.call("Target.createBrowserContext"))["browserContextId"]
        for more in ({}, {"browserContextId": context}):
            target = (await own.call("Target.createTarget", url="about:blank", **more))["targetId"]
            listed = [tab["id"] for tab in await asyncio.to_thread(served.ask, "/json/list")]
            ctx.expect(not given & set(listed), "the tab that a client's context begins with is listed")
            ctx.expect(target in listed[1:], f"{target} of {more or 'its own context'} is not behind the first of {listed}")


async def foreign_name(ctx, served):
    """A session of one server is not taken over by a client of another."""
    async with websockets.connect(served.urls["brop"], max_size=None) as brop:
        await brop.send(json.dumps({"id": 1, "method": "create_tab", "params": {"url": "about:blank"}}))
        created = json.loads(await brop.recv())
        ctx.expect(created["success"], f"create_tab: {created}")
        url = served.urls["actions"]
        async with websockets.connect(f"{url}{'&' if '?' in url else '?'}session=brop-tab-1") as thief:
            refused = json.loads(await thief.recv())
            ctx.match(refused, {"kind": "error", "errorCode": "INVALID_ACTION", "error": {"$regex": "there already"}},
                      "the name of a tab")
        await brop.send(json.dumps({"id": 2, "method": "close_tab", "params": {"tabId": created["result"]["tabId"]}}))
        closed = json.loads(await brop.recv())
        ctx.expect(closed["success"], f"close_tab: {closed}")


async def all_at_once(ctx, served):
    """Sessions and clients share one browser."""
    await foreign_name(ctx, served)
    async with websockets.connect(served.urls["actions"], max_size=None) as session, served.client() as client:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/counts")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        async with served.client() as late:
            await late.call("Browser.getVersion")
            for url in ("/counts?again", "/counts?once-more"):
                answer = await ask(session, type="navigate", url=ctx.origin + url)
                ctx.expect(answer["success"], f"navigate beside a client that came late: {str(answer)[:300]}")
            await late.call("Browser.getVersion")
        processes = (await client.call("SystemInfo.getProcessInfo"))["processInfo"]
        browser = next(process["id"] for process in processes if process["type"] == "browser")
        ours = [int(pid) for pid in subprocess.run(["pgrep", "-P", str(served.process.pid)], capture_output=True,
                                                   text=True).stdout.split()]
        # The headless shell may be the child of a script.
        ctx.expect(len(ours) == 1 and browser in (*ours, *descendants(ours[0])), f"the browsers are {ours}, the client's is {browser}")


async def ruled(ctx, served):
    port = ctx.origin.rsplit(":", 1)[1]
    for path in ("/devtools/browser/x", "/devtools/browser/x?context=profile"):
        async with served.client(path) as client:
            context = await client.call("Target.createBrowserContext")
            for more in ({}, context):
                target = (await client.call("Target.createTarget", url="about:blank", **more))["targetId"]
                session = await client.attach(target)
                allowed = await client.call("Page.navigate", session, url=f"http://127.0.0.1:{port}/counts")
                ctx.expect("errorText" not in allowed, f"{path} {more}: {allowed}")
                denied = await client.ask("Page.navigate", session, url=f"http://localhost:{port}/counts?denied")
                ctx.expect("--deny localhost" in str(denied.get("error")), f"{path} {more}: {denied}")
                denied = await client.evaluate(session, f"fetch('http://localhost:{port}/counts?denied', {{mode: 'no-cors'}})"
                                                        ".then(() => 'sent', String)")
                ctx.expect("Failed to fetch" in denied, f"{path} {more}: {denied}")
            reply = await client.ask("Target.createBrowserContext", proxyServer="http://127.0.0.1:1")
            ctx.expect("rules" in reply.get("error", {}).get("message", ""), f"{reply}")
    status, _, text = served.fetch(f"/json/new?http://localhost:{port}/counts?denied", "PUT")
    ctx.expect(status == 403 and "--deny localhost" in text, f"{status} {text}")
    made = served.ask("/json/new", "PUT")
    ctx.expect("denied" not in str(ctx.counts()), "a request left")
    async with served.client("/devtools/page/" + made["id"]) as page:
        reply = await page.ask("Target.createBrowserContext")
        ctx.expect("error" in reply, f"{reply}")
