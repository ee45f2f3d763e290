/*
 * Says whether the page takes files that are dropped on it. Phase 'watch' begins to listen; 'over'
 * asks whether the last move over it was taken, 'end' whether the drop was, and listens no more.
 * A page takes them by preventing what the browser would do, which is to open the file in a tab; that
 * is prevented here, too.
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
