/*
 * Handles content skipped by `content-visibility: auto` far from the viewport, in this document and
 * its open shadow roots, and in the closed ones of the elements passed after the options. `mode`:
 * 'layOut': lays it out where it is, without the page noticing. Returns the number of elements that
 *           skip their content;
 * 'show':   renders it in its real size until 'end'. Returns the number of elements that were not
 *           rendered before;
 * 'end':    restores the page, with the middle of the viewport at its former place.
 */
async function ({ mode }, ...inside) {
    const MAX_ROOTS = 1000;
    const FRAME_MS = 100; /* for a frame that is not drawn */
    /* The containment that it has while it is rendered for itself. */
    const CONTAINED = ['layout', 'style', 'paint'];

/* include around.js */
    const rootOf = ownOf(Node, 'getRootNode');
    const shadowOf = ownOf(Element, 'shadowRoot');
    const boxOf = ownOf(Element, 'getBoundingClientRect');

    const findRoots = () => {
        const roots = new Set([document, ...inside.map((node) => rootOf(node))]);
        for (const root of roots) {
            for (const element of roots.size < MAX_ROOTS ? root.querySelectorAll('*') : []) {
                if (shadowOf(element)) {
                    roots.add(shadowOf(element));
                }
            }
        }
        return [...roots];
    };

    const findIn = (root) => [...root.querySelectorAll('*')]
        .filter((element) => getComputedStyle(element).contentVisibility === 'auto');

    const layOut = (element) => {
        for (const node of [element, shadowOf(element)].filter(Boolean)) {
            const range = document.createRange();
            range.selectNodeContents(node);
            range.getBoundingClientRect();
        }
    };

    const childrenIn = (parent) => (parent instanceof Element ? childrenOf(parent) : parent.children);
    const placeIn = (parent) => (parent instanceof Element ? pathOf(parent) : parent instanceof ShadowRoot ? ':host' : '');
    const pathOf = (element) => {
        const parent = parentNodeOf(element);
        const number = [...childrenIn(parent)].indexOf(element) + 1;
        return parent instanceof Document ? ':root' : `${placeIn(parent)} > :nth-child(${number})`;
    };

    /* Returns selectors of elements, with one for several in a row. */
    const selectorsOf = (elements) => {
        const selectors = [];
        for (const [parent, wanted] of Map.groupBy(elements, parentNodeOf)) {
            const numbers = [...childrenIn(parent)].flatMap((child, i) => (wanted.includes(child) ? [i + 1] : []));
            numbers.forEach((number, i) => {
                const first = numbers[i - 1] === number - 1 ? selectors.pop().first : number;
                selectors.push({ first, parent, last: number });
            });
        }
        return selectors.map(({ parent, first, last }) => (parent instanceof Document ? ':root'
            : `${placeIn(parent)} > :nth-child(n+${first}):nth-child(-n+${last})`));
    };

    /* An important rule in a layer overrides all other rules of style sheets. */
    const ruleOf = (selectors, contain) =>
        `@layer { ${selectors.join()} { content-visibility: visible !important; contain: ${contain} !important; } }`;

    const containOf = (element) => {
        const { contain } = getComputedStyle(element);
        const own = contain.split(' ').filter((word) => word !== 'none' && word !== 'content');
        return contain === 'strict' ? contain : [...new Set([...own, ...CONTAINED])].join(' ');
    };

    const nextFrame = () => Promise.race([new Promise(requestAnimationFrame),
        new Promise((resolve) => setTimeout(resolve, FRAME_MS))]);

    const show = (root, elements) => {
        const sheet = new CSSStyleSheet();
        for (const [contain, alike] of Map.groupBy(elements, containOf)) {
            sheet.insertRule(ruleOf(selectorsOf(alike), contain));
        }
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
        return { root, sheet };
    };

    const middle = () => {
        const element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
        return element && element !== document.documentElement && element !== document.body
            ? { element, top: boxOf(element).top } : null;
    };

    if (mode === 'end') {
        const { shown, anchor } = globalThis.browserRunnerSkipped ?? {};
        globalThis.browserRunnerSkipped = undefined;
        for (const { root, sheet } of shown ?? []) {
            root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet);
        }
        await nextFrame(); /* in which Chrome scrolls to keep the visible content in place */
        await nextFrame();
        const moved = anchor?.element.isConnected ? boxOf(anchor.element).top - anchor.top : 0;
        if (Math.abs(moved) >= 1) {
            scrollBy({ top: moved, behavior: 'instant' });
        }
        return 0;
    }

    const found = findRoots().map((root) => ({ root, elements: findIn(root) }))
        .filter(({ elements }) => elements.length > 0);
    if (mode === 'layOut') {
        found.flatMap(({ elements }) => elements).forEach(layOut);
    } else if (found.length > 0) {
        const state = globalThis.browserRunnerSkipped ??= { shown: [], anchor: middle() };
        state.shown.push(...found.map(({ root, elements }) => show(root, elements)));
        await nextFrame();
        await nextFrame();
    }
    return found.reduce((sum, { elements }) => sum + elements.length, 0);
}
