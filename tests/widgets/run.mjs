// Widgets of the world, operated by browser-runner and by Playwright: what was said, what is true.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const SKIPPED = 77;
const MOST_FLAKY = 2;
const HELP = `Usage: tests/widgets/run.sh [OPTION]…

Operates the widgets of pages/ by browser-runner and, beside it, by Playwright, and reads the truth
of each step from the page. Exit code 0: nothing was said that is not true, nothing failed that is not
listed as known, what is listed did fail, and at least as much was done as by Playwright. A page with
a failure is run once more; when it passes then, it is FLAKY, and at most ${MOST_FLAKY} of them are no failure.

Options:
  --binary PATH          browser-runner (build/dev/browser-runner)
  --chrome PATH          the browser (else $BROWSER_RUNNER_CHROME, else chromium or google-chrome)
  --only NAME[,…]        these pages only
  --without playwright   browser-runner alone
  --one-by-one           one side after the other, for times to compare
  --verbose              each step of both sides
  -h, --help             print this
`;

// An answer within this time, or the step has failed.
const TIMEOUT_MS = 5000;
// The same where a page is read screen by screen.
const READING_MS = 60_000;
// The same where the right answer is an error: nothing is gained by waiting longer for it.
const REFUSAL_MS = 1000;
// Widgets go on for a while after the input: so long the truth may take to become true,
const TRUTH_MS = 1000;
// and so long after a refusal nothing may come.
const QUIET_MS = 150;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function fail(message) {
    process.stderr.write(`widgets: ${message}\n`);
    process.exit(2);
}

function readOptions() {
    try {
        return parseArgs({
            options: {
                binary: { type: 'string', default: join(ROOT, 'build', 'dev', 'browser-runner') },
                chrome: { type: 'string' },
                only: { type: 'string' },
                without: { type: 'string' },
                'one-by-one': { type: 'boolean' },
                verbose: { type: 'boolean' },
                help: { type: 'boolean', short: 'h' },
            },
        }).values;
    } catch (error) {
        return fail(error.message);
    }
}

function fromPath(...names) {
    const folders = (process.env.PATH ?? '').split(delimiter);
    return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
        try {
            accessSync(path, constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });
}

async function readTables(only) {
    const names = readdirSync(join(HERE, 'steps')).filter((name) => name.endsWith('.mjs'))
        .map((name) => name.slice(0, -'.mjs'.length)).sort();
    const chosen = only?.split(',');
    const unknown = chosen?.find((name) => !names.includes(name));
    if (unknown) {
        fail(`no page "${unknown}"; there are ${names.join(', ')}`);
    }
    return Promise.all((chosen ?? names).map(async (name) => (
        { name, steps: (await import(`./steps/${name}.mjs`)).default })));
}

/** The tests' web server; it ends when its standard input closes. */
async function startServer() {
    const child = spawn('python3', [join(HERE, '..', 'e2e', 'server.py')],
        { stdio: ['pipe', 'pipe', 'inherit'] });
    const url = await new Promise((resolve, reject) => {
        createInterface({ input: child.stdout }).once('line', resolve);
        child.once('exit', () => reject(new Error('the web server did not start')));
    });
    return { url, stop: () => new Promise((resolve) => {
        child.once('exit', resolve);
        child.stdin.end();
    }) };
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What the page says; a thrown error is a value, too, since a step may wait for what is not there yet. */
async function look(side, expression) {
    try {
        return await side.evaluate(expression);
    } catch (error) {
        return `(${error.message.split('\n')[0]})`;
    }
}

async function lookUntil(side, { truth, is }, ms) {
    for (const end = Date.now() + ms; ;) {
        const value = await look(side, truth);
        if (isSame(value, is) || Date.now() >= end) {
            return value;
        }
        await pause(25);
    }
}

/** Whether what was said is a refusal of the kind that is due. Playwright has no codes: any error is. */
const isDue = (refused, { code }) => code === undefined || [refused].flat().includes(code);

function verdict({ refused }, { error, warning, code, isTold }, isTrue) {
    if (warning && !refused && !isTrue) {
        return 'error';
    }
    if (!error && !(warning && refused)) {
        return isTrue && (!refused || isTold) ? 'ok' : 'LIE';
    }
    if (refused) {
        const isRight = isDue(refused, { code });
        return !isTrue ? 'refused, but done' : isRight ? 'ok' : `not ${[refused].flat().join(', ')}`;
    }
    return isTrue ? 'false failure' : 'error';
}

/** What is read of a page has to hold what the page says; what lacks it is not told as a failure. */
async function runReading(side, step) {
    const began = performance.now();
    const { error, warning, result } = await side.act(step, READING_MS);
    const ms = performance.now() - began;
    const text = (typeof result === 'string' ? result : result?.text) ?? JSON.stringify(result) ?? '';
    const missing = typeof step.reads === 'function' ? (step.reads(text) ? [] : [String(step.reads)])
        : step.reads.filter((words) => !text.includes(words));
    const isRight = !error && missing.length === 0;
    return {
        verdict: isRight ? 'ok' : error ?? warning ? 'error' : 'LIE', value: isRight ? undefined : text, ms,
        error: error ?? warning ?? (isRight ? undefined : `it lacks ${missing.join(', ')}`),
    };
}

async function runStep(side, step) {
    if (step.reads) {
        return runReading(side, step);
    }
    const before = await look(side, step.truth);
    const isReady = 'before' in step ? isSame(before, step.before)
        : isSame(before, step.is) === Boolean(step.refused);
    if (!isReady) {
        return { verdict: 'no test', value: before, error: 'the page is not as the step needs it' };
    }
    const began = performance.now();
    const said = await side.act(step, step.refused && !step.late ? REFUSAL_MS : TIMEOUT_MS);
    const ms = performance.now() - began;
    if (step.refused) {
        await pause(QUIET_MS);
    }
    const value = await lookUntil(side, step, step.refused ? 0 : TRUTH_MS);
    if (step.tells && said.result) {
        said.isTold = await look(side, step.tells(said.result)) === true;
    }
    return {
        verdict: verdict(step, said, isSame(value, step.is)), value, error: said.error ?? said.warning, ms,
    };
}

/** A page has its steps in one document; what failed leaves none that the next could trust. */
async function runTable(side, { name, steps }, url) {
    const results = [];
    let isFresh = false;
    for (const step of steps) {
        try {
            if (!isFresh || step.fresh) {
                await side.open(`${url}/widgets/${name}.html`);
                await lookUntil(side, { truth: 'Boolean(window.ready ?? true)', is: true }, TIMEOUT_MS);
            }
            if (step.setup) {
                await side.evaluate(`{${step.setup}} undefined`);
            }
            results.push(await runStep(side, step));
        } catch (error) {
            results.push({ verdict: 'error', error: error.message });
        }
        isFresh = results.at(-1).verdict === 'ok';
    }
    return results;
}

async function runSide(Side, tables, url, options) {
    const side = await Side.start(options);
    try {
        const results = new Map();
        for (const table of tables) {
            results.set(table.name, await runTable(side, table, url));
        }
        return results;
    } finally {
        await side.stop();
    }
}

/** A lie is one, known or not; what is known and works now is to be taken off the list. */
const isFailure = ({ known }, { verdict: is }) => is === 'LIE' || (is === 'ok') === Boolean(known);

const hasFailed = ({ name, steps }, results) => (
    results.get(name).some((result, at) => isFailure(steps[at], result)));

function totals(name, tables, results) {
    const all = tables.flatMap((table) => results.get(table.name).map((result, at) => (
        { ...result, isFailure: isFailure(table.steps[at], result) })));
    const count = (test) => all.filter(test).length;
    return {
        name,
        steps: all.length,
        ok: count(({ verdict: is }) => is === 'ok'),
        lies: count(({ verdict: is }) => is === 'LIE'),
        failures: count((result) => result.isFailure),
    };
}

function printTables(tables, name, results, isVerbose) {
    for (const table of tables) {
        const lines = table.steps.map((step, at) => ({ step, ...results.get(table.name)[at] }))
            .filter(({ step, verdict: is }) => isVerbose || is !== 'ok' || step.known)
            .map(({ step, verdict: is, value, error, ms }) => {
                const known = !step.known ? '' : is === 'ok' ? ` (NO LONGER: ${step.known})`
                    : ` (known: ${step.known})`;
                const time = ms === undefined ? '' : `, ${Math.round(ms)} ms`;
                const seen = is === 'ok' ? '' : step.reads ? `\n      read: ${JSON.stringify(value)}`
                    : `\n      ${step.truth} is ${JSON.stringify(value)}, not `
                    + `${step.refused ? 'refused at ' : ''}${JSON.stringify(step.is)}`;
                return `  ${is.padEnd(14)} ${step.want}${known}${time}${seen}`
                    + `${error ? `\n      said: ${error}` : ''}`;
            });
        if (lines.length > 0) {
            console.log(`${table.name}, ${name}\n${lines.join('\n')}`);
        }
    }
}

/** Milliseconds of those steps that both have done. */
function compareTimes(tables, ours, theirs) {
    const sum = { ours: 0, theirs: 0 };
    for (const { name, steps } of tables) {
        steps.forEach((step, at) => {
            const [our, their] = [ours.get(name)[at], theirs.get(name)[at]];
            if (!step.refused && our.verdict === 'ok' && their.verdict === 'ok') {
                sum.ours += our.ms;
                sum.theirs += their.ms;
            }
        });
    }
    return sum;
}

/** Runs the pages that failed once more, each alone. Returns the first results of those that pass then. */
async function runAgain(tables, results, start, url) {
    const flaky = new Map();
    for (const table of tables.filter((one) => hasFailed(one, results))) {
        const side = await start();
        try {
            const again = new Map([[table.name, await runTable(side, table, url)]]);
            if (!hasFailed(table, again)) {
                flaky.set(table.name, results.get(table.name));
                results.set(table.name, again.get(table.name));
            }
        } finally {
            await side.stop();
        }
    }
    return flaky;
}

async function main() {
    const options = readOptions();
    if (options.help) {
        process.stdout.write(HELP);
        return 0;
    }
    if (!existsSync(join(HERE, 'node_modules', 'playwright-core'))) {
        console.log('skipped: npm ci --prefix tests/widgets --ignore-scripts');
        return SKIPPED;
    }
    const chrome = options.chrome ?? process.env.BROWSER_RUNNER_CHROME
        ?? fromPath('chromium', 'google-chrome') ?? fail('no Chrome: use --chrome PATH');
    const tables = await readTables(options.only);
    const directory = mkdtempSync(join(tmpdir(), 'browser-runner-widgets-'));
    // Whatever is started leaves its files there.
    process.env.TMPDIR = join(directory, 'tmp');
    mkdirSync(process.env.TMPDIR);
    process.chdir(ROOT);
    let server;
    try {
        server = await startServer();
        const [{ Ours }, { Theirs }] = await Promise.all([
            import('./lib/ours.mjs'), import('./lib/theirs.mjs')]);
        const sides = options.without ? [Ours] : [Ours, Theirs];
        const start = (Side) => runSide(Side, tables, server.url,
            { program: options.binary, chrome, directory });
        let results;
        if (options['one-by-one']) {
            results = [];
            for (const Side of sides) {
                results.push(await start(Side));
            }
        } else {
            results = await Promise.all(sides.map(start));
        }
        const flaky = await runAgain(tables, results[0], () => Ours.start(
            { program: options.binary, chrome, directory: mkdtempSync(join(directory, 'again-')) }), server.url);
        return report(tables, results, flaky, options);
    } finally {
        await server?.stop();
        rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

function report(tables, [ours, theirs], flaky, { verbose }) {
    for (const table of tables.filter(({ name }) => flaky.has(name))) {
        console.log(`FLAKY widgets/${table.name}`);
        printTables([table], 'browser-runner, its first run', flaky, false);
    }
    printTables(tables, 'browser-runner', ours, verbose);
    const our = totals('browser-runner', tables, ours);
    const sums = [our];
    let time = '';
    if (theirs) {
        if (verbose) {
            printTables(tables, 'playwright', theirs, true);
        }
        sums.push(totals('playwright', tables, theirs));
        const ms = compareTimes(tables, ours, theirs);
        time = `; time of what both did ${(ms.ours / 1000).toFixed(1)} s to `
            + `${(ms.theirs / 1000).toFixed(1)} s`;
    }
    console.log(sums.map(({ name, ok, steps, lies }) => `${name} ${ok} of ${steps}, lies ${lies}`)
        .join('; ') + time);
    if (flaky.size > MOST_FLAKY) {
        console.log(`more than ${MOST_FLAKY} pages are flaky`);
    }
    const isWorse = our.ok < (sums[1]?.ok ?? 0);
    return our.failures > 0 || flaky.size > MOST_FLAKY || isWorse ? 1 : 0;
}

process.exitCode = await main();
