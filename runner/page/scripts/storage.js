/*
 * Reads, sets or clears the storage of the page's origin: `op` get, set or clear, `area` local or
 * session, for one `name` or for all. Returns { code, message } if there is none.
 */
function ({ op, area, name, value }) {
    const fail = (code, message) => ({ code, message: message.toWellFormed() });
    let store;
    try {
        store = area === 'session' ? sessionStorage : localStorage;
    } catch (error) {
        return fail('UNKNOWN_ERROR', `this page has no storage: ${error.message}`);
    }
    const missing = () => fail('UNKNOWN_ERROR', `the ${area} storage has no ${JSON.stringify(name)}`);
    if (op === 'set') {
        try {
            store.setItem(name, value);
        } catch (error) {
            return fail('LIMIT_EXCEEDED', `the ${area} storage is full`);
        }
        return {};
    }
    if (op === 'clear' && name === undefined) {
        store.clear();
        return {};
    }
    if (name !== undefined && store.getItem(name) === null) {
        return missing();
    }
    if (op === 'clear') {
        store.removeItem(name);
        return {};
    }
    if (name !== undefined) {
        return { value: store.getItem(name).toWellFormed() };
    }
    const all = Object.create(null);
    for (let i = 0; i < store.length; i++) {
        all[store.key(i).toWellFormed()] = store.getItem(store.key(i)).toWellFormed();
    }
    return { value: all };
}
