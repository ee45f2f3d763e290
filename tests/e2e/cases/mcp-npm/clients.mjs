// Prints what each official client got from the server: the same calls by each.
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [program, url, packages, server, socket, ...options] = process.argv.slice(2);
const load = path => import(pathToFileURL(`${packages}/${path}`));
const one = await load("sdk/dist/esm/client/index.js");
const oneStdio = await load("sdk/dist/esm/client/stdio.js");
const two = await load("client/dist/index.mjs");
const twoStdio = await load("client/dist/stdio.mjs");
const start = { command: program, args: ["mcp", "--temp-profile", ...options], env: process.env };

/** The lines of stdio over a Unix socket. */
class SocketTransport {
    async start() {
        this.socket = connect(socket);
        createInterface({ input: this.socket }).on("line", line => this.onmessage(JSON.parse(line)));
        this.socket.on("error", error => this.onerror?.(error)).on("close", () => this.onclose?.());
    }

    async send(message) {
        this.socket.write(`${JSON.stringify(message)}\n`);
    }

    async close() {
        this.socket.end();
    }
}

async function use(client, transport) {
    transport.setProtocolVersion ??= version => { transport.protocolVersion = version; };
    await client.connect(transport);
    const { tools } = await client.listTools();
    const call = (name, args) => client.callTool({ name, arguments: args });
    const opened = await call("browser_open", { url });
    const session = /session (mcp-\w+)/.exec(opened.content[0].text)[1]; // needed over HTTP, allowed elsewhere
    const title = await call("browser_evaluate", { session, expression: "document.title" });
    const picture = await call("browser_screenshot", { session });
    const failed = await call("browser_act", { session, actions: [{ type: "click", selector: "#none", timeout: 300 }] });
    const unknown = await call("browser_nothing", {}).catch(error => error.code);
    const found = {
        version: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? client._negotiatedProtocolVersion,
        tools: tools.length, title: title.content[0].text, picture: picture.content[1].mimeType, failed: failed.isError,
        server: client.getServerVersion()?.name, unknown,
    };
    await call("browser_close", { session });
    await client.close();
    return found;
}

const info = { name: "case", version: "1" };
const found = { sdk1: await use(new one.Client(info), new oneStdio.StdioClientTransport(start)) };
const modes = { legacy: undefined, auto: { mode: "auto" }, pinned: { mode: { pin: "2026-07-28" } } };
for (const [name, versionNegotiation] of Object.entries(modes)) {
    found[name] = await use(new two.Client(info, { versionNegotiation }), new twoStdio.StdioClientTransport(start));
}
const oneHttp = await load("sdk/dist/esm/client/streamableHttp.js");
found.sdk1Socket = await use(new one.Client(info), new SocketTransport());
found.sdk1Http = await use(new one.Client(info), new oneHttp.StreamableHTTPClientTransport(new URL(server)));
for (const [name, versionNegotiation] of Object.entries(modes)) {
    found[`${name}Socket`] = await use(new two.Client(info, { versionNegotiation }), new SocketTransport());
    found[`${name}Http`] = await use(new two.Client(info, { versionNegotiation }), new two.StreamableHTTPClientTransport(new URL(server)));
}
console.log(JSON.stringify(found));
