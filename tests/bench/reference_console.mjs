/*
 * The peer of console_server.mjs: a printer for console-bridge on Node's `ws` that works as its specification's own
 * command line does. Each message is parsed, written as a line with time, host and level, objects as indented JSON,
 * and printed by `console.log`. It checks no more than the version, and knows no value's type. Prints {"port":N} to stderr
 * when it listens. `npm ci --prefix tests/widgets --ignore-scripts` fetches `ws`.
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const WIDGETS = resolve(import.meta.dirname, '../widgets/package.json');
const { WebSocketServer } = createRequire(WIDGETS)('ws');

const two = (number) => String(number).padStart(2, '0');

function timeOf(timestamp) {
    const date = new Date(timestamp);
    return `[${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}]`;
}

function hostOf(url) {
    try {
        const { hostname, port } = new URL(url);
        return `[${hostname}:${port || 80}]`;
    } catch {
        return `[${url}]`;
    }
}

const shown = (value) => (value !== null && typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value));

function print({ timestamp, source, payload }) {
    const said = payload.args.map(({ value }) => shown(value)).join(' ');
    console.log([timeOf(timestamp), hostOf(source.url), `${payload.method}:`, said].join(' '));
}

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('connection', (socket) => {
    socket.on('message', (data) => {
        const message = JSON.parse(data);
        if (message.version === '1.0.0' && message.type === 'console_event') {
            print(message);
        }
    });
});
server.on('listening', () => console.error(JSON.stringify({ port: server.address().port })));
