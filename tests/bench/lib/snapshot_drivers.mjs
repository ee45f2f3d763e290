// Those who look at a page: each opens one, changes it, and says what it sees.
import { readFileSync } from 'node:fs';

import { openAgentBrowser, openPlaywright, openRunner, VIEWPORT } from './contestants.mjs';
import { PipeClient } from './pipe.mjs';

export const OURS = 'browser-runner run -';
export const PLAYWRIGHT = "playwright-core, mode 'ai'";
export const AGENT_BROWSER = 'agent-browser snapshot';
export const TREES = 'bare getDocument and getFullAXTree';
export const CAPTURE = 'bare captureSnapshot';

/** The parameters of ours, as its source has them. */
function captureParameters() {
    const source = readFileSync(new URL('../../../runner/snapshot/dom/style.c', import.meta.url), 'utf8');
    const styles = /\bsnapshot_styles\[\] = \{([^}]*)\}/.exec(source)[1];
    return {
        computedStyles: [...styles.matchAll(/"([^"]+)"/g)].map(([, name]) => name),
        includePaintOrder: true,
    };
}

export async function openOurs(setup, url) {
    const runner = await openRunner(setup, url, 'none');
    return {
        runner,
        evaluate: async (expression) => {
            const text = `<expression><![CDATA[${expression}]]></expression>`;
            return (await runner.act('evaluate', text)).result;
        },
        go: (to) => runner.act('navigate', `<url>${to}</url><waitUntil>domcontentloaded</waitUntil>`),
        look: async () => (await runner.act('snapshot')).result.text,
        close: () => runner.close(),
    };
}

async function openPlaywrightToLook(setup, url, switches) {
    const { page, close } = await openPlaywright(setup, url, switches);
    return {
        page,
        evaluate: (expression) => page.evaluate(expression),
        go: (to) => page.goto(to, { waitUntil: 'domcontentloaded' }),
        look: () => page.ariaSnapshot({ mode: 'ai', timeout: 0 }),
        close,
    };
}

async function openAgentToLook(setup, url, switches) {
    const { run, close } = await openAgentBrowser(setup, url, switches);
    return {
        evaluate: (expression) => run('eval', expression),
        look: () => run('snapshot'),
        close,
    };
}

/** `look(client)` on a connection of its own, which nothing else is sent to. */
async function openBare({ browsers: [browser] }, url, switches, look) {
    const client = new PipeClient(browser.path, switches);
    await client.open(url, VIEWPORT);
    return {
        evaluate: (expression) => client.send('Runtime.evaluate', { expression }),
        look: () => look(client),
        close: () => client.close(),
    };
}

const lookAtTrees = (client) => Promise.all([
    client.send('DOM.getDocument', { depth: -1, pierce: true }),
    client.send('Accessibility.getFullAXTree'),
]);

/** Opens `url` in each of `names`, one browser each. Resolves to the drivers by their names. */
export async function openAll(setup, url, names) {
    const ours = await openOurs(setup, url);
    const switches = ours.runner.chromeSwitches();
    const parameters = captureParameters();
    const openers = new Map([
        [TREES, () => openBare(setup, url, switches, lookAtTrees)],
        [CAPTURE, () => openBare(setup, url, switches, (client) =>
            client.send('DOMSnapshot.captureSnapshot', parameters))],
        [PLAYWRIGHT, () => openPlaywrightToLook(setup, url, switches)],
        [AGENT_BROWSER, () => openAgentToLook(setup, url, switches)],
    ]);
    const drivers = new Map([[OURS, ours]]);
    try {
        for (const name of names) {
            drivers.set(name, await openers.get(name)());
        }
    } catch (error) {
        await closeAll(drivers);
        throw error;
    }
    return drivers;
}

export async function closeAll(drivers) {
    await Promise.all([...drivers.values()].map((driver) => driver.close()));
}
