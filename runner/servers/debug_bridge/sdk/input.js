/* Input by synthetic events, which are not trusted. */

let over; /* the element under the mouse */

const fire = (element, Type, type, init) => element.dispatchEvent(
    new Type(type, { bubbles: true, cancelable: true, composed: true, ...init }));
const chainOf = (element) => element ? [element,
    ...chainOf(element.assignedSlot ?? element.parentNode ?? element.host)] : [];
const deepest = (root, x, y) => {
    const element = root.elementFromPoint(x, y), inner = element?.shadowRoot;
    return inner && deepest(inner, x, y) || element;
};
const disabled = () => fail('TARGET_DISABLED', 'disabled or read-only');
const unseen = (message) => fail('TARGET_NOT_VISIBLE', message);
const mustBeVisible = (element) => isVisible(element) || unseen('not visible');

/* Whether `hit` is the element, something inside of it, or its label. */
const reach = (element, position) => {
    mustBeVisible(element);
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { x, y, width, height } = boxOf(element);
    const clientX = x + (position?.x ?? width / 2), clientY = y + (position?.y ?? height / 2);
    const hit = deepest(doc, clientX, clientY);
    return chainOf(hit).some((one) => one === element || one.control === element) ? { hit, clientX, clientY }
        : unseen(hit ? 'covered by ' + pathOf(hit) : 'out of view');
};
/* Whether the page has cancelled neither. */
const both = (element, type, init) =>
    fire(element, PointerEvent, 'pointer' + type, { pointerType: 'mouse', ...init }) &
    fire(element, MouseEvent, 'mouse' + type, init);
const moveTo = ({ hit, ...init }) => {
    if (over !== hit) {
        over && both(over, 'out', init);
        over = hit;
        both(hit, 'over', init);
        chainOf(hit).forEach((one) => both(one, 'enter', { ...init, bubbles: false }));
    }
    both(hit, 'move', init);
};
const click = (element, { button = 'left', clickCount = 1, modifiers = [], position }) => {
    const number = ['left', 'middle', 'right'].indexOf(button);
    if (number < 0 || !(clickCount > 0 && clickCount < 11) || modifiers.some((one) => !/^(alt|ctrl|meta|shift)$/.test(one))) {
        invalid('button, clickCount or modifiers');
    }
    isDisabled(element) && disabled();
    const { hit, ...place } = reach(element, position);
    modifiers.forEach((one) => place[one + 'Key'] = true);
    moveTo({ hit, ...place });
    for (let detail = 1; detail <= clickCount; detail++) {
        const init = { ...place, button: number, detail }, mouse = (type) => fire(hit, MouseEvent, type, init);
        if (both(hit, 'down', { ...init, buttons: [1, 4, 2][number] })) {
            const focusable = chainOf(hit).find((one) => one.tabIndex >= 0);
            focusable ? focusable.focus() : doc.activeElement?.blur();
        }
        both(hit, 'up', init);
        mouse(number ? 'auxclick' : 'click');
        number > 1 && mouse('contextmenu');
        detail === 2 && mouse('dblclick');
    }
};

/* Frameworks override `value` on the element; only the prototype's setter makes them see a change. */
const setValue = (element, value, data, inputType = 'insertText') => {
    if (fire(element, InputEvent, 'beforeinput', { data, inputType })) {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set.call(element, value);
        fire(element, InputEvent, 'input', { data, inputType });
    }
};
const press = (element, key, text) => {
    const init = {
        key, code: /^[a-z]$/i.test(key) ? 'Key' + key.toUpperCase() : key,
        keyCode: key === 'Enter' ? 13 : key.toUpperCase().charCodeAt(),
    };
    const isTaken = ['keydown', 'keypress'].every((type) => fire(element, KeyboardEvent, type, init));
    if (isTaken && text) {
        element.isContentEditable ? doc.execCommand('insertText', false, text)
            : element.value.length === element.maxLength || setValue(element, element.value + text, text);
    }
    fire(element, KeyboardEvent, 'keyup', init);
    return isTaken;
};
const typeText = async (element, text, { clear, delay, pressEnter }) => {
    const { type, localName, form, isContentEditable } = element, isLine = localName === 'input';
    const content = () => isContentEditable ? element.textContent : element.value;
    const isWhole = /^(number|range|date|time|month|week|color)/.test(type);
    const isField = (isLine || localName === 'textarea') && !BUTTON.test(type) && !CHECK.test(type);
    if (typeof text !== 'string' || !isContentEditable && !isField) {
        invalid('no text, or not for this element');
    }
    (isDisabled(element) || element.readOnly) && disabled();
    mustBeVisible(element);
    element.focus();
    if (isContentEditable) {
        getSelection().selectAllChildren(element);
        clear ? doc.execCommand('delete') : getSelection().collapseToEnd();
    } else if (clear) {
        setValue(element, '', null, 'deleteContentBackward');
    }
    const before = content();
    for (const one of isWhole ? '' : text) {
        press(element, one === '\n' ? 'Enter' : one, one);
        delay && await new Promise((resolve) => setTimeout(resolve, delay));
    }
    isWhole && setValue(element, text, text);
    if (text && text !== before && [before, ''].includes(content())) {
        fail('UNKNOWN_ERROR', 'the page did not take the text');
    }
    fire(element, Event, 'change');
    if (pressEnter && press(element, 'Enter', isLine ? '' : '\n') && isLine && form) {
        const button = [...form.elements].find((one) => /^(submit|image)$/.test(one.type));
        button ? button.click() : all(form, 'input')[1] || form.requestSubmit();
    }
};

const choose = (element, { value, label, index }) => {
    const options = [...element.options ?? invalid('no select')];
    const option = options.find((one, i) => value !== undefined ? one.value === value
        : label !== undefined ? words(one.label) === words(label) : i === index) ?? missing('no such option');
    (isDisabled(element) || option.matches(':disabled')) && disabled();
    element.focus();
    element.selectedIndex = option.index;
    fire(element, Event, 'input');
    fire(element, Event, 'change');
    return { value: option.value, label: option.label, index: option.index };
};
/* Scrolls at once even for smooth, since the result contains the position. */
const scroll = (element, { x, y, mode }) => {
    const scroller = element ?? doc.scrollingElement, isDelta = mode === 'delta';
    x ?? y ?? invalid('x or y is missing');
    scroller[isDelta ? 'scrollBy' : 'scrollTo']({ left: x, top: y, behavior: 'instant' });
    return { x: scroller.scrollLeft, y: scroller.scrollTop };
};
const focus = (element) => {
    element.focus();
    element.getRootNode().activeElement === element || invalid('the element cannot be focused');
};
