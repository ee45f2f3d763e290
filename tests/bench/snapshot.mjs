/*
 * The `snapshot` action against what others make of the same page: how long it takes, how that
 * grows, what it takes of memory, and how long its text is. `npm install --no-save --prefix
 * tests/bench` fetches the peers. Exit code 1 when an aim is missed.
 */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { encode } from 'gpt-tokenizer/encoding/o200k_base';

import { removeProfiles } from './lib/contestants.mjs';
import { interleave } from './lib/interleave.mjs';
import { median, pairedRatio, peakMemory, quantile } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';
import { servePages } from './lib/server.mjs';
import {
    AGENT_BROWSER, CAPTURE, closeAll, openAll, openOurs, OURS, PLAYWRIGHT, TREES,
} from './lib/snapshot_drivers.mjs';
import { bytesOfWords, makeCards, readCorpus, visibleText, wordShare } from './lib/snapshot_pages.mjs';

const USAGE = `Usage: node tests/bench/snapshot.mjs [OPTION]…
  --program FILE      browser-runner (build/release/browser-runner)
  --chrome FILE       (/usr/bin/chromium)
  --agent-browser FILE
                      the native program (that of node_modules)
  --rounds N          of pages of 1,000 elements (9); of larger ones fewer, three at least
  --sizes N[,…]       elements of the made pages (1000,5000,10000,50000)
  --only PART[,…]     speed, memory, size
  --without PEER[,…]  trees, capture, playwright, agent-browser
  --folders DIR[,…]   the pages that size is measured on (those of fixtures/snapshot/corpus, and
                      those of the web in the npm package htmlparser-benchmark)
  --pages             size prints each page`;
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = [join(ROOT, 'fixtures/snapshot/corpus'),
    fileURLToPath(new URL('node_modules/htmlparser-benchmark/files', import.meta.url))];
const PARTS = ['speed', 'memory', 'size'];
const PEERS = { trees: TREES, capture: CAPTURE, playwright: PLAYWRIGHT, 'agent-browser': AGENT_BROWSER };
const AIMS = { [TREES]: 0.25, [PLAYWRIGHT]: 0.3, [AGENT_BROWSER]: 0.2 };
const LINEAR_AIM = 1.5; // of an element at the largest size, of one at 5,000
const MEMORY_AIM_MB = 60;
const BYTES_AIM = 0.1;
const TOKENS_AIM = 0.4;
const WORDS_AIM = 0.98;
const SETTLE_MS = 200;
const PAGE_MS = 60000;
// Some pages have media that never loads, and so no load event.
const LOADED = `new Promise((resolve) => {
    addEventListener('load', () => resolve(0));
    setTimeout(resolve, document.readyState === 'complete' ? 0 : 3000, 0);
})`;

let isMet = true;

/** How an aim came out, for a table. */
function judge(value, aim, { atLeast = false, digits = 2 } = {}) {
    const met = atLeast ? value >= aim : value <= aim;
    isMet &&= met;
    return `${value.toFixed(digits)} (aim: ${aim}${met ? '' : ', missed'})`;
}

/** Each look is at a page that was changed since the last one, and has to show the change. */
async function measureSize(setup, drivers, elements) {
    const state = new Map();
    const seen = new Map();
    const calls = new Map([...drivers].map(([name, { look }]) => [name, async () => {
        seen.set(name, await look());
    }]));
    const prepare = async (name, round) => {
        state.set(name, `State ${round + 1000}`);
        await drivers.get(name).evaluate(
            `document.getElementById('changing').textContent = '${state.get(name)}'; 0`);
    };
    const check = (name) => {
        const text = seen.get(name);
        if (!(typeof text === 'string' ? text : JSON.stringify(text)).includes(state.get(name))) {
            throw new Error(`${name} does not see ${state.get(name)} at ${elements} elements`);
        }
        seen.clear();
    };
    const rounds = Math.max(3, Math.round(setup.rounds * Math.min(1, 5000 / elements)));
    return (await interleave(setup, `${elements} elements`, calls, rounds, check, prepare)).samples;
}

async function measureSpeed(setup) {
    const pages = new Map(setup.sizes.map((size) => [`/${size}`, makeCards(size)]));
    const server = await servePages(pages);
    console.log('\n| elements | who | median ms | quartiles | ours / this |');
    console.log('|---:|---|---:|---|---|');
    const perElement = new Map();
    for (const size of setup.sizes) {
        // Browsers of their own for each size: what a large page leaves behind is in nobody's way.
        const drivers = await openAll(setup, `${server.url}${size}`, setup.peers);
        const samples = await measureSize(setup, drivers, size);
        await closeAll(drivers);
        setup.report.clearProgress();
        const ours = samples.get(OURS);
        perElement.set(size, median(ours) / size);
        for (const [name, values] of samples) {
            const [low, middle, high] = [0.25, 0.5, 0.75].map((at) => quantile(values, at).toFixed(0));
            const ratio = pairedRatio(ours, values);
            const note = name === OURS ? '' : AIMS[name] ? judge(ratio, AIMS[name]) : ratio.toFixed(2);
            console.log(`| ${size} | ${name} | ${middle} | ${low} to ${high} | ${note} |`);
        }
    }
    const [few, many] = [5000, Math.max(...setup.sizes)];
    if (perElement.has(few) && many > few) {
        const growth = judge(perElement.get(many) / perElement.get(few), LINEAR_AIM);
        console.log(`\nAn element at ${many} elements takes ${growth} of the time of one at ${few}.`);
    }
    await server.close();
}

/** What the most memory that the process ever had grows by, in MB, from a small page to a large. */
async function measureMemory(setup) {
    const size = Math.max(...setup.sizes);
    const server = await servePages(new Map([['/small', makeCards(100)], ['/large', makeCards(size)]]));
    const drivers = await openAll(setup, `${server.url}small`, []);
    const { runner, look, go } = drivers.get(OURS);
    await look();
    const before = peakMemory(runner.pid);
    await go(`${server.url}large`);
    const text = await look();
    const growth = peakMemory(runner.pid) - before;
    await closeAll(drivers);
    await server.close();
    console.log(`\nMemory of the program: ${before.toFixed(1)} MB, and for ${size} elements, whose text has ` +
        `${(text.length / 1024).toFixed(0)} KB, ${judge(growth, MEMORY_AIM_MB, { digits: 1 })} MB more.`);
}

/** The HTML of a page with its frames, in bytes, and what a person sees of it. */
async function readPage(page) {
    // A frame that could not be loaded has a page of Chrome's in it, which is no part of this one.
    const frames = page.frames().filter((frame) => !frame.url().startsWith('chrome-error:'));
    const html = await Promise.all(frames.map((frame) =>
        frame.evaluate('document.documentElement.outerHTML')));
    const seen = await Promise.all(frames.map((frame) => frame.evaluate(visibleText)));
    return { bytes: Buffer.byteLength(html.join('')), seen: seen.join(' ') };
}

/** Undefined where the page goes elsewhere by itself: there is nothing without a network. */
async function measurePage(drivers, url) {
    const { page, look } = drivers.get(PLAYWRIGHT);
    const all = [...drivers.values()];
    const ask = (expression) => Promise.all(all.map((driver) => driver.evaluate(expression)));
    await Promise.all(all.map((driver) => driver.go(url)));
    await ask(LOADED);
    await pause(SETTLE_MS);
    if ((await ask('location.href')).some((place) => place.split('#')[0] !== url)) {
        return undefined;
    }
    const [seenByUs, seenByThem] = await ask(`(${visibleText})()`);
    const { bytes, seen } = await readPage(page);
    const [ours, theirs] = [await drivers.get(OURS).look(), await look()];
    const tokens = encode(ours).length;
    return {
        isSame: seenByUs === seenByThem,
        bytes: Buffer.byteLength(ours) / bytes,
        leastBytes: bytesOfWords(seen) / bytes,
        tokens,
        tokenShare: tokens / encode(theirs).length,
        words: wordShare(seen, ours),
        theirWords: wordShare(seen, theirs),
    };
}

function printPage(name, row) {
    console.log(row ? `${name}: ${row.bytes.toFixed(3)} of the HTML, ${row.tokens} tokens, ` +
        `${row.tokenShare.toFixed(2)} of Playwright's, words ${row.words.toFixed(3)}` +
        (row.isSame ? '' : ', not the same in both browsers') : `${name}: goes elsewhere, left out`);
}

/** A row for each page of a folder, and undefined for those that go elsewhere. */
async function measureFolder(setup, folder) {
    const files = readCorpus(folder);
    const names = [...files.keys()].filter((one) => one.endsWith('.html') && !one.includes('/'));
    if (names.length === 0) {
        throw new Error(`${folder} has no pages`);
    }
    const server = await servePages(new Map([...files].map(([name, body]) => [`/${name}`, body])));
    // All hosts are this server, which has nothing that is theirs: the network is never asked.
    const offline = { ...setup, switches: [`--host-resolver-rules=MAP * ${new URL(server.url).host}`] };
    const drivers = await openAll(offline, 'about:blank', [PLAYWRIGHT]);
    const rows = [];
    for (const name of names) {
        const row = await Promise.race([measurePage(drivers, `${server.url}${name}`),
            pause(PAGE_MS, null, { ref: false })]);
        if (row === null) {
            throw new Error(`${name}: not looked at within ${PAGE_MS} ms`);
        }
        rows.push(row);
        if (setup.printsPages) {
            printPage(name, row);
        }
        // Ids begin anew, as Playwright's do with each page.
        await drivers.get(OURS).close();
        drivers.set(OURS, await openOurs(offline, 'about:blank'));
    }
    await closeAll(drivers);
    await server.close();
    return rows;
}

function printFolder(folder, rows) {
    const column = (name) => rows.map((row) => row[name]);
    const all = (name) => median(column(name));
    console.log(`\n| ${relative(ROOT, folder)}, ${rows.length} pages | median | worst |\n|---|---|---|`);
    const print = (label, name, aim, worst, options) => {
        console.log(`| ${label} | ${judge(all(name), aim, options)} | ${worst} |`);
    };
    print('bytes, of the HTML', 'bytes', BYTES_AIM, judge(Math.max(...column('bytes')), 1), { digits: 3 });
    console.log(`| bytes of the visible words alone | ${all('leastBytes').toFixed(3)} | ` +
        `${Math.max(...column('leastBytes')).toFixed(3)} |`);
    print("tokens, of Playwright's", 'tokenShare', TOKENS_AIM,
        Math.max(...column('tokenShare')).toFixed(2));
    print('visible words in it', 'words', WORDS_AIM, Math.min(...column('words')).toFixed(3),
        { atLeast: true, digits: 3 });
    console.log(`| visible words in Playwright's | ${all('theirWords').toFixed(3)} | ` +
        `${Math.min(...column('theirWords')).toFixed(3)} |`);
}

async function measureText(setup) {
    for (const folder of setup.folders) {
        const rows = await measureFolder(setup, folder);
        const measured = rows.filter(Boolean);
        printFolder(folder, measured);
        console.log(`\n${rows.length - measured.length} pages go elsewhere and are left out; ` +
            `${measured.filter(({ isSame }) => !isSame).length} do not show the same words in both browsers.`);
    }
}

function readOptions() {
    const text = (value) => ({ type: 'string', default: value });
    const { values } = parseArgs({
        options: {
            program: text(join(ROOT, 'build/release/browser-runner')),
            chrome: text('/usr/bin/chromium'),
            'agent-browser': text(fileURLToPath(new URL(
                `node_modules/agent-browser/bin/agent-browser-${process.platform}-${process.arch}`,
                import.meta.url))),
            rounds: text('9'),
            sizes: text('1000,5000,10000,50000'),
            only: text(PARTS.join()),
            without: text(''),
            folders: text(FOLDERS.join()),
            pages: { type: 'boolean' },
            help: { type: 'boolean', short: 'h' },
        },
    });
    const lists = [values.only.split(','), values.without.split(',').filter(Boolean)];
    const unknown = [lists[0].find((part) => !PARTS.includes(part)), lists[1].find((peer) => !PEERS[peer])];
    if (values.help || unknown.some(Boolean)) {
        console.log(USAGE);
        process.exit(values.help ? 0 : 2);
    }
    return {
        program: values.program,
        browsers: [{ path: values.chrome }],
        agentBrowser: values['agent-browser'],
        rounds: Number(values.rounds),
        sizes: values.sizes.split(',').map(Number),
        parts: lists[0],
        peers: Object.keys(PEERS).filter((peer) => !lists[1].includes(peer)).map((peer) => PEERS[peer]),
        folders: values.folders.split(','),
        printsPages: values.pages,
        folder: mkdtempSync(join(os.tmpdir(), 'bench-snapshot-')),
        report: new Report(),
    };
}

const setup = readOptions();
const measures = { speed: measureSpeed, memory: measureMemory, size: measureText };
try {
    console.log(`load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, medians of ${setup.rounds} rounds`);
    for (const part of setup.parts) {
        await measures[part](setup);
    }
} catch (error) {
    setup.report.clearProgress();
    console.error(error.stack);
    isMet = false;
} finally {
    removeProfiles(setup.folder);
}
/* After a failure browsers are still held open; they end with their pipes. */
process.exit(isMet ? 0 : 1);
