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

    /* The middle of what can be seen of the first line box that can be seen at all. */
    const pointOf = (element, box, name, offset) => {
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
        return pointOf(shown, placeOf(shown), name, options.offset);
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
        const point = pointOf(shown, box, name, options.offset);
        const isHit = mouse.hasCome && Math.abs(point.x - options.x) < 0.5 &&
            Math.abs(point.y - options.y) < 0.5;
        if (isHit) {
            checkHit(found, name, options);
        }
        return { ...point, area, isHit };
    };
