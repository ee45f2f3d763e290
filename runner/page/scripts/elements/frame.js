    /* The elements of frames; `owner` is a frame's element, in the enclosing document. */

    /* Checks that it is the element of a frame; the protocol tells which frame. */
    const frame = (found) => {
        const { element, query } = found;
        if (!/^(iframe|frame)$/.test(element.localName)) {
            fail('TARGET_NOT_FOUND', `${sayWanted(query)} ${describe(element, query)} is no frame`);
        }
        found.node = element;
        return {};
    };

    /* Returns whether data-no-ai keeps it from models. */
    const framePolicy = (nothing, owner) => ({ isLeftOut: isKeptFromModels(owner) });

    /* Returns the size of its viewport. */
    const frameSize = (nothing, owner) => {
        const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(owner);
        return {
            width: owner.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight),
            height: owner.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom),
        };
    };

    const rotation = (said) => {
        const axis = said.split(' ');
        const angle = axis.pop();
        const known = { x: '1,0,0', y: '0,1,0', z: '0,0,1' };
        return axis.length ? `rotate3d(${known[axis] ?? axis},${angle})` : `rotate(${angle})`;
    };
    const transformOf = ({ rotate, scale, transform }) => new DOMMatrix([
        rotate !== 'none' && rotation(rotate),
        scale !== 'none' && `scale(${scale.split(' ').slice(0, 2)})`,
        transform !== 'none' && transform,
    ].filter(Boolean).join(' '));
    /* Returns the combined transform of the frame: rotation, skew, mirroring and scale. */
    const drawingOf = (owner) => {
        let drawn = new DOMMatrix();
        for (let node = owner; node; node = parentOf(node)) {
            if (node instanceof Element) {
                const style = getComputedStyle(node);
                if (style.transformStyle === 'flat') {
                    drawn = new DOMMatrix([drawn.a, drawn.b, drawn.c, drawn.d, 0, 0]);
                }
                drawn = transformOf(style).multiply(drawn);
            }
        }
        return drawn;
    };
    /*
     * Converts the point x, y of the frame's viewport to the enclosing one. A transform (except a
     * perspective) keeps the middle of the frame in the middle of its bounding box: counts from
     * there.
     */
    const framePoint = ({ x, y }, owner) => {
        const box = owner.getBoundingClientRect();
        const style = getComputedStyle(owner);
        const zoom = owner.currentCSSZoom ?? 1;
        const { a, b, c, d } = drawingOf(owner);
        const right = (owner.clientLeft + parseFloat(style.paddingLeft) + x - owner.offsetWidth / 2) * zoom;
        const down = (owner.clientTop + parseFloat(style.paddingTop) + y - owner.offsetHeight / 2) * zoom;
        return {
            x: (box.left + box.right) / 2 + a * right + c * down,
            y: (box.top + box.bottom) / 2 + b * right + d * down,
            scale: Math.sqrt(Math.abs(a * d - b * c)) * zoom, scrollX, scrollY,
        };
    };
    /*
     * The same for input: brings the point into view, unless it staysPut, and checks that it is
     * hit.
     */
    const frameInput = (point, owner) => answerOf(() => {
        const name = `the frame <${owner.localName}${owner.id ? '#' + owner.id : ''}>`;
        const place = () => framePoint(point, owner);
        const isInView = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
        const hitAt = ({ x, y }) => owner.getRootNode().elementFromPoint(x, y);
        if (!owner.checkVisibility({ visibilityProperty: true })) {
            fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
        }
        if (!point.staysPut && (!isInView(place()) || hitAt(place()) !== owner)) {
            owner.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        }
        if (!point.staysPut && !isInView(place())) {
            const { x, y } = place();
            scrollBy({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
        }
        const found = place();
        const over = isInView(found) ? hitAt(found) : null;
        if (over === owner) {
            return found;
        }
        const at = `${Math.round(found.x)},${Math.round(found.y)}`;
        return over
            ? fail('TARGET_OBSCURED',
                `${name} is covered at ${at} by <${over.localName}${over.id ? '#' + over.id : ''}>`)
            : fail('TARGET_NOT_VISIBLE', `${name} lies outside the viewport at ${at}`,
                point.staysPut ? SCROLL_FIRST : undefined);
    });
