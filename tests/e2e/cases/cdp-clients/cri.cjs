/* chrome-remote-interface as it is. Prints what it found. */
const [widgets, url, origin] = process.argv.slice(2);
const CDP = require(widgets + "/chrome-remote-interface");

(async () => {
    const found = {};
    const { hostname: host, port } = new URL(url);
    const place = { host, port: Number(port) };
    found.version = (await CDP.Version(place))["Protocol-Version"];
    found.domains = (await CDP.Protocol(place)).domains.length > 20;
    const first = await CDP(place);
    found.first = (await first.Runtime.evaluate({ expression: "location.href" })).result.value;
    await first.close();
    const tab = await CDP.New({ ...place, url: origin + "/case/page.html" });
    found.listed = (await CDP.List(place)).some(entry => entry.id === tab.id);
    const client = await CDP({ ...place, target: tab.id });
    await client.Page.enable();
    await client.Page.navigate({ url: origin + "/case/page.html?cri" });
    await client.Page.loadEventFired();
    found.page = (await client.Runtime.evaluate({ expression: "location.search + document.title" })).result.value;
    found.png = Buffer.from((await client.Page.captureScreenshot()).data, "base64").toString("latin1", 1, 4);
    await client.Fetch.enable({ patterns: [{ urlPattern: "*/faked" }] });
    client.Fetch.requestPaused(({ requestId }) => client.Fetch.fulfillRequest(
        { requestId, responseCode: 200, body: Buffer.from("faked").toString("base64") }));
    found.faked = (await client.Runtime.evaluate({ expression: "fetch('/faked').then(a => a.text())", awaitPromise: true })).result.value;
    found.notAllowed = await client.send("Target.attachToBrowserTarget").then(() => "allowed", error => error.message);
    const ends = new Promise(resolve => client.on("disconnect", resolve));
    const reasons = [];
    client.on("Inspector.detached", ({ reason }) => reasons.push(reason));
    await CDP.Activate({ ...place, id: tab.id });
    await CDP.Close({ ...place, id: tab.id });
    await ends;
    found.reason = reasons.at(-1);
    const browser = await CDP({ ...place, target: (await CDP.Version(place)).webSocketDebuggerUrl });
    found.targets = (await browser.Target.getTargets()).targetInfos.filter(info => info.type === "page").length;
    const closed = new Promise(resolve => browser.on("disconnect", resolve));
    await browser.Browser.close();
    await closed;
    console.log(JSON.stringify(found));
})().catch(error => { console.error(error); process.exit(1); });
