// The least that a CDP client over Chrome's pipe can be: the measure of what the browser takes.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class PipeClient {
    #child;
    #profile;
    #rest = [];
    #lastId = 0;
    #calls = new Map();
    #waits = new Map();

    /** Starts `chrome` with `switches`; --user-data-dir and the pipe are set here. */
    constructor(chrome, switches) {
        this.#profile = mkdtempSync(join(tmpdir(), 'bench-pipe-'));
        this.#child = spawn(
            chrome,
            [...switches, '--remote-debugging-pipe', `--user-data-dir=${this.#profile}`],
            { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
        );
        this.#child.stdio[3].on('error', () => {});
        this.#child.stdio[4].on('data', (data) => this.#take(data));
    }

    #take(data) {
        let start = 0;
        for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, start)) {
            this.#rest.push(data.subarray(start, end));
            this.#dispatch(JSON.parse(Buffer.concat(this.#rest).toString('utf8')));
            this.#rest = [];
            start = end + 1;
        }
        this.#rest.push(data.subarray(start));
    }

    #dispatch(message) {
        const call = this.#calls.get(message.id);
        if (call) {
            this.#calls.delete(message.id);
            call(message);
            return;
        }
        this.#waits.get(message.method)?.(message.params);
    }

    async send(method, params = {}, sessionId = this.sessionId) {
        const id = ++this.#lastId;
        const reply = new Promise((resolve) => this.#calls.set(id, resolve));
        this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        const { result, error } = await reply;
        if (error) {
            throw new Error(`${method}: ${error.message}`);
        }
        return result;
    }

    #event(method) {
        return new Promise((resolve) => this.#waits.set(method, resolve));
    }

    /** A page of the viewport's size at `url`, loaded. */
    async open(url, { width, height }) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const attached = await this.send('Target.attachToTarget', { targetId, flatten: true });
        this.sessionId = attached.sessionId;
        await this.send('Page.enable');
        await this.send('Emulation.setDeviceMetricsOverride', {
            width,
            height,
            deviceScaleFactor: 1,
            mobile: false,
        });
        const loaded = this.#event('Page.loadEventFired');
        await this.send('Page.navigate', { url });
        await loaded;
    }

    async screenshot(params) {
        const { data } = await this.send('Page.captureScreenshot', params);
        return Buffer.from(data, 'base64');
    }

    async close() {
        const ended = new Promise((resolve) => this.#child.on('exit', resolve));
        process.kill(-this.#child.pid, 'SIGKILL');
        await ended;
        rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
    }
}
