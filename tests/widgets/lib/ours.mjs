// browser-runner as a backend drives it: instructions into `run -`, lines of JSON out of it.
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Truth } from './truth.mjs';

const GUARD_MS = 30_000;

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function element(name, value) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // White space at the ends stays in CDATA only.
    const content = text === text.trim() ? text.replace(/[&<>]/g, (sign) => escapes[sign])
        : `<![CDATA[${text}]]>`;
    return `<${name}>${content}</${name}>`;
}

function instruction({ do: type, ...parameters }) {
    const elements = Object.entries({ type, ...parameters }).map((pair) => element(...pair));
    return `<browser_action>${elements.join('')}</browser_action>\n`;
}

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The id behind the first place in a snapshot where it says `seen`: a text or a pattern. */
function idOf(seen, snapshot) {
    const pattern = seen instanceof RegExp ? seen.source : literally(seen);
    return new RegExp(`${pattern}[^\\n]*? (e\\d+)\\b`).exec(snapshot)?.[1];
}

const isWarning = ({ source, type }) => source === 'tool' && type === 'warning';

export class Ours {
    name = 'browser-runner';
    #child;
    #answers = [];
    #waiting;
    #truth;
    #stderr = '';

    static async start({ program, chrome, directory }) {
        const side = new Ours();
        const profile = join(directory, 'profile');
        // The program takes no port among its --chrome-arg; the second client needs one.
        const wrapper = join(directory, 'chrome');
        writeFileSync(wrapper, '#!/bin/sh\nexec "$WIDGETS_CHROME" "$@" --remote-debugging-port=0\n');
        chmodSync(wrapper, 0o700);
        side.#child = spawn(program, ['run', '-', '--screenshots', 'none', '--profile', profile,
            '--chrome', wrapper, '--die-with-parent'],
        { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, WIDGETS_CHROME: chrome } });
        side.#child.stderr.on('data', (data) => { side.#stderr += data; });
        side.#child.stdin.on('error', () => {});
        createInterface({ input: side.#child.stdout }).on('line', (line) => side.#take(line));
        side.#child.on('exit', () => side.#take('{"kind": "end"}'));
        const answer = await side.#ask({
            do: 'start', url: 'about:blank', maxConsecutiveErrors: 0, totalErrorThreshold: 0,
        });
        if (!answer.success) {
            throw new Error(`browser-runner: ${answer.error} ${side.#stderr}`);
        }
        side.#truth = await Truth.of(profile);
        return side;
    }

    #take(line) {
        const answer = JSON.parse(line);
        if (answer.kind === 'response' || answer.kind === 'end') {
            this.#answers.push(answer);
            this.#waiting?.();
        }
    }

    async #ask(action) {
        this.#child.stdin.write(instruction(action));
        if (this.#answers.length === 0) {
            await new Promise((resolve) => {
                const guard = setTimeout(resolve, GUARD_MS);
                this.#waiting = () => {
                    clearTimeout(guard);
                    resolve();
                };
            });
            this.#waiting = undefined;
        }
        const answer = this.#answers[0];
        if (answer?.kind !== 'response') {
            throw new Error(`browser-runner: no answer to ${instruction(action)}${this.#stderr}`);
        }
        this.#answers.shift();
        return answer;
    }

    async open(url) {
        const answer = await this.#ask({ do: 'navigate', url });
        if (!answer.success) {
            throw new Error(answer.error);
        }
        await this.#truth.attach();
    }

    evaluate(expression) {
        return this.#truth.evaluate(expression);
    }

    /** Does a step; says the error that there was, or a warning, and its code; else the last result. */
    async act({ ours }, timeout) {
        let warning;
        let last;
        for (const action of [ours].flat()) {
            const { node, ...rest } = action;
            let target = {};
            if (node) {
                const { success, error, result } = await this.#ask({ do: 'snapshot' });
                const id = success && idOf(node, result.text);
                if (!id) {
                    return { error: error ?? `no ${node} in the snapshot`, code: 'no node' };
                }
                target = { node: id };
            }
            const needsTime = action.do !== 'wait' && action.do !== 'evaluate';
            const answer = await this.#ask({ ...rest, ...target, ...(needsTime && { timeout }) });
            if (!answer.success) {
                return { error: `${answer.errorCode}: ${answer.error}`, code: answer.errorCode };
            }
            last = answer.result;
            warning ??= answer.logs.find(isWarning)?.message;
        }
        return warning === undefined ? { result: last } : { result: last, warning, code: 'warning' };
    }

    async stop() {
        this.#truth?.close();
        if (this.#child && this.#child.exitCode === null) {
            const ended = new Promise((resolve) => this.#child.once('exit', resolve));
            this.#child.stdin.end();
            const guard = setTimeout(() => this.#child.kill('SIGTERM'), GUARD_MS);
            await ended;
            clearTimeout(guard);
        }
    }
}
