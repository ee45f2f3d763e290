    /* Of locate.js: the elements that are meant, by every way that names one. */

    const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy'];
    const normalized = (said) => said.trim().replace(/\s+/g, ' ').toLowerCase();

    /* Without a `*` a part of the text is enough. */
    const patternOf = (wanted) => new RegExp(normalized(wanted).split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*'));

    const SILENT = 'script, style, noscript, template, head, title, textarea, select';

    /* What is written in it, without what nobody sees. */
    const writtenIn = (node) => {
        if (!(node instanceof Element)) {
            return node instanceof Text ? node.data : '';
        }
        return matchesOf(node, SILENT) ? ''
            : node.querySelector(SILENT) ? [...childNodesOf(node)].map(writtenIn).join('')
                : node.textContent;
    };

    const saidBy = (element) => {
        if (element instanceof HTMLInputElement) {
            return /^(button|submit|reset)$/.test(element.type) ? normalized(element.value) : '';
        }
        return normalized(writtenIn(element));
    };

    /* Whether nothing of it can be seen, as of lists that a page draws anew: clear, or in a box of a dot. */
    const isHiddenAway = (element) => {
        for (let node = element; node; node = parentOf(node)) {
            if (node instanceof Element) {
                const { opacity, overflow } = getComputedStyle(node);
                const { width, height } = node.getBoundingClientRect();
                if (opacity === '0' || (overflow !== 'visible' && Math.min(width, height) < 2)) {
                    return true;
                }
            }
        }
        return false;
    };

    /* Those that show, and where there are some that can be seen, too, those alone. */
    const shownOf = (elements) => {
        const shown = elements.filter(isVisible);
        const seen = shown.length > 1 ? shown.filter((element) => !isHiddenAway(element)) : [];
        return seen.length ? seen : shown;
    };

    /* The innermost elements that say it; those that show, and say just it, come before others. */
    const findByText = (wanted) => {
        const pattern = patternOf(wanted);
        const says = (element) => pattern.test(saidBy(element));
        const all = findRoots()
            .flatMap((root) => [...root.querySelectorAll(root === document ? 'body, body *' : '*')])
            .filter((element) => says(element) && ![...childrenOf(element)].some(says));
        const shown = shownOf(all);
        const exact = shown.filter((element) => saidBy(element) === normalized(wanted));
        return exact.length ? { matches: exact, rank: 0 }
            : shown.length ? { matches: shown, rank: 1 } : { matches: all, rank: 2 };
    };

    const findByRole = () => {
        const shown = shownOf(given);
        return shown.length ? { matches: shown, rank: 0 } : { matches: given, rank: 1 };
    };

    const findBySelector = (css) => findRoots().flatMap((root) => [...root.querySelectorAll(css)]);

    const isSelector = (candidate) => {
        try {
            document.createDocumentFragment().querySelector(candidate);
            return true;
        } catch (error) {
            return false;
        }
    };

    /* The first candidate that shows; as text where it is no selector or matches nothing. */
    const findByTargets = () => {
        for (const [rank, candidate] of targets.entries()) {
            const byCss = isSelector(candidate) ? findBySelector(candidate).filter(isVisible) : [];
            const found = byCss.length ? byCss : findByText(candidate).matches.filter(isVisible);
            if (found.length) {
                const way = byCss.length ? 'selector' : 'text';
                return { matches: [found[Math.max(nth, 0)]].filter(Boolean), rank,
                    chosen: `"${candidate}" as ${way}, the first of ${found.length} that show` };
            }
        }
        return { matches: [], rank: targets.length };
    };

    const find = () => {
        if (selector || testId) {
            const css = selector ||
                TEST_IDS.map((name) => `[${name}="${CSS.escape(testId)}"]`).join();
            return { matches: findBySelector(css), rank: 0 };
        }
        if (node) {
            return { matches: given, rank: 0 };
        }
        return text ? findByText(text) : role ? findByRole() : findByTargets();
    };

    const sayWanted = () => {
        if (role) {
            return `role "${role}"` + (wantedName ? ` with the name "${wantedName}"` : '');
        }
        return node || (selector ? `"${selector}"` : testId ? `test id "${testId}"`
            : text ? `text "${text}"` : `any of ${targets.map((one) => `"${one}"`).join(', ')}`);
    };
