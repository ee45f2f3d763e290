    /* Describes elements in words, without what the page keeps from models. */

    const isLeftOut = (element, { ignoreNoAi }) => !ignoreNoAi && isKeptFromModels(element);

    const queryOf = ownOf(Element, 'querySelector');
    const holdsLeftOut = (element, { ignoreNoAi }) => !ignoreNoAi && Boolean(queryOf(element, '[data-no-ai]'));

    /* Returns an element's visible text, without the parts that are kept from models. */
    const textBeside = (element, query) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const said = [];
        while (texts.nextNode()) {
            const parent = parentOf(texts.currentNode);
            if (parent instanceof Element && !isLeftOut(parent, query) && parent.checkVisibility()) {
                said.push(texts.currentNode.data);
            }
        }
        return said.join(' ');
    };

    /* Returns an element's text for messages: all texts that leave the page are made here. */
    const textOf = (element, query) => {
        if (isPrivate(element) || isLeftOut(element, query)) {
            return '';
        }
        if (!holdsLeftOut(element, query)) {
            return element.innerText || element.value;
        }
        return element instanceof HTMLSelectElement
            ? [...element.selectedOptions].map((option) => textOf(option, query)).join(' ')
            : textBeside(element, query);
    };

    const describe = (element, query) => {
        const held = textOf(element, query);
        const text = [...String(held || '').trim().replace(/\s+/g, ' ')];
        const said = text.slice(0, 40).join('') + (text.length > 40 ? '\u2026' : '');
        return brief(element) + (said ? ` "${said}"` : '');
    };

    const nameOf = ({ query, element }) => `${sayWanted(query)} ${describe(element, query)}`.trim();

    /*
     * Makes the element, or the one that represents it, the one to work on; returns its name. Not
     * used for mere checks, such as whether it exists.
     */
    const take = (found, element = found.element) => {
        const { query } = found;
        if (isLeftOut(found.element, query) || isLeftOut(element, query)) {
            fail('POLICY_DENIED', `${sayWanted(query)} is hidden from models by the page: data-no-ai`,
                'leave it to a person; for pages of your own, set ignoreNoAi');
        }
        found.element = element;
        return nameOf(found);
    };

    /* Actions on a label are meant for its control. */
    const controlFor = (match) => {
        const label = !match.matches('input, textarea, select, option') && match.closest('label');
        return (label && label.control) || match;
    };
