// Acting on a page in browsers that are held open: one click, and a batch of 100 mixed actions.
import { openAgentBrowser, openPlaywright, openPuppeteer, openRunner } from './contestants.mjs';
import { interleave } from './interleave.mjs';
import { servePage } from './server.mjs';
import { expectedStates, mixedSteps } from './steps.mjs';

const OURS = 'browser-runner run -';
const AIM = 0.6;
const BATCH_AIM = 0.75;

async function openAll(setup, url, screenshots) {
    const runner = await openRunner(setup, url, screenshots);
    const switches = runner.chromeSwitches();
    const playwright = await openPlaywright(setup, url, switches);
    const puppeteer = await openPuppeteer(setup, url, switches);
    return {
        runner,
        switches,
        playwright,
        puppeteer,
        close: () => Promise.all([runner.close(), playwright.close(), puppeteer.close()]),
    };
}

/** The clicks have to have come: each once, none lost. */
async function checkClicks(counts, expected) {
    for (const [name, read] of counts) {
        const count = Number(await read());
        if (count !== expected) {
            throw new Error(`${name} clicked ${expected} times, and ${count} clicks came`);
        }
    }
}

function tellMissing({ report, agentBrowser }) {
    if (!agentBrowser) {
        report.head([
            '  agent-browser is left out: its package has no program for this machine;',
            '  --agent-browser names one',
        ]);
    }
}

export async function measureClick(setup) {
    const server = await servePage();
    const all = await openAll(setup, server.url, 'none');
    const agent = setup.agentBrowser && await openAgentBrowser(setup, server.url, all.switches);
    const calls = new Map([
        [OURS, async () => {
            await all.runner.act('click', '<selector>#add</selector>');
        }],
        ['puppeteer-core', () => all.puppeteer.page.locator('#add').click()],
        ['playwright-core', () => all.playwright.page.click('#add')],
    ]);
    const counted = "document.getElementById('count').textContent";
    const counts = new Map([
        [OURS, async () => {
            const { result } = await all.runner.act('evaluate',
                `<expression>${counted}</expression>`);
            return result;
        }],
        ['puppeteer-core', () => all.puppeteer.page.evaluate(counted)],
        ['playwright-core', () => all.playwright.page.evaluate(counted)],
    ]);
    if (agent) {
        calls.set('agent-browser click', async () => {
            await agent.run('click', '#add');
        });
        counts.set('agent-browser', () => agent.run('get', 'text', '#count'));
    }
    try {
        const { samples, called } = await interleave(setup, 'click', calls, setup.rounds * 10);
        await checkClicks(counts, called);
        setup.report.section(
            `Click to response on a static page, ${setup.browsers[0].name}`,
            'ms',
            samples,
            [
                { row: OURS, to: ['playwright-core'], aim: AIM },
                { row: OURS, to: ['puppeteer-core'] },
                { row: OURS, to: ['agent-browser click'] },
            ],
            1,
        );
        tellMissing(setup);
    } finally {
        await agent?.close();
        await all.close();
        await server.close();
    }
}

function checkStates(name, states) {
    states.forEach((text, i) => {
        for (const [key, value] of Object.entries(expectedStates[i])) {
            const found = JSON.parse(text)[key];
            if (found !== value) {
                throw new Error(`${name}: state ${i}: ${key} is ${found}, not ${value}`);
            }
        }
    });
}

/** All instructions are written at once, as a file of them would be. */
async function runOurs(runner, steps) {
    const responses = await runner.batch(steps);
    return responses.filter((_, i) => steps[i].reads).map(({ result }) => result);
}

async function runPeer(page, peer, steps) {
    const states = [];
    for (const step of steps) {
        const value = await step[peer](page);
        if (step.reads) {
            states.push(value);
        }
    }
    return states;
}

export async function measureBatch(setup) {
    const server = await servePage();
    const all = await openAll(setup, server.url, 'explicit');
    const steps = mixedSteps(server.url);
    const last = new Map();
    const contestants = new Map([
        [OURS, () => runOurs(all.runner, steps)],
        ['puppeteer-core', () => runPeer(all.puppeteer.page, 'puppeteer', steps)],
        ['playwright-core', () => runPeer(all.playwright.page, 'playwright', steps)],
    ]);
    const calls = new Map([...contestants].map(([name, run]) => [name, async () => {
        last.set(name, await run());
    }]));
    const read = new Map([
        [OURS, async () => {
            const response = await all.runner.act('evaluate', '<expression>state()</expression>');
            return response.result;
        }],
        ['puppeteer-core', () => all.puppeteer.page.evaluate('state()')],
        ['playwright-core', () => all.playwright.page.evaluate('state()')],
    ]);
    const check = async (name) => checkStates(name, [...last.get(name), await read.get(name)()]);
    try {
        const { samples } = await interleave(setup, 'batch', calls, setup.rounds, check);
        setup.report.section(
            `Batch of ${steps.length} mixed actions, ${setup.browsers[0].name}`,
            'ms',
            samples,
            [
                { row: OURS, to: ['playwright-core'], aim: BATCH_AIM },
                { row: OURS, to: ['puppeteer-core'] },
            ],
        );
    } finally {
        await all.close();
        await server.close();
    }
}
