/* Converts values to texts. */

const wordsFor = (one) => typeof one === 'function' ? '[Function]' : /^(bi|sy)/.test(typeof one) ? String(one)
    : one instanceof Error ? { message: one.message, stack: one.stack }
        : one instanceof Element ? `[HTMLElement: ${one.tagName}]` : one instanceof Node ? `[${one.nodeName}]`
            : one instanceof RegExp ? String(one) : one instanceof Map ? Object.fromEntries(one)
                : one instanceof Set ? [...one] : one;
/* JSON of any value: marks circular references, and writes other types as the specification's appendix does,
 * or as words. `check` sees each value before. */
const jsonOf = (value, left = Infinity, check = undefined) => {
    const parents = [];
    return JSON.stringify(value, function (_, one) {
        parents.length = parents.indexOf(this) + 1;
        check?.(one);
        one = left-- < 0 ? '...' : parents.includes(one) ? '[Circular]' : one;
        parents.push(one);
        const shown = wordsFor(one);
        shown !== one && parents.push(shown);
        return shown;
    });
};
const messageOf = (error) => error instanceof Error ? String(error) : describe(error);
const describe = (value) => {
    try {
        const text = value !== value ? 'NaN' : jsonOf(value, 2000) ?? String(value);
        return text[0] === '"' ? JSON.parse(text) : text;
    } catch (error) {
        return String(error); /* thrown by its toJSON() */
    }
};
