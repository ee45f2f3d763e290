    /* Whether anything changes in this document, and what may still be due. */

    const OBSERVED_MS = 2000; /* ends an observation that nobody asks for any more */
    let stirring; /* the present observation */

    const observe = () => {
        const observer = new MutationObserver((records) => { observation.changes += records.length; });
        const observation = { changes: 0, begin: performance.now(), observer };
        for (const root of findRoots()) {
            observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
        }
        return observation;
    };

    /*
     * Returns how many changes there were since the observation `begin`; how many timers the page
     * has set so far; whether it is `moving` or loading; and the milliseconds since it was loaded.
     */
    const stir = () => {
        clearTimeout(stirring?.timer);
        stirring ??= observe();
        stirring.timer = setTimeout(() => {
            stirring.observer.disconnect();
            stirring = undefined;
        }, OBSERVED_MS);
        const { changes, begin } = stirring;
        const [{ loadEventEnd = 0 } = {}] = performance.getEntriesByType('navigation');
        return {
            changes, begin, timers: globalThis.browserRunnerTimers?.() ?? 1,
            isMoving: document.readyState !== 'complete' ||
                document.getAnimations().some(({ playState }) => playState === 'running'),
            ageMs: performance.now() - loadEventEnd,
        };
    };
