    /* Chooses where to click an element. */

    /* Notes whether the mouse has come to the place that is watched. */
    const noteMouse = ({ isTrusted, clientX, clientY }) => {
        const mouse = globalThis.browserRunnerMouse;
        if (mouse) {
            mouse.hasCome = isTrusted && Math.abs(clientX - mouse.x) < 1 && Math.abs(clientY - mouse.y) < 1;
            if (mouse.hasCome) {
                requestAnimationFrame(mouse.arrive);
            }
        }
    };

    /*
     * Watches whether the mouse comes to a point of the element, whose present box is given.
     * `arrival` resolves in the frame in which it does. The listener stays: to add and remove one
     * makes Chrome draw.
     */
    const watchMouse = (shown, box, { x, y }) => {
        const mouse = globalThis.browserRunnerMouse = { shown, box, x, y, hasCome: false };
        mouse.arrival = new Promise((resolve) => {
            mouse.arrive = resolve;
        });
        addEventListener('pointermove', noteMouse, true);
    };

    /* Returns the watch if it is for this element and point; null: it is not, and ends. */
    const mouseFor = (shown, { x, y }) => {
        const mouse = globalThis.browserRunnerMouse;
        const isFor = mouse && mouse.shown === shown && mouse.x === x && mouse.y === y;
        globalThis.browserRunnerMouse = isFor ? mouse : undefined;
        return isFor ? mouse : null;
    };

    /*
     * Returns points on the shapes of a drawing: their middles, and points on their lines, as the
     * middle of a ring is empty.
     */
    const pointsOnShapes = (element) => {
        const MAX_SHAPES = 8;
        const STEPS = 8;
        return [element, ...element.querySelectorAll('*')]
            .filter((one) => one instanceof SVGGraphicsElement && !childrenOf(one).length)
            .slice(0, MAX_SHAPES).flatMap((shape) => {
                const matrix = shape.getScreenCTM();
                const length = matrix && shape instanceof SVGGeometryElement ? shape.getTotalLength() : 0;
                return [...middlesOf(shape), ...(length ? Array.from({ length: STEPS }, (_, i) =>
                    shape.getPointAtLength(length * (i + 0.5) / STEPS).matrixTransform(matrix)) : [])];
            });
    };

    /* Returns points all over a box, in cells, from the middle outwards. */
    const pointsAllOver = (box, cells) => {
        const steps = Array.from({ length: cells }, (_, i) => (i + 0.5) / cells);
        const away = ({ x, y }) => Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2);
        return steps.flatMap((down) => steps.map((across) =>
            ({ x: box.left + box.width * across, y: box.top + box.height * down })))
            .sort((one, other) => away(one) - away(other));
    };

    /* Returns points along its edges, just inside. */
    const pointsAlong = (box) => {
        const STEPS = 9;
        const DEPTH = 1;
        return Array.from({ length: STEPS }, (_, i) => (i + 0.5) / STEPS).flatMap((part) => {
            const x = box.left + box.width * part;
            const y = box.top + box.height * part;
            return [{ x, y: box.top + DEPTH }, { x, y: box.bottom - DEPTH }, { x: box.left + DEPTH, y },
                { x: box.right - DEPTH, y }];
        });
    };

    const inViewport = (box) => {
        const left = Math.max(box.left, 0);
        const top = Math.max(box.top, 0);
        return new DOMRect(left, top, Math.max(Math.min(box.right, innerWidth) - left, 0),
            Math.max(Math.min(box.bottom, innerHeight) - top, 0));
    };

    /* Returns the point at the offset, which may be random. */
    const pointAt = (found, box, name, { offset, byChance, staysPut }) => {
        const x = box.left + offset.x;
        const y = box.top + offset.y;
        if (offset.x > box.width || offset.y > box.height || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) {
            fail('TARGET_NOT_VISIBLE', `${name} cannot be seen at ${offset.x},${offset.y}`,
                staysPut ? SCROLL_FIRST : undefined);
        }
        if (byChance) {
            checkOwn(found, x, y, name);
        }
        return { x, y };
    };

    const middlesOf = (shape) => [...shape.getClientRects()].map(inViewport)
        .filter(({ width, height }) => width >= 1 && height >= 1)
        .map(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }));

    /*
     * For an element found by its text: returns points on that text, since other elements in it may
     * be clickable.
     */
    const pointsOnText = ({ element, query }) => {
        const pattern = query.text !== undefined && childrenOf(element).length ? patternOf(query.text) : null;
        return [...childNodesOf(element)]
            .filter((node) => pattern && node instanceof Text && pattern.test(normalized(node.data)))
            .flatMap((node) => {
                const range = document.createRange();
                range.selectNode(node);
                return middlesOf(range);
            });
    };

    /*
     * Returns the middle of the visible part of the first visible line box. If that does not belong
     * to the element, because of a hole, a covering element or an inner control, returns another
     * point of it.
     */
    const pointOf = (found, shown, box, name, options) => {
        if (options.offset) {
            return pointAt(found, box, name, options);
        }
        const { element } = found;
        const middles = middlesOf(shapeOf(shown));
        if (!middles.length) {
            return fail('TARGET_NOT_VISIBLE', `${name} lies outside the viewport`);
        }
        const isOwn = ({ x, y }) => {
            const over = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && deepestHit(element, x, y);
            return over && isFor(element, over) && !controlWithin(element, over);
        };
        const seen = inViewport(wholeOf(shown, box));
        const ways = [() => pointsOnText(found), () => middles, () => pointsOnShapes(shown), () => pointsAllOver(seen, 9),
            () => pointsAlong(seen), () => pointsAllOver(seen, 27)];
        for (const way of ways) {
            const point = way().find(isOwn);
            if (point) {
                return { x: point.x, y: point.y };
            }
        }
        if (matchesOf(element, `${CONTROL}, ${ACTS_ITSELF}`)) {
            checkOwn(found, middles[0].x, middles[0].y, name);
        }
        return middles[0];
    };

    /* Returns the element to click for it, if it can be clicked. */
    const checkClickable = (found, { staysPut }) => {
        const { element, query } = found;
        const name = take(found);
        checkDrawn(found, name);
        const shown = shownFor(element);
        checkShown(shown, name);
        checkEnabled(element, name);
        const { control } = closestOf(element, 'label') ?? {};
        if (control?.matches(':disabled') && !element.closest('a[href], button')) {
            fail('TARGET_DISABLED', `${name} is the label of what is disabled: ${describe(control, query)}`);
        }
        if (staysPut && !seenBoxOf(shown)) {
            fail('TARGET_NOT_VISIBLE', `${name} is not in view`, SCROLL_FIRST);
        }
        return { name, shown };
    };

    /*
     * Returns the present click point, without waiting until the element is stable. The mouse is
     * sent there before `steady` is called, and may come first.
     */
    const aim = (found, options) => {
        const { name, shown } = checkClickable(found, options);
        bringIntoView(shown, options);
        const box = placeOf(shown);
        const point = pointOf(found, shown, box, name, options);
        watchMouse(shown, box, point);
        return point;
    };

    /*
     * Checks that it is ready to be clicked: scrolls it into view by `alignment`, returns the click
     * point (its middle, or `offset` from its corner) and its area. If the mouse was already sent
     * to x, y and that is the point, also returns whether it `isHit`.
     */
    const steady = async (found, options) => {
        const { name, shown } = checkClickable(found, options);
        const mouse = mouseFor(shown, options);
        const box = await settle(found, shown, name, options, mouse).finally(() => {
            globalThis.browserRunnerMouse = undefined;
        });
        if (!box) {
            fail('TARGET_NOT_VISIBLE', `${name} does not stand still`);
        }
        const area = { x: box.left, y: box.top, width: box.width, height: box.height };
        const point = pointOf(found, shown, box, name, options);
        const isHit = Boolean(mouse?.hasCome) && Math.abs(point.x - options.x) < 0.5 &&
            Math.abs(point.y - options.y) < 0.5;
        if (isHit) {
            checkHit(found, name, options);
        }
        return { ...point, area, isHit };
    };
