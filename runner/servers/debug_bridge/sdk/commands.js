/* The commands of agents: each returns its result, or throws. In the scope of a bridge. */

const AsyncFunction = (async () => {}).constructor;
const canEvaluate = () => {
    try {
        return enableEval && !!AsyncFunction();
    } catch { /* forbidden by the page's Content Security Policy */ }
};
/* Runs the code as an expression, or as statements of which the last one has the value, or else, with `return` or
 * `await`, as the body of a function. */
const compile = (code) => {
    try {
        return AsyncFunction(`return (${code}\n)`);
    } catch {
        try {
            Function(`class A { static { ${code}\n} }`); /* only parsed: a static block has neither */
            return () => (0, eval)(`{${code}\n}`);
        } catch {
            return AsyncFunction(code);
        }
    }
};
const CURES = { Map: '[...value]', Set: '[...value]', WeakMap: 'a part', WeakSet: 'a part' };
/* As the driven app: nothing is lost silently. */
const refuse = (value) => {
    const name = Object.keys(CURES).find((one) => value instanceof globalThis[one]);
    name && fail('EVAL_ERROR', `the value is a ${name}`, `return ${CURES[name]}`);
    typeof value === 'number' && !isFinite(value) && fail('EVAL_ERROR', `the value is ${value}`, 'return a text');
};
const inTime = (promise, ms = 30000) => Promise.race([promise, new Promise((_, reject) => setTimeout(() =>
    reject({ code: 'TIMEOUT', message: `not done in ${ms} ms` }), ms))]);
const evaluate = async ({ code, options }) => {
    canEvaluate() || fail('EVAL_DISABLED', 'not enabled, or forbidden by the page');
    const value = await inTime((async () => compile(code)())()
        .catch((error) => fail('EVAL_ERROR', messageOf(error), error?.stack)), options?.timeout);
    const isValue = options?.returnByValue ?? true;
    isValue && jsonOf(value, Infinity, refuse);
    return isValue ? value : { type: typeof value, description: describe(value) };
};

/* Returns when the page is being left, or when a router has changed the URL without leaving it. */
const navigate = ({ url: place, options }) => {
    const { href: url, protocol } = new URL(place ?? invalid('no url'), doc.baseURI);
    /^j/.test(protocol) && invalid('a script');
    return inTime(new Promise((resolve) => {
        const done = () => resolve({ url });
        addEventListener('pagehide', done);
        globalThis.navigation?.addEventListener('navigatesuccess', done);
        location = url;
    }), options?.timeout);
};

const htmlOf = (selector, isSanitized) => {
    const copy = stripped(selector ? mustFind(selector) : page, isSanitized);
    isSanitized && [copy, ...all(copy, '*')].forEach((one) => {
        one.matches('script,style,link') && one.remove();
        one.getAttributeNames().forEach((name) => /^(on|style$)/.test(name) && one.removeAttribute(name));
    });
    const { outerHTML } = copy, html = cut(outerHTML, maxDomSnapshotSize);
    return { type: 'dom_snapshot', html, truncated: html < outerHTML || undefined };
};
const sendStates = (requestId, scope) => {
    const { href, origin, pathname, search, hash } = location;
    const asked = requestId && {
        location: { href, origin, pathname, search, hash, title: doc.title },
        viewport: { width: innerWidth, height: innerHeight, devicePixelRatio },
    };
    const told = { ...asked, ...states, ...getCustomState?.() };
    const names = Object.keys(told).filter((name) => (scope ?? name) === name);
    scope === undefined || names[0] || invalid('no such scope');
    names.forEach((name) => send({ type: 'state_update', requestId, scope: name, state: told[name] ?? null }));
};

const mustBeOn = (isOn) => isOn || invalid('not enabled in this app');
/* Options may also be at the top level of the command. */
const COMMANDS = {
    click: ({ target, options }) => click(find(target), options ?? {}),
    hover: ({ target, options }) => moveTo(reach(find(target), options?.position)),
    type: ({ target, text, options }) => typeText(find(target), text, options ?? {}),
    select: ({ target, options, ...more }) => choose(find(target), { ...more, ...options }),
    scroll: ({ target, options, ...more }) => scroll(target && find(target), { ...more, ...options }),
    focus: ({ target }) => focus(find(target)),
    evaluate,
    navigate,
    request_ui_tree: ({ requestId, options }) => {
        mustBeOn(enableUiTree);
        send({ type: 'ui_tree', requestId, items: buildTree(options) });
    },
    request_dom_snapshot: ({ requestId, options }) => {
        mustBeOn(enableDomSnapshot);
        send({ requestId, ...htmlOf(options?.selector, options?.sanitize) });
    },
    request_screenshot: async ({ requestId, options }) => {
        mustBeOn(enableScreenshot && await canDraw());
        send({ type: 'screenshot', requestId, ...await screenshot(options ?? {}) });
    },
    request_state: ({ requestId, scope }) => sendStates(requestId, scope),
};
const execute = async (message) => {
    const { type: requestType, requestId } = message, start = Date.now();
    const reply = (success, result, error) => send({
        type: 'command_result', requestId, requestType, success, result, error, duration: Date.now() - start,
    });
    try {
        requestId ?? invalid('no requestId');
        Object.hasOwn(COMMANDS, requestType) || invalid('no such command');
        emit('command', message);
        reply(true, await COMMANDS[requestType](message));
    } catch ({ code, message: text, details }) {
        reply(false, undefined, { code: typeof code === 'string' ? code : 'UNKNOWN_ERROR', message: text, details });
    }
};
let queue = Promise.resolve();
/* Ignores anything that is no command for this app: an answer might be answered again. */
const onMessage = ({ data }) => {
    try {
        const message = JSON.parse(data), { type, requestId } = message;
        const isKnown = Object.hasOwn(COMMANDS, type);
        if ((isKnown || requestId !== undefined && !/^(command_result|connection_event)$/.test(type)) &&
            (message.origin ?? 'agent') === 'agent' && (message.appId ?? appId) === appId) {
            queue = queue.then(() => execute(message));
        }
    } catch { /* not JSON, so not a command */ }
};
