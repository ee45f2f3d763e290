/*
 * Reports whether the page accepts files dropped on it. Phase 'watch' begins to listen; 'over'
 * returns whether the last dragover was accepted, 'end' whether the drop was, and stops listening.
 * A page accepts by preventing the default, which would open the file in a tab; that is prevented
 * here, too.
 */
function ({ phase }) {
    const types = ['dragover', 'drop'];
    const drop = globalThis.browserRunnerDrop;
    if (phase === 'watch') {
        const seen = {};
        const note = (event) => { seen[event.type] = event; };
        const keep = (event) => {
            seen.isTaken = event.defaultPrevented;
            event.preventDefault();
        };
        drop?.stop();
        globalThis.browserRunnerDrop = {
            seen,
            stop: () => {
                types.forEach((type) => removeEventListener(type, note, true));
                removeEventListener('drop', keep);
            },
        };
        addEventListener('drop', keep);
        types.forEach((type) => addEventListener(type, note, true));
        return {};
    }
    if (phase === 'over') {
        return { isTaken: Boolean(drop?.seen.dragover?.defaultPrevented) };
    }
    drop?.stop();
    return { isTaken: !drop || Boolean(drop.seen.isTaken ?? drop.seen.drop?.defaultPrevented) };
}
