/*
 * Runs in each new document, in our world, before the page's scripts: collects data that only
 * observers get. scripts/describe.js reads it with `collected()`.
 *
 * Layout shifts are summed in session windows: at most 5 s long, with less than 1 s between two
 * shifts; the worst window counts (https://web.dev/articles/cls). An interaction lasts as long as
 * its longest event; one in 50 may be worse than the one that counts
 * (https://web.dev/articles/inp).
 */
(() => {
    const LONGEST = 10;
    /*
     * As in the web-vitals library, so that the values agree: shorter ones are not distinguished.
     */
    const MIN_EVENT_MS = 40;
    const shifts = { worst: 0, sum: 0, first: 0, last: 0, wasSeen: false };
    const longTasks = { count: 0, ms: 0 };
    const interactions = []; /* the longest ones, by duration */
    let lcp;

    const addShift = (entry) => {
        if (entry.hadRecentInput) {
            return;
        }
        const isSameWindow = shifts.sum > 0 && entry.startTime - shifts.last < 1000 &&
            entry.startTime - shifts.first < 5000;
        if (!isSameWindow) {
            shifts.sum = 0;
            shifts.first = entry.startTime;
        }
        shifts.sum += entry.value;
        shifts.last = entry.startTime;
        shifts.worst = Math.max(shifts.worst, shifts.sum);
    };
    const addEvent = (entry) => {
        if (!entry.interactionId && entry.entryType !== 'first-input') {
            return;
        }
        const known = interactions.find((one) => one.id === entry.interactionId);
        if (known) {
            known.ms = Math.max(known.ms, entry.duration);
        } else {
            interactions.push({ id: entry.interactionId, ms: entry.duration });
        }
        interactions.sort((a, b) => b.ms - a.ms);
        interactions.length = Math.min(interactions.length, LONGEST);
    };
    const kinds = {
        'layout-shift': addShift,
        'largest-contentful-paint': (entry) => { lcp = entry.startTime; },
        longtask: (entry) => { longTasks.count += 1; longTasks.ms += entry.duration; },
        'first-input': addEvent,
        event: addEvent,
    };
    const observers = [];
    if (window !== window.top) {
        return; /* the page's values are those of its main document */
    }
    for (const [type, add] of Object.entries(kinds)) {
        if (PerformanceObserver.supportedEntryTypes.includes(type)) {
            const observer = new PerformanceObserver((list) => list.getEntries().forEach(add));
            observer.observe({ type, buffered: true, durationThreshold: MIN_EVENT_MS });
            observers.push({ observer, add });
        }
    }
    globalThis.collected = () => {
        observers.forEach(({ observer, add }) => observer.takeRecords().forEach(add));
        const place = Math.min(interactions.length - 1, Math.floor((performance.interactionCount || 0) / 50));
        return {
            cls: shifts.worst,
            inp: place >= 0 ? interactions[place].ms : undefined,
            lcp,
            longTasks: longTasks.count,
            longTaskTime: longTasks.ms,
        };
    };
})();
