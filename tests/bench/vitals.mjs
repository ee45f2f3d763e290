// The metrics of responses against the npm package web-vitals, in the same page load.
// node tests/bench/vitals.mjs --program build/release/browser-runner [--chrome PATH]
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const { values: options } = parseArgs({
    options: { program: { type: 'string' }, chrome: { type: 'string' } },
});
if (!options.program) {
    process.stderr.write('vitals: --program is missing\n');
    process.exit(2);
}

const LIBRARY = readFileSync(
    new URL('node_modules/web-vitals/dist/web-vitals.iife.js', import.meta.url));

// Shifts in two windows, a late largest paint, slow and quick interactions, long tasks.
const PAGE = `<!doctype html><meta charset="utf-8"><title>Vitals</title><link rel="icon" href="data:,">
<style>body{margin:0;font:20px sans-serif}.box{height:80px;background:#9cf}#late{font-size:90px}</style>
<script src="/web-vitals.js"></script>
<script>
window.told = {};
const tell = (metric) => { told[metric.name] = metric.value; };
for (const name of ['CLS', 'INP', 'LCP', 'FCP', 'TTFB']) {
    webVitals['on' + name](tell, { reportAllChanges: true });
}
const block = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
const push = () => document.body.prepend(Object.assign(document.createElement('div'), { className: 'box' }));
setTimeout(push, 150);
setTimeout(push, 300);
setTimeout(() => { document.querySelector('#late').textContent = 'The largest text of all of it'; }, 400);
setTimeout(() => block(120), 600);
setTimeout(push, 2000);
</script>
<p>Text that moves down when boxes come.</p><p id="late"></p>
<button id="slow" onclick="block(180)">Slow</button><button id="quick" onclick="block(60)">Quick</button>`;

const server = createServer((request, response) => {
    const isLibrary = request.url === '/web-vitals.js';
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
    setTimeout(() => response.end(isLibrary ? LIBRARY : PAGE), isLibrary ? 20 : 60);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const folder = mkdtempSync(join(tmpdir(), 'browser-runner-vitals-'));
const steps = [
    ['start', 'url', `http://127.0.0.1:${server.address().port}/`],
    ['wait', 'ms', 2600],
    ['click', 'selector', '#quick'],
    ['wait', 'ms', 300],
    ['click', 'selector', '#slow'],
    ['wait', 'ms', 500],
    // The library looks at events when the page is idle, and without frames it never is.
    ['evaluate', 'expression', `new Promise((done) => {
        let count = 0;
        const next = () => { if (++count < 30) { requestAnimationFrame(next); } else { setTimeout(done, 200); } };
        next();
    })`],
    // What the page was told by then; TTFB as this program defines it, without the connection.
    ['evaluate', 'expression', `({...told, requestStart: performance.getEntriesByType('navigation')[0].requestStart})`],
];
const batch = steps.map(([type, name, value]) =>
    `<browser_action><type>${type}</type><${name}>${String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}></browser_action>`);
writeFileSync(join(folder, 'batch.xml'), `<batch>${batch.join('')}</batch>`);
const { stdout } = await promisify(execFile)(options.program, [
    'run', join(folder, 'batch.xml'), '--temp-profile', '--screenshots', 'none',
    ...(options.chrome ? ['--chrome', options.chrome] : []),
], { maxBuffer: 1 << 26, timeout: 60000 });
server.close();
rmSync(folder, { recursive: true });

const last = stdout.trim().split('\n').map((line) => JSON.parse(line)).findLast((line) => line.type === 'evaluate');
const { result: told, metrics } = last;
const pairs = [
    ['cls', metrics.cls, told.CLS, 0.0001],
    ['inp', metrics.inp, told.INP, 0.1],
    ['lcp', metrics.lcp, told.LCP, 0.1],
    ['fcp', metrics.fcp, told.FCP, 0.1],
    ['ttfb', metrics.ttfb, told.TTFB - told.requestStart, 0.2],
];
let isEqual = true;
process.stdout.write('metric  browser-runner  web-vitals\n');
for (const [name, ours, theirs, tolerance] of pairs) {
    const agrees = Math.abs(ours - theirs) <= tolerance;
    isEqual &&= agrees;
    process.stdout.write(`${name.padEnd(6)}  ${String(ours).padStart(14)}  ${String(theirs?.toFixed?.(4) ?? theirs).padStart(10)}${agrees ? '' : '  differs'}\n`);
}
process.stdout.write(`longTasks ${metrics.longTasks}, longTaskTime ${metrics.longTaskTime} ms, nodes ${metrics.nodes}, `
    + `layouts ${metrics.layouts}, transferSize ${metrics.transferSize}\n`);
process.exit(isEqual ? 0 : 1);
