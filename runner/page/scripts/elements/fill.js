    /*
     * Finds fields by the names that people and programs use for them, and interprets values for
     * each.
     */

    const FIELDS = 'input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image]), select, ' +
        'textarea, [contenteditable]:not([contenteditable=false]), ' +
        ['textbox', 'searchbox', 'spinbutton', 'checkbox', 'radio', 'switch', 'combobox']
            .map((role) => `[role=${role}]`).join();
    const isBoxOf = (element, type) => (element instanceof HTMLInputElement ? element.type === type
        : element.getAttribute('role') === type || (type === 'checkbox' && element.getAttribute('role') === 'switch'));

    const formOf = (element) => (element instanceof HTMLFormElement ? element
        : element.form ?? closestOf(element, 'form'));
    const isWithin = (element, around) => {
        let node = element;
        while (node && node !== around) {
            node = parentOf(node);
        }
        return Boolean(node) || formOf(element) === around;
    };

    /* Returns the checkboxes or radio buttons of the same name. */
    const groupOf = (element) => {
        const type = ['radio', 'checkbox'].find((one) => isBoxOf(element, one));
        if (type && element instanceof HTMLInputElement && element.name) {
            return [...rootOf(element).querySelectorAll(`input[type=${type}]`)]
                .filter((one) => one.name === element.name && one.form === element.form);
        }
        const around = type === 'radio' && element.closest('[role=radiogroup]');
        return around ? [...around.querySelectorAll('[role=radio]')] : [element];
    };

    /* Removes signs that mark a required field or end a label. */
    const labelText = (said) => normalized(said).replace(/[\s*:\u2026]+$/, '');
    const referredTexts = (element) => (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
        .map((id) => rootOf(element).getElementById?.(id)).filter(Boolean).map(writtenIn).join(' ');
    const labelsOf = (element) => {
        const around = isBoxOf(element, 'radio') || isBoxOf(element, 'checkbox')
            ? element.closest('fieldset, [role=radiogroup], [role=group]') : null;
        return [...[...(element.labels ?? [])].map(writtenIn), element.getAttribute('aria-label') ?? '',
            referredTexts(element), element.title ?? '',
            ...(around ? [writtenIn(around.querySelector('legend') ?? document.createTextNode('')),
                around.getAttribute('aria-label') ?? '', referredTexts(around)] : [])]
            .map(labelText).filter(Boolean);
    };

    const FIELD_WAYS = [
        (field, name) => field.getAttribute('name') === name,
        (field, name) => field.getAttribute('id') === name,
        (field, name) => TEST_IDS.some((attribute) => field.getAttribute(attribute) === name),
        (field, name) => normalized(field.getAttribute('placeholder') ?? '').includes(normalized(name)),
        (field, name) => labelsOf(field).includes(labelText(name)),
        (field, name) => labelsOf(field).some((said) => said.includes(labelText(name))),
    ];

    /* A file input need not be visible: the browser opens the file window itself. */
    const canBeReached = (field) => isShown(shownFor(field), true) || field.type === 'file';

    /* Of fields in several forms, keeps those in the form with most of the other fields. */
    const inLikeliestForm = (matches, beside, fields) => {
        const forms = new Map(matches.map((field) => [formOf(field), 0]));
        if (forms.size > 1) {
            const isOne = (field, name) => FIELD_WAYS.some((isCalled) => isCalled(field, name));
            for (const form of forms.keys()) {
                const own = fields.filter((field) => formOf(field) === form && canBeReached(field));
                forms.set(form, beside.filter((name) => own.some((field) => isOne(field, name))).length);
            }
        }
        const most = Math.max(...forms.values());
        return matches.filter((field) => forms.get(formOf(field)) === most);
    };

    /*
     * Returns the fields of the first way of finding that gives a visible one; if none does, those
     * of the first way with any field.
     */
    const findByField = ({ field: name, beside = [] }, around) => {
        const fields = findBySelector(FIELDS).filter((field) => !around || isWithin(field, around));
        const byWays = FIELD_WAYS.map((isCalled) => fields.filter((field) => normalized(name) && isCalled(field, name)));
        const firstOfGroups = (matches) => matches.filter((field, i) =>
            matches.findIndex((other) => groupOf(field).includes(other)) === i);
        const seen = byWays.findIndex((matches) => matches.some(canBeReached));
        const rank = seen >= 0 ? seen : byWays.findIndex((matches) => matches.length);
        const matches = byWays[rank] ?? [];
        return {
            matches: inLikeliestForm(firstOfGroups(seen >= 0 ? matches.filter(canBeReached) : matches), beside, fields),
            rank: seen >= 0 ? rank : rank + FIELD_WAYS.length,
        };
    };

    const saidValue = (element, value) => (isPrivate(element) ? 'the value' : JSON.stringify(value));

    /* Returns whether the value names this box among those that share its name. */
    const isMember = (box, value) => (box.getAttribute('value') ?? box.getAttribute('data-value')) === value ||
        [...[...(box.labels ?? [])].map(writtenIn), box.getAttribute('aria-label') ?? '',
            box instanceof HTMLInputElement ? '' : writtenIn(box)].some((said) => labelText(said) === labelText(value));

    /* Returns true, false, or undefined for other values. */
    const truthOf = (value) => ({ true: true, on: true, false: false, off: false })[String(value).toLowerCase()];

    const memberNames = (group) => group.filter((box) => !isKeptFromModels(box)).slice(0, 10).map((box) =>
        JSON.stringify(box.getAttribute('value') ?? labelText(writtenIn(box)))).join(', ');

    const radioFor = (element, value, name) => {
        const group = groupOf(element);
        const chosen = typeof value === 'string' && group.find((one) => isMember(one, value));
        if (chosen) {
            return { element: chosen, checked: true };
        }
        if (truthOf(value) === true) {
            return { element, checked: true };
        }
        return truthOf(value) === false
            ? fail('INVALID_ACTION', `${name} is a radio button: it cannot be unchecked`, 'choose another one of its group')
            : fail('TARGET_NOT_FOUND', `${name} has no choice ${JSON.stringify(value)}; it has ${memberNames(group)}`);
    };

    /* Returns the box with this number among those of its name, and whether to check it. */
    const boxFor = (element, value, member, name) => {
        const group = groupOf(element);
        const wanted = Array.isArray(value) ? value : null;
        if (!wanted && truthOf(value) !== undefined && group.length === 1) {
            return { element, checked: truthOf(value) };
        }
        if (!wanted && typeof value !== 'string') {
            fail('INVALID_ACTION', `${name} is one of ${group.length} that share a name`,
                `give an array of those that are to be checked: ${memberNames(group)}`);
        }
        const named = wanted ?? [value];
        const missing = named.find((one) => !group.some((box) => isMember(box, one)));
        if (missing !== undefined) {
            fail('TARGET_NOT_FOUND', `${name} has no choice ${JSON.stringify(missing)}; it has ${memberNames(group)}`,
                'true checks it, false unchecks it');
        }
        const box = group[member];
        return { element: box, checked: named.some((one) => isMember(box, one)), members: group.length };
    };

    const optionsFor = (list, value) => {
        const wanted = (Array.isArray(value) ? value : [value]).map(String);
        const hasAll = wanted.every((one) => [...list.options].some((option) => option.value === one));
        return { by: hasAll ? 'value' : 'label', wanted };
    };

    const textFor = (element, value, name) => {
        const text = String(value);
        if (Array.isArray(value)) {
            fail('INVALID_ACTION', `${name} takes one text, and ${value.length} were given`);
        }
        if (/[\r\n]/.test(text) && !isMultiLine(element)) {
            fail('INVALID_ACTION', `${name} takes one line, and the value has several`, 'leave out the line breaks');
        }
        if (text.includes('\t')) {
            fail('INVALID_ACTION', `the value for ${name} has a tab, which leads to the next field`,
                'write spaces in its place');
        }
        if (element.type === 'number' && text !== '' && !Number.isFinite(Number(text))) {
            fail('INVALID_ACTION', `${saidValue(element, text)} is no number, and ${name} takes one`,
                'write it with a point and without signs for thousands: 1234.5');
        }
        if (isSetWhole(element) && text !== '') {
            const { error } = wholeValue(element, text);
            if (error) {
                fail('INVALID_ACTION', error.replace(/:.*/, ''), error.replace(/^.*?: /, ''));
            }
        }
        return { text };
    };

    const describeField = (element) => ({
        tag: tagOf(element),
        ...(typeof element.type === 'string' && { type: element.type }),
        ...(attributeOf(element, 'name') && { name: attributeOf(element, 'name').toWellFormed() }),
        ...(attributeOf(element, 'id') && { id: attributeOf(element, 'id').toWellFormed() }),
    });

    /*
     * Returns what to do so that the field gets the value: { kind: 'text', text }, { kind:
     * 'select', by, wanted } or { kind: 'check', checked }; for boxes that share a name, for the
     * one with number `member`.
     */
    const field = (found, { value, member }) => {
        const name = take(found, controlFor(found.element));
        let { element } = found;
        const { among } = found;
        let way;
        if (element instanceof HTMLInputElement && element.type === 'file') {
            fail('INVALID_ACTION', `${name} takes files`, 'the action upload gives it some');
        } else if (isBoxOf(element, 'radio') || isBoxOf(element, 'checkbox')) {
            way = { kind: 'check', ...(isBoxOf(element, 'radio') ? radioFor(element, value, name)
                : boxFor(element, value, member, name)) };
            element = way.element;
            way.element = undefined;
        } else if (element instanceof HTMLSelectElement) {
            way = { kind: 'select', ...optionsFor(element, value) };
        } else if (takesText(element)) {
            way = { kind: 'text', ...textFor(element, value, name) };
        } else {
            fail('INVALID_ACTION', `${name} takes no value`, 'click it, and then what it opens');
        }
        take(found, element);
        found.node = element;
        return { ...way, about: { ...describeField(element), ...(among > 1 && { among }) }, isPrivate: isPrivate(element), isInForm: Boolean(formOf(element)) };
    };

    /* Returns the field's present value, and whether it is the requested one. */
    const fieldValue = (found, { value }) => {
        const { element } = found;
        const asked = Array.isArray(value) ? value.map(String) : [String(value)];
        if (isBoxOf(element, 'radio') || isBoxOf(element, 'checkbox')) {
            const group = groupOf(element).filter((one) => one.checked ?? one.getAttribute('aria-checked') === 'true');
            const names = group.map((one) => one.getAttribute('value') ?? labelText(writtenIn(one)));
            return { value: truthOf(value) !== undefined
                ? element.checked ?? element.getAttribute('aria-checked') === 'true' : Array.isArray(value) ? names : names[0] };
        }
        if (element instanceof HTMLSelectElement) {
            const values = [...element.selectedOptions].map((one) => one.value);
            return { value: element.multiple ? values : values[0] ?? '' };
        }
        const held = heldBy(element);
        const isSame = element.isContentEditable ? readable(held) === readable(asked[0])
            : held.replace(/\r\n?/g, '\n') === asked[0].replace(/\r\n?/g, '\n') ||
                (element.type === 'number' && Number(held) === Number(asked[0])) ||
                (element.type === 'color' && held === asked[0].toLowerCase());
        return { value: held, isChanged: !isSame };
    };
    const fieldNow = (found, options) => {
        const { value, isChanged } = fieldValue(found, options);
        const most = 10000;
        const shown = typeof value === 'string' ? cutAt(value, most) : value;
        return { isChanged: Boolean(isChanged), ...(!isPrivate(found.element) && { value: shown }) };
    };

    /* Returns the form that contains the element. */
    const formAround = (found) => {
        const name = take(found);
        const form = formOf(found.element);
        if (!form) {
            fail('INVALID_ACTION', `${name} is in no form`, 'click what submits it');
        }
        found.element = found.node = form;
        return {};
    };

    /*
     * Watches from now on whether the form is submitted; selects its submit button, or else the
     * form itself.
     */
    const submitter = (found) => {
        const form = found.element;
        const watched = { isSubmitted: false, isPrevented: false };
        addEventListener('submit', (event) => {
            if (event.target === form) {
                watched.isSubmitted = true;
                queueMicrotask(() => { watched.isPrevented = event.defaultPrevented; });
            }
        }, true);
        found.watched = watched;
        const elements = [...ownOf(HTMLFormElement, 'elements')(form), ...form.querySelectorAll('input[type=image]')]
            .filter((one) => /^(submit|image)$/.test(one.type) && one.matches('button, input'));
        const button = elements.find((one) => isVisible(one) && !one.matches(':disabled')) ?? elements.find(isVisible);
        found.node = button ?? form;
        return { isButton: Boolean(button), name: describe(button ?? form, found.query) };
    };

    const requestSubmit = ({ element }) => {
        HTMLFormElement.prototype.requestSubmit.call(element);
        return {};
    };

    /* Returns whether it was submitted, and what prevents that. */
    const submitted = async ({ element, watched, query }) => {
        const invalid = [...element.querySelectorAll(':invalid')].find((one) => one.willValidate);
        const isHeld = !watched.isSubmitted && invalid && !element.noValidate;
        if (!isHeld) {
            await until(() => watched.isSubmitted);
        }
        return {
            isSubmitted: watched.isSubmitted, isPrevented: watched.isPrevented,
            ...(isHeld && { held: `${describe(invalid, query)}: ${invalid.validationMessage}`.toWellFormed() }),
        };
    };
