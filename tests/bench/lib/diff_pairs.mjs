/* The pairs of tests/unit/diff_pairs.h, byte for byte: from a number alone. */

let state = 1;

/* From 0 to limit - 1. */
function random(limit) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
}

function clamp(value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* A pixel of noise, a checkerboard, a gradient, a disc with a soft edge, the same translucent. */
function pixel(kind, x, y, width, height) {
    const [cx, cy] = [x - (width >> 1), y - (height >> 1)];
    const disc = clamp(128 + ((cx * cx + cy * cy - Math.trunc(width * width / 9)) >> 1));
    const check = ((x >> 3) ^ (y >> 3)) & 1 ? 255 : 20;
    switch (kind) {
        case 0:
            return [random(256), random(256), random(256), random(256)];
        case 1:
            return [check, check, check, 255];
        case 2:
            return [x * 3, y * 5, x + y, 255];
        default:
            return [disc, disc, disc, kind === 4 ? 255 - (disc >> 1) : 255];
    }
}

function scatter({ data }) {
    for (let count = random(400); count > 0; count--) {
        const place = random(data.length);
        data[place] = random(256);
    }
}

function jitter({ data }) {
    for (let i = 0; i < data.length; i++) {
        if (i % 4 !== 3) {
            data[i] = clamp(data[i] + random(60) - 30);
        }
    }
}

function shift({ data, width, height }) {
    for (let y = 0; y < height; y++) {
        const row = y * width * 4;
        data.copyWithin(row + 4, row, row + (width - 1) * 4);
    }
}

function box({ data, width, height }) {
    const [left, top] = [random(width), random(height)];
    for (let y = top; y < height && y < top + 20; y++) {
        for (let x = left; x < width && x < left + 30; x++) {
            const i = (y * width + x) * 4;
            data[i] ^= 90;
            if (random(3) === 0) {
                data[i + 3] = random(256);
            }
        }
    }
}

function change(picture) {
    [scatter, jitter, shift, box][random(4)](picture);
}

/* The case of a number: two pictures { data, width, height }, and pixelmatch's options. */
export function makeCase(number) {
    state = number >>> 0;
    const [width, height, kind] = [1 + random(90), 1 + random(90), random(5)];
    const a = { width, height, data: new Uint8Array(width * height * 4) };
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            a.data.set(pixel(kind, x, y, width, height), (y * width + x) * 4);
        }
    }
    const b = { width, height, data: a.data.slice() };
    change(b);
    if (random(3) === 0) {
        change(b);
    }
    const threshold = [0, 0.02, 0.1, 0.3, 1][random(5)];
    const includeAA = random(3) === 0;
    const checkerboard = random(2) === 0;
    return { a, b, options: { threshold, includeAA, checkerboard } };
}
