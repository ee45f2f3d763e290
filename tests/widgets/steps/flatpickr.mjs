const value = (id) => `document.getElementById('${id}').value`;

export default [
    {
        want: 'open the calendar by its field',
        ours: { do: 'click', selector: '#day' },
        theirs: (page) => page.getByLabel('Day', { exact: true }).click(),
        truth: "day._flatpickr.isOpen",
        is: true,
    },
    {
        want: 'take the 17th by its label',
        ours: { do: 'click', selector: '.open [aria-label="March 17, 2026"]' },
        theirs: (page) => page.locator('.open').getByLabel('March 17, 2026').click(),
        truth: value('day'),
        is: '2026-03-17',
    },
    {
        want: 'take the 4th by ids of the snapshot',
        fresh: true,
        ours: [
            { do: 'click', node: /textbox "Day"/ },
            { do: 'click', node: /"March 4, 2026"(?= e\d+\n)/ },
        ],
        theirs: async (page) => {
            await page.getByRole('textbox', { name: 'Day' }).click();
            await page.locator('.open').getByLabel('March 4, 2026').click();
        },
        truth: value('day'),
        is: '2026-03-04',
    },
    {
        want: 'go on to April and take the 2nd',
        fresh: true,
        ours: [
            { do: 'click', selector: '#day' },
            { do: 'click', selector: '.open .flatpickr-next-month' },
            { do: 'click', selector: '.open [aria-label="April 2, 2026"]' },
        ],
        theirs: async (page) => {
            await page.locator('#day').click();
            await page.locator('.open .flatpickr-next-month').click();
            await page.locator('.open').getByLabel('April 2, 2026').click();
        },
        truth: value('day'),
        is: '2026-04-02',
    },
    {
        want: 'choose the month from its list and the year in its field',
        fresh: true,
        ours: [
            { do: 'click', selector: '#day' },
            { do: 'select', selector: '.open .flatpickr-monthDropdown-months', label: 'August' },
            { do: 'type', selector: '.open .cur-year', text: '2027', clear: true, pressEnter: true },
            { do: 'click', selector: '.open [aria-label="August 9, 2027"]' },
        ],
        theirs: async (page) => {
            await page.locator('#day').click();
            await page.locator('.open .flatpickr-monthDropdown-months').selectOption('August');
            await page.locator('.open .cur-year').fill('2027');
            await page.locator('.open .cur-year').press('Enter');
            await page.locator('.open').getByLabel('August 9, 2027').click();
        },
        truth: value('day'),
        is: '2027-08-09',
    },
    {
        want: 'a stay from the 9th to the 12th',
        ours: [
            { do: 'click', selector: '#stay' },
            { do: 'click', selector: '.open [aria-label="March 9, 2026"]' },
            { do: 'click', selector: '.open [aria-label="March 12, 2026"]' },
        ],
        theirs: async (page) => {
            await page.locator('#stay').click();
            await page.locator('.open').getByLabel('March 9, 2026').click();
            await page.locator('.open').getByLabel('March 12, 2026').click();
        },
        truth: value('stay'),
        is: '2026-03-09 to 2026-03-12',
    },
    {
        want: 'a quarter past three by typing',
        ours: [
            { do: 'click', selector: '#hour' },
            { do: 'type', selector: '.open .flatpickr-hour', text: '15', clear: true },
            { do: 'type', selector: '.open .flatpickr-minute', text: '15', clear: true, pressEnter: true },
        ],
        theirs: async (page) => {
            await page.locator('#hour').click();
            await page.locator('.open .flatpickr-hour').fill('15');
            await page.locator('.open .flatpickr-minute').fill('15');
            await page.keyboard.press('Enter');
        },
        truth: value('hour'),
        is: '15:15',
    },
    {
        want: 'an hour more by the arrow beside it',
        fresh: true,
        ours: [
            { do: 'click', selector: '#hour' },
            { do: 'hover', selector: '.open .numInputWrapper:has(.flatpickr-hour)' },
            { do: 'click', selector: '.open .numInputWrapper:has(.flatpickr-hour) .arrowUp' },
        ],
        theirs: async (page) => {
            await page.locator('#hour').click();
            await page.locator('.open .numInputWrapper:has(.flatpickr-hour)').hover();
            await page.locator('.open .numInputWrapper:has(.flatpickr-hour) .arrowUp').click();
        },
        truth: value('hour'),
        is: '11:00',
    },
    {
        want: 'a day in the field that shows it in another form',
        fresh: true,
        ours: [
            { do: 'click', selector: '#alt + input' },
            { do: 'click', selector: '.open [aria-label="March 24, 2026"]' },
        ],
        theirs: async (page) => {
            await page.locator('#alt + input').click();
            await page.locator('.open').getByLabel('March 24, 2026').click();
        },
        truth: `[${value('alt')}, document.querySelector('#alt + input').value]`,
        is: ['2026-03-24', 'March 24, 2026'],
    },
    {
        want: 'type a day where that is allowed',
        ours: { do: 'type', selector: '#free', text: '2026-05-01', clear: true, pressEnter: true },
        theirs: async (page) => {
            await page.locator('#free').fill('2026-05-01');
            await page.locator('#free').press('Enter');
        },
        truth: "free._flatpickr.formatDate(free._flatpickr.selectedDates[0], 'Y-m-d')",
        is: '2026-05-01',
    },
    {
        want: 'type into a field that only the calendar fills',
        refused: 'TARGET_DISABLED',
        fresh: true,
        ours: { do: 'type', selector: '#day', text: '2026-05-01', clear: true },
        theirs: (page) => page.locator('#day').fill('2026-05-01'),
        truth: value('day'),
        is: '2026-03-10',
    },
    {
        want: 'a day of the calendar that is always there, by id',
        fresh: true,
        ours: { do: 'click', node: '"March 18, 2026"' },
        theirs: (page) => page.locator('.inline').getByLabel('March 18, 2026').click(),
        truth: "document.getElementById('inline')._flatpickr.input.value",
        is: '2026-03-18',
    },
];
