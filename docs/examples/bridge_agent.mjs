// node bridge_agent.mjs ws://localhost:4000/debug dev
const [address, session] = process.argv.slice(2);
const socket = new WebSocket(`${address}?role=agent&sessionId=${session}`);
const waiting = new Map(); // commands without a result, by their requestId
let count = 0;

socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'command_result') {
        waiting.get(message.requestId)?.(message);
    } else if (message.type === 'console') {
        console.log(`${message.appId} ${message.level}: ${message.args.join(' ')}`);
    }
};

function send(type, fields) {
    const requestId = `node-${++count}`;
    socket.send(JSON.stringify({ type, requestId, ...fields }));
    return new Promise((resolve) => waiting.set(requestId, resolve));
}

await new Promise((open, fail) => Object.assign(socket, { onopen: open, onerror: fail }));
const heard = new Promise((resolve) => socket.addEventListener('message', ({ data }) =>
    JSON.parse(data).type === 'console' && resolve()));
const { success } = await send('click', { target: { text: 'Refresh', role: 'button' } });
console.log('click', success);
await heard;
socket.close();
