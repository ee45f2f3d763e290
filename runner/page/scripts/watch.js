/*
 * Reports a live page; a single function with several operations, by `op`: the changes of its DOM,
 * its state, its HTML. It stores changes, within limits, until they are requested. Reports no
 * value, text or part of private fields and of what data-no-ai marks.
 */
function ({ op, ...given }) {
/* include private.js */
/* include around.js */
    const MAX_RECORDS = 2000; /* that wait to be requested */
    const MAX_NODES = 2000;   /* described in one answer */
    const MAX_MARKUP = 500;
    const MAX_TEXT = 2000;
    const MAX_KEYS = 200;
    const SIGNS = ['input', 'change', 'scroll', 'resize', 'focusin', 'focusout', 'toggle', 'load', 'transitionend',
        'animationend', 'fullscreenchange'];
    const well = (text) => String(text).toWellFormed();
    const fail = (code, message) => ({ code, message: well(message) });

    /*
     * A field, an editor, or a custom element may hold a value. Others are not checked, which would
     * be expensive.
     */
    const mayBePrivate = (element) => element.matches('input, textarea, select, [contenteditable]') ||
        element.localName.includes('-');
    const isSecret = (element) => mayBePrivate(element) && isPrivate(element);
    const isInSecret = (element) => {
        const editor = element?.closest('[contenteditable], textarea, select');
        return Boolean(editor) && isPrivate(editor);
    };
    const isSecretAttribute = (name) => /^(value|selected|checked)$/.test(name);

    /* Returns the beginning of its HTML. */
    const markup = (top) => {
        let text = '';
        const escape = (data, what) => data.slice(0, MAX_MARKUP).replace(what, (one) => `&#${one.charCodeAt(0)};`);
        const add = (node, isRaw) => {
            if (text.length >= MAX_MARKUP) {
                return;
            }
            if (node instanceof Text) {
                text += isRaw ? node.data.slice(0, MAX_MARKUP) : escape(node.data, /[&<>]/g);
            } else if (node instanceof Comment) {
                text += `<!--${node.data.slice(0, MAX_MARKUP)}-->`;
            } else if (node instanceof Element) {
                addElement(node);
            }
        };
        const addElement = (element) => {
            const isKept = isSecret(element);
            text += `<${element.localName}`;
            for (const { name, value } of Element.prototype.getAttributeNames.call(element)
                .map((name) => ({ name, value: Element.prototype.getAttribute.call(element, name) }))) {
                if (!(isKept && isSecretAttribute(name)) && text.length < MAX_MARKUP) {
                    text += ` ${name}="${escape(value, /[&"]/g)}"`;
                }
            }
            text += '>';
            const isShown = !isKept && !hasAttributeOf(element, 'data-no-ai');
            for (let node = element.firstChild; isShown && node && text.length < MAX_MARKUP; node = node.nextSibling) {
                add(node, /^(script|style)$/.test(element.localName));
            }
            if (!/^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(element.localName)) {
                text += `</${element.localName}>`;
            }
        };
        add(top, false);
        return well(text.slice(0, MAX_MARKUP));
    };

    const isMade = (id) => /^(:|\u00ab.*\u00bb$|_r_.*_$)/.test(id);
    const stableIdOf = (element) => {
        const id = element.getAttribute('id');
        return element.getAttribute('data-testid') || element.getAttribute('data-debug-id') ||
            (id && !isMade(id) ? id : undefined);
    };
    /* Builds selectors as paths; positions among siblings are counted once per answer. */
    const makeSelectors = () => {
        const places = new Map();
        const placeOf = (element, parent) => {
            if (!places.has(parent)) {
                const counts = {};
                const all = new Map();
                for (const child of childrenOf(parent)) {
                    counts[child.localName] = (counts[child.localName] ?? 0) + 1;
                    all.set(child, counts[child.localName]);
                }
                places.set(parent, all);
            }
            return places.get(parent).get(element) ?? 1;
        };
        const known = new Map();
        const find = (element) => {
            const id = element.getAttribute('id');
            const parent = parentNodeOf(element);
            if (id && !isMade(id)) {
                return `#${CSS.escape(id)}`;
            }
            if (!(parent instanceof Element) || element === document.body) {
                return CSS.escape(element.localName);
            }
            return `${of(parent)} > ${CSS.escape(element.localName)}:nth-of-type(${placeOf(element, parent)})`;
        };
        const of = (element) => {
            if (!known.has(element)) {
                known.set(element, well(find(element)));
            }
            return known.get(element);
        };
        return of;
    };

    const begin = () => {
        const watched = { records: [], lost: 0, isTouched: true, number: Math.random(), state: '' };
        const touch = () => {
            watched.isTouched = true;
        };
        const keep = (records) => {
            watched.isTouched = true;
            if (watched.records.length + records.length > MAX_RECORDS) {
                watched.lost += watched.records.length + records.length;
                watched.records = [];
            } else {
                watched.records.push(...records);
            }
        };
        watched.observer = new MutationObserver(keep);
        watched.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        watched.flush = () => keep(watched.observer.takeRecords());
        SIGNS.forEach((sign) => addEventListener(sign, touch, { capture: true, passive: true }));
        watched.end = () => {
            watched.observer.disconnect();
            SIGNS.forEach((sign) => removeEventListener(sign, touch, { capture: true }));
        };
        return watched;
    };
    const watch = () => globalThis.browserRunnerChanges ??= begin();

    /* Reports the records with present values, so that repeated changes add nothing. */
    const tellAll = (records) => {
        const selectorOf = makeSelectors();
        const left = { nodes: MAX_NODES };
        const hidden = new Map();
        const isHidden = (element) => {
            if (!hidden.has(element)) {
                hidden.set(element, isKeptFromModels(element));
            }
            return hidden.get(element);
        };
        const told = new Map();
        const isTold = (target, name) => {
            const names = told.get(target) ?? new Set();
            told.set(target, names);
            return names.size === names.add(name).size;
        };
        const tellNode = (node, isKept) => {
            left.nodes--;
            if (!(node instanceof Element)) {
                const type = node instanceof Comment ? 'comment' : 'text';
                return isKept ? { type } : { type, text: well((node.data ?? '').slice(0, MAX_MARKUP)) };
            }
            const tagName = node.localName;
            return isKept ? { type: 'element', tagName } : { type: 'element', tagName, html: markup(node) };
        };
        const tell = ({ type, target, attributeName, addedNodes, removedNodes }) => {
            const element = target instanceof Element ? target : target.parentElement;
            const mutation = { mutationType: type, targetSelector: element ? selectorOf(element) : '' };
            const stableId = element && stableIdOf(element);
            if (stableId) {
                mutation.targetStableId = well(stableId);
            }
            if (type === 'attributes') {
                mutation.attributeName = attributeName;
                const value = element.getAttribute(attributeName);
                if (!(isSecretAttribute(attributeName) && isSecret(element))) {
                    mutation.attributeValue = value === null ? null : well(value.slice(0, MAX_TEXT));
                }
                return mutation;
            }
            const isKept = isInSecret(element);
            if (type === 'characterData') {
                mutation.textContent = isKept ? null : well(target.data.slice(0, MAX_TEXT));
                return mutation;
            }
            mutation.addedNodes = [...addedNodes].map((node) => tellNode(node, isKept));
            mutation.removedNodes = [...removedNodes].map((node) => tellNode(node, isKept));
            return mutation;
        };
        const mutations = [];
        let i = 0;
        for (; i < records.length && left.nodes > 0; i++) {
            const { type, target, attributeName } = records[i];
            const isKnown = type !== 'childList' && isTold(target, attributeName ?? '');
            if (!isKnown && !isHidden(target)) {
                mutations.push(tell(records[i]));
            }
        }
        return { mutations, untold: records.length - i };
    };

    const keysOf = (read) => {
        try {
            const store = read();
            return Array.from({ length: Math.min(store.length, MAX_KEYS) }, (_, i) => well(store.key(i)));
        } catch (error) {
            return []; /* an opaque origin has none */
        }
    };
    const stateOf = () => ({
        location: { href: well(location.href), origin: location.origin, pathname: well(location.pathname),
            search: well(location.search), hash: well(location.hash), title: well(document.title).slice(0, MAX_TEXT) },
        viewport: { width: innerWidth, height: innerHeight, devicePixelRatio,
            scrollX: Math.round(scrollX), scrollY: Math.round(scrollY) },
        storage: { local: keysOf(() => localStorage), session: keysOf(() => sessionStorage) },
    });

    const take = ({ wantsState, wantsAll, wantsMutations }) => {
        const watched = watch();
        watched.flush();
        const { records, lost } = watched;
        Object.assign(watched, { records: [], lost: 0 });
        const answer = { number: watched.number, isReady: document.readyState === 'complete' };
        if (watched.isTouched) {
            answer.isTouched = true;
            watched.isTouched = false;
        }
        if (wantsMutations && records.length) {
            const { mutations, untold } = tellAll(records);
            answer.mutations = mutations;
            answer.lost = lost + untold;
        } else if (wantsMutations && lost) {
            answer.lost = lost;
        }
        const state = wantsState ? stateOf() : null;
        const text = state && JSON.stringify(state);
        if (state && (wantsAll || text !== watched.state)) {
            watched.state = text;
            answer.state = state;
        }
        return answer;
    };

    const end = () => {
        globalThis.browserRunnerChanges?.end();
        delete globalThis.browserRunnerChanges;
        return {};
    };

    const hello = () => ({ url: well(location.href), title: well(document.title).slice(0, MAX_TEXT),
        host: location.host, userAgent: navigator.userAgent, width: innerWidth, height: innerHeight,
        devicePixelRatio });

    /*
     * Returns the HTML of an element, or of the document, without what private fields and
     * data-no-ai contain; `sanitize` also drops scripts and style sheets.
     */
    const html = ({ selector, sanitize, max }) => {
        let root = document.documentElement;
        try {
            root = selector === undefined ? root : document.querySelector(selector);
        } catch (error) {
            return fail('INVALID_ACTION', `${selector} is no CSS selector`);
        }
        if (!root) {
            return selector === undefined ? { html: '', length: 0 }
                : fail('TARGET_NOT_FOUND', `nothing matches ${selector}`);
        }
        if (isKeptFromModels(root)) {
            return fail('POLICY_DENIED', 'the page hides it from models by data-no-ai');
        }
        const all = (top) => [top, ...top.querySelectorAll('*')];
        const isDropped = (element) => sanitize &&
            element.matches('script, style, link[rel~=stylesheet i], link[as=script i]');
        const isBare = (element) => hasAttributeOf(element, 'data-no-ai') || isSecret(element);
        const live = all(root);
        let text;
        if (!sanitize && !live.some(isBare)) {
            text = root.outerHTML;
        } else {
            /* A document without a window: nothing in the copy is run or loaded. */
            const copy = document.implementation.createHTMLDocument('').importNode(root, true);
            const copies = all(copy);
            live.forEach((element, i) => {
                if (isDropped(element)) {
                    copies[i].remove();
                } else if (isBare(element)) {
                    copies[i].replaceChildren();
                    copies[i].getAttributeNames().filter(isSecretAttribute)
                        .forEach((name) => copies[i].removeAttribute(name));
                }
                if (sanitize) {
                    copies[i].getAttributeNames().filter((name) => /^(on|style$)/i.test(name))
                        .forEach((name) => copies[i].removeAttribute(name));
                }
            });
            text = copy.outerHTML;
        }
        return text.length > max ? { length: text.length } : { html: well(text), length: text.length };
    };

    /* The browser's error page has no URL of its own: `base` is the one that was not reached. */
    const resolve = ({ url, base }) => {
        try {
            const isErrorPage = location.protocol === 'chrome-error:';
            return { url: well(new URL(url, isErrorPage ? base : document.baseURI).href) };
        } catch (error) {
            return fail('INVALID_ACTION', `${url} is no URL`);
        }
    };

    const allRoots = () => {
        const roots = [document];
        for (let i = 0; i < roots.length; i++) {
            for (const element of roots[i].querySelectorAll('*')) {
                if (element.shadowRoot) {
                    roots.push(element.shadowRoot);
                }
            }
        }
        return roots;
    };
    /* Returns the first selector that an element matches, even a hidden one. */
    const first = ({ selectors }) => {
        const roots = allRoots();
        return { selector: selectors.find((selector) => roots.some((root) => root.querySelector(selector))) ?? null };
    };
    /*
     * Returns which of these elements match, found as actions find them; shared ancestors are
     * computed once.
     */
    const matching = ({ selectors, filter }) => {
        const roots = allRoots();
        const known = new Map();
        const find = (selector) => {
            if (!known.has(selector)) {
                const cut = /["'\\]/.test(selector) ? -1 : selector.lastIndexOf(' > ');
                const around = cut > 0 ? find(selector.slice(0, cut)) : null;
                known.set(selector, around ? around.querySelector(`:scope${selector.slice(cut)}`)
                    : roots.map((root) => root.querySelector(selector)).find(Boolean));
            }
            return known.get(selector);
        };
        try {
            document.querySelector(filter);
        } catch (error) {
            return fail('INVALID_ACTION', `${filter} is no CSS selector`);
        }
        return { matches: selectors.map((selector) => Boolean(selector && find(selector)?.matches(filter))) };
    };

    return { take, end, hello, html, resolve, first, matching, state: stateOf }[op](given);
}
