/*
 * What it costs a page that its console is followed while it says 1,000 things a second: the processor time of
 * its renderer for the work that it gets done beside, in seconds in which `console --session` follows it and in
 * seconds in which nobody does. Time on the wall is told as well: it has in it what the programs that read take of
 * the same processors. Exit code 1 when the aim is missed.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { readOptions, serveBusyPage } from './lib/busy_page.mjs';
import { median, shuffled } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';

const USAGE = `Usage: node tests/bench/console.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --chrome FILE   (/usr/bin/chromium)
  --rounds N      of some seconds in which the console is followed and some in which it is not (8)`;
const FOLLOWED = 'with console --session';
const ALONE = 'nobody follows';
const AIM = 1.1; // of the time that a unit of work takes
const PHASE_SAMPLES = 5; // of one second each
const TICK_US = 10_000; // of /proc
const START_MS = 60_000;
const NAME = 'bench';

// What programs say: texts, numbers and small objects.
const CALLS = `function act(n) {
    if (n % 3 === 0) { console.log('request', n, 'took', n / 7, 'ms'); }
    else if (n % 3 === 1) { console.log({ id: n, name: 'Alice', tags: ['a', 'b'] }); }
    else { console.info('state', { user: { id: n, roles: ['admin'] } }, true); }
}`;

const options = readOptions(USAGE);
const report = new Report();
const folder = mkdtempSync(join(os.tmpdir(), 'bench-console-'));
const env = { ...process.env, XDG_RUNTIME_DIR: folder };

async function run(...args) {
    await promisify(execFile)(options.program, args, { env, timeout: START_MS });
}

/** Follows the page's console; `end` resolves to how many calls it told, and how many it left out. */
async function follow() {
    const child = spawn(options.program, ['console', '--session', NAME, '--json'],
        { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const told = { calls: 0, leftOut: 0 };
    const ended = new Promise((done) => child.on('close', done));
    createInterface({ input: child.stdout }).on('line', (line) => {
        told.calls += line.startsWith('{"kind":"console",');
        if (line.startsWith('{"kind":"console_dropped"')) {
            told.leftOut += JSON.parse(line).count;
        }
    });
    return {
        async end() {
            child.kill('SIGTERM');
            const slow = setTimeout(() => child.kill('SIGKILL'), START_MS);
            await ended;
            clearTimeout(slow);
            return told;
        },
    };
}

/** Of each renderer the processor time that it has taken, in µs. */
function rendererTimes() {
    const times = new Map();
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
            if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer')) {
                const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
                times.set(pid, (Number(fields[11]) + Number(fields[12])) * TICK_US);
            }
        } catch {
            // it has ended
        }
    }
    return times;
}

/** Processor time for a unit of the page's work: that of the renderer that worked most. */
function unitOf(samples) {
    const [first, last] = [samples[0], samples.at(-1)];
    const spent = [...last.seen].map(([pid, time]) => time - (first.seen.get(pid) ?? time));
    return Math.max(...spent) / (last.units - first.units);
}

async function measure(page) {
    const units = new Map([[FOLLOWED, []], [ALONE, []]]);
    const walls = new Map([[FOLLOWED, []], [ALONE, []]]);
    const total = { calls: 0, leftOut: 0, seconds: 0 };
    const rates = [];
    for (let round = 0; round < options.rounds; round++) {
        report.progress('a page that talks', round, options.rounds);
        for (const name of shuffled([FOLLOWED, ALONE])) {
            const began = performance.now();
            const follower = name === FOLLOWED ? await follow() : undefined;
            const samples = await page.collect(PHASE_SAMPLES, rendererTimes);
            if (follower) {
                const told = await follower.end();
                total.calls += told.calls;
                total.leftOut += told.leftOut;
                total.seconds += (performance.now() - began) / 1000;
            }
            units.get(name).push(unitOf(samples));
            walls.get(name).push(median(samples.map(({ unitUs }) => unitUs)));
            rates.push(...samples.map(({ rate }) => rate));
        }
    }
    return { units, walls, total, rates };
}

const page = await serveBusyPage('', CALLS);
report.head([`load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, ${options.rounds} rounds`]);
let isMet = false;
try {
    await run('session', 'start', NAME, page.url, '--temp-profile', '--no-sandbox', '--chrome', options.chrome);
    const { units, walls, total, rates } = await measure(page);
    report.section('Processor time for a unit of work of a page that talks', 'µs', units,
        [{ row: FOLLOWED, to: [ALONE], aim: AIM }], 2);
    report.section('The same by the clock', 'µs', walls, [{ row: FOLLOWED, to: [ALONE] }], 2);
    const per = (count) => (count / total.seconds).toFixed(0);
    report.head([`  ${median(rates).toFixed(0)} calls a second, of which ${per(total.calls)} were told and ` +
        `${per(total.leftOut)} counted`]);
    isMet = median(units.get(FOLLOWED)) / median(units.get(ALONE)) <= AIM;
} catch (error) {
    report.clearProgress();
    console.error(error.stack);
} finally {
    await run('session', 'stop', '--all');
    page.close();
    rmSync(folder, { recursive: true, force: true });
}
process.exit(isMet ? 0 : 1);
