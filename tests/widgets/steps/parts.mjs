const last = 'log.at(-1) ?? null';
const told = (name) => `answers['${name}'] ?? null`;

/** What is done in one of the frames. */
const inFrame = (what, name) => [
    {
        want: `type into ${what}`,
        ours: { do: 'type', role: 'textbox', name: 'Words', frame: name, text: 'hello' },
        theirs: (page) => page.frameLocator(`#${name}`).getByLabel('Words').fill('hello'),
        truth: told(`${name}-typed`),
        is: 'hello',
    },
    {
        want: `press a button in ${what}`,
        ours: { do: 'click', text: 'Press here', frame: name },
        theirs: (page) => page.frameLocator(`#${name}`).getByText('Press here').click(),
        truth: told(`${name}-pressed`),
        is: true,
    },
    {
        want: `choose in ${what}`,
        ours: { do: 'select', selector: 'select', frame: name, label: 'two' },
        theirs: (page) => page.frameLocator(`#${name}`).getByLabel('Choice').selectOption('two'),
        truth: told(`${name}-chosen`),
        is: 'two',
    },
];

export default [
    {
        want: 'type into a field of a shadow tree',
        ours: { do: 'type', role: 'textbox', name: 'Outer name', text: 'Zoë' },
        theirs: (page) => page.getByRole('textbox', { name: 'Outer name' }).fill('Zoë'),
        truth: "document.querySelector('x-field').value",
        is: 'Zoë',
    },
    {
        want: 'the same by its id',
        ours: { do: 'type', node: 'textbox "Outer name"', text: 'Ada', clear: true },
        theirs: (page) => page.getByLabel('Outer name').fill('Ada'),
        truth: "document.querySelector('x-field').value",
        is: 'Ada',
    },
    {
        want: 'paste, by a menu in a shadow tree',
        ours: [{ do: 'click', role: 'button', name: 'Actions' }, { do: 'click', text: 'Paste' }],
        theirs: async (page) => {
            await page.getByRole('button', { name: 'Actions' }).click();
            await page.getByText('Paste').click();
        },
        truth: last,
        is: 'Paste',
    },
    {
        want: 'copy, by the role that its element told to Chrome alone',
        known: 'its role is missing in the snapshot',
        ours: { do: 'click', node: 'menuitem "Copy"' },
        theirs: (page) => page.getByText('Copy').click(),
        truth: last,
        is: 'Copy',
    },
    {
        want: 'press what is in a slot',
        ours: { do: 'click', text: 'In a slot' },
        theirs: (page) => page.getByText('In a slot').click(),
        truth: last,
        is: 'slotted',
    },
    {
        want: 'press what is in a closed tree, by the id of the snapshot',
        ours: { do: 'click', node: 'button "In a closed tree"' },
        theirs: (page) => page.locator('x-closed').click(),
        truth: last,
        is: 'closed',
    },
    ...inFrame('a frame', 'same'),
    ...inFrame('a frame of another origin', 'other'),
    ...inFrame('a frame that is turned and scaled', 'turned'),
    {
        want: 'press what is drawn at half its size',
        ours: { do: 'click', text: 'Scaled button' },
        theirs: (page) => page.getByText('Scaled button').click(),
        truth: last,
        is: 'scaled',
    },
];
