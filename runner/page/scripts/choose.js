    /* Of locate.js: its modes 'select' and 'chosen'. */

    const collapsed = (said) => said.trim().replace(/\s+/g, ' ');
    const optionText = (option) => collapsed(option.label);

    const findOption = (options, one) => (choice.by === 'index' ? options[one]
        : choice.by === 'value' ? options.find((option) => option.value === one)
            : options.find((option) => optionText(option) === collapsed(one)));

    /* The list that an option is in. */
    const listOf = (element) => (element instanceof HTMLOptionElement ? element.closest('select') : null);

    /* The browser draws a closed list itself: nothing but a choice reaches what is in it. */
    const failUndrawn = (option, list, name) => {
        const way = node || `its list and the value ${JSON.stringify(option.value)}`;
        return fail('INVALID_ACTION', `${name} is in a closed list, ${describe(list)}, which the ` +
            'browser draws itself', `the action "select" with ${way} chooses it`);
    };

    /* Exactly one says which option: the element, or value, label or index of an option. */
    const checkChoice = (option, name) => {
        const hasChoice = Boolean(choice);
        if (option && hasChoice) {
            return fail('INVALID_ACTION', `${name} is an option itself`, node
                ? 'leave out value, label and index' : 'name its list instead');
        }
        return option || hasChoice ? null
            : fail('INVALID_ACTION', `${name} is no option`, 'give value, label or index of one');
    };

    /* The options that are meant, or why they cannot be chosen. */
    const findOptions = (element, name) => {
        const options = [...element.options];
        const found = choice.wanted.map((one) => findOption(options, one));
        const missing = choice.wanted.find((_, i) => !found[i]);
        if (missing !== undefined) {
            const list = options.slice(0, 10).map((one) => `"${optionText(one)}"`).join(', ');
            return fail('TARGET_NOT_FOUND',
                `${name} has no option ${JSON.stringify(missing)}; it has ${list}`);
        }
        return element.multiple || found.length === 1 ? { found }
            : fail('INVALID_ACTION', `${name} takes one option, not ${found.length}`);
    };

    /* As a user's choice would: the events come once, and only when something changes. */
    const select = (element, name, own) => {
        const { found, ...problem } = own ? { found: [own] } : findOptions(element, name);
        if (!found) {
            return problem;
        }
        const disabled = found.find((one) => one.disabled || one.closest('optgroup[disabled]'));
        if (disabled) {
            return fail('TARGET_DISABLED', `the option "${optionText(disabled)}" of ${name} is disabled`);
        }
        const changed = [...element.options].filter((one) => one.selected !== found.includes(one));
        globalThis.browserRunnerChosen = { found };
        element.focus();
        if (changed.length) {
            if (element.multiple) {
                changed.forEach((one) => { one.selected = found.includes(one); });
            } else {
                found[0].selected = true;
            }
            element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
            element.dispatchEvent(new Event('change', { bubbles: true }));
        }
        return { isChanged: changed.length > 0 };
    };

    const isSameList = (some, others) =>
        some.length === others.length && some.every((one) => others.includes(one));

    /* A page may draw its list anew: then its options are others of the same values. */
    const chosen = async (element, name) => {
        const { found } = globalThis.browserRunnerChosen;
        const values = found.map((one) => one.value);
        await pause(isHeard ? UNDO_MS : 0);
        const selected = [...element.selectedOptions];
        const isPrivateList = isPrivate(element);
        const isDone = isSameList(selected, found) ||
            isSameList(selected.map((one) => one.value), values);
        const said = (list) => isPrivateList ? 'the option'
            : list.map((one) => `"${optionText(one)}"`).join(', ') || 'nothing';
        if (!element.isConnected) {
            return fail(goneCode, `${name} was replaced by the page`);
        }
        if (!isDone) {
            return fail('UNKNOWN_ERROR',
                `the page undid the choice of ${said(found)}: ${name} has ${said(selected)}`);
        }
        const MAX_TOLD = 100;
        const cut = (text) => (text.length > 200 ? text.slice(0, 200) + '…' : text).toWellFormed();
        return {
            said: said(found).toWellFormed(),
            selected: selected.slice(0, MAX_TOLD).map((one) => ({
                index: one.index,
                ...(!isPrivateList && { value: cut(one.value), label: cut(optionText(one)) }),
            })),
        };
    };
