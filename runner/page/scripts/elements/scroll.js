    /* Scrolls an element or the page. */

    const isScrollable = (element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        return (element.scrollHeight > element.clientHeight && /auto|scroll/.test(overflowY)) ||
            (element.scrollWidth > element.clientWidth && /auto|scroll/.test(overflowX));
    };

    /*
     * Returns the document, or if it does not scroll, what scrolls in the middle of the viewport.
     */
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

    const scrollIntoView = (element, name) => {
        const before = element.getBoundingClientRect();
        element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        const after = element.getBoundingClientRect();
        const isOutside = after.bottom < 0 || after.right < 0 || after.top > innerHeight ||
            after.left > innerWidth;
        return isOutside ? fail('TARGET_NOT_VISIBLE', `${name} cannot be scrolled into view`)
            : { moved: Math.abs(after.left - before.left) + Math.abs(after.top - before.top) };
    };

    /*
     * Returns how far it can scroll in each axis; 0 if everything is shown, or if overflow is
     * hidden permanently.
     */
    const roomOf = (element) => {
        const { direction, overflowX, overflowY } = getComputedStyle(element);
        const isRoot = element === (document.scrollingElement || document.documentElement);
        const holds = (overflow) => isRoot || !/visible|clip/.test(overflow);
        const wide = holds(overflowX) ? element.scrollWidth - element.clientWidth : 0;
        const high = holds(overflowY) ? element.scrollHeight - element.clientHeight : 0;
        const left = direction === 'rtl' ? element.scrollLeft + wide : element.scrollLeft;
        return { left, right: wide - left, up: element.scrollTop, down: high - element.scrollTop, wide, high };
    };

    /* Scrolls by x, y (`delta`), or to them. Returns the distance. */
    const scrollTo = (element, name, { delta, x, y }) => {
        const { scrollLeft, scrollTop } = element;
        const byX = delta ? x : x - scrollLeft;
        const byY = delta ? y : y - scrollTop;
        element.scrollTo({ left: scrollLeft + byX, top: scrollTop + byY, behavior: 'instant' });
        const room = roomOf(element);
        const isLess = (way, by) => by && room[way] < 1;
        return {
            moved: Math.abs(element.scrollLeft - scrollLeft) + Math.abs(element.scrollTop - scrollTop),
            x: element.scrollLeft, y: element.scrollTop,
            atEnd: Boolean(isLess(byY < 0 ? 'up' : 'down', byY) || isLess(byX < 0 ? 'left' : 'right', byX)),
            /* Not scrollable in any of the requested directions. */
            isStuck: Boolean(byX || byY) && !(byX && room.wide >= 1) && !(byY && room.high >= 1),
            name,
        };
    };

    const checkScrolled = (found) => {
        const name = take(found);
        checkDrawn(found, name);
        checkShown(found.element, name);
        return name;
    };

    /*
     * Scrolls an element, or the page if none is named; with `intoView` scrolls the element into
     * view.
     */
    const scroll = (found, options) => {
        const name = isNamed(found.query) ? checkScrolled(found) : sayWanted(found.query);
        return options.intoView ? scrollIntoView(found.element, name)
            : scrollTo(found.element, name, options);
    };
