// browser-runner held open: instructions go in, answer lines come out.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export class Runner {
    #child;
    #rest = [];
    #waiting;

    constructor(program, args) {
        this.#child = spawn(program, ['run', '-', '--temp-profile', ...args], {
            stdio: ['pipe', 'pipe', 'inherit'],
        });
        this.#child.stdin.write('<batch>\n');
        this.#child.stdout.on('data', (data) => this.#take(data));
    }

    get pid() {
        return this.#child.pid;
    }

    #take(data) {
        let start = 0;
        for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
            this.#rest.push(data.subarray(start, end));
            this.#waiting?.(Buffer.concat(this.#rest));
            this.#rest = [];
            start = end + 1;
        }
        this.#rest.push(data.subarray(start));
    }

    /** Actions of { type, parameters }, all written at once; resolves to their responses. */
    async batch(actions) {
        const responses = [];
        const ended = new Promise((resolve) => {
            this.#waiting = (line) => {
                responses.push(JSON.parse(line.toString('utf8')));
                if (responses.length === actions.length) {
                    resolve();
                }
            };
        });
        this.#child.stdin.write(actions.map(({ type, parameters }) =>
            `<browser_action><type>${type}</type>${parameters}</browser_action>\n`).join(''));
        await ended;
        for (const { success, type, error } of responses) {
            if (!success) {
                throw new Error(`browser-runner ${type}: ${error}`);
            }
        }
        return responses;
    }

    /** One action; resolves to its response. */
    async act(type, parameters = '') {
        const [response] = await this.batch([{ type, parameters }]);
        return response;
    }

    async screenshot() {
        const { screenshots } = await this.act('screenshot');
        return Buffer.from(screenshots.post.source.data, 'base64');
    }

    /** The switches of the Chrome that it started, as far as they are not of this one start. */
    chromeSwitches() {
        for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
            try {
                const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
                const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
                const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
                const isChrome = args.some((arg) => arg.startsWith('--remote-debugging-pipe'));
                if (parent === this.pid && isChrome) {
                    return args.filter(
                        (arg) => arg.startsWith('--') && !/^--(user-data-dir|remote-)/.test(arg),
                    );
                }
            } catch {
                // A process that has ended meanwhile.
            }
        }
        throw new Error('the Chrome of browser-runner was not found');
    }

    async close() {
        this.#waiting = undefined;
        const ended = new Promise((resolve) => this.#child.on('exit', resolve));
        this.#child.stdin.end('</batch>\n');
        await ended;
    }
}
