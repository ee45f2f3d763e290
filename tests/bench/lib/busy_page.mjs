/* A page that works as fast as it can, does something 1,000 times a second beside, and tells how long its work takes. */
import http from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../..');
const SETTLE_MS = 1500;
const LATE_MS = 60_000;

/** `script` has the function act(n), which is called ten times in every 10 ms; `body` is what it acts on. */
const pageOf = (body, script) => `<!DOCTYPE html><title>Busy</title>${body}<script>
${script}
let acts = 0, units = 0, sink = 0, due = performance.now();
function work() {
    for (let i = 0; i < 20000; i++) { sink = (sink * 31 + i) | 0; }
    units++;
    for (let now = performance.now(); due < now; due += 10) { for (let i = 0; i < 10; i++) { act(acts++); } }
    channel.port2.postMessage(0);
}
const channel = new MessageChannel();
channel.port1.onmessage = work;
channel.port2.postMessage(0);
let last = { at: performance.now(), acts, units };
setInterval(() => {
    const now = { at: performance.now(), acts, units };
    const seconds = (now.at - last.at) / 1000;
    fetch('/sample', { method: 'POST', body: JSON.stringify({ rate: (now.acts - last.acts) / seconds,
        units, unitUs: seconds * 1e6 / (now.units - last.units) }) });
    last = now;
}, 1000);
</script>`;

/**
 * Serves the page. `collect(count, look)` resolves to its samples, of a second each, that begin after everything
 * has settled; each has `seen`, what look() returned at its end.
 */
export async function serveBusyPage(body, script) {
    let onSample = () => {};
    const page = pageOf(body, script);
    const server = http.createServer(async (request, response) => {
        if (request.url !== '/sample') {
            response.setHeader('Content-Type', 'text/html');
            response.end(page);
            return;
        }
        let text = '';
        for await (const part of request.setEncoding('utf8')) {
            text += part;
        }
        response.end();
        onSample(JSON.parse(text));
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return {
        url: `http://127.0.0.1:${server.address().port}/`,
        async collect(count, look = () => {}) {
            await pause(SETTLE_MS);
            const samples = [];
            await new Promise((done, fail) => {
                const late = setTimeout(() => fail(new Error('the page tells nothing any more')), LATE_MS);
                onSample = (sample) => {
                    samples.push({ ...sample, seen: look() });
                    if (samples.length > count) {
                        clearTimeout(late);
                        onSample = () => {};
                        done();
                    }
                };
            });
            return samples.slice(1); // the first has begun before
        },
        close() {
            server.close();
            server.closeAllConnections();
        },
    };
}

/** The program, Chrome and the number of rounds. */
export function readOptions(usage) {
    const { values } = parseArgs({
        options: {
            program: { type: 'string', default: join(ROOT, 'build/release/browser-runner') },
            chrome: { type: 'string', default: '/usr/bin/chromium' },
            rounds: { type: 'string', default: '8' },
            help: { type: 'boolean', short: 'h' },
        },
    });
    if (values.help) {
        console.log(usage);
        process.exit(0);
    }
    return { ...values, rounds: Number(values.rounds) };
}
