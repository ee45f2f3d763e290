    /* A field stands in for a property of its form that it is called as, in our world too: what may be a
     * form is asked by these, which no field replaces. */
    const ownOf = ({ prototype }, name) => {
        const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
        return Function.prototype.call.bind(get ?? value);
    };
    const parentNodeOf = ownOf(Node, 'parentNode');
    const slotOf = ownOf(Element, 'assignedSlot');
    const childrenOf = ownOf(Element, 'children');
    const hasAttributeOf = ownOf(Element, 'hasAttribute');
    /* What a node is drawn in: its slot, its parent, or the host of its shadow tree. */
    const parentOf = (node) => (node instanceof Element ? slotOf(node) : node.assignedSlot) ||
        parentNodeOf(node) || (node instanceof ShadowRoot ? node.host : null);
    /* Whether the page keeps it from models, by itself or by what is around it. */
    const isKeptFromModels = (element) => {
        let node = element;
        while (node && !(node instanceof Element && hasAttributeOf(node, 'data-no-ai'))) {
            node = parentOf(node);
        }
        return Boolean(node);
    };
