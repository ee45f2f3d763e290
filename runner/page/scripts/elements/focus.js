    /* Focuses an element. */

    /* Returns the editing host, which is focused for rich text. */
    const hostOf = (element) => {
        let host = element;
        while (host.isContentEditable && host.parentElement?.isContentEditable) {
            host = host.parentElement;
        }
        return host;
    };

    const mayTakeFocus = (element) => element.isContentEditable || (element.hasAttribute('tabindex') ||
        element.tabIndex >= 0) && !element.matches('a:not([href], [tabindex])');

    /* Checks that it is focused, or an element in it to which it has passed the focus. */
    const checkFocused = (element, name) => {
        const active = element.getRootNode().activeElement;
        if (active && (element.contains(active) || (element.isContentEditable && active.contains(element)))) {
            return;
        }
        if (!mayTakeFocus(element)) {
            fail('INVALID_ACTION', `${name} takes no focus`,
                'name a control, or leave the element out: keys go to what has the focus');
        }
        fail('TARGET_DISABLED', `${name} does not take the focus, or does not keep it`);
    };

    const selectText = (element, isAll) => {
        getSelection().selectAllChildren(element);
        if (!isAll) {
            getSelection().collapseToEnd();
        }
    };

    /* Number and email fields have no selection API; their caret can only be moved. */
    const placeCaret = (field, at) => {
        if (field.selectionEnd === null) {
            getSelection().modify('move', 'forward', 'documentboundary');
        } else {
            field.setSelectionRange(at, at);
        }
    };

    /*
     * Focuses the element; returns whether it `holdsText`, or `isEditor` with keys of its own for
     * emptying it.
     */
    const giveFocus = (element, name, { editable, clear }) => {
        hostOf(element).focus();
        checkFocused(element, name);
        if (editable && (isSetWhole(element) ? /^(range|color)$/.test(element.type) : standInFor(element))) {
            return { isEditor: !isSetWhole(element) };
        }
        /* An incomplete number such as "12-" has no value. */
        const held = element.isContentEditable ? element.textContent
            : element.value || (element.validity?.badInput ? ' ' : '');
        if (clear && held && element.select) {
            element.select();
        } else if (held && (clear || element.isContentEditable)) {
            selectText(element, clear);
        } else if (editable && held) {
            placeCaret(element, held.length);
        }
        return { holdsText: Boolean(held) };
    };

    /* Returns a point where a person could click it, although parts may be covered. */
    const findReach = ({ query }, element, name) => {
        const around = [];
        for (let node = element; node; node = parentOf(node)) {
            around.push(node);
        }
        if (around.some((node) => node instanceof HTMLElement && isInert(node))) {
            fail('TARGET_DISABLED', `${name} is inert`, 'the page has switched off this part of it');
        }
        const modal = findBySelector('dialog:modal').at(-1);
        if (modal && !around.some((node) => node instanceof Element && matchesOf(node, 'dialog:modal'))) {
            fail('TARGET_OBSCURED', `${name} is behind the modal ${describe(modal, query)}`);
        }
        const shown = standInFor(element) ?? element;
        const box = placeOf(shown);
        const left = Math.max(box.left, 0);
        const top = Math.max(box.top, 0);
        const width = Math.min(box.right, innerWidth) - left;
        const height = Math.min(box.bottom, innerHeight) - top;
        /* Tries the middle first; an icon in the field may be there. */
        const hits = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]].map(([across, down]) => {
            const [x, y] = [left + width * across, top + height * down];
            return { x, y, over: deepestHit(shown, x, y) };
        });
        const reached = hits.find(({ over }) => reaches(over, shown) || reaches(over, element));
        if (reached) {
            return { x: reached.x, y: reached.y };
        }
        if (getComputedStyle(element).pointerEvents === 'none') {
            fail('TARGET_DISABLED', `${name} lets the mouse through: pointer-events is none`);
        }
        const [{ x, y, over }] = hits;
        return failCovered(over, x, y, name, query);
    };

    /*
     * Returns whether a click on it may focus a field in it: editors are often named by the box
     * around them.
     */
    const holdsField = (element) => [...element.querySelectorAll('*')].some((inner) =>
        takesText(inner) || inner.localName === 'iframe' || (inner.shadowRoot && holdsField(inner.shadowRoot)));

    /* Checks that it accepts text; otherwise returns whether to click it for that. */
    const checkEditable = (element, name) => {
        if (!takesText(element)) {
            const isClicked = !element.matches('a, button, input, select') &&
                (element.localName === 'iframe' || holdsField(element.shadowRoot ?? element));
            return isClicked || fail('INVALID_ACTION', `${name} takes no text`);
        }
        if (element.readOnly || element.ariaReadOnly === 'true') {
            fail('TARGET_DISABLED', `${name} is read-only`);
        }
        return false;
    };

    /*
     * Focuses it when it is ready; with `editable` it must also accept text, with `clear` its
     * content is selected. In a frame, first only returns the point where a person could reach it,
     * until it `isReached`, that is the enclosing frames allow it. An element that is no field, but
     * may lead to one, `isToBeClicked`.
     */
    const focus = async (found, options) => {
        const { editable, isReached } = options;
        const isForControl = editable || !mayTakeFocus(found.element);
        const name = take(found, isForControl ? controlFor(found.element) : found.element);
        const { element } = found;
        checkDrawn(found, name);
        checkShown(element, name, editable);
        checkEnabled(element, name);
        if (editable && checkEditable(element, name)) {
            return { isToBeClicked: true };
        }
        await settle(found, element, name, options);
        const point = editable && findReach(found, element, name);
        if (point && window !== top && !isReached) {
            return point;
        }
        const given = giveFocus(element, name, options);
        if (!editable) {
            await pause(0); /* a page may take the focus back right after the event */
            checkFocused(element, name);
        }
        return given;
    };
