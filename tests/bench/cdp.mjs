/*
 * Puppeteer at `serve --cdp` beside Puppeteer at Chrome's own port, in one run, in pairs of random order: the same work
 * in both, and for evaluations also through bench_forward, which is what any process in between costs. Then connecting, with
 * Playwright as well; what the server needs of memory, and what a client that reads slowly costs it and the others.
 * `npm ci --prefix tests/widgets --ignore-scripts` fetches the clients. Exit code 1 when an aim is missed.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { median, pairedRatios, peakMemory, quantile, shuffled } from './lib/measure.mjs';

const USAGE = `Usage: node tests/bench/cdp.mjs [OPTION]…
  --program FILE   browser-runner (build/release/browser-runner)
  --forward FILE   bench_forward (build/release/tests/bench/bench_forward)
  --chrome FILE    (/usr/bin/chromium)
  --rounds N       (9)
  --only PART[,…]  speed, connect, memory, slow`;
const ROOT = resolve(import.meta.dirname, '../..');
const AIM = 1.1; // of the time at Chrome's own port
const CLIENTS = 8;
const MANY = 16; // of the memory
const LARGE = 100_000_000; // bytes of a reply to a slow client
const LARGE_COUNT = 3;
const SLOW_BYTES = 1_000_000; // that it reads every SLOW_MS
const SLOW_MS = 25;
const FILLED = Buffer.alloc(SLOW_BYTES, 'x');
const HELD_AIM = 1.5; // of one such reply, as the server may hold more than before
const packages = createRequire(join(ROOT, 'tests/widgets/'));
const puppeteer = packages('puppeteer-core');
const { chromium } = packages('playwright-core');

const { values: options } = parseArgs({ options: {
    program: { type: 'string', default: join(ROOT, 'build/release/browser-runner') },
    forward: { type: 'string', default: join(ROOT, 'build/release/tests/bench/bench_forward') },
    chrome: { type: 'string', default: '/usr/bin/chromium' },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', default: 'speed,connect,memory,slow' },
    help: { type: 'boolean', default: false },
} });
if (options.help) {
    console.log(USAGE);
    process.exit(0);
}

const folder = mkdtempSync(join(os.tmpdir(), 'bench-cdp-'));
const server = createServer((request, response) => response.setHeader('content-type', 'text/html').end('<h1>page</h1>'));
await new Promise(done => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;
const children = new Set();
let isMet = true;

function check(isFine) {
    isMet &&= isFine;
    return isFine ? '' : ' (MISSED)';
}

function start(file, args, stdio) {
    const child = spawn(file, args, { stdio });
    children.add(child);
    return child;
}

function firstLine(child) {
    return new Promise(done => createInterface({ input: child.stdout }).once('line', done));
}

async function startOurs() {
    const child = start(options.program, ['serve', '--cdp=0', '--temp-profile', '--no-sandbox'], ['ignore', 'pipe', 'inherit']);
    return { name: 'serve --cdp', isOurs: true, url: JSON.parse(await firstLine(child)).url, child };
}

async function startChromes() {
    const profile = mkdtempSync(join(folder, 'profile-'));
    const child = start(options.chrome, [...puppeteer.defaultArgs({ userDataDir: profile, headless: true }), '--no-sandbox',
        '--enable-features=CDPScreenshotNewSurface', '--remote-debugging-port=0'], 'ignore');
    const file = join(profile, 'DevToolsActivePort');
    while (!existsSync(file) || !readFileSync(file, 'utf8').includes('\n')) {
        await pause(20);
    }
    return { name: "Chrome's port", port: readFileSync(file, 'utf8').split('\n')[0], child,
        get url() { return `http://127.0.0.1:${this.port}`; } };
}

/** Chrome's port behind the least that can be in between. */
async function startForwarded() {
    const side = await startChromes();
    side.forward = start(options.forward, [side.port], ['pipe', 'pipe', 'inherit']);
    return Object.assign(side, { name: 'bench_forward', port: await firstLine(side.forward) });
}

async function end(child) {
    const ended = new Promise(done => child.once('exit', done));
    children.delete(child);
    child.kill('SIGTERM');
    await ended;
}

async function stop({ child, forward }) {
    await end(child);
    if (forward) {
        await end(forward);
    }
}

async function open({ url }) {
    const browser = await puppeteer.connect({ browserURL: url });
    const page = (await browser.pages())[0] ?? await browser.newPage();
    await page.goto(origin);
    return { browser, page };
}

async function evaluations(page, count) {
    for (let i = 0; i < count; i++) {
        await page.evaluate('1');
    }
}

const WORK = {
    '1,000 evaluations': async ({ page }) => evaluations(page, 1000),
    '1,000 evaluations by 8 clients': async ({ others }) =>
        Promise.all(others.map(page => evaluations(page, 1000 / CLIENTS))),
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
    'a reply of 20 MB': async ({ page }) => page.evaluate("'x'.repeat(20000000)"),
};

async function measureWork(name, sides) {
    const times = new Map(sides.map(side => [side, []]));
    for (let round = 0; round <= Number(options.rounds); round++) {
        for (const side of shuffled(sides)) {
            const began = performance.now();
            await WORK[name](side);
            if (round > 0) { // the first warms up
                times.get(side).push(performance.now() - began);
            }
        }
    }
    const [ours, theirs, forwarded] = sides.map(side => times.get(side));
    const ratio = values => [0.5, 0.25, 0.75].map(at => quantile(pairedRatios(values, theirs), at).toFixed(2));
    const [middle, low, high] = ratio(ours);
    const reference = forwarded ? `; bench_forward ${median(forwarded).toFixed(0)} ms: ${ratio(forwarded)[0]}` : '';
    console.log(`${name}: ${median(ours).toFixed(0)} ms, at Chrome's own port ${median(theirs).toFixed(0)} ms: ` +
        `${middle} (${low} to ${high})${check(Number(middle) <= AIM)}${reference}`);
}

async function measureSpeed() {
    const sides = [await startOurs(), await startChromes(), await startForwarded()];
    for (const side of sides) {
        Object.assign(side, await open(side), { clients: [] });
        for (let i = 0; i < CLIENTS; i++) {
            const browser = await puppeteer.connect({ browserURL: side.url });
            side.clients.push({ browser, page: await browser.newPage() });
        }
        side.others = side.clients.map(client => client.page);
        await side.page.bringToFront();
    }
    for (const name of Object.keys(WORK)) {
        await measureWork(name, name.includes('evaluations') ? sides : sides.slice(0, 2));
    }
    for (const side of sides) {
        await Promise.all([side, ...side.clients].map(client => client.browser.disconnect()));
        await stop(side);
    }
}

/** Of the server alone, MB. */
function memory({ child }) {
    const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'latin1');
    const [pss, rss] = ['Pss', 'Rss'].map(name => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)[1]) / 1024);
    return `${pss.toFixed(1)} MB PSS, ${rss.toFixed(1)} MB RSS`;
}

async function measureMemory() {
    const side = await startOurs();
    const clients = [];
    console.log(`memory of the server before the first client: ${memory(side)}`);
    for (const count of [1, MANY]) {
        while (clients.length < count) {
            const client = await open(side);
            await evaluations(client.page, 10);
            clients.push(client);
        }
        console.log(`with ${count} clients, a page each: ${memory(side)}`);
    }
    await Promise.all(clients.map(client => client.browser.disconnect()));
    await pause(1000);
    console.log(`when they have gone: ${memory(side)}`);
    await stop(side);
}

/** A WebSocket that reads as slowly as it is told to. Puppeteer would read all that comes. */
class SlowClient {
    #socket;
    #left = []; // bytes that were not looked at
    #size = 0;
    #news = () => {};

    static async open(url) {
        const client = new SlowClient();
        const { hostname, port, pathname } = new URL(url);
        client.#socket = connect({ host: hostname, port, highWaterMark: SLOW_BYTES });
        client.#socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\n` +
            `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`);
        await client.#find('\r\n\r\n');
        return client;
    }

    async #more(isSlow) {
        let chunk = this.#socket.read(SLOW_BYTES) ?? this.#socket.read();
        while (!chunk) {
            await new Promise((done, fail) => this.#socket.once('readable', done).once('close', fail));
            chunk = this.#socket.read();
        }
        if (isSlow) {
            await pause(SLOW_MS * chunk.length / SLOW_BYTES);
        }
        this.#left.push(chunk);
        this.#size += chunk.length;
    }

    async #find(end) {
        while (!Buffer.concat(this.#left).includes(end)) {
            await this.#more(false);
        }
        this.#left = [];
        this.#size = 0;
    }

    async #take(size) {
        while (this.#size < size) {
            await this.#more(true);
        }
        const all = Buffer.concat(this.#left);
        this.#left = [all.subarray(size)];
        this.#size -= size;
        return all.subarray(0, size);
    }

    send(text) {
        const bytes = Buffer.from(text);
        const head = Buffer.alloc(8);
        head.writeUInt16BE(0x81fe);
        head.writeUInt16BE(bytes.length, 2);
        this.#socket.write(Buffer.concat([head, bytes])); // masked with zeros
    }

    /** The length of the next message, and of that the bytes that are an x. */
    async measure() {
        let [length, filled, isLast] = [0, 0, false];
        while (!isLast) {
            const [first, second] = await this.#take(2);
            let left = second === 127 ? Number((await this.#take(8)).readBigUInt64BE())
                : second === 126 ? (await this.#take(2)).readUInt16BE() : second;
            isLast = (first & 0x80) !== 0;
            length += left;
            while (left > 0) {
                const part = await this.#take(Math.min(left, SLOW_BYTES));
                left -= part.length;
                // All but the first and the last part are x alone, which is seen at once.
                filled += part.equals(FILLED.subarray(0, part.length)) ? part.length
                    : part.reduce((sum, byte) => sum + (byte === 0x78), 0);
            }
        }
        return { length, filled };
    }

    close() {
        this.#socket.destroy();
    }
}

/** Milliseconds of evaluations one after the other while `work` is under way. */
async function latencies(page, work) {
    const times = [];
    let isOver = false;
    const result = work().finally(() => {
        isOver = true;
    });
    while (!isOver) {
        const began = performance.now();
        await page.evaluate('1');
        times.push(performance.now() - began);
    }
    return { times, result: await result };
}

const spread = times => `${median(times).toFixed(2)} ms, 99 % within ${quantile(times, 0.99).toFixed(1)}, ` +
    `all within ${Math.max(...times).toFixed(0)}`;

async function readSlowly(slow) {
    for (let i = 0; i < LARGE_COUNT; i++) {
        slow.send(JSON.stringify({ id: i, method: 'Runtime.evaluate',
            params: { expression: `'x'.repeat(${LARGE})`, returnByValue: true } }));
        const { length, filled } = await slow.measure();
        if (filled < LARGE || length > LARGE + 1000) {
            throw new Error(`a reply of ${length} bytes, of which ${filled} are right`);
        }
    }
}

async function measureSlowAt(side) {
    const other = await open(side);
    const { browser, page } = await open(side);
    const slow = await SlowClient.open(`${side.url.replace('http', 'ws')}/devtools/page/${page.target()._targetId}`);
    await evaluations(other.page, 1000);
    const alone = await latencies(other.page, () => pause(5000));
    writeFileSync(`/proc/${side.child.pid}/clear_refs`, '5'); // the peak begins anew
    const before = peakMemory(side.child.pid);
    const began = performance.now();
    const beside = await latencies(other.page, () => readSlowly(slow));
    const seconds = (performance.now() - began) / 1000;
    const held = (peakMemory(side.child.pid) - before) * 1024 * 1024;
    console.log(`${side.name}: ${LARGE_COUNT} replies of ${LARGE / 1e6} MB to a client that reads up to ` +
        `${SLOW_BYTES / SLOW_MS / 1000} MB a second: whole, in ${seconds.toFixed(1)} s; the process held ` +
        `${(held / 1e6).toFixed(0)} MB more at most${side.isOurs ? check(held <= HELD_AIM * LARGE) : ''}`);
    console.log(`  an evaluation of another client meanwhile: ${spread(beside.times)}; before: ${spread(alone.times)}`);
    slow.close();
    await Promise.all([browser.disconnect(), other.browser.disconnect()]);
}

async function measureSlow() {
    for (const startSide of [startOurs, startChromes]) {
        const side = await startSide();
        await measureSlowAt(side);
        await stop(side);
    }
}

const CONNECT = {
    Puppeteer: async url => {
        const browser = await puppeteer.connect({ browserURL: url });
        return { page: (await browser.pages())[0], end: () => browser.disconnect() };
    },
    Playwright: async url => {
        const browser = await chromium.connectOverCDP(url);
        return { page: browser.contexts()[0].pages()[0], end: () => browser.close() };
    },
};

/** Until the client's first tab answers. Clients come a second after each other. */
async function measureConnecting() {
    const sides = [await startOurs(), await startChromes()];
    for (const [name, connectTo] of Object.entries(CONNECT)) {
        const times = new Map(sides.map(side => [side, []]));
        for (let round = 0; round <= Number(options.rounds); round++) {
            for (const side of shuffled(sides)) {
                await pause(1000);
                const began = performance.now();
                const { page, end: leave } = await connectTo(side.url);
                await page.evaluate('1');
                if (round > 0) {
                    times.get(side).push(performance.now() - began);
                }
                await leave();
            }
        }
        const [ours, theirs] = sides.map(side => times.get(side));
        const [middle, low, high] = [0.5, 0.25, 0.75].map(at => quantile(pairedRatios(ours, theirs), at).toFixed(2));
        console.log(`connecting ${name}: ${median(ours).toFixed(0)} ms, to Chrome's own port ${median(theirs).toFixed(0)} ms: ` +
            `${middle} (${low} to ${high})`);
    }
    await Promise.all(sides.map(stop));
}

const PARTS = { speed: measureSpeed, connect: measureConnecting, memory: measureMemory, slow: measureSlow };
try {
    console.log(`load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}`);
    for (const part of options.only.split(',')) {
        await PARTS[part]();
    }
} finally {
    await Promise.all([...children].map(end));
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
process.exit(isMet ? 0 : 1);
