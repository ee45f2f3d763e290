/*
 * The relay of debug-bridge, `serve --debug-bridge`, against reference_relay.mjs: messages a second, how
 * long one is on its way, memory, 1,000 connections. The load is bench_relay's, built beside the program.
 * bench_fan_out, which passes on and looks at nothing, shows how much of a stream's time no relay can do without.
 * `npm ci --prefix tests/widgets --ignore-scripts` fetches `ws`. Exit code 1 when an aim is missed.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { median, pairedRatio, shuffled } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';

const USAGE = `Usage: node tests/bench/relay.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --load FILE     bench_relay (build/release/tests/bench/bench_relay)
  --rounds N      (9)
  --seconds N     of each measurement (2)
  --only PART[,…] stream, paced, connections
  --without-ours  measures the peer alone`;
const ROOT = resolve(import.meta.dirname, '../..');
const OURS = 'serve --debug-bridge';
const PEER = 'reference on ws';
const FLOOR = 'bench_fan_out';
const KINDS = [
    { size: 200, agents: 1, rate: 2000 },
    { size: 200, agents: 4, rate: 2000 },
    { size: 100_000, agents: 1, rate: 100 },
    { size: 100_000, agents: 4, rate: 100 },
];
const CONNECTIONS = 1000;
const AIMS = { stream: 1 / 5, paced: 1 / 3, memory: 1 / 10 };
const START_MS = 20_000;
const GRACE_MS = 30_000; // of a measurement, beyond its own time
const TICK_MS = 10; // of /proc/PID/stat

const report = new Report();
let isMet = true;

/** A server of one of the two, and the port that it says it listens on. */
class Server {
    constructor([file, ...args]) {
        this.process = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        this.ended = new Promise((done) => this.process.on('exit', done));
    }

    async start(readPort) {
        const late = setTimeout(() => this.process.kill('SIGKILL'), START_MS);
        for await (const line of createInterface({ input: this.process.stdout })) {
            this.port = readPort(JSON.parse(line));
            if (this.port) {
                break;
            }
        }
        clearTimeout(late);
        if (!this.port) {
            throw new Error(`${this.process.spawnargs.join(' ')} does not listen`);
        }
        this.process.stdout.resume();
        return this;
    }

    /** MB. */
    memory() {
        const rollup = readFileSync(`/proc/${this.process.pid}/smaps_rollup`, 'latin1');
        const read = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)[1]) / 1024;
        return { pss: read('Pss'), rss: read('Rss') };
    }

    /** Processor time of it until now, ms. */
    worked() {
        const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'latin1').split(') ')[1].split(' ');
        return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    }

    async end() {
        this.process.kill('SIGTERM');
        const late = setTimeout(() => this.process.kill('SIGKILL'), START_MS);
        await this.ended;
        clearTimeout(late);
    }
}

const CONTESTANTS = new Map([
    [OURS, () => new Server([options.program, 'serve', '--debug-bridge=0', '--app-rate', '0', '--agent-rate', '0'])
        .start(({ url }) => url && Number(new URL(url).port))],
    [PEER, () => new Server([process.execPath, join(import.meta.dirname, 'reference_relay.mjs')])
        .start(({ port }) => port)],
    [FLOOR, () => new Server([join(dirname(options.load), 'bench_fan_out')]).start(({ port }) => port)],
]);

/** Resolves to the object that the load prints. It goes on until `hold`, if there is one, has resolved. */
async function load(server, args, ms, hold = async () => {}) {
    const child = spawn(options.load, [server.port, ...args].map(String), { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((done) => child.on('exit', done));
    const late = setTimeout(() => child.kill('SIGKILL'), ms + GRACE_MS);
    let answer;
    for await (const line of createInterface({ input: child.stdout })) {
        answer = JSON.parse(line);
        await hold();
        child.stdin.end();
    }
    const code = await ended;
    clearTimeout(late);
    if (code !== 0 || !answer) {
        throw new Error(`the load ${args.join(' ')} ended with ${code}`);
    }
    return answer;
}

/** Samples by the names of parts, of each contestant. */
class Samples {
    #parts = new Map();

    add(part, name, value) {
        const samples = this.#parts.get(part) ?? new Map();
        samples.set(name, [...samples.get(name) ?? [], value]);
        this.#parts.set(part, samples);
    }

    of(part) {
        return this.#parts.get(part);
    }
}

function judge(title, unit, samples, aim, digits) {
    const comparisons = samples.has(OURS) ? [{ row: OURS, to: [PEER], aim }, { row: OURS, to: [FLOOR] }] : [];
    report.section(title, unit, samples, comparisons, digits);
    isMet &&= aim === undefined || !samples.has(OURS) ||
        pairedRatio(samples.get(OURS), samples.get(PEER)) <= aim;
}

const titleOf = ({ size, agents }) =>
    `${size >= 1000 ? `${size / 1000} KB` : `${size} bytes`} to ${agents} agent${agents === 1 ? '' : 's'}`;

/** Each of the contestants once a round, in random order, each with a server that goes on. */
async function eachRound(part, names, measure) {
    const servers = new Map();
    try {
        for (const name of names) {
            servers.set(name, await CONTESTANTS.get(name)());
        }
        for (let round = 0; round < options.rounds; round++) {
            report.progress(part, round, options.rounds);
            for (const name of shuffled(names)) {
                await measure(name, servers.get(name));
            }
        }
    } finally {
        await Promise.all([...servers.values()].map((server) => server.end()));
    }
}

async function measureStream(kind) {
    const samples = new Samples();
    const { size, agents } = kind;
    let share = 0; // the load's part of a processor, at the most
    await eachRound(titleOf(kind), [...options.names, FLOOR], async (name, server) => {
        const before = server.worked();
        const { messages, seconds, processorMs } = await load(server, ['stream', size, agents, options.ms], options.ms);
        // The load's warm-up is in what the server has worked, too: it is a quarter of the time or so.
        samples.add('time', name, seconds * 1e6 / messages);
        samples.add('rate', name, messages / seconds);
        samples.add('worked', name, (server.worked() - before) / (options.ms + 500) * seconds * 1e6 / messages);
        const { pss, rss } = server.memory();
        samples.add('pss', name, pss);
        samples.add('rss', name, rss);
        share = Math.max(share, processorMs / seconds / 1000);
    });
    const title = titleOf(kind);
    judge(`${title}: time a message, as fast as they come through`, 'µs', samples.of('time'), AIMS.stream, 1);
    for (const [name, values] of samples.of('rate')) {
        report.head([`  ${median(values).toFixed(0)} messages a second (${name})`]);
    }
    report.head([`  the load took ${(share * 100).toFixed(0)} % of a core at the most`]);
    judge(`${title}: processor time of the server a message`, 'µs', samples.of('worked'), undefined, 1);
    judge(`${title}: memory of the server after that, PSS`, 'MB', samples.of('pss'), AIMS.memory, 1);
    judge(`${title}: the same, RSS`, 'MB', samples.of('rss'), undefined, 1);
}

async function measurePaced(kind) {
    const samples = new Samples();
    const { size, agents, rate } = kind;
    await eachRound(titleOf(kind), options.names, async (name, server) => {
        const answer = await load(server, ['paced', size, agents, rate, options.ms], options.ms);
        samples.add('p50', name, answer.p50);
        samples.add('p99', name, answer.p99);
    });
    const title = `${titleOf(kind)}, ${rate} a second: time on the way`;
    judge(`${title}, median`, 'ms', samples.of('p50'), undefined, 3);
    judge(`${title}, 99 %`, 'ms', samples.of('p99'), AIMS.paced, 3);
}

/** Each with a server of its own, so that the memory is of these connections. */
async function measureConnections() {
    const samples = new Samples();
    for (let round = 0; round < options.rounds; round++) {
        report.progress('connections', round, options.rounds);
        for (const name of shuffled(options.names)) {
            const server = await CONTESTANTS.get(name)();
            try {
                const empty = server.memory().pss;
                const answer = await load(server, ['connections', CONNECTIONS], GRACE_MS, async () => {
                    const { pss } = server.memory();
                    samples.add('pss', name, pss);
                    samples.add('each', name, (pss - empty) * 1024 / CONNECTIONS);
                });
                samples.add('time', name, answer.ms);
            } finally {
                await server.end();
            }
        }
    }
    judge(`${CONNECTIONS} connections, two a session: time to connect all`, 'ms', samples.of('time'), undefined, 0);
    judge(`${CONNECTIONS} connections: memory of the server, PSS`, 'MB', samples.of('pss'), AIMS.memory, 1);
    judge(`${CONNECTIONS} connections: of it a connection`, 'KB', samples.of('each'), undefined, 1);
}

function readOptions() {
    const text = (value) => ({ type: 'string', default: value });
    const parts = ['stream', 'paced', 'connections'];
    const { values } = parseArgs({
        options: {
            program: text(join(ROOT, 'build/release/browser-runner')),
            load: text(join(ROOT, 'build/release/tests/bench/bench_relay')),
            rounds: text('9'),
            seconds: text('2'),
            only: text(parts.join()),
            'without-ours': { type: 'boolean' },
            help: { type: 'boolean', short: 'h' },
        },
    });
    const chosen = values.only.split(',');
    if (values.help || !chosen.every((part) => parts.includes(part))) {
        console.log(USAGE);
        process.exit(values.help ? 0 : 2);
    }
    return {
        ...values,
        parts: chosen,
        rounds: Number(values.rounds),
        ms: Number(values.seconds) * 1000,
        names: values['without-ours'] ? [PEER] : [OURS, PEER],
    };
}

const options = readOptions();
report.head([`load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, ${options.rounds} rounds, ` +
    `Node ${process.version}`]);
try {
    for (const kind of options.parts.includes('stream') ? KINDS : []) {
        await measureStream(kind);
    }
    for (const kind of options.parts.includes('paced') ? KINDS : []) {
        await measurePaced(kind);
    }
    if (options.parts.includes('connections')) {
        await measureConnections();
    }
} catch (error) {
    report.clearProgress();
    console.error(error.stack);
    isMet = false;
}
process.exit(isMet ? 0 : 1);
