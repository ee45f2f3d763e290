/*
 * The peer of relay.mjs: a relay for debug-bridge on Node's `ws` that does what section 7.3 of its
 * document describes. Each message is parsed, and written anew for each client of the other role.
 * Prints {"port":N} when it listens. `npm ci --prefix tests/widgets --ignore-scripts` fetches `ws`.
 */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const WIDGETS = resolve(import.meta.dirname, '../widgets/package.json');
const { WebSocketServer, WebSocket } = createRequire(WIDGETS)('ws');
const OPPOSITE = { app: 'agent', agent: 'app' };

const { values: options } = parseArgs({
    options: {
        port: { type: 'string', default: '0' },
        token: { type: 'string' }, // without it nobody is asked for one
        rate: { type: 'string', default: '0' }, // messages a second of a connection; 0: any number
    },
});
const interval = Number(options.rate) > 0 ? 1000 / Number(options.rate) : 0;
const sessions = new Map(); // id → Set of clients

function envelope(sessionId, fields) {
    return JSON.stringify({ protocolVersion: 1, sessionId, timestamp: Date.now(), origin: 'server', ...fields });
}

function sendTo(clients, text) {
    for (const { socket } of clients) {
        if (socket.readyState === WebSocket.OPEN) {
            socket.send(text);
        }
    }
}

function tellOfChange(clients, client, word) {
    const { role, sessionId, appId, agentId } = client;
    const members = [...clients];
    sendTo(members, envelope(sessionId, {
        type: 'connection_event',
        event: `${role}_${word}`,
        appId,
        agentId,
        connectedApps: members.filter((one) => one.role === 'app').map((one) => one.appId),
        connectedAgents: members.filter((one) => one.role === 'agent').length,
    }));
}

/** A message that comes too soon after the last one is answered, and goes no further. */
function isTooFast(client) {
    const now = Date.now();
    if (now - client.lastAt >= interval) {
        client.lastAt = now;
        return false;
    }
    client.socket.send(envelope(client.sessionId, {
        type: 'command_result',
        requestId: 'rate_limit',
        requestType: 'unknown',
        success: false,
        error: { code: 'RATE_LIMITED', message: 'this is faster than is allowed' },
        duration: 0,
    }));
    return true;
}

function pass(client, data) {
    if (interval && isTooFast(client)) {
        return;
    }
    let message;
    try {
        message = JSON.parse(data.toString());
    } catch {
        return;
    }
    for (const { role, socket } of sessions.get(client.sessionId) ?? []) {
        if (role === OPPOSITE[client.role] && socket.readyState === WebSocket.OPEN) {
            socket.send(JSON.stringify(message));
        }
    }
}

function leave(client) {
    const clients = sessions.get(client.sessionId);
    clients.delete(client);
    tellOfChange(clients, client, 'disconnected');
    if (clients.size === 0) {
        sessions.delete(client.sessionId);
    }
}

function join(socket, request) {
    const query = new URL(request.url, 'ws://localhost').searchParams;
    const role = query.get('role');
    const sessionId = query.get('sessionId');
    if (!role || !sessionId) {
        socket.close(4000, 'role and sessionId are needed');
        return;
    }
    if (options.token !== undefined && query.get('token') !== options.token) {
        socket.close(4001, 'a wrong token');
        return;
    }
    const id = randomBytes(4).toString('hex');
    const client = {
        socket,
        role,
        sessionId,
        appId: role === 'app' ? query.get('appId') ?? id : undefined,
        agentId: role === 'agent' ? id : undefined,
        lastAt: 0,
    };
    const clients = sessions.get(sessionId) ?? new Set();
    sessions.set(sessionId, clients.add(client));
    tellOfChange(clients, client, 'connected');
    socket.on('message', (data) => pass(client, data));
    socket.on('close', () => leave(client));
    socket.on('error', () => socket.terminate());
}

const server = new WebSocketServer({ port: Number(options.port), host: '127.0.0.1', path: '/debug' });
server.on('connection', join);
server.on('listening', () => console.log(JSON.stringify({ port: server.address().port })));
