/* Puts back what locate.js has scrolled for a picture. */
function () {
    for (const [element, left, top] of globalThis.browserRunnerScrolls || []) {
        element.scrollTo({ left, top, behavior: 'instant' });
    }
    globalThis.browserRunnerScrolls = undefined;
}
