/* A client that makes tabs and contexts, says so, and then goes on until it is ended. */
import { createRequire } from "node:module";

const [widgets, endpoint, origin] = process.argv.slice(2);
const { chromium } = createRequire(widgets + "/")("playwright-core");
const browser = await chromium.connectOverCDP(endpoint);
const page = await browser.contexts()[0].newPage();
await page.goto(origin + "/counts?theirs");
const context = await browser.newContext();
await (await context.newPage()).goto(origin + "/counts?theirs");
console.log("ready");
for (;;) {
    await page.evaluate(() => 1);
}
