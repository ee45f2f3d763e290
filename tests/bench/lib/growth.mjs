// How what the program does grows: with the elements of a page, with its height, and with how many
// sessions and processes there are at once.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { openRunner } from './contestants.mjs';
import { interleave } from './interleave.mjs';
import { median } from './measure.mjs';
import { servePages } from './server.mjs';
import { makeCards } from './snapshot_pages.mjs';

const FULL = { sizes: [1000, 5000, 10000, 50000], heights: [1, 5, 10], counts: [1, 2, 4], ms: 5000 };
const QUICK = { sizes: [100, 1000], heights: [1, 2], counts: [1, 2], ms: 500 };
const ID_AIM = 1.5; // of an action by id, of the same one by selector
const FRAME_PAUSE_MS = 40; // two frames and a half: no call begins in step with them
const MOST_ACTED_ON = 200; // cards, the first ones: scrolling to the last is another matter
const VIEWPORT_HEIGHT = 720;
const LONG_MS = '<timeout>120000</timeout>';

const pauseAtRandom = () => pause(Math.random() * FRAME_PAUSE_MS);

/** A page of rows so many viewports high. */
function makeRows(heights) {
    const rows = Array.from({ length: heights * 9 }, (_, i) =>
        `<p style="background:hsl(${i * 37 % 360} 60% 80%)">Row ${i + 1} of ${heights * 9}</p>`);
    return `<!DOCTYPE html><title>${heights} viewports</title><style>body{margin:0;font:20px sans-serif}
p{margin:0;padding:20px;box-sizing:border-box;height:${VIEWPORT_HEIGHT / 9}px}</style>${rows.join('')}`;
}

/** The ids of all nodes of a role, in the order of the page. */
function idsOf(node, role, ids = []) {
    if (node.role === role && node.id) {
        ids.push(node.id);
    }
    node.children?.forEach((child) => idsOf(child, role, ids));
    return ids;
}

async function openPage(setup, url) {
    const runner = await openRunner(setup, url, 'none');
    const { result } = await runner.act('snapshot', `<format>json</format>${LONG_MS}`);
    const ids = new Map(['button', 'spinbutton'].map((role) => [role, idsOf(result.page.body, role)]));
    return { runner, ids };
}

// What a call resolves to would be taken for its time.
const silent = (calls) => new Map([...calls].map(([name, call]) => [name, async () => void await call()]));

const looksAt = (runner) => silent([
    ['snapshot', () => runner.act('snapshot', LONG_MS)],
    ['picture of the full page', () => runner.act('screenshot', `<fullPage>true</fullPage>${LONG_MS}`)],
]);

/** All calls of a round are on the same card; next() goes to another one. */
function actsOn(runner, ids) {
    const cards = Math.min(ids.get('button').length, MOST_ACTED_ON);
    let card = 0;
    const ways = {
        id: (role) => `<node>${ids.get(role)[card]}</node>`,
        selector: (role) =>
            `<selector>article:nth-child(${card + 1}) ${role === 'button' ? role : 'input'}</selector>`,
    };
    const calls = silent(Object.entries(ways).flatMap(([way, name]) => [
        [`click by ${way}`, () => runner.act('click', name('button') + LONG_MS)],
        [`type by ${way}`, () => runner.act('type', `${name('spinbutton')}<text>7</text>${LONG_MS}`)],
    ]));
    return { calls, next: () => {
        card = Math.floor(Math.random() * cards);
    } };
}

async function measureActs(setup, part, runner, ids) {
    const { calls, next } = actsOn(runner, ids);
    let before = NaN;
    const prepare = async (name, round) => {
        if (round !== before) {
            next();
        }
        before = round;
        await pauseAtRandom();
    };
    return (await interleave(setup, part, calls, setup.rounds, () => {}, prepare)).samples;
}

async function measureElements(setup, { sizes }) {
    const server = await servePages(new Map(sizes.map((size) => [`/${size}`, makeCards(size)])));
    const perElement = new Map();
    for (const size of sizes) {
        const part = `${size} elements`;
        const { runner, ids } = await openPage(setup, `${server.url}${size}`);
        const acts = await measureActs(setup, part, runner, ids);
        const { samples: looks } = await interleave(setup, part, looksAt(runner), setup.rounds, () => {},
            pauseAtRandom);
        await runner.close();
        setup.report.section(part, 'ms', new Map([...looks, ...acts]), ['click', 'type'].map((act) => (
            { row: `${act} by id`, to: [`${act} by selector`], aim: ID_AIM })), 1);
        perElement.set(size, median(looks.get('snapshot')) / size);
    }
    await server.close();
    const [few, many] = [sizes[0], sizes.at(-1)];
    setup.report.head([`\n  snapshot: an element of ${many} takes ` +
        `${(perElement.get(many) / perElement.get(few)).toFixed(2)} of the time of one of ${few}`]);
}

async function measureHeights(setup, { heights }) {
    const server = await servePages(new Map(heights.map((height) => [`/${height}`, makeRows(height)])));
    const runners = new Map();
    for (const height of heights) {
        runners.set(`${height} × viewport`, await openRunner(setup, `${server.url}${height}`, 'none'));
    }
    const calls = silent([...runners].map(([name, runner]) =>
        [name, () => runner.act('screenshot', '<fullPage>true</fullPage>')]));
    const { samples } = await interleave(setup, 'heights', calls, setup.rounds, () => {}, pauseAtRandom);
    await Promise.all([...runners.values()].map((runner) => runner.close()));
    await server.close();
    setup.report.section('picture of the full page', 'ms', samples, [], 1);
}

const ACTIONS = new Map([
    ['evaluate', { type: 'evaluate', parameters: { expression: '1+1' } }],
    ['click', { type: 'click', parameters: { selector: 'article button', nth: 0 } }],
]);

/** Responses a second of processes, each with a browser of its own. */
async function rateOfProcesses(runners, { type, parameters }, ms) {
    const end = performance.now() + ms;
    const xml = Object.entries(parameters).map(([name, value]) => `<${name}>${value}</${name}>`).join('');
    const counts = await Promise.all(runners.map(async (runner) => {
        let count = 0;
        for (; performance.now() < end; count++) {
            await runner.act(type, xml);
        }
        return count;
    }));
    return counts.reduce((sum, count) => sum + count, 0) / (ms / 1000);
}

async function rateOfSessions({ sessions, browsers: [browser] }, url, count, { type, parameters }, ms) {
    const { stdout } = await promisify(execFile)(sessions, [browser.path, url, String(count), String(ms),
        JSON.stringify({ type, ...parameters })]);
    return Number(stdout) / (ms / 1000);
}

/** Responses a second of so many at once; the samples of a count stand in rows of their own. */
async function measureRates(setup, { counts, ms }, url) {
    const samples = new Map();
    const add = (name, rate) => samples.set(name, [...samples.get(name) ?? [], rate]);
    const rounds = Math.max(1, Math.round(setup.rounds / 5));
    for (const [name, action] of ACTIONS) {
        for (let round = 0; round < rounds; round++) {
            for (const count of counts) {
                setup.report.progress(`${name}, ${count} at once`, round, rounds);
                const runners = await Promise.all(Array.from({ length: count }, () => openRunner(setup, url, 'none')));
                add(`${name}: ${count} × run -`, await rateOfProcesses(runners, action, ms));
                await Promise.all(runners.map((runner) => runner.close()));
                if (setup.sessions) {
                    add(`${name}: ${count} × session`, await rateOfSessions(setup, url, count, action, ms));
                }
            }
        }
    }
    setup.report.section('at once, in one browser (session) or in several (run -)', 'a second', samples, [], 1);
}

export async function measureGrowth(setup) {
    const extent = setup.isQuick ? QUICK : FULL;
    await measureElements(setup, extent);
    await measureHeights(setup, extent);
    const server = await servePages(new Map([['/cards', makeCards(100)]]));
    await measureRates(setup, extent, `${server.url}cards`);
    await server.close();
}
