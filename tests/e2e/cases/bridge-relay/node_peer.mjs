// A peer on npm's ws: sends the lines of stdin as messages, prints what comes as lines.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { WebSocket } = await import(pathToFileURL(process.argv[3]));
const socket = new WebSocket(process.argv[2]);
socket.on('message', (data) => console.log(String(data)));
socket.on('close', (code) => process.exit(code === 1000 || code === 1005 ? 0 : 1));
socket.on('open', async () => {
    for await (const line of createInterface({ input: process.stdin })) {
        socket.send(line);
    }
    socket.close();
});
