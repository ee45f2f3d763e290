/* Returns whether the text is visible on the page, also in open shadow roots and in fields. */
function ({ text }) {
/* include private.js */
    const isReadIn = (root) => {
        const elements = root === document ? [document.body || document.documentElement]
            : [...root.children];
        const isWritten = elements.some((element) => element && element.checkVisibility() &&
            String(element.innerText ?? element.textContent).includes(text));
        return isWritten || [...root.querySelectorAll('input, textarea')].some((field) =>
            !isPrivate(field) && field.checkVisibility() && field.value.includes(text));
    };
    const roots = [document];
    for (let i = 0; i < roots.length; i++) {
        if (isReadIn(roots[i])) {
            return true;
        }
        for (const element of roots[i].querySelectorAll('*')) {
            if (element.shadowRoot) {
                roots.push(element.shadowRoot);
            }
        }
    }
    return false;
}
