/* Converts values to texts. */

/* JSON of any value: marks circular references, and writes other types as words. */
const jsonOf = (value, left = Infinity) => {
    const parents = [];
    return JSON.stringify(value, function (_, one) {
        parents.length = parents.indexOf(this) + 1;
        one = left-- < 0 ? '...' : parents.includes(one) ? '[Circular]'
            : /^(bi|sy|f)/.test(typeof one) ? String(one) : one instanceof Error ? one.stack
                : one instanceof Node ? `[${one.nodeName}]` : one;
        parents.push(one);
        return one;
    });
};
const describe = (value) => {
    try {
        const text = value instanceof Error ? String(value) : jsonOf(value, 2000) ?? String(value);
        return text[0] === '"' ? JSON.parse(text) : text;
    } catch (error) {
        return String(error); /* thrown by its toJSON() */
    }
};
