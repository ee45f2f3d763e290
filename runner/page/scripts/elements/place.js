    /* The position and visibility of an element. */

    /* Returns the image that uses the map of an area. */
    const imageOf = (area) => {
        const map = area.closest('map');
        return map && [...area.getRootNode().querySelectorAll('img[usemap]')]
            .find((image) => image.getAttribute('usemap') === '#' + map.name);
    };

    /* Returns the numbers of its coords, two per point; empty: the whole image. */
    const coordsOf = ({ coords, shape }) => {
        const numbers = coords.split(',').map(Number);
        return shape === 'default' || numbers.length < 3 || numbers.some(Number.isNaN) ? [] : numbers;
    };

    /* Returns a small box in the middle of an area; for one without a shape, the image's box. */
    const boxOfArea = (area) => {
        const image = imageOf(area);
        const whole = image ? image.getBoundingClientRect() : new DOMRect();
        const numbers = coordsOf(area);
        if (!numbers.length) {
            return whole;
        }
        if (/^circ/.test(area.shape)) {
            numbers.length = 2;
        }
        const mean = (from) => numbers.filter((_, i) => i % 2 === from)
            .reduce((sum, number, _, { length }) => sum + number / length, 0);
        return new DOMRect(whole.left + mean(0) - 1, whole.top + mean(1) - 1, 2, 2);
    };

    /*
     * Returns the box that contains all of it: for an area its bounding box, otherwise that of the
     * element.
     */
    const wholeOf = (element, box) => {
        const numbers = element instanceof HTMLAreaElement ? coordsOf(element) : [];
        if (!numbers.length) {
            return box;
        }
        const { left, top } = imageOf(element).getBoundingClientRect();
        const [x, y, r] = numbers;
        const ends = /^circ/.test(element.shape) ? [x - r, y - r, x + r, y + r] : numbers;
        const across = ends.filter((_, i) => i % 2 === 0);
        const down = ends.filter((_, i) => i % 2 === 1);
        return new DOMRect(left + Math.min(...across), top + Math.min(...down),
            Math.max(...across) - Math.min(...across), Math.max(...down) - Math.min(...down));
    };

    /* Returns the box of an element without a box of its own: an area, or display: contents. */
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
        const parts = element instanceof HTMLSlotElement ? element.assignedNodes({ flatten: true }) : [];
        const ranges = (parts.length ? parts : [element]).map((part) => {
            const range = document.createRange();
            part === element ? range.selectNodeContents(part.shadowRoot ?? part) : range.selectNode(part);
            return range;
        });
        const rects = () => ranges.flatMap((range) => [...range.getClientRects()])
            .filter(({ width, height }) => width && height);
        return { getBoundingClientRect: () => boxAround(rects()), getClientRects: rects };
    };
    const boxAround = (rects) => {
        const edge = (pick, side) => (rects.length ? pick(...rects.map((rect) => rect[side])) : 0);
        const [left, top] = [edge(Math.min, 'left'), edge(Math.min, 'top')];
        return new DOMRect(left, top, edge(Math.max, 'right') - left, edge(Math.max, 'bottom') - top);
    };
    const placeOf = (element) => shapeOf(element).getBoundingClientRect();

    /*
     * Returns an element with a box in place of one without: it can be checked for visibility and
     * scrolled to.
     */
    const boxedFor = (element) => {
        if (shapeOf(element) === element) {
            return element;
        }
        return element instanceof HTMLAreaElement ? imageOf(element) ?? element
            : [...(element.shadowRoot ?? element).querySelectorAll('*'),
                ...(element instanceof HTMLSlotElement ? element.assignedElements({ flatten: true }) : [])]
                .find((one) => one.checkVisibility()) ?? element.parentElement ?? rootOf(element).host ?? element;
    };

    const isVisible = (element) => {
        const box = placeOf(element);
        return box.width > 0 && box.height > 0 &&
            boxedFor(element).checkVisibility({ visibilityProperty: true });
    };

    /*
     * Returns what a user clicks for it: a label, if the page hides the control and draws its own
     * box.
     */
    const shownFor = (element) => {
        const { width, height } = placeOf(element);
        const isReplaced = element instanceof HTMLInputElement &&
            /^(checkbox|radio)$/.test(element.type) && (Math.min(width, height) < 2 || !isVisible(element));
        return (isReplaced && [...element.labels].find(isVisible)) || element;
    };

    /* The field of an editor that draws its own text may be as narrow as its content. */
    const isShown = (element, isEditable) => isVisible(element) || Boolean(isEditable &&
        element.checkVisibility({ visibilityProperty: true }) && standInFor(element));

    const checkShown = (element, name, isEditable) => isShown(element, isEditable) ||
        fail('TARGET_NOT_VISIBLE', `${name} is not visible`);

    /* Returns the boxes that clip an element: ancestors that scroll or hide overflow. */
    const clipsOf = (element) => {
        const clips = [];
        for (let node = parentOf(element); node && node !== document; node = parentOf(node)) {
            if (node instanceof Element && node !== document.documentElement && node !== document.body &&
                getComputedStyle(node).overflow !== 'visible') {
                clips.push(node.getBoundingClientRect());
            }
        }
        return clips;
    };

    /* Returns whether such an ancestor clips a part of the element's box. */
    const isClipped = (element) => {
        const box = element.getBoundingClientRect();
        return clipsOf(element).some((clip) => box.left < clip.left - 0.5 || box.right > clip.right + 0.5 ||
            box.top < clip.top - 0.5 || box.bottom > clip.bottom + 0.5);
    };

    /* Returns the part in the viewport, even if covered; null: none. */
    const seenBoxOf = (element) => {
        const box = placeOf(element);
        const all = [box, ...clipsOf(boxedFor(element)), new DOMRect(0, 0, innerWidth, innerHeight)];
        const left = Math.max(...all.map((one) => one.left));
        const top = Math.max(...all.map((one) => one.top));
        const width = Math.min(...all.map((one) => one.right)) - left;
        const height = Math.min(...all.map((one) => one.bottom)) - top;
        return width > 0 && height > 0 ? new DOMRect(left, top, width, height) : null;
    };
