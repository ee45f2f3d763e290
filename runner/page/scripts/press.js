/*
 * Runs in each new document, before the page's scripts, which can keep an event from all who begin to
 * listen after them; and again in locate.js, since a document that is written anew has lost its
 * listeners. Tells of each event of a press of the mouse, through the binding browserRunnerPress, as
 * JSON { type, element, isHere }: what received it, and whether that was the element that is watched.
 */
(() => {
    const TYPES = ['pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick'];

    const describe = (node) => {
        const element = node instanceof Element ? node : document.documentElement;
        const id = element.id ? `#${element.id}` : '';
        const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`).join('');
        return `<${element.localName}${id}${classes}`.slice(0, 100).toWellFormed() + '>';
    };

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
        const element = describe(isHere ? watch.element : event.composedPath()[0]);
        browserRunnerPress(JSON.stringify({ type: event.type, element, isHere }));
    };
    TYPES.forEach((type) => addEventListener(type, globalThis.browserRunnerTell, true));
})();
