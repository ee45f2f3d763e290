const cell = (row, column) => `.ag-row[row-index="${row}"] [col-id="${column}"]`;
const selected = "api.getSelectedRows().map(({id}) => id).join()";

export default [
    {
        want: 'sort by the number of boats',
        ours: { do: 'click', role: 'columnheader', name: 'Boats' },
        theirs: (page) => page.getByRole('columnheader', { name: 'Boats' }).click(),
        truth: "api.getColumnState().find(({colId}) => colId === 'boats').sort",
        is: 'asc',
    },
    {
        want: 'sort by it the other way round, by its text',
        ours: { do: 'click', text: 'Boats' },
        theirs: (page) => page.getByText('Boats').click(),
        truth: "api.getColumnState().find(({colId}) => colId === 'boats').sort",
        is: 'desc',
    },
    {
        want: 'edit a town by a double click',
        fresh: true,
        ours: [
            { do: 'click', selector: cell(1, 'town'), clickCount: 2 },
            { do: 'type', selector: `${cell(1, 'town')} input`, text: 'Lerwick', clear: true, pressEnter: true },
        ],
        theirs: async (page) => {
            await page.locator(cell(1, 'town')).dblclick();
            await page.locator(`${cell(1, 'town')} input`).fill('Lerwick');
            await page.keyboard.press('Enter');
        },
        truth: 'rowData[1].town',
        is: 'Lerwick',
    },
    {
        want: 'edit boats by keys: Enter, a number, Enter',
        ours: [
            { do: 'click', selector: cell(2, 'boats') }, { do: 'press', key: 'Enter' },
            { do: 'press', key: 'Control+A' }, { do: 'press', key: '7' }, { do: 'press', key: 'Enter' },
        ],
        theirs: async (page) => {
            await page.locator(cell(2, 'boats')).click();
            for (const key of ['Enter', 'ControlOrMeta+A', '7', 'Enter']) {
                await page.keyboard.press(key);
            }
        },
        truth: 'rowData[2].boats',
        is: 7,
    },
    {
        want: 'begin an edit, and leave it by Escape',
        ours: [
            { do: 'click', selector: cell(3, 'town'), clickCount: 2 },
            { do: 'type', selector: `${cell(3, 'town')} input`, text: 'Nowhere', clear: true },
            { do: 'press', key: 'Escape' }, { do: 'click', selector: cell(3, 'id') },
        ],
        theirs: async (page) => {
            await page.locator(cell(3, 'town')).dblclick();
            await page.locator(`${cell(3, 'town')} input`).fill('Nowhere');
            await page.keyboard.press('Escape');
            await page.locator(cell(3, 'id')).click();
        },
        truth: "[rowData[3].town, api.getFocusedCell()?.rowIndex, api.getFocusedCell()?.column.getColId()]",
        is: ['Ayr', 3, 'id'],
    },
    {
        want: 'open the second row by its check box',
        ours: { do: 'click', selector: `${cell(1, 'open')} input` },
        theirs: (page) => page.locator(`${cell(1, 'open')} input`).click(),
        truth: 'rowData[1].open',
        is: true,
    },
    {
        want: 'select the first row by its box',
        ours: { do: 'check', selector: '.ag-row[row-index="0"] .ag-selection-checkbox input' },
        theirs: (page) => page.locator('.ag-row[row-index="0"] .ag-selection-checkbox input').check(),
        truth: selected,
        is: '1',
    },
    {
        want: 'select the third row, too, by its role',
        ours: { do: 'check', role: 'checkbox', name: 'row selection', nth: 2 },
        theirs: (page) => page.getByRole('checkbox', { name: 'row selection' }).nth(2).check(),
        truth: selected,
        is: '1,3',
    },
    {
        want: 'select all',
        ours: { do: 'click', selector: '.ag-header-select-all input' },
        theirs: (page) => page.locator('.ag-header-select-all input').click(),
        truth: 'api.getSelectedRows().length',
        is: 400,
    },
    {
        want: 'only Wick, by the filter below the name',
        fresh: true,
        ours: { do: 'type', role: 'textbox', name: 'Town Filter Input', text: 'Wick' },
        theirs: (page) => page.getByRole('textbox', { name: 'Town Filter Input' }).fill('Wick'),
        truth: 'api.getDisplayedRowCount()',
        is: 80,
    },
    {
        want: 'bring row 200 into view by the wheel',
        fresh: true,
        ours: { do: 'wheel', selector: '.ag-grid-viewport', deltaY: 8300 },
        theirs: async (page) => {
            await page.locator('.ag-grid-viewport').hover();
            await page.mouse.wheel(0, 8300);
        },
        truth: "Boolean(document.querySelector('.ag-row[row-index=\"200\"]'))",
        is: true,
    },
    {
        want: 'bring row 300 into view by scrolling the box',
        fresh: true,
        ours: { do: 'scroll', selector: '.ag-grid-viewport', y: 12500, mode: 'absolute' },
        theirs: (page) => page.locator('.ag-grid-viewport').evaluate((box) => { box.scrollTop = 12500; }),
        truth: "Boolean(document.querySelector('.ag-row[row-index=\"300\"]'))",
        is: true,
    },
    {
        want: 'click a cell of that row',
        ours: { do: 'click', selector: cell(300, 'town') },
        theirs: (page) => page.locator(cell(300, 'town')).click(),
        truth: 'api.getFocusedCell()?.rowIndex ?? null',
        is: 300,
    },
    {
        want: 'a row that is not there before it is scrolled to',
        refused: 'TARGET_NOT_FOUND',
        fresh: true,
        ours: { do: 'click', selector: cell(300, 'town') },
        theirs: (page) => page.locator(cell(300, 'town')).click(),
        truth: 'api.getFocusedCell()?.rowIndex ?? null',
        is: null,
    },
    {
        want: 'make the town wider by dragging the edge of its header',
        fresh: true,
        ours: {
            do: 'drag', selector: '.ag-header-cell[col-id=town] .ag-header-cell-resize',
            to: { selector: '[role=columnheader][col-id=boats]', position: { x: 100, y: 20 } },
        },
        theirs: (page) => page.locator('.ag-header-cell[col-id=town] .ag-header-cell-resize')
            .dragTo(page.locator('[role=columnheader][col-id=boats]'), { targetPosition: { x: 100, y: 20 } }),
        truth: "api.getColumn('town').getActualWidth() > 270",
        is: true,
    },
    {
        want: 'drag the column of boats before the town',
        fresh: true,
        ours: {
            do: 'drag', selector: '.ag-header-cell[col-id=boats] .ag-header-cell-text',
            to: { selector: '[role=columnheader][col-id=town]', position: { x: 30, y: 20 } },
        },
        theirs: (page) => page.locator('.ag-header-cell[col-id=boats] .ag-header-cell-text')
            .dragTo(page.locator('[role=columnheader][col-id=town]'), { targetPosition: { x: 30, y: 20 } }),
        truth: 'columns()',
        is: 'id,boats,town,open',
    },
    {
        want: 'the filter of boats: more than 90, in its window',
        fresh: true,
        ours: [
            { do: 'click', selector: '.ag-header-cell[col-id=boats] .ag-header-cell-filter-button' },
            { do: 'click', role: 'combobox', name: 'Filtering operator' },
            { do: 'click', role: 'option', name: 'Greater than', nth: 0 },
            { do: 'type', role: 'spinbutton', name: 'Filter Value', text: '90' },
        ],
        theirs: async (page) => {
            await page.locator('.ag-header-cell[col-id=boats] .ag-header-cell-filter-button').click();
            await page.getByRole('combobox', { name: 'Filtering operator' }).click();
            await page.getByRole('option', { name: 'Greater than', exact: true }).click();
            await page.getByRole('spinbutton', { name: 'Filter Value' }).fill('90');
        },
        truth: 'api.getFilterModel().boats?.filter ?? null',
        is: 90,
    },
];
