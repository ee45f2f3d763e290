// A second client of a browser: it looks at the page, and does nothing else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LIMIT_MS = 10_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function within(promise, ms, what) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what}: no answer within ${ms} ms`)), ms);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** One page, by the port that the browser with this profile listens on. */
export class Truth {
    #port;
    #socket;
    #target;
    #calls = new Map();
    #last = 0;

    constructor(port) {
        this.#port = port;
    }

    static async of(profile) {
        const file = join(profile, 'DevToolsActivePort');
        for (let left = 200; ; left--) {
            try {
                return new Truth(Number((await readFile(file, 'utf8')).split('\n')[0]));
            } catch (error) {
                if (left === 0) {
                    throw error;
                }
                await pause(50);
            }
        }
    }

    /** Looks at the page that there is now. */
    async attach() {
        const list = await (await fetch(`http://127.0.0.1:${this.#port}/json/list`)).json();
        const page = list.find(({ type }) => type === 'page');
        if (page.id === this.#target && this.#socket.readyState === WebSocket.OPEN) {
            return;
        }
        this.#socket?.close();
        this.#target = page.id;
        this.#socket = new WebSocket(page.webSocketDebuggerUrl);
        this.#socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
        await within(new Promise((resolve, reject) => {
            this.#socket.onopen = resolve;
            this.#socket.onerror = reject;
        }), LIMIT_MS, 'DevTools');
    }

    #take({ id, result, error }) {
        const call = this.#calls.get(id);
        this.#calls.delete(id);
        if (error) {
            call?.reject(new Error(error.message));
        } else if (result?.exceptionDetails) {
            const { exception, text } = result.exceptionDetails;
            call?.reject(new Error(exception?.description ?? text));
        } else {
            call?.resolve(result?.result?.value);
        }
    }

    /** The value of an expression in the page. */
    async evaluate(expression) {
        const id = ++this.#last;
        const answer = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
        this.#socket.send(JSON.stringify({
            id,
            method: 'Runtime.evaluate',
            params: { expression, returnByValue: true, awaitPromise: true },
        }));
        return within(answer, LIMIT_MS, expression);
    }

    close() {
        this.#socket?.close();
    }
}
