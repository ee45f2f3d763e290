/*
 * What a click does on pages that move, cover, disable or replace their button: ours, and those of Playwright, Puppeteer and
 * agent-browser. Each answer is held against the element that has received the click.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { servePages } from './lib/server.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = join(import.meta.dirname, 'node_modules');
const LIMIT_MS = 3000;
const { values: options } = parseArgs({ options: {
    program: { type: 'string', default: join(ROOT, 'build/release/browser-runner') },
    chrome: { type: 'string', default: '/usr/bin/chromium' },
} });

const SHADE = "document.body.append(Object.assign(document.createElement('div'), { id: 'shade' }))";
const MOVE = "let x = 0; (function step() { go.style.translate = `${x = (x + 7) % 300}px`; requestAnimationFrame(step); })();";
const TRAPS = new Map(Object.entries({
    'at rest': '',
    'moved by a script in each frame': MOVE,
    'moved by a timer': "let x = 0; setInterval(() => { go.style.left = `${x = (x + 40) % 400}px`; }, 10);",
    'moved by an endless CSS animation': "go.style.animation = 'slide 1s linear infinite';",
    covered: SHADE,
    disabled: 'go.disabled = true',
    'covered when the mouse enters': `go.onmouseenter = () => { ${SHADE} }`,
    'moves away when the mouse enters': "go.onmouseenter = () => { go.style.left = '300px'; }",
    'removed when the mouse enters': 'go.onmouseenter = () => go.remove()',
    'rendered again when the mouse enters': 'go.onmouseenter = () => go.replaceWith(go.cloneNode(true))',
    'rendered again when a field loses the focus': `const field = document.createElement('input'); document.body.append(field);
        field.focus(); field.onblur = () => go.replaceWith(go.cloneNode(true))`,
    'covered by a veil that goes after 600 ms': `${SHADE}; setTimeout(() => document.getElementById('shade').remove(), 600)`,
}));

const pageOf = (script) => `<!doctype html><title>Trap</title><style>
  body { height: 500px; margin: 0 } #go { position: absolute; left: 20px; top: 40px; width: 90px; height: 40px }
  #shade { position: absolute; inset: 0; background: #0001 } @keyframes slide { to { translate: 400px } }
</style><button id="go">Go</button><script>
  var hits = []; addEventListener('click', ({ target }) => hits.push(target.id || target.localName), true);
  ${script}
</script>`;

/** Each has `open(url)`, `click()`, `hits()` and `end()`. */
async function openOurs() {
    const child = spawn(options.program, ['run', '-', '--temp-profile', '--screenshots', 'none', '--chrome', options.chrome],
        { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (action) => {
        child.stdin.write(`${JSON.stringify(action)}\n`);
        const answer = JSON.parse((await lines.next()).value);
        if (!answer.success) {
            throw new Error(answer.errorCode);
        }
        return answer.result;
    };
    await ask({ type: 'start', url: 'about:blank', maxConsecutiveErrors: 0, totalErrorThreshold: 0 });
    return {
        open: (url) => ask({ type: 'navigate', url }),
        click: () => ask({ type: 'click', selector: '#go', timeout: LIMIT_MS }),
        hits: () => ask({ type: 'evaluate', expression: 'hits' }),
        end: () => new Promise((done) => { child.once('exit', done); child.stdin.end(); }),
    };
}

async function openPlaywright() {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: options.chrome, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    return { open: (url) => page.goto(url), click: () => page.click('#go', { timeout: LIMIT_MS }),
        hits: () => page.evaluate('hits'), end: () => browser.close() };
}

async function openPuppeteer() {
    const { launch } = await import('puppeteer-core');
    const browser = await launch({ executablePath: options.chrome, pipe: true, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    return { open: (url) => page.goto(url), click: () => page.locator('#go').setTimeout(LIMIT_MS).click(),
        hits: () => page.evaluate('hits'), end: () => browser.close() };
}

async function openAgentBrowser() {
    const folder = mkdtempSync(join(os.tmpdir(), 'bench-traps-'));
    const program = join(MODULES, `agent-browser/bin/agent-browser-${process.platform}-${process.arch}`);
    const env = { ...process.env, HOME: folder, AGENT_BROWSER_SOCKET_DIR: folder, AGENT_BROWSER_EXECUTABLE_PATH: options.chrome,
        AGENT_BROWSER_ARGS: '--no-sandbox' };
    const run = (...args) => new Promise((done, fail) => execFile(program, args, { env, timeout: 40_000 },
        (error, stdout, stderr) => (error ? fail(new Error(stderr || stdout || 'failed')) : done(stdout))));
    return { open: (url) => run('open', url), click: () => run('click', '#go'),
        hits: async () => JSON.parse(await run('eval', 'hits')),
        end: () => run('close', '--all').finally(() => rmSync(folder, { recursive: true, force: true })) };
}

const server = await servePages(new Map([...TRAPS].map(([name, script]) => [`/${name}`, pageOf(script)])));
const makers = { ours: openOurs, Playwright: openPlaywright, Puppeteer: openPuppeteer, 'agent-browser': openAgentBrowser };
const contestants = [];
try {
    console.log(`| the button is | ${Object.keys(makers).join(' | ')} |\n|---|${'---|'.repeat(Object.keys(makers).length)}`);
    for (const make of Object.values(makers)) {
        contestants.push(await make());
    }
    for (const name of TRAPS.keys()) {
        const cells = [];
        for (const one of contestants) {
            await one.open(server.url + encodeURIComponent(name));
            const claim = await one.click().then(() => 'success', ({ message }) =>
                (/^[A-Z_]+$/.test(message) ? message : 'error'));
            const hits = await one.hits();
            const truth = hits.includes('go') ? 'clicked' : hits.length ? `clicked ${hits[0]}` : 'not clicked';
            cells.push(`${claim}, ${truth}`);
        }
        console.log(`| ${name} | ${cells.join(' | ')} |`);
    }
} finally {
    for (const one of contestants) {
        await one.end().catch(() => {});
    }
    await server.close();
}
