/* Reports mutations of the document, and changes of the tree of items. In the scope of a bridge. */

const MAX_MUTATIONS = 500, MAX_BATCH = 5000, MAX_NODES = 50, MAX_TEXT = 500;
const MAX_UPDATES = 20; /* with more changes, the whole tree is sent */
let batch = [], batchTimer, treeTimer, sent;

const sendBatch = () => {
    const batchId = makeId(), batchSize = batch.length;
    while (batch[0]) {
        tell({ type: 'dom_mutations', batchId, batchSize, mutations: batch.splice(0, MAX_MUTATIONS) });
    }
    batchTimer = 0;
};
const note = ({ type: mutationType, target, attributeName, addedNodes, removedNodes }) => {
    const element = target.closest ? target : target.parentElement ?? target.host ?? page;
    /* A removed node's former ancestors are unknown. */
    const isHidden = !target.isConnected || isSecret(element), added = [...addedNodes], removed = [...removedNodes];
    const shown = (text) => isHidden ? '' : cut(text ?? '', MAX_TEXT);
    const nodesOf = (nodes) => nodes.splice(0, MAX_NODES).map((node) => node.localName
        ? { type: 'element', tagName: node.localName, html: shown(stripped(node).outerHTML) }
        : { type: node.nodeType > 3 ? 'comment' : 'text', text: shown(node.data) });
    do {
        if (batch.length >= MAX_BATCH) {
            lost++;
            return;
        }
        batch.push({
            mutationType,
            targetSelector: pathOf(element),
            targetStableId: known.get(element)?.id ?? nameOf(element),
            attributeName: attributeName ?? undefined,
            addedNodes: added[0] && nodesOf(added),
            removedNodes: removed[0] && nodesOf(removed),
            textContent: mutationType[1] === 'h' && target.data !== undefined ? shown(target.data) : undefined,
        });
    } while (added[0] || removed[0]);
};
const treeSoon = () => treeTimer ||= setTimeout(updateTree, uiTreeThrottleMs);
const observer = new MutationObserver((records) => {
    if (enableDomMutations) {
        records.forEach(note);
        batchTimer ||= setTimeout(sendBatch, domMutationBatchMs);
    }
    treeSoon();
});
const observe = () => rootsIn(doc).forEach((root) =>
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true }));
const sendTree = (items = buildTree()) => {
    sent = new Map(items.map((item) => [item.stableId, item]));
    tell({ type: 'ui_tree', items });
};
const updateTree = () => {
    treeTimer = 0;
    observe();
    const items = buildTree(), before = sent, updates = [];
    sent = new Map(items.map((item) => [item.stableId, item]));
    for (const stableId of new Set([...sent.keys(), ...before.keys()])) {
        const item = sent.get(stableId), old = before.get(stableId), changes = {};
        const isSame = JSON.stringify(item) === JSON.stringify(old);
        for (const name in !isSame && item && { ...old, ...item }) {
            if (!/^(stableId|selector)$/.test(name) && JSON.stringify(item[name]) !== JSON.stringify(old?.[name])) {
                changes[name] = item[name] ?? null;
            }
        }
        if (!item || Object.keys(changes)[0]) {
            updates.push({
                type: 'ui_element_update', stableId, changes,
                changeType: !item ? 'removed' : old ? 'modified' : 'added',
            });
        }
    }
    if (enableUiTree && updates.length > (enableUiElementUpdates ? MAX_UPDATES : 0)) {
        sendTree(items);
    } else {
        enableUiElementUpdates && updates.forEach(tell);
    }
};
/* These events change items without a mutation. */
const onInput = (listens) => ['input', 'change'].forEach((name) => listens(name, treeSoon, true));
const startWatch = () => {
    observe();
    onInput(addEventListener);
    sent = new Map();
    enableUiTree ? sendTree() : treeSoon();
};
const stopWatch = () => {
    observer.disconnect();
    onInput(removeEventListener);
    clearTimeout(batchTimer);
    clearTimeout(treeTimer);
    batch = [];
    batchTimer = treeTimer = 0;
};
