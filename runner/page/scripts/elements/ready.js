    /* Brings an element into view, and waits until it is stable. */

    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const UNDO_MS = 100; /* time limit for a page to undo a change */

    /* Returns how many callbacks the page has requested so far; -1: unknown. */
    const countCallbacks = () => globalThis.browserRunnerCallbacks?.() ?? -1;

    /* Waits until the queued tasks have run. */
    const runTasks = () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => setTimeout(resolve, 0);
        port2.postMessage(null);
    });

    /*
     * Gives the page the time to undo what was done. Listeners, and the tasks that they queue, have
     * run by the end of runTasks(). Later, a timer, a frame or the answer to a request can undo it,
     * also one that the page asked for long before; so the pause is left out only if the page has
     * asked for none since it began. Each document counts its own: if there are frames, it is not
     * left out.
     */
    const awaitUndoing = async (isLoading, limitMs) => {
        await runTasks();
        if (isLoading || window !== top || frames.length || countCallbacks() !== 0) {
            await pause(limitMs);
        }
    };

    /* Pages in the background have no frames. */
    const nextFrame = () => new Promise((resolve) => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 100);
    });

    const SCROLL_FIRST = 'scroll to it first, or leave scrollIntoView out';

    /* Scrolls the element, or the wanted point of it, into view, unless it staysPut. */
    const bringIntoView = (element, { alignment, offset, staysPut }) => {
        if (staysPut) {
            return;
        }
        const box = placeOf(element);
        const isInView = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight &&
            box.right <= innerWidth && !isClipped(element);
        if (alignment !== 'nearest' || !isInView) {
            boxedFor(element).scrollIntoView({ block: alignment, inline: 'nearest', behavior: 'instant' });
        }
        const moved = placeOf(element);
        const left = offset ? moved.left + offset.x : 0;
        const top = offset ? moved.top + offset.y : 0;
        if (left < 0 || top < 0 || left >= innerWidth || top >= innerHeight) {
            scrollBy({ left: left - innerWidth / 2, top: top - innerHeight / 2,
                behavior: 'instant' });
        }
    };

    const isAnimated = (element) => {
        for (let node = element; node; node = parentOf(node)) {
            if (node instanceof Element &&
                node.getAnimations().some((one) => one.playState === 'running')) {
                return true;
            }
        }
        return false;
    };

    /*
     * Returns whether it is in or beside content that Chrome renders only near the viewport, which
     * moves when its real size is known.
     */
    const isBySkipped = (element) => {
        const isSo = (node) => Boolean(node) && getComputedStyle(node).contentVisibility === 'auto';
        for (let node = element; node; node = parentOf(node)) {
            if (node instanceof Element &&
                [node, node.previousElementSibling, node.nextElementSibling].some(isSo)) {
                return true;
            }
        }
        return false;
    };

    /*
     * Returns the box if it is the same in two frames; null if it moved. In its first frame an
     * animation still shows the element at its start, so a third frame is needed; the same for
     * content that is rendered only when it comes into view, in its second frame.
     * While the `mouse` (null: none) is on its way, the first of the two is the box to which it was
     * sent, and the second frame that in which it comes. It may never come, such as to another frame.
     */
    const steadyBox = async (element, mouse) => {
        let before = mouse ? mouse.box : placeOf(element);
        const isSame = (box) => ['left', 'top', 'width', 'height'].every(
            (side) => Math.abs(box[side] - before[side]) < 0.5);
        if (mouse) {
            await Promise.race([mouse.arrival, nextFrame().then(nextFrame)]);
        }
        if (!mouse || !isSame(placeOf(element))) {
            before = placeOf(element);
            await nextFrame();
        }
        if (isSame(placeOf(element)) && isAnimated(element)) {
            await nextFrame();
        }
        for (let i = 0; i < 2 && isSame(placeOf(element)) && isBySkipped(element); i++) {
            await nextFrame();
        }
        const box = placeOf(element);
        return isSame(box) ? box : null;
    };

    /*
     * Returns the visible part of the element, and its box once it is stable; null: it keeps
     * moving.
     */
    const settle = async (found, shown, name, { editable, ...options }, mouse = null) => {
        bringIntoView(shown, options);
        const box = await steadyBox(shown, mouse);
        if (!found.element.isConnected) {
            fail(goneCode(found.query), `${name} was removed from the page`);
        }
        checkShown(shown, name, editable);
        return box;
    };

    const checkEnabled = (element, name) => {
        if (matchesOf(element, ':disabled') || closestOf(element, '[aria-disabled="true"]')) {
            fail('TARGET_DISABLED', `${name} is disabled`);
        }
    };
