/*
 * Servers of the Model Context Protocol: `browser-runner mcp` against those of agent-browser, Playwright and Chrome, in
 * the same Chrome. `npm install --no-save --prefix tests/bench` fetches the peers. Exit code 1 when an aim is missed.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { encode } from 'gpt-tokenizer/encoding/o200k_base';

import { removeProfiles } from './lib/contestants.mjs';
import { median, shuffled, timed } from './lib/measure.mjs';
import { Report } from './lib/report.mjs';
import { servePages } from './lib/server.mjs';
import { makeCards, readCorpus } from './lib/snapshot_pages.mjs';

const USAGE = `Usage: node tests/bench/mcp.mjs [OPTION]…
  --program FILE  browser-runner (build/release/browser-runner)
  --chrome FILE   (/usr/bin/chromium)
  --corpus DIR    HTML files, of which eight are looked at (those of htmlparser-benchmark)
  --rounds N      (8)`;
const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = join(import.meta.dirname, 'node_modules');
const OURS = 'browser-runner mcp';
const LOOK_AIM = 0.5;
const CORPUS_PAGES = 8;
const FIELDS = ['First name', 'Last name', 'Street', 'Town', 'Country', 'Telephone', 'Company', 'Remark'];
const ANSWER_MS = 90000;

const FORM = `<!DOCTYPE html><title>Address</title><h1>Address</h1><form onsubmit="return false">${FIELDS.map((name, i) =>
    `<p><label>${name} <input id="f${i}" name="f${i}"></label></p>`).join('')}<button>Send</button></form>
<button id="add" onclick="count.textContent = ++count.value">Add one</button> <output id="count">0</output>
<script>count.value = 0</script>`;

const tokensOf = (text) => encode(text).length;
const textOf = (result) => result.content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');

/** A server that runs, and its client, who speaks the oldest revision that all of them know. */
class Client {
    #waiting = new Map();
    #last = 0;

    constructor([file, ...args], environment) {
        this.process = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'], env: environment, cwd: environment.HOME });
        createInterface({ input: this.process.stdout }).on('line', (line) => {
            const answer = JSON.parse(line);
            this.#waiting.get(answer.id)?.(answer);
        });
    }

    #send(message) {
        this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }

    async ask(method, params = {}) {
        const id = ++this.#last;
        let timer;
        const answer = await new Promise((done, fail) => {
            timer = setTimeout(() => fail(new Error(`${method} ${params.name ?? ''}: no answer`)), ANSWER_MS);
            this.#waiting.set(id, done);
            this.#send({ id, method, params });
        });
        clearTimeout(timer);
        if (answer.error) {
            throw new Error(`${method} ${params.name ?? ''}: ${answer.error.message}`);
        }
        return answer.result;
    }

    async call(name, args = {}) {
        const result = await this.ask('tools/call', { name, arguments: args });
        if (result.isError) {
            throw new Error(`${name}: ${textOf(result).slice(0, 400)}`);
        }
        return result;
    }

    async begin() {
        const hello = await this.ask('initialize',
            { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
        this.#send({ method: 'notifications/initialized' });
        const { tools } = await this.ask('tools/list');
        return { instructions: hello.instructions ?? '', tools };
    }

    async end() {
        const gone = new Promise((done) => this.process.once('exit', done));
        this.process.stdin.end();
        const timer = setTimeout(() => this.process.kill(), 5000);
        await gone;
        clearTimeout(timer);
    }
}

/**
 * How each server is started and used. open(), look(), click() and fill() resolve to the texts that a model gets until it
 * knows the page, or what the action did to it.
 */
function contestants({ program, chrome, folder }) {
    const node = process.execPath;
    const environment = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, CI: '1' };
    const native = join(MODULES, `agent-browser/bin/agent-browser-linux-${os.arch()}`);
    chmodSync(native, 0o755);
    const uidOf = (text, words) => new RegExp(`uid=(\\S+) (?:textbox|button) "${words}`).exec(text)?.[1];
    return new Map(Object.entries({
        [OURS]: {
            command: [program, 'mcp', '--temp-profile', '--no-sandbox', '--chrome', chrome],
            environment,
            look: async (client, url) => [await client.call('browser_open', { url })],
            picture: (client) => client.call('browser_screenshot'),
            click: async (client) => [await client.call('browser_act', { actions: [{ type: 'click', selector: '#add' }] })],
            fill: async (client) => [await client.call('browser_act',
                { actions: [{ type: 'fill', fields: Object.fromEntries(FIELDS.map((name) => [name, 'Ada'])) }] })],
            close: (client) => client.call('browser_close'),
        },
        'agent-browser mcp': {
            command: [native, 'mcp'],
            environment: { ...environment, AGENT_BROWSER_EXECUTABLE_PATH: chrome, AGENT_BROWSER_ARGS: '--no-sandbox' },
            look: async (client, url) => [await client.call('agent_browser_open', { url }), await client.call('agent_browser_snapshot')],
            picture: (client) => client.call('agent_browser_screenshot'),
            click: async (client) => [await client.call('agent_browser_click', { selector: '#add' }),
                await client.call('agent_browser_snapshot')],
            async fill(client) {
                const results = [];
                for (let i = 0; i < FIELDS.length; i++) {
                    results.push(await client.call('agent_browser_fill', { selector: `#f${i}`, text: 'Ada' }));
                }
                return results;
            },
            close: (client) => client.call('agent_browser_close'),
        },
        '@playwright/mcp': {
            command: [node, join(MODULES, '@playwright/mcp/cli.js'), '--headless', '--isolated', '--no-sandbox', '--executable-path', chrome],
            environment,
            look: async (client, url) => [await client.call('browser_navigate', { url }), await client.call('browser_snapshot')],
            picture: (client) => client.call('browser_take_screenshot', { type: 'jpeg', scale: 'css' }),
            click: async (client) => [await client.call('browser_click', { element: 'Add one', target: '#add' }),
                await client.call('browser_snapshot')],
            fill: async (client) => [await client.call('browser_fill_form',
                { fields: FIELDS.map((name, i) => ({ element: name, name, type: 'textbox', target: `#f${i}`, value: 'Ada' })) })],
            close: (client) => client.call('browser_close'),
        },
        'chrome-devtools-mcp': {
            command: [node, join(MODULES, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'), '--headless', '--isolated',
                '--no-usage-statistics', '--chrome-arg=--no-sandbox', '-e', chrome],
            environment,
            async look(client, url) {
                client.page ??= Number(/^(\d+):/m.exec(textOf(await client.call('list_pages')))[1]);
                const results = [await client.call('navigate_page', { pageId: client.page, type: 'url', url }),
                    await client.call('take_snapshot', { pageId: client.page })];
                client.seen = textOf(results[1]);
                return results;
            },
            picture: (client) => client.call('take_screenshot', { pageId: client.page, format: 'jpeg' }),
            click: async (client) => [await client.call('click',
                { pageId: client.page, uid: uidOf(client.seen, 'Add one'), includeSnapshot: true })],
            fill: async (client) => [await client.call('fill_form', { pageId: client.page,
                elements: FIELDS.map((name) => ({ uid: uidOf(client.seen, name), value: 'Ada' })) })],
            close: async () => {},
        },
    }));
}

/** Ends with ok as soon as all cores are busy with other work. */
function keepBusy() {
    const workers = Array.from({ length: os.availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
    return () => Promise.all(workers.map((worker) => worker.terminate()));
}

/** Each contestant once a round in random order; resolves to the samples by name. */
async function rounds(context, part, count, run) {
    const samples = new Map([...context.all.keys()].map((name) => [name, []]));
    for (let round = 0; round < count; round++) {
        context.report.progress(part, round, count);
        for (const name of shuffled([...samples.keys()])) {
            samples.get(name).push(await run(name, context.all.get(name)));
        }
    }
    return samples;
}

const peers = (context) => [...context.all.keys()].filter((name) => name !== OURS);

async function measureStart(context) {
    const start = async (name, { command, environment }) => {
        const { ms, value: client } = await timed(async () => {
            const begun = new Client(command, environment);
            await begun.begin();
            return begun;
        });
        await client.end();
        return ms;
    };
    const comparisons = [{ row: OURS, to: peers(context) }];
    context.report.section('Start to tools/list', 'ms', await rounds(context, 'start', context.rounds, start), comparisons);
    const stop = keepBusy();
    context.report.section('Start to tools/list, all cores busy', 'ms', await rounds(context, 'busy', context.rounds, start), comparisons);
    await stop();
}

async function measureFirstPicture(context) {
    const samples = await rounds(context, 'first picture', context.rounds, async (name, { command, environment, look, picture, close }) => {
        let client;
        const { ms } = await timed(async () => {
            client = new Client(command, environment);
            await client.begin();
            await look(client, `${context.url}address.html`);
            await picture(client);
        });
        await close(client);
        await client.end();
        return ms;
    });
    context.report.section('Start to the first picture', 'ms', samples, [{ row: OURS, to: peers(context) }]);
}

async function measureWarm(context, clients) {
    for (const [name, { look }] of context.all) {
        await look(clients.get(name), `${context.url}address.html`);
    }
    const parts = { 'A picture': 'picture', 'A click with its answer': 'click', 'A form of 8 fields': 'fill' };
    for (const [title, part] of Object.entries(parts)) {
        const samples = await rounds(context, part, 4 * context.rounds,
            async (name, contestant) => (await timed(() => contestant[part](clients.get(name)))).ms);
        context.report.section(title, 'ms', samples, [{ row: OURS, to: peers(context) }]);
    }
}

function row(name, cells) {
    process.stdout.write(`  ${name.padEnd(32)}${cells.map((cell) => String(cell).padStart(9)).join('')}\n`);
}

/** What each server costs before any call, and the looks at the pages. Returns whether the aim is met. */
async function measureTokens(context, clients, lists, paths) {
    process.stdout.write(`\nTokens (o200k)\n`);
    row('', ['tools', 'list', 'instr.', 'click', 'form']);
    for (const [name, contestant] of context.all) {
        const client = clients.get(name);
        const { tools, instructions } = lists.get(name);
        await contestant.look(client, `${context.url}address.html`);
        const count = async (call) => (await call).reduce((sum, result) => sum + tokensOf(textOf(result)), 0);
        row(name, [tools.length, tokensOf(JSON.stringify(tools)), tokensOf(instructions), await count(contestant.click(client)),
            await count(contestant.fill(client))]);
    }
    process.stdout.write(`\nTokens of the first look at a page\n`);
    row('', [...context.all.keys()].map((name) => name.slice(0, 8)));
    const looks = new Map([...context.all.keys()].map((name) => [name, []]));
    for (const path of paths) {
        for (const [name, { look }] of context.all) {
            const results = await look(clients.get(name), context.url + encodeURI(path)).catch((error) => {
                process.stderr.write(`${name}, ${path}: ${error.message}\n`);
            });
            looks.get(name).push(results ? results.reduce((sum, result) => sum + tokensOf(textOf(result)), 0) : NaN);
        }
        row(path.slice(-30), [...looks.values()].map((values) => values.at(-1)));
    }
    const ratios = paths.map((_, i) => looks.get(OURS)[i] / Math.min(...peers(context).map((name) => looks.get(name)[i]).filter(Number.isFinite)));
    const ratio = median(ratios.filter(Number.isFinite));
    process.stdout.write(`  = ${ratio.toFixed(2)} of the least of the peers  aim ${LOOK_AIM}: ${ratio <= LOOK_AIM ? 'met' : 'MISSED'}\n`);
    return ratio <= LOOK_AIM;
}

function readPages(corpus) {
    const pages = new Map([['/address.html', FORM], ['/dashboard.html', readFileSync(join(import.meta.dirname, 'pages/dashboard.html'))],
        ['/cards.html', makeCards(1000)]]);
    const files = [...readCorpus(corpus)].filter(([name]) => name.endsWith('.html')).sort(([, a], [, b]) => a.length - b.length);
    for (let i = 0; i < CORPUS_PAGES && files.length > 0; i++) {
        const [name, bytes] = files[Math.floor(((i + 0.5) / CORPUS_PAGES) * files.length)];
        pages.set(`/${name}`, bytes);
    }
    return pages;
}

async function main() {
    const { values } = parseArgs({ options: {
        program: { type: 'string', default: join(ROOT, 'build/release/browser-runner') },
        chrome: { type: 'string', default: '/usr/bin/chromium' },
        corpus: { type: 'string', default: join(MODULES, 'htmlparser-benchmark/files') },
        rounds: { type: 'string', default: '8' },
        help: { type: 'boolean', short: 'h' },
    } });
    if (values.help) {
        process.stdout.write(`${USAGE}\n`);
        return 0;
    }
    const folder = mkdtempSync(join(os.tmpdir(), 'bench-mcp-'));
    const pages = readPages(values.corpus);
    const server = await servePages(pages);
    const context = { all: contestants({ chrome: values.chrome, program: resolve(values.program), folder }), report: new Report(), rounds: Number(values.rounds), url: server.url };
    const clients = new Map();
    try {
        await measureStart(context);
        await measureFirstPicture(context);
        const lists = new Map();
        for (const [name, { command, environment }] of context.all) {
            clients.set(name, new Client(command, environment));
            lists.set(name, await clients.get(name).begin());
        }
        await measureWarm(context, clients);
        const paths = [...pages.keys()].slice(1).map((path) => path.slice(1));
        return await measureTokens(context, clients, lists, paths) ? 0 : 1;
    } finally {
        for (const [name, client] of clients) {
            await context.all.get(name).close(client).catch(() => {});
            await client.end();
        }
        await server.close();
        removeProfiles(folder);
    }
}

process.exitCode = await main();
