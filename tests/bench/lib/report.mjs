// The table on stdout, and on a terminal how far the measuring has come.
import { median, pairedRatios, quantile } from './measure.mjs';

const COLUMNS = [34, 10, 17];
const QUARTILES = [0.25, 0.5, 0.75];

export class Report {
    #start = performance.now();

    head(lines) {
        process.stdout.write(`${lines.join('\n')}\n`);
    }

    progress(part, round, rounds) {
        if (process.stderr.isTTY) {
            process.stderr.write(`\r\x1b[K${part}: round ${round + 1} of ${rounds}`);
        }
    }

    clearProgress() {
        if (process.stderr.isTTY) {
            process.stderr.write('\r\x1b[K');
        }
    }

    /**
     * A part of the table. `samples` maps a row's name to its values, one a round; a ratio is the
     * median of the rounds' own ratios, with its quartiles. Each comparison { row, to: [rows], label, aim } says what
     * `row` is of the best of `to`.
     */
    section(title, unit, samples, comparisons, digits = 0) {
        this.clearProgress();
        process.stdout.write(`\n${title}\n`);
        this.#line(['', `median ${unit}`, 'quartiles']);
        for (const [name, values] of samples) {
            const [low, middle, high] = QUARTILES.map((at) => quantile(values, at));
            const range = `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
            this.#line([`  ${name}`, middle.toFixed(digits), range]);
        }
        for (const { row, to, label, aim } of comparisons) {
            const [best] = to
                .filter((name) => samples.has(name))
                .sort((a, b) => median(samples.get(a)) - median(samples.get(b)));
            const own = samples.get(row);
            if (best && own) {
                const ratios = pairedRatios(own, samples.get(best));
                const [low, ratio, high] = QUARTILES.map((at) => quantile(ratios, at));
                const judgement = ratio <= aim ? 'met' : 'MISSED';
                const verdict = aim === undefined ? '' : `  aim ${aim}: ${judgement}`;
                process.stdout.write(
                    `  = ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) of ${label ?? best}${verdict}\n`);
            }
        }
    }

    #line(cells) {
        const [name, ...rest] = cells.map((cell, i) =>
            i === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[i]),
        );
        process.stdout.write(`${[name, ...rest].join('').trimEnd()}\n`);
    }
}
