// pages.mjs NAME CHROME KIND LIST FOLDER: opens each address of the list, one a line, in one tab; pictures as 001.jpg, 002.jpg, …
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { launchOptions } from './puppeteer-options.mjs';

const [name, chrome, kind, list, folder] = process.argv.slice(2);

async function open() {
    if (name === 'puppeteer') {
        const { default: puppeteer } = await import('puppeteer-core');
        const browser = await puppeteer.launch(launchOptions(chrome, kind));
        return { browser, page: (await browser.pages())[0] };
    }
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: chrome });
    return { browser, page: await browser.newPage({ viewport: { width: 1280, height: 720 } }) };
}

const { browser, page } = await open();
const addresses = readFileSync(list, 'utf8').trim().split('\n');
for (const [index, address] of addresses.entries()) {
    await page.goto(address);
    await page.screenshot({ path: join(folder, `${String(index + 1).padStart(3, '0')}.jpg`), type: 'jpeg', quality: 25 });
}
await browser.close();
