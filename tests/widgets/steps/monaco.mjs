const setup = "editor.setValue('first line\\nsecond line\\nthird line')";

const replaceAll = async (page, text) => {
    await page.locator('#editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
};

export default [
    {
        want: 'type over all, by the id of the snapshot',
        ours: { do: 'type', node: /(?:textbox|code) "Script/, text: 'let a = 1;', clear: true },
        theirs: (page) => replaceAll(page, 'let a = 1;'),
        truth: 'text()',
        is: 'let a = 1;',
    },
    {
        want: 'type over all, by role and name',
        ours: { do: 'type', role: 'textbox', name: 'Script', text: 'let b = 2;', clear: true },
        theirs: async (page) => {
            await page.getByRole('textbox', { name: 'Script' }).focus();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.type('let b = 2;');
        },
        truth: 'text()',
        is: 'let b = 2;',
    },
    {
        want: 'type over all, by the box of the editor',
        ours: { do: 'type', selector: '#editor', text: 'let c = 3;', clear: true },
        theirs: (page) => replaceAll(page, 'let c = 3;'),
        truth: 'text()',
        is: 'let c = 3;',
    },
    {
        want: 'click into the text and type there',
        setup,
        ours: [{ do: 'click', text: 'second line' }, { do: 'press', key: 'End' }, { do: 'press', key: '!' }],
        theirs: async (page) => {
            await page.getByText('second line').click();
            await page.keyboard.press('End');
            await page.keyboard.press('!');
        },
        truth: 'text()',
        is: 'first line\nsecond line!\nthird line',
    },
    {
        want: 'three lines',
        ours: { do: 'type', selector: '#editor', text: 'one\ntwo\nthree', clear: true },
        theirs: (page) => replaceAll(page, 'one\ntwo\nthree'),
        truth: 'text()',
        is: 'one\ntwo\nthree',
    },
    {
        want: 'empty it by keys',
        setup,
        ours: [
            { do: 'click', selector: '#editor .view-lines' },
            { do: 'press', key: 'Control+A' }, { do: 'press', key: 'Delete' },
        ],
        theirs: async (page) => {
            await page.locator('#editor .view-lines').click();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.press('Delete');
        },
        truth: 'text()',
        is: '',
    },
    {
        want: 'a word by a double click',
        setup,
        ours: { do: 'click', text: 'third line', position: { x: 10, y: 8 }, clickCount: 2 },
        theirs: (page) => page.getByText('third line').dblclick({ position: { x: 10, y: 8 } }),
        truth: 'editor.getModel().getValueInRange(editor.getSelection())',
        is: 'third',
    },
    {
        want: 'a part of the text by dragging over it',
        setup,
        ours: {
            do: 'drag', text: 'first line', position: { x: 2, y: 8 }, to: { text: 'second line', position: { x: 2, y: 8 } },
        },
        theirs: (page) => page.getByText('first line').dragTo(page.getByText('second line'),
            { sourcePosition: { x: 2, y: 8 }, targetPosition: { x: 2, y: 8 } }),
        truth: 'editor.getModel().getValueInRange(editor.getSelection())',
        is: 'first line\n',
    },
    {
        want: 'take it back',
        setup: `editor.getModel().setValue('kept'); editor.setPosition({lineNumber: 1, column: 5}); editor.focus();
            editor.trigger('keyboard', 'type', {text: 'X'})`,
        ours: { do: 'press', key: 'Control+Z' },
        theirs: (page) => page.keyboard.press('Control+Z'),
        truth: 'text()',
        is: 'kept',
    },
    {
        want: 'find a word by the window of the editor',
        setup,
        ours: [
            { do: 'click', selector: '#editor .view-lines' }, { do: 'press', key: 'Control+F' },
            {
                do: 'type', role: 'textbox', name: 'Find', text: 'second', clear: true, pressEnter: true,
            },
        ],
        theirs: async (page) => {
            await page.locator('#editor .view-lines').click();
            await page.keyboard.press('Control+F');
            await page.getByRole('textbox', { name: 'Find' }).fill('second');
            await page.keyboard.press('Enter');
        },
        truth: 'editor.getModel().getValueInRange(editor.getSelection())',
        is: 'second',
    },
    {
        want: 'scroll down by the wheel',
        fresh: true,
        setup: "editor.setValue(Array.from({length: 200}, (_, at) => 'line ' + at).join('\\n'))",
        ours: { do: 'wheel', selector: '#editor', deltaY: 1200 },
        theirs: async (page) => {
            await page.locator('#editor').hover();
            await page.mouse.wheel(0, 1200);
        },
        truth: 'editor.getScrollTop() > 0',
        is: true,
    },
    {
        want: 'type where nothing can be changed',
        refused: 'warning',
        fresh: true,
        ours: { do: 'type', selector: '#reader', text: 'new' },
        theirs: async (page) => {
            await page.locator('#reader .view-lines').click();
            await page.keyboard.type('new');
        },
        truth: 'reader.getValue()',
        is: 'for reading',
    },
];
