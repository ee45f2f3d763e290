/* Reports console calls and errors of the page. In the scope of a bridge. */

const undo = [];
let isInside;

const wrap = (level) => {
    const original = console[level], wrapped = (...args) => {
        original.apply(console, args);
        if (undo.length && !isInside) { /* an argument's toJSON() may call the console: would never end */
            isInside = 1;
            tell({
                type: 'console',
                level,
                args: args.slice(0, maxConsoleArgs).map((arg) => {
                    const text = describe(arg);
                    return text.length > maxConsoleArgLength ? cut(text, maxConsoleArgLength) + '...' : text;
                }),
                stack: args.find((arg) => arg?.stack)?.stack,
            });
            isInside = 0;
        }
    };
    console[level] = wrapped;
    undo.push(() => {
        if (console[level] === wrapped) {
            console[level] = original;
        }
    });
};
const listen = (name, errorType, read) => {
    const listener = (event) => {
        const { message, error, filename, lineno, colno } = read(event);
        tell({
            type: 'error', errorType, message, stack: error?.stack, filename, lineno, colno,
            componentStack: error?.componentStack,
        });
    };
    addEventListener(name, listener);
    undo.push(() => removeEventListener(name, listener));
};
const startCapture = () => {
    if (undo[0]) {
        return;
    }
    enableConsole && ['log', 'info', 'warn', 'error', 'debug'].forEach(wrap);
    if (enableErrors) {
        listen('error', 'runtime', (event) => event);
        const name = 'unhandledrejection';
        listen(name, name, ({ reason }) => ({ message: reason?.message ?? describe(reason), error: reason }));
    }
};
const stopCapture = () => undo.splice(0).forEach((one) => one());
