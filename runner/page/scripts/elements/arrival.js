    /* Whether a press of the mouse came to the element that it was meant for. */

    /* What a page that draws itself anew has put in the place of an element; only if it is the one. */
    const successorOf = (found, described) => {
        const { element, query } = found;
        if (element.isConnected || query.nth >= 0 || query.node) {
            return null;
        }
        const { matches } = query.role
            ? { matches: findBySelector(element.localName).filter((one) => describe(one, query) === described) }
            : find(found);
        return matches.length === 1 ? matches[0] : null;
    };

    /* Until arrived() asks, press.js tells which events reach the element, or its successor. */
    const watchArrival = (found, name) => {
/* include press.js */
        const { element, query } = found;
        const described = describe(element, query);
        const isClosed = closedRootsOf(element).length > 0;
        const stands = () => (element.isConnected ? element : successorOf(found, described));
        const isReachedBy = (event) => {
            const path = event.composedPath();
            const reached = stands();
            /* Of a closed shadow root the window is not told. */
            return path.includes(element) || path.includes(reached) ||
                path.some((node) => node.localName === 'label' && node.control === element) ||
                (isClosed && reaches(deepestHit(element, event.clientX, event.clientY), element));
        };
        const finish = () => {
            const reached = stands();
            return {
                name: name.toWellFormed(), isGone: !element.isConnected,
                isThere: Boolean(reached) && isVisible(shownFor(reached)),
                isFrame: /^(iframe|frame|object|embed)$/.test(element.localName),
            };
        };
        globalThis.browserRunnerWatch = { element, isReachedBy, finish };
    };

    /*
     * Ends the watch, for the press that has been since. Answers the element's name, whether it still
     * isThere to be clicked, itself or what was drawn in its place, isGone: it was taken out of the
     * document, and isFrame: what happens in it is told by its own document, if at all.
     */
    const arrived = () => {
        const watch = globalThis.browserRunnerWatch;
        globalThis.browserRunnerWatch = undefined;
        return watch ? watch.finish() : {};
    };
