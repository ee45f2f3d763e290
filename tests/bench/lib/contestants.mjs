// Browsers held open for acting: one binary with the same switches, a driver for each.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';

import { Runner } from './runner.mjs';

export const VIEWPORT = { width: 1280, height: 720 };
const START_MS = 15000;
const SESSION = ['--session', 'bench'];

/** browser-runner at the page, without pictures that nobody asked for. */
export async function openRunner({ program, browsers: [browser], switches = [] }, url, screenshots) {
    const runner = new Runner(program, ['--chrome', browser.path, '--screenshots', screenshots,
        ...switches.flatMap((one) => ['--chrome-arg', one])]);
    await runner.act('start', `<url>${url}</url>`);
    return runner;
}

export async function openPlaywright({ folder, browsers: [browser] }, url, switches) {
    const launched = await chromium.launch({
        executablePath: browser.path,
        ignoreDefaultArgs: true,
        args: [
            ...switches,
            '--remote-debugging-pipe',
            `--user-data-dir=${mkdtempSync(join(folder, 'playwright-'))}`,
        ],
    });
    const page = await launched.newPage({ viewport: VIEWPORT });
    await page.goto(url);
    return { page, close: () => launched.close() };
}

export async function openPuppeteer({ folder, browsers: [browser] }, url, switches) {
    const launched = await puppeteer.launch({
        executablePath: browser.path,
        ignoreDefaultArgs: true,
        pipe: true,
        waitForInitialPage: false, // these switches open none
        defaultViewport: VIEWPORT,
        args: [
            ...switches,
            '--remote-debugging-pipe',
            `--user-data-dir=${mkdtempSync(join(folder, 'puppeteer-'))}`,
        ],
    });
    const page = await launched.newPage();
    await page.goto(url);
    return { page, close: () => launched.close() };
}

/**
 * One command of a program; resolves to its stdout, rejects unless it exits with 0. `end` is 'exit'
 * where a daemon that it starts may hold stdout open for longer.
 */
function command(file, args, env, end = 'close') {
    return new Promise((resolve, reject) => {
        const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        const said = { stdout: '', stderr: '' };
        for (const stream of ['stdout', 'stderr']) {
            child[stream].on('data', (data) => {
                said[stream] += data;
            });
        }
        child.on('error', reject);
        child.on(end, (code, signal) => {
            if (code === 0) {
                resolve(said.stdout);
            } else {
                reject(new Error(`${file} ${args.join(' ')}: exit ${code ?? signal}\n` +
                    said.stdout + said.stderr));
            }
        });
    });
}

async function readPort(profile) {
    for (const end = Date.now() + START_MS; Date.now() < end; await pause(20)) {
        try {
            const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'latin1').split('\n');
            if (port) {
                return port;
            }
        } catch {
            // Chrome is still starting.
        }
    }
    throw new Error(`Chrome did not open its port in ${START_MS} ms`);
}

/** agent-browser's command line: a process for each command, and its daemon, which is warm. */
export async function openAgentBrowser(setup, url, switches) {
    const { agentBrowser, folder, browsers: [browser] } = setup;
    const profile = mkdtempSync(join(folder, 'agent-browser-'));
    const chrome = spawn(
        browser.path,
        [...switches, '--remote-debugging-port=0', `--user-data-dir=${profile}`],
        { stdio: 'ignore' },
    );
    const chromeEnded = new Promise((resolve) => chrome.on('exit', resolve));
    const env = { ...process.env, HOME: profile, AGENT_BROWSER_SOCKET_DIR: profile };
    const run = (...args) => command(agentBrowser, [...SESSION, ...args], env);
    const close = async () => {
        await run('close').catch(() => {});
        chrome.kill();
        await chromeEnded;
    };
    try {
        const connect = [...SESSION, 'connect', await readPort(profile)];
        await command(agentBrowser, connect, env, 'exit');
        await run('set', 'viewport', String(VIEWPORT.width), String(VIEWPORT.height));
        await run('open', url);
    } catch (error) {
        await close();
        throw error;
    }
    return { run, close };
}

/** Removes what the browsers left in `folder`; Chrome may still be writing there. */
export function removeProfiles(folder) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
