/* Whether the text can be read on the page, also inside open shadow roots and in fields. */
function ({ text }) {
    if (document.body && document.body.innerText.includes(text)) {
        return true;
    }
    const roots = [document];
    for (let i = 0; i < roots.length; i++) {
        for (const element of roots[i].querySelectorAll('*')) {
            if (element.shadowRoot) {
                roots.push(element.shadowRoot);
                const isThere = [...element.shadowRoot.children].some(
                    (child) => child.checkVisibility() && (child.innerText || '').includes(text));
                if (isThere) {
                    return true;
                }
            }
        }
    }
    return false;
}
