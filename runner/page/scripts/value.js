/*
 * Converts the result of an evaluation to JSON: {value}, or {refused} with what it is, and {cure}.
 * Nothing is lost silently: a value without a JSON form is refused, with its place. An object
 * without members of its own but with toJSON(), such as a Date, a URL or a DOMRect, becomes the
 * result of that.
 */
function (value) {
    'use strict';
    const some = 'return what you need of it';
    const cures = {
        Map: 'return [...value]', Set: 'return [...value]', Promise: 'wait for it with await',
        WeakMap: some, WeakSet: some, RegExp: 'return its source', Error: 'return its message',
    };
    const ancestors = new Set();
    class Refusal {
        constructor(path, what, cure) {
            this.refused = path ? `the value at ${path} is ${what}` : `the value is ${what}`;
            this.cure = cure;
        }
    }
    const articled = (name) => (/^[AEIOU]/.test(name) ? 'an ' : 'a ') + name;

    /* Hardly anything can be read from a cross-site window. */
    const isWindow = (object) => {
        try {
            return object.window === object;
        } catch {
            return true;
        }
    };

    const isNode = (object) => typeof object.nodeName === 'string' && object.nodeType > 0 &&
        !Object.hasOwn(object, 'nodeType') && 'ownerDocument' in object;

    const copyMembers = (object, path) => {
        if (ancestors.has(object)) {
            throw new Refusal(path, 'one that it stands in itself',
                'leave out the member that leads back to it');
        }
        ancestors.add(object);
        let copied;
        if (Array.isArray(object)) {
            copied = [];
            for (let i = 0; i < object.length; i++) {
                copied[i] = copy(object[i], `${path}[${i}]`);
            }
        } else {
            copied = Object.create(null);
            for (const key of Object.keys(object)) {
                copied[key] = copy(object[key], `${path}.${key}`);
            }
        }
        ancestors.delete(object);
        return copied;
    };

    const copyObject = (object, path) => {
        if (isWindow(object)) {
            throw new Refusal(path, 'a window', some);
        }
        if (isNode(object)) {
            const name = object.nodeName.toLowerCase();
            throw new Refusal(path, `a node, ${object.nodeType === 1 ? `<${name}>` : name}`,
                `${some}, such as its textContent, value or outerHTML`);
        }
        const tag = Object.prototype.toString.call(object).slice(8, -1);
        if (tag === 'Number' || tag === 'String' || tag === 'Boolean') {
            return copy(object.valueOf(), path);
        }
        if (Object.hasOwn(cures, tag)) {
            const said = tag === 'Error' ? ` (${object})` : '';
            throw new Refusal(path, articled(tag) + said, cures[tag]);
        }
        if (Array.isArray(object) || Object.keys(object).length > 0) {
            return copyMembers(object, path);
        }
        if (typeof object.toJSON === 'function') {
            const json = object.toJSON();
            if (json === null) {
                throw new Refusal(path, `${articled(tag)} without a value`, some);
            }
            return json === object ? {} : copy(json, path);
        }
        if (!['Object', 'Arguments', 'Storage', 'DOMStringMap'].includes(tag)) {
            throw new Refusal(path, articled(tag), some);
        }
        return {};
    };

    function copy(one, path) {
        switch (typeof one) {
        case 'number':
            if (!Number.isFinite(one)) {
                throw new Refusal(path, String(one), 'return String(value)');
            }
            return one === 0 ? 0 : one;
        case 'bigint':
            throw new Refusal(path, `the bigint ${one}n`, 'return String(value) or Number(value)');
        case 'symbol':
            throw new Refusal(path, 'a symbol', 'return String(value)');
        case 'function':
            throw new Refusal(path, 'a function',
                path ? 'call it, or leave it out as JSON.stringify() does' : 'call it: (...)()');
        case 'object':
            return one === null ? null : copyObject(one, path);
        default:
            return one;
        }
    }

    try {
        return { value: copy(value, '') };
    } catch (error) {
        if (error instanceof Refusal) {
            return { refused: error.refused.slice(0, 500), cure: error.cure };
        }
        throw error;
    }
}
