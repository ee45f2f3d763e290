/* Ids of elements, and items for those that can be operated. In the scope of a bridge. */

/* Elements with one of the other roles can have the focus, too. */
const INTERACTIVE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex],[onclick],' +
    '[contenteditable],[role=button],[role=link],[role^=menuitem],[role=tab],[role=option],[role=treeitem],' +
    '[role=switch],[role=radio],[role$=box]';
const known = new WeakMap(), holders = new Map();
let told;

/* The element with this id, if it is still in the page. */
const holderOf = (id) => {
    const element = holders.get(id)?.deref();
    return element?.isConnected && element;
};
/* The id that the page gives the element. */
const nameOf = (element) => {
    const own = attr(element, 'id');
    return getStableId?.(element) || attr(element, 'data-testid') || attr(element, 'data-debug-id') ||
        (/^(:|\u00ab|_r_)/.test(own) ? undefined : own);
};
/* The element's id: unique, and constant while the element is in the page. A path is not used again. */
const idOf = (element) => {
    const before = known.get(element), parent = element.parentElement, name = nameOf(element);
    if (before?.name === name && holderOf(before?.id) === element) {
        return before.id;
    }
    const text = !name && cut(textOf(element), 20);
    const base = name ?? (text ? `${roleOf(element)}-${text}`
        : `${parent ? idOf(parent) : ''}>${element.localName}[${placeOf(element)}]`);
    let id = text ? base + '-0' : base;
    for (let number = text ? 1 : 2; name || text ? holderOf(id) : holders.has(id); number++) {
        id = base + (text ? '-' : '~') + number;
    }
    known.set(element, { name, id });
    holders.set(id, new WeakRef(element));
    return id;
};

const labelOf = (element) => attr(element, 'aria-label') || element.labels?.[0] && textOf(element.labels[0]) ||
    attr(element, 'title') || attr(element, 'alt');
const shownOf = (element) => !/^(input|textarea|select)$/.test(element.localName) ? textOf(element)
    : BUTTON.test(element.type) && !isSecret(element) ? element.value : '';
const itemOf = (element, hasBounds) => {
    const { localName, type, value } = element, { x, y, width, height } = boxOf(element);
    const stated = (name) => ({ true: true, false: false })[attr(element, 'aria-' + name)];
    const meta = { tagName: localName };
    for (const name of ['type', 'name', 'href', 'placeholder', 'maxLength', 'pattern', 'required']) {
        if (element.hasAttribute(name)) {
            meta[name] = element[name];
        }
    }
    return {
        stableId: idOf(element),
        selector: pathOf(element),
        role: roleOf(element),
        text: shownOf(element) || undefined,
        label: labelOf(element),
        disabled: isDisabled(element),
        visible: isVisible(element),
        checked: CHECK.test(type) ? element.checked : stated('checked'),
        selected: stated('selected'),
        expanded: localName === 'summary' ? element.parentNode.open : stated('expanded'),
        value: value?.trim && !BUTTON.test(type) && !CHECK.test(type) && !isSecret(element)
            ? cut(value, 1000) : undefined,
        bounds: hasBounds ? { x, y, width, height } : undefined,
        meta,
    };
};
const buildTree = ({ includeHidden, includeBounds, filter: { roles, selector = '*' } = {} } = {}) => {
    for (const id of holders.keys()) {
        holderOf(id) || holders.delete(id);
    }
    const chosen = new Set(queryAll(selector));
    told = getUiTreeItems?.();
    return (told ?? queryAll(INTERACTIVE).filter((element) => chosen.has(element))
        .map((element) => itemOf(element, includeBounds)))
        .filter((item) => (includeHidden || item.visible !== false) && (roles?.includes(item.role) ?? true));
};

/* Prefers elements with exactly this text. */
const findText = (text, role) => {
    const fit = queryAll(role ? '*' : INTERACTIVE).filter((element) => isVisible(element) &&
        (!role || role === element.localName || role === roleOf(element)));
    const having = (holds) => fit.filter((element) =>
        [shownOf(element), labelOf(element), attr(element, 'placeholder')]
            .some((one) => holds(words(one).toLowerCase())));
    const wanted = words(text).toLowerCase(), exact = having((one) => one === wanted);
    const found = exact[0] ? exact : having((one) => one.includes(wanted));
    return found[1] ? missing('several have this text', found.slice(0, 9).map(idOf)) : found[0];
};
const find = (target) => {
    const { stableId, selector, text, role } = target ?? {}, quoted = CSS.escape(stableId);
    return stableId && (holderOf(stableId) ||
            queryAll(told?.find((item) => item.stableId === stableId)?.selector ??
                `[data-testid="${quoted}"],[data-debug-id="${quoted}"],#${quoted}`)[0]) ||
        selector && queryAll(selector)[0] || text && findText(text, role) ||
        (stableId || selector || text ? missing : invalid)('no element for ' + jsonOf(target));
};
