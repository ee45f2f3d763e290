/*
 * Tells what a drag came to, as `side` 'source' and 'target' of it see it. Phase 'watch' begins to
 * listen, at the element that locate.js has kept if hasElement. Phase 'ask' answers what was seen:
 * isDraggable: the browser is to drag the source; hasBegun: it did; isPrevented: and the page did not
 * let it; isDropped: something was dropped at the target; isDroppedElsewhere; isReleased: the button
 * of the mouse went up. Phase 'end' answers the same and listens no more.
 */
function ({ side, phase, hasElement }) {
    const types = ['dragstart', 'drop', 'pointerup', 'mouseup'];
    const watches = globalThis.browserRunnerDrag ||= {};
    if (phase === 'watch') {
        const element = hasElement ? globalThis.browserRunnerKept : null;
        const draggable = side === 'source' && element?.closest('[draggable=true]');
        const seen = { isDraggable: Boolean(draggable) };
        const note = (event) => {
            if (event.type === 'dragstart') {
                seen.hasBegun = true;
                setTimeout(() => { seen.isPrevented = event.defaultPrevented; }, 0);
            } else if (event.type === 'drop') {
                const isHere = !element || event.composedPath().includes(element);
                seen[isHere ? 'isDropped' : 'isDroppedElsewhere'] = true;
            } else {
                seen.isReleased = true;
            }
        };
        watches[side]?.stop();
        watches[side] = {
            seen,
            stop: () => types.forEach((type) => removeEventListener(type, note, true)),
        };
        types.forEach((type) => addEventListener(type, note, true));
        return {};
    }
    const watch = watches[side];
    if (phase === 'end') {
        watch?.stop();
        delete watches[side];
    }
    return new Promise((resolve) => setTimeout(() => resolve(watch ? watch.seen : {}), 0));
}
