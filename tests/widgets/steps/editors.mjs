const frame = (page) => page.frameLocator('#tiny_ifr').locator('body');

export default [
    {
        want: 'CodeMirror: type over all, by its id',
        ours: { do: 'type', node: /heading 2 "Code"\n *textbox/, text: 'const c = 3;', clear: true },
        theirs: async (page) => {
            await page.locator('.CodeMirror').first().click();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.type('const c = 3;');
        },
        truth: 'cm.getValue()',
        is: 'const c = 3;',
    },
    {
        want: 'CodeMirror: type over all, by its element',
        ours: { do: 'type', selector: '.CodeMirror', nth: 0, text: 'alert(1);', clear: true },
        theirs: async (page) => {
            await page.locator('.CodeMirror').first().click();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.insertText('alert(1);');
        },
        truth: 'cm.getValue()',
        is: 'alert(1);',
    },
    {
        want: 'CodeMirror: two lines',
        ours: { do: 'type', selector: '.CodeMirror textarea', nth: 0, text: 'one();\ntwo();', clear: true },
        theirs: async (page) => {
            await page.locator('.CodeMirror').first().click();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.type('one();\ntwo();');
        },
        truth: 'cm.getValue()',
        is: 'one();\ntwo();',
    },
    {
        want: 'CodeMirror: click behind a word and go on there',
        setup: "cm.setValue('first\\nsecond\\nthird'); cm.focus()",
        ours: [{ do: 'click', text: 'second' }, { do: 'press', key: 'End' }, { do: 'press', key: '!' }],
        theirs: async (page) => {
            await page.getByText('second').click();
            await page.keyboard.press('End');
            await page.keyboard.press('!');
        },
        truth: 'cm.getValue()',
        is: 'first\nsecond!\nthird',
    },
    {
        want: 'CodeMirror: a word by a double click, and another in its place',
        setup: "cm.setValue('red green blue')",
        ours: [
            { do: 'click', text: 'red green blue', position: { x: 8, y: 8 }, clickCount: 2 },
            { do: 'press', key: 'x' },
        ],
        theirs: async (page) => {
            await page.getByText('red green blue').dblclick({ position: { x: 8, y: 8 } });
            await page.keyboard.press('x');
        },
        truth: 'cm.getValue()',
        is: 'x green blue',
    },
    {
        want: 'CodeMirror: type where nothing can be changed',
        refused: 'TARGET_DISABLED',
        ours: { do: 'type', selector: '.CodeMirror textarea', nth: 1, text: 'new' },
        theirs: async (page) => {
            await page.locator('.CodeMirror').nth(1).click();
            await page.keyboard.type('new');
        },
        truth: 'still.getValue()',
        is: 'never changed',
    },
    {
        want: 'Quill: type over all, by its element',
        ours: { do: 'type', selector: '.ql-editor', text: 'Other words', clear: true },
        theirs: (page) => page.locator('.ql-editor').fill('Other words'),
        truth: 'words()',
        is: 'Other words',
    },
    {
        want: 'Quill: type behind it, by its id',
        ours: [
            { do: 'press', selector: '.ql-editor', key: 'End' },
            { do: 'type', node: /textbox[^\n]*?(?= e\d+[^\n]*Other words)/, text: ' and more' },
        ],
        theirs: async (page) => {
            await page.locator('.ql-editor').press('End');
            await page.keyboard.type(' and more');
        },
        truth: 'words()',
        is: 'Other words and more',
    },
    {
        want: 'Quill: two paragraphs',
        ours: { do: 'type', selector: '.ql-editor', text: 'one\ntwo', clear: true },
        theirs: (page) => page.locator('.ql-editor').fill('one\ntwo'),
        truth: 'words()',
        is: 'one\ntwo',
    },
    {
        want: 'Quill: all of it bold by its button',
        setup: "quill.setText('strong')",
        ours: [{ do: 'press', selector: '.ql-editor', key: 'Control+A' }, { do: 'click', selector: '.ql-bold' }],
        theirs: async (page) => {
            await page.locator('.ql-editor').press('ControlOrMeta+A');
            await page.locator('.ql-bold').click();
        },
        truth: 'Boolean(quill.getFormat(0, 6).bold)',
        is: true,
    },
    {
        want: 'Quill: a heading from the list of its bar',
        ours: [{ do: 'click', selector: '.ql-header .ql-picker-label' }, { do: 'click', selector: '.ql-header [data-value="1"]' }],
        theirs: async (page) => {
            await page.locator('.ql-header .ql-picker-label').click();
            await page.locator('.ql-header .ql-picker-item[data-value="1"]').click();
        },
        truth: 'quill.getFormat(0, 1).header ?? null',
        is: 1,
    },
    {
        want: 'TinyMCE: type over all in its frame',
        ours: { do: 'type', selector: '#tinymce', text: 'Fresh text', clear: true },
        theirs: (page) => frame(page).fill('Fresh text'),
        truth: 'rich()',
        is: '<p>Fresh text</p>',
    },
    {
        want: 'TinyMCE: type behind it, by the id of the snapshot',
        ours: [
            { do: 'press', selector: '#tinymce', key: 'Control+End' },
            { do: 'type', node: /textbox[^\n]*?(?= e\d+[^\n]*Fresh text)/, text: ', and new' },
        ],
        theirs: async (page) => {
            await frame(page).press('ControlOrMeta+End');
            await page.keyboard.type(', and new');
        },
        truth: 'rich()',
        is: '<p>Fresh text, and new</p>',
    },
    {
        want: 'TinyMCE: two paragraphs',
        ours: { do: 'type', selector: '#tinymce', text: 'one\ntwo', clear: true },
        theirs: async (page) => {
            await frame(page).press('ControlOrMeta+A');
            await page.keyboard.type('one\ntwo');
        },
        truth: 'rich()',
        is: '<p>one</p>\n<p>two</p>',
    },
    {
        want: 'TinyMCE: all of it bold by its button',
        setup: "tinymce.get('tiny').setContent('<p>strong</p>')",
        ours: [
            { do: 'press', selector: '#tinymce', key: 'Control+A' },
            { do: 'click', selector: '.tox-tbtn[aria-label=Bold]' },
        ],
        theirs: async (page) => {
            await frame(page).press('ControlOrMeta+A');
            await page.getByRole('button', { name: 'Bold', exact: true }).click();
        },
        truth: 'rich()',
        is: '<p><strong>strong</strong></p>',
    },
];
