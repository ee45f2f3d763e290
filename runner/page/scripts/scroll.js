/*
 * Scrolls the window, or what `selector` names, by or to a place, at once; with `intoView` what it
 * names comes into view instead. Answers how far it went; { code, message } when there is no such
 * element.
 */
function ({ selector, intoView, delta, x, y }) {
    let target = document.scrollingElement || document.documentElement;
    if (selector) {
        try {
            target = document.querySelector(selector);
        } catch (error) {
            return { code: 'INVALID_ACTION', message: `"${selector}" is no valid CSS selector` };
        }
        if (!target) {
            return { code: 'TARGET_NOT_FOUND', message: `no element matches "${selector}"` };
        }
    }
    if (intoView) {
        const before = target.getBoundingClientRect();
        target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        const after = target.getBoundingClientRect();
        return { moved: Math.abs(after.left - before.left) + Math.abs(after.top - before.top) };
    }
    const left = target.scrollLeft;
    const top = target.scrollTop;
    const place = { left: delta ? left + x : x, top: delta ? top + y : y, behavior: 'instant' };
    target.scrollTo(place);
    return { moved: Math.abs(target.scrollLeft - left) + Math.abs(target.scrollTop - top) };
}
