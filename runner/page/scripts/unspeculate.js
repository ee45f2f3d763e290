/*
 * Removes speculation rules, by which a page makes Chrome request others in advance: those requests
 * are never paused. An observer sees them before Chrome does. Runs in our world, where the page
 * cannot change the functions called here.
 */
function () {
    const isRules = node =>
        node.localName === 'script' && /^speculationrules$/i.test(node.getAttribute('type') || '');
    const take = node => {
        const below = node.querySelectorAll ? node.querySelectorAll('script') : [];
        [node, ...below].filter(isRules).forEach(script => script.remove());
    };
    new MutationObserver(records => {
        records.forEach(record => record.addedNodes.forEach(take));
    }).observe(document, { childList: true, subtree: true });
}
