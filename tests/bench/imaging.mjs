/*
 * imaging/ against sharp, which is libvips: decoding and JPEG of a capture, and making it smaller.
 * Both work on the same file, in processes of their own that stay; each round asks both once, and
 * which is first alternates. `npm install --no-save --prefix tests/bench` fetches sharp; the captures are taken of
 * a page by browser-runner itself.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { median, pairedRatio, peakMemory } from './lib/measure.mjs';

const USAGE = `Usage: node tests/bench/imaging.mjs [--build DIR] [--chrome PATH] [--rounds N]
DIR (build/release) has browser-runner and tests/bench/bench_imaging; N rounds (15).`;
const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'fixtures/pages/long/index.html');
const CAPTURES = {
    '1280x800': ['1280x800', false, 'png'],
    '2560x1600': ['1280x800@2', false, 'png'],
    '2320x16000': ['1160x800@2', true, 'png'],
    '2320x16000, JPEG': ['1160x800@2', true, 'jpeg'],
};
// Name, capture, task, of how many rounds one is run; what of sharp's time is the aim, if there is one.
const TASKS = [
    ['JPEG q25, 4:4:4', '1280x800', 'jpeg 25 444', 1, 0.7],
    ['JPEG q25, 4:2:0', '1280x800', 'jpeg 25 420', 1, 0.7],
    ['pixels to 1143x714', '1280x800', 'scale 1143 714', 1, 1],
    ['pixels to 1280x800', '2560x1600', 'scale 1280 800', 1, 1],
    ['pixels to 1357x848', '2560x1600', 'scale 1357 848', 1, 1],
    ['pixels to 227x1568', '2320x16000', 'scale 227 1568', 3, 1],
    ['file to JPEG of 1357x848', '2560x1600', 'shrink 1357 848', 1, 1],
    ['file to JPEG of 227x1568', '2320x16000', 'shrink 227 1568', 3, 1.5],
    ['file to JPEG of 227x1568', '2320x16000, JPEG', 'shrink 227 1568', 3, 1.5],
];

function takeCapture(program, chrome, folder, viewport, isFull, format) {
    const text = (name, value) => `<${name}>${value}</${name}>`;
    const shot =
        text('type', 'screenshot') + text('fullPage', isFull) + text('format', format) + text('maxEdge', 0) + text('maxPixels', 0) +
        text('timeout', 120000);
    const start = text('type', 'start') + text('url', `file://${PAGE}`);
    writeFileSync(join(folder, 'batch.xml'), [start, shot].map((one) => text('browser_action', one)).join('\n'));
    const options = ['--temp-profile', '--screenshots', 'explicit', '--viewport', viewport, '--save-dir', join(folder, 'out')];
    execFileSync(program, ['run', join(folder, 'batch.xml'), ...options, ...(chrome ? ['--chrome', chrome] : [])], {
        stdio: ['ignore', 'ignore', 'inherit'],
        maxBuffer: Infinity,
    });
    return join(folder, 'out', readdirSync(join(folder, 'out'))[0]);
}

/** A process that does a task whenever it is asked. */
class Worker {
    constructor(command) {
        this.child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
        this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    }

    async ask(task) {
        this.child.stdin.write(`${task}\n`);
        const { value, done } = await this.lines.next();
        if (done) {
            throw new Error(`${this.child.spawnfile} ended at: ${task}`);
        }
        const [us, bytes] = value.split(' ').map(Number);
        return { ms: us / 1000, bytes };
    }

    /** Resolves to its peak memory in MB. */
    end() {
        const peak = peakMemory(this.child.pid);
        this.child.stdin.end();
        return new Promise((done) => this.child.on('exit', () => done(peak)));
    }
}

async function measure(commands, task, rounds) {
    const workers = commands.map((command) => new Worker(command));
    const samples = commands.map(() => []);
    const bytes = [];
    for (const [index, worker] of workers.entries()) {
        bytes[index] = (await worker.ask(task)).bytes; // warms up
    }
    for (let round = 0; round < rounds; round++) {
        for (const index of round % 2 ? [1, 0] : [0, 1]) {
            samples[index].push((await workers[index].ask(task)).ms);
        }
    }
    return { samples, bytes, peaks: await Promise.all(workers.map((worker) => worker.end())) };
}

const { values } = parseArgs({
    options: { build: { type: 'string' }, chrome: { type: 'string' }, rounds: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
    console.log(USAGE);
    process.exit(0);
}
const build = resolve(values.build ?? join(ROOT, 'build/release'));
const rounds = Number(values.rounds ?? 15);
const folder = mkdtempSync(join(os.tmpdir(), 'bench-imaging-'));
let isMet = true;
try {
    const files = {};
    for (const [name, [viewport, isFull, format]] of Object.entries(CAPTURES)) {
        const place = mkdtempSync(join(folder, 'capture-'));
        files[name] = takeCapture(join(build, 'browser-runner'), values.chrome, place, viewport, isFull, format);
    }
    console.log(`load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, medians of ${rounds} rounds\n`);
    console.log('| file | task | ours, ms | sharp, ms | ours / sharp | ours, KB | sharp, KB | ours, peak MB | sharp, peak MB |');
    console.log('|---|---|---:|---:|---|---:|---:|---:|---:|');
    for (const [name, capture, task, part, aim] of TASKS) {
        const ours = [join(build, 'tests/bench/bench_imaging'), files[capture]];
        const peer = [process.execPath, join(import.meta.dirname, 'peers/sharp.mjs'), files[capture]];
        const { samples, bytes, peaks } = await measure([ours, peer], task, Math.ceil(rounds / part));
        const ratio = pairedRatio(samples[0], samples[1]);
        isMet &&= aim === undefined || ratio <= aim;
        const times = samples.map((one) => median(one).toFixed(1)).join(' | ');
        const note = aim === undefined ? '' : ` (aim: ${aim}${ratio <= aim ? '' : ', missed'})`;
        const verdict = ratio.toFixed(2) + note;
        const sizes = bytes.map((one) => (one / 1024).toFixed(0)).join(' | ');
        console.log(`| ${capture} | ${name} | ${times} | ${verdict} | ${sizes} | ${peaks.map((peak) => peak.toFixed(0)).join(' | ')} |`);
    }
} finally {
    rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isMet ? 0 : 1;
