// playwright.mjs CHROME KIND URL FILE [COUNT]: opens the page, takes COUNT pictures, ends Chrome.
import { chromium } from 'playwright-core';

const [chrome, , url, path, count = '1'] = process.argv.slice(2);
// It leaves the sandbox out by itself.
const browser = await chromium.launch({ executablePath: chrome });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(url);
for (let i = 0; i < Number(count); i++) {
    await page.screenshot({ path, type: 'jpeg', quality: 25 });
}
await browser.close();
