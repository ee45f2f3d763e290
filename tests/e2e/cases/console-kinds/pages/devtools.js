/* The texts of the messages in the console panel of DevTools, which stand in shadow trees. */
(() => {
    const texts = [];
    const childrenOf = (node) => (node.shadowRoot || (node.nodeName === 'SLOT' && node.assignedNodes().length
        ? { childNodes: node.assignedNodes() } : node)).childNodes;
    const textOf = (node) => node.nodeType === Node.TEXT_NODE ? node.data
        : node.nodeName === 'STYLE' ? '' : [...childrenOf(node)].map(textOf).join('');
    const search = (root) => {
        for (const element of root.querySelectorAll('*')) {
            if (element.classList.contains('console-message-text')) {
                texts.push(textOf(element).replaceAll('\u200b', '').replaceAll('\u00a0', ' ').trimEnd());
            }
            if (element.shadowRoot) {
                search(element.shadowRoot);
            }
        }
    };
    search(document);
    return texts;
})()
