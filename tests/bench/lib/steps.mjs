// What a batch does: each step as an instruction for browser-runner and as calls of the peers.
const TEXT = 'Harbour Lane 12';
const SCROLL = 300;

const step = (type, parameters, playwright, puppeteer, reads = false) => {
    const elements = Object.entries(parameters)
        .map(([name, value]) => `<${name}>${value}</${name}>`)
        .join('');
    return {
        type,
        parameters: elements,
        playwright,
        puppeteer,
        /** Whether what it answers says what has been done to the page. */
        reads,
    };
};

const jpeg = { type: 'jpeg', quality: 25 };

const openings = (url) => [
    step('navigate', { url },
        (page) => page.goto(url),
        (page) => page.goto(url)),
    step('click', { selector: '#add' },
        (page) => page.click('#add'),
        (page) => page.locator('#add').click()),
    step('click', { role: 'button', name: 'Save order' },
        (page) => page.getByRole('button', { name: 'Save order' }).click(),
        (page) => page.locator('::-p-aria([name="Save order"][role="button"])').click()),
    step('click', { text: 'Show details' },
        (page) => page.getByText('Show details').click(),
        (page) => page.locator('::-p-text(Show details)').click()),
    step('type', { selector: '#recipient', text: TEXT },
        (page) => page.locator('#recipient').pressSequentially(TEXT),
        (page) => page.type('#recipient', TEXT)),
    step('select', { selector: '#port', value: 'ham' },
        (page) => page.selectOption('#port', 'ham'),
        (page) => page.select('#port', 'ham')),
    step('check', { selector: '#insured' },
        (page) => page.check('#insured'),
        // It has no check(): the state is read, as the others do.
        async (page) => {
            const isChecked = () => page.$eval('#insured', (box) => box.checked);
            if (!(await isChecked())) {
                await page.locator('#insured').click();
            }
            if (!(await isChecked())) {
                throw new Error('#insured was clicked and is not checked');
            }
        }),
];

const pressAndRead = [
    step('press', { selector: '#recipient', key: 'End' },
        (page) => page.press('#recipient', 'End'),
        async (page) => {
            await page.focus('#recipient');
            await page.keyboard.press('End');
        }),
    step('evaluate', { expression: 'state()' },
        (page) => page.evaluate('state()'),
        (page) => page.evaluate('state()'),
        true),
];

const scrollAndWait = [
    step('scroll', { x: 0, y: SCROLL },
        // mouse.wheel() comes back before anything has moved.
        (page) => page.evaluate(`scrollBy(0, ${SCROLL})`),
        (page) => page.evaluate(`scrollBy(0, ${SCROLL})`)),
    step('wait', { selector: '#details' },
        (page) => page.waitForSelector('#details'),
        (page) => page.waitForSelector('#details', { visible: true })),
];

const picture = step('screenshot', { quality: jpeg.quality },
    (page) => page.screenshot(jpeg),
    (page) => page.screenshot(jpeg));

/** 100 steps: ten times the same on a fresh page, every tenth a picture. */
export const mixedSteps = (url) =>
    Array.from({ length: 10 }, (_, i) => [
        ...openings(`${url}?${i}`),
        ...(i % 2 ? scrollAndWait : pressAndRead),
        picture,
    ]).flat();

const state = { added: 1, saved: 1, details: true, recipient: TEXT, port: 'ham', insured: true };

/** What `state()` of pages/form.html says in the middle of a batch, and at its end. */
export const expectedStates = [
    ...Array.from({ length: 5 }, () => ({ ...state, keys: 1, scrolled: 0 })),
    { ...state, keys: 0, scrolled: SCROLL },
];
