/*
 * The arguments of a console call as they are to be serialised deeply: those that would be too much
 * are undefined in their place. It runs in the page's own world, and calls no getters.
 */
function (...values) {
    const MAX_DEPTH = 5;
    const MAX_MEMBERS = 1000;
    const MAX_TEXT = 16000;
    let members = 0;
    let text = 0;
    const count = (string) => {
        text += string.length;
        return text <= MAX_TEXT;
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
            : keys.map((key) => Object.getOwnPropertyDescriptor(value, key)).map((own) => own && own.value);
    };
    const fits = (value, depth) => {
        if (++members > MAX_MEMBERS) {
            return false;
        }
        if (typeof value === 'string') {
            return count(value);
        }
        if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) {
            return true;
        }
        if (typeof Node === 'function' && value instanceof Node) {
            return value.nodeType !== 1 || [...value.attributes].every((one) => count(one.name + one.value));
        }
        const inside = depth < MAX_DEPTH ? membersOf(value) : [];
        return inside !== null && inside.every((one) => fits(one, depth + 1));
    };
    return values.map((value) => {
        members = 0;
        text = 0;
        return fits(value, 0) ? value : undefined;
    });
}
