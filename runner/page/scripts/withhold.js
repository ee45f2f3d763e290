/*
 * Takes what data-no-ai marks out of the layout, in this document and its open shadow roots. `mode`:
 * 'begin': until 'end', also what the page adds when it is printed. Returns the number of such parts;
 * 'end':   restores the document. Returns the number of parts that were in the layout nevertheless,
 *          now or on paper, such as those of a document that is newer.
 */
function ({ mode }) {
/* include around.js */
    const shadowOf = ownOf(Element, 'shadowRoot');
    /* The shorthand first: it may be given as var(), of which its parts know nothing. */
    const TRANSITION = ['transition', ...['property', 'duration', 'timing-function', 'delay', 'behavior']
        .map((name) => 'transition-' + name)];

    const isOut = (element) => getComputedStyle(element).display === 'none';
    /* A closed list shows the selected option, which has no box of its own. */
    const showsKept = (element) => element instanceof HTMLSelectElement && !isKeptFromModels(element) &&
        [...element.selectedOptions].some(isKeptFromModels);

    /* Parts within another one go with it. */
    const find = () => {
        const roots = [document];
        const marked = [];
        for (let i = 0; i < roots.length; i++) {
            for (const element of roots[i].querySelectorAll('*')) {
                if ((hasAttributeOf(element, 'data-no-ai') && !isKeptFromModels(parentOf(element))) ||
                    showsKept(element)) {
                    marked.push(element);
                }
                if (shadowOf(element)) {
                    roots.push(shadowOf(element));
                }
            }
        }
        return { roots, marked };
    };
    const countShown = () => find().marked.filter((element) => !isOut(element)).length;

    const read = ({ style }, names) =>
        names.map((name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)]);
    const write = ({ style }, [first, ...others]) => {
        style.setProperty(...first);
        others.filter(([, value]) => value).forEach((one) => style.setProperty(...one));
    };

    const undo = (state) => {
        globalThis.browserRunnerWithhold = undefined;
        removeEventListener('beforeprint', state.apply);
        state.media.forEach((one) => one.removeEventListener('change', state.check));
        for (const root of state.adopted) {
            root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== state.sheet);
        }
        /* Nothing fades in: transitions come back when the parts are drawn again. */
        state.styled.forEach(({ display }, element) => write(element, display));
        [...state.styled.keys()].forEach(isOut);
        for (const [element, { transition, hadStyle }] of state.styled) {
            write(element, transition);
            if (!hadStyle && element.getAttribute('style') === '') {
                element.removeAttribute('style');
            }
        }
    };

    const earlier = globalThis.browserRunnerWithhold;
    if (mode === 'begin') {
        if (earlier) {
            undo(earlier); /* its 'end' did not arrive */
        }
        const state = globalThis.browserRunnerWithhold = {
            sheet: new CSSStyleSheet(), adopted: new Set(), styled: new Map(), shown: 0,
            media: ['print', `(width: ${innerWidth}px)`].map((query) => matchMedia(query)),
        };
        /* For what is added later, and for elements without styles of their own. */
        state.sheet.replaceSync('@layer { [data-no-ai] { display: none !important; } }');
        state.apply = () => {
            const { roots, marked } = find();
            for (const root of roots.filter((one) => !state.adopted.has(one))) {
                root.adoptedStyleSheets = [...root.adoptedStyleSheets, state.sheet];
                state.adopted.add(root);
            }
            /* Also if it is out on screen: a rule for print may override that of the sheet. */
            for (const element of marked.filter((one) => one.style)) {
                if (!state.styled.has(element)) {
                    state.styled.set(element, { hadStyle: hasAttributeOf(element, 'style'),
                        display: read(element, ['display']), transition: read(element, TRANSITION) });
                }
                element.style.setProperty('transition', 'none', 'important');
                element.style.setProperty('display', 'none', 'important');
            }
            return marked.filter((element) => hasAttributeOf(element, 'data-no-ai')).length;
        };
        /* Rules of :host and ::slotted override even that: counted as it is on paper. */
        state.check = () => { state.shown = Math.max(state.shown, countShown()); };
        addEventListener('beforeprint', state.apply);
        state.media.forEach((one) => one.addEventListener('change', state.check));
        return state.apply();
    }

    const shown = Math.max(countShown(), earlier ? earlier.shown : 0);
    if (earlier) {
        undo(earlier);
    }
    return shown;
}
