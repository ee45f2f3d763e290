/* Elements: which parts stay private, their roles, positions and paths. */

const doc = document, page = doc.documentElement;
const inert = doc.implementation.createHTMLDocument(); /* elements in it load and run nothing */
const PRIVATE = '[data-private],[type=password],[autocomplete*=cc- i],[autocomplete*=password i],' +
    '[autocomplete*=one-time i]';
const HOLDERS = 'input,textarea,select,[data-private]';
const BUTTON = /^(button|submit|reset|image|file)$/, CHECK = /^(checkbox|radio)$/;
/* Roles by type, then by tag name. */
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
/* Does not end with half of a surrogate pair. */
const cut = (text, length) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

/* Remembered: "show password" changes the type to text, but the value stays secret. */
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
/* The element itself, or a copy without secrets. */
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

/* The document and its open shadow roots. */
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

/* The index among siblings with the same tag. Computed once for all siblings; valid during this task. */
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
