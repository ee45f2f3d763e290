/*
 * Warm sessions from the command line, `act` and `session`, against agent-browser: a process for each
 * command, a daemon behind it, the same Chrome. `npm install --no-save --prefix tests/bench` fetches the
 * peer. Exit code 1 when an aim is missed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { removeProfiles } from './lib/contestants.mjs';
import { interleave } from './lib/interleave.mjs';
import { median, pairedRatio, runProcess } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';
import { servePages } from './lib/server.mjs';
import { jpegSize } from './lib/whole.mjs';

const USAGE = `Usage: node tests/bench/warm.mjs [OPTION]…
  --program FILE        browser-runner (build/release/browser-runner)
  --chrome FILE         (/usr/bin/chromium)
  --agent-browser FILE  the native program (that of node_modules)
  --rounds N            of starts (15); of warm calls four times as many
  --only PART[,…]       start, second, program, evaluate, screenshot, snapshot, click, memory`;
const ROOT = resolve(import.meta.dirname, '../..');
const PARTS = ['start', 'second', 'program', 'evaluate', 'screenshot', 'snapshot', 'click', 'memory'];
const OURS = 'browser-runner act';
const PEER = 'agent-browser';
const AIMS = { start: 0.5, evaluate: 0.6, screenshot: 0.6, snapshot: 0.5, click: 0.7, memory: 1 };
const SECOND_AIM_MS = 150;
const QUALITY = '25';

let isMet = true;

/** One of the two: its commands as arguments of its program. */
class Contestant {
    constructor(program, folder, commands) {
        Object.assign(this, commands, { program, folder });
        this.picture = join(folder, `${commands.name.replace(' ', '-')}.jpg`);
    }

    /** Resolves to the milliseconds that the command took. */
    async time(args) {
        return (await runProcess([this.program, ...args])).ms;
    }

    read(args) {
        return execFileSync(this.program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    }

    async open(url) {
        await this.time(this.opening(url));
    }

    takePicture() {
        return this.time(this.shooting(this.picture));
    }

    /** Throws unless the picture is a new JPEG, and has this size if one is given. */
    checkPicture(size) {
        const bytes = readFileSync(this.picture);
        const shape = jpegSize(bytes);
        rmSync(this.picture);
        if (!/x/.test(shape) || bytes.length < 4000 || (size && shape !== size)) {
            throw new Error(`${this.picture} is ${shape}, ${bytes.length} bytes`);
        }
    }
}

/** A profile of its own for each browser, as the peer has it; `session` shares that of `default`. */
function openOurs({ program, chrome, folder }) {
    let profile = 0;
    const where = () => ['--profile', join(folder, `profile-${profile}`)];
    const browser = () => [...where(), '--chrome', chrome];
    const act = (...args) => ['act', ...args, ...browser()];
    const ours = new Contestant(program, folder, {
        name: OURS,
        opening: (url) => act('open', url),
        shooting: (path, ...more) => act('shot', '--quality', QUALITY, '-o', path, ...more),
        evaluating: () => act('evaluate', '1+1'),
        looking: () => act('snapshot'),
        clicking: () => act('click', '#add'),
        starting: (name, url) => ['session', 'start', name, url, ...browser()],
        stopping: (name) => ['session', 'stop', name],
        count: () => act('evaluate', "document.getElementById('count').textContent"),
        async end() {
            await ours.time(['session', 'stop', '--all']);
            profile++;
        },
        daemon: () => JSON.parse(ours.read(['session', 'list', '--json'])).daemon.pid,
    });
    return ours;
}

function openPeer({ agentBrowser, folder }) {
    const peer = new Contestant(agentBrowser, folder, {
        name: PEER,
        opening: (url) => ['open', url],
        shooting: (path) => ['screenshot', path, '--screenshot-format', 'jpeg', '--screenshot-quality', QUALITY],
        evaluating: () => ['eval', '1+1'],
        looking: () => ['snapshot'],
        clicking: () => ['click', '#add'],
        sizing: () => ['set', 'viewport', '1280', '720'],
        count: () => ['get', 'text', '#count'],
        end: () => peer.time(['close', '--all']),
        daemon: () => findProcess(agentBrowser, folder),
    });
    return peer;
}

/** The process of this program that was told of the folder. */
function findProcess(program, folder) {
    const path = realpathSync(program);
    const pid = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).find((name) => {
        try {
            return readlinkSync(`/proc/${name}/exe`) === path &&
                readFileSync(`/proc/${name}/environ`, 'latin1').includes(folder);
        } catch {
            return false; // it has gone, or is not ours
        }
    });
    if (!pid) {
        throw new Error(`no process of ${program} runs`);
    }
    return Number(pid);
}

function memory(pid) {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    const read = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)[1]) / 1024;
    return { pss: read('Pss'), rss: read('Rss') };
}

function judge(title, unit, samples, aim, digits = 1) {
    setup.report.section(title, unit, samples, [{ row: OURS, to: [PEER], aim }], digits);
    isMet &&= pairedRatio(samples.get(OURS), samples.get(PEER)) <= aim;
}

/** From nothing, no daemon and no browser, to a picture in a file: `open`, then the picture. */
async function measureStart({ both, rounds, urls }) {
    const opening = new Map(both.map(({ name }) => [name, []]));
    const calls = new Map(both.map((one) => [one.name, async () => {
        const began = performance.now();
        await one.open(urls.dashboard);
        opening.get(one.name).push(performance.now() - began);
        await one.takePicture();
    }]));
    const named = new Map(both.map((one) => [one.name, one]));
    await Promise.all(both.map((one) => one.end().catch(() => {})));
    const { samples } = await interleave(setup, 'start', calls, rounds, async (name) => {
        named.get(name).checkPicture();
        await named.get(name).end();
    });
    judge('Start to first picture: open, then the picture', 'ms', samples, AIMS.start, 0);
    for (const [name, values] of opening) {
        setup.report.head([`  of it open: ${median(values.slice(-rounds)).toFixed(0)} ms (${name})`]);
    }
}

/** A second session in the browser of the first. */
async function measureSecond({ ours, rounds, urls }) {
    await ours.open(urls.form);
    const starts = [];
    const calls = new Map([['session start, act shot', async () => {
        starts.push(await ours.time(ours.starting('second', urls.form)));
        await ours.time(ours.shooting(ours.picture, '--session', 'second'));
    }]]);
    const { samples } = await interleave(setup, 'second', calls, rounds * 2, async () => {
        ours.checkPicture();
        await ours.time(ours.stopping('second'));
    });
    const times = samples.get('session start, act shot');
    samples.set('of it session start', starts.slice(-times.length));
    setup.report.section('A second session in the browser that runs, to its first picture', 'ms', samples, []);
    const met = median(times) <= SECOND_AIM_MS;
    isMet &&= met;
    setup.report.head([`  aim ${SECOND_AIM_MS} ms: ${met ? 'met' : 'MISSED'}`]);
}

/** What each command pays before it does anything: the process and its libraries. */
async function measureProgram({ both, rounds }) {
    const calls = new Map(both.map((one) => [one.name, () => one.time(['--version'])]));
    const { samples } = await interleave(setup, 'program', calls, rounds * 4);
    setup.report.section('The process alone: --version', 'ms', samples, [{ row: OURS, to: [PEER] }], 1);
}

async function measureCommand(part, title, url, command, check = () => {}, prepare = () => {}) {
    const { both, rounds } = setup;
    const named = new Map(both.map((one) => [one.name, one]));
    for (const one of both) {
        await one.open(url);
        await prepare(one);
    }
    const calls = new Map(both.map((one) => [one.name, () => one.time(command(one))]));
    const { samples, called } = await interleave(setup, part, calls, rounds * 4, (name) => check(named.get(name)));
    judge(title, 'ms', samples, AIMS[part]);
    return called;
}

const measureEvaluate = ({ urls }) =>
    measureCommand('evaluate', 'evaluate 1+1', urls.dashboard, (one) => one.evaluating());

/** Of the same size: the peer's own is 1280x633, an eighth less. */
const measureScreenshot = ({ urls }) =>
    measureCommand('screenshot', `A picture of 1280x720, JPEG ${QUALITY}, into a file`, urls.dashboard,
        (one) => one.shooting(one.picture), (one) => one.checkPicture('1280x720'),
        (one) => one.sizing && one.read(one.sizing()));

const measureSnapshot = ({ urls }) =>
    measureCommand('snapshot', 'snapshot of the dashboard', urls.dashboard, (one) => one.looking());

async function measureClick({ urls, both }) {
    const called = await measureCommand('click', 'click', urls.form, (one) => one.clicking());
    for (const one of both) {
        const count = Number(/\d+/.exec(one.read(one.count()))[0]);
        if (count !== called) {
            throw new Error(`${one.name} clicked ${called} times, and ${count} clicks came`);
        }
    }
}

/** Of the daemons, after all that was asked of them. */
async function measureMemory({ both, rounds, urls }) {
    const pss = new Map(both.map(({ name }) => [name, []]));
    const rss = new Map(both.map(({ name }) => [name, []]));
    for (const one of both) {
        await one.open(urls.dashboard);
    }
    for (let round = 0; round < rounds; round++) {
        for (const one of both) {
            await one.takePicture();
            const { pss: own, rss: all } = memory(one.daemon());
            pss.get(one.name).push(own);
            rss.get(one.name).push(all);
        }
    }
    judge('Memory of the daemon, PSS', 'MB', pss, AIMS.memory);
    setup.report.section('Memory of the daemon, RSS', 'MB', rss, [{ row: OURS, to: [PEER] }], 1);
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
            rounds: text('15'),
            only: text(PARTS.join()),
            help: { type: 'boolean', short: 'h' },
        },
    });
    const parts = values.only.split(',');
    if (values.help || !parts.every((part) => PARTS.includes(part))) {
        console.log(USAGE);
        process.exit(values.help ? 0 : 2);
    }
    return {
        program: values.program,
        chrome: values.chrome,
        agentBrowser: values['agent-browser'],
        rounds: Number(values.rounds),
        parts,
        folder: mkdtempSync(join(os.tmpdir(), 'bench-warm-')),
        report: new Report(),
    };
}

/** Nothing that anybody has elsewhere is used, or left behind. */
function prepareEnvironment({ folder, chrome }) {
    for (const name of ['run', 'home', 'tmp', 'sockets']) {
        mkdirSync(join(folder, name), { mode: 0o700 });
    }
    Object.assign(process.env, {
        HOME: join(folder, 'home'),
        TMPDIR: join(folder, 'tmp'),
        XDG_RUNTIME_DIR: join(folder, 'run'),
        XDG_STATE_HOME: join(folder, 'home'),
        XDG_CONFIG_HOME: join(folder, 'home'),
        AGENT_BROWSER_SOCKET_DIR: join(folder, 'sockets'),
        AGENT_BROWSER_EXECUTABLE_PATH: chrome,
        // As browser-runner does by itself.
        ...(process.getuid() === 0 ? { AGENT_BROWSER_ARGS: '--no-sandbox' } : {}),
    });
}

const setup = readOptions();
const measures = {
    start: measureStart, second: measureSecond, program: measureProgram, evaluate: measureEvaluate,
    screenshot: measureScreenshot, snapshot: measureSnapshot, click: measureClick, memory: measureMemory,
};
const page = (name) => readFileSync(new URL(`pages/${name}.html`, import.meta.url));
const server = await servePages(new Map([['/dashboard', page('dashboard')], ['/form', page('form')]]));
try {
    prepareEnvironment(setup);
    setup.urls = { dashboard: `${server.url}dashboard`, form: `${server.url}form` };
    setup.ours = openOurs(setup);
    setup.both = [setup.ours, openPeer(setup)];
    console.log(`${setup.both.map((one) => one.read(['--version']).trim()).join(', ')}\n` +
        `load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, ${setup.rounds} rounds`);
    for (const part of setup.parts) {
        await measures[part](setup);
    }
} catch (error) {
    setup.report.clearProgress();
    console.error(error.stack);
    isMet = false;
} finally {
    for (const one of setup.both ?? []) {
        await one.end().catch(() => {});
    }
    await server.close();
    removeProfiles(setup.folder);
}
process.exit(isMet ? 0 : 1);
