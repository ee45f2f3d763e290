/*
 * Tells whether typing did something. Phase 'before' remembers what has the focus and what it
 * holds, 'after' compares: isUnchanged when the same field still has the focus and holds the same.
 */
function ({ phase }) {
    let active = document.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) {
        active = active.shadowRoot.activeElement;
    }
    const isField = active && (active instanceof HTMLTextAreaElement || active.isContentEditable ||
        active instanceof HTMLInputElement);
    const held = isField && (active.isContentEditable ? active.textContent : active.value);
    if (phase === 'before') {
        globalThis.browserRunnerTyped = { active, held };
        return { hasFocus: Boolean(active && active !== document.body) };
    }
    const before = globalThis.browserRunnerTyped;
    return { isUnchanged: Boolean(isField && before && before.active === active && before.held === held) };
}
