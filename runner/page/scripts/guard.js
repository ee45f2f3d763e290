/*
 * Closes the roads to servers that Chrome lets nobody judge, before any script of the page runs. A
 * document may open WebSockets only where `sources` say (connect-src of a Content-Security-Policy,
 * which its frames, windows and workers without an address of their own inherit); where no such
 * policy can be put, and in workers (sources null), nothing of the kind is there. Workers that
 * pages share may be those of another session's pages, with other rules: there are none.
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
