/*
 * What the page is called, how it loaded, in milliseconds since the start of its navigation, and
 * what it stores. What did not happen yet is left out, and so is a storage that has not changed
 * since it was last told.
 */
function (options) {
    /* As runner/base/cut.h has it: a long text says at its end how long it is. */
    const cut = (text, max) => text.length <= max + 48
        ? text
        : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}\u2026 (${text.length} characters)`;
    const result = {
        url: cut(location.href, options.maxUrl),
        title: cut(document.title, options.maxTitle).toWellFormed(),
    };
    const navigation = performance.getEntriesByType('navigation')[0];
    const add = (name, value) => {
        if (Number.isFinite(value) && value > 0) {
            result[name] = value;
        }
    };
    if (navigation) {
        add('loadTime', navigation.loadEventEnd - navigation.startTime);
        add('domContentLoaded', navigation.domContentLoadedEventEnd - navigation.startTime);
        add('ttfb', navigation.responseStart - navigation.requestStart);
    }
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    add('fcp', paint && paint.startTime);
    /* Of a document that was there before scripts/vitals.js could be, not much is known. */
    const vitals = globalThis.collected ? globalThis.collected() : {};
    add('lcp', vitals.lcp);
    for (const name of ['cls', 'inp', 'longTasks', 'longTaskTime']) {
        if (Number.isFinite(vitals[name])) {
            result[name] = vitals[name];
        }
    }
    /* Pairs, since a key may have any name; text, since it goes back as it came. */
    const read = (store) => {
        const entries = [];
        for (let i = 0; i < store.length && options.maxStorage >= 0; i++) {
            const key = store.key(i);
            const value = store.getItem(key);
            options.maxStorage -= key.length + value.length;
            entries.push([key, value]);
        }
        return entries;
    };
    try {
        const text = JSON.stringify({ local: read(localStorage), session: read(sessionStorage) });
        /* An answer may have been thrown away: it counts once its number has come back. */
        if (text !== globalThis.toldStorage || options.taken !== globalThis.toldNumber) {
            globalThis.toldStorage = text;
            globalThis.toldNumber = result.number = (globalThis.toldNumber || 0) + 1;
            result.origin = location.origin;
            if (options.maxStorage >= 0) {
                result.storage = text;
            }
        }
    } catch (error) {
        /* An origin of its own kind has no storage. */
    }
    return result;
}
