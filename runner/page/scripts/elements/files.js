    /* File inputs, which are often hidden behind a button. */

    const fileFieldFor = (match) => {
        const control = controlFor(match);
        return control.type === 'file' ? control : match;
    };

    /* Returns whether it is a file input, whose files can be set; anything else `isArea`. */
    const files = (found) => {
        const name = take(found, fileFieldFor(found.element));
        const { element } = found;
        if (!element.matches('input, select')) {
            return { isArea: true };
        }
        if (element.type !== 'file') {
            fail('INVALID_ACTION', `${name} is no field for files`);
        }
        if (element.matches(':disabled')) {
            fail('TARGET_DISABLED', `${name} is disabled`);
        }
        found.node = element;
        element.addEventListener('change', () => { found.areFilesTaken = true; }, { once: true });
        return { isMultiple: element.multiple, isDirectory: element.webkitdirectory, name };
    };

    /* Returns whether the input has got the files; many pages take them out at once. */
    const filesTaken = async (nothing, { found }) => {
        for (let i = 0; !found.element.files.length && !found.areFilesTaken && i < 50; i++) {
            await pause(20);
        }
        return { count: found.element.files.length, isTaken: Boolean(found.areFilesTaken) };
    };
