/*
 * Says whether the input that was announced by locate.js in its mode 'hit' has reached the element:
 * {} if so, or if the document is another one by now; otherwise { code, message }.
 */
function () {
    const watch = globalThis.browserRunnerWatch;
    if (!watch) {
        return {};
    }
    watch.stop();
    if (watch.hasArrived) {
        return {};
    }
    return watch.element.isConnected
        ? { code: 'TARGET_OBSCURED', message: `${watch.name} did not receive the click` }
        : { code: 'TARGET_NOT_FOUND', message: `${watch.name} was removed before the click came` };
}
