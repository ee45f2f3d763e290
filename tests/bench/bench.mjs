// browser-runner against its peers, interleaved round by round; see run.sh.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { measureBatch, measureClick } from './lib/acting.mjs';
import { removeProfiles } from './lib/contestants.mjs';
import { measureGrowth } from './lib/growth.mjs';
import { measureEvaluate, measureScreenshot } from './lib/held.mjs';
import { measureMemory, measureStart } from './lib/whole.mjs';
import { Report } from './lib/report.mjs';

const HELP = `Usage: tests/bench/run.sh [OPTION]…

Measures browser-runner against puppeteer-core, playwright-core, agent-browser and Chrome itself,
round by round in random order, and prints one table of medians and ratios. Exit code 0 says that everything
ran.

Options:
  --rounds N         rounds of whole processes and batches (15); of warm calls ten times as many
  --quick            3 rounds: does it run at all?
  --only PART[,…]    start, screenshot, evaluate, click, batch, memory; and growth, which is
                     measured only when it is named
  --program PATH     a browser-runner that is built already (else build/bench is built)
  --core PATH        its bench_evaluate
  --sessions PATH    its bench_sessions
  --chrome PATH      Chrome (else chromium or google-chrome from PATH)
  --shell PATH       headless-shell (else from PATH; without one its rows are left out)
  --agent-browser PATH
                     agent-browser (else that of node_modules, else from PATH; without one its
                     row is left out)
  -h, --help         print this
`;

const PARTS = ['start', 'screenshot', 'evaluate', 'click', 'batch', 'memory'];
const NAMED_PARTS = ['growth'];

function fail(message) {
    process.stderr.write(`bench: ${message}\n`);
    process.exit(2);
}

function isProgram(path) {
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}

function fromPath(...names) {
    const folders = (process.env.PATH ?? '').split(delimiter);
    return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function readOptions() {
    try {
        return parseArgs({
            options: {
                rounds: { type: 'string', default: '15' },
                quick: { type: 'boolean' },
                only: { type: 'string', default: PARTS.join() },
                program: { type: 'string' },
                core: { type: 'string' },
                sessions: { type: 'string' },
                chrome: { type: 'string' },
                shell: { type: 'string' },
                'agent-browser': { type: 'string' },
                help: { type: 'boolean', short: 'h' },
            },
        }).values;
    } catch (error) {
        return fail(error.message);
    }
}

function version(file, ...args) {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .trim()
        .split('\n')[0];
}

/** The native program in its package; the script beside it would start a Node each time. */
function packagedAgentBrowser() {
    const name = `agent-browser-${process.platform}-${process.arch}`;
    const path = fileURLToPath(new URL(`node_modules/agent-browser/bin/${name}`, import.meta.url));
    return isProgram(path) ? path : undefined;
}

function peerVersion(name) {
    const path = new URL(`node_modules/${name}/package.json`, import.meta.url);
    return JSON.parse(readFileSync(path, 'utf8')).version;
}

const options = readOptions();
if (options.help) {
    process.stdout.write(HELP);
    process.exit(0);
}
const rounds = options.quick ? 3 : Number(options.rounds);
const parts = options.only.split(',');
if (!Number.isInteger(rounds) || rounds < 1) {
    fail(`--rounds ${options.rounds} is no whole number from 1`);
}
const known = [...PARTS, ...NAMED_PARTS];
const unknown = parts.find((part) => !known.includes(part));
if (unknown) {
    fail(`--only ${unknown}: one of ${known.join(', ')}`);
}
if (!options.program) {
    fail('--program is missing; tests/bench/run.sh builds one');
}
const chrome = options.chrome ?? fromPath('chromium', 'google-chrome', 'google-chrome-stable');
if (!chrome) {
    fail('no Chrome in PATH: name one with --chrome');
}
const shell = options.shell ?? fromPath('chromium-headless-shell', 'chrome-headless-shell');
const agentBrowser =
    options['agent-browser'] ?? packagedAgentBrowser() ?? fromPath('agent-browser');
const folder = mkdtempSync(join(tmpdir(), 'browser-runner-bench-'));
const setup = {
    program: options.program,
    core: options.core,
    sessions: options.sessions,
    isQuick: Boolean(options.quick),
    agentBrowser,
    folder,
    peers: fileURLToPath(new URL('peers/', import.meta.url)),
    url: pathToFileURL(fileURLToPath(new URL('pages/dashboard.html', import.meta.url))).href,
    browsers: [
        { name: 'chrome', kind: 'new', path: chrome },
        ...(shell ? [{ name: 'headless-shell', kind: 'shell', path: shell }] : []),
    ],
    rounds,
    report: new Report(),
};

const measures = {
    start: measureStart,
    screenshot: measureScreenshot,
    evaluate: measureEvaluate,
    click: measureClick,
    batch: measureBatch,
    memory: measureMemory,
    growth: measureGrowth,
};

try {
    setup.report.head([
        `${version(setup.program, '--version')}, ${version(chrome, '--version')}`,
        `puppeteer-core ${peerVersion('puppeteer-core')}, playwright-core ` +
            `${peerVersion('playwright-core')}, Node ${process.version}` +
            (agentBrowser ? `, ${version(agentBrowser, '--version')}` : ''),
        `${new Date().toISOString().slice(0, 10)}, ${rounds} rounds of whole processes, ` +
            `${rounds * 10} of warm calls, load ${loadavg()[0].toFixed(1)}`,
    ]);
    for (const part of parts) {
        await measures[part](setup);
    }
} catch (error) {
    setup.report.clearProgress();
    process.stderr.write(`bench: ${error.stack}\n`);
    process.exitCode = 1;
} finally {
    removeProfiles(folder);
}
/* After a failure browsers are still held open; they end with their pipes. */
process.exit();
