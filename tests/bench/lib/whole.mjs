// Whole processes, from their start to their exit: time to the first picture, and peak memory.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { median, peakMemory, runProcess, shuffled } from './measure.mjs';
import { Runner } from './runner.mjs';

const BATCH = 50;
const MEMORY_AIM_MB = 15;

/** Width and height of a JPEG, from its frame header, such as 1280x720. */
export function jpegSize(bytes) {
    for (let at = 2; bytes.readUInt16BE(0) === 0xffd8 && at + 9 < bytes.length; ) {
        const marker = bytes.readUInt16BE(at);
        if (marker >= 0xffc0 && marker <= 0xffc2) {
            return `${bytes.readUInt16BE(at + 7)}x${bytes.readUInt16BE(at + 5)}`;
        }
        at += 2 + bytes.readUInt16BE(at + 2);
    }
    return 'no JPEG';
}

function checkPicture(path) {
    const size = jpegSize(readFileSync(path));
    rmSync(path);
    if (size !== '1280x720') {
        throw new Error(`${path} is ${size}, not 1280x720`);
    }
}

const nodeScript = ({ peers, url }, name, browser, path, count = 1) => [
    process.execPath,
    join(peers, `${name}.mjs`),
    browser.path,
    browser.kind,
    url,
    path,
    String(count),
];

/** Every contestant of a start: its name and the command for a picture at `path`. */
function contestants(setup, browser) {
    const { program, url, folder } = setup;
    const sandbox = process.getuid() === 0 ? ['--no-sandbox'] : [];
    return new Map([
        [
            'browser-runner shot',
            (path) => [program, 'shot', url, '-o', path, '--temp-profile', '--chrome', browser.path],
        ],
        ['puppeteer-core', (path) => nodeScript(setup, 'puppeteer', browser, path)],
        ['playwright-core', (path) => nodeScript(setup, 'playwright', browser, path)],
        [
            `${browser.name} --screenshot`,
            (path) => [
                browser.path,
                '--headless',
                '--hide-scrollbars',
                '--window-size=1280,720',
                // Made and removed outside its time.
                `--user-data-dir=${mkdtempSync(join(folder, 'profile-'))}`,
                ...sandbox,
                `--screenshot=${path}`,
                url,
            ],
        ],
    ]);
}

export async function measureStart(setup) {
    const all = setup.browsers.flatMap((browser) =>
        [...contestants(setup, browser)].map(([name, command]) => ({
            browser,
            name,
            command,
            times: [],
        })),
    );
    const path = join(setup.folder, 'picture.jpg');
    // The first round fills the page cache and does not count.
    for (let round = -1; round < setup.rounds; round++) {
        setup.report.progress('start', round, setup.rounds);
        for (const one of shuffled(all)) {
            const { ms } = await runProcess(one.command(path));
            checkPicture(path);
            if (round >= 0) {
                one.times.push(ms);
            }
        }
    }
    for (const browser of setup.browsers) {
        const mine = all.filter((one) => one.browser === browser);
        const itself = `${browser.name} --screenshot`;
        const row = 'browser-runner shot';
        setup.report.section(
            `Start to first picture, ${browser.name}, whole process`,
            'ms',
            new Map(mine.map(({ name, times }) => [name, times])),
            [
                { row, to: ['puppeteer-core', 'playwright-core'], aim: 0.65 },
                { row, to: [itself], aim: 1 },
            ],
        );
    }
}

/** Peak memory of a browser-runner that takes many pictures. */
async function batchMemory({ program, url }, browser) {
    const args = ['--chrome', browser.path, '--screenshots', 'explicit'];
    const runner = new Runner(program, args);
    await runner.act('start', `<url>${url}</url>`);
    for (let i = 0; i < BATCH; i++) {
        await runner.screenshot();
    }
    const peak = peakMemory(runner.pid);
    await runner.close();
    return peak;
}

export async function measureMemory(setup) {
    const [browser] = setup.browsers;
    const path = join(setup.folder, 'picture.jpg');
    const watch = async (command) => (await runProcess(command, { watchMemory: true })).peak;
    const shot = contestants(setup, browser).get('browser-runner shot');
    const rows = new Map([
        ['browser-runner shot', () => watch(shot(path))],
        [`browser-runner run, ${BATCH} pictures`, () => batchMemory(setup, browser)],
    ]);
    for (const peer of ['puppeteer', 'playwright']) {
        rows.set(`${peer}-core, 1 picture`, () => watch(nodeScript(setup, peer, browser, path)));
        rows.set(`${peer}-core, ${BATCH} pictures`, () =>
            watch(nodeScript(setup, peer, browser, path, BATCH)),
        );
    }
    const samples = new Map([...rows.keys()].map((name) => [name, []]));
    const rounds = Math.ceil(setup.rounds / 5);
    for (let round = 0; round < rounds; round++) {
        setup.report.progress('memory', round, rounds);
        for (const [name, measure] of rows) {
            samples.get(name).push(await measure());
        }
    }
    setup.report.section('Peak memory of the driver alone (VmHWM)', 'MB', samples, [], 1);
    for (const name of [...rows.keys()].slice(0, 2)) {
        const peak = median(samples.get(name));
        const verdict = peak < MEMORY_AIM_MB ? 'met' : 'MISSED';
        setup.report.head([`  ${name}: aim under ${MEMORY_AIM_MB} MB: ${verdict}`]);
    }
}
