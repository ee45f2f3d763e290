const order = "$('#sortable li').toArray().map((li) => li.textContent).join(' ')";

export default [
    {
        want: 'choose the 21st in the calendar',
        ours: [{ do: 'click', selector: '#date' }, { do: 'click', role: 'link', name: '21' }],
        theirs: async (page) => {
            await page.getByLabel('Date').click();
            await page.getByRole('link', { name: '21' }).click();
        },
        truth: "$('#date').val()",
        is: '03/21/2026',
    },
    {
        want: 'two months on, by the button in the calendar',
        fresh: true,
        ours: [
            { do: 'click', selector: '#date' },
            { do: 'click', selector: '.ui-datepicker-next' }, { do: 'click', selector: '.ui-datepicker-next' },
            { do: 'click', role: 'link', name: '5', nth: 0 },
        ],
        theirs: async (page) => {
            await page.getByLabel('Date').click();
            await page.getByTitle('Next').click();
            await page.getByTitle('Next').click();
            await page.getByRole('link', { name: '5', exact: true }).click();
        },
        truth: "$('#date').val()",
        is: '05/05/2026',
    },
    {
        want: 'find a puffin while typing',
        ours: [{ do: 'type', selector: '#bird', text: 'puf' }, { do: 'click', text: 'Puffin' }],
        theirs: async (page) => {
            await page.getByLabel('Bird').pressSequentially('puf');
            await page.getByText('Puffin', { exact: true }).click();
        },
        truth: "$('#bird').val()",
        is: 'Puffin',
    },
    {
        want: 'find a guillemot by the arrow keys',
        ours: [
            { do: 'type', selector: '#bird', text: 'g', clear: true },
            { do: 'wait', text: 'Guillemot' },
            { do: 'press', key: 'ArrowDown' }, { do: 'press', key: 'ArrowDown' }, { do: 'press', key: 'Enter' },
        ],
        theirs: async (page) => {
            await page.getByLabel('Bird').fill('g');
            await page.getByText('Guillemot').waitFor();
            for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) {
                await page.keyboard.press(key);
            }
        },
        truth: "$('#bird').val()",
        is: 'Guillemot',
    },
    {
        want: 'drag the slider by 100 pixels',
        ours: {
            do: 'drag', selector: '#slider .ui-slider-handle',
            to: { selector: '#slider', position: { x: 140, y: 5 } },
        },
        theirs: (page) => page.locator('#slider .ui-slider-handle')
            .dragTo(page.locator('#slider'), { targetPosition: { x: 140, y: 5 } }),
        truth: "Math.abs($('#slider').slider('value') - 70) <= 1",
        is: true,
    },
    {
        want: 'the slider by keys',
        setup: "$('#slider').slider('value', 20)",
        ours: [
            { do: 'press', selector: '#slider .ui-slider-handle', key: 'ArrowRight' },
            { do: 'press', key: 'ArrowRight' },
        ],
        theirs: async (page) => {
            await page.locator('#slider .ui-slider-handle').press('ArrowRight');
            await page.keyboard.press('ArrowRight');
        },
        truth: "$('#slider').slider('value')",
        is: 22,
    },
    {
        want: 'the upper end of a range to 60',
        ours: {
            do: 'drag', selector: '#range .ui-slider-handle', nth: 1,
            to: { selector: '#range', position: { x: 120, y: 5 } },
        },
        theirs: (page) => page.locator('#range .ui-slider-handle').nth(1)
            .dragTo(page.locator('#range'), { targetPosition: { x: 120, y: 5 } }),
        truth: "$('#range').slider('values')[0] === 20 && Math.abs($('#range').slider('values')[1] - 60) <= 1",
        is: true,
    },
    {
        want: 'one up by the arrow of the spinner',
        ours: { do: 'click', selector: '.ui-spinner-up' },
        theirs: (page) => page.locator('.ui-spinner-up').click(),
        truth: "$('#spin').val()",
        is: '4',
    },
    {
        want: 'drag Four before Two',
        ours: { do: 'drag', text: 'Four', to: { selector: '#sortable li:nth-child(2)', position: { x: 20, y: 3 } } },
        theirs: (page) => page.getByText('Four')
            .dragTo(page.locator('#sortable li:nth-child(2)'), { targetPosition: { x: 20, y: 3 } }),
        truth: order,
        is: 'One Four Two Three',
    },
    {
        want: 'drag the ball into the box',
        ours: { do: 'drag', selector: '#ball', to: { selector: '#box' } },
        theirs: (page) => page.locator('#ball').dragTo(page.locator('#box')),
        truth: 'log.at(-1) ?? null',
        is: 'dropped',
    },
    {
        want: 'drag the ball where it is not taken: it goes back',
        refused: 'TARGET_DISABLED',
        late: true,
        fresh: true,
        ours: { do: 'drag', selector: '#ball', to: { selector: '#plain' } },
        theirs: (page) => page.locator('#ball').dragTo(page.locator('#plain')),
        // It takes half a second to go back.
        truth: 'new Promise((resolve) => setTimeout(() => resolve([log.length, fromHome()]), 700))',
        is: [0, 0],
        tells: ({ source }) => `Math.abs(ball.getBoundingClientRect().x - ${source.x}) < 1`,
    },
    {
        want: 'make a box larger by its corner',
        ours: {
            do: 'drag', selector: '#sized .ui-resizable-se', to: { x: 960, y: 190 },
        },
        theirs: async (page) => {
            await page.locator('#sized .ui-resizable-se').hover();
            await page.mouse.down();
            await page.mouse.move(960, 190, { steps: 5 });
            await page.mouse.up();
        },
        truth: 'sized.offsetWidth > 150 && sized.offsetHeight > 85',
        is: true,
    },
    {
        want: 'draw a frame around green and blue',
        ours: {
            do: 'drag', selector: '#selectable li:nth-child(2)', position: { x: 2, y: 3 },
            to: { selector: '#selectable li:nth-child(3)', position: { x: 60, y: 15 } },
        },
        theirs: (page) => page.getByText('green').dragTo(page.getByText('blue'),
            { sourcePosition: { x: 2, y: 3 }, targetPosition: { x: 60, y: 15 } }),
        truth: "$('#selectable .ui-selected').toArray().map((li) => li.textContent).join()",
        is: 'green,blue',
    },
    {
        want: 'save by a menu that opens when hovered',
        fresh: true,
        ours: [{ do: 'hover', text: 'File' }, { do: 'click', text: 'Save' }],
        theirs: async (page) => {
            await page.getByText('File').hover();
            await page.getByText('Save').click();
        },
        truth: 'log.at(-1) ?? null',
        is: 'Save',
    },
    {
        want: 'an entry of the menu that is disabled',
        refused: 'TARGET_DISABLED',
        fresh: true,
        ours: { do: 'click', text: 'Print' },
        theirs: (page) => page.getByText('Print').click(),
        truth: 'log',
        is: [],
    },
    {
        want: 'the second tab by its role',
        ours: { do: 'click', role: 'tab', name: 'Second' },
        theirs: (page) => page.getByRole('tab', { name: 'Second' }).click(),
        truth: "$('#tabs').tabs('option', 'active')",
        is: 1,
    },
    {
        want: 'the third tab by id',
        ours: { do: 'click', node: '"Third"' },
        theirs: (page) => page.getByRole('tab', { name: 'Third' }).click(),
        truth: "$('#tabs').tabs('option', 'active')",
        is: 2,
    },
    {
        want: 'open the South of the accordion',
        ours: { do: 'click', text: 'South' },
        theirs: (page) => page.getByText('South').click(),
        truth: "$('#accordion').accordion('option', 'active')",
        is: 1,
    },
    {
        want: 'choose fast in the drawn list',
        ours: [{ do: 'click', selector: '#speed-button' }, { do: 'click', role: 'option', name: 'fast' }],
        theirs: async (page) => {
            await page.locator('#speed-button').click();
            await page.getByRole('option', { name: 'fast' }).click();
        },
        truth: "$('#speed').val()",
        is: 'fast',
    },
    {
        want: 'a name for the dialog, and accept it',
        ours: [
            { do: 'click', role: 'button', name: 'Open the dialog' },
            { do: 'type', role: 'textbox', name: 'Name', text: 'Zoë' },
            { do: 'click', role: 'button', name: 'Accept' },
        ],
        theirs: async (page) => {
            await page.getByRole('button', { name: 'Open the dialog' }).click();
            await page.getByRole('textbox', { name: 'Name' }).fill('Zoë');
            await page.getByRole('button', { name: 'Accept' }).click();
        },
        truth: 'log.at(-1) ?? null',
        is: 'accepted Zoë',
    },
    {
        want: 'a tab behind the modal dialog',
        refused: 'TARGET_OBSCURED',
        fresh: true,
        setup: "$('#dialog').dialog('open')",
        ours: { do: 'click', selector: '#tabs a[href="#t2"]' },
        theirs: (page) => page.locator('#tabs a[href="#t2"]').click(),
        truth: "$('#tabs').tabs('option', 'active')",
        is: 0,
    },
    {
        want: 'drag the dialog by its title',
        fresh: true,
        setup: "$('#dialog').dialog('open').dialog('option', 'position', {my: 'left top', at: 'left+300 top+100', of: window})",
        ours: {
            do: 'drag', selector: '.ui-dialog-titlebar', position: { x: 60, y: 15 }, to: { x: 560, y: 215 },
        },
        theirs: async (page) => {
            const title = await page.locator('.ui-dialog-titlebar').boundingBox();
            await page.mouse.move(title.x + 60, title.y + 15);
            await page.mouse.down();
            await page.mouse.move(560, 215, { steps: 5 });
            await page.mouse.up();
        },
        truth: "Math.abs($('.ui-dialog').offset().left - 497) < 6",
        is: true,
    },
];
