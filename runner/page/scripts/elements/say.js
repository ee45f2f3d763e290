    /* Elements in words, and what the page lets models have of them. */

    const isLeftOut = (element, { ignoreNoAi }) => !ignoreNoAi && isKeptFromModels(element);

    const queryOf = ownOf(Element, 'querySelector');
    const holdsLeftOut = (element, { ignoreNoAi }) => !ignoreNoAi && Boolean(queryOf(element, '[data-no-ai]'));

    const describe = (element, query) => {
        const held = isPrivate(element) || isLeftOut(element, query) || holdsLeftOut(element, query) ? ''
            : element.innerText || element.value;
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
