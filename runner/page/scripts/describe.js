/*
 * What the page is called and how it loaded, in milliseconds since the start of its navigation.
 * What did not happen yet is left out.
 */
function () {
    const result = { url: location.href, title: document.title.toWellFormed() };
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
    try {
        /* Candidates for the largest paint reach observers only. */
        const observer = new PerformanceObserver(() => {});
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
        const last = observer.takeRecords().pop();
        observer.disconnect();
        add('lcp', last && last.startTime);
    } catch (error) {
        /* A document without a timeline has none. */
    }
    return result;
}
