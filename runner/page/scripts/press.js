/*
 * Runs in each new document, before the page's scripts, which can keep an event from all who begin to
 * listen after them; and again for each click (elements/arrival.js), since a document that is written
 * anew has lost its listeners. Tells of each event of a press of the mouse, through the binding browserRunnerPress, as
 * JSON { type, element, isHere }: its target, and whether that is in the
 * element that is watched.
 */
(() => {
    const TYPES = ['pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick'];

/* include brief.js */

    /* A click on a label is one on its control as well, at the same time; a key's has no pointer. */
    let clickedAt;
    const isOfMouse = (event) => {
        const isSame = event.type === 'click' && event.timeStamp === clickedAt;
        clickedAt = event.type === 'click' ? event.timeStamp : clickedAt;
        return event.isTrusted && event.pointerType !== '' && !isSame;
    };

    globalThis.browserRunnerTell ||= (event) => {
        if (!isOfMouse(event) || !globalThis.browserRunnerPress) {
            return;
        }
        const watch = globalThis.browserRunnerWatch;
        const isHere = Boolean(watch?.isReachedBy(event));
        const [first] = event.composedPath();
        /* The text in a slot is the host's. */
        const target = first instanceof HTMLSlotElement ? first.getRootNode().host : first;
        const element = brief(target instanceof Element ? target : document.documentElement);
        browserRunnerPress(JSON.stringify({ type: event.type, element, isHere }));
    };
    TYPES.forEach((type) => addEventListener(type, globalThis.browserRunnerTell, true));
})();
