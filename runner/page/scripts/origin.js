/*
 * Reads the local storage of an origin, or replaces it by `entries`. Returns { code, message } if
 * that fails.
 */
function ({ origin, entries }) {
    const fail = (code, message) => ({ code, message: message.toWellFormed() });
    if (location.origin !== origin) {
        return fail('UNKNOWN_ERROR', `it is not reached: it becomes ${location.origin}`);
    }
    if (!entries) {
        const names = Array.from(localStorage, (_, i) => localStorage.key(i));
        return {
            entries: names.map((name) => ({
                name: name.toWellFormed(), value: localStorage.getItem(name).toWellFormed(),
            })),
        };
    }
    localStorage.clear();
    for (const { name, value } of entries) {
        try {
            localStorage.setItem(name, value);
        } catch (error) {
            return fail('LIMIT_EXCEEDED', `it does not hold ${JSON.stringify(name)}: it is full`);
        }
    }
    return {};
}
