export default [
    {
        want: 'fold the menu by the button below it',
        ours: { do: 'click', selector: '#sidebarToggle' },
        theirs: (page) => page.locator('#sidebarToggle').click(),
        truth: "$('.sidebar').hasClass('toggled')",
        is: true,
    },
    {
        want: 'unfold it again',
        ours: { do: 'click', selector: '#sidebarToggle' },
        theirs: (page) => page.locator('#sidebarToggle').click(),
        truth: "$('.sidebar').hasClass('toggled')",
        is: false,
    },
    {
        want: 'open a part of the menu, and go to the cards',
        ours: [{ do: 'click', role: 'link', name: 'Components' }, { do: 'click', role: 'link', name: 'Cards' }],
        theirs: async (page) => {
            await page.getByRole('link', { name: 'Components' }).click();
            await page.getByRole('link', { name: 'Cards' }).click();
        },
        truth: 'location.hash',
        is: '#cards',
    },
    {
        want: 'open another part by its id: the first closes',
        ours: { do: 'click', node: /link "[^"\n]*Utilities/ },
        theirs: (page) => page.getByRole('link', { name: 'Utilities' }).click(),
        truth: "[$('#collapseTwo').hasClass('show'), $('#collapseUtilities').hasClass('show')]",
        is: [false, true],
    },
    {
        want: 'the profile in the menu of the user',
        ours: [{ do: 'click', text: 'Douglas McGee' }, { do: 'click', text: 'Profile' }],
        theirs: async (page) => {
            await page.getByText('Douglas McGee').click();
            await page.getByText('Profile').click();
        },
        truth: 'location.hash',
        is: '#profile',
    },
    {
        want: 'the profile while the menu is closed',
        refused: 'TARGET_NOT_VISIBLE',
        fresh: true,
        ours: { do: 'click', text: 'Profile' },
        theirs: (page) => page.getByText('Profile').click(),
        truth: 'location.hash',
        is: '',
    },
    {
        want: 'an alert, by the bell',
        ours: [{ do: 'click', selector: '#alertsDropdown' }, { do: 'click', text: 'A new monthly report' }],
        theirs: async (page) => {
            await page.locator('#alertsDropdown').click();
            await page.getByText('A new monthly report').click();
        },
        truth: 'location.hash',
        is: '#alert1',
    },
    {
        want: 'open the question whether to leave',
        fresh: true,
        ours: [{ do: 'click', text: 'Douglas McGee' }, { do: 'click', selector: '.dropdown-item[data-toggle=modal]' }],
        theirs: async (page) => {
            await page.getByText('Douglas McGee').click();
            await page.locator('.dropdown-item[data-toggle=modal]').click();
        },
        truth: "$('#logoutModal').hasClass('show')",
        is: true,
    },
    {
        want: 'cancel it',
        ours: { do: 'click', role: 'button', name: 'Cancel' },
        theirs: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
        truth: "$('#logoutModal').is(':visible')",
        is: false,
    },
    {
        want: 'open the menu behind the question',
        refused: 'TARGET_OBSCURED',
        fresh: true,
        setup: "$('#logoutModal').modal('show')",
        ours: { do: 'click', selector: '#alertsDropdown' },
        theirs: (page) => page.locator('#alertsDropdown').click(),
        truth: "$('.dropdown-list').hasClass('show')",
        is: false,
    },
    {
        want: 'search the table',
        fresh: true,
        ours: { do: 'type', role: 'searchbox', name: 'Search:', text: 'Person 03' },
        theirs: (page) => page.getByRole('searchbox', { name: 'Search:' }).fill('Person 03'),
        truth: 'first()',
        is: 'Person 03',
    },
    {
        want: 'the third page of the table',
        fresh: true,
        ours: { do: 'click', role: 'link', name: '3' },
        theirs: (page) => page.getByRole('link', { name: '3', exact: true }).click(),
        truth: 'first()',
        is: 'Person 21',
    },
    {
        want: 'the next one by its words',
        ours: { do: 'click', text: 'Next' },
        theirs: (page) => page.getByText('Next').click(),
        truth: 'first()',
        is: 'Person 31',
    },
    {
        want: 'fifty rows a page',
        fresh: true,
        ours: { do: 'select', selector: '[name=dataTable_length]', label: '50' },
        theirs: (page) => page.locator('[name=dataTable_length]').selectOption('50'),
        truth: "$('#dataTable tbody tr').length",
        is: 50,
    },
    {
        want: 'the other way round by the name',
        fresh: true,
        ours: { do: 'click', role: 'columnheader', name: 'Name' },
        theirs: (page) => page.getByRole('columnheader', { name: 'Name' }).click(),
        truth: 'first()',
        is: 'Person 57',
    },
    {
        want: 'the newsletter by its switch',
        ours: { do: 'click', selector: '.custom-switch label' },
        theirs: (page) => page.getByText('Newsletter').click(),
        truth: "document.getElementById('switch').checked",
        is: true,
    },
    {
        want: 'no newsletter, by its name',
        ours: { do: 'check', role: 'checkbox', name: 'Newsletter', checked: false },
        theirs: (page) => page.getByRole('checkbox', { name: 'Newsletter' }).uncheck({ force: true }),
        truth: "document.getElementById('switch').checked",
        is: false,
    },
    {
        want: 'what a word means, by hovering',
        ours: { do: 'hover', text: 'Hover me' },
        theirs: (page) => page.getByText('Hover me').hover(),
        truth: "$('.tooltip').text()",
        is: 'What it means',
    },
];
