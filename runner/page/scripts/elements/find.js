    /*
     * Finds the elements for a query: { selector, testId, text, role and name, node, or targets, of
     * which the first visible one is used, or field, a field's name; nth: index among several, -1:
     * there must be only one; ignoreNoAi }. Elements of a role are `given`, as is a node, which may
     * be in a closed shadow root.
     */

    const findRoots = () => {
        const roots = [document];
        for (let i = 0; i < roots.length; i++) {
            const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (node.shadowRoot) {
                    roots.push(node.shadowRoot);
                }
            }
        }
        return roots;
    };

    const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy'];
    /* Ignores invisible characters: soft hyphens, bidirectional marks and glyphs of icon fonts. */
    const normalized = (said) => said.replace(/[\p{Cf}\p{Co}]/gu, '').trim().replace(/\s+/g, ' ').toLowerCase();

    /* Written without blanks between the words. */
    const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
    /*
     * Without a `*`, a part of the text matches; up to three letters or digits must be whole words:
     * "li" is not meant by "delivery".
     */
    const patternOf = (wanted) => {
        const said = normalized(wanted);
        const pattern = said.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
        return new RegExp(/^[\p{L}\p{M}\p{N}]{1,3}$/u.test(said) && !UNSPACED.test(said)
            ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern, 'u');
    };

    const SILENT = 'script, style, noscript, template, head, title, textarea, select';

    /* Returns the text in the DOM, without what is never visible. */
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

    /*
     * Returns whether nothing of it is visible, as in lists that a page renders itself:
     * transparent, or in a tiny box.
     */
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

    /* Returns the elements that are laid out; if some of them are really visible, only those. */
    const shownOf = (elements) => {
        const shown = elements.filter(isVisible);
        const seen = shown.length > 1 ? shown.filter((element) => !isHiddenAway(element)) : [];
        return seen.length ? seen : shown;
    };

    /* Puts exact matches before others. */
    const rankBy = (shown, isExact) => {
        const exact = shown.filter(isExact);
        return exact.length ? { matches: exact, rank: 0 } : { matches: shown, rank: 1 };
    };

    /*
     * Collects the visible text of each element below a root, with blanks for blocks and line
     * breaks: `all` of it, and its `own`, without that of inner elements. Stores each in `seen`;
     * returns the part that belongs to its parent.
     */
    const noteSeen = (element, seen) => {
        const style = getComputedStyle(element);
        if (element.localName === 'br') {
            return ' ';
        }
        const isTiny = () => {
            const { width, height } = element.getBoundingClientRect();
            return Math.min(width, height) < 2;
        };
        if (matchesOf(element, SILENT) || style.display === 'none' || style.opacity === '0' ||
            (style.display !== 'contents' && !element.checkVisibility()) ||
            (style.overflow !== 'visible' && style.display !== 'inline' && isTiny())) {
            return '';
        }
        let all = '';
        let own = '';
        for (const node of childNodesOf(element)) {
            const isOwn = node instanceof Text && style.visibility === 'visible';
            const said = isOwn ? node.data : node instanceof Element ? noteSeen(node, seen) : '';
            all += said;
            own += isOwn || said === ' ' ? said : '';
        }
        if (element instanceof HTMLInputElement && style.visibility === 'visible') {
            all = own = saidBy(element);
        }
        seen.set(element, { all, own });
        return /^(inline|contents)$/.test(style.display) ? all : ` ${all} `;
    };

    /*
     * Finds the innermost elements that visibly have the text, including one that has it itself
     * beside inner elements that do. If it is visible nowhere, searches hidden text.
     */
    const findByText = (wanted) => {
        const pattern = patternOf(wanted);
        const seen = new Map();
        const roots = findRoots();
        for (const root of roots) {
            [...(root === document ? [document.body] : root.children)]
                .forEach((element) => element && noteSeen(element, seen));
        }
        const saying = new Map([...seen]
            .map(([element, { all, own }]) => [element, { all: normalized(all), own }])
            .filter(([, { all }]) => pattern.test(all)));
        const found = [...saying.keys()].filter((element) => pattern.test(normalized(saying.get(element).own)) ||
            ![...childrenOf(element)].some((inner) => saying.has(inner)));
        const shown = shownOf(found.sort((one, other) => (
            one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)));
        if (shown.some(isVisible)) {
            const isExact = (element) => [saying.get(element).all, normalized(saying.get(element).own)]
                .includes(normalized(wanted));
            return rankBy(shown, isExact);
        }
        const says = (element) => pattern.test(saidBy(element));
        const all = roots
            .flatMap((root) => [...root.querySelectorAll(root === document ? 'body, body *' : '*')])
            .filter((element) => says(element) && ![...childrenOf(element)].some(says));
        const written = shownOf(all);
        return written.length ? rankBy(written, (element) => saidBy(element) === normalized(wanted))
            : { matches: all, rank: 2 };
    };

    /*
     * Returns whether an element may have exactly this text: the first of its pieces in the DOM, a
     * text node or the label of an input, is then a beginning of it. Costs a fifth of collecting
     * the visible text. Says yes for other letters than those of ASCII, which depend on their
     * neighbours in lower case.
     */
    const mayBeText = (wanted) => {
        const said = normalized(wanted);
        const isBegin = (piece) => {
            const at = piece.search(/[^\s\p{Cf}\p{Co}]/u);
            return at >= 0 && piece[at].toLowerCase() === said[0] && said.startsWith(normalized(piece));
        };
        const hasBegin = (root) => {
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (isBegin(node.data)) {
                    return true;
                }
            }
            return [...root.querySelectorAll('input')].some(({ value }) => isBegin(value));
        };
        return !/^[ -~]+$/.test(said) || findRoots().some(hasBegin);
    };

    /* Finds elements by an attribute, if no text matches. */
    const LABELS = ['aria-label', 'placeholder', 'alt', 'title'];
    const findByLabel = (wanted) => {
        const pattern = patternOf(wanted);
        const labels = (element) => LABELS.map((name) => normalized(element.getAttribute(name) ?? ''));
        const all = findBySelector(LABELS.map((name) => `[${name}]`).join())
            .filter((element) => isVisible(element) && labels(element).some((said) => said && pattern.test(said)));
        return rankBy(all, (element) => labels(element).includes(normalized(wanted)));
    };

    const findByRole = (given) => {
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

    /*
     * Returns the visible elements for a candidate, and how it was interpreted: as selector, else
     * as text, else as label.
     */
    const findCandidate = (candidate) => {
        const byCss = isSelector(candidate) ? findBySelector(candidate).filter(isVisible) : [];
        if (byCss.length) {
            return { found: byCss, way: 'selector' };
        }
        const { matches, rank } = findByText(candidate);
        const byText = matches.filter(isVisible);
        const byLabel = byText.length && rank === 0 ? null : findByLabel(candidate);
        const isByLabel = byLabel?.matches.length && (!byText.length || byLabel.rank === 0);
        return isByLabel ? { found: byLabel.matches, way: 'label' } : { found: byText, way: 'text' };
    };

    /* Returns the elements of the first candidate with a visible one. */
    const findByTargets = ({ targets, nth }) => {
        for (const [rank, candidate] of targets.entries()) {
            const { found, way } = findCandidate(candidate);
            if (found.length) {
                return { matches: [found[Math.max(nth, 0)]].filter(Boolean), rank,
                    chosen: `"${candidate}" as ${way}, the first of ${found.length} that show` };
            }
        }
        return { matches: [], rank: targets.length };
    };

    /* The names of elements of HTML and SVG; a custom element has a hyphen. */
    const isTag = (name) => /^[a-z][a-z0-9]*$/.test(name)
        ? !(document.createElement(name) instanceof HTMLUnknownElement) ||
            document.createElementNS('http://www.w3.org/2000/svg', name).constructor !== SVGElement
        : /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name);
    const isMeantAsSelector = (word) => (/[#.[:>+~*]/.test(word) || word.trim().split(/\s+/).every(isTag)) &&
        isSelector(word);

    /* Returns the fields that a word of this kind may name, with their labels. */
    const fieldsOfKind = (kind) => {
        const isOne = { field: takesText, combobox: (field) => matchesOf(field, 'select, [role=combobox], [list]'),
            control: () => true }[kind];
        return isOne ? findBySelector(FIELDS).filter((field) => isOne(field) && canBeReached(field)) : [];
    };
    const calledIn = (field) => [...labelsOf(field), labelText(field.getAttribute('placeholder') ?? '')];
    const idsOf = (field) => ['name', 'id', ...TEST_IDS].map((name) => field.getAttribute(name));

    /*
     * Finds elements by the words of a person. Without isLoose: what has exactly this text or label,
     * or else matches it as a selector; with it: what has the word in its text or label, or matches
     * without being visible. The word may be in quotes.
     */
    const findByWord = ({ word, kind, isLoose }) => {
        const [, , inner] = /^(["'])(.+)\1$/.exec(word) ?? [];
        const said = inner ?? word;
        const exact = (way) => () => [...new Set([word, said])].map(way)
            .find(({ matches, rank }) => matches.length && rank === 0)?.matches ?? [];
        const loose = (way, isSeen) => () => {
            const { matches, rank } = inner ? { matches: [] } : way(word);
            return (rank < 2) === isSeen ? matches : [];
        };
        const css = (isIt) => () => (isMeantAsSelector(word) ? isIt(findBySelector(word)) : []);
        const fields = fieldsOfKind(kind);
        const pattern = patternOf(labelText(said));
        const ways = isLoose ? [
            () => (inner ? [] : fields.filter((field) => calledIn(field).some((one) => one && pattern.test(one)))),
            loose(findByText, true),
            loose(findByLabel, true),
            loose(findByText, false),
            css((all) => all),
        ] : [
            () => fields.filter((field) => calledIn(field).includes(labelText(said))),
            () => fields.filter((field) => idsOf(field).includes(said)),
            () => ([word, said].some(mayBeText) ? exact(findByText)() : []),
            exact(findByLabel),
            css((all) => shownOf(all)),
        ];
        for (const [rank, way] of ways.entries()) {
            const matches = way();
            if (matches.length) {
                return { matches, rank, way: way === ways.at(-1) ? ' as a selector' : '' };
            }
        }
        return { matches: [], rank: ways.length };
    };

    /* A lower rank means better matches: another frame may have better ones. */
    const find = ({ query, given }) => {
        const { word, selector, testId, text, role, node, field } = query;
        if (word) {
            return findByWord(query);
        }
        if (selector || testId) {
            const css = selector ||
                TEST_IDS.map((name) => `[${name}="${CSS.escape(testId)}"]`).join();
            return { matches: findBySelector(css), rank: 0 };
        }
        if (node) {
            return { matches: given, rank: 0 };
        }
        if (field) {
            return findByField(query, given[0]);
        }
        return text ? findByText(text) : role ? findByRole(given) : findByTargets(query);
    };

    const isNamed = ({ word, selector, testId, text, role, node, targets, field }) =>
        word || selector || testId || text || role || node || targets || field;

    const sayWanted = ({ word, selector, testId, text, role, name, node, targets, field }) => {
        if (word) {
            return JSON.stringify(word);
        }
        if (role) {
            return `role "${role}"` + (name ? ` with the name "${name}"` : '');
        }
        return node || (field ? `the field "${field}"` : selector ? `"${selector}"` : testId ? `test id "${testId}"`
            : text ? `text "${text}"` : targets ? `any of ${targets.map((one) => `"${one}"`).join(', ')}`
                : 'the page');
    };

    /* Translates selectors of other tools. */
    const meantBy = (css) => {
        const said = css.match(/(?:^\s*text\s*=|:(?:has-text|text|text-is|contains)\()\s*["']?([^"')]*)/i);
        if (said) {
            return `CSS does not look at text: give text "${said[1].trim()}" in place of selector, ` +
                'or role with name';
        }
        if (/^\s*(?:xpath\s*=|\(*\.{0,2}\/)/i.test(css)) {
            return 'XPath is not supported: give text, or role with name, in place of selector';
        }
        if (/^\s*role\s*=/i.test(css)) {
            return 'give role, and name, in place of selector';
        }
        if (css.includes('>>')) {
            return 'write a > b or a b: open shadow roots are looked through, and frame names a frame';
        }
        if (/:(?:visible|hidden)\b/i.test(css)) {
            return 'leave it out: an element is waited for until it shows; nth decides between several';
        }
        return /:(?:eq|nth-match|first|last|nth)\b/i.test(css)
            ? 'give nth beside the selector, counted from 0' : undefined;
    };

    /* A node requires a new snapshot; everything else may reappear by itself. */
    const goneCode = ({ node }) => (node ? 'STALE_NODE' : 'TARGET_NOT_FOUND');
    const failGone = ({ query }) => fail(goneCode(query), `${sayWanted(query)} was removed from the page`);

    const checkThere = (found) => found.element.isConnected || failGone(found);

    /*
     * Finds all matches. A page that asks for files often creates an input temporarily and never
     * inserts it into the document.
     */
    const findAll = (found, { invalidCode = 'INVALID_ACTION', mayBeApart } = {}) => {
        const { query: { selector, node }, given } = found;
        if (selector && !isSelector(selector)) {
            fail(invalidCode, `"${selector}" is no valid CSS selector`, meantBy(selector));
        }
        const isApart = mayBeApart && given[0] instanceof HTMLInputElement;
        if (node && !given[0]?.isConnected && !isApart) {
            failGone(found);
        }
        return find(found);
    };

    /*
     * Stores the chosen element in `found`; returns how it was chosen, if that has to be reported.
     */
    const findOne = (found, ways) => {
        const { query } = found;
        if (ways.mayBePage && !isNamed(query)) {
            found.element = mainScroller();
            return undefined;
        }
        const called = sayWanted(query);
        const { matches, chosen, way = '' } = findAll(found, ways);
        if (matches.length === 0) {
            fail('TARGET_NOT_FOUND', query.field ? `no field is called "${query.field}"` : `no element matches ${called}`);
        }
        if (query.nth < 0 && matches.length > 1) {
            const list = matches.slice(0, 5).map((one) => describe(one, query)).join(', ');
            fail('TARGET_AMBIGUOUS', `${matches.length} elements match ${called}${way}: ${list}`);
        }
        found.among = matches.length;
        found.element = chosen ? matches[0] : matches[Math.max(query.nth, 0)];
        if (!found.element) {
            fail('TARGET_NOT_FOUND',
                `only ${matches.length} elements match ${called}, there is no number ${query.nth}`);
        }
        return chosen;
    };

    /*
     * Returns the number of matches, descriptions of the first ones, whether one is visible, and
     * their rank.
     */
    const count = ({ query }, ...given) => answerOf(() => {
        const { matches, rank } = findAll({ query, given });
        return { count: matches.length, visible: matches.some(isVisible), rank,
            list: matches.slice(0, 5).map((one) => describe(one, query).toWellFormed()) };
    });
