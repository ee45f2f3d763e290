/*
 * What the page knows of its elements that is in no attribute: which one has the focus, which
 * checkboxes are neither on nor off, and which fields a user has filled in wrongly. Answers how many
 * elements the frame has and how many of these there are, and keeps them, by kind and number, for
 * whoever asks for the object.
 */
function () {
    const most = 2000;
    const marks = {};
    let count = 0;
    let elements = 0;
    const add = (kind, element) => {
        if (count < most) {
            marks[kind + '-' + count++] = element;
        }
    };

    let active = document.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) {
        active = active.shadowRoot.activeElement;
    }
    const isElsewhere = window !== parent && !document.hasFocus();
    if (active && active !== document.body && !isElsewhere && !/^i?frame$/.test(active.localName)) {
        add('focused', active);
    }

    const roots = [document];
    for (let i = 0; i < roots.length; i++) {
        for (const element of roots[i].querySelectorAll('*')) {
            elements++;
            if (element.shadowRoot) {
                roots.push(element.shadowRoot);
            }
        }
        for (const box of roots[i].querySelectorAll('input[type=checkbox]:indeterminate')) {
            add('mixed', box);
        }
        for (const field of roots[i].querySelectorAll(':user-invalid')) {
            add('invalid', field);
        }
    }
    globalThis.browserRunnerMarks = count ? marks : undefined;
    return { elements, count };
}
