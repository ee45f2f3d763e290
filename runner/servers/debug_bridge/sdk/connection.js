/* The WebSocket: its URL, and when to connect again. In the scope of a bridge. */

let socket, retryTimer, openedAt, isAway, attempts = 0, isReady, second, count, lost = 0;
const states = {}, kept = [], handlers = {};
const on = (name, handler) => {
    (handlers[name] ??= new Set()).add(handler);
};
on('connect', onConnect);
on('disconnect', onDisconnect);
on('error', onError);
on('command', onCommand);
const emit = (name, value) => handlers[name].forEach((handler) => {
    try {
        handler?.(value);
    } catch (error) {
        console.error(error);
    }
});

const textFor = (message) => jsonOf({
    protocolVersion: 1, sessionId, timestamp: Date.now(), origin: 'app', appId, ...message,
});
const isConnected = () => socket?.readyState === 1;
const send = (message) => isConnected() && socket.send(textFor(message));
/* Sends telemetry, or keeps it while not connected. Drops and counts messages above 200 a second, messages
 * that would fill the socket's buffer, and messages larger than clients accept by default. */
const tell = (message) => {
    const now = Date.now() / 1000 | 0;
    if (now !== second && isReady) {
        second = now;
        count = 0;
        lost && send({ type: 'console', level: 'warn', args: [`debug-bridge: ${lost} left out, too many or too large`] });
        lost = 0;
    }
    if (isReady && (count++ > 200 || socket.bufferedAmount > 8e6)) {
        lost++;
        return;
    }
    const text = textFor(message);
    if (!isReady) {
        /^(console|error)$/.test(message.type) && kept.push(text) > 100 && kept.shift();
    } else if (text.length > 3e5 && new Blob([text]).size > 9e5) {
        lost++;
    } else {
        socket.send(text);
    }
};

const begin = async () => {
    const mine = socket;
    openedAt = Date.now();
    send({
        type: 'hello', appName, appVersion, url: location.href, userAgent: navigator.userAgent,
        viewport: { width: innerWidth, height: innerHeight },
    });
    const able = {
        dom_snapshot: enableDomSnapshot, dom_mutations: enableDomMutations, ui_tree: enableUiTree,
        ui_element_updates: enableUiElementUpdates, console: enableConsole, errors: enableErrors,
        eval: canEvaluate(),
        screenshot: enableScreenshot && await canDraw(), custom_state: 1,
    };
    if (mine !== socket) {
        return; /* closed in the meantime */
    }
    send({ type: 'capabilities', capabilities: Object.keys(able).filter((name) => able[name]) });
    isReady = 1;
    kept.splice(0).forEach((text) => socket.send(text));
    enableDomSnapshot && tell(htmlOf());
    try {
        sendStates();
        startWatch();
    } catch (error) { /* thrown by a function of the page */
        emit('error', error);
    }
    emit('connect');
};
const connect = () => {
    startCapture();
    retryTimer = clearTimeout(retryTimer);
    if (socket) {
        return;
    }
    const address = new URL(url, location);
    const named = { role: 'app', sessionId, appId, token, takesOver: keptIds.has(appId) && 1 };
    for (const name in named) {
        named[name] && !address.searchParams.has(name) && address.searchParams.set(name, named[name]);
    }
    const mine = socket = new WebSocket(address);
    mine.onopen = begin;
    mine.onmessage = onMessage;
    mine.onerror = () => emit('error', Error('no connection'));
    mine.onclose = ({ code, reason }) => {
        if (mine === socket) {
            /* A connection that has lasted for some seconds resets the delay. */
            attempts = openedAt < Date.now() - 5000 ? 0 : attempts + 1;
            ended();
            if (/^400[013]$/.test(code)) {
                stopCapture();
                emit('error', Error(`refused: ${code} ${reason}`));
            } else {
                retryTimer = setTimeout(connect,
                    Math.min(reconnectBaseDelayMs * 2 ** attempts, reconnectMaxDelayMs) * (0.75 + Math.random() / 2));
            }
        }
    };
};
const ended = () => {
    const wasOpen = openedAt;
    socket = openedAt = isReady = 0;
    stopWatch();
    wasOpen && emit('disconnect');
};
const leave = () => {
    retryTimer = clearTimeout(retryTimer);
    socket && socket.close();
    attempts = 0;
    ended();
};
const disconnect = () => {
    stopCapture();
    leave();
};
/* The browser may keep the page, with an open socket, for going back to it. A command that has left the page
 * gets its result before. */
addEventListener('pagehide', () => {
    isAway = socket || retryTimer;
    Promise.race([queue, new Promise(setTimeout)]).then(leave);
});
addEventListener('pageshow', ({ persisted }) => persisted && isAway && connect());
