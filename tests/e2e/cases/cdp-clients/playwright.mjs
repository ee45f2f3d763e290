/* playwright-core as it is, by connectOverCDP. Prints what it found. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { readFileSync } from "node:fs";

const [widgets, url, origin, directory, traces] = process.argv.slice(2);
const { chromium } = createRequire(widgets + "/")("playwright-core");
const found = {};
const browser = await chromium.connectOverCDP(url);
const context = browser.contexts()[0];
const page = context.pages()[0];
found.pages = [page.url(), context.pages().length, browser.contexts().length];
await page.goto(origin + "/case/page.html");
await page.click("#go");
await page.fill("#name", "Ann");
found.page = await page.evaluate(() => [document.title, document.getElementById("name").value, 6 * 7]);
found.png = (await page.screenshot()).toString("latin1", 1, 4);
found.pdf = (await page.pdf()).toString("latin1", 0, 4);
await page.route("**/faked", route => route.fulfill({ body: "faked" }));
found.faked = await page.evaluate(async () => (await fetch("/faked")).text());
const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(() => { window.open("/case/page.html?popup"); })]);
found.popup = await popup.evaluate(() => location.search);
page.once("dialog", dialog => { found.dialog = dialog.message(); dialog.accept(); });
found.answer = await page.evaluate(() => confirm("sure?"));
const second = await context.newPage();
await second.goto(origin + "/case/page.html?second");
found.count = context.pages().length;
await context.addCookies([{ name: "mine", value: "1", url: origin }]);
found.cookies = (await context.cookies()).map(cookie => cookie.name);
const other = await browser.newContext();
const apart = await other.newPage();
await apart.goto(origin + "/case/page.html");
found.apart = [await apart.evaluate(() => document.cookie), browser.contexts().length, other.pages().length];
await other.close();
found.contexts = browser.contexts().length;
const [download] = await Promise.all([page.waitForEvent("download"), page.click("#file")]);
const file = join(directory, "saved.txt");
await download.saveAs(file);
found.download = readFileSync(file, "utf8");
if (traces) { // one client at a time, as at Chrome's own port
    await browser.startTracing(page);
    await page.goto(origin + "/case/page.html?traced");
    found.trace = JSON.parse((await browser.stopTracing()).toString()).traceEvents.length > 10;
}
found.big = (await page.evaluate(() => "y".repeat(8000000))).length;
console.log(JSON.stringify(found));
await browser.close();
