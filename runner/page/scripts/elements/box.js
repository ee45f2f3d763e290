    /* The position of an element in the viewport. */

    /*
     * Returns whether it is outside a frame's viewport, which is never drawn; the page's own
     * document can be drawn beyond its viewport.
     */
    const isOutsideFrame = (element) => {
        const box = placeOf(element);
        return window !== parent && (box.left < 0 || box.top < 0 || box.right > innerWidth ||
            box.bottom > innerHeight);
    };

    /*
     * Returns the box. If a container clips the element, first scrolls that; restore() undoes it.
     */
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
            /* A capture before the next frame would show the box at its old place. */
            await nextFrame();
            await nextFrame();
        }
        const { left, top, width, height } = placeOf(element);
        return { x: left, y: top, width, height, scrollX, scrollY, isScrolled: Boolean(found.scrolls) };
    };

    /* Returns the visible part without scrolling. hasBox: it has a box of its own. */
    const mark = (found) => {
        const { element } = found;
        const name = nameOf(found);
        checkDrawn(found, name);
        checkShown(element, name);
        const seen = seenBoxOf(element);
        if (!seen) {
            fail('TARGET_NOT_VISIBLE', `${name} is not in view`,
                'scroll to it first: highlight does not scroll');
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
