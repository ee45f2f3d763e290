/*
 * Two screenshots full of small text, as Chrome itself writes them, for diff.py: some words of the
 * second are in capitals, and from a paragraph in its middle on all text has moved down by a line.
 * `node text_pair.mjs CHROME FAST BEFORE.png AFTER.png`; FAST is `true` for optimizeForSpeed.
 */
import puppeteer from 'puppeteer-core';

const WORDS = 'the quick brown fox jumps over a lazy dog while many readers follow long lines of small text across pages'.split(' ');
const PARAGRAPHS = 100;
const INSERTED_BEFORE = 8; // half a screen down
const CAPITALS = 0.02;

function textPage(isAfter) {
    let state = 7;
    const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
    let paragraphs = '';
    for (let i = 0; i < PARAGRAPHS; i++) {
        const words = Array.from({ length: 20 + Math.floor(random() * 60) }, () => {
            const word = WORDS[Math.floor(random() * WORDS.length)];
            return random() < CAPITALS && isAfter ? word.toUpperCase() : word;
        });
        paragraphs += isAfter && i === INSERTED_BEFORE ? '<p>One more line' : '';
        paragraphs += `<p>${words.join(' ')}`;
    }
    return `<!doctype html><body style="font: 12px/1.3 sans-serif; margin: 4px">${paragraphs}`;
}

const [executablePath, isFast, ...paths] = process.argv.slice(2);
const browser = await puppeteer.launch({
    executablePath,
    args: ['--no-sandbox'],
    defaultViewport: { width: 440, height: 956, deviceScaleFactor: 3 },
});
try {
    const page = await browser.newPage();
    for (const [index, path] of paths.entries()) {
        await page.setContent(textPage(index > 0));
        await page.screenshot({ path, optimizeForSpeed: isFast === 'true' });
    }
} finally {
    await browser.close();
}
