    /* Where the mouse is to click an element. */

    /* Whether the mouse comes to x, y from now on; stop() ends it. Without a point nobody looks. */
    const watchMouse = ({ x, y }) => {
        const mouse = { hasCome: false };
        const note = ({ isTrusted, clientX, clientY }) => {
            mouse.hasCome = isTrusted && Math.abs(clientX - x) < 1 && Math.abs(clientY - y) < 1;
        };
        mouse.stop = () => removeEventListener('pointermove', note, true);
        if (x !== undefined) {
            addEventListener('pointermove', note, true);
        }
        return mouse;
    };

    /* The points of a drawing that are on its lines: a ring has nothing in its middle. */
    const pointsOnLines = (element) => {
        const MAX_SHAPES = 8;
        const STEPS = 8;
        return [element, ...element.querySelectorAll('*')].filter((one) => one instanceof SVGGeometryElement)
            .slice(0, MAX_SHAPES).flatMap((shape) => {
                const matrix = shape.getScreenCTM();
                const length = matrix ? shape.getTotalLength() : 0;
                return length ? Array.from({ length: STEPS }, (_, i) =>
                    shape.getPointAtLength(length * (i + 0.5) / STEPS).matrixTransform(matrix)) : [];
            });
    };

    /* Points all over a box, those near its middle first. */
    const pointsAllOver = (box) => {
        const CELLS = 9;
        const steps = Array.from({ length: CELLS }, (_, i) => (i + 0.5) / CELLS);
        const away = ({ x, y }) => Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2);
        return steps.flatMap((down) => steps.map((across) =>
            ({ x: box.left + box.width * across, y: box.top + box.height * down })))
            .sort((one, other) => away(one) - away(other));
    };

    /*
     * The middle of what can be seen of the first line box that can be seen at all. Where that is not
     * the element's, since it has a hole there, or something stands upon it or is a control in it,
     * another point of it.
     */
    const pointOf = ({ element, query }, shown, box, name, offset) => {
        if (offset) {
            const left = box.left + offset.x;
            const top = box.top + offset.y;
            const isOutside = offset.x > box.width || offset.y > box.height || left < 0 ||
                top < 0 || left >= innerWidth || top >= innerHeight;
            return isOutside
                ? fail('TARGET_NOT_VISIBLE', `${name} cannot be seen at ${offset.x},${offset.y}`)
                : { x: left, y: top };
        }
        const middles = [];
        for (const line of shapeOf(shown).getClientRects()) {
            const left = Math.max(line.left, 0);
            const right = Math.min(line.right, innerWidth);
            const top = Math.max(line.top, 0);
            const bottom = Math.min(line.bottom, innerHeight);
            if (right - left >= 1 && bottom - top >= 1) {
                middles.push({ x: (left + right) / 2, y: (top + bottom) / 2 });
            }
        }
        if (!middles.length) {
            return fail('TARGET_NOT_VISIBLE', `${name} lies outside the viewport`);
        }
        const isOwn = ({ x, y }) => {
            const over = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && deepestHit(element, x, y);
            return over && isFor(element, over) && !controlWithin(element, over);
        };
        const point = isOwn(middles[0]) ? middles[0]
            : [...middles, ...pointsOnLines(shown), ...pointsAllOver(box)].find(isOwn);
        const { x, y } = point ?? middles[0];
        const inner = !point && controlWithin(element, deepestHit(element, x, y));
        return inner ? failCovered(inner, x, y, name, query) : { x, y };
    };

    /* What is clicked for it, if it can be. */
    const checkClickable = (found) => {
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
        return { name, shown };
    };

    /* The point to click as it is now, without waiting for the element to stand still. */
    const aim = (found, options) => {
        const { name, shown } = checkClickable(found);
        bringIntoView(shown, options);
        return pointOf(found, shown, placeOf(shown), name, options.offset);
    };

    /*
     * Is it ready to be clicked? Scrolls it into view by `alignment`, answers the point to click (its
     * middle, or `offset` from its corner) and the area that it takes up. If the mouse was sent to x, y
     * meanwhile, and that is the point, answers as well whether it `isHit`.
     */
    const steady = async (found, options) => {
        const { name, shown } = checkClickable(found);
        const mouse = watchMouse(options);
        const box = await settle(found, shown, name, options).finally(mouse.stop);
        if (!box) {
            fail('TARGET_NOT_VISIBLE', `${name} does not stand still`);
        }
        const area = { x: box.left, y: box.top, width: box.width, height: box.height };
        const point = pointOf(found, shown, box, name, options.offset);
        const isHit = mouse.hasCome && Math.abs(point.x - options.x) < 0.5 &&
            Math.abs(point.y - options.y) < 0.5;
        if (isHit) {
            checkHit(found, name, options);
        }
        return { ...point, area, isHit };
    };
