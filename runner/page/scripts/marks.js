/*
 * Finds states of elements that are not in attributes: the focused element, indeterminate
 * checkboxes, and fields that a user filled in wrongly. Returns these by kind and number, such as
 * `mixed-3`, and in `elements` the number of the frame's elements.
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
    marks.elements = elements;
    return marks;
}
