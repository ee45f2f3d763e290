/*
 * Tells what came of typing. Phase 'before' remembers what has the focus and what it holds; a field
 * that is filled by parts, such as a date, gets `text` at once. Phase 'after' compares. Phase
 * 'empty' says whether the focused field holds nothing.
 * Answers in the phase 'before' whether it `isRoomy`: whether keys may follow without waiting; and
 * of a private field that it `isPrivate`, and in both phases the `secret` that it holds.
 * Answers { error } when the text did not arrive, { warning } when it arrived otherwise.
 */
function ({ phase, text }) {
    let active = document.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) {
        active = active.shadowRoot.activeElement;
    }
    const wanted = globalThis.browserRunnerField;
    if (wanted && wanted.getRootNode().activeElement === wanted) {
        active = wanted; /* in a closed shadow root, which the host alone is seen of */
    }
/* include private.js */
    const isField = (element) => element instanceof HTMLTextAreaElement ||
        element instanceof HTMLInputElement || Boolean(element && element.isContentEditable);
    const heldBy = (element) =>
        element.isContentEditable ? element.innerText : String(element.value);

    /* Whether the text is for this field alone: small ones may hand the focus on after each key. */
    const isRoomy = (element) => {
        const { fontSize } = getComputedStyle(element);
        const limit = element.maxLength >= 0 ? element.maxLength : Infinity;
        return isField(element) && element.clientWidth > 6 * parseFloat(fontSize) &&
            heldBy(element).length + text.length <= limit && !/[\r\n\t]/.test(text);
    };

    if (phase === 'empty') {
        return isField(active) && heldBy(active).trim() !== ''
            ? { error: 'the field cannot be emptied: it holds something again' } : {};
    }
    const secretOf = (element) => isPrivate(element)
        ? { isPrivate: true, secret: isField(element) ? heldBy(element).toWellFormed() : '' } : {};

    const begin = () => {
        if (wanted && wanted !== active && !wanted.contains(active)) {
            return { error: 'the field lost the focus before anything was typed' };
        }
        globalThis.browserRunnerTyped = { active, held: isField(active) ? heldBy(active) : null };
        if (/^(date|datetime-local|month|week|time)$/.test(active && active.type)) {
            active.value = text;
            active.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
            active.dispatchEvent(new Event('change', { bubbles: true }));
            const said = isPrivate(active) ? 'the text' : `"${text}"`;
            return active.value ? { isDone: true }
                : { error: `${said} is no value for a field of type ${active.type}` };
        }
        return active && active !== document.body ? { isRoomy: isRoomy(active) }
            : { warning: 'nothing has the focus: the page gets the keys' };
    };

    const compare = (before) => {
        if (!before || before.held === null || /[\r\n\t]/.test(text)) {
            return {}; /* no field, or keys that do more than type */
        }
        if (!before.active.isConnected) {
            const hasArrived = isField(active) && heldBy(active).includes(text);
            return hasArrived ? {}
                : { error: 'the field was replaced, and the new one did not take the whole text' };
        }
        const held = heldBy(before.active);
        if (held === before.held) {
            return before.active === active ? { error: 'the field did not take the text' }
                : { error: 'the focus went elsewhere, and the field did not take the text' };
        }
        if (held.includes(text)) {
            return {};
        }
        if (before.active !== active) {
            return { warning: 'the focus went on to another field while the text was typed' };
        }
        const now = isPrivate(active) ? 'other text' : JSON.stringify(held);
        return { warning: `the field made ${now} of the text` };
    };

    if (phase === 'before') {
        globalThis.browserRunnerField = undefined;
        return { ...(active ? secretOf(active) : {}), ...begin() };
    }
    const before = globalThis.browserRunnerTyped;
    return { ...(before?.active ? secretOf(before.active) : {}), ...compare(before) };
}
