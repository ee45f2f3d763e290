/*
 * Scrolls the window, or what `selector` names, by or to a place, at once. Answers how far it went,
 * and how far there was to go in that direction; { code, message } when there is no such element.
 */
function ({ selector, delta, x, y }) {
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
    const left = target.scrollLeft;
    const top = target.scrollTop;
    const place = { left: delta ? left + x : x, top: delta ? top + y : y, behavior: 'instant' };
    target.scrollTo(place);
    return { moved: Math.abs(target.scrollLeft - left) + Math.abs(target.scrollTop - top) };
}
