/*
 * Finds the element that an action names (by CSS selector, test id, text, role, the first of several
 * targets that shows, or as the `node` of a snapshot), in the document and in open shadow roots, and
 * does one of these with it, as `mode` says. Those of a role are `given`, and so is a node, which may
 * be in a closed shadow root, too. The modes:
 * 'state':  how many there are, what the first are, whether one is visible, and of what rank they
 *           are: in another frame there may be better ones, of a lower rank;
 * 'box':    where it is in the viewport; if something clips it away, scrolls that first, for
 *           restore.js to undo;
 * 'scroll': scrolls it, or without a selector the window, by (`delta`) or to x, y; with `intoView`
 *           it comes into view instead. Answers how far it went;
 * 'input':  is it ready to be clicked? Scrolls it into view by `alignment`, answers the point to
 *           click (its middle, or `offset` from its corner) and the area that it takes up; with
 *           `isAhead` the point as it is now, without waiting for it to stand still. If the mouse
 *           was sent to x, y meanwhile, and that is the point, answers as well whether it `isHit`;
 * 'hit':    would input at x, y reach it? From then on notes whether it does, for arrived.js;
 * 'focus':  gives it the focus when it is ready; with `editable` it also has to take text, with
 *           `clear` all that it holds is selected;
 * 'select': chooses an option of a list, by `choice.value`, `choice.label` or `choice.index`, or
 *           itself, where it is an option;
 * 'checked': is it checked? Answers also what it is;
 * 'files':  is it a field for files? Keeps it, for the files to be set;
 * 'frame':  is it the element of a frame? Keeps it.
 * 'keep':   keeps it, whatever it is.
 * With `isKept` the element is the one that was kept last, as 'input' and 'focus' do, too.
 * Answers { code, message, hint } where that is not so; a hint need not be there.
 */
async function ({
    selector, testId, text, role, name: wantedName, node, targets, nth, mode, alignment, offset, x, y,
    delta, intoView, editable, clear, choice, isAhead, isKept,
}, ...given) {
    const fail = (code, message, hint) =>
        ({ code, message: message.toWellFormed(), ...(hint && { hint: hint.toWellFormed() }) });

    const findRoots = () => {
        const roots = [document];
        for (let i = 0; i < roots.length; i++) {
            const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (node.shadowRoot) {
                    roots.push(node.shadowRoot);
                }
            }
        }
        return roots;
    };

    /* A node is to be seen in another snapshot first; everything else may come again by itself. */
    const goneCode = node ? 'STALE_NODE' : 'TARGET_NOT_FOUND';

/* include private.js */
    const describe = (element) => {
        const id = element.id ? '#' + element.id : '';
        const classes = [...element.classList].slice(0, 3).map((name) => '.' + name).join('');
        const held = isPrivate(element) ? '' : element.innerText || element.value;
        const text = [...String(held || '').trim().replace(/\s+/g, ' ')];
        const said = text.slice(0, 40).join('') + (text.length > 40 ? '…' : '');
        return `<${element.localName}${id}${classes}>` + (said ? ` "${said}"` : '');
    };

    /* Of an area: the image that uses its map. */
    const imageOf = (area) => {
        const map = area.closest('map');
        return map && [...area.getRootNode().querySelectorAll('img[usemap]')]
            .find((image) => image.getAttribute('usemap') === '#' + map.name);
    };

    /* A small box in the middle of an area; of one without a shape, that of the image. */
    const boxOfArea = (area) => {
        const image = imageOf(area);
        const whole = image ? image.getBoundingClientRect() : new DOMRect();
        const numbers = area.coords.split(',').map(Number);
        if (area.shape === 'default' || numbers.length < 3 || numbers.some(Number.isNaN)) {
            return whole;
        }
        if (/^circ/.test(area.shape)) {
            numbers.length = 2;
        }
        const mean = (from) => numbers.filter((_, i) => i % 2 === from)
            .reduce((sum, number, _, { length }) => sum + number / length, 0);
        return new DOMRect(whole.left + mean(0) - 1, whole.top + mean(1) - 1, 2, 2);
    };

    /* Where an element is that has no box of its own: an area, or what has display: contents. */
    const shapeOf = (element) => {
        const box = element.getBoundingClientRect();
        if (box.width || box.height) {
            return element;
        }
        if (element instanceof HTMLAreaElement) {
            const part = boxOfArea(element);
            return { getBoundingClientRect: () => part, getClientRects: () => [part] };
        }
        if (getComputedStyle(element).display !== 'contents') {
            return element;
        }
        const range = document.createRange();
        range.selectNodeContents(element);
        return range;
    };
    const placeOf = (element) => shapeOf(element).getBoundingClientRect();

    /* The element with a box that stands for one without: it can be seen, and be scrolled to. */
    const boxedFor = (element) => {
        if (shapeOf(element) === element) {
            return element;
        }
        return element instanceof HTMLAreaElement ? imageOf(element) ?? element
            : [...element.querySelectorAll('*')].find((one) => one.checkVisibility()) ??
                element.parentElement ?? element;
    };

    const isVisible = (element) => {
        const box = placeOf(element);
        return box.width > 0 && box.height > 0 &&
            boxedFor(element).checkVisibility({ visibilityProperty: true });
    };

    /*
     * What a user clicks for it: a label, where the page draws its own box in place of the control, of
     * which a dot may be left.
     */
    const shownFor = (element) => {
        const { width, height } = placeOf(element);
        const isReplaced = element instanceof HTMLInputElement &&
            /^(checkbox|radio)$/.test(element.type) && (Math.min(width, height) < 2 || !isVisible(element));
        return (isReplaced && [...element.labels].find(isVisible)) || element;
    };

    const parentOf = (node) => node.assignedSlot || node.parentNode || node.host;

    const isScrollable = (element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        return (element.scrollHeight > element.clientHeight && /auto|scroll/.test(overflowY)) ||
            (element.scrollWidth > element.clientWidth && /auto|scroll/.test(overflowX));
    };

    /* Whether an ancestor that scrolls or hides cuts off a part of the element's box. */
    const isClipped = (element) => {
        const box = element.getBoundingClientRect();
        for (let node = parentOf(element); node && node !== document; node = parentOf(node)) {
            const isClip = node instanceof Element && node !== document.documentElement &&
                node !== document.body && getComputedStyle(node).overflow !== 'visible';
            const clip = isClip && node.getBoundingClientRect();
            if (clip && (box.left < clip.left - 0.5 || box.right > clip.right + 0.5 ||
                         box.top < clip.top - 0.5 || box.bottom > clip.bottom + 0.5)) {
                return true;
            }
        }
        return false;
    };

    /* Pages in the background have no frames. */
    const nextFrame = () => new Promise((resolve) => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 100);
    });

    /* What a frame does not show is not drawn at all; the page's own part is, beyond its edges. */
    const isOutsideFrame = (element) => {
        const box = element.getBoundingClientRect();
        return window !== parent && (box.left < 0 || box.top < 0 || box.right > innerWidth ||
            box.bottom > innerHeight);
    };

    const boxOf = async (element) => {
        const isScrolled = isClipped(element) || isOutsideFrame(element);
        if (isScrolled) {
            const saved = [];
            for (let node = element; node; node = parentOf(node)) {
                if (node instanceof Element) {
                    saved.push([node, node.scrollLeft, node.scrollTop]);
                }
            }
            globalThis.browserRunnerScrolls = saved;
            element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
            /* A capture that comes before the frame shows the box as it was. */
            await nextFrame();
            await nextFrame();
        }
        const box = element.getBoundingClientRect();
        return {
            x: box.left, y: box.top, width: box.width, height: box.height, scrollX, scrollY,
            isScrolled,
        };
    };

    /* The document, or where that does not scroll, what does in the middle of the viewport. */
    const mainScroller = () => {
        const root = document.scrollingElement || document.documentElement;
        if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) {
            return root;
        }
        let node = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
        while (node && !(node instanceof Element && isScrollable(node))) {
            node = parentOf(node);
        }
        return node || root;
    };

    const scroll = (element) => {
        if (intoView) {
            const before = element.getBoundingClientRect();
            element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
            const after = element.getBoundingClientRect();
            return { moved: Math.abs(after.left - before.left) + Math.abs(after.top - before.top) };
        }
        const { scrollLeft, scrollTop } = element;
        const left = delta ? scrollLeft + x : x;
        const top = delta ? scrollTop + y : y;
        element.scrollTo({ left, top, behavior: 'instant' });
        return {
            moved: Math.abs(element.scrollLeft - scrollLeft) + Math.abs(element.scrollTop - scrollTop),
        };
    };

    /* The closed shadow roots around an element, which only somebody inside of them knows. */
    const closedRootsOf = (element) => {
        const roots = [];
        for (let root = element.getRootNode(); root.host; root = root.host.getRootNode()) {
            if (root.mode === 'closed') {
                roots.push(root);
            }
        }
        return roots;
    };

    const deepestHit = (element) => {
        const closed = new Map(closedRootsOf(element).map((root) => [root.host, root]));
        let hit = document.elementFromPoint(x, y);
        for (let root; (root = hit && (hit.shadowRoot || closed.get(hit)));) {
            /* Text in a slot is the host's, which is hit by it, but stands in a part of the root. */
            const top = root.elementFromPoint(x, y);
            const inner = top && top !== hit ? top
                : root.elementsFromPoint(x, y).find((one) => one.getRootNode() === root);
            if (!inner) {
                break;
            }
            hit = inner;
        }
        return hit;
    };

    /* A child of the element is the element, and a label is the control that it stands for. */
    const reaches = (hit, element) => {
        for (let node = hit; node; node = parentOf(node)) {
            if (node === element || (node.localName === 'label' && node.control === element)) {
                return true;
            }
        }
        return false;
    };

    /* What a page that draws itself anew has put in the place of an element; only if it is the one. */
    const successorOf = (element, described) => {
        if (element.isConnected || nth >= 0 || node) {
            return null;
        }
        const { matches } = role
            ? { matches: findBySelector(element.localName).filter((one) => describe(one) === described) }
            : find();
        return matches.length === 1 ? matches[0] : null;
    };

    /*
     * Until arrived.js asks, notes whether a click reaches the element, or its successor. A press is
     * enough where it makes the element disappear, as menus do, or opens a list of the browser's own.
     */
    const watchArrival = (element, name) => {
        const types = ['mousedown', 'click', 'auxclick', 'contextmenu'];
        const watch = { element, name, hasArrived: false };
        const described = describe(element);
        const note = (event) => {
            const path = event.composedPath();
            const isHere = path.includes(element) ||
                path.some((node) => node.localName === 'label' && node.control === element);
            if (event.type !== 'mousedown' || element.localName === 'select') {
                watch.hasArrived ||= isHere || path.includes(successorOf(element, described));
            } else if (isHere) {
                setTimeout(() => {
                    watch.hasArrived ||= !successorOf(element, described) &&
                        (!element.isConnected || !isVisible(element));
                }, 0);
            }
        };
        /* Outside of a closed shadow root nothing is told of what happens in it. */
        const places = [window, ...closedRootsOf(element)];
        watch.stop = () => {
            types.forEach((type) => places.forEach(
                (place) => place.removeEventListener(type, note, true)));
            globalThis.browserRunnerWatch = undefined;
        };
        if (globalThis.browserRunnerWatch) {
            globalThis.browserRunnerWatch.stop();
        }
        types.forEach((type) => places.forEach(
            (place) => place.addEventListener(type, note, true)));
        globalThis.browserRunnerWatch = watch;
    };

    /* Whether the mouse has come to x, y by now, and that is the point. */
    const isUnderMouse = (point, element) => {
        const isThere = Math.abs(point.x - x) < 0.5 && Math.abs(point.y - y) < 0.5;
        const over = isThere && deepestHit(element);
        return Boolean(over) && over.matches(':hover');
    };

    const hit = (element, name) => {
        const over = deepestHit(element);
        const inner = over && over.closest('a[href], button, input, select, textarea');
        const shown = shownFor(element);
        const isOther = shown !== element && shown.contains(inner) && inner !== element;
        if (isOther || !reaches(over, element)) {
            const place = `${Math.round(x)},${Math.round(y)}`;
            const cover = over ? describe(over) : 'nothing';
            return fail('TARGET_OBSCURED', `${name} is covered at ${place} by ${cover}`);
        }
        /* What happens inside of a frame is not told here. */
        if (!/^(iframe|frame|object|embed)$/.test(element.localName)) {
            watchArrival(element, name);
        }
        return {};
    };

    /* Brings the element into view, or the point of it that is meant. */
    const bringIntoView = (element) => {
        const box = placeOf(element);
        const isInView = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight &&
            box.right <= innerWidth && !isClipped(element);
        if (alignment !== 'nearest' || !isInView) {
            boxedFor(element).scrollIntoView({ block: alignment, inline: 'nearest', behavior: 'instant' });
        }
        const moved = placeOf(element);
        const left = offset ? moved.left + offset.x : 0;
        const top = offset ? moved.top + offset.y : 0;
        if (left < 0 || top < 0 || left >= innerWidth || top >= innerHeight) {
            scrollBy({ left: left - innerWidth / 2, top: top - innerHeight / 2,
                behavior: 'instant' });
        }
    };

    const isAnimated = (element) => {
        for (let node = element; node; node = parentOf(node)) {
            if (node instanceof Element &&
                node.getAnimations().some((one) => one.playState === 'running')) {
                return true;
            }
        }
        return false;
    };

    /*
     * The box that two frames have shown at the same place; null when it moved meanwhile. An
     * animation shows it where it was in its first frame yet, so that a third one has to tell.
     */
    const steadyBox = async (element) => {
        const before = placeOf(element);
        const isSame = (box) => ['left', 'top', 'width', 'height'].every(
            (side) => Math.abs(box[side] - before[side]) < 0.5);
        await nextFrame();
        if (isSame(placeOf(element)) && isAnimated(element)) {
            await nextFrame();
        }
        const box = placeOf(element);
        return isSame(box) ? box : null;
    };

    /* The middle of what can be seen of the first line box that can be seen at all. */
    const pointOf = (element, box, name) => {
        if (offset) {
            const left = box.left + offset.x;
            const top = box.top + offset.y;
            const isOutside = offset.x > box.width || offset.y > box.height || left < 0 ||
                top < 0 || left >= innerWidth || top >= innerHeight;
            return isOutside
                ? fail('TARGET_NOT_VISIBLE', `${name} cannot be seen at ${offset.x},${offset.y}`)
                : { x: left, y: top };
        }
        for (const line of shapeOf(element).getClientRects()) {
            const left = Math.max(line.left, 0);
            const right = Math.min(line.right, innerWidth);
            const top = Math.max(line.top, 0);
            const bottom = Math.min(line.bottom, innerHeight);
            if (right - left >= 1 && bottom - top >= 1) {
                return { x: (left + right) / 2, y: (top + bottom) / 2 };
            }
        }
        return fail('TARGET_NOT_VISIBLE', `${name} lies outside the viewport`);
    };

    const focus = (element, name) => {
        element.focus();
        const active = element.getRootNode().activeElement;
        if (active !== element && !(active && active.contains(element))) {
            return fail('TARGET_DISABLED', `${name} does not take the focus`);
        }
        const held = element.isContentEditable ? element.textContent : element.value;
        if (clear && held && element.select) {
            element.select();
        } else if (clear && held) {
            getSelection().selectAllChildren(element);
        } else if (element.isContentEditable && held) {
            getSelection().selectAllChildren(element);
            getSelection().collapseToEnd();
        } else if (editable && held) {
            try {
                element.setSelectionRange(held.length, held.length);
            } catch (error) {
                /* Numbers, dates and mail addresses have no caret to place. */
            }
        }
        globalThis.browserRunnerField = editable ? element : undefined;
        return { holdsText: Boolean(held) };
    };

    const collapsed = (said) => said.trim().replace(/\s+/g, ' ');
    const optionText = (option) => collapsed(option.label);

    const findOption = (options) => {
        if (choice.index !== undefined) {
            return options[choice.index];
        }
        return choice.value !== undefined
            ? options.find((option) => option.value === choice.value)
            : options.find((option) => optionText(option) === collapsed(choice.label));
    };

    /* The list that an option is in. */
    const listOf = (element) => (element.matches('option') ? element.closest('select') : null);

    /* The browser draws a closed list itself: nothing but a choice reaches what is in it. */
    const failUndrawn = (option, list, name) => {
        const way = node || `its list and the value ${JSON.stringify(option.value)}`;
        return fail('INVALID_ACTION', `${name} is in a closed list, ${describe(list)}, which the ` +
            'browser draws itself', `the action "select" with ${way} chooses it`);
    };

    /* Exactly one says which option: the element, or value, label or index of an option. */
    const checkChoice = (option, name) => {
        const hasChoice = Object.keys(choice).length > 0;
        if (option && hasChoice) {
            return fail('INVALID_ACTION', `${name} is an option itself`, node
                ? 'leave out value, label and index' : 'name its list instead');
        }
        return option || hasChoice ? null
            : fail('INVALID_ACTION', `${name} is no option`, 'give value, label or index of one');
    };

    /* As a user's choice would: the events come once, and only when something changes. */
    const select = (element, name, own) => {
        const options = [...element.options];
        const option = own ?? findOption(options);
        if (!option) {
            const wanted = JSON.stringify(choice.value ?? choice.label ?? choice.index);
            const list = options.slice(0, 10).map((one) => `"${optionText(one)}"`).join(', ');
            return fail('TARGET_NOT_FOUND', `${name} has no option ${wanted}; it has ${list}`);
        }
        const said = isPrivate(element) ? 'the option' : `"${optionText(option)}"`;
        if (option.disabled || option.closest('optgroup[disabled]')) {
            return fail('TARGET_DISABLED', `the option "${optionText(option)}" of ${name} is disabled`);
        }
        const isChanged = !option.selected;
        element.focus();
        if (isChanged) {
            option.selected = true;
            element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
            element.dispatchEvent(new Event('change', { bubbles: true }));
        }
        return option.selected ? { isChanged, said: said.toWellFormed() }
            : fail('UNKNOWN_ERROR', `the page undid the choice of ${said}`);
    };

    const checkedState = (element, name) => {
        const role = element.getAttribute('role');
        const isInput = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
        if (!isInput && !/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role)) {
            return fail('INVALID_ACTION', `${name} is no checkbox, radio button or switch`);
        }
        return {
            checked: isInput ? element.checked : element.getAttribute('aria-checked') === 'true',
            isRadio: isInput ? element.type === 'radio' : /radio/.test(role),
            name,
        };
    };

    const keepFileField = (element, name) => {
        if (!(element instanceof HTMLInputElement && element.type === 'file')) {
            return fail('INVALID_ACTION', `${name} is no field for files`);
        }
        if (element.matches(':disabled')) {
            return fail('TARGET_DISABLED', `${name} is disabled`);
        }
        globalThis.browserRunnerKept = element;
        return { isMultiple: element.multiple, name };
    };

    const keepFrame = (element) => {
        if (!/^(iframe|frame)$/.test(element.localName)) {
            return fail('TARGET_NOT_FOUND', `"${selector}" ${describe(element)} is no frame`);
        }
        globalThis.browserRunnerKept = element;
        return {};
    };

    const checkEditable = (element, name) => {
        const notText =
            /^(button|submit|reset|checkbox|radio|file|image|range|color|hidden)$/;
        const isText = element instanceof HTMLTextAreaElement || element.isContentEditable ||
            (element instanceof HTMLInputElement && !notText.test(element.type));
        if (!isText) {
            return fail('INVALID_ACTION', `${name} takes no text`);
        }
        return element.readOnly ? fail('TARGET_DISABLED', `${name} is read-only`) : null;
    };

    /* 'input', 'focus' and 'select', of a list that may have its `option`: what has to be so first. */
    const prepare = async (element, name, option) => {
        if (element.matches(':disabled') || element.closest('[aria-disabled="true"]')) {
            return fail('TARGET_DISABLED', `${name} is disabled`);
        }
        if (mode === 'select' && !(element instanceof HTMLSelectElement)) {
            return fail('INVALID_ACTION', `${name} is no <select>`);
        }
        const problem = mode === 'select' ? checkChoice(option, name)
            : editable && checkEditable(element, name);
        if (problem) {
            return problem;
        }
        const shown = mode === 'input' ? shownFor(element) : element;
        globalThis.browserRunnerKept = element;
        bringIntoView(shown);
        if (isAhead) {
            return pointOf(shown, placeOf(shown), name);
        }
        const box = await steadyBox(shown);
        if (!element.isConnected) {
            return fail(goneCode, `${name} was removed from the page`);
        }
        if (!isVisible(shown)) {
            return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
        }
        if (mode === 'focus') {
            return focus(element, name);
        }
        if (mode === 'select') {
            return select(element, name, option);
        }
        if (!box) {
            return fail('TARGET_NOT_VISIBLE', `${name} does not stand still`);
        }
        const area = { x: box.left, y: box.top, width: box.width, height: box.height };
        const point = pointOf(shown, box, name);
        if (point.code || !isUnderMouse(point, element)) {
            return { ...point, area };
        }
        return { ...point, area, isHit: true, ...hit(element, name) };
    };

    const TEST_IDS = ['data-testid', 'data-test-id', 'data-test'];
    const normalized = (said) => said.trim().replace(/\s+/g, ' ').toLowerCase();

    /* Without a `*` a part of the text is enough. */
    const patternOf = (wanted) => new RegExp(normalized(wanted).split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*'));

    const SILENT = 'script, style, noscript, template, head, title, textarea, select';

    /* What is written in it, without what nobody sees. */
    const writtenIn = (node) => {
        if (!(node instanceof Element)) {
            return node instanceof Text ? node.data : '';
        }
        return node.matches(SILENT) ? ''
            : node.querySelector(SILENT) ? [...node.childNodes].map(writtenIn).join('')
                : node.textContent;
    };

    const saidBy = (element) => {
        if (element instanceof HTMLInputElement) {
            return /^(button|submit|reset)$/.test(element.type) ? normalized(element.value) : '';
        }
        return normalized(writtenIn(element));
    };

    /* The innermost elements that say it; those that show, and say just it, come before others. */
    const findByText = (wanted) => {
        const pattern = patternOf(wanted);
        const says = (element) => pattern.test(saidBy(element));
        const all = findRoots()
            .flatMap((root) => [...root.querySelectorAll(root === document ? 'body, body *' : '*')])
            .filter((element) => says(element) && ![...element.children].some(says));
        const shown = all.filter(isVisible);
        const exact = shown.filter((element) => saidBy(element) === normalized(wanted));
        return exact.length ? { matches: exact, rank: 0 }
            : shown.length ? { matches: shown, rank: 1 } : { matches: all, rank: 2 };
    };

    const findByRole = () => {
        const shown = given.filter(isVisible);
        return shown.length ? { matches: shown, rank: 0 } : { matches: given, rank: 1 };
    };

    const findBySelector = (css) => findRoots().flatMap((root) => [...root.querySelectorAll(css)]);

    const isSelector = (candidate) => {
        try {
            document.createDocumentFragment().querySelector(candidate);
            return true;
        } catch (error) {
            return false;
        }
    };

    /* The first candidate that shows; as text where it is no selector or matches nothing. */
    const findByTargets = () => {
        for (const [rank, candidate] of targets.entries()) {
            const byCss = isSelector(candidate) ? findBySelector(candidate).filter(isVisible) : [];
            const found = byCss.length ? byCss : findByText(candidate).matches.filter(isVisible);
            if (found.length) {
                const way = byCss.length ? 'selector' : 'text';
                return { matches: [found[Math.max(nth, 0)]].filter(Boolean), rank,
                    chosen: `"${candidate}" as ${way}, the first of ${found.length} that show` };
            }
        }
        return { matches: [], rank: targets.length };
    };

    const find = () => {
        if (selector || testId) {
            const css = selector ||
                TEST_IDS.map((name) => `[${name}="${CSS.escape(testId)}"]`).join();
            return { matches: findBySelector(css), rank: 0 };
        }
        if (node) {
            return { matches: given, rank: 0 };
        }
        return text ? findByText(text) : role ? findByRole() : findByTargets();
    };

    const sayWanted = () => {
        if (role) {
            return `role "${role}"` + (wantedName ? ` with the name "${wantedName}"` : '');
        }
        return node || (selector ? `"${selector}"` : testId ? `test id "${testId}"`
            : text ? `text "${text}"` : `any of ${targets.map((one) => `"${one}"`).join(', ')}`);
    };

    const isNamed = selector || testId || text || role || node || targets;
    if (mode === 'scroll' && !isNamed) {
        return scroll(mainScroller());
    }
    if (selector && !isSelector(selector)) {
        return fail(mode === 'frame' ? 'TARGET_NOT_FOUND' : 'INVALID_ACTION',
            `"${selector}" is no valid CSS selector`);
    }
    const called = sayWanted();
    const kept = globalThis.browserRunnerKept;
    const isGone = (element) => !(element && element.isConnected);
    if (isKept ? isGone(kept) : node && isGone(given[0])) {
        return fail(goneCode, `${called} was removed from the page`);
    }
    const { matches, rank, chosen } = isKept ? { matches: [kept], chosen: called } : find();
    if (mode === 'state') {
        return { count: matches.length, visible: matches.some(isVisible), rank,
            list: matches.slice(0, 5).map((element) => describe(element).toWellFormed()) };
    }
    if (matches.length === 0) {
        return fail('TARGET_NOT_FOUND', `no element matches ${called}`);
    }
    if (nth < 0 && matches.length > 1) {
        const list = matches.slice(0, 5).map(describe).join(', ');
        return fail('TARGET_AMBIGUOUS', `${matches.length} elements match ${called}: ${list}`);
    }
    const element = chosen ? matches[0] : matches[Math.max(nth, 0)];
    if (!element) {
        return fail('TARGET_NOT_FOUND',
            `only ${matches.length} elements match ${called}, there is no number ${nth}`);
    }
    const name = `${called} ${describe(element)}`.trim();
    if (mode === 'hit') {
        return hit(element, name);
    }
    if (mode === 'checked') {
        return checkedState(element, name);
    }
    if (mode === 'frame') {
        return keepFrame(element);
    }
    if (mode === 'keep') {
        globalThis.browserRunnerKept = element;
        return {};
    }
    if (mode === 'files') {
        return keepFileField(element, name); /* often hidden behind a button */
    }
    const list = listOf(element);
    const isChosen = mode === 'select' && list;
    const isUndrawn = list && !isVisible(element) && isVisible(list);
    if (isUndrawn && !isChosen) {
        return failUndrawn(element, list, name);
    }
    if (!isVisible(mode === 'input' ? shownFor(element) : isChosen ? list : element)) {
        return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
    }
    if (mode === 'box') {
        return boxOf(element);
    }
    if (mode === 'scroll') {
        return scroll(element);
    }
    const answer = await (isChosen ? prepare(list, name, element) : prepare(element, name));
    return chosen && !answer.code && !isKept ? { ...answer, chosen } : answer;
}
