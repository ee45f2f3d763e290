// The tasks of bench_imaging.c done by sharp, line by line: `node sharp.mjs FILE.png`.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import sharp from 'sharp';

sharp.cache(false);
const file = readFileSync(process.argv[2]);
const unlimited = { limitInputPixels: false };
let raw;

/** Pixels that are there already, as bench_imaging has them for `scale`. */
async function pixels() {
    raw ??= await sharp(file, unlimited).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = raw.info;
    return sharp(raw.data, { raw: { width, height, channels }, ...unlimited });
}

const size = (width, height, kernel) => ({ width, height, fit: 'fill', kernel });
const tasks = {
    jpeg: (quality, chroma) =>
        sharp(file, unlimited).jpeg({ quality, chromaSubsampling: chroma === 444 ? '4:4:4' : '4:2:0' }),
    scale: async (width, height) => (await pixels()).resize(size(width, height, 'linear')).raw(),
    shrink: (width, height) =>
        sharp(file, unlimited)
            .resize(size(width, height, 'linear'))
            .jpeg({ quality: 25, chromaSubsampling: '4:4:4' }),
};

for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...numbers] = line.split(' ');
    if (name === 'scale') {
        await pixels();
    }
    const start = performance.now();
    const bytes = await (await tasks[name](...numbers.map(Number))).toBuffer();
    process.stdout.write(`${((performance.now() - start) * 1000).toFixed(1)} ${bytes.length}\n`);
}
