    /* Determines what input at a point would reach. */

    /* Returns the closed shadow roots around an element, which are only known from inside. */
    const closedRootsOf = (element) => {
        const roots = [];
        for (let root = rootOf(element); root instanceof ShadowRoot; root = root.host.getRootNode()) {
            if (root.mode === 'closed') {
                roots.push(root);
            }
        }
        return roots;
    };

    const deepestHit = (element, x, y) => {
        const closed = new Map(closedRootsOf(element).map((root) => [root.host, root]));
        let hit = document.elementFromPoint(x, y);
        for (let root; (root = hit && (hit.shadowRoot || closed.get(hit)));) {
            /*
             * Slotted text belongs to the host, which is hit, but is drawn in a part of the shadow
             * root.
             */
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

    /*
     * Returns whether a hit belongs to the element: a descendant does, and so does a label of the
     * control.
     */
    const reaches = (hit, element) => {
        for (let node = hit; node; node = parentOf(node)) {
            if (node === element || (node.localName === 'label' && node.control === element)) {
                return true;
            }
        }
        return false;
    };

    const FREE_POINT = 'close what covers it, or give position, from its upper left corner, of a point that is free';
    const failCovered = (over, x, y, name, query) => fail('TARGET_OBSCURED',
        `${name} is covered at ${Math.round(x)},${Math.round(y)} by ` +
            (over ? describe(over, query) : 'nothing'), FREE_POINT);

    /*
     * Returns whether input to the hit element is input to the element, and not to another control
     * in it.
     */
    const isFor = (element, over) => {
        const inner = over && over.closest('a[href], button, input, select, textarea');
        const shown = shownFor(element);
        const isOther = shown !== element && shown.contains(inner) && inner !== element;
        return !isOther && reaches(over, element);
    };

    const ROLES = ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox',
        'menuitemradio', 'option', 'treeitem'].map((role) => `[role=${role}]`).join();
    const CONTROL = `a[href], area, button, input, select, textarea, summary, label, ${ROLES}`;
    const MADE_CONTROL = '[onclick], [tabindex]:not([tabindex^="-"])';
    const ACTS_ITSELF = 'a[href], button, summary, [role=button], [role=link], [onclick]';

    /* Returns whether it is a control, or was visibly made one by the page. */
    const isOperated = (element) => matchesOf(element, `${CONTROL}, ${MADE_CONTROL}`) ||
        getComputedStyle(element).cursor === 'pointer';

    /*
     * Returns whether two elements are the same control: a link that fills its menu entry, or has
     * all of its text.
     */
    const isSameControl = (inner, element) => {
        const [small, large] = [inner, element].map((one) => placeOf(one));
        const [innerRole, role] = [inner, element].map((one) => one.getAttribute('role'));
        if (element instanceof HTMLLabelElement && element.control) {
            return element.control === inner;
        }
        if (role && role === innerRole) {
            return false;
        }
        const [innerSaid, said] = [inner, element].map((one) => normalized(one.ariaLabel ?? one.innerText ?? ''));
        const hasPicture = [...element.querySelectorAll('img, svg, picture, canvas')]
            .some((picture) => !inner.contains(picture));
        return (innerSaid === said && !hasPicture) || (!matchesOf(element, ACTS_ITSELF) &&
            small.width * small.height * 2 >= large.width * large.height);
    };

    /*
     * Returns the inner control that input to the hit element would operate, such as "Delete" in a
     * card that is a link.
     */
    const controlWithin = (element, over) => {
        for (let node = over; node && node !== element; node = parentOf(node)) {
            if (node instanceof Element && element.contains(node) && matchesOf(node, `${CONTROL}, ${MADE_CONTROL}`)) {
                return isOperated(element) && !isSameControl(node, element) ? node : null;
            }
        }
        return null;
    };

    /*
     * Checks that input at x, y is input to the element itself; for callers without another point
     * to try.
     */
    const checkOwn = ({ element, query }, x, y, name) => {
        const inner = controlWithin(element, deepestHit(element, x, y));
        return inner ? fail('TARGET_OBSCURED', `${name} has a control of its own at ${Math.round(x)},` +
            `${Math.round(y)}: ${describe(inner, query)}`, 'name that one if it is meant, or give position, ' +
            'from the upper left corner, of the point to press') : undefined;
    };

    /* Checks whether input at x, y would reach it, and watches its arrival from now on. */
    const checkHit = (found, name, { x, y }) => {
        const { element, query } = found;
        const over = deepestHit(element, x, y);
        if (!isFor(element, over)) {
            failCovered(over, x, y, name, query);
        }
        watchArrival(found, name);
    };

    /*
     * Chrome routes input to a frame of another process by the last drawn position: after a scroll,
     * the mouse, and so the press, might reach another frame until the next frames are drawn.
     */
    const hit = async (found, { x, y }) => {
        const name = nameOf(found);
        if (window !== top && !deepestHit(found.element, x, y)?.matches(':hover')) {
            await nextFrame();
            await nextFrame();
        }
        checkHit(found, name, { x, y });
        return {};
    };
