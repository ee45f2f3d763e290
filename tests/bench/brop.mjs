/*
 * Commands of `serve --brop` beside the same calls of Puppeteer, each in a Chrome of its own: one client and one tab, call by
 * call in random order. `npm ci --prefix tests/widgets --ignore-scripts` fetches Puppeteer and the WebSocket.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { launchOptions } from './peers/puppeteer-options.mjs';
import { interleave } from './lib/interleave.mjs';
import { Report } from './lib/report.mjs';
import { servePage } from './lib/server.mjs';

const USAGE = `Usage: node tests/bench/brop.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --chrome FILE   (/usr/bin/chromium)
  --rounds N      (40)
  --only PART,…   click, content, type, screenshot, evaluate`;
const ROOT = resolve(import.meta.dirname, '../..');
const OURS = 'serve --brop';
const PEER = 'puppeteer-core';
const TEXT = 'ten letter'; // of which each is typed
const packages = createRequire(join(ROOT, 'tests/widgets/'));
const puppeteer = packages('puppeteer-core');
const WebSocket = packages('ws');

const text = value => ({ type: 'string', default: value });
const { values: options } = parseArgs({ options: {
    program: text(join(ROOT, 'build/release/browser-runner')),
    chrome: text('/usr/bin/chromium'),
    rounds: text('40'),
    only: text('click,content,type,screenshot,evaluate'),
    help: { type: 'boolean' },
} });
if (options.help) {
    console.log(USAGE);
    process.exit(0);
}

/** One client of a server of its own, with a tab at the URL. */
async function openOurs(url) {
    const sandbox = process.getuid() === 0 ? ['--no-sandbox'] : [];
    const child = spawn(options.program, ['serve', '--brop=0', '--temp-profile', '--chrome', options.chrome, ...sandbox],
        { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise(done => createInterface({ input: child.stdout }).once('line', done));
    const socket = new WebSocket(JSON.parse(line).url);
    await new Promise(done => socket.once('open', done));
    let number = 0;
    const ask = (method, params) => new Promise((done, fail) => {
        socket.once('message', data => {
            const reply = JSON.parse(data);
            return reply.success ? done(reply.result) : fail(new Error(`${method}: ${reply.error}`));
        });
        socket.send(JSON.stringify({ id: ++number, method, params }));
    });
    const { tabId } = await ask('create_tab', { url });
    return {
        ask: (method, params) => ask(method, { tabId, ...params }),
        async close() {
            const ended = new Promise(done => child.once('exit', done));
            child.kill('SIGTERM');
            await ended;
        },
    };
}

const server = await servePage();
const browser = await puppeteer.launch(launchOptions(options.chrome));
const [page] = await browser.pages();
await page.goto(server.url);
const ours = await openOurs(server.url);

/** The two calls of a part, and what a page must show after `n` of them, as an expression. */
const PARTS = {
    click: {
        ours: () => ours.ask('click', { selector: '#add' }),
        peer: () => page.click('#add'),
        shows: 'done.added',
        after: n => n,
    },
    content: {
        ours: () => ours.ask('get_page_content', {}),
        peer: async () => {
            await page.content();
            await page.evaluate('document.body.innerText');
        },
    },
    type: {
        prepare: () => page.evaluate("document.querySelector('#recipient').value = ''"),
        ours: () => ours.ask('type', { selector: '#recipient', text: TEXT, clear: true }),
        peer: () => page.type('#recipient', TEXT),
        shows: "document.querySelector('#recipient').value",
        after: () => TEXT,
    },
    screenshot: {
        ours: () => ours.ask('get_screenshot', { format: 'jpeg', quality: 50 }),
        peer: () => page.screenshot({ type: 'jpeg', quality: 50 }),
    },
    evaluate: {
        ours: () => ours.ask('evaluate_js', { code: '1+1' }),
        peer: () => page.evaluate('1+1'),
    },
};

async function measure(name) {
    const { ours: ask, peer, shows, after, prepare } = PARTS[name];
    const counts = { [OURS]: 0, [PEER]: 0 };
    const check = async called => {
        counts[called]++;
        const seen = shows && (called === OURS ? (await ours.ask('evaluate_js', { code: shows })).result : await page.evaluate(shows));
        if (shows && seen !== after(counts[called])) {
            throw new Error(`${called}: ${name}: the page shows ${seen}`);
        }
    };
    // In braces: a number that is returned would count as a time.
    const calls = new Map([[OURS, async () => { await ask(); }], [PEER, async () => { await peer(); }]]);
    const { samples } = await interleave({ report }, name, calls, Number(options.rounds), check, prepare);
    report.section(name, 'ms', samples, [{ row: OURS, to: [PEER] }], 1);
}

const report = new Report();
report.head([`load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}`]);
try {
    for (const name of options.only.split(',')) {
        await measure(name);
    }
} finally {
    await ours.close();
    await browser.close();
    server.close();
}
