/*
 * Runs in each new document before the page's scripts, which could hide events from later
 * listeners; and again for each click (elements/arrival.js), since a rewritten document has lost
 * its listeners. Reports each event of a mouse press through the binding browserRunnerPress, as
 * JSON { type, element, isHere }: its target, and whether that is in the watched element.
 */
(() => {
    /*
     * All worlds of a document number their timers together: browserRunnerTimers() returns how many
     * the page has set, without those of this world; browserRunnerCallbacks() counts requested
     * frames and idle periods, too.
     */
    if (!globalThis.browserRunnerTimers) {
        const counterOf = (names, cancel) => {
            let own = 0;
            for (const name of names) {
                const request = globalThis[name];
                globalThis[name] = (...all) => {
                    own++;
                    return request(...all);
                };
            }
            return () => {
                const id = globalThis[names[0]](() => {});
                cancel(id);
                return id - own;
            };
        };
        globalThis.browserRunnerTimers = counterOf(['setTimeout', 'setInterval'], clearTimeout);
        const frames = counterOf(['requestAnimationFrame'], cancelAnimationFrame);
        const idle = counterOf(['requestIdleCallback'], cancelIdleCallback);
        globalThis.browserRunnerCallbacks = () => browserRunnerTimers() + frames() + idle();
    }

    const TYPES = ['pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick'];

/* include brief.js */

    /*
     * A click on a label also clicks its control, at the same time; a click by key has no pointer.
     */
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
        /* Slotted text belongs to the host. */
        const target = first instanceof HTMLSlotElement ? first.getRootNode().host : first;
        const element = brief(target instanceof Element ? target : document.documentElement);
        browserRunnerPress(JSON.stringify({ type: event.type, element, isHere }));
    };
    TYPES.forEach((type) => addEventListener(type, globalThis.browserRunnerTell, true));
})();
