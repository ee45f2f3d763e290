/*
 * Stops the clock of a new document at `wanted.time` (ms since 1970) and seeds its random numbers
 * with `wanted.seed`; null: restores both. It may run several times in a document: the last call
 * holds. Date.now() called with the key, which the page does not know, returns the control of an
 * existing installation.
 */
function (key, wanted) {
    const control = Date.now(key);
    if (typeof control === 'function') {
        control(wanted);
        return;
    }
    if (!wanted) {
        return;
    }
    const OwnDate = Date;
    const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
    const undoSteps = [];
    let time = 0;

    const install = (object, name, descriptor) => {
        const before = getOwnPropertyDescriptor(object, name);
        undoSteps.push(() => defineProperty(object, name, before));
        defineProperty(object, name, { ...before, ...descriptor });
    };

    /* A proxy has the name, the length and the source text of the browser's function. */
    const wrap = (object, name, call, onConstruct) => {
        const before = object && getOwnPropertyDescriptor(object, name);
        const part = before && (before.get ? 'get' : 'value');
        if (!before || typeof before[part] !== 'function') {
            return undefined;
        }
        const handler = { apply: (own, self, given) => call(own, self, given) };
        const wrapped = new Proxy(before[part], onConstruct ? { ...handler, construct: onConstruct } : handler);
        install(object, name, { [part]: wrapped });
        return wrapped;
    };

    /* xoshiro128**, seeded by splitmix32. */
    const createNumbers = (seed) => {
        let mixed = seed >>> 0;
        const spread = () => {
            mixed = (mixed + 0x9e3779b9) >>> 0;
            let value = mixed;
            value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
            value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
            return (value ^ (value >>> 15)) >>> 0;
        };
        const rotate = (value, by) => (value << by) | (value >>> (32 - by));
        let [a, b, c, d] = [spread(), spread(), spread(), spread()];
        return () => {
            const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
            const shifted = b << 9;
            c ^= a;
            d ^= b;
            b ^= c;
            a ^= d;
            c ^= shifted;
            d = rotate(d, 11);
            return result;
        };
    };

    /* Two generators, so that requests for keys do not change the numbers of Math.random(). */
    let nextForMath, nextForKeys;
    const set = (to) => {
        time = to.time;
        nextForMath = createNumbers(to.seed);
        nextForKeys = createNumbers(to.seed ^ 0x5bd1e995);
    };

    const wrapDate = () => {
        const wrapped = wrap(globalThis, 'Date', () => apply(OwnDate.prototype.toString, new OwnDate(time), []),
            (own, given, target) => construct(own, given.length === 0 ? [time] : given, target));
        install(OwnDate.prototype, 'constructor', { value: wrapped });
        wrap(OwnDate, 'now', (own, self, given) => (given[0] === key ? change : time));
    };

    /* Without an argument, or with undefined, the present time is formatted. */
    const wrapFormats = () => {
        const orNow = (given) => (given[0] === undefined ? [time] : given);
        const known = new WeakMap();
        const formats = Intl.DateTimeFormat.prototype;
        wrap(formats, 'format', (own, self) => {
            const format = apply(own, self, []);
            if (!known.has(format)) {
                known.set(format, new Proxy(format, { apply: (inner, it, given) => apply(inner, it, orNow(given)) }));
            }
            return known.get(format);
        });
        wrap(formats, 'formatToParts', (own, self, given) => apply(own, self, orNow(given)));
    };

    const wrapTemporal = () => {
        const now = globalThis.Temporal && Temporal.Now;
        if (!now) {
            return;
        }
        const { Instant } = Temporal;
        const zoned = (zone) => Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone ?? now.timeZoneId());
        wrap(now, 'instant', () => Instant.fromEpochMilliseconds(time));
        wrap(now, 'zonedDateTimeISO', (own, self, [zone]) => zoned(zone));
        wrap(now, 'plainDateTimeISO', (own, self, [zone]) => zoned(zone).toPlainDateTime());
        wrap(now, 'plainDateISO', (own, self, [zone]) => zoned(zone).toPlainDate());
        wrap(now, 'plainTimeISO', (own, self, [zone]) => zoned(zone).toPlainTime());
    };

    const fill = (bytes) => {
        for (let i = 0; i < bytes.length; i += 4) {
            const number = nextForKeys();
            for (let j = 0; j < 4 && i + j < bytes.length; j++) {
                bytes[i + j] = number >>> (8 * j);
            }
        }
        return bytes;
    };

    const createUuid = () => {
        const bytes = fill(new Uint8Array(16));
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
        return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    };

    /* Calls the browser's functions first: they reject invalid arguments. */
    const wrapRandom = () => {
        wrap(Math, 'random', () => ((nextForMath() >>> 5) * 0x4000000 + (nextForMath() >>> 6)) / 2 ** 53);
        const source = globalThis.Crypto && Crypto.prototype;
        wrap(source, 'getRandomValues', (own, self, given) => {
            const array = apply(own, self, given);
            fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
            return array;
        });
        wrap(source, 'randomUUID', (own, self, given) => {
            apply(own, self, given);
            return createUuid();
        });
    };

    function change(to) {
        if (to) {
            set(to);
        } else {
            undoSteps.reverse().forEach((undo) => undo());
        }
    }

    set(wanted);
    wrapDate();
    wrapFormats();
    wrapTemporal();
    wrapRandom();
}
