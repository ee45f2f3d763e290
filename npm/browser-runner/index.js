import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { program } from './program.js';

export { program };

/** An action that failed, or a program that could not do its work: `response` and `exitCode` say more. */
export class BrowserRunnerError extends Error {
    constructor(message, details) {
        super(message);
        this.name = 'BrowserRunnerError';
        Object.assign(this, details);
    }
}

function start(command, { args = [], signal } = {}) {
    const child = spawn(program(), [...command, ...args], { stdio: ['pipe', 'pipe', 'pipe'], signal });
    child.messages = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
        child.messages = (child.messages + text).slice(-10000);
    });
    child.stdin.on('error', () => {}); // the exit code says why the program reads no more
    child.ended = new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code, by) => resolve(code ?? by));
    });
    child.ended.catch(() => {}); // reported by whoever waits for it
    return child;
}

function failure(child, exitCode) {
    const text = child.messages.trim() || `browser-runner ended with ${exitCode}`;
    return new BrowserRunnerError(text, { exitCode });
}

/** Takes a picture of a page. */
export async function shot(url, options = {}) {
    const format = options.format ?? 'jpeg';
    const child = start(['shot', url, '-o', '-', '--format', format], options);
    child.stdin.end();
    const parts = [];
    for await (const part of child.stdout) {
        parts.push(part);
    }
    const exitCode = await child.ended;
    if (exitCode !== 0) {
        throw failure(child, exitCode);
    }
    return Buffer.concat(parts);
}

/** A browser that stays open: instructions are sent, and responses arrive in their order. */
class Stream {
    #child;
    #waiting = [];
    #unread = null; // kept only for a reader
    #readers = [];
    #end;
    summary = null;

    constructor(options) {
        this.#child = start(['run', '-', '--chunk-size', '0'], options);
        this.#end = this.#read();
        this.#end.catch(() => {});
    }

    async #read() {
        for await (const text of createInterface({ input: this.#child.stdout })) {
            const line = JSON.parse(text);
            if (line.kind === 'summary') {
                this.summary = line;
            } else if (line.kind === 'response') {
                this.#waiting.shift()?.resolve(line);
                const reader = this.#readers.shift();
                reader ? reader.resolve({ value: line, done: false }) : this.#unread?.push(line);
            }
        }
        let error;
        try {
            const exitCode = await this.#child.ended;
            // 1 only says that an action failed, which its response has said.
            error = exitCode === 0 || exitCode === 1 ? null : failure(this.#child, exitCode);
        } catch (reason) {
            error = reason;
        }
        const lost = error ?? new BrowserRunnerError('the browser was closed', { exitCode: 0 });
        this.#waiting.splice(0).forEach(({ reject }) => reject(lost));
        this.#readers.splice(0).forEach(({ resolve, reject }) =>
            error ? reject(error) : resolve({ value: undefined, done: true }));
        if (error) {
            throw error;
        }
    }

    /** Sends an instruction; returns its response, also if the action failed. */
    send(instruction) {
        return new Promise((resolve, reject) => {
            if (!this.#child.stdin.writable) {
                reject(new BrowserRunnerError('the browser was closed', { exitCode: 0 }));
                return;
            }
            this.#waiting.push({ resolve, reject });
            this.#child.stdin.write(JSON.stringify(instruction) + '\n');
        });
    }

    /** Performs one action; throws if it fails. */
    async act(type, parameters = {}) {
        const response = await this.send({ type, ...parameters });
        if (!response.success) {
            throw new BrowserRunnerError(`${response.errorCode}: ${response.error}`, { response });
        }
        return response;
    }

    /** The responses from now on, until close(). */
    [Symbol.asyncIterator]() {
        this.#unread ??= [];
        return {
            next: async () => {
                if (this.#unread.length) {
                    return { value: this.#unread.shift(), done: false };
                }
                if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
                    await this.#end;
                    return this.#unread.length
                        ? { value: this.#unread.shift(), done: false }
                        : { value: undefined, done: true };
                }
                return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
            },
        };
    }

    /** Performs what was sent, closes the browser and returns the summary. */
    async close() {
        this.#child.stdin.end();
        await this.#end;
        return this.summary;
    }
}

export function open(options) {
    return new Stream(options);
}

/** Performs instructions one after the other, also after a failure, unless the limits of errors end the run. */
export async function run(instructions, options) {
    const stream = open(options);
    const sent = instructions.map((instruction) => stream.send(instruction));
    sent.forEach((response) => response.catch(() => {}));
    const summary = await stream.close();
    const settled = await Promise.allSettled(sent);
    return { responses: settled.filter(({ value }) => value).map(({ value }) => value), summary };
}
