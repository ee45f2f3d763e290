/* chrome-remote-interface as it is: pages by HTTP, and contexts through the browser's socket. Prints what it
 * found; with `traces` only its trace. */
const [widgets, url, origin, directory, traces] = process.argv.slice(2);
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const CDP = require(widgets + "/chrome-remote-interface");

const { hostname: host, port } = new URL(url);
const place = { host, port: Number(port) };
const start = (base64, length) => Buffer.from(base64, "base64").toString("latin1", 0, length);

/* The middle of an element, pressed by the mouse. */
async function click(client, selector) {
    const { root } = await client.DOM.getDocument();
    const { nodeId } = await client.DOM.querySelector({ nodeId: root.nodeId, selector });
    const { content: [x1, y1, , , x3, y3] } = (await client.DOM.getBoxModel({ nodeId })).model;
    for (const type of ["mousePressed", "mouseReleased"]) {
        await client.Input.dispatchMouseEvent({ type, x: (x1 + x3) / 2, y: (y1 + y3) / 2, button: "left", clickCount: 1 });
    }
}

async function value(client, expression, session) {
    return (await client.Runtime.evaluate({ expression, awaitPromise: true, returnByValue: true }, session)).result.value;
}

const load = (client, session) => value(client,
    "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))", session);

async function onPage(found) {
    const tab = await CDP.New({ ...place, url: origin + "/case/page.html" });
    found.listed = (await CDP.List(place)).some(entry => entry.id === tab.id);
    const client = await CDP({ ...place, target: tab.id });
    await client.Page.enable();
    await client.Page.navigate({ url: origin + "/case/page.html?cri" });
    await load(client);
    await click(client, "#go");
    await click(client, "#name");
    await client.Input.insertText({ text: "Ann" });
    found.page = await value(client, "[location.search, document.title, document.getElementById('name').value]");
    found.png = start((await client.Page.captureScreenshot()).data, 4).slice(1);
    found.pdf = start((await client.Page.printToPDF()).data, 4);
    await client.Fetch.enable({ patterns: [{ urlPattern: "*/faked" }] });
    client.Fetch.requestPaused(({ requestId }) => client.Fetch.fulfillRequest(
        { requestId, responseCode: 200, body: Buffer.from("faked").toString("base64") }));
    found.faked = await value(client, "fetch('/faked').then(a => a.text())");
    found.notAllowed = await client.send("Target.attachToBrowserTarget").then(() => "allowed", error => error.message);
    const ends = new Promise(resolve => client.on("disconnect", resolve));
    const reasons = [];
    client.on("Inspector.detached", ({ reason }) => reasons.push(reason));
    await CDP.Activate({ ...place, id: tab.id });
    await CDP.Close({ ...place, id: tab.id });
    await ends;
    found.reason = reasons.at(-1);
}

async function download(browser, session, browserContextId) {
    await browser.Browser.setDownloadBehavior({ behavior: "allow", downloadPath: directory, browserContextId, eventsEnabled: true });
    const done = new Promise(resolve => browser.Browser.downloadProgress(({ state }) => state === "completed" && resolve()));
    await value(browser, "document.getElementById('file').click()", session);
    await done;
    return readFileSync(join(directory, "told.txt"), "utf8");
}

async function trace() { // one client at a time, as at Chrome's own port
    const browser = await CDP({ ...place, target: (await CDP.Version(place)).webSocketDebuggerUrl });
    const events = [];
    browser.Tracing.dataCollected(({ value }) => events.push(...value));
    const complete = browser.Tracing.tracingComplete();
    await browser.Tracing.start({ transferMode: "ReportEvents" });
    await browser.Tracing.end();
    await complete;
    await browser.close();
    return events.length > 10;
}

async function onBrowser(found) {
    const browser = await CDP({ ...place, target: (await CDP.Version(place)).webSocketDebuggerUrl });
    const pages = async () => (await browser.Target.getTargets()).targetInfos.filter(info => info.type === "page").length;
    found.targets = await pages();
    const { browserContextId } = await browser.Target.createBrowserContext({ disposeOnDetach: true });
    const { targetId } = await browser.Target.createTarget({ url: origin + "/case/page.html", browserContextId });
    const { sessionId } = await browser.Target.attachToTarget({ targetId, flatten: true });
    await load(browser, sessionId);
    found.apart = [await value(browser, "document.cookie", sessionId), await pages(),
                   (await browser.Target.getBrowserContexts()).browserContextIds.length];
    found.download = await download(browser, sessionId, browserContextId);
    await browser.Target.disposeBrowserContext({ browserContextId });
    found.contexts = (await browser.Target.getBrowserContexts()).browserContextIds.length;
    const closed = new Promise(resolve => browser.on("disconnect", resolve));
    await browser.Browser.close();
    await closed;
}

(async () => {
    const found = {};
    if (traces) {
        console.log(JSON.stringify({ trace: await trace() }));
        return;
    }
    found.version = (await CDP.Version(place))["Protocol-Version"];
    found.domains = (await CDP.Protocol(place)).domains.length > 20;
    const first = await CDP(place);
    found.first = await value(first, "location.href");
    await first.close();
    await onPage(found);
    await onBrowser(found);
    console.log(JSON.stringify(found));
})().catch(error => { console.error(error); process.exit(1); });
