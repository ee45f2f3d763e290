/*
 * Finds the element that an action names and says whether it is ready for input.
 * Takes { selector, nth, mode, … } with one of these modes:
 * 'state': how many there are, and whether one is visible;
 * 'box': where it is in the document;
 * 'input': ready to be clicked; scrolls it into view by `alignment`, answers the point to click,
 *     its middle or `offset` from its corner;
 * 'focus': gives it the focus when it is ready, with `editable` also to take text, and with
 *     `clear` selects all that it holds;
 * 'hit': input at { x, y } would reach it; from then on notes whether it does, for arrived.js.
 * Answers { code, message } when that is not so.
 */
async function ({ selector, nth, mode, editable, clear, alignment, offset, x, y }) {
    const fail = (code, message) => ({ code, message });

    const roots = [document];
    for (let i = 0; i < roots.length; i++) {
        const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (node.shadowRoot) {
                roots.push(node.shadowRoot);
            }
        }
    }

    const describe = (element) => {
        const id = element.id ? '#' + element.id : '';
        const classes = [...element.classList].slice(0, 3).map((name) => '.' + name).join('');
        const value = element.type === 'password' ? '' : element.value;
        const text = String(element.innerText || value || '').trim().replace(/\s+/g, ' ');
        const said = text ? ' "' + (text.length > 40 ? text.slice(0, 40) + '…' : text) + '"' : '';
        return '<' + element.localName + id + classes + '>' + said;
    };

    const find = () => {
        try {
            return roots.flatMap((root) => [...root.querySelectorAll(selector)]);
        } catch (error) {
            return null;
        }
    };

    const isVisible = (element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.height > 0 &&
            element.checkVisibility({ visibilityProperty: true });
    };

    /* What lies over the element at { x, y }; null when the element itself is hit. */
    const coverOf = (element) => {
        let hit = document.elementFromPoint(x, y);
        for (let inner = hit; inner && inner.shadowRoot;) {
            inner = inner.shadowRoot.elementFromPoint(x, y);
            if (!inner || inner === hit) {
                break;
            }
            hit = inner;
        }
        /* Up through slots and shadow hosts: a child of the element is the element. */
        for (let node = hit; node; node = node.assignedSlot || node.parentNode || node.host) {
            if (node === element) {
                return null;
            }
        }
        /* A click on a label is a click on its control, and the other way round. */
        const label = hit && hit.closest('label');
        if (label && (label.control === element || element.closest('label') === label)) {
            return null;
        }
        return hit ? describe(hit) : 'nothing';
    };

    /*
     * Until arrived.js asks, notes whether a click reaches the element. A press is enough where it
     * makes the element disappear, as menus do, or opens a list of the browser's own.
     */
    const watchArrival = (element, name) => {
        const types = ['mousedown', 'click', 'auxclick', 'contextmenu'];
        const hit = document.elementFromPoint(x, y);
        const watch = { element, name, hasArrived: false };
        const note = (event) => {
            const path = event.composedPath();
            if (!path.includes(element) && !path.includes(hit)) {
                return;
            }
            if (event.type !== 'mousedown' || element.localName === 'select') {
                watch.hasArrived = true;
                return;
            }
            setTimeout(() => {
                watch.hasArrived ||= !element.isConnected || !isVisible(element);
            }, 0);
        };
        watch.stop = () => {
            types.forEach((type) => removeEventListener(type, note, true));
            globalThis.browserRunnerWatch = undefined;
        };
        if (globalThis.browserRunnerWatch) {
            globalThis.browserRunnerWatch.stop();
        }
        types.forEach((type) => addEventListener(type, note, true));
        globalThis.browserRunnerWatch = watch;
    };

    const matches = find();
    if (!matches) {
        return fail('INVALID_ACTION', `"${selector}" is no valid CSS selector`);
    }
    if (mode === 'state') {
        return { count: matches.length, visible: matches.some(isVisible) };
    }
    if (matches.length === 0) {
        return fail('TARGET_NOT_FOUND', `no element matches "${selector}"`);
    }
    if (nth < 0 && matches.length > 1) {
        const list = matches.slice(0, 5).map(describe).join(', ');
        return fail('TARGET_AMBIGUOUS', `${matches.length} elements match "${selector}": ${list}`);
    }
    const element = matches[Math.max(nth, 0)];
    if (!element) {
        return fail('TARGET_NOT_FOUND',
            `only ${matches.length} elements match "${selector}", there is no number ${nth}`);
    }
    const name = `"${selector}" ${describe(element)}`;
    if (mode === 'hit') {
        const cover = coverOf(element);
        const place = `${Math.round(x)},${Math.round(y)}`;
        if (cover) {
            return fail('TARGET_OBSCURED', `${name} is covered at ${place} by ${cover}`);
        }
        /* What is inside of a frame is not told here. */
        if (!/^(iframe|frame|object|embed)$/.test(element.localName)) {
            watchArrival(element, name);
        }
        return {};
    }
    if (!isVisible(element)) {
        return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
    }
    if (mode === 'box') {
        const box = element.getBoundingClientRect();
        return {
            x: box.left + scrollX, y: box.top + scrollY, width: box.width, height: box.height,
        };
    }
    if (element.matches(':disabled') || element.closest('[aria-disabled="true"]')) {
        return fail('TARGET_DISABLED', `${name} is disabled`);
    }

    const isText = element instanceof HTMLTextAreaElement || element.isContentEditable ||
        (element instanceof HTMLInputElement &&
         !/^(button|submit|reset|checkbox|radio|file|image|range|color|hidden)$/.test(element.type));
    if (editable && !isText) {
        return fail('INVALID_ACTION', `${name} takes no text`);
    }
    if (editable && element.readOnly) {
        return fail('TARGET_DISABLED', `${name} is read-only`);
    }

    /* A box that stands still from one frame to the next; a page in the background has none. */
    const nextFrame = () => new Promise((resolve) => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 100);
    });
    const isInView = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight &&
        box.right <= innerWidth;
    if (alignment !== 'nearest' || !isInView(element.getBoundingClientRect())) {
        element.scrollIntoView({ block: alignment, inline: 'nearest', behavior: 'instant' });
    }
    const before = element.getBoundingClientRect();
    await nextFrame();
    await nextFrame();
    const box = element.getBoundingClientRect();
    const isSteady = Math.abs(box.left - before.left) < 0.5 && Math.abs(box.top - before.top) < 0.5 &&
        Math.abs(box.width - before.width) < 0.5 && Math.abs(box.height - before.height) < 0.5;
    if (!element.isConnected) {
        return fail('TARGET_NOT_FOUND', `${name} was removed from the page`);
    }
    if (!isVisible(element)) {
        return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
    }
    if (mode === 'focus') {
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
        return { holdsText: Boolean(held) };
    }
    if (!isSteady) {
        return fail('TARGET_NOT_VISIBLE', `${name} does not stand still`);
    }

    if (offset) {
        const x = box.left + offset.x;
        const y = box.top + offset.y;
        const isOutside = offset.x > box.width || offset.y > box.height || x < 0 || y < 0 ||
            x >= innerWidth || y >= innerHeight;
        return isOutside
            ? fail('TARGET_NOT_VISIBLE', `${name} cannot be seen at ${offset.x},${offset.y}`)
            : { name, x, y };
    }
    /* The middle of what can be seen of the first line box that can be seen at all. */
    for (const line of element.getClientRects()) {
        const left = Math.max(line.left, 0);
        const right = Math.min(line.right, innerWidth);
        const top = Math.max(line.top, 0);
        const bottom = Math.min(line.bottom, innerHeight);
        if (right - left >= 1 && bottom - top >= 1) {
            return { name, x: (left + right) / 2, y: (top + bottom) / 2 };
        }
    }
    return fail('TARGET_NOT_VISIBLE', `${name} lies outside the viewport`);
}
