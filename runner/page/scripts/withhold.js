/*
 * Takes what data-no-ai marks out of the layout, in this document and its open shadow roots. `mode`:
 * 'begin': until 'end', also what the page adds when it is printed. Returns the number of such parts;
 * 'end':   restores the document. Returns the number of parts that were in the layout nevertheless,
 *          such as those of a document that is newer.
 */
function ({ mode }) {
/* include around.js */
    const shadowOf = ownOf(Element, 'shadowRoot');
    const STYLED = ['transition', 'display'];

    const isOut = (element) => getComputedStyle(element).display === 'none';
    /* A closed list shows the selected option, which has no box of its own. */
    const showsKept = (element) => element instanceof HTMLSelectElement && !isKeptFromModels(element) &&
        [...element.selectedOptions].some(isKeptFromModels);

    const find = () => {
        const roots = [document];
        const marked = [];
        for (let i = 0; i < roots.length; i++) {
            for (const element of roots[i].querySelectorAll('*')) {
                if (hasAttributeOf(element, 'data-no-ai') || showsKept(element)) {
                    marked.push(element);
                }
                if (shadowOf(element)) {
                    roots.push(shadowOf(element));
                }
            }
        }
        return { roots, marked };
    };

    if (mode === 'begin') {
        const state = globalThis.browserRunnerWithhold = {
            sheet: new CSSStyleSheet(), adopted: new Set(), styled: new Map(),
        };
        state.sheet.replaceSync('@layer { [data-no-ai] { display: none !important; } }');
        state.apply = () => {
            const { roots, marked } = find();
            for (const root of roots.filter((one) => !state.adopted.has(one))) {
                root.adoptedStyleSheets = [...root.adoptedStyleSheets, state.sheet];
                state.adopted.add(root);
            }
            /* Styles of an element override the rule, and lists need one. */
            for (const element of marked.filter((one) => !isOut(one) && one.style)) {
                if (!state.styled.has(element)) {
                    state.styled.set(element, { hadStyle: hasAttributeOf(element, 'style'),
                        before: STYLED.map((name) => [name, element.style.getPropertyValue(name),
                            element.style.getPropertyPriority(name)]) });
                }
                element.style.setProperty('transition', 'none', 'important');
                element.style.setProperty('display', 'none', 'important');
            }
            return marked.filter((element) => hasAttributeOf(element, 'data-no-ai') &&
                !isKeptFromModels(parentOf(element))).length;
        };
        addEventListener('beforeprint', state.apply);
        return state.apply();
    }

    const shown = find().marked.filter((element) => !isOut(element)).length;
    const state = globalThis.browserRunnerWithhold;
    if (state) {
        globalThis.browserRunnerWithhold = undefined;
        removeEventListener('beforeprint', state.apply);
        for (const root of state.adopted) {
            root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== state.sheet);
        }
        for (const [element, { before, hadStyle }] of state.styled) {
            before.forEach((one) => element.style.setProperty(...one));
            if (!hadStyle && element.getAttribute('style') === '') {
                element.removeAttribute('style');
            }
        }
    }
    return shown;
}
