/*
 * Returns the page's title, its load timings in milliseconds since the start of navigation, its
 * storage, and what it has announced. Omits timings that have not occurred yet, and storage that has
 * not changed since it was last reported.
 */
function (options) {
/* include appeared.js */
    /* As in runner/base/cut.h: a long text ends with its full length. */
    const cut = (text, max) => text.length <= max + 48
        ? text
        : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}\u2026 (${text.length} characters)`;
    const result = {
        url: cut(location.href, options.maxUrl),
        title: cut(document.title, options.maxTitle).toWellFormed(),
        appeared: appeared(options.heard),
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
    /* A document older than scripts/vitals.js has few measurements. */
    const vitals = globalThis.collected ? globalThis.collected() : {};
    add('lcp', vitals.lcp);
    for (const name of ['cls', 'inp', 'longTasks', 'longTaskTime']) {
        if (Number.isFinite(vitals[name])) {
            result[name] = vitals[name];
        }
    }
    /* Pairs, since keys may have any name; text, since it is restored unchanged. */
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
        /*
         * An earlier answer may have been discarded: it counts as received when its number comes
         * back.
         */
        if (text !== globalThis.toldStorage || options.taken !== globalThis.toldNumber) {
            globalThis.toldStorage = text;
            globalThis.toldNumber = result.number = (globalThis.toldNumber || 0) + 1;
            result.origin = location.origin;
            if (options.maxStorage >= 0) {
                result.storage = text;
            }
        }
    } catch (error) {
        /* An opaque origin has no storage. */
    }
    return result;
}
