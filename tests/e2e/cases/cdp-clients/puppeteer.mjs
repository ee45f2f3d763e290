/* puppeteer-core as it is, of the version that is named: everything that its users do first. Prints what it found;
 * with `traces` only its trace. */
import { createRequire } from "node:module";
import { readFileSync, existsSync } from "node:fs";
import { join } from "node:path";

const [widgets, url, origin, directory, traces, name] = process.argv.slice(2);
const puppeteer = createRequire(widgets + "/")(name);
const found = {};
const browser = await puppeteer.connect({ browserURL: url });
const [page, ...others] = await browser.pages();
if (traces) { // one client at a time, as at Chrome's own port
    await page.tracing.start({ path: join(directory, "trace.json") });
    await page.goto(origin + "/case/page.html?traced");
    found.trace = JSON.parse(Buffer.from(await page.tracing.stop()).toString()).traceEvents.length > 10;
    console.log(JSON.stringify(found));
    await browser.disconnect();
    process.exit();
}
found.pages = [page.url(), others.length];
found.targets = browser.targets().map(target => target.type()).sort();
await page.goto(origin + "/case/page.html");
await page.click("#go");
await page.type("#name", "Ann");
found.page = await page.evaluate(() => [document.title, document.getElementById("name").value, 6 * 7]);
const png = Buffer.from(await page.screenshot());
found.png = png.toString("latin1", 1, 4);
found.pdf = Buffer.from(await page.pdf()).toString("latin1", 0, 4);

await page.setRequestInterception(true);
const answer = request => request.url().includes("/faked") ? request.respond({ body: "faked" }) : request.continue();
page.on("request", answer);
found.faked = await page.evaluate(async () => (await fetch("/faked")).text());
page.off("request", answer);
await page.setRequestInterception(false);

const popups = new Promise(resolve => page.once("popup", resolve));
await page.evaluate(() => { window.open("/case/page.html?popup"); });
found.popup = (await (await popups).evaluate(() => location.search));

const dialogs = new Promise(resolve => page.once("dialog", resolve));
const asked = page.evaluate(() => confirm("sure?"));
const dialog = await dialogs;
found.dialog = dialog.message();
await dialog.accept();
found.answer = await asked;

const second = await browser.newPage();
await second.goto(origin + "/case/page.html?second");
found.count = (await browser.pages()).length;
await page.evaluate(() => { document.cookie = "mine=1"; });
const context = await browser.createBrowserContext();
const apart = await context.newPage();
await apart.goto(origin + "/case/page.html");
found.apart = [await apart.evaluate(() => document.cookie), browser.browserContexts().length, (await context.pages()).length];
await context.close();
found.contexts = browser.browserContexts().length;

const session = await page.createCDPSession();
await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: directory, eventsEnabled: true });
await page.evaluate(() => { document.getElementById("file").click(); });
const file = join(directory, "told.txt");
for (let i = 0; i < 100 && !existsSync(file); i++) {
    await new Promise(resolve => setTimeout(resolve, 100));
}
found.download = readFileSync(file, "utf8");

found.big = await page.evaluate(() => "x".repeat(5000000).length) + (await page.evaluate(() => "y".repeat(3000000))).length;
console.log(JSON.stringify(found));
await browser.disconnect();
