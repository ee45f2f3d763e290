    /* Elements in words, and what the page lets models have of them. */

    const isLeftOut = (element, { ignoreNoAi }) => !ignoreNoAi && isKeptFromModels(element);

    const queryOf = ownOf(Element, 'querySelector');
    const holdsLeftOut = (element, { ignoreNoAi }) => !ignoreNoAi && Boolean(queryOf(element, '[data-no-ai]'));

    /* What is seen of an element without the parts that the page keeps from models. */
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

    /* All that messages have of an element's text: every text of one that leaves the page is made here. */
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
     * Takes the element for the one that is worked on, or the one that stands for it; answers its name.
     * What is only looked at, such as whether it is there, is another's question.
     */
    const take = (found, element = found.element) => {
        const { query } = found;
        if (isLeftOut(found.element, query) || isLeftOut(element, query)) {
            fail('POLICY_DENIED', `${sayWanted(query)} is kept from models by the page: data-no-ai`,
                'leave it to a person; for pages of your own, set ignoreNoAi');
        }
        found.element = element;
        return nameOf(found);
    };

    /* What is done with a label is meant for its control. */
    const controlFor = (match) => {
        const label = !match.matches('input, textarea, select, option') && match.closest('label');
        return (label && label.control) || match;
    };
