/*
 * What it costs a page to be a driven app of debug-bridge while it changes 1,000 times a second: the work
 * that it gets done beside, in seconds with an agent that hears of all changes and in seconds without any.
 * And whether the server's memory stays bounded. Exit code 1 when an aim is missed.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { createInterface } from 'node:readline';

import { readOptions, serveBusyPage } from './lib/busy_page.mjs';
import { median, shuffled } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';

const USAGE = `Usage: node tests/bench/driven.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --chrome FILE   (/usr/bin/chromium)
  --rounds N      of some seconds with and some without an agent (8)`;
const WITH = 'with an agent';
const WITHOUT = 'without one';
const AIM = 1.05; // of the time that a unit of work takes
const PHASE_SAMPLES = 4; // of one second each
const START_MS = 60_000;

// Changes of three kinds.
const BODY = '<ul></ul><p data-n="0">0</p><button>Stay</button>';
const CHANGES = `const list = document.querySelector('ul'), text = document.querySelector('p');
function act(n) {
    if (n % 3 === 0) { text.firstChild.data = n; }
    else if (n % 3 === 1) { text.dataset.n = n; }
    else if (list.children.length < 50) { list.append(Object.assign(document.createElement('li'), { textContent: n })); }
    else { list.firstChild.remove(); }
}`;

const options = readOptions(USAGE);
const report = new Report();

/** Resolves to the port of the relay when the page is an app. */
async function startBridge(url) {
    const child = spawn(options.program, ['serve', '--debug-bridge=0', '--temp-profile', '--chrome', options.chrome,
        '--bridge-session', 'bench', '--page', url], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = new Promise((done) => child.on('exit', done));
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    let relay;
    for await (const line of createInterface({ input: child.stdout })) {
        const { kind, url: address } = JSON.parse(line);
        relay = kind === 'listening' ? address : relay;
        if (kind === 'app') {
            break;
        }
    }
    clearTimeout(late);
    if (!relay || child.exitCode !== null) {
        throw new Error('serve --debug-bridge has no app');
    }
    return {
        relay,
        memory: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'))[1]) / 1024,
        async end() {
            child.kill('SIGTERM');
            const slow = setTimeout(() => child.kill('SIGKILL'), START_MS);
            await ended;
            clearTimeout(slow);
        },
    };
}

/** An agent that counts what it hears. */
async function connect(relay) {
    const socket = new WebSocket(`${relay}?role=agent&sessionId=bench`);
    const heard = { messages: 0, mutations: 0, bytes: 0 };
    socket.onmessage = ({ data }) => {
        heard.messages++;
        heard.bytes += data.length;
        heard.mutations += data.includes('"dom_mutations"') ? (JSON.parse(data).mutations?.length ?? 0) : 0;
    };
    await new Promise((open, fail) => Object.assign(socket, { onopen: open, onerror: fail }));
    return { heard, close: () => socket.close() };
}

async function measure(page, bridge) {
    const units = new Map([[WITH, []], [WITHOUT, []]]);
    const rates = [];
    const memories = [];
    const totals = { messages: 0, mutations: 0, bytes: 0, seconds: 0 };
    for (let round = 0; round < options.rounds; round++) {
        report.progress('a page that changes', round, options.rounds);
        for (const name of shuffled([WITH, WITHOUT])) {
            const agent = name === WITH ? await connect(bridge.relay) : undefined;
            const began = performance.now();
            const samples = await page.collect(PHASE_SAMPLES);
            if (agent) {
                totals.seconds += (performance.now() - began) / 1000;
                for (const key of Object.keys(agent.heard)) {
                    totals[key] += agent.heard[key];
                }
                agent.close();
                memories.push(bridge.memory());
            }
            units.get(name).push(median(samples.map(({ unitUs }) => unitUs)));
            rates.push(...samples.map(({ rate }) => rate));
        }
    }
    return { units, rates, memories, totals };
}

const page = await serveBusyPage(BODY, CHANGES);
report.head([`load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, ${options.rounds} rounds`]);
let isMet = false;
let bridge;
try {
    bridge = await startBridge(page.url);
    const { units, rates, memories, totals } = await measure(page, bridge);
    report.section('A unit of work of a page that changes', 'µs', units, [{ row: WITH, to: [WITHOUT], aim: AIM }], 2);
    const per = (total) => (total / totals.seconds).toFixed(0);
    report.head([
        `  ${median(rates).toFixed(0)} changes a second; the agent hears of ${per(totals.mutations)}, in ` +
            `${per(totals.messages)} messages of ${(totals.bytes / totals.seconds / 1e6).toFixed(2)} MB`,
        `  the server has ${memories[0].toFixed(1)} MB after the first seconds with an agent, ` +
            `${memories.at(-1).toFixed(1)} MB after the last`,
    ]);
    isMet = median(units.get(WITH)) / median(units.get(WITHOUT)) <= AIM;
} catch (error) {
    report.clearProgress();
    console.error(error.stack);
} finally {
    await bridge?.end();
    page.close();
}
process.exit(isMet ? 0 : 1);
