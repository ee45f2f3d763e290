    /* Checks whether a mouse press has reached its element. */

    /*
     * Returns the only element with the same description that a rerendering page has put in the
     * place of a removed one.
     */
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

    /* Makes press.js report until arrived() which events reach the element, or its successor. */
    const watchArrival = (found, name) => {
/* include press.js */
        const { element, query } = found;
        const described = describe(element, query);
        const isClosed = closedRootsOf(element).length > 0;
        const stands = () => (element.isConnected ? element : successorOf(found, described));
        const isReachedBy = (event) => {
            const path = event.composedPath();
            const reached = stands();
            /* For a closed shadow root the event's path at the window ends at the host. */
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
     * Ends the watch of the last press. Returns the element's name; whether it isThere to be
     * clicked, itself or its successor; isGone: it was removed from the document; isFrame: its own
     * document reports the events in it, if at all.
     */
    const arrived = () => {
        const watch = globalThis.browserRunnerWatch;
        globalThis.browserRunnerWatch = undefined;
        return watch ? watch.finish() : {};
    };
