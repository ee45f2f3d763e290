/*
 * Where the point x, y of a frame's viewport is in the viewport of its parent; `owner` is the
 * frame's element there. With isInput it is brought into view and has to be hit there, with isShown
 * some part of the frame is brought into view. isInView says whether a part of it is.
 * Answers { code, message } where that is not so.
 */
function ({ x, y, isInput, isShown }, owner) {
    const isPartInView = () => {
        const box = owner.getBoundingClientRect();
        return box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 &&
            box.top < innerHeight && box.left < innerWidth;
    };
    if (isShown && !isPartInView()) {
        owner.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    }
    const place = () => {
        const box = owner.getBoundingClientRect();
        const style = getComputedStyle(owner);
        const scale = owner.offsetWidth ? box.width / owner.offsetWidth : 1;
        return {
            x: box.left + (owner.clientLeft + parseFloat(style.paddingLeft) + x) * scale,
            y: box.top + (owner.clientTop + parseFloat(style.paddingTop) + y) * scale,
            scale, scrollX, scrollY, isInView: isPartInView(),
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
