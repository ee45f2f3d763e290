/*
 * Observes a drag at its `side`, 'source' or 'target'.
 * Phase 'watch' begins to listen, at the given element if there is one.
 * Phase 'ask' returns what was observed: isDraggable: the browser should drag the source; hasBegun:
 * it did; isPrevented: but the page prevented it; isTaken: the page handled the press itself;
 * isReacting: the page has changed because of the drag, or may have in a place that cannot be
 * observed; hasSelected: text was selected; hasReached: the pointer entered the target; isDropped:
 * something was dropped on the target; isDroppedElsewhere; receiver: the element that got the drop
 * or the release; isReleased: the mouse button was released.
 * Phase 'step' waits until nothing around the pointer is animated, and for paceMs if the page moves
 * something along with the mouse: such lists check the mouse at intervals. Returns how far the
 * target has `moved` since 'watch', unless the pointer has entered it.
 * Phase 'rest' waits until everything around the pointer stands still, and returns whether it
 * isSame as at the last rest.
 * Phase 'end' does that, too, returns what was observed and stops listening; for the source also
 * its present place: `parent`, `index` and its box. A document loaded since 'watch' only returns
 * that the earlier one isLeft.
 */
async function ({ side, phase, paceMs }, held) {
    const REST_MS = 60; /* interval at which pages check the mouse */
    const MAX_MS = 1500;
    const MAX_ADDED = 8;
    const DRAWN = /^(canvas|video|object|embed|i?frame)$/;
    const types = ['dragstart', 'dragenter', 'dragover', 'drop', 'pointerdown', 'pointerover', 'pointermove',
        'pointerup', 'mousedown', 'mousemove', 'mouseup', 'input', 'scroll', 'selectionchange',
        'gotpointercapture'];
    const watches = globalThis.browserRunnerDrag ||= {};

/* include around.js */
/* include brief.js */
    const boxOf = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left, top, width, height];
    };
    const elements = () => ['source', 'target'].map((one) => watches[one]?.element)
        .filter((element) => element?.isConnected);
    const isSame = (one, other) => Boolean(one) && one.length === other.length &&
        one.every((part, i) => part === other[i] || Math.abs(part - other[i]) < 0.5);

    /* Returns what is under the pointer, and the places of the two elements. */
    const look = (point) => [
        ...(point ? document.elementsFromPoint(point.x, point.y).slice(0, 3) : []),
        ...elements().flatMap((element) => [element.parentNode, element.previousElementSibling,
            ...boxOf(element)]),
    ];
    const isMoving = (point) => {
        const over = point ? document.elementsFromPoint(point.x, point.y) : [];
        const near = new Set([...over, ...elements().flatMap(
            (element) => [element, ...(element.parentElement ? childrenOf(element.parentElement) : [])])]);
        return document.getAnimations().some((animation) => animation.playState === 'running' &&
            animation.effect?.getComputedTiming().endTime < Infinity && near.has(animation.effect.target));
    };
    const rest = async (point) => {
        const end = performance.now() + MAX_MS;
        const least = performance.now() + REST_MS;
        let before;
        let now = look(point);
        do {
            before = now;
            await new Promise((resolve) => setTimeout(resolve, 20));
            now = look(point);
        } while (performance.now() < least ||
                 (performance.now() < end && (!isSame(before, now) || isMoving(point))));
        return now;
    };

    /* Ignores our own drawings, and elements that pages load at any time. */
    const isAside = (node) => node.browserRunnerShown || /^(script|style|link|iframe)$/.test(node.localName);
    const isAnswer = ({ type, target, addedNodes, removedNodes }) => !isAside(target) &&
        !(type === 'childList' && [...addedNodes, ...removedNodes].every(isAside));

    /* Reconstructs the child nodes of a parent before the given records, which must be complete. */
    const childrenBefore = (parent, records) => {
        const nodes = [...parent.childNodes];
        for (const { target, addedNodes, removedNodes, previousSibling } of records.toReversed()) {
            if (target === parent && addedNodes) {
                const at = nodes.indexOf(previousSibling) + 1;
                nodes.splice(at, addedNodes.length, ...removedNodes);
            }
        }
        return nodes;
    };
    /* Styles and attributes that prepare a drag and are not visible. */
    const isPreparing = (name) => /^(will-change|user-select|-webkit-user-select|touch-action|cursor|pointer-events)$/.test(name);
    const valueOf = (name, value) => {
        if (name !== 'style') {
            return name === 'draggable' ? '' : (value ?? '').trim();
        }
        const { style } = document.createElement('p');
        style.cssText = value ?? '';
        [...style].filter(isPreparing).forEach((one) => style.removeProperty(one));
        return style.cssText;
    };
    /* Returns whether anything differs from the state before those records that are reactions. */
    const isChanged = ({ records, answers }) => {
        const first = new Map();
        return answers.some(({ type, target, attributeName, oldValue }) => {
            const key = attributeName ?? type;
            const known = first.get(target) ?? new Set();
            if (known.has(key)) {
                return false;
            }
            first.set(target, known.add(key));
            if (type === 'childList') {
                const [before, now] = [childrenBefore(target, records), [...target.childNodes]]
                    .map((nodes) => nodes.filter((node) => !isAside(node)));
                return before.length !== now.length || before.some((node, i) => node !== now[i]);
            }
            return type === 'attributes'
                ? valueOf(key, target.getAttribute(key)) !== valueOf(key, oldValue) : target.data !== oldValue;
        });
    };
    /*
     * Returns whether the source, or what was added, has moved with the mouse since the last time.
     */
    const isCarried = (watch) => {
        const places = new Map([watch.near, ...watch.added].filter((node) => node?.isConnected).map((node) => {
            const { left, top, width, height } = node.getBoundingClientRect();
            return [node, [left + width / 2, top + height / 2]];
        }));
        const isGone = [...places].some(([node, [x, y]]) => {
            const [oldX, oldY] = watch.places?.get(node) ?? [x, y];
            return Math.abs(x - oldX) + Math.abs(y - oldY) >= 2;
        });
        watch.places = places;
        return isGone && watch.answers.length > 0;
    };

    /*
     * Returns whether a change may be caused by the drag: any change while the page handled it;
     * later ones only of the dragged element, around and beside it. A clock changes by itself.
     */
    const isNear = (element, { type, target }) => {
        for (let node = element; node; node = parentOf(node)) {
            if (node === target) {
                return true;
            }
        }
        return Boolean(element) && (element.contains(target) || element.shadowRoot?.contains(target) ||
            (type === 'attributes' && parentNodeOf(target) === parentNodeOf(element)));
    };

    if (phase === 'watch') {
        const element = held?.found.element ?? null;
        const draggable = side === 'source' && element?.closest('[draggable=true]');
        const seen = { isDraggable: Boolean(draggable) };
        const watch = { seen, element, box: element && boxOf(element), near: element, records: [], answers: [],
            added: [] };
        if (side === 'target' && watches.source) {
            watches.source.seen.hasScrolled = false; /* that was to bring the target into view */
            watches.source.places = null;
        }
        /*
         * Until the last listener, this one, has run; if propagation was stopped, until the next
         * task.
         */
        const noteHandled = () => { watch.isHandling = false; };
        const noteHandling = (type) => {
            watch.isHandling = true;
            removeEventListener(type, noteHandled);
            addEventListener(type, noteHandled);
            setTimeout(noteHandled, 0);
        };
        /* Changes of a canvas or in a closed shadow root cannot be observed. */
        const noteTaken = (event) => {
            const path = event.composedPath();
            const below = [...path, ...document.elementsFromPoint(event.clientX, event.clientY)];
            seen.isTaken = true;
            seen.isReacting ||= below.some((node) => DRAWN.test(node.localName) ||
                (node.localName?.includes('-') && !node.shadowRoot));
        };
        const noteDrop = (event) => {
            const path = event.composedPath();
            /* The page may have put the dragged element there. */
            const isHere = !element || path.includes(element) || seen.hasReached ||
                path.includes(watches.source?.element);
            seen[isHere ? 'isDropped' : 'isDroppedElsewhere'] = true;
        };
        const note = (event) => {
            const path = event.composedPath();
            if (!/^(scroll|selectionchange)$/.test(event.type)) {
                noteHandling(event.type);
            }
            if (event.type === 'pointerdown' && side === 'source') {
                watch.near ??= path[0];
            } else if (event.type === 'dragstart') {
                seen.hasBegun = true;
                setTimeout(() => { seen.isPrevented = event.defaultPrevented; }, 0);
            } else if (event.type === 'drop') {
                noteDrop(event);
            } else if (/^(pointer|mouse)up$/.test(event.type)) {
                seen.isReleased = true;
            } else if (/^(pointerover|pointermove|dragenter|dragover)$/.test(event.type)) {
                watch.point = { x: event.clientX, y: event.clientY };
                /* The dragged element may cover it. */
                seen.hasReached ||= path.includes(element) ||
                    document.elementsFromPoint(event.clientX, event.clientY).includes(element);
            } else if (event.type === 'selectionchange') {
                /* Without a drag, the movement selects the text that it passes. */
                const selection = getSelection();
                const { anchorNode } = selection;
                seen.hasSelected ||= side === 'source' && !selection.isCollapsed &&
                    (!element || (anchorNode instanceof Text && element.contains(anchorNode)));
            } else if (event.type === 'scroll') {
                seen.hasScrolled = true;
            } else if (event.type === 'input') {
                seen.isReacting = true;
            } else if (event.type === 'gotpointercapture') {
                noteTaken(event);
            }
            if (/^(pointer|mouse)down$/.test(event.type)) {
                seen.isReacting ||= path.some((node) => DRAWN.test(node.localName));
                setTimeout(() => event.defaultPrevented && noteTaken(event), 0);
            }
            if (/^(drop|mouseup)$/.test(event.type) && path[0] instanceof Element) {
                seen.receiver = brief(path[0]);
            }
        };
        watch.observer = new MutationObserver((records) => {
            const near = Object.values(watches).map((one) => one.near);
            const answers = records.filter((record) => isAnswer(record) &&
                (watch.isHandling || near.some((one) => isNear(one, record))));
            watch.records.push(...records);
            watch.answers.push(...answers);
            watch.added.push(...answers.flatMap(({ addedNodes }) => [...addedNodes])
                .filter((node) => node instanceof Element).slice(0, MAX_ADDED - watch.added.length));
        });
        const roots = [document, element?.shadowRoot].filter(Boolean);
        for (let root = element?.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
            roots.push(root);
        }
        /* Changes since before the press count: its effects may be undone. */
        const { observer } = side === 'target' && watches.source ? watches.source : watch;
        roots.forEach((root) => observer.observe(root,
            { subtree: true, childList: true, attributeOldValue: true, characterDataOldValue: true }));
        watches[side]?.stop();
        watch.stop = () => {
            types.forEach((type) => {
                removeEventListener(type, note, true);
                removeEventListener(type, noteHandled);
            });
            watch.observer.disconnect();
        };
        watches[side] = watch;
        types.forEach((type) => addEventListener(type, note, true));
        return {};
    }
    const watch = watches[side];
    if (!watch) {
        return { isLeft: true };
    }
    if (phase === 'step') {
        const pause = () => new Promise((resolve) => setTimeout(resolve, Math.max(paceMs, 1)));
        const end = performance.now() + MAX_MS;
        const isCarrying = Object.values(watches).some((one) => one.added.length && !one.seen.hasBegun);
        if (isCarrying) {
            await pause();
        }
        while (isMoving(watch.point) && performance.now() < end) {
            await pause();
        }
        const { element, box, seen } = watch;
        if (!element?.isConnected || seen.hasReached) {
            return {};
        }
        const [left, top] = boxOf(element);
        return { moved: { x: left - box[0], y: top - box[1] } };
    }
    if (phase === 'rest') {
        const last = watch.rested;
        watch.rested = await rest(watch.point);
        return { isSame: isSame(last, watch.rested) };
    }
    if (phase === 'ask') {
        await new Promise((resolve) => setTimeout(resolve, 0));
        watch.seen.isReacting ||= isCarried(watch);
        return watch.seen;
    }
    await rest(watch.point);
    watch.stop();
    const { element, seen } = watch;
    seen.isReacting ||= seen.hasScrolled || isChanged(watch);
    if (side === 'source') {
        delete watches.source;
        delete watches.target;
    }
    if (side !== 'source' || !element?.isConnected) {
        return seen;
    }
    const [x, y, width, height] = boxOf(element).map(Math.round);
    const { parentElement } = element;
    return { ...seen, source: { x, y, width, height, ...(parentElement && {
        parent: brief(parentElement), index: [...childrenOf(parentElement)].indexOf(element) }) } };
}
