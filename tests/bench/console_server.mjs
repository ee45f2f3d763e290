/*
 * The server for extensions, `console`, against reference_console.mjs: how many console calls a second come out of a pipe,
 * until the last one has been read. The messages are made and masked before the time begins. Exit code 1 when an aim is
 * missed. `npm ci --prefix tests/widgets --ignore-scripts` fetches `ws`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { median, pairedRatio, shuffled } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';

const USAGE = `Usage: node tests/bench/console_server.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --rounds N      (9)
  --calls N       in each (100000)
  --only KIND,…   texts, objects`;
const ROOT = resolve(import.meta.dirname, '../..');
const OURS = 'console';
const PEER = 'reference on ws';
const AIM = 1; // of the peer's time
const LAST = 'the last call';
const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
const CHUNK = 64 * 1024;
const TICK_US = 10_000; // of /proc
const START_MS = 20_000;
const TAIL = 64; // bytes of the output in which the last call is looked for
const STUCK_MS = 120_000;

const string = (value) => ({ type: 'string', value });
const number = (value) => ({ type: 'number', value });
const KINDS = {
    texts: (n) => [string(`request ${n} of the page took some time`)],
    objects: (n) => [string('user'), {
        type: 'object',
        value: {
            id: number(n),
            name: string('Alice'),
            admin: { type: 'boolean', value: true },
            tags: { type: 'array', value: [string('a'), string('b')] },
            place: { type: 'object', value: { city: string('Paris'), lines: { type: 'array', value: [number(1), number(2), number(3)] } } },
        },
    }],
};
const COMMANDS = new Map([
    [OURS, () => [options.program, 'console', '--port', '0', '--max-rate', '0']],
    [PEER, () => [process.execPath, join(import.meta.dirname, 'reference_console.mjs')]],
]);

const { values: options } = parseArgs({
    options: {
        program: { type: 'string', default: join(ROOT, 'build/release/browser-runner') },
        rounds: { type: 'string', default: '9' },
        calls: { type: 'string', default: '100000' },
        only: { type: 'string', default: Object.keys(KINDS).join() },
        help: { type: 'boolean', short: 'h' },
    },
});
if (options.help) {
    console.log(USAGE);
    process.exit(0);
}

/** A masked frame of text (RFC 6455, 5.2). */
function frame(text) {
    const payload = Buffer.from(text);
    const isShort = payload.length < 126;
    const head = Buffer.alloc(isShort ? 2 : 4);
    head[0] = 0x81;
    head[1] = 0x80 | (isShort ? payload.length : 126);
    if (!isShort) {
        head.writeUInt16BE(payload.length, 2);
    }
    for (let i = 0; i < payload.length; i++) {
        payload[i] ^= MASK[i % 4];
    }
    return Buffer.concat([head, MASK, payload]);
}

const message = (args) => frame(JSON.stringify({
    version: '1.0.0',
    type: 'console_event',
    timestamp: '2026-11-29T12:34:56.789Z',
    source: { tabId: 1, url: 'http://localhost:3000/app', title: 'Shop' },
    payload: { method: 'log', args, location: { url: 'http://localhost:3000/app.js', line: 42, column: 15 } },
}));

function makeLoad(kind) {
    const frames = Array.from({ length: Number(options.calls) - 1 }, (_, n) => message(KINDS[kind](n)));
    return Buffer.concat([...frames, message([string(LAST)])]);
}

async function start([file, ...args]) {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
    for await (const line of createInterface({ input: child.stderr })) {
        const port = Number(/(?:"port":|127\.0\.0\.1:)(\d+)/.exec(line)?.[1]);
        if (port) {
            clearTimeout(late);
            return { child, port };
        }
    }
    throw new Error(`${file} does not listen`);
}

async function open(port) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n');
    const answer = String(await new Promise((done) => socket.once('data', done)));
    if (!answer.startsWith('HTTP/1.1 101')) {
        throw new Error(answer.split('\r\n')[0]);
    }
    socket.resume();
    return socket;
}

async function send(socket, load) {
    for (let at = 0; at < load.length; at += CHUNK) {
        if (!socket.write(load.subarray(at, at + CHUNK))) {
            await new Promise((done) => socket.once('drain', done));
        }
    }
}

/** Processor time of a process until now, µs. */
function worked(pid) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Of a call in µs: from the first byte that is sent until the last line is read, and processor time of the server. */
async function measure(command, load) {
    const { child, port } = await start(command);
    const socket = await open(port);
    const ended = new Promise((done) => child.once('exit', done));
    const late = setTimeout(() => child.kill('SIGKILL'), STUCK_MS);
    let tail = '';
    const read = new Promise((done, fail) => {
        child.once('exit', (code) => fail(new Error(`${command[0]} has ended: ${code}`)));
        child.stdout.on('data', (bytes) => {
            tail = (tail + bytes.subarray(-TAIL).toString('latin1')).slice(-TAIL);
            if (tail.includes(LAST)) {
                done();
            }
        });
    });
    const before = worked(child.pid);
    const began = performance.now();
    await Promise.all([send(socket, load), read]);
    const us = (performance.now() - began) * 1000 / Number(options.calls);
    const processor = (worked(child.pid) - before) / Number(options.calls);
    clearTimeout(late);
    socket.destroy();
    child.kill('SIGTERM');
    await ended;
    return { us, processor };
}

const report = new Report();
let isMet = true;
report.head([`load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} cores, ${options.rounds} rounds, Node ${process.version}`]);
for (const kind of options.only.split(',')) {
    const load = makeLoad(kind);
    const [samples, processors] = [0, 1].map(() => new Map([...COMMANDS.keys()].map((name) => [name, []])));
    for (let round = 0; round < Number(options.rounds); round++) {
        report.progress(kind, round, options.rounds);
        for (const name of shuffled([...COMMANDS.keys()])) {
            const { us, processor } = await measure(COMMANDS.get(name)(), load);
            samples.get(name).push(us);
            processors.get(name).push(processor);
        }
    }
    report.section(`${kind} on a pipe, time for a call`, 'µs', samples, [{ row: OURS, to: [PEER], aim: AIM }], 1);
    for (const [name, values] of samples) {
        report.head([`  ${(1e6 / median(values)).toFixed(0)} calls a second (${name})`]);
    }
    report.section(`${kind} on a pipe, processor time for a call`, 'µs', processors, [{ row: OURS, to: [PEER] }], 1);
    isMet &&= pairedRatio(samples.get(OURS), samples.get(PEER)) <= AIM;
}
process.exit(isMet ? 0 : 1);
