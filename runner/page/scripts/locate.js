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
 * 'hit':    would input at x, y reach it? From then on press.js tells whether it does;
 * 'focus':  gives it the focus when it is ready; with `editable` it also has to take text, with
 *           `clear` all that it holds is selected. Answers how the rest is done: whether it
 *           `holdsText`, `isEditor` that has its own keys for that, or `isToBeClicked`;
 * 'select': chooses what `choice` names, { by: 'value', 'label' or 'index', wanted: [] }, or the
 *           element itself, where it is an option;
 * 'chosen': after that, and once a page that `isHeard` of it has had the time to undo it: what is
 *           chosen?
 * 'checked': is it checked? Keeps it, answers also what it is. It may become `wanted` only if it is
 *           enabled; once it `isClicked`, it may take a while, and again be undone;
 * 'files':  is it a field for files? Keeps it, for the files to be set; anything else `isArea`;
 * 'frame':  is it the element of a frame? Keeps it.
 * 'keep':   keeps it, whatever it is.
 * With `isKept` the element is the one that was kept last, as 'input' and 'focus' do, too. In a frame
 * 'focus' and 'select' only answer the point where a person would reach the element, until `isReached`
 * says that the frames around it let them.
 * Answers { code, message, hint } where that is not so; a hint need not be there.
 */
async function ({
    selector, testId, text, role, name: wantedName, node, targets, nth, mode, alignment, offset, x, y,
    ignoreNoAi, delta, intoView, editable, clear, choice, wanted, isClicked, isHeard, isAhead, isKept, isReached,
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
/* include around.js */
/* include brief.js */
/* include field.js */
    const matchesOf = ownOf(Element, 'matches');
    const childNodesOf = ownOf(Node, 'childNodes');
    const rootOf = ownOf(Node, 'getRootNode');
    const closestOf = ownOf(Element, 'closest');
    const isInert = ownOf(HTMLElement, 'inert');
    const isLeftOut = (element) => !ignoreNoAi && isKeptFromModels(element);

    const describe = (element) => {
        const held = isPrivate(element) || isLeftOut(element) ? '' : element.innerText || element.value;
        const text = [...String(held || '').trim().replace(/\s+/g, ' ')];
        const said = text.slice(0, 40).join('') + (text.length > 40 ? '…' : '');
        return brief(element) + (said ? ` "${said}"` : '');
    };

/* include place.js */

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

/* include scroll.js */

    /* The closed shadow roots around an element, which only somebody inside of them knows. */
    const closedRootsOf = (element) => {
        const roots = [];
        for (let root = rootOf(element); root instanceof ShadowRoot; root = root.host.getRootNode()) {
            if (root.mode === 'closed') {
                roots.push(root);
            }
        }
        return roots;
    };

    const deepestHit = (element, atX = x, atY = y) => {
        const closed = new Map(closedRootsOf(element).map((root) => [root.host, root]));
        let hit = document.elementFromPoint(atX, atY);
        for (let root; (root = hit && (hit.shadowRoot || closed.get(hit)));) {
            /* Text in a slot is the host's, which is hit by it, but stands in a part of the root. */
            const top = root.elementFromPoint(atX, atY);
            const inner = top && top !== hit ? top
                : root.elementsFromPoint(atX, atY).find((one) => one.getRootNode() === root);
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

    /* Until arrived.js asks, press.js tells which events reach the element, or its successor. */
    const watchArrival = (element, name) => {
/* include press.js */
        const described = describe(element);
        const isClosed = closedRootsOf(element).length > 0;
        const stands = () => (element.isConnected ? element : successorOf(element, described));
        const isReachedBy = (event) => {
            const path = event.composedPath();
            const reached = stands();
            /* Of a closed shadow root the window is not told. */
            return path.includes(element) || path.includes(reached) ||
                path.some((node) => node.localName === 'label' && node.control === element) ||
                (isClosed && reaches(deepestHit(element, event.clientX, event.clientY), element));
        };
        const finish = () => {
            const reached = stands();
            return {
                name: name.toWellFormed(), isGone: !element.isConnected,
                isThere: Boolean(reached) && isVisible(shownFor(reached)),
                isFrame: /^(iframe|frame|object|embed)$/.test(element.localName),
            };
        };
        globalThis.browserRunnerWatch = { element, isReachedBy, finish };
    };

    /* Whether the mouse has come to x, y by now, and that is the point. */
    const isUnderMouse = (point, element) => {
        const isThere = Math.abs(point.x - x) < 0.5 && Math.abs(point.y - y) < 0.5;
        const over = isThere && deepestHit(element);
        return Boolean(over) && over.matches(':hover');
    };

    /*
     * Where a frame of another process is, Chrome knows by what was drawn last: after a scroll the mouse
     * may have come to another one, and so would the press, until the next frames are drawn.
     */
    const awaitMouse = async (element) => {
        if (window !== top && !deepestHit(element)?.matches(':hover')) {
            await nextFrame();
            await nextFrame();
        }
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
        watchArrival(element, name);
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

    /* The part of rich text that takes the focus for it. */
    const hostOf = (element) => {
        let host = element;
        while (host.isContentEditable && host.parentElement?.isContentEditable) {
            host = host.parentElement;
        }
        return host;
    };

    const selectText = (element, isAll) => {
        getSelection().selectAllChildren(element);
        if (!isAll) {
            getSelection().collapseToEnd();
        }
    };

    const focus = (element, name) => {
        hostOf(element).focus();
        const active = element.getRootNode().activeElement;
        if (active !== element && !(active && active.contains(element))) {
            return fail('TARGET_DISABLED', `${name} does not take the focus`);
        }
        globalThis.browserRunnerField = editable ? element : undefined;
        if (editable && (isSetWhole(element) ? /^(range|color)$/.test(element.type) : standInFor(element))) {
            return { isEditor: !isSetWhole(element) };
        }
        const held = element.isContentEditable ? element.textContent : element.value;
        if (clear && held && element.select) {
            element.select();
        } else if (held && (clear || element.isContentEditable)) {
            selectText(element, clear);
        } else if (editable && held) {
            try {
                element.setSelectionRange(held.length, held.length);
            } catch (error) {
                /* Numbers, dates and mail addresses have no caret to place. */
            }
        }
        return { holdsText: Boolean(held) };
    };

    /* What keeps a person from an element, though it is there and enabled; null: nothing. */
    const findBarrier = (element, name) => {
        const around = [];
        for (let node = element; node; node = parentOf(node)) {
            around.push(node);
        }
        if (around.some((node) => node instanceof HTMLElement && isInert(node))) {
            return fail('TARGET_DISABLED', `${name} is inert`, 'the page has switched off this part of it');
        }
        const modal = findBySelector('dialog:modal').at(-1);
        if (modal && !around.some((node) => node instanceof Element && matchesOf(node, 'dialog:modal'))) {
            return fail('TARGET_OBSCURED', `${name} is behind the modal ${describe(modal)}`);
        }
        const shown = standInFor(element) ?? element;
        const box = placeOf(shown);
        const left = Math.max(box.left, 0);
        const top = Math.max(box.top, 0);
        const width = Math.min(box.right, innerWidth) - left;
        const height = Math.min(box.bottom, innerHeight) - top;
        /* The middle first; a sign in the field may be there. */
        const hits = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]].map(([across, down]) => {
            const [atX, atY] = [left + width * across, top + height * down];
            return { atX, atY, over: deepestHit(shown, atX, atY) };
        });
        const reached = hits.find(({ over }) => reaches(over, shown) || reaches(over, element));
        if (reached) {
            return { x: reached.atX, y: reached.atY };
        }
        if (getComputedStyle(element).pointerEvents === 'none') {
            return fail('TARGET_DISABLED', `${name} lets the mouse through: pointer-events is none`);
        }
        const [{ atX, atY, over }] = hits;
        return fail('TARGET_OBSCURED', `${name} is covered at ${Math.round(atX)},${Math.round(atY)} by ` +
            (over ? describe(over) : 'nothing'));
    };

    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const UNDO_MS = 100; /* what a page may take to undo what was done */
    const LATE_MS = 500; /* and to show it */

/* include choose.js */

    const checkedState = async (element, name) => {
        const isOff = element.matches(':disabled') || element.closest('[aria-disabled="true"]');
        const role = element.getAttribute('role');
        const isInput = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
        if (!isInput && !/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role)) {
            return fail('INVALID_ACTION', `${name} is no checkbox, radio button or switch`);
        }
        const isChecked = () =>
            (isInput ? element.checked : element.getAttribute('aria-checked') === 'true');
        if (!isClicked && isOff && isChecked() !== wanted) {
            return fail('TARGET_DISABLED', `${name} is disabled`);
        }
        if (isClicked) {
            for (const end = performance.now() + LATE_MS; isChecked() !== wanted && performance.now() < end;) {
                await pause(20);
            }
            await pause(isHeard ? UNDO_MS : 0);
        }
        globalThis.browserRunnerKept = element;
        return {
            checked: isChecked(), isRadio: isInput ? element.type === 'radio' : /radio/.test(role), name,
        };
    };

    const keepFileField = (element, name) => {
        if (!element.matches('input, select')) {
            return { isArea: true };
        }
        if (element.type !== 'file') {
            return fail('INVALID_ACTION', `${name} is no field for files`);
        }
        if (element.matches(':disabled')) {
            return fail('TARGET_DISABLED', `${name} is disabled`);
        }
        globalThis.browserRunnerKept = element;
        globalThis.browserRunnerTook = false;
        element.addEventListener('change', () => { globalThis.browserRunnerTook = true; }, { once: true });
        return { isMultiple: element.multiple, isDirectory: element.webkitdirectory, name };
    };

    const keepFrame = (element) => {
        if (!/^(iframe|frame)$/.test(element.localName)) {
            return fail('TARGET_NOT_FOUND', `"${selector}" ${describe(element)} is no frame`);
        }
        globalThis.browserRunnerKept = element;
        return {};
    };

    /* Whether a click on it may lead to a field in it: editors are named by the box around them. */
    const holdsField = (element) => [...element.querySelectorAll('*')].some((inner) =>
        takesText(inner) || inner.localName === 'iframe' || (inner.shadowRoot && holdsField(inner.shadowRoot)));

    const checkEditable = (element, name) => {
        if (!takesText(element)) {
            const isClicked = !element.matches('a, button, input, select') &&
                (element.localName === 'iframe' || holdsField(element.shadowRoot ?? element));
            return isClicked ? { isToBeClicked: true }
                : fail('INVALID_ACTION', `${name} takes no text`);
        }
        return element.readOnly || element.ariaReadOnly === 'true'
            ? fail('TARGET_DISABLED', `${name} is read-only`) : null;
    };

    /* 'input', 'focus' and 'select', of a list that may have its `option`: what has to be so first. */
    const prepare = async (element, name, option) => {
        if (matchesOf(element, ':disabled') || closestOf(element, '[aria-disabled="true"]')) {
            return fail('TARGET_DISABLED', `${name} is disabled`);
        }
        const { control } = (mode === 'input' && closestOf(element, 'label')) || {};
        if (control?.matches(':disabled') && !element.closest('a[href], button')) {
            return fail('TARGET_DISABLED', `${name} is the label of what is disabled: ${describe(control)}`);
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
        if (!isShown(shown)) {
            return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
        }
        if (mode === 'select' || editable) {
            const barrier = findBarrier(element, name);
            /* What is around the frame is to be asked first. */
            if (barrier.code || (window !== top && !isReached)) {
                globalThis.browserRunnerKept = option ?? element;
                return barrier;
            }
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

/* include find.js */

    /* What is done with a label is meant for its control. */
    const controlFor = (match) => {
        const isMeant = mode === 'select' || mode === 'checked' || mode === 'files' || editable;
        const label = isMeant && !match.matches('input, textarea, select, option') && match.closest('label');
        const control = label && label.control;
        return control && (mode !== 'files' || control.type === 'file') ? control : match;
    };

    /* What the selectors of other tools are written as here. */
    const meantBy = (css) => {
        const said = css.match(/(?:^\s*text\s*=|:(?:has-text|text|text-is|contains)\()\s*["']?([^"')]*)/i);
        if (said) {
            return `CSS does not look at text: give text "${said[1].trim()}" in place of selector, ` +
                'or role with name';
        }
        if (/^\s*(?:xpath\s*=|\(*\.{0,2}\/)/i.test(css)) {
            return 'XPath is not read: give text, or role with name, in place of selector';
        }
        if (/^\s*role\s*=/i.test(css)) {
            return 'give role, and name, in place of selector';
        }
        if (css.includes('>>')) {
            return 'write a > b or a b: open shadow roots are looked through, and frame names a frame';
        }
        if (/:(?:visible|hidden)\b/i.test(css)) {
            return 'leave it out: an element is waited for until it shows; nth decides between several';
        }
        return /:(?:eq|nth-match|first|last|nth)\b/i.test(css)
            ? 'give nth beside the selector, counted from 0' : undefined;
    };

    const isNamed = selector || testId || text || role || node || targets;
    if (mode === 'scroll' && !isNamed) {
        return scroll(mainScroller(), 'the page');
    }
    if (selector && !isSelector(selector)) {
        return fail(mode === 'frame' ? 'TARGET_NOT_FOUND' : 'INVALID_ACTION',
            `"${selector}" is no valid CSS selector`, meantBy(selector));
    }
    const called = sayWanted();
    const kept = globalThis.browserRunnerKept;
    const isGone = (element) => !(element && element.isConnected);
    /* A page that asks for files often makes the field for the moment, and never shows it. */
    const isApart = mode === 'files' && given[0] instanceof HTMLInputElement;
    if (isKept ? isGone(kept) : node && isGone(given[0]) && !isApart) {
        return fail(goneCode, `${called} was removed from the page`);
    }
    const { matches, rank, chosen: saidChosen } = isKept ? { matches: [kept], chosen: called } : find();
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
    const match = saidChosen ? matches[0] : matches[Math.max(nth, 0)];
    if (!match) {
        return fail('TARGET_NOT_FOUND',
            `only ${matches.length} elements match ${called}, there is no number ${nth}`);
    }
    const element = controlFor(match);
    /* What is only looked at, such as whether it is there, is another's question. */
    if (/^(input|focus|select|checked|chosen|files|scroll)$/.test(mode) &&
        (isLeftOut(match) || isLeftOut(element))) {
        return fail('POLICY_DENIED', `${called} is kept from models by the page: data-no-ai`,
            'leave it to a person; for pages of your own, set ignoreNoAi');
    }
    const name = `${called} ${describe(element)}`.trim();
    if (mode === 'hit') {
        await awaitMouse(element);
        return hit(element, name);
    }
    if (mode === 'checked') {
        return checkedState(element, name);
    }
    if (mode === 'chosen') {
        return chosen(element, name);
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
    if (!isShown(mode === 'input' ? shownFor(element) : isChosen ? list : element)) {
        return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
    }
    if (mode === 'box') {
        return boxOf(element);
    }
    if (mode === 'scroll') {
        return scroll(element, name);
    }
    const answer = await (isChosen ? prepare(list, name, element) : prepare(element, name));
    return saidChosen && !answer.code && !isKept ? { ...answer, chosen: saidChosen } : answer;
}
