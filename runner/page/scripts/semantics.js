/*
 * Returns an element's { role, name } as computed in runner/snapshot/semantics; null if the element
 * and what names it are not enough to be certain. It never decides alone: if it returns what a
 * snapshot said about the element, the element is unchanged; otherwise a new snapshot decides. It
 * only handles ordinary elements, and gives up wherever roles.c, implicit_role.c,
 * text_alternative.c, name_text.c and native_name.c consider more, or something that scripts cannot
 * see. A wrong answer would let an id refer to another element: a change in those files requires
 * the same change here, or one more case to give up; the test snapshot-same compares the two. With
 * `mayHost`, elements that were read may have a closed shadow root, which the answer ignores.
 */
function(ignored, element)
{
    const MAX_NODES = 60; /* for a name; a snapshot reads 100 with content */
    const MAX_TEXT = 1000;
    const UNSURE = new Error('unsure');
    const [NO, MAYBE, YES] = [ 0, 1, 2 ];

    const set = (names) => new Set(names.split(' '));
    /* Roles that are valid for any element, and those that require a certain ancestor. */
    const GIVEN = set(
        'alert alertdialog article button cell checkbox columnheader combobox dialog grid gridcell group ' +
        'heading link list listbox log main menu menubar menuitem menuitemcheckbox menuitemradio navigation progressbar ' +
        'radio radiogroup rowheader search searchbox slider spinbutton status switch tab tablist tabpanel textbox ' +
        'toolbar tooltip tree treegrid');
    const AROUND = {
        listitem : set('list group'),
        option : set('listbox group'),
        treeitem : set('tree group treeitem'),
    };
    const BY_TAG = {
        article : 'article',
        button : 'button',
        dialog : 'dialog',
        h1 : 'heading',
        h2 : 'heading',
        h3 : 'heading',
        h4 : 'heading',
        h5 : 'heading',
        h6 : 'heading',
        main : 'main',
        nav : 'navigation',
        ol : 'list',
        p : 'paragraph',
        textarea : 'textbox',
        ul : 'list',
    };
    const BY_TYPE = {
        button : 'button',
        checkbox : 'checkbox',
        color : 'ColorWell',
        date : 'Date',
        'datetime-local' : 'DateTime',
        file : 'button',
        image : 'button',
        month : 'DateTime',
        number : 'spinbutton',
        radio : 'radio',
        range : 'slider',
        reset : 'button',
        search : 'searchbox',
        submit : 'button',
        time : 'InputTime',
        week : 'DateTime',
    };
    const GENERIC = set('b bdi cite div font i kbd samp small span u var');
    /* Elements that may also be part of a name, where their own role does not matter. */
    const READ = set('abbr code em h1 h2 h3 h4 h5 h6 label li mark ol p s strong sub sup time ul');
    const BY_CONTENT = set(
        'DisclosureTriangle DisclosureTriangleGrouped button cell checkbox columnheader gridcell ' +
        'heading link menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem');
    const NOT_BY_TITLE = set('generic paragraph');
    const HOSTS = set('article div h1 h2 h3 h4 h5 h6 main nav p span');
    /* Elements whose names come from other sources. */
    const NAMED_APART = set('area canvas fieldset frame iframe optgroup option table');
    const UNUSUAL =
        'role aria-labelledby aria-labeledby aria-owns contenteditable data-no-ai inert is popover'
            .split(' ');
    const FOCUSABLE =
        'a, area, audio, button, iframe, input, select, summary, textarea, video, [tabindex], ' +
        '[contenteditable]';
    /*
     * Elements with the same closest one of these are inert together, and hidden from models
     * together.
     */
    const SHARED = '[inert], [data-no-ai], dialog';
    const SPACES = /^[ \t\n\f\r]*$/;

    const stop = () => { throw UNSURE; };
    const require = (condition) => condition || stop();
    const said = (node, name) => node.getAttribute(name) || '';
    const isSeen = (node) =>
        node.checkVisibility({ contentVisibilityAuto : true, visibilityProperty : true });
    const isTrue = (value) => !/^(|false|undefined)$/i.test(value);
    const rootQuery = (selector) => {
        const root = element.getRootNode();
        /* An image name used as a document property would shadow the method. */
        return (root instanceof ShadowRoot ? ShadowRoot : Document)
            .prototype.querySelector.call(root, selector);
    };

    let text = '';
    let gap = NO; /* before the next word; MAYBE: depends on something not visible here */
    let nodeCount = 0;
    let mayHost = false;
    let mayBeOwned = false;

    const separate = (how) => { gap = Math.max(gap, how); };
    const addText = (string) => {
        require(string.length <= MAX_TEXT && string.isWellFormed() && !/[\0\ufffd]/.test(string));
        for (const piece of string.split(/([ \t\n\f\r]+)/)) {
            const word = piece.replace(/[\u{E000}-\u{F8FF}\u{F0000}-\u{10FFFF}]/gu, '');
            if (SPACES.test(word)) {
                separate(SPACES.test(piece) && piece ? YES : NO);
                continue;
            }
            require(!text || gap !== MAYBE);
            text += (text && gap ? ' ' : '') + word;
            gap = NO;
        }
    };
    const addApart = (string) => {
        separate(YES);
        addText(string);
        separate(YES);
    };

    const isInline = ({ display }) => display === 'inline';
    const isPlain = (style) => style.contentVisibility === 'visible' &&
                               style.webkitTextSecurity === 'none' &&
                               !/^(contents|ruby.*)$/.test(style.display);
    /* Applies text-transform. */
    const transformed = (string, { textTransform }) => {
        if (textTransform === 'none' || !/\p{L}/u.test(string)) {
            return string;
        }
        require(/^[\0-\x7f]*$/.test(string));
        return textTransform === 'uppercase'   ? string.toUpperCase()
               : textTransform === 'lowercase' ? string.toLowerCase()
                                               : stop();
    };
    /* Returns whether white space after the preceding node is certainly laid out. */
    const isLaidOut = (node, style) => {
        const before = node.previousSibling;
        const own =
            before instanceof HTMLElement && before.localName !== 'br' && getComputedStyle(before);
        return own && /^(inline|block|list-item|inline-block)$/.test(style.display) &&
               /^inline/.test(own.display) && own.float === 'none' &&
               /^(static|relative)$/.test(own.position);
    };
    const readText = (node, style) => {
        const { data } = node;
        if (data && SPACES.test(data)) {
            separate(isLaidOut(node, style) ? YES : MAYBE);
        } else {
            addText(transformed(data, style));
        }
    };
    const readPseudo = (node, kind) => {
        const style = getComputedStyle(node, kind);
        if (/^(none|normal)$/.test(style.content) || style.display === 'none') {
            return;
        }
        const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(style.content) ?? stop();
        require(isPlain(style));
        if (style.visibility === 'visible') {
            separate(isInline(style) ? NO : YES);
            addText(transformed(quoted.replace(/\\(.)/g, '$1'), style));
            separate(isInline(style) ? NO : YES);
        }
    };

    /* A snapshot's name ignores the case of ::first-letter. */
    const hasOwnLetter = (node, style) =>
        !isInline(style) &&
        getComputedStyle(node, '::first-letter').textTransform !== style.textTransform;
    const readContent = (node, style) => {
        require(isPlain(style) && style.content === 'normal' && !node.shadowRoot &&
                !node.hasAttribute('aria-owns'));
        if (HOSTS.has(node.localName) || node.localName.includes('-')) {
            mayHost = true;
            require(element.contains(node));
        }
        require(!hasOwnLetter(node, style));
        readPseudo(node, '::before');
        for (const child of node.childNodes) {
            require(++nodeCount <= MAX_NODES);
            if (child instanceof Text) {
                readText(child, style);
            } else if (child instanceof Element) {
                visit(child);
            }
        }
        readPseudo(node, '::after');
    };
    /* Handles drawings without content; whether one counts as a picture depends on its use. */
    const readDrawing = (node, style) => {
        require(
            !node.matches('[role], [title], [aria-label], [aria-labelledby], [aria-labeledby]') &&
            !node.querySelector(
                'title, desc, text, foreignObject, a, use, [role], [title], [aria-label], [aria-labelledby], [aria-labeledby]'));
        separate(isInline(style) ? MAYBE : YES);
    };
    const readPicture = (node, style) => {
        const alt = said(node, 'alt');
        require(alt.trim() || !node.hasAttribute('title'));
        if (alt.trim()) {
            addApart(alt);
        } else {
            separate(isInline(style) ? MAYBE : YES);
        }
    };
    const visitSeen = (node, style) => {
        require(node instanceof HTMLElement || node instanceof SVGSVGElement);
        require(UNUSUAL.every((name) => !node.hasAttribute(name)) || node instanceof SVGSVGElement);
        mayBeOwned ||= node.hasAttribute('id');
        if (node.localName === 'br') {
            separate(YES);
            return;
        }
        if (node instanceof SVGSVGElement || node.localName === 'img') {
            require(!said(node, 'aria-label'));
            (node.localName === 'img' ? readPicture : readDrawing)(node, style);
            return;
        }
        require(GENERIC.has(node.localName) || READ.has(node.localName));
        const { length } = text;
        separate(isInline(style) ? NO : YES);
        if (node.hasAttribute('aria-label')) {
            addApart(said(node, 'aria-label'));
        }
        if (text.length === length) {
            readContent(node, style);
        }
        require(text.length > length || !node.hasAttribute('title'));
        separate(isInline(style) ? NO : YES);
    };
    const visit = (node) => {
        if (node === element) {
            require(/^(button|input|meter|progress|select|textarea)$/.test(node.localName));
            separate(YES);
            return;
        }
        const style = getComputedStyle(node);
        if (style.display === 'none') {
            return;
        }
        require(isPlain(style));
        const isHidden = isTrue(said(node, 'aria-hidden'));
        if (style.visibility === 'visible' && !isHidden) {
            visitSeen(node, style);
            return;
        }
        require(!isHidden || !node.matches(FOCUSABLE));
        const isBlock = !/^inline|^table-cell$/.test(style.display) &&
                        !/^(absolute|fixed)$/.test(style.position);
        separate(isBlock ? YES : NO);
    };

    /* Requires that readers of the element can also read the other one, and that it is rendered. */
    const requireReadable = (other) =>
        require(isSeen(other) && other.closest(SHARED) === element.closest(SHARED));

    /* A label has the name of a control that is visible only as this label. */
    const readForControl = (role) => {
        const control = role === 'LabelText' ? element.control : null;
        if (control && /^(checkbox|file|radio)$/.test(control.type) && !isSeen(control)) {
            require(control.closest(SHARED) === element.closest(SHARED));
            addApart(said(control, 'aria-label'));
            if (!text) {
                readContent(element, getComputedStyle(element));
            }
        }
    };

    /* The sources of a name, in order, until one gives a text. */
    const readReferences = () => {
        require(!element.hasAttribute('aria-labeledby'));
        for (const id of said(element, 'aria-labelledby').split(/[ \t\n\f\r]+/).filter(Boolean)) {
            require(element.getRootNode() === document);
            const other = Document.prototype.getElementById.call(document, id) ?? stop();
            requireReadable(other);
            require(!other.closest('[aria-hidden]') && !other.contains(element));
            separate(YES);
            visitSeen(other, getComputedStyle(other));
            separate(YES);
        }
    };
    const readLabels = () => {
        const labels = [...element.labels ?? [] ];
        require(labels.every(
            (label) => !labels.some((other) => other !== label && other.contains(label))));
        require(!element.labels || element.getRootNode() === document || !labels.length);
        for (const label of labels) {
            requireReadable(label);
            separate(YES);
            visit(label);
        }
    };
    const typeOf = () => said(element, 'type').toLowerCase();
    const readNative = () => {
        const value = element.getAttribute('value');
        const { localName } = element;
        if (localName === 'img') {
            addApart(said(element, 'alt'));
        } else if (localName === 'input') {
            const names = {
                button : value,
                file : element.hasAttribute('multiple') ? 'Choose Files' : 'Choose File',
                image : said(element, 'alt') || value || said(element, 'title') || 'Submit',
                reset : value ?? 'Reset',
                submit : value ?? 'Submit',
            };
            addApart(names[typeOf()] ?? '');
        }
    };
    const readOwnContent = (role) => {
        if (BY_CONTENT.has(role) && !/^(input|select|textarea)$/.test(element.localName)) {
            require(!element.isContentEditable && element.localName !== 'img');
            readContent(element, getComputedStyle(element));
        }
    };
    const readTitle = (role) => {
        const isEmpty = /^(button|submit|reset)$/.test(typeOf()) && element.localName === 'input' &&
                        SPACES.test(element.getAttribute('value') ?? '-');
        if (!NOT_BY_TITLE.has(role) && !isEmpty) {
            addApart(said(element, 'title'));
        }
    };
    const readPlaceholder = (role) => {
        const isField = element.localName === 'textarea' ||
                        (element.localName === 'input' &&
                         /^(textbox|searchbox|spinbutton)$/.test(BY_TYPE[typeOf()] ?? 'textbox'));
        const shown = isField ? said(element, 'placeholder') : '';
        addApart(shown ||
                 (isField || /^(textbox|searchbox)$/.test(role) ? said(element, 'aria-placeholder')
                                                                : ''));
    };
    const stages = [
        readForControl, readReferences, () => addApart(said(element, 'aria-label')), readLabels,
        readNative, readOwnContent, readTitle, readPlaceholder
    ];
    const nameOf = (role) => {
        for (const stage of stages) {
            stage(role);
            if (text) {
                break;
            }
        }
        return text;
    };

    const roleOfTag = (node) => {
        const { localName } = node;
        if (localName === 'a' || localName === 'img') {
            require(localName === 'a' ? node.hasAttribute('href') : said(node, 'alt').trim());
            return localName === 'a' ? 'link' : 'image';
        }
        if (localName === 'input') {
            require(!node.hasAttribute('list') && node.type !== 'hidden');
            return BY_TYPE[said(node, 'type').toLowerCase()] ?? 'textbox';
        }
        if (localName === 'select') {
            require(!node.hasAttribute('size'));
            return node.multiple ? 'listbox' : 'combobox';
        }
        if (localName === 'label') {
            require(node.control && node.control.labels.length === 1 &&
                    node.getRootNode() === document);
            return 'LabelText';
        }
        if (localName === 'summary') {
            const details = node.parentElement;
            require(details instanceof HTMLDetailsElement &&
                    details.querySelector(':scope > summary') === node);
            return said(details, 'name') ? 'DisclosureTriangleGrouped' : 'DisclosureTriangle';
        }
        if (localName === 'li') {
            require(node.parentElement && !node.assignedSlot &&
                    !node.parentElement.hasAttribute('role'));
            return 'listitem';
        }
        if (GENERIC.has(localName)) {
            require(getComputedStyle(node).display !== 'list-item' &&
                    !node.hasAttribute('popover'));
            return 'generic';
        }
        return BY_TAG[localName] ?? stop();
    };
    const isOf = (node, around) => {
        mayBeOwned ||= node.hasAttribute('id');
        for (let outer = node; !outer.assignedSlot && outer.parentElement;) {
            outer = outer.parentElement;
            mayBeOwned ||= outer.hasAttribute('id');
            const role = roleOf(outer);
            if (role !== 'generic') {
                return around.has(role);
            }
        }
        return false;
    };
    const roleOf = (node) => {
        require(node instanceof HTMLElement && !(node instanceof HTMLFormElement));
        const given = said(node, 'role').toLowerCase();
        if (!given) {
            require(!node.hasAttribute('role'));
            return roleOfTag(node);
        }
        require(!NAMED_APART.has(node.localName));
        require(GIVEN.has(given) || (AROUND[given] && isOf(node, AROUND[given])));
        return given;
    };

    const requireShown = (node) => {
        const place = node.localName === 'summary' ? node.parentElement?.parentElement : node;
        require(node.isConnected && isSeen(node) && !place?.closest('details:not([open])') &&
                !node.parentElement?.closest('select'));
    };

    try {
        requireShown(element);
        /* Elements of cross-site frames are not accessible here. */
        for (let view = window; view !== top; view = view.parent) {
            requireShown(view.frameElement ?? stop());
        }
        const role = roleOf(element);
        const name = nameOf(role);
        require(!mayBeOwned || !rootQuery('[aria-owns]'));
        return { role, name, mayHost };
    } catch (error) {
        if (error !== UNSURE) {
            throw error;
        }
        return null;
    }
}
