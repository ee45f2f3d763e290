// Small inputs after what users of such tools have reported: one page each, told apart by what a person finds there.
const last = 'log.at(-1) ?? null';
const value = (id) => `document.getElementById('${id}').value`;
const logs = (word) => `onclick="log.push('${word}')"`;

/** A page of its own for each step. */
const on = (html, step) => ({ fresh: true, setup: `show(${JSON.stringify(html)})`, ...step });

/** What the page says is in what a model reads of it. */
const read = (want, html, reads, ours = {}, theirs = (page) => page.locator('body').ariaSnapshot()) => on(html, {
    want: `read ${want}`, ours: { do: 'snapshot', ...ours }, theirs, reads,
});

const press = (want, html, is, ours, theirs) => on(html, {
    want: `press ${want}`, ours: { do: 'click', ...ours }, theirs, truth: last, is,
});

const hold = (want, html, id, is, text, ours = {}) => on(html, {
    want: `type ${want}`,
    ours: { do: 'type', selector: `#${id}`, text, ...ours },
    theirs: (page) => page.locator(`#${id}`).pressSequentially(text),
    truth: value(id),
    is,
});

/** What takes no focus, while a field has it. */
const noFocus = (what, html, known) => on(`<input id="first" autofocus>${html}<script>document.getElementById('first').focus()</script>`, {
    want: `refuse to focus ${what}`,
    refused: ['INVALID_ACTION', 'TARGET_DISABLED', 'TARGET_NOT_VISIBLE'],
    ours: { do: 'focus', selector: '#it' },
    theirs: (page) => page.locator('#it').focus(),
    truth: 'document.activeElement.id',
    is: 'first',
    ...known,
});

/** What scripts say to the console. */
const said = (want, script, reads) => on('<p>Console</p>', {
    want: `be told ${want}`,
    ours: [{ do: 'evaluate', expression: `${script}; new Promise((go) => setTimeout(go, 100, 1))` }, { do: 'logs', categories: ['console', 'javascript'], limit: 1 }],
    theirs: async (page) => {
        const texts = [];
        page.on('console', (message) => texts.push(message.text()));
        page.on('pageerror', (error) => texts.push(error.stack));
        await page.evaluate(`${script}; new Promise((go) => setTimeout(go, 100, 1))`);
        return texts.join('\n');
    },
    reads,
});

const sections = Array.from({ length: 12 }, (_, i) => `<section style="content-visibility:auto;contain-intrinsic-size:auto 400px">
    <h2>Part ${i + 1}</h2><div style="height:500px">words of part ${i + 1}</div><button ${logs(`part ${i + 1}`)}>Open ${i + 1}</button></section>`).join('');

const ownTree = `<div role="tree" aria-label="Files"><div role="treeitem" aria-expanded="true" id="src" tabindex="0" onclick="log.push('src')"
    style="width:300px"><span>src</span><div role="group" style="padding-left:20px">
    ${['main', 'util', 'test'].map((name) => `<div role="treeitem" tabindex="-1" onclick="log.push('${name}'); event.stopPropagation()"
        style="height:40px">${name}</div>`).join('')}</div></div></div>`;

const card = `<div role="link" tabindex="0" ${logs('card')} style="width:300px;height:120px;border:1px solid;position:relative">Report
    <button onclick="log.push('delete'); event.stopPropagation()" style="position:absolute;inset:30px 40px">Delete</button></div>`;

const codes = '<input id="a" maxlength="1" oninput="b.focus()"><input id="b" maxlength="1" value="7">';

const handle = (name) => `<div id="${name}" style="width:80px;height:40px;background:#9cf;touch-action:none">${name}</div>`;

/** Moves a thing when it was held for so long; dropped on the other, that is written down. */
const held = (ms) => `${handle('thing')}<div id="place" style="margin-top:60px;width:200px;height:80px;background:#eee">place</div><script>{
    let since = 0;
    thing.onpointerdown = (event) => { since = event.timeStamp; };
    onpointerup = (event) => {
        if (since && event.timeStamp - since > ${ms} && document.elementFromPoint(event.clientX, event.clientY) === place) {
            log.push('dropped');
        }
        since = 0;
    };
    let start = 0, carries = false;
    thing.addEventListener('pointerdown', (event) => { start = event.timeStamp; carries = false; });
    addEventListener('pointermove', (event) => {
        if (start && !carries && event.timeStamp - start < ${ms}) { since = start = 0; }
        carries = true;
    });
}</script>`;

const drag = async (page, hold) => {
    const [from, to] = [await page.locator('#thing').boundingBox(), await page.locator('#place').boundingBox()];
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.waitForTimeout(hold);
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
    await page.mouse.up();
};

const virtualList = (attributes) => `<p>Before</p><div id="box" ${attributes} style="height:160px;width:300px;overflow:auto">
    <div id="all" style="position:relative;height:3000px"></div></div><script>{
    const draw = () => {
        const first = Math.floor(box.scrollTop / 50);
        all.innerHTML = Array.from({ length: 6 }, (_, i) => first + i).filter((n) => n < 60).map((n) => (
            '<div role="option" style="position:absolute;top:' + n * 50 + 'px">Item ' + (n + 1) + '.</div>')).join('');
    };
    box.onscroll = draw;
    draw();
}</script>`;

export default [
    // Signs that stand alone.
    read('a sign in a cell', '<table><tr><th>Name<th>Works<tr><td>Lock<td>✓<tr><td>Door<td>✗</table>', ['✓', '✗']),
    read('a paragraph that is one sign', '<p>Next</p><p>→</p><p>½</p><p>?</p>', ['→', '½', '?']),
    read('a dot that is a state', '<div>Server</div><div><span>●</span></div>', ['●']),
    read('an empty cell from a dash', '<table><tr><td>2024<td>–<td>7</table>', ['–']),
    read('a sign that CSS adds', '<style>.done::before{content:"✔"}</style><div class="done"></div>', ['✔']),
    read('it again by looking for it', '<p>One</p><table><tr><td>Lock<td>✓</table>', ['✓'], { find: '✓' },
        (page) => page.getByText('✓').textContent()),
    press('a button that is called by a sign', `<button ${logs('less')}>–</button><button ${logs('more')}>+</button>`, 'more',
        { role: 'button', name: '+' }, (page) => page.getByRole('button', { name: '+' }).click()),
    press('the same by its id', `<button ${logs('less')}>–</button><button ${logs('more')}>+</button>`, 'more',
        { node: 'button "+"' }, (page) => page.getByText('+').click()),

    read('signs beside words in a row', `<div style="display:flex"><span>Lock</span><span>✓</span></div><div style="display:flex"><span>✗</span>
        <span>Door</span></div>`, ['✓', '✗']),
    read('marks between words that mean something', '<p><span>Lock</span> <span>✓</span> <span>Door</span> <span>✗</span></p>', ['✓', '✗']),
    read('a thumb, a star and dots', '<ul><li>👍</li><li>★</li><li>…</li></ul><h2>!</h2><dl><dt>Most<dd>∞</dl>', ['👍', '★', '…', '!', '∞']),
    read('states and parts between links', '<p><a href="#a">Lock</a> ● <a href="#b">Door</a> ○ <a href="#c">Price</a> ▲ <a href="#d">Cup</a> ½ <a href="#e">Jar</a></p>',
        ['●', '○', '▲', '½']),
    read('a choice that is a dash', '<select aria-label="Size"><option>—<option>small</select>', ['—']),
    read('a mark in a label', '<label>Name <b>*</b> <input></label><p>$</p><p>%</p>', ['Name', '$', '%']),
    read('stars by their letters', '<p>Rating</p><p><span>★★★</span><span>☆☆</span></p>', ['★★★', '☆☆']),

    // What has not been drawn yet.
    read('all parts of a page that draws those in view', sections, Array.from({ length: 12 }, (_, i) => `words of part ${i + 1}`)),
    press('a button in a part that was not drawn', sections, 'part 12', { role: 'button', name: 'Open 12' },
        (page) => page.getByRole('button', { name: 'Open 12' }).click()),
    press('it by its text', sections, 'part 11', { text: 'Open 11' }, (page) => page.getByText('Open 11').click()),
    read('what is hidden until somebody looks for it', '<p>Seen</p><p hidden="until-found">Found by searching</p>', (text) => (
        text.includes('Seen') && !text.includes('Found by'))),

    // A point of its own.
    press('a card beside the button in its middle', card, 'card', { role: 'link', name: 'Report' },
        (page) => page.getByRole('link', { name: 'Report' }).click()),
    press('an item of a tree, not one in it', ownTree, 'src', { selector: '#src' }, (page) => page.locator('#src').click()),
    press('a ring', `<svg width="120" height="120"><circle id="ring" cx="60" cy="60" r="50" fill="none" stroke="red" stroke-width="8"
        ${logs('ring')}/></svg>`, 'ring', { selector: '#ring' }, (page) => page.locator('#ring').click()),
    press('a button whose middle a badge covers', `<div style="position:relative;width:120px"><button ${logs('inbox')} style="width:120px;height:40px">
        Inbox</button><b style="position:absolute;left:45px;top:8px;width:30px;background:gold">9</b></div>`, 'inbox',
    { role: 'button', name: 'Inbox' }, (page) => page.getByRole('button', { name: 'Inbox' }).click()),
    press('what has the form of an L', `<div id="corner" ${logs('corner')} style="width:100px;height:100px;background:red;
        clip-path:polygon(0 0,20px 0,20px 80px,100px 80px,100px 100px,0 100px)">L</div>`, 'corner', { selector: '#corner' },
    (page) => page.locator('#corner').click()),
    press('a group of an SVG with nothing in its middle', `<svg width="200" height="60"><g id="both" ${logs('both')}><rect width="40" height="40"/>
        <rect x="150" width="40" height="40"/></g></svg>`, 'both', { selector: '#both' }, (page) => page.locator('#both').click()),
    press('a link over two lines', `<p style="width:150px">Some words before <a href="#x" id="far" ${logs('far')}>and a link over lines</a></p>`,
        'far', { selector: '#far' }, (page) => page.locator('#far').click()),
    on(`<div id="under" role="link" tabindex="0" ${logs('under')} style="width:200px;height:60px;position:relative">Under<button style="position:absolute;inset:0"
        onclick="log.push('over'); event.stopPropagation()">Over</button></div>`, {
        want: 'refuse to press what a control covers altogether',
        refused: 'TARGET_OBSCURED',
        ours: { do: 'click', selector: '#under' },
        theirs: (page) => page.locator('#under').click(),
        truth: last,
        is: null,
    }),

    // What takes no focus.
    noFocus('a paragraph', '<p id="it">Words</p>'),
    noFocus('a box', '<div id="it">Words</div>'),
    noFocus('a link without href', '<a id="it">Words</a>'),
    noFocus('a field that gives it away', '<input id="it" onfocus="document.getElementById(\'first\').focus()">'),
    noFocus('a disabled field', '<input id="it" disabled>'),
    noFocus('what is inert', '<div inert><input id="it"></div>'),

    noFocus('a field of a disabled group', '<fieldset disabled><input id="it"></fieldset>'),
    noFocus('what is hidden', '<input id="it" style="visibility:hidden">'),
    noFocus('a picture', '<img id="it" alt="Logo" width="20" height="20" src="data:,">'),
    ...[['a label, for its control', '<label id="it">Name <input id="name"></label>', 'name'],
        ['a box with a tabindex', '<div id="it" tabindex="-1">Box</div>', 'it'],
        ['a rich text', '<div id="it" contenteditable>Rich</div>', 'it'],
        ['a link', '<a id="it" href="#x">Link</a>', 'it'],
        ['a summary', '<details><summary id="it">More</summary></details>', 'it']].map(([what, html, is]) => on(html, {
        want: `focus ${what}`,
        ours: { do: 'focus', selector: '#it' },
        theirs: (page) => page.locator('#it').focus(),
        truth: 'document.activeElement.id',
        is,
    })),

    // Behind what is there.
    hold('behind a mail address', '<input id="mail" type="email" value="zoe@example">', 'mail', 'zoe@example.org', '.org'),
    hold('behind a number', '<input id="count" type="number" value="12">', 'count', '123', '3'),
    hold('behind words', '<input id="words" value="one">', 'words', 'one two', ' two'),
    hold('behind lines', '<textarea id="lines">one\ntwo</textarea>', 'lines', 'one\ntwo!', '!'),
    hold('behind a URL', '<input id="url" type="url" value="https://a.example">', 'url', 'https://a.example/b', '/b'),
    hold('behind a search', '<input id="search" type="search" value="old">', 'search', 'older', 'er'),
    hold('behind a telephone number', '<input id="tel" type="tel" value="030 1">', 'tel', '030 123', '23'),
    hold('behind a password', '<input id="secret" type="password" value="abc">', 'secret', 'abcd', 'd'),
    hold('behind a last empty line', '<textarea id="lines">one\n</textarea>', 'lines', 'one\ntwo', 'two'),
    hold('behind what a script has chosen', '<input id="words" value="one two"><script>words.setSelectionRange(0, 3)</script>', 'words',
        'one two!', '!'),
    on('<div id="rich" contenteditable>one <b>two</b></div>', {
        want: 'type behind a rich text',
        ours: { do: 'type', selector: '#rich', text: ' three' },
        theirs: (page) => page.locator('#rich').pressSequentially(' three'),
        truth: 'rich.textContent.replace(/\\s/g, " ")',
        is: 'one two three',
    }),
    on(codes, {
        want: 'say that a code found no room',
        refused: ['INVALID_ACTION', 'TARGET_DISABLED', 'EVAL_ERROR', 'UNKNOWN_ERROR', 'warning'],
        late: true,
        ours: { do: 'type', selector: '#a', text: '12' },
        theirs: (page) => page.locator('#a').pressSequentially('12'),
        truth: value('b'),
        is: '7',
    }),
    on('<input id="code" maxlength="2">', {
        want: 'say that two of four characters found room',
        refused: ['INVALID_ACTION', 'TARGET_DISABLED', 'EVAL_ERROR', 'UNKNOWN_ERROR', 'warning'],
        late: true,
        before: '',
        ours: { do: 'type', selector: '#code', text: '1234' },
        theirs: (page) => page.locator('#code').fill('1234'),
        truth: `${value('code')} === '1234'`,
        before: false,
        is: false,
    }),

    // What is seen is meant.
    press('a button that says more in what is hidden', `<button ${logs('delete')}>Delete<i hidden>Delete all</i></button>`, 'delete',
        { text: 'Delete' }, (page) => page.getByText('Delete').click()),
    press('an entry with a menu in it that is closed', `<ul><li ${logs('file')} style="cursor:pointer">File<ul style="display:none"><li>File a bug
        <li>File as</ul><li>Edit</ul>`, 'file', { text: 'File' }, (page) => page.getByText('File').click()),
    press('what a soft hyphen divides', `<button ${logs('ship')}>Dampf&shy;schiff</button>`, 'ship', { text: 'Dampfschiff' },
        (page) => page.getByText('Dampfschiff').click()),
    press('what a line break divides', `<button ${logs('words')}>Hello<br>world</button>`, 'words', { text: 'Hello world' },
        (page) => page.getByText('Hello world').click()),
    press('a text beside a child', `<div ${logs('total')}>Total <b>5</b></div>`, 'total', { text: 'Total' },
        (page) => page.getByText('Total').click()),
    press('words above what takes presses of its own', `<div ${logs('outer')}>Outer text<div style="height:80px"
        onclick="log.push('inner'); event.stopPropagation()">Inner text</div></div>`, 'outer', { text: 'Outer text' },
    (page) => page.getByText('Outer text').click()),
    press('a button by its aria-label', `<button ${logs('closed')} aria-label="Close dialog">×</button>`, 'closed', { targets: 'Close dialog' },
        (page) => page.getByLabel('Close dialog').click()),
    press('a picture by its alt', `<img ${logs('logo')} alt="Our logo" width="40" height="40" src="data:,">`, 'logo', { targets: 'Our logo' },
        (page) => page.getByAltText('Our logo').click()),
    press('a button by its title', `<button ${logs('bold')} title="Bold">B</button>`, 'bold', { targets: 'Bold' },
        (page) => page.getByTitle('Bold').click()),
    on('<input id="mail" placeholder="Your mail">', {
        want: 'type into a field by its placeholder',
        ours: { do: 'type', targets: 'Your mail', text: 'zoe' },
        theirs: (page) => page.getByPlaceholder('Your mail').fill('zoe'),
        truth: value('mail'),
        is: 'zoe',
    }),
    press('the one of two that is seen', `<button hidden ${logs('hidden')}>Save</button><button ${logs('seen')}>Save</button>`, 'seen',
        { text: 'Save' }, (page) => page.getByText('Save').filter({ visible: true }).click()),
    press('the exact one beside a longer one', `<button ${logs('all')}>Save all</button><button ${logs('one')}>Save</button>`, 'one',
        { text: 'Save' }, (page) => page.getByText('Save', { exact: true }).click()),

    press('words that are one by CSS', `<p style="text-transform:uppercase"><a href="#x" ${logs('in')}>sign in</a></p>`, 'in', { text: 'Sign in' },
        (page) => page.getByText('Sign in').click()),
    press('words in several elements', `<button ${logs('hello')}><b>He</b>llo <i>world</i></button>`, 'hello', { text: 'Hello world' },
        (page) => page.getByText('Hello world').click()),
    press('words with a hard blank', `<button ${logs('go')}>Go&nbsp;on</button>`, 'go', { text: 'Go on' }, (page) => page.getByText('Go on').click()),
    press('words with a zero-width blank', `<button ${logs('long')}>data&#8203;base</button>`, 'long', { text: 'database' },
        (page) => page.getByText('database').click()),
    press('words that may break', `<button ${logs('wbr')}>data<wbr>base</button>`, 'wbr', { text: 'database' },
        (page) => page.getByText('database').click()),
    press('a button that is an input', `<input type="submit" value="Send it" ${logs('sent')}>`, 'sent', { text: 'Send it' },
        (page) => page.getByText('Send it').click()),
    press('what is beside invisible words', `<p style="visibility:hidden">Go</p><p><a href="#x" ${logs('go')}>Go</a></p>`, 'go', { text: 'Go' },
        (page) => page.getByText('Go').filter({ visible: true }).click()),
    press('what is said in an own element over a hidden tip', `<div role="button" tabindex="0" ${logs('share')}>Share
        <span style="opacity:0;position:absolute;left:-999px">Share this page</span></div>`, 'share', { text: 'Share' },
    (page) => page.getByText('Share', { exact: true }).click()),
    press('one by a text in two blocks', `<div ${logs('price')}><div>Price</div><div>7 €</div></div>`, 'price', { text: 'Price 7 €' },
        (page) => page.getByText('Price 7 €').click()),
    press('a link by words and a picture', `<a href="#x" ${logs('home')}><svg width="9" height="9"><title>House</title></svg> Home</a>`, 'home',
        { text: 'Home' }, (page) => page.getByText('Home').click()),

    // Where it is owned.
    read('an owned item where it is owned', `<div role="list" aria-label="Tools" aria-owns="late"><div role="listitem">Saw</div></div><p>Between</p>
        <div role="listitem" id="late">Plane</div>`, (text) => (
        text.includes('Plane') && text.includes('Between') && text.indexOf('Plane') < text.indexOf('Between'))),
    read('an item that an empty tree owns', `<div role="tree" aria-owns="leaf"></div><p>Between</p><div id="leaf" role="treeitem">Leaf</div>`, (text) => (
        text.includes('Leaf') && text.indexOf('Leaf') < text.indexOf('Between'))),
    read('an owned item once', `<div role="list" aria-owns="late"></div><div role="listitem" id="late">Plane</div>`, (text) => (
        text.split('Plane').length === 2)),

    // Dragging.
    on(`${handle('thing')}<div id="place" style="margin-top:60px;width:200px;height:80px">place</div><script>
        thing.onpointerdown = (event) => event.preventDefault(); thing.onmousedown = (event) => event.preventDefault();
        thing.draggable = true; thing.ondragstart = () => log.push('began'); place.ondragover = (event) => event.preventDefault();
        place.ondrop = () => log.push('dropped')</script>`, {
        want: 'say that nothing was dragged where the press was prevented',
        refused: ['TARGET_DISABLED', 'INVALID_ACTION', 'TARGET_OBSCURED', 'warning'],
        late: true,
        ours: { do: 'drag', selector: '#thing', to: { selector: '#place' } },
        theirs: (page) => page.locator('#thing').dragTo(page.locator('#place')),
        truth: last,
        is: null,
    }),
    on(held(300), {
        want: 'drag what has to be held first',
        ours: { do: 'drag', selector: '#thing', to: { selector: '#place' }, hold: 600 },
        theirs: (page) => drag(page, 600),
        truth: last,
        is: 'dropped',
    }),
    on(held(0), {
        want: 'drag what need not be held',
        ours: { do: 'drag', selector: '#thing', to: { selector: '#place' } },
        theirs: (page) => page.locator('#thing').dragTo(page.locator('#place')),
        truth: last,
        is: 'dropped',
    }),

    // What scrolls.
    read('all of a list that draws what is in view', virtualList('role="listbox" aria-label="Items"'), ['Item 1.', 'Item 30.', 'Item 60.'],
        { scroll: 100 }),
    read('the same where the list is named', virtualList('role="listbox" aria-label="Items"'), ['Item 1.', 'Item 30.', 'Item 60.'],
        { scroll: 100, selector: '#box' }, (page) => page.locator('#box').ariaSnapshot()),
    read('all of a feed that answers late', `<div id="feed">${Array.from({ length: 20 }, (_, i) => `<p style="height:90px">Post ${i + 1}.</p>`).join('')}</div>
        <script>{ let page = 1, busy = false; onscroll = async () => {
            if (!busy && page < 3 && innerHeight + scrollY > document.documentElement.scrollHeight - 50) {
                busy = true; const answer = await fetch('/count?name=feed&ms=1200'); await answer.text(); page++; busy = false;
                for (let i = 1; i <= 20; i++) feed.insertAdjacentHTML('beforeend', '<p style="height:90px">Post ' + ((page - 1) * 20 + i) + '.</p>');
            } } }</script>`, ['Post 1.', 'Post 40.', 'Post 60.'], { scroll: 30 }),

    // Where it is.
    read('a line that is mostly in view as being in view', '<div style="height:690px">Tall</div><p style="margin:0;height:40px"><button>Half seen</button></p>',
        (text) => text.includes('Half seen') && !/Half seen.*below the viewport|below the viewport\)?[^\n]*\n?[^\n]*Half seen/.test(text)),
    read('that a drawer is not in view', '<p>Here</p><nav style="position:fixed;left:-300px;width:200px"><a href="#x">Drawer link</a></nav>',
        (text) => text.includes('Here') && (!text.includes('Drawer link') || /outside|off|left of|not in view/i.test(text))),

    // The console.
    said('the cause of an error', "console.error(new Error('outer', { cause: new Error('the inner cause') }))", ['outer', 'the inner cause']),
    said('the cause of a rejection', "Promise.reject(new Error('outer', { cause: new Error('the inner cause') })), 1", ['outer', 'the inner cause']),
    said('all errors of one that has several', "console.error(new AggregateError([new Error('first fault'), new Error('second fault')], 'both'))",
        ['both', 'first fault', 'second fault']),
    said('a cause of a cause', "console.error(new Error('outer', { cause: new Error('inner', { cause: new TypeError('innermost') }) }))",
        ['outer', 'inner', 'innermost']),
    said('a cause that is no error', "console.error(new Error('outer', { cause: { code: 'E_FULL' } }))", ['outer', 'E_FULL']),
    said('a cause behind words', "console.error('could not', new Error('outer', { cause: new Error('the inner cause') }))",
        ['could not', 'outer', 'the inner cause']),
    said('the cause of an error in an object', "console.error({ error: new Error('outer', { cause: new Error('the inner cause') }) })",
        ['outer', 'the inner cause']),
    said('what a program has put into an error', "console.error(Object.assign(new Error('refused'), { status: 503, body: { code: 'E_BUSY' } }))",
        ['refused', '503', 'E_BUSY']),
    said('the cause of what was thrown', "setTimeout(() => { throw new Error('outer', { cause: new Error('the inner cause') }); }), 1",
        ['outer', 'the inner cause']),
    said('what no promise of several did', "Promise.any([Promise.reject(new Error('first fault')), Promise.reject(new Error('second fault'))]), 1",
        ['first fault', 'second fault']),
    said('an assertion with a format', "console.assert(false, '%s of %d', 'three', 7)", ['three of 7']),
    said('an assertion without words', 'console.assert(false)', ['ssertion failed']),
    said('holes in an array of an object', 'console.log({ list: [, 1, , 2] })', (text) => /empty|, ?1/.test(text)),
    said('the words of an assertion', "console.assert(1 === 2, 'numbers differ', 7)", ['numbers differ', '7']),
    said('that an array has a hole', 'console.log([, 1])', (text) => /empty|, ?1/.test(text)),
    said('an object as it is', "console.log({ deep: { er: [1, 2] } })", ['deep', 'er', '2']),

    // Waiting.
    on('<p>Quiet</p><script>window.source = new EventSource("/hang")</script>', {
        want: 'wait for quiet beside an EventSource',
        ours: { do: 'wait', networkIdle: true, timeout: 4000 },
        theirs: (page) => page.waitForLoadState('networkidle'),
        truth: 'document.title = log.length ? "no" : "Inputs", performance.now() > 400',
        before: false,
        is: true,
    }),
    on(`<p><a id="nothing" href="/status/204" ${logs('followed')}>Nothing there</a></p>`, {
        want: 'press a link that is answered with nothing',
        ours: { do: 'click', selector: '#nothing' },
        theirs: (page) => page.locator('#nothing').click(),
        truth: last,
        is: 'followed',
    }),
    on(`<p><a id="nothing" href="/status/204" ${logs('followed')}>Nothing there</a></p>`, {
        want: 'say that it led to no page',
        refused: 'NAVIGATION_FAILED',
        before: null,
        ours: { do: 'click', selector: '#nothing', waitForNavigation: true },
        theirs: (page) => Promise.all([page.waitForURL('**/status/204'), page.locator('#nothing').click()]),
        truth: last,
        is: 'followed',
    }),
    on('<p>Loud</p><script>fetch("/hang?streamed").catch(() => 0)</script>', {
        want: 'say that a request keeps it from being quiet',
        refused: 'TIMEOUT',
        ours: { do: 'wait', networkIdle: true, timeout: 1500 },
        theirs: (page) => page.waitForFunction(() => performance.getEntriesByName(`${location.origin}/hang?streamed`).length > 0),
        truth: last,
        is: null,
    }),
];
