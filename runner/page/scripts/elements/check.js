    /* Checkboxes, radio buttons and switches. */

    /*
     * Returns whether and what kind of control it is, and whether it is checked. It can be set to
     * `wanted` only if it is enabled. After it `isClicked` the change may take a while, and a page
     * that `isHeard` of it may undo it.
     */
    const checked = async (found, { wanted, isClicked, isHeard, isLoading }) => {
        const LATE_MS = 500; /* time limit for the page to show it */
        const name = take(found, controlFor(found.element));
        const { element } = found;
        const isOff = element.matches(':disabled') || element.closest('[aria-disabled="true"]');
        const role = element.getAttribute('role');
        const isInput = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
        if (!isInput && !/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role)) {
            fail('INVALID_ACTION', `${name} is no checkbox, radio button or switch`);
        }
        const isChecked = () =>
            (isInput ? element.checked : element.getAttribute('aria-checked') === 'true');
        if (!isClicked && isOff && isChecked() !== wanted) {
            fail('TARGET_DISABLED', `${name} is disabled`);
        }
        if (isClicked) {
            for (const end = performance.now() + LATE_MS; isChecked() !== wanted && performance.now() < end;) {
                await pause(20);
            }
            await (isHeard ? awaitUndoing(isLoading, UNDO_MS) : pause(0));
        }
        found.node = element;
        return {
            checked: isChecked(), isRadio: isInput ? element.type === 'radio' : /radio/.test(role), name,
        };
    };
