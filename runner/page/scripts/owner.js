/*
 * Where the point x, y of a frame's viewport is in the viewport of its parent; `owner` is the
 * frame's element there. With isInput it is brought into view and has to be hit there.
 * With asksSize the size of that viewport, with asksPolicy whether data-no-ai keeps it from models.
 * Answers { code, message } where that is not so.
 */
function ({ x, y, isInput, asksPolicy, asksSize }, owner) {
/* include around.js */
    if (asksPolicy) {
        return { isLeftOut: isKeptFromModels(owner) };
    }
    if (asksSize) {
        const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(owner);
        return {
            width: owner.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight),
            height: owner.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom),
        };
    }
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
    /* How all transforms together draw the frame: turned, skewed, mirrored, of another size. */
    const drawing = () => {
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
    /* The middle of the frame is that of the box around it, however it is drawn (a perspective
     * aside): the rest is counted from there. */
    const place = () => {
        const box = owner.getBoundingClientRect();
        const style = getComputedStyle(owner);
        const zoom = owner.currentCSSZoom ?? 1;
        const { a, b, c, d } = drawing();
        const right = (owner.clientLeft + parseFloat(style.paddingLeft) + x - owner.offsetWidth / 2) * zoom;
        const down = (owner.clientTop + parseFloat(style.paddingTop) + y - owner.offsetHeight / 2) * zoom;
        return {
            x: (box.left + box.right) / 2 + a * right + c * down,
            y: (box.top + box.bottom) / 2 + b * right + d * down,
            scale: Math.sqrt(Math.abs(a * d - b * c)) * zoom, scrollX, scrollY,
        };
    };
    const name = `the frame <${owner.localName}${owner.id ? '#' + owner.id : ''}>`;
    const fail = (code, message) => ({ code, message: message.toWellFormed() });
    const isInView = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    const hitAt = ({ x, y }) => owner.getRootNode().elementFromPoint(x, y);
    if (!isInput) {
        return place();
    }
    if (!owner.checkVisibility({ visibilityProperty: true })) {
        return fail('TARGET_NOT_VISIBLE', `${name} is not visible`);
    }
    if (!isInView(place()) || hitAt(place()) !== owner) {
        owner.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    }
    if (!isInView(place())) {
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
        : fail('TARGET_NOT_VISIBLE', `${name} lies outside the viewport at ${at}`);
}
