/*
 * Prepares the arguments of a console call for deep serialisation, followed by the number of
 * members omitted from each: a value that is too large becomes a copy of its beginning. Runs in the
 * page's main world, and calls no getters.
 */
function (...values) {
    const MAX_DEPTH = 10;
    const MAX_MEMBERS = 1000; // for an argument, and for its members
    const MAX_TEXT = 16000; // for all texts of an argument, and ...
    const MAX_ONE_TEXT = 10000; // ... for one text
    const GETTER = Symbol('getter'); // serialisation would call it
    /* Marks of an error and a getter in a copy: console_value.c converts them back. */
    const ERROR_MARK = '\u0001error ';
    const GETTER_MARK = '\u0001accessor ';
    let members = 0;
    let text = 0;
    const isWhole = (value) => typeof value !== 'object' || value === null || ArrayBuffer.isView(value) ||
        value instanceof ArrayBuffer || value instanceof Error || value instanceof Date ||
        value instanceof RegExp || value instanceof Promise || value instanceof WeakMap ||
        value instanceof WeakSet || (typeof Window === 'function' && value instanceof Window);
    const isNode = (value) => typeof Node === 'function' && value instanceof Node;
    const count = (string) => {
        text += string.length;
        return text <= MAX_TEXT && string.length <= MAX_ONE_TEXT;
    };
    const membersOf = (value) => {
        if (value instanceof Map) {
            return value.size > MAX_MEMBERS ? null : [...Map.prototype.entries.call(value)].flat();
        }
        if (value instanceof Set) {
            return value.size > MAX_MEMBERS ? null : [...Set.prototype.values.call(value)];
        }
        if (Array.isArray(value) && value.length > MAX_MEMBERS) {
            return null;
        }
        const keys = Reflect.ownKeys(value);
        return keys.length > MAX_MEMBERS || !keys.every((key) => count(String(key))) ? null
            : keys.map((key) => Object.getOwnPropertyDescriptor(value, key)).map(
                (own) => (own && own.get ? GETTER : own && own.value));
    };
    const fits = (value, depth) => {
        if (++members > MAX_MEMBERS || value === GETTER) {
            return false;
        }
        if (typeof value === 'string') {
            return count(value);
        }
        if (isNode(value)) {
            return value.nodeType !== 1 || [...value.attributes].every((one) => count(one.name + one.value));
        }
        if (isWhole(value)) {
            return !(depth > 0 && value instanceof Error);
        }
        const inside = depth < MAX_DEPTH ? membersOf(value) : [];
        return inside !== null && inside.every((one) => fits(one, depth + 1));
    };
    let leftOut = 0;
    let copies = new Map();
    const cut = (string) => {
        const room = Math.min(Math.max(MAX_TEXT - text, 0), MAX_ONE_TEXT);
        text += Math.min(string.length, room);
        return string.length > room ? `${string.slice(0, room)}\u2026 (${string.length} characters)` : string;
    };
    /* Adds the members of a container, one after the other, as long as there is room. */
    const fill = (size, add) => {
        let done = 0;
        while (done < size && members < MAX_MEMBERS) {
            add(done++);
        }
        leftOut += size - done;
    };
    const memberOf = (value, key) => {
        const own = Object.getOwnPropertyDescriptor(value, key);
        return own && own.get ? GETTER_MARK : own && own.value;
    };
    const textOf = (error) => {
        const own = Object.getOwnPropertyDescriptor(error, 'stack');
        const native = Object.getOwnPropertyDescriptor(new Error(), 'stack')?.get;
        const isNative = own && own.get && own.get === native && typeof Error.prepareStackTrace !== 'function';
        const stack = isNative ? own.get.call(error) : own?.value;
        const message = Object.getOwnPropertyDescriptor(error, 'message')?.value;
        return typeof stack === 'string' ? stack : typeof message === 'string' ? `Error: ${message}` : 'Error';
    };
    const copyOf = (value, depth) => {
        members++;
        if (typeof value === 'string') {
            return cut(value);
        }
        if (depth > 0 && value instanceof Error) {
            return `${ERROR_MARK}${cut(textOf(value))}`;
        }
        if (isWhole(value) || depth >= MAX_DEPTH) {
            return value;
        }
        if (isNode(value)) {
            return `<${value.nodeName.toLowerCase()}>`;
        }
        if (copies.has(value)) {
            return copies.get(value);
        }
        const copy = Array.isArray(value) ? [] : value instanceof Map ? new Map() : value instanceof Set ? new Set() : {};
        copies.set(value, copy);
        if (Array.isArray(value)) {
            fill(value.length, (i) => copy.push(copyOf(memberOf(value, i), depth + 1)));
        } else if (value instanceof Map) {
            const entries = Map.prototype.entries.call(value);
            fill(value.size, () => {
                const [key, content] = entries.next().value;
                copy.set(copyOf(key, depth + 1), copyOf(content, depth + 1));
            });
        } else if (value instanceof Set) {
            const entries = Set.prototype.values.call(value);
            fill(value.size, () => copy.add(copyOf(entries.next().value, depth + 1)));
        } else {
            const keys = Object.keys(value);
            fill(keys.length, (i) => Object.defineProperty(copy, cut(keys[i]), {
                value: copyOf(memberOf(value, keys[i]), depth + 1), enumerable: true,
            }));
        }
        return copy;
    };
    const shown = values.map((value) => {
        members = text = 0;
        if (fits(value, 0)) {
            return [value, 0];
        }
        members = text = leftOut = 0;
        copies = new Map();
        return [copyOf(value, 0), leftOut];
    });
    return [...shown.map(([value]) => value), shown.map(([, left]) => left)];
}
