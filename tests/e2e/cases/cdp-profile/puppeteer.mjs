/* Comes, makes a context in the profile, goes, and comes again. Prints what it found. */
import { createRequire } from "node:module";

const [widgets, endpoint, origin, name] = process.argv.slice(2);
const puppeteer = createRequire(widgets + "/")(name);
const found = {};
const first = await puppeteer.connect({ browserWSEndpoint: endpoint });
found.at = first.browserContexts().length;
const context = await first.createBrowserContext();
await (await context.newPage()).goto(origin + "/counts?kept");
await first.disconnect();

const second = await puppeteer.connect({ browserWSEndpoint: endpoint });
const kept = second.browserContexts().find(other => other.id === context.id);
const [page] = await kept.pages();
found.kept = await page.evaluate(() => location.search);
found.png = Buffer.from(await page.screenshot()).toString("latin1", 1, 4);
found.urls = (await second.pages()).map(page => new URL(page.url()).search).filter(search => search === "?ours");
await kept.close();
found.end = second.browserContexts().length;
await second.disconnect();
console.log(JSON.stringify(found));
