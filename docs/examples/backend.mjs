// node backend.mjs ws://127.0.0.1:9226/actions http://localhost:3000/
import { writeFileSync } from 'node:fs';

const [address, page] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.BROWSER_RUNNER_TOKEN ?? ''}` };
const socket = new WebSocket(address, { headers });
const waiting = []; // callbacks of the instructions that wait for a response, in order
const chunks = new Map(); // parts of base64 that was too long for one line

socket.onmessage = ({ data }) => {
    const line = JSON.parse(data);
    if (line.kind === 'chunk') {
        chunks.set(line.id, (chunks.get(line.id) ?? '') + line.data);
    } else if (line.kind === 'response') {
        const { resolve, reject } = waiting.shift();
        line.success ? resolve(line) : reject(new Error(`${line.errorCode}: ${line.error}`));
    } else {
        console.log(data); // opened, subscribe, event, cancel, error
    }
};

function act(type, parameters) {
    socket.send(JSON.stringify({ type, ...parameters }));
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

function picture({ screenshots, captures }) {
    const id = captures.post.chunks?.id;
    return Buffer.from(id ? chunks.get(id) : screenshots.post.source.data, 'base64');
}

await new Promise((open, fail) => Object.assign(socket, { onopen: open, onerror: fail }));
socket.send(JSON.stringify({ kind: 'subscribe', events: ['logs'] }));
console.log((await act('start', { url: page })).title);
console.log((await act('snapshot', { interactive: true })).result.text);
const shot = await act('screenshot', { format: 'png' });
writeFileSync('page.png', picture(shot));
const long = act('wait', { ms: 60000, timeout: 70000 });
socket.send(JSON.stringify({ kind: 'cancel', id: shot.id + 1 }));
await long.catch((error) => console.log(error.message));
socket.close();
