/*
 * Ends the watch that locate.js began in its mode 'hit', for the press that has been since. Answers
 * the element's name, whether it still isThere to be clicked, itself or what was drawn in its place,
 * isGone: it was taken out of the document, and isFrame: what happens in it is told by its own
 * document, if at all. {} where the document is another one by now.
 */
function () {
    const watch = globalThis.browserRunnerWatch;
    globalThis.browserRunnerWatch = undefined;
    return watch ? watch.finish() : {};
}
