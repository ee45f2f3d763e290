/** What is typed into a field of the left form, by its label. */
const react = (label, member, text, is = text) => ({
    want: `React: ${text} into ${label}`,
    ours: { do: 'type', role: 'textbox', name: label, text, clear: true },
    theirs: (page) => page.getByRole('textbox', { name: label, exact: true }).fill(text),
    truth: `state.${member} ?? ''`,
    is,
});
const vue = (want, ours, theirs, truth, is) => ({ want: `Vue: ${want}`, ours, theirs, truth: `vue.${truth}`, is });

export default [
    {
        want: 'React: press a button that is disabled until there is a name',
        refused: 'TARGET_DISABLED',
        ours: { do: 'click', role: 'button', name: 'Save' },
        theirs: (page) => page.getByRole('button', { name: 'Save' }).click(),
        truth: 'state.saved ?? null',
        is: null,
    },
    {
        ...react('Name', 'name', 'Ada Lovelace'),
        ours: { do: 'type', selector: '#react input', nth: 0, text: 'Ada Lovelace', clear: true },
        theirs: (page) => page.locator('#react').getByLabel('Name').fill('Ada Lovelace'),
    },
    {
        want: 'React: press it then',
        ours: { do: 'click', role: 'button', name: 'Save' },
        theirs: (page) => page.getByRole('button', { name: 'Save' }).click(),
        truth: 'state.saved ?? null',
        is: 'Ada Lovelace',
    },
    react('Upper', 'upper', 'loud', 'LOUD'),
    react('Later', 'later', 'x'),
    { ...react('Frozen', 'frozen', 'thawed', 'frozen'), refused: 'UNKNOWN_ERROR' },
    { ...react('Short', 'short', 'abcdef', 'abc'), refused: 'warning', before: '' },
    react('Note', 'note', 'A note\nof two lines'),
    {
        want: 'React: the volume to 60',
        ours: { do: 'type', role: 'slider', name: 'Volume', text: '60' },
        theirs: (page) => page.getByRole('slider', { name: 'Volume' }).fill('60'),
        truth: 'state.volume',
        is: 60,
    },
    {
        want: 'React: a large size',
        ours: { do: 'select', role: 'combobox', name: 'Size', nth: 0, label: 'large' },
        theirs: (page) => page.getByRole('combobox', { name: 'Size', exact: true }).selectOption('large'),
        truth: 'state.size',
        is: 'large',
    },
    {
        want: 'React: choose what does not let itself be chosen',
        refused: 'UNKNOWN_ERROR',
        ours: { do: 'select', role: 'combobox', name: 'Kept', label: 'two' },
        theirs: (page) => page.getByRole('combobox', { name: 'Kept' }).selectOption('two'),
        truth: "document.querySelectorAll('#react select')[1].value",
        is: 'one',
    },
    {
        want: 'React: accept the terms by id',
        ours: { do: 'check', node: 'checkbox "Terms"' },
        theirs: (page) => page.getByRole('checkbox', { name: 'Terms', exact: true }).check(),
        truth: 'state.terms',
        is: true,
    },
    {
        want: 'React: check what stays as it is',
        refused: 'UNKNOWN_ERROR',
        ours: { do: 'check', role: 'checkbox', name: 'Never' },
        theirs: (page) => page.getByRole('checkbox', { name: 'Never' }).check(),
        truth: "document.querySelectorAll('#react [type=checkbox]')[1].checked",
        is: false,
    },
    {
        want: 'React: go by land',
        ours: { do: 'check', role: 'radio', name: 'By land' },
        theirs: (page) => page.getByRole('radio', { name: 'By land' }).check(),
        truth: 'state.way',
        is: 'land',
    },
    {
        want: 'React: remove the first item, by its name',
        ours: { do: 'click', text: 'Remove alpha' },
        theirs: (page) => page.getByText('Remove alpha').click(),
        truth: 'state.items',
        is: ['beta'],
    },
    {
        want: 'React: an item that has gone',
        refused: 'TARGET_NOT_FOUND',
        ours: { do: 'click', text: 'Remove alpha' },
        theirs: (page) => page.getByText('Remove alpha').click(),
        truth: 'state.items',
        is: ['beta'],
    },
    {
        want: 'React: press what is made anew by the press',
        ours: { do: 'click', role: 'button', name: 'Press' },
        theirs: (page) => page.getByRole('button', { name: 'Press' }).click(),
        truth: 'state.pressed ?? 0',
        is: 1,
    },
    {
        want: 'React: send the form by Enter in a field',
        ours: { do: 'press', selector: '#react input', nth: 0, key: 'Enter' },
        theirs: (page) => page.locator('#react input').first().press('Enter'),
        truth: 'state.sent ?? false',
        is: true,
    },
    vue('a name', { do: 'type', role: 'textbox', name: 'Vue name', text: 'Grace' },
        (page) => page.getByRole('textbox', { name: 'Vue name' }).fill('Grace'), 'name', 'Grace'),
    vue('what is taken at Enter only', { do: 'type', role: 'textbox', name: 'Lazy', text: 'slow', pressEnter: true },
        async (page) => {
            await page.getByRole('textbox', { name: 'Lazy' }).fill('slow');
            await page.keyboard.press('Enter');
        }, 'lazy', 'slow'),
    vue('a number', { do: 'type', role: 'spinbutton', name: 'Number', text: '12', clear: true },
        (page) => page.getByRole('spinbutton', { name: 'Number' }).fill('12'), 'number', 12),
    vue('text whose spaces go', { do: 'type', role: 'textbox', name: 'Trimmed', text: ' a b ' },
        (page) => page.getByRole('textbox', { name: 'Trimmed' }).fill(' a b '), 'trimmed', 'a b'),
    vue('a date', { do: 'type', selector: '#vue [type=date]', text: '2026-02-03' },
        (page) => page.getByLabel('When').fill('2026-02-03'), 'when', '2026-02-03'),
    vue('a colour', { do: 'type', selector: '#vue [type=color]', text: '#336699' },
        (page) => page.getByLabel('Tone').fill('#336699'), 'colour', '#336699'),
    vue('a size by id', { do: 'select', node: 'combobox "Vue size"', label: 'large' },
        (page) => page.getByLabel('Vue size').selectOption('large'), 'size', 'large'),
    vue('one of several', { do: 'select', role: 'listbox', name: 'Vue many', label: 'b' },
        (page) => page.getByLabel('Vue many').selectOption('b'), 'many.join()', 'b'),
    vue('the terms', { do: 'click', text: 'Vue terms' },
        (page) => page.getByText('Vue terms').click(), 'terms', true),
    vue('the night by its switch', { do: 'check', role: 'switch', name: 'Night mode' },
        (page) => page.getByRole('switch', { name: 'Night mode' }).check(), 'night', true),
    vue('words and Enter', {
        do: 'type', role: 'textbox', name: 'Search the log', text: 'found', pressEnter: true,
    }, async (page) => {
        await page.getByRole('textbox', { name: 'Search the log' }).fill('found');
        await page.keyboard.press('Enter');
    }, 'log.at(-1) ?? null', 'found'),
    vue('show a part, and press what is in it',
        [{ do: 'click', role: 'button', name: 'Toggle' }, { do: 'click', role: 'button', name: 'Shown' }],
        async (page) => {
            await page.getByRole('button', { name: 'Toggle' }).click();
            await page.getByRole('button', { name: 'Shown' }).click();
        }, 'log.at(-1) ?? null', 'shown'),
];
