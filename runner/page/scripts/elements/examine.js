    /* Describes an element for programs: attributes, state, text, styles and position. */

    const USUAL_STYLES = ['display', 'visibility', 'opacity', 'color', 'backgroundColor', 'fontSize', 'fontWeight',
        'position', 'zIndex', 'cursor'];
    const MAX_EXAMINED = 500;
    const MAX_OPTIONS = 1000;
    const MAX_LOOKS = 10;

    const rectOf = ownOf(Element, 'getBoundingClientRect');
    const parentElementOf = ownOf(Node, 'parentElement');
    const childCountOf = ownOf(Element, 'childElementCount');
    const innerTextOf = ownOf(HTMLElement, 'innerText');
    const textContentOf = ownOf(Node, 'textContent');
    const queryAllOf = ownOf(Element, 'querySelectorAll');

    const checkProperties = (properties) => {
        const style = getComputedStyle(document.documentElement);
        const unknown = properties.find((name) => !name.startsWith('--') && !(name in style));
        if (unknown) {
            fail('INVALID_ACTION', `"${unknown}" is no CSS property`,
                'write its name as in CSS or in JavaScript: background-color, backgroundColor, --accent');
        }
    };
    const stylesOf = (element, properties) => {
        const style = getComputedStyle(element);
        return Object.fromEntries(properties.map((name) =>
            [name, (name.startsWith('--') ? style.getPropertyValue(name) : style[name]).toWellFormed()]));
    };

    /* Returns whether it contains something private or kept from models. */
    const holdsHidden = (element, query) => [element, ...queryAllOf(element, '*')].some((inner) =>
        holdsPrivate(inner) || (inner !== element && isMarkedOff(inner, query)));
    const openText = (node, query) => {
        if (!(node instanceof Element)) {
            return node instanceof Text ? node.data : '';
        }
        return isMarkedOff(node, query) || node.matches('script, style, template, noscript') ? '' : holdsPrivate(node) ? (textContentOf(node) ? '***' : '')
            : [...childNodesOf(node)].map((inner) => openText(inner, query)).join('');
    };
    const textIn = (element, query) => holdsHidden(element, query) ? openText(element, query)
        : element instanceof HTMLElement ? innerTextOf(element) : textContentOf(element);

    const cutAt = (said, most) => (said.length > most
        ? `${said.slice(0, most).replace(/[\ud800-\udbff]$/, '')}\u2026 (${said.length} characters)` : said).toWellFormed();

    const attributesOf = (element, most) => Object.fromEntries(attributeNamesOf(element)
        .map((name) => [name.toWellFormed(), cutAt(shownAttribute(element, name), most)]));

    /* Returns the state that only controls have. */
    const controlStateOf = (element, query, most) => {
        if (!element.matches('input, textarea, select, button, option, fieldset, output, meter, progress')) {
            return element.isContentEditable ? { editable: true } : {};
        }
        const state = { disabled: element.matches(':disabled') };
        const isHidden = isPrivate(element);
        if (isHidden) {
            state.private = true;
        }
        const isBox = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
        for (const name of [...(isBox ? ['checked', 'indeterminate'] : ['readOnly']), 'selected', 'required', 'multiple']) {
            if (typeof element[name] === 'boolean') {
                state[name] = element[name];
            }
        }
        const isKept = (option) => isMarkedOff(option, query);
        const isKeptChoice = element instanceof HTMLSelectElement && [...element.selectedOptions].some(isKept);
        if (element.value !== undefined && element.localName !== 'fieldset' && !isKeptChoice) {
            state.value = isHidden && element.value ? '***' : cutAt(String(element.value), most);
        }
        if (element.willValidate && !element.validity.valid) {
            state.invalid = isHidden ? 'it is not valid' : element.validationMessage.toWellFormed();
        }
        if (element instanceof HTMLSelectElement && !isHidden) {
            const options = [...element.options].filter((option) => !isKept(option));
            state.options = options.slice(0, MAX_OPTIONS).map((option) => ({
                value: cutAt(option.value, 1000), text: cutAt(optionText(option), 1000),
                selected: option.selected, ...(isOff(option) && { disabled: true }),
            }));
            if (options.length > MAX_OPTIONS) {
                state.optionsLeftOut = options.length - MAX_OPTIONS;
            }
        }
        return state;
    };

    /* Returns whether other elements cover all parts of it that are in view. */
    const isCovered = (element) => {
        const hits = [...element.getClientRects()]
            .map(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))
            .filter(({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)
            .slice(0, MAX_LOOKS);
        return hits.length > 0 && !hits.some(({ x, y }) => isFor(element, deepestHit(element, x, y)));
    };
    const isClickable = (element, style) => style.pointerEvents !== 'none' &&
        !matchesOf(element, ':disabled') && !closestOf(element, '[inert], [aria-disabled="true"]') &&
        (isOperated(element) || takesText(element) || Boolean(closestOf(element, `${CONTROL}, [onclick]`))) &&
        !isCovered(element);

    const record = (element, query, { properties, most }) => {
        const { left, top, width, height } = rectOf(element);
        const classes = (attributeOf(element, 'class') ?? '').split(/[ \t\n\f\r]+/).filter(Boolean);
        const names = attributeNamesOf(element);
        const visible = isVisible(element);
        const style = getComputedStyle(element);
        return {
            tag: tagOf(element),
            ...(attributeOf(element, 'id') && { id: attributeOf(element, 'id').toWellFormed() }),
            ...(classes.length && { classes: classes.map((name) => name.toWellFormed()) }),
            attributes: attributesOf(element, most),
            ...(names.some((name) => name.startsWith('data-')) && { data: Object.fromEntries(names
                .filter((name) => name.startsWith('data-'))
                .map((name) => [name.slice(5).toWellFormed(), cutAt(attributeOf(element, name), most)])) }),
            text: cutAt(textIn(element, query), most),
            html: cutAt(writeMarkup(contentOf(element), query).text, most),
            visible,
            clickable: visible && isClickable(element, style),
            box: { x: left, y: top, width, height },
            styles: stylesOf(element, properties),
            ...(element instanceof HTMLFormElement ? {} : controlStateOf(element, query, most)),
            ...(parentElementOf(element) && { parent: tagOf(parentElementOf(element)) }),
            children: childCountOf(element),
        };
    };

    const wantedStyles = ({ properties = USUAL_STYLES }) => {
        checkProperties(properties);
        return properties;
    };

    /* Describes the target. */
    const examine = (found, options) => {
        take(found);
        found.node = found.element;
        return record(found.element, found.query, { properties: wantedStyles(options), most: 100000 });
    };

    /* Describes all matches in document order: { found, rank, leftOut, elements }. */
    const examineAll = ({ query, ...options }, ...given) => answerOf(() => {
        const properties = wantedStyles(options);
        const { matches, rank } = findAll({ query, given });
        const open = matches.filter((element) => !isLeftOut(element, query));
        return {
            found: open.length, rank, denied: matches.length - open.length,
            elements: open.slice(0, MAX_EXAMINED).map((element) => record(element, query, { properties, most: 10000 })),
        };
    });
