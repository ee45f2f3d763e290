export default [
    {
        want: 'choose Oslo as the city, found by its words',
        ours: [{ do: 'click', selector: '#city + .select2' }, { do: 'click', role: 'option', name: 'Oslo' }],
        theirs: async (page) => {
            await page.locator('#city + .select2').click();
            await page.getByRole('option', { name: 'Oslo' }).click();
        },
        truth: "$('#city').val()",
        is: 'oslo',
    },
    {
        want: 'search for Bergen in the list and take it by Enter',
        ours: [
            { do: 'click', selector: '#city + .select2' },
            { do: 'type', selector: '.select2-container--open .select2-search__field', text: 'Ber', pressEnter: true },
        ],
        theirs: async (page) => {
            await page.locator('#city + .select2').click();
            await page.locator('.select2-container--open .select2-search__field').fill('Ber');
            await page.keyboard.press('Enter');
        },
        truth: "$('#city').val()",
        is: 'bergen',
    },
    {
        want: 'open the list of cities by the combobox of the snapshot',
        ours: { do: 'click', node: /"City"\n *combobox/ },
        theirs: (page) => page.getByRole('combobox', { name: 'City' }).click(),
        truth: "$('#city').data('select2').isOpen()",
        is: true,
    },
    {
        want: 'close it by Escape',
        fresh: true,
        setup: "$('#city').select2('open')",
        ours: { do: 'press', key: 'Escape' },
        theirs: (page) => page.keyboard.press('Escape'),
        truth: "$('#city').data('select2').isOpen()",
        is: false,
    },
    {
        want: 'choose a city that is disabled',
        refused: 'TARGET_DISABLED',
        fresh: true,
        setup: "$('#city').select2('open')",
        ours: { do: 'click', role: 'option', name: 'Wick' },
        theirs: (page) => page.getByRole('option', { name: 'Wick' }).click(),
        truth: "$('#city').val()",
        is: '',
    },
    {
        want: 'choose the Irish Sea from a list without a search, both by id',
        fresh: true,
        ours: [{ do: 'click', node: /"Sea"\n *combobox/ }, { do: 'click', node: /option "Irish Sea"/ }],
        theirs: async (page) => {
            await page.getByRole('combobox', { name: 'Sea' }).click();
            await page.getByRole('option', { name: 'Irish Sea' }).click();
        },
        truth: "$('#sea').val()",
        is: 'irish',
    },
    {
        want: 'choose the Baltic Sea by the words that are seen',
        fresh: true,
        setup: "$('#sea').val('irish').trigger('change')",
        ours: [{ do: 'click', text: 'Irish Sea' }, { do: 'click', text: 'Baltic Sea' }],
        theirs: async (page) => {
            await page.getByText('Irish Sea').last().click();
            await page.getByText('Baltic Sea').last().click();
        },
        truth: "$('#sea').val()",
        is: 'baltic',
    },
    {
        want: 'choose a sea by the arrow keys',
        fresh: true,
        setup: "$('#sea').val('baltic').trigger('change')",
        ours: [
            { do: 'focus', selector: '#sea + .select2 .select2-selection' },
            { do: 'press', key: 'Enter' }, { do: 'press', key: 'ArrowUp' }, { do: 'press', key: 'ArrowUp' },
            { do: 'press', key: 'Enter' },
        ],
        theirs: async (page) => {
            await page.locator('#sea + .select2 .select2-selection').focus();
            for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'Enter']) {
                await page.keyboard.press(key);
            }
        },
        truth: "$('#sea').val()",
        is: 'north',
    },
    {
        want: 'add a yawl to the boats',
        ours: [{ do: 'click', selector: '#boats + .select2' }, { do: 'click', role: 'option', name: 'Yawl' }],
        theirs: async (page) => {
            await page.locator('#boats + .select2').click();
            await page.getByRole('option', { name: 'Yawl' }).click();
        },
        truth: "$('#boats').val()",
        is: ['yawl', 'cutter'],
    },
    {
        want: 'remove the cutter by its cross',
        fresh: true,
        setup: "$('#boats').val(['yawl', 'cutter']).trigger('change')",
        ours: { do: 'click', role: 'button', name: 'Remove item', nth: 1 },
        theirs: (page) => page.getByRole('button', { name: 'Remove item' }).last().click(),
        truth: "$('#boats').val()",
        is: ['yawl'],
    },
    {
        want: 'type to find a ketch and take it',
        fresh: true,
        ours: [
            { do: 'type', selector: '#boats + .select2 .select2-search__field', text: 'ket' },
            { do: 'click', role: 'option', name: 'Ketch' },
        ],
        theirs: async (page) => {
            await page.locator('#boats + .select2 .select2-search__field').fill('ket');
            await page.getByRole('option', { name: 'Ketch' }).click();
        },
        truth: "$('#boats').val()",
        is: ['ketch', 'cutter'],
    },
    {
        want: 'type a new tag and Enter',
        fresh: true,
        ours: { do: 'type', selector: '#tags + .select2 .select2-search__field', text: 'urgent', pressEnter: true },
        theirs: async (page) => {
            await page.locator('#tags + .select2 .select2-search__field').fill('urgent');
            await page.keyboard.press('Enter');
        },
        truth: "$('#tags').val()",
        is: ['urgent'],
    },
    {
        want: 'find a harbour that the server knows',
        fresh: true,
        ours: [
            { do: 'click', selector: '#remote + .select2' },
            { do: 'type', selector: '.select2-container--open .select2-search__field', text: 'wick' },
            { do: 'click', role: 'option', name: 'Lerwick' },
        ],
        theirs: async (page) => {
            await page.locator('#remote + .select2').click();
            await page.locator('.select2-container--open .select2-search__field').fill('wick');
            await page.getByRole('option', { name: 'Lerwick' }).click();
        },
        truth: "$('#remote').val()",
        is: 'lerwick',
    },
    {
        want: 'empty the flag by its cross',
        ours: { do: 'click', selector: '#clear + .select2 .select2-selection__clear' },
        theirs: (page) => page.locator('#clear + .select2 .select2-selection__clear').click(),
        truth: "$('#clear').val()",
        is: '',
    },
    {
        want: 'open a list that is disabled',
        refused: 'TARGET_NOT_FOUND',
        fresh: true,
        ours: [{ do: 'click', selector: '#off + .select2' }, { do: 'click', role: 'option', name: 'B' }],
        theirs: async (page) => {
            await page.locator('#off + .select2').click();
            await page.getByRole('option', { name: 'B', exact: true }).click();
        },
        truth: "$('#off').val()",
        is: 'a',
    },
    {
        want: 'set the hidden select itself: a person sees the widget change',
        ours: { do: 'select', selector: '#city', value: 'oslo' },
        theirs: (page) => page.locator('#city').selectOption('oslo'),
        truth: "$('#city + .select2 .select2-selection__rendered').text()",
        is: 'Oslo',
    },
];
