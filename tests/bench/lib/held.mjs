// Warm calls to browsers that are held open: a picture, and a script that does nothing.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';

import { launchOptions } from '../peers/puppeteer-options.mjs';
import { interleave } from './interleave.mjs';
import { PipeClient } from './pipe.mjs';
import { Runner } from './runner.mjs';

const VIEWPORT = { width: 1280, height: 720 };
const JPEG = { type: 'jpeg', quality: 25 };
// With the parameters that browser-runner sends.
const EVALUATE = {
    expression: '1+1',
    returnByValue: true,
    awaitPromise: true,
    userGesture: true,
    allowUnsafeEvalBlockedByCSP: true,
};
const OURS = 'browser-runner run -';

/** Opens the page in each contestant, one browser each, of the same binary. */
async function openAll({ program, url, browsers: [browser] }, screenshots) {
    const runner = new Runner(program, ['--chrome', browser.path, '--screenshots', screenshots]);
    await runner.act('start', `<url>${url}</url>`);
    // The bare client's Chrome gets the switches that browser-runner gave to its own.
    const bare = new PipeClient(browser.path, runner.chromeSwitches());
    await bare.open(url, VIEWPORT);
    const puppeteerBrowser = await puppeteer.launch(launchOptions(browser.path, browser.kind));
    const [puppeteerPage] = await puppeteerBrowser.pages();
    await puppeteerPage.goto(url);
    const playwrightBrowser = await chromium.launch({ executablePath: browser.path });
    const playwrightPage = await playwrightBrowser.newPage({ viewport: VIEWPORT });
    await playwrightPage.goto(url);
    return {
        runner,
        bare,
        puppeteerPage,
        playwrightPage,
        async close() {
            await runner.close();
            await bare.close();
            await puppeteerBrowser.close();
            await playwrightBrowser.close();
        },
    };
}

export async function measureScreenshot(setup) {
    const all = await openAll(setup, 'explicit');
    const { samples } = await interleave(
        setup,
        'screenshot',
        new Map([
            [OURS, () => all.runner.screenshot()],
            ['bare captureScreenshot, jpeg 25', () => {
                return all.bare.screenshot({ format: 'jpeg', quality: 25 });
            }],
            ['bare captureScreenshot, png fast', () => {
                return all.bare.screenshot({ format: 'png', optimizeForSpeed: true });
            }],
            ['puppeteer-core', () => all.puppeteerPage.screenshot(JPEG)],
            ['playwright-core', () => all.playwrightPage.screenshot(JPEG)],
        ]),
        setup.rounds * 10,
    );
    await all.close();
    setup.report.section(
        `Warm picture, JPEG quality 25, ${setup.browsers[0].name}`,
        'ms',
        samples,
        [
            { row: OURS, to: ['bare captureScreenshot, jpeg 25'], aim: 1.25 },
            { row: OURS, to: ['puppeteer-core'], aim: 0.9 },
            { row: OURS, to: ['playwright-core'], aim: 0.7 },
        ],
        1,
    );
}

/** The C core without the program around it: every byte that it reads is one call. */
function startCore(core, browser) {
    const child = spawn(core, [browser.path], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
        async evaluate() {
            child.stdin.write('.');
            const { value, done } = await lines.next();
            if (done) {
                throw new Error(`${core} ended`);
            }
            return Number(value) / 1000;
        },
        async close() {
            const ended = new Promise((resolve) => child.on('exit', resolve));
            child.stdin.end();
            await ended;
        },
    };
}

export async function measureEvaluate(setup) {
    const all = await openAll(setup, 'none');
    const core = setup.core ? startCore(setup.core, setup.browsers[0]) : undefined;
    const expression = '<expression>1+1</expression>';
    const calls = new Map([
        [OURS, async () => {
            await all.runner.act('evaluate', expression);
        }],
        ['bare Runtime.evaluate, Node', async () => {
            await all.bare.send('Runtime.evaluate', EVALUATE);
        }],
        // In braces: a number that is returned would count as a time.
        ['puppeteer-core', async () => {
            await all.puppeteerPage.evaluate('1+1');
        }],
        ['playwright-core', async () => {
            await all.playwrightPage.evaluate('1+1');
        }],
    ]);
    if (core) {
        // Its own clock, without the way to this process and back.
        calls.set('core of browser-runner, C', () => core.evaluate());
    }
    const { samples } = await interleave(setup, 'evaluate', calls, setup.rounds * 10);
    await all.close();
    await core?.close();
    setup.report.section(
        `Warm evaluate of 1+1, ${setup.browsers[0].name}`,
        'ms',
        samples,
        [
            { row: OURS, to: ['puppeteer-core', 'playwright-core'] },
            { row: OURS, to: ['bare Runtime.evaluate, Node'] },
            { row: 'core of browser-runner, C', to: ['bare Runtime.evaluate, Node'],
                label: 'bare Runtime.evaluate, Node (the core)' },
        ],
        2,
    );
}
