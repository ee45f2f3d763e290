/*
 * Reports the effect of a turn of the wheel at x, y of this frame. Phase 'watch' records all scroll
 * positions there, and begins to listen. Phase 'end' waits until scrolling stops, and returns
 * `scrolled`, a list of { element, from: { x, y }, to: { x, y } }; isHandled: the page handled the
 * wheel itself; isUnknown: what is there, such as a frame, cannot tell; and what is `over` the
 * place. A document loaded since then only returns that the earlier one isLeft.
 */
async function ({ phase, x, y }) {
    const LEAST_MS = 120; /* until a smooth scroll has begun */
    const MAX_MS = 1500;
/* include brief.js */
/* include around.js */
    if (phase === 'watch') {
        let over = document.elementFromPoint(x, y);
        for (let inner; (inner = over?.shadowRoot?.elementFromPoint(x, y)) && inner !== over;) {
            over = inner;
        }
        const places = [];
        const roots = [document];
        for (let node = over; node; node = parentOf(node)) {
            if (node instanceof Element) {
                places.push({ element: node, left: node.scrollLeft, top: node.scrollTop });
            } else if (node instanceof ShadowRoot) {
                roots.push(node);
            }
        }
        const watch = { over, places, isHandled: false };
        /* Ignores changes elsewhere that the mouse alone has caused. */
        const observer = new MutationObserver((records) => {
            watch.isChanged ||= records.some(({ target }) => over && target !== document.body &&
                target !== document.documentElement &&
                (target.contains(over) || over.contains(target)));
        });
        const note = (event) => {
            roots.forEach((root) => observer.observe(root,
                { subtree: true, childList: true, attributes: true, characterData: true }));
            setTimeout(() => { watch.isHandled ||= event.defaultPrevented; }, 0);
        };
        addEventListener('wheel', note, { capture: true, passive: true });
        watch.stop = () => {
            observer.disconnect();
            removeEventListener('wheel', note, { capture: true });
        };
        globalThis.browserRunnerWheel?.stop();
        globalThis.browserRunnerWheel = watch;
        return {};
    }
    const watch = globalThis.browserRunnerWheel;
    if (!watch) {
        return { isLeft: true };
    }
    const look = () => watch.places.map(({ element }) => [element.scrollLeft, element.scrollTop]).join();
    const began = performance.now();
    let before;
    let now = look();
    do {
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 40));
        now = look();
    } while (performance.now() - began < LEAST_MS || (now !== before && performance.now() - began < MAX_MS));
    watch.stop();
    globalThis.browserRunnerWheel = undefined;
    const { over, places } = watch;
    const scrolled = places
        .filter(({ element, left, top }) => element.scrollLeft !== left || element.scrollTop !== top)
        .map(({ element, left, top }) => ({
            element: brief(element), from: { x: left, y: top },
            to: { x: element.scrollLeft, y: element.scrollTop },
        }));
    return {
        scrolled, isHandled: watch.isHandled || Boolean(watch.isChanged && !scrolled.length),
        isUnknown: Boolean(over) && /^(i?frame|object|embed|canvas)$/.test(over.localName),
        over: over ? brief(over) : 'nothing',
    };
}
