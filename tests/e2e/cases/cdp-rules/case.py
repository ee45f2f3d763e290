"""--no-eval, --files, --schemes and --read-only hold for clients of --cdp: each road is open without the rule, and is not under
it; what Chrome does beside the client's commands is held, too."""
import asyncio
import subprocess

from endpoint import endpoint

BROWSER = "any"
SCRIPTS = [
    ("Runtime.evaluate", {"expression": "document.title = 'ran'"}),
    ("Runtime.callFunctionOn", {"functionDeclaration": "() => 1"}),
    ("Runtime.compileScript", {"expression": "1", "sourceURL": "x", "persistScript": True}),
    ("Page.addScriptToEvaluateOnNewDocument", {"source": "document.title = 'ran'"}),
    ("Page.addScriptToEvaluateOnLoad", {"scriptSource": "document.title = 'ran'"}),
    ("Page.reload", {"scriptToEvaluateOnLoad": "document.title = 'ran'"}),
    ("Page.navigate", {"url": "javascript:document.title = 'ran'"}),
    ("Page.navigate", {"url": " java\nscript:document.title = 'ran'"}),
    ("Page.navigate", {"url": "data:text/html,<script>document.title = 'ran'</script>"}),
    ("Target.createTarget", {"url": "data:text/html,x"}),
    ("Page.printToPDF", {"displayHeaderFooter": True, "headerTemplate": "<img src=x onerror=alert(1)>"}),
    ("DOM.setOuterHTML", {"nodeId": 1, "outerHTML": "<img src=x onerror=alert(1)>"}),
    ("DOM.setAttributeValue", {"nodeId": 1, "name": "onclick", "value": "alert(1)"}),
    ("Debugger.setBreakpointByUrl", {"lineNumber": 0, "url": "x", "condition": "document.title = 'ran'"}),
    ("Fetch.fulfillRequest", {"requestId": "x", "responseCode": 200}),
    ("Some.thingNew", {}),
]
CHANGES = ["Page.navigate", "Page.reload", "Input.insertText", "DOM.setAttributeValue", "Runtime.evaluate", "Emulation.setLocaleOverride",
           "Target.createTarget", "Storage.getCookies", "Debugger.enable", "Some.thingNew"]


def run(ctx):
    folder = ctx.work / "shared"
    folder.mkdir()
    (folder / "in.txt").write_text("inside")
    (ctx.work / "out.txt").write_text("outside")
    (folder / "link").symlink_to(ctx.work / "out.txt")
    with endpoint(ctx) as served:
        asyncio.run(open_roads(ctx, served))
    with endpoint(ctx, "--no-eval", "--files", folder, "--schemes", "http,https,data") as served:
        asyncio.run(scripts(ctx, served))
        asyncio.run(files(ctx, served, folder))
        asyncio.run(schemes(ctx, served))
    with endpoint(ctx, "--read-only") as served:
        asyncio.run(reading(ctx, served))
    refused = subprocess.run([ctx.options.binary, "serve", "--cdp=0", "--temp-profile", "--schemes", "https"],
                             capture_output=True, text=True, timeout=30, env=ctx.environment)
    ctx.expect(refused.returncode == 2 and "--allow" in refused.stderr, f"{refused.returncode} {refused.stderr}")


async def page(client, url=None):
    session = await client.attach((await client.call("Target.createTarget", url="about:blank"))["targetId"])
    if url:
        await client.call("Page.enable", session)
        await client.call("Page.navigate", session, url=url)
        await client.event("Page.loadEventFired")
    return session


async def open_roads(ctx, served):
    async with served.client() as client:
        session = await page(client, ctx.origin + "/counts")
        for method, params in SCRIPTS:
            reply = await client.ask(method, session, **params)
            ctx.expect("refused by" not in str(reply), f"{method} without rules: {reply}")
        await client.call("Page.navigate", session, url="file:///etc/hostname")
    async with served.client() as client, served.client() as other:
        target = (await other.pages())[0]["targetId"]
        window = (await other.call("Browser.getWindowForTarget", targetId=target))["windowId"]
        await refused(ctx, client, "Browser.setWindowBounds", None, "not found", windowId=window, bounds={"windowState": "minimized"})
        await other.call("Browser.setWindowBounds", windowId=window, bounds={"windowState": "minimized"})
        for method, params in (("Fetch.enable", {}), ("Security.setOverrideCertificateErrors", {"override": True}),
                               ("Storage.deleteStorageBucket", {"bucket": {"storageKey": ctx.origin + "/"}})):
            await refused(ctx, client, method, None, "for sessions of pages", **params)
        session = await page(client)
        await client.ask("Page.navigate", session, url="chrome://inducebrowsercrashforrealz", transitionType="address_bar")
        ctx.expect((await other.call("Browser.getWindowBounds", windowId=window))["bounds"]["windowState"] == "minimized", "other's window")


async def refused(ctx, client, method, session, rule, **params):
    reply = await client.ask(method, session, **params)
    ctx.expect(rule in str(reply.get("error")), f"{method} {params}: {str(reply)[:300]}")


async def scripts(ctx, served):
    async with served.client() as client:
        session = await page(client, ctx.origin + "/counts")
        for method, params in SCRIPTS:
            await refused(ctx, client, method, session, "--no-eval" if "new" not in method.lower() else "refused", **params)
        title = await client.call("Page.getNavigationHistory", session)
        ctx.expect("'ran'" not in str(title), f"a script ran: {title}")
        await client.call("Page.reload", session)
        root = (await client.call("DOM.getDocument", session))["root"]
        ctx.expect(root["nodeName"] == "#document", f"{root}")
        for url in ("javascript:1", "data:text/html,x", "file:///etc/hostname"):
            status, _, text = served.fetch("/json/new?" + url, "PUT")
            ctx.expect(status == 403 and "refused by --" in text, f"{url}: {status} {text}")


async def files(ctx, served, folder):
    outside = ctx.work / "out.txt"
    async with served.client() as client:
        session = await page(client, ctx.origin + "/case/")
        root = (await client.call("DOM.getDocument", session))["root"]["nodeId"]
        field = (await client.call("DOM.querySelector", session, nodeId=root, selector="input[type=file]"))["nodeId"]
        for path in (outside, folder / "link", folder / ".." / "out.txt", "/etc/hostname", "/"):
            await refused(ctx, client, "DOM.setFileInputFiles", session, "--files", nodeId=field, files=[str(path)])
        await client.call("DOM.setFileInputFiles", session, nodeId=field, files=[str(folder / ".." / "shared" / "in.txt")])
        for path in (ctx.work, "/tmp", folder / "link"):
            await refused(ctx, client, "Browser.setDownloadBehavior", None, "--files", behavior="allow", downloadPath=str(path))
            await refused(ctx, client, "Page.setDownloadBehavior", session, "--files", behavior="allow", downloadPath=str(path))
        await refused(ctx, client, "Input.dispatchDragEvent", session, "--files", type="drop", x=1, y=1,
                      data={"items": [], "files": [str(outside)], "dragOperationsMask": 1})
        for url in ("file://", "view-source:file://", "FILE:/"):
            await refused(ctx, client, "Page.navigate", session, "--files", url=url + str(folder / "in.txt"))
        target = (await client.pages())[0]["targetId"]
        await refused(ctx, client, "Target.openDevTools", None, "refused by --", targetId=target)
        await downloads(ctx, client, folder)
    async with served.client("/devtools/browser/x?context=profile") as client:
        session = await page(client)
        await client.call("Page.enable", session)
        await client.call("Page.navigate", session, url=ctx.origin + "/download/report.csv")
        await client.event("Page.downloadProgress", state="canceled")


async def downloads(ctx, client, folder):
    """Nowhere at first, also in a context that the client makes, and then where it says."""
    context = (await client.call("Target.createBrowserContext"))["browserContextId"]
    for more in ({}, {"browserContextId": context}):
        session = await client.attach((await client.call("Target.createTarget", url="about:blank", **more))["targetId"])
        await client.call("Page.enable", session)
        await client.call("Browser.setDownloadBehavior", behavior="default", eventsEnabled=True, **more)
        client.heard.clear()
        await client.call("Page.navigate", session, url=ctx.origin + "/download/report.csv")
        await client.event("Browser.downloadProgress", state="canceled")
        await client.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=True, **more)
        client.heard.clear()
        await client.call("Page.navigate", session, url=ctx.origin + "/download/report.csv")
        await client.event("Browser.downloadProgress", state="completed")
    ctx.expect(any(path.name not in ("in.txt", "link") for path in folder.iterdir()), "nothing was saved")


async def schemes(ctx, served):
    async with served.client() as client:
        session = await page(client, ctx.origin + "/counts")
        for url in ("chrome://version", "view-source:chrome://version", "about:settings", "blob:null/x", "ftp://x.test/"):
            await refused(ctx, client, "Page.navigate", session, "--schemes", url=url)
            await refused(ctx, client, "Target.createTarget", None, "--schemes", url=url)


async def reading(ctx, served):
    target = served.ask("/json/list")[0]["id"]
    async with served.client("/devtools/page/" + target) as client:
        session = None
        for method in CHANGES:
            await refused(ctx, client, method, session, "reading alone")
        for method in ("Page.getResourceTree", "DOM.getDocument", "Accessibility.getFullAXTree", "Page.getFrameTree"):
            await client.call(method, session)
        ctx.expect(served.fetch("/json/new", "PUT")[0] == 403, "PUT /json/new")
        ctx.expect(served.fetch("/json/close/X")[0] == 403, "/json/close")
