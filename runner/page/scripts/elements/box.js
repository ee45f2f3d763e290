    /* Where an element is in the viewport. */

    /* What a frame does not show is not drawn at all; the page's own part is, beyond its edges. */
    const isOutsideFrame = (element) => {
        const box = placeOf(element);
        return window !== parent && (box.left < 0 || box.top < 0 || box.right > innerWidth ||
            box.bottom > innerHeight);
    };

    /* If something clips it away, scrolls that first; restore() undoes that. */
    const box = async (found) => {
        const { element } = found;
        const name = nameOf(found);
        checkDrawn(found, name);
        checkShown(element, name);
        const shown = boxedFor(element);
        if (isClipped(shown) || isOutsideFrame(element)) {
            found.scrolls = [];
            for (let node = element; node; node = parentOf(node)) {
                if (node instanceof Element) {
                    found.scrolls.push([node, node.scrollLeft, node.scrollTop]);
                }
            }
            shown.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
            /* A capture that comes before the frame shows the box as it was. */
            await nextFrame();
            await nextFrame();
        }
        const { left, top, width, height } = placeOf(element);
        return { x: left, y: top, width, height, scrollX, scrollY, isScrolled: Boolean(found.scrolls) };
    };

    /*
     * As far as it is in view; nothing is scrolled. hasBox: it is drawn as a box of its own, not by what is in
     * it or around it.
     */
    const mark = (found) => {
        const { element } = found;
        const name = nameOf(found);
        checkDrawn(found, name);
        checkShown(element, name);
        const seen = seenBoxOf(element);
        if (!seen) {
            fail('TARGET_NOT_VISIBLE', `${name} is not in view`,
                'scroll to it first: highlight leaves the page where it is');
        }
        found.node = element;
        const { left, top, width, height } = seen;
        return { x: left, y: top, width, height, element: brief(element), hasBox: shapeOf(element) === element };
    };

    const restore = (nothing, { found }) => {
        for (const [element, left, top] of found.scrolls ?? []) {
            element.scrollTo({ left, top, behavior: 'instant' });
        }
    };
