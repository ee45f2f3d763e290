/*
 * Holds `browser-runner diff` against pixelmatch 7.2.0 and 8.0.0 (npm): the counts, and each pixel of
 * the picture that is drawn. --table prints tests/unit/diff_counts.h instead, so that the unit test needs
 * no Node. `npm install --no-save --prefix tests/bench` fetches what is needed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pixelmatch7 from "pixelmatch";
import pixelmatch8 from "pixelmatch8";
import { PNG } from "pngjs";
import { makeCase } from "./lib/diff_pairs.mjs";

const TABLE_CASES = 400;
const METRICS = { pixelmatch7, pixelmatch8 };
const USAGE = `Usage: node tests/bench/diff_oracle.mjs [--program FILE] [--metric NAME] [--cases N] [--first N] [A.png B.png]…
       node tests/bench/diff_oracle.mjs --table > tests/unit/diff_counts.h
Compares N generated pairs (300) with random options, then the pairs of files with several.`;

/* What a pixelmatch says of a pair, and its picture. */
function ask(pixelmatch, a, b, options) {
    const data = Buffer.alloc(a.data.length);
    const diffPixels = pixelmatch(a.data, b.data, data, a.width, a.height, options);
    let antialiasedPixels = 0;
    for (let i = 0; i < data.length; i += 4) {
        antialiasedPixels += data.readUInt32BE(i) === 0xffff00ff;
    }
    return { diffPixels, antialiasedPixels, data };
}

function printTable() {
    console.log("/* Made by tests/bench/diff_oracle.mjs --table: what pixelmatch 7.2.0 and 8.0.0 count in the");
    console.log(" * pairs of diff_pairs.h, from number 1 on. */\n/* clang-format off */");
    console.log(`static const struct {\n    unsigned different, antialiased;\n} diff_counts[2][${TABLE_CASES}] = {`);
    Object.values(METRICS).forEach(printColumn);
    console.log("};");
}

function printColumn(pixelmatch) {
    console.log("    {");
    for (let number = 1; number <= TABLE_CASES; number += 4) {
        const cells = [0, 1, 2, 3].map((more) => {
            const { a, b, options } = makeCase(number + more);
            const { diffPixels, antialiasedPixels } = ask(pixelmatch, a, b, options);
            return `{ ${diffPixels}, ${antialiasedPixels} },`;
        });
        console.log(`        ${cells.join(" ")}`);
    }
    console.log("    },");
}

function writePng(path, { data, width, height }) {
    const png = new PNG({ width, height });
    png.data = Buffer.from(data);
    writeFileSync(path, PNG.sync.write(png));
}

/* What differs between pixelmatch's answer and the program's; nothing when they agree. */
function compare({ program, metric }, folder, files, a, b, options) {
    const wanted = ask(METRICS[metric], a, b, options);
    const output = join(folder, "diff.png");
    const args = ["diff", ...files, "--json", "--metric", metric, "-o", output, "--threshold", String(options.threshold)];
    options.includeAA && args.push("--count-antialias");
    options.checkerboard && args.push("--checkerboard");
    options.diffMask && args.push("--mask");
    rmSync(output, { force: true });
    const run = spawnSync(program, args, { encoding: "utf8" });
    const got = JSON.parse(run.stdout || "{}");
    const problems = [];
    if (got.diffPixels !== wanted.diffPixels) {
        problems.push(`${got.diffPixels} pixels instead of ${wanted.diffPixels}`);
    }
    if (!options.diffMask && got.antialiasedPixels !== wanted.antialiasedPixels) {
        problems.push(`${got.antialiasedPixels} forgiven instead of ${wanted.antialiasedPixels}`);
    }
    if (run.status !== (wanted.diffPixels ? 1 : 0)) {
        problems.push(`exit code ${run.status}: ${run.stderr}`);
    }
    if (wanted.diffPixels && !PNG.sync.read(readFileSync(output)).data.equals(wanted.data)) {
        problems.push("another picture");
    }
    return problems.map((problem) => `${problem} (${JSON.stringify(options)})`);
}

function* generated(folder, first, count) {
    const files = [join(folder, "a.png"), join(folder, "b.png")];
    for (let number = first; number < first + count; number++) {
        const { a, b, options } = makeCase(number);
        writePng(files[0], a);
        writePng(files[1], b);
        yield { name: `case ${number}`, files, a, b, options: { ...options, diffMask: number % 3 === 0 } };
    }
}

function* real(paths) {
    for (let i = 0; i + 1 < paths.length; i += 2) {
        const files = paths.slice(i, i + 2);
        const [a, b] = files.map((file) => PNG.sync.read(readFileSync(file)));
        for (const threshold of [0, 0.05, 0.1, 0.3]) {
            for (const includeAA of [false, true]) {
                const options = { threshold, includeAA, checkerboard: false };
                yield { name: files.join(" "), files, a, b, options };
            }
        }
    }
}

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        program: { type: "string", default: "build/release/browser-runner" },
        metric: { type: "string", default: "pixelmatch7" },
        cases: { type: "string", default: "300" },
        first: { type: "string", default: "1" },
        table: { type: "boolean" },
        help: { type: "boolean", short: "h" },
    },
});
if (values.help) {
    console.log(USAGE);
} else if (values.table) {
    printTable();
} else {
    const folder = mkdtempSync(join(tmpdir(), "diff-oracle-"));
    let [count, wrong, pixels] = [0, 0, 0];
    try {
        const pairs = [generated(folder, Number(values.first), Number(values.cases)), real(positionals)];
        for (const list of pairs) {
            for (const { name, files, a, b, options } of list) {
                const problems = compare({ program: resolve(values.program), metric: values.metric }, folder, files, a, b, options);
                problems.forEach((problem) => console.log(`${name}: ${problem}`));
                wrong += problems.length > 0;
                count++;
                pixels += a.width * a.height;
            }
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
    console.log(`${count} comparisons, ${pixels} pixels, ${wrong} unlike pixelmatch`);
    process.exitCode = wrong || !count ? 1 : 0;
}
