/*
 * Closes the ways to servers that Chrome does not let us check, before any script of the page runs.
 * A document may open WebSockets only to `sources` (connect-src of a Content-Security-Policy, which
 * is inherited by its frames, windows and workers without a URL of their own). Where no such policy
 * can be set, and in workers (sources null), these functions are removed. Shared workers are
 * removed, since they may belong to a page of another session with other rules.
 */
function (sources) {
    const remove = names => {
        for (const name of names) {
            delete globalThis[name];
        }
    };
    remove(['WebTransport', 'RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker']);
    const isPage = sources && /^https?:$/.test(location.protocol) &&
        document.contentType === 'text/html';
    if (!isPage) {
        remove(['WebSocket', 'WebSocketStream']);
        return;
    }
    const put = () => {
        if (!document.head) {
            return false;
        }
        const meta = document.createElement('meta');
        meta.httpEquiv = 'Content-Security-Policy';
        meta.content = `connect-src ${sources}`;
        document.head.append(meta);
        meta.remove();
        return true;
    };
    if (!put()) {
        const observer = new MutationObserver(() => put() && observer.disconnect());
        observer.observe(document, { childList: true, subtree: true });
    }
}
