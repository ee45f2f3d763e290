/* Elements: what of them is never told, their roles, places and paths. */

const doc = document, page = doc.documentElement;
const inert = doc.implementation.createHTMLDocument(); /* loads and runs nothing */
const PRIVATE = '[data-private],[type=password],[autocomplete*=cc- i],[autocomplete*=password i],' +
    '[autocomplete*=one-time i]';
const HOLDERS = 'input,textarea,select,[data-private]';
const BUTTON = /^(button|submit|reset|image|file)$/, CHECK = /^(checkbox|radio)$/;
/* By type, then by name. */
const ROLES = {
    a: 'link', select: 'combobox', textarea: 'textbox', input: 'textbox', summary: 'button', submit: 'button',
    reset: 'button', button: 'button', image: 'button', file: 'button', range: 'slider', number: 'spinbutton',
    checkbox: 'checkbox', radio: 'radio',
};

const fail = (code, message, details) => {
    throw Object.assign(Error(message), { code, details });
};
const invalid = (message) => fail('INVALID_COMMAND', message);
const missing = (message, details) => fail('TARGET_NOT_FOUND', message, details);

const all = (within, selector) => [...within.querySelectorAll(selector)];
const attr = (element, name) => element.getAttribute(name) || undefined;
const boxOf = (element) => element.getBoundingClientRect();
/* No half of a pair of UTF-16 units at the end. */
const cut = (text, length) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

/* "Show password" makes a field of text of one that stays secret. */
const secrets = new WeakSet();
const isSecret = (element) => {
    const { host } = element.getRootNode();
    return secrets.has(element) ||
        !!(element.closest(PRIVATE) || host && isSecret(host)) && !!secrets.add(element);
};
const empty = (element) => {
    element.removeAttribute('value');
    element.textContent = '';
};
/* The element, or a copy without what is secret. */
const stripped = (element, isCopy) => {
    const holders = (of) => [of, ...all(of, HOLDERS)], found = holders(element).map(isSecret);
    if (isCopy || found.includes(true)) {
        element = inert.importNode(element, true);
        holders(element).forEach((one, i) => found[i] && empty(one));
    }
    return element;
};
const textOf = (element) => isSecret(element) ? '' : cut(words(stripped(element).textContent), 100);

const roleOf = (element) => attr(element, 'role')?.split(' ')[0] ??
    ROLES[element.type] ?? ROLES[element.localName] ?? element.localName;
const isVisible = (element) => {
    const { width, height } = boxOf(element);
    return width * height > 0 && element.checkVisibility({ visibilityProperty: true });
};
const isDisabled = (element) => element.matches(':disabled') ||
    !!element.closest('button:disabled,[aria-disabled=true],[inert]');

/* The document and the open shadow roots in it. */
const rootsIn = (root) => [root, ...all(root, '*').flatMap(
    ({ shadowRoot }) => shadowRoot ? rootsIn(shadowRoot) : [])];
const queryAll = (selector) => {
    try {
        return rootsIn(doc).flatMap((root) => all(root, selector));
    } catch {
        invalid('not a selector: ' + selector);
    }
};
const mustFind = (selector) => queryAll(selector)[0] ?? missing('no ' + selector);

/* Among its siblings of the same name. Counted once for all of them, and for this task alone. */
let places;
const placeOf = (element) => {
    const parent = element.parentNode;
    places ?? queueMicrotask(() => places = undefined);
    places ??= new Map();
    if (!places.has(parent)) {
        const counts = {}, found = new Map();
        for (const child of parent.children) {
            const { localName } = child;
            found.set(child, counts[localName] = (counts[localName] ?? -1) + 1);
        }
        places.set(parent, found);
    }
    return places.get(parent).get(element);
};
const pathOf = (element) => {
    const id = attr(element, 'id'), parent = element.parentElement;
    return id && element.getRootNode().getElementById?.(id) === element ? '#' + CSS.escape(id)
        : (parent && element !== doc.body ? pathOf(parent) + ' > ' : '') + CSS.escape(element.localName) +
            (element.matches(':only-of-type,:root') ? '' : `:nth-of-type(${placeOf(element) + 1})`);
};
