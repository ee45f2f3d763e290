/* The browser SDK of debug-bridge: makes the page that imports it an app of a session. */
/* include elements.js */
/* include text.js */
/* include input.js */
/* include picture.js */
const makeId = () => Math.random().toString(36).slice(2, 10);

/* Kept from one page of the tab to the next. Removed from the storage meanwhile: a duplicated tab gets a
 * copy of the storage. */
const keptIds = new Set();
const keptAppId = (sessionId) => {
    let id = 'app-' + makeId();
    const key = 'debug-bridge ' + sessionId;
    try {
        id = sessionStorage[key] ?? id;
        const take = () => delete sessionStorage[key];
        take();
        addEventListener('pagehide', () => sessionStorage[key] = id);
        addEventListener('pageshow', take);
    } catch { /* a sandboxed page has no storage */ }
    keptIds.add(id);
    return id;
};

export const createDebugBridge = ({
    url, sessionId, appId = new URL(url, location).searchParams.get('appId') ?? keptAppId(sessionId),
    appName, appVersion, token, getCustomState, getUiTreeItems, getStableId,
    enableDomSnapshot = true, enableDomMutations = true, enableUiTree = true, enableUiElementUpdates = true,
    enableConsole = true, enableErrors = true, enableEval, enableScreenshot = true,
    domMutationBatchMs = 100, uiTreeThrottleMs = 500, maxConsoleArgs = 10, maxConsoleArgLength = 1000,
    maxDomSnapshotSize = 5 * 1024 * 1024, reconnectBaseDelayMs = 1000, reconnectMaxDelayMs = 30000,
    onConnect, onDisconnect, onError, onCommand,
}) => {
    /* include connection.js */
    /* include tree.js */
    /* include capture.js */
    /* include watch.js */
    /* include commands.js */
    return {
        connect,
        disconnect,
        isConnected,
        sendState: (scope, state) => {
            states[scope] = state;
            tell({ type: 'state_update', scope, state });
        },
        sendUiTree: () => isReady && sendTree(),
        sendDomSnapshot: () => isReady && send(htmlOf()),
        on,
        off: (name, handler) => handlers[name]?.delete(handler),
    };
};
export default createDebugBridge;
