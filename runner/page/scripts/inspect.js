/*
 * Describes logged objects: their members as texts, three levels deep, 20 members per level. Runs
 * in the page's main world; getters are named, not called. For each object, returns the first level
 * as pairs of a prefix (null in a list) and a text; for an error only `more`, what it has in
 * addition to its own stack: its causes, the errors of an AggregateError, and other members.
 */
function (...objects) {
    const MAX_DEPTH = 3;
    const MAX_MEMBERS = 20;
    const MAX_TEXT = 200;
    const MAX_MEMBERS_TEXT = 1000; /* for all members of an error */
    const cut = (text) => text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + '\u2026' : text;
    const seen = [];
    const classOf = (value) => {
        const prototype = Object.getPrototypeOf(value);
        const own = prototype && Object.getOwnPropertyDescriptor(prototype, 'constructor');
        const name = own && typeof own.value === 'function' &&
            Object.getOwnPropertyDescriptor(own.value, 'name');
        return name && typeof name.value === 'string' ? cut(name.value) : '';
    };
    const nodeText = (node) => {
        const id = node.id ? '#' + node.id : '';
        const classes = node.classList && node.classList.length ? '.' + [...node.classList].join('.') : '';
        return cut(node.nodeType === 1 ? '<' + node.localName + id + classes + '>' : node.nodeName);
    };
    const plain = (value) => {
        if (typeof value === 'string') {
            return JSON.stringify(cut(value));
        }
        if (typeof value === 'bigint') {
            return value + 'n';
        }
        if (typeof value === 'function') {
            const name = Object.getOwnPropertyDescriptor(value, 'name');
            return 'function ' + (name && name.value || '()');
        }
        return Object.is(value, -0) ? '-0' : String(value);
    };
    const container = (value, depth) => {
        const isList = Array.isArray(value) || ArrayBuffer.isView(value);
        const members = membersOf(value, depth, isList);
        const name = classOf(value);
        const size = value instanceof Map || value instanceof Set ? '(' + value.size + ')' : '';
        const head = (name === 'Object' || name === 'Array' ? '' : name + size + ' ').trimStart();
        const texts = members.pairs.map(([key, text]) => key === null ? text : key + text);
        if (members.isCut) {
            texts.push('\u2026');
        }
        return head + (isList ? '[' : '{') + texts.join(', ') + (isList ? ']' : '}');
    };
    const show = (value, depth) => {
        if (typeof value !== 'object' || value === null) {
            return plain(value);
        }
        if (typeof Node === 'function' && value instanceof Node) {
            return nodeText(value);
        }
        if (value instanceof Error) {
            return errorText(value) + (seen.includes(value) || depth > MAX_DEPTH ? '' : moreInLine(value, depth));
        }
        if (value instanceof Date) {
            const time = Date.prototype.getTime.call(value);
            return Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString();
        }
        if (value instanceof RegExp) {
            return cut(RegExp.prototype.toString.call(value));
        }
        if (seen.includes(value)) {
            return '[circular]';
        }
        if (depth > MAX_DEPTH) {
            return Array.isArray(value) ? 'Array(' + value.length + ')' : classOf(value) || 'Object';
        }
        seen.push(value);
        const text = container(value, depth);
        seen.pop();
        return text;
    };
    const errorText = (error) => {
        const own = Object.getOwnPropertyDescriptor(error, 'message');
        return cut(classOf(error) + ': ' + (own && own.value || ''));
    };
    const OF_ERRORS = ['name', 'message', 'stack', 'cause', 'errors'];
    /* Returns what a program has added to an error, such as a status; '': nothing. */
    const membersText = (error, depth) => {
        const { pairs, isCut } = membersOf(error, depth, false, OF_ERRORS);
        const text = pairs.map(([key, value]) => key + value).join(', ') + (isCut ? ', \u2026' : '');
        const isLong = text.length > MAX_MEMBERS_TEXT;
        return text && '{' + (isLong ? text.slice(0, MAX_MEMBERS_TEXT) + '\u2026' : text) + '}';
    };
    /* Returns its cause and its errors, if these are own properties. */
    const heldBy = (error) => {
        const [cause, errors] = ['cause', 'errors'].map((name) => Object.getOwnPropertyDescriptor(error, name));
        return { cause: cause && 'value' in cause ? [cause.value] : [],
            errors: errors && Array.isArray(errors.value) ? errors.value : [] };
    };
    /* For an error inside another value. */
    const moreInLine = (error, depth) => {
        seen.push(error);
        const { cause, errors } = heldBy(error);
        const members = membersText(error, depth + 1);
        const texts = [...cause.map((one) => 'caused by ' + show(one, depth + 1)),
            ...errors.slice(0, MAX_MEMBERS).map((one, i) => 'errors[' + i + '] ' + show(one, depth + 1))];
        seen.pop();
        return (members && ' ' + members) + (texts.length ? ' (' + texts.join('; ') + ')' : '');
    };
    const membersOf = (value, depth, isList, without = []) => {
        const pairs = [];
        if (value instanceof Map || value instanceof Set) {
            const entries = value instanceof Map ? Map.prototype.entries : Set.prototype.entries;
            for (const [key, item] of entries.call(value)) {
                if (pairs.length === MAX_MEMBERS) {
                    return { pairs, isCut: true };
                }
                pairs.push(value instanceof Map
                    ? [show(key, depth + 1) + ' => ', show(item, depth + 1)]
                    : [null, show(item, depth + 1)]);
            }
            return { pairs, isCut: false };
        }
        if (isList) {
            let empty = 0;
            for (let i = 0; i < value.length && i < MAX_MEMBERS; i++) {
                const own = Object.getOwnPropertyDescriptor(value, i);
                if (own) {
                    pairs.push([null, 'value' in own ? show(own.value, depth + 1) : '(\u2026)']);
                    empty = 0;
                    continue;
                }
                empty++;
                pairs.splice(pairs.length - (empty > 1 ? 1 : 0), 1, [null, empty > 1 ? 'empty \u00d7 ' + empty : 'empty']);
            }
            return { pairs, isCut: value.length > MAX_MEMBERS };
        }
        for (const key of Reflect.ownKeys(value)) {
            const own = Object.getOwnPropertyDescriptor(value, key);
            if (!own || !own.enumerable || without.includes(key)) {
                continue;
            }
            if (pairs.length === MAX_MEMBERS) {
                return { pairs, isCut: true };
            }
            pairs.push([cut(String(key)) + ': ', 'value' in own ? show(own.value, depth + 1) : '(\u2026)']);
        }
        return { pairs, isCut: false };
    };
    const more = (error, indent, depth) => {
        const { cause, errors } = heldBy(error);
        const members = membersText(error, 1);
        const say = (head, value) => {
            const isError = value instanceof Error;
            const text = '\n' + indent + head + (isError ? errorText(value) : show(value, 1));
            if (!isError || seen.includes(value) || depth > MAX_DEPTH) {
                return text;
            }
            seen.push(value);
            return text + more(value, indent + '  ', depth + 1);
        };
        return (members && '\n' + indent + 'with ' + members) +
            cause.map((one) => say('caused by ', one)).join('') +
            errors.slice(0, MAX_MEMBERS).map((one, i) => say('errors[' + i + '] ', one)).join('') +
            (errors.length > MAX_MEMBERS ? '\n' + indent + '\u2026' : '');
    };
    return objects.map((object) => {
        if (object instanceof Error) {
            seen.length = 0;
            seen.push(object);
            return { more: more(object, '  ', 1) };
        }
        const isList = Array.isArray(object) || ArrayBuffer.isView(object);
        const hasSize = object instanceof Map || object instanceof Set;
        seen.length = 0;
        seen.push(object);
        return { name: classOf(object), isList, size: hasSize ? object.size : -1,
            ...membersOf(object, 1, isList) };
    });
}
