/*
 * Puppeteer at `serve --cdp` beside Puppeteer at Chrome's own port, in one run, turn by turn: the same work in both.
 * Exit code 1 when the aim is missed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { median } from './lib/measure.mjs';

const USAGE = `Usage: node tests/bench/cdp.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --chrome FILE   (/usr/bin/chromium)
  --rounds N      (5)`;
const AIM = 1.1; // of the time at Chrome's own port
const CLIENTS = 8;
const puppeteer = createRequire(new URL('../widgets/', import.meta.url))('puppeteer-core');
const options = { program: fileURLToPath(new URL('../../build/release/browser-runner', import.meta.url)),
    chrome: '/usr/bin/chromium', rounds: '5' };
for (let i = 2; i < process.argv.length; i += 2) {
    const name = process.argv[i].replace(/^--/, '');
    if (!(name in options)) {
        console.log(USAGE);
        process.exit(name === 'help' ? 0 : 2);
    }
    options[name] = process.argv[i + 1];
}

const folder = mkdtempSync(join(os.tmpdir(), 'bench-cdp-'));
const server = createServer((request, response) => response.setHeader('content-type', 'text/html').end('<h1>page</h1>'));
await new Promise(done => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;

async function startOurs() {
    const child = spawn(options.program, ['serve', '--cdp=0', '--temp-profile', '--no-sandbox'],
        { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await new Promise(done => createInterface({ input: child.stdout }).once('line', line => done([line])));
    return { name: 'serve --cdp', url: JSON.parse(line).url, child };
}

async function startChromes() {
    const profile = join(folder, 'profile');
    const child = spawn(options.chrome, [...puppeteer.defaultArgs({ userDataDir: profile, headless: true }), '--no-sandbox',
        '--enable-features=CDPScreenshotNewSurface', '--remote-debugging-port=0'], { stdio: 'ignore' });
    const file = join(profile, 'DevToolsActivePort');
    while (!existsSync(file) || !readFileSync(file, 'utf8').includes('\n')) {
        await new Promise(done => setTimeout(done, 20));
    }
    return { name: "Chrome's port", url: `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`, child };
}

async function evaluations(page, count) {
    for (let i = 0; i < count; i++) {
        await page.evaluate('1');
    }
}

const WORK = {
    '1,000 evaluations': async ({ page }) => evaluations(page, 1000),
    '50 screenshots': async ({ page }) => {
        for (let i = 0; i < 50; i++) {
            await page.screenshot();
        }
    },
    '1,000 intercepted requests': async ({ page }) => {
        const answer = request => request.respond({ body: 'faked' });
        await page.setRequestInterception(true);
        page.on('request', answer);
        await page.evaluate(async () => {
            for (let i = 0; i < 100; i++) {
                await Promise.all(Array.from({ length: 10 }, (_, j) => fetch(`/faked?${i}-${j}`).then(reply => reply.text())));
            }
        });
        page.off('request', answer);
        await page.setRequestInterception(false);
    },
    '1,000 evaluations by 8 clients': async ({ others }) =>
        Promise.all(others.map(page => evaluations(page, 1000 / CLIENTS))),
    'a reply of 20 MB': async ({ page }) => page.evaluate("'x'.repeat(20000000)"),
};

async function open({ url }) {
    const browser = await puppeteer.connect({ browserURL: url });
    const page = (await browser.pages())[0] ?? await browser.newPage();
    await page.goto(origin);
    return { browser, page };
}

const sides = [await startOurs(), await startChromes()];
for (const side of sides) {
    Object.assign(side, await open(side), { times: {}, clients: [] });
    for (let i = 0; i < CLIENTS; i++) {
        const browser = await puppeteer.connect({ browserURL: side.url });
        side.clients.push({ browser, page: await browser.newPage() });
    }
    side.others = side.clients.map(client => client.page);
    await side.page.bringToFront();
}
let isMet = true;
for (const [name, work] of Object.entries(WORK)) {
    for (let round = 0; round <= Number(options.rounds); round++) {
        for (const side of round % 2 ? sides : [...sides].reverse()) {
            const began = performance.now();
            await work(side);
            if (round > 0) { // the first warms up
                (side.times[name] ??= []).push(performance.now() - began);
            }
        }
    }
    const [ours, theirs] = sides.map(side => median(side.times[name]));
    isMet &&= ours / theirs <= AIM;
    console.log(`${name}: ${ours.toFixed(0)} ms, at Chrome's own port ${theirs.toFixed(0)} ms: ${(ours / theirs).toFixed(2)}`);
}
const memory = readFileSync(`/proc/${sides[0].child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1];
console.log(`memory of serve with ${CLIENTS + 1} clients: ${(memory / 1024).toFixed(1)} MB`);
for (const side of sides) {
    await Promise.all(side.clients.map(client => client.browser.disconnect()));
    await side.browser.disconnect();
    const ended = new Promise(done => side.child.once('exit', done));
    side.child.kill('SIGTERM');
    await ended;
}
server.close();
rmSync(folder, { recursive: true, force: true });
process.exit(isMet ? 0 : 1);
