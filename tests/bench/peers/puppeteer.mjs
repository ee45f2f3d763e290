// puppeteer.mjs CHROME KIND URL FILE [COUNT]: opens the page, takes COUNT pictures, ends Chrome.
import puppeteer from 'puppeteer-core';

import { launchOptions } from './puppeteer-options.mjs';

const [chrome, kind, url, path, count = '1'] = process.argv.slice(2);
const browser = await puppeteer.launch(launchOptions(chrome, kind));
// The tab that Chrome opens anyway: a second one would only take more time.
const [page] = await browser.pages();
await page.goto(url);
for (let i = 0; i < Number(count); i++) {
    await page.screenshot({ path, type: 'jpeg', quality: 25 });
}
await browser.close();
