// The bench's pages over HTTP, in a thread of its own, so that no contestant's Node waits for it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const PAGE = new URL('../pages/form.html', import.meta.url);

/** Resolves to { url, close }. */
export async function servePage() {
    const worker = new Worker(new URL(import.meta.url));
    const port = await new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
    });
    return { url: `http://127.0.0.1:${port}/`, close: () => worker.terminate() };
}

if (!isMainThread) {
    const body = readFileSync(PAGE);
    const server = createServer((request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length });
        response.end(body);
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}
