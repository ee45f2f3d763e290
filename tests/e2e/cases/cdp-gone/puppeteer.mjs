/* A client that makes tabs and contexts, says so, and then goes on until it is ended. */
import { createRequire } from "node:module";

const [widgets, endpoint, origin] = process.argv.slice(2);
const puppeteer = createRequire(widgets + "/")("puppeteer-core");
const browser = await puppeteer.connect({ browserWSEndpoint: endpoint });
const page = await browser.newPage();
await page.goto(origin + "/counts?theirs");
const context = await browser.createBrowserContext();
await (await context.newPage()).goto(origin + "/counts?theirs");
await page.exposeFunction("told", () => 1);
console.log("ready");
for (;;) {
    await page.evaluate(() => told());
}
