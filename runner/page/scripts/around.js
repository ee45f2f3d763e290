    /*
     * A field of a form shadows the form's property of the same name, in our world, too: nodes that
     * may be forms are read with the prototypes' getters.
     */
    const ownOf = ({ prototype }, name) => {
        const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
        return Function.prototype.call.bind(get ?? value);
    };
    const parentNodeOf = ownOf(Node, 'parentNode');
    const slotOf = ownOf(Element, 'assignedSlot');
    const childrenOf = ownOf(Element, 'children');
    const hasAttributeOf = ownOf(Element, 'hasAttribute');
    /*
     * Returns the node's parent in the rendered tree: its slot, its parent, or the host of its
     * shadow root.
     */
    const parentOf = (node) => (node instanceof Element ? slotOf(node) : node.assignedSlot) ||
        parentNodeOf(node) || (node instanceof ShadowRoot ? node.host : null);
    /* Returns whether data-no-ai on it or an ancestor keeps it from models. */
    const isKeptFromModels = (element) => {
        let node = element;
        while (node && !(node instanceof Element && hasAttributeOf(node, 'data-no-ai'))) {
            node = parentOf(node);
        }
        return Boolean(node);
    };
