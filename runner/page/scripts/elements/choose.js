    /* Lists, and the selection in them. */

    const collapsed = (said) => said.trim().replace(/\s+/g, ' ');
    const optionText = (option) => collapsed(option.label);

    const isOff = (option) => option.disabled || Boolean(option.closest('optgroup[disabled]'));
    /* The browser omits it from the list that it draws. */
    const isUnlisted = (option) => [option, option.closest('optgroup')].some((part) =>
        part && getComputedStyle(part).display === 'none');

    /* Among options of the same name, prefers one that a person could choose. */
    const findOption = (options, by, one) => {
        if (by === 'index') {
            return options[one];
        }
        const isCalled = { value: (option) => option.value === one, label: (option) => optionText(option) === collapsed(one) };
        const ways = by === 'option' ? [isCalled.label, isCalled.value] : [isCalled[by]];
        const found = ways.map((way) => options.filter(way)).find((some) => some.length) ?? [];
        return found.find((option) => !isOff(option) && !isUnlisted(option)) ?? found[0];
    };

    /* Returns the list of an option. */
    const listOf = (element) => (element instanceof HTMLOptionElement ? element.closest('select') : null);

    /* The browser draws a closed list itself: input cannot reach its options, only select() can. */
    const checkDrawn = ({ element, query }, name) => {
        const list = listOf(element);
        if (list && !isVisible(element) && isVisible(list)) {
            const way = query.node || `its list and the value ${JSON.stringify(element.value)}`;
            fail('INVALID_ACTION', `${name} is in a closed list, ${describe(list, query)}, which the ` +
                'browser draws itself', `the action "select" with ${way} chooses it`);
        }
    };

    /*
     * Checks that exactly one of these names the option: the element, or its value, label or index.
     */
    const checkChoice = (option, choice, name, { node }) => {
        if (option && choice) {
            fail('INVALID_ACTION', `${name} is an option itself`, node
                ? 'leave out value, label and index' : 'name its list instead');
        }
        if (!option && !choice) {
            fail('INVALID_ACTION', `${name} is no option`, 'give value, label or index of one');
        }
    };

    /* Returns the wanted options, if they can be chosen. */
    const findOptions = (list, { by, wanted }, name, query) => {
        const options = [...list.options];
        const found = wanted.map((one) => findOption(options, by, one));
        const missing = wanted.find((_, i) => !found[i]);
        if (found.some((option) => option && isLeftOut(option, query))) {
            fail('POLICY_DENIED', `that option of ${name} is hidden from models by the page: data-no-ai`,
                'leave it to a person; for pages of your own, set ignoreNoAi');
        }
        if (missing !== undefined) {
            const said = options.filter((one) => !isLeftOut(one, query)).slice(0, 10).map((one) => `"${optionText(one)}"`).join(', ');
            fail('TARGET_NOT_FOUND', isPrivate(list) ? `${name} has no such option`
                : `${name} has no option ${JSON.stringify(missing)}; it has ${said}`);
        }
        if (!list.multiple && found.length !== 1) {
            fail('INVALID_ACTION', `${name} takes one option, not ${found.length}`);
        }
        return found;
    };

    /* Chooses like a user: fires the events once, and only if something changes. */
    const choose = (list, wanted, name) => {
        const refused = wanted.find((one) => isOff(one) || (isUnlisted(one) && !one.selected));
        if (refused) {
            fail(isOff(refused) ? 'TARGET_DISABLED' : 'TARGET_NOT_VISIBLE',
                `the option "${optionText(refused)}" of ${name} is ${isOff(refused) ? 'disabled' : 'hidden'}`);
        }
        const changed = [...list.options].filter((one) => one.selected !== wanted.includes(one));
        list.focus();
        if (changed.length) {
            if (list.multiple) {
                changed.forEach((one) => { one.selected = wanted.includes(one); });
            } else {
                wanted[0].selected = true;
            }
            list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
            list.dispatchEvent(new Event('change', { bubbles: true }));
        }
        return { isChanged: changed.length > 0 };
    };

    /*
     * Chooses the options named by `choice`, { by: 'value', 'label', 'option' or 'index', wanted: [] }, or
     * the element itself, if it is an option. Treats frames as focus() does.
     */
    const select = async (found, options) => {
        const { choice, isReached } = options;
        const name = take(found, controlFor(found.element));
        const { element, query } = found;
        const own = listOf(element);
        const list = own ?? element;
        checkShown(list, name);
        checkEnabled(list, name);
        if (!(list instanceof HTMLSelectElement)) {
            fail('INVALID_ACTION', `${name} is no <select>`);
        }
        checkChoice(own && element, choice, name, query);
        found.element = list;
        await settle(found, list, name, options);
        const point = findReach(found, list, name);
        if (window !== top && !isReached) {
            found.element = element;
            return point;
        }
        found.options = own ? [element] : findOptions(list, choice, name, query);
        return choose(list, found.options, name);
    };

    const isSameList = (some, others) =>
        some.length === others.length && some.every((one) => others.includes(one));

    /*
     * Returns the selection, after a page that `isHeard` of it has had time to undo it. The page
     * may render the list again: its options are then compared by value.
     */
    const chosen = async (found, { isHeard, isLoading }) => {
        const name = take(found);
        const { element, options, query } = found;
        const values = options.map((one) => one.value);
        await (isHeard ? awaitUndoing(isLoading, UNDO_MS) : pause(0));
        const selected = [...element.selectedOptions];
        const isPrivateList = isPrivate(element);
        const isDone = isSameList(selected, options) ||
            isSameList(selected.map((one) => one.value), values);
        const isTold = (one) => !isPrivateList && !isLeftOut(one, query);
        const said = (list) => isPrivateList ? 'the option'
            : list.map((one) => (isTold(one) ? `"${optionText(one)}"` : 'another option')).join(', ') || 'nothing';
        if (!element.isConnected) {
            fail(goneCode(query), `${name} was replaced by the page`);
        }
        if (!isDone) {
            fail('UNKNOWN_ERROR',
                `the page undid the choice of ${said(options)}: ${name} has ${said(selected)}`);
        }
        const MAX_TOLD = 100;
        const cut = (text) => (text.length > 200 ? text.slice(0, 200) + '\u2026' : text).toWellFormed();
        return {
            said: said(options).toWellFormed(),
            selected: selected.slice(0, MAX_TOLD).map((one) => ({
                index: one.index,
                ...(isTold(one) && { value: cut(one.value), label: cut(optionText(one)) }),
            })),
        };
    };
