/*
 * Makes requestAnimationFrame() of a new document hold callbacks back on request. Called with the
 * key, which the page does not know, and true, it holds them; with false, it requests those held.
 */
function (key) {
    const { apply } = Reflect;
    const own = globalThis.requestAnimationFrame;
    const cancel = globalThis.cancelAnimationFrame;
    if (typeof own !== 'function') {
        return;
    }
    const renewed = new Map(); /* the present id of a request that was held, by the page's id */
    const held = new Map();    /* callbacks by the page's id */
    let isHeld = false;

    const request = (callback, known) => {
        const id = apply(own, globalThis, [(time) => {
            const name = known ?? id;
            renewed.delete(name);
            if (isHeld) {
                held.set(name, callback);
            } else {
                apply(callback, undefined, [time]);
            }
        }]);
        if (known !== undefined) {
            renewed.set(known, id);
        }
        return id;
    };

    const release = () => {
        const callbacks = [...held];
        held.clear();
        callbacks.forEach(([id, callback]) => request(callback, id));
    };

    globalThis.requestAnimationFrame = new Proxy(own, {
        apply: (target, self, given) => {
            if (given[0] === key) {
                isHeld = given[1];
                return isHeld ? 0 : release();
            }
            return typeof given[0] === 'function' ? request(given[0]) : apply(target, self, given);
        },
    });
    globalThis.cancelAnimationFrame = new Proxy(cancel, {
        apply: (target, self, given) => {
            held.delete(given[0]);
            return apply(target, self, [renewed.get(given[0]) ?? given[0]]);
        },
    });
}
