// A client as the protocol describes it: a map of what waits, by ids of its own. Arguments: URL, page.
const { default: WebSocket = globalThis.WebSocket } = await import('ws').catch(() => ({}));

class Client {
    #waiting = new Map();
    #last = 0;

    constructor(address) {
        this.socket = new WebSocket(address);
        this.opened = new Promise((open, fail) => Object.assign(this.socket, { onopen: open, onerror: fail }));
        this.socket.onmessage = ({ data }) => {
            const reply = JSON.parse(String(data));
            const { done, fail } = this.#waiting.get(reply.id);
            this.#waiting.delete(reply.id);
            if (reply.success) {
                done(reply.result ?? reply);
            } else {
                fail(new Error(reply.error));
            }
        };
    }

    send(method, params = {}) {
        const id = `msg_${++this.#last}`;
        return new Promise((done, fail) => {
            this.#waiting.set(id, { done, fail });
            this.socket.send(JSON.stringify({ id, method, params }));
        });
    }
}

const [address, page] = process.argv.slice(2);
const client = new Client(`${address}?name=node`);
await client.opened;
const version = await client.send('get_extension_version');
const { tabId } = await client.send('create_tab', { url: page });
const many = await Promise.all(Array.from({ length: 30 }, (_, i) => client.send('evaluate_js', { tabId, code: `${i} * 2` })));
const content = await client.send('get_page_content', { tabId });
const picture = await client.send('get_screenshot', { tabId, full_page: true });
const why = await client.send('click', { tabId: 4711, selector: 'a' }).catch((error) => error.message);
const closed = await client.send('close_tab', { tabId });
client.socket.close();
console.log(JSON.stringify({
    name: version.result.extension_name, tabId, many: many.map(({ result }) => result), title: content.title,
    picture: Buffer.from(picture.image_data, 'base64').subarray(1, 4).toString(), why, closed: closed.action,
}));
