/*
 * Tells what came of typing. Phase 'before' remembers what has the focus and what it holds; a field
 * that is filled by parts, such as a date, gets `text` at once. Phase 'after' compares. Phase
 * 'empty' says whether the focused field holds nothing.
 * Answers { error } when the text did not arrive, { warning } when it arrived otherwise.
 */
function ({ phase, text }) {
    let active = document.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) {
        active = active.shadowRoot.activeElement;
    }
    const isField = (element) => element instanceof HTMLTextAreaElement ||
        element instanceof HTMLInputElement || Boolean(element && element.isContentEditable);
    const heldBy = (element) =>
        element.isContentEditable ? element.innerText : String(element.value);

    if (phase === 'empty') {
        return isField(active) && heldBy(active).trim() !== ''
            ? { error: 'the field cannot be emptied: it holds something again' } : {};
    }
    if (phase === 'before') {
        globalThis.browserRunnerTyped = { active, held: isField(active) ? heldBy(active) : null };
        if (/^(date|datetime-local|month|week|time)$/.test(active && active.type)) {
            active.value = text;
            active.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
            active.dispatchEvent(new Event('change', { bubbles: true }));
            return active.value ? { isDone: true }
                : { error: `"${text}" is no value for a field of type ${active.type}` };
        }
        return active && active !== document.body ? {}
            : { warning: 'nothing has the focus: the page gets the keys' };
    }
    const before = globalThis.browserRunnerTyped;
    if (!before || before.held === null || /[\r\n\t]/.test(text)) {
        return {}; /* no field, or keys that do more than type */
    }
    const isSame = before.active === active;
    const held = before.active.isConnected ? heldBy(before.active) : '';
    const isChanged = before.active.isConnected && held !== before.held;
    const hasArrived = (isSame || isField(active)) && heldBy(active).includes(text);
    if (hasArrived || (before.active.isConnected && held.includes(text))) {
        return {};
    }
    if (!isChanged && !(isField(active) && !isSame)) {
        return { error: 'the field did not take the text' };
    }
    if (!isSame && !isChanged) {
        return { error: 'the focus went elsewhere, and the field did not take the text' };
    }
    const type = active && active.type;
    const now = type === 'password' ? 'other text' : JSON.stringify(isSame ? held : '');
    return { warning: isSame ? `the field made ${now} of the text`
        : 'the focus went on to another field while the text was typed' };
}
