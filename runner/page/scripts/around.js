    /* A field that is called parentNode stands in for that of its form, in our world too. */
    const parentNodeOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
    /* What a node is drawn in: its slot, its parent, or the host of its shadow tree. */
    const parentOf = (node) => node.assignedSlot || parentNodeOf.call(node) || node.host;
    /* Whether the page keeps it from models, by itself or by what is around it. */
    const isKeptFromModels = (element) => {
        let node = element;
        while (node && !(node instanceof Element && node.hasAttribute('data-no-ai'))) {
            node = parentOf(node);
        }
        return Boolean(node);
    };
