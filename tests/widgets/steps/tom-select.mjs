export default [
    {
        want: 'choose an elm',
        ours: [{ do: 'click', selector: '#one + .ts-wrapper' }, { do: 'click', role: 'option', name: 'Elm' }],
        theirs: async (page) => {
            await page.locator('#one + .ts-wrapper').click();
            await page.locator('.ts-dropdown').getByRole('option', { name: 'Elm' }).click();
        },
        truth: 'ts.one.getValue()',
        is: 'elm',
    },
    {
        want: 'type to find an oak and Enter',
        fresh: true,
        ours: [
            { do: 'click', node: /combobox "Tree/ },
            { do: 'type', selector: '#one-ts-control', text: 'oa' },
            { do: 'press', key: 'Enter' },
        ],
        theirs: async (page) => {
            await page.getByRole('combobox', { name: 'Tree' }).click();
            await page.locator('#one-ts-control').fill('oa');
            await page.keyboard.press('Enter');
        },
        truth: 'ts.one.getValue()',
        is: 'oak',
    },
    {
        want: 'an ash, which is disabled',
        refused: 'TARGET_DISABLED',
        fresh: true,
        setup: 'ts.one.open()',
        ours: { do: 'click', text: 'Ash' },
        theirs: (page) => page.locator('.ts-dropdown').getByText('Ash').click(),
        truth: 'ts.one.getValue()',
        is: '',
    },
    {
        want: 'mint besides dill',
        fresh: true,
        ours: [{ do: 'click', selector: '#many-ts-control' }, { do: 'click', role: 'option', name: 'Mint' }],
        theirs: async (page) => {
            await page.locator('#many-ts-control').click();
            await page.locator('.ts-dropdown').getByRole('option', { name: 'Mint' }).click();
        },
        truth: 'ts.many.getValue()',
        is: ['dill', 'mint'],
    },
    {
        want: 'remove the dill by its cross',
        fresh: true,
        ours: { do: 'click', selector: '.item[data-value=dill] .remove' },
        theirs: (page) => page.locator('.item[data-value=dill] .remove').click(),
        truth: 'ts.many.getValue()',
        is: [],
    },
    {
        want: 'remove a herb by Backspace',
        fresh: true,
        ours: [{ do: 'click', selector: '#many-ts-control' }, { do: 'press', key: 'Backspace' }],
        theirs: async (page) => {
            await page.locator('#many-ts-control').click();
            await page.keyboard.press('Backspace');
        },
        truth: 'ts.many.getValue()',
        is: [],
    },
    {
        want: 'a new word, ended by Enter',
        fresh: true,
        ours: { do: 'type', selector: '#tags-ts-control', text: 'second', pressEnter: true },
        theirs: async (page) => {
            await page.locator('#tags-ts-control').fill('second');
            await page.keyboard.press('Enter');
        },
        truth: 'ts.tags.getValue()',
        is: 'first,second',
    },
    {
        want: 'choices: the kind of sound',
        fresh: true,
        ours: [
            { do: 'click', selector: '.choices:has(#kind)' },
            { do: 'click', role: 'option', name: 'Sound' },
        ],
        theirs: async (page) => {
            await page.locator('.choices:has(#kind)').click();
            await page.locator('.choices__list--dropdown').getByRole('option', { name: 'Sound' }).click();
        },
        truth: 'ch.kind.getValue(true)',
        is: 'sound',
    },
    {
        want: 'choices: search for it and Enter',
        fresh: true,
        ours: [
            { do: 'click', node: /"Kind"\n *combobox/ },
            { do: 'type', selector: '.choices:has(#kind) input[type=search]', text: 'sou', pressEnter: true },
        ],
        theirs: async (page) => {
            await page.locator('.choices:has(#kind)').click();
            await page.locator('.choices:has(#kind) input[type=search]').fill('sou');
            await page.keyboard.press('Enter');
        },
        truth: 'ch.kind.getValue(true)',
        is: 'sound',
    },
    {
        want: 'choices: a kind that is disabled',
        refused: 'TARGET_DISABLED',
        fresh: true,
        setup: 'ch.kind.showDropdown()',
        ours: { do: 'click', role: 'option', name: 'Gauge' },
        theirs: (page) => page.locator('.choices__list--dropdown').getByRole('option', { name: 'Gauge' }).click(),
        truth: 'ch.kind.getValue(true)',
        is: 'light',
    },
    {
        want: 'choices: blue besides red',
        fresh: true,
        ours: [
            { do: 'click', selector: '.choices:has(#colours)' },
            { do: 'click', role: 'option', name: 'Blue' },
        ],
        theirs: async (page) => {
            await page.locator('.choices:has(#colours)').click();
            await page.locator('.choices__list--dropdown').getByRole('option', { name: 'Blue' }).click();
        },
        truth: 'ch.colours.getValue(true)',
        is: ['red', 'blue'],
    },
    {
        want: 'choices: remove the red by its cross',
        fresh: true,
        ours: { do: 'click', role: 'button', name: 'Remove item: red' },
        theirs: (page) => page.getByRole('button', { name: 'Remove item: red' }).click(),
        truth: 'ch.colours.getValue(true)',
        is: [],
    },
];
