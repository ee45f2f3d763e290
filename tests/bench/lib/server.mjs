// The bench's pages over HTTP, in a thread of its own, so that no contestant's Node waits for it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const PAGE = new URL('../pages/form.html', import.meta.url);
const NOTHING = '<!DOCTYPE html>\n'; // without a body Chrome would show a page of its own
const TYPES = { '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

/** The bodies of `pages`, by path. Resolves to { url, close }. */
export async function servePages(pages) {
    const worker = new Worker(new URL(import.meta.url), { workerData: pages });
    const port = await new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
    });
    return { url: `http://127.0.0.1:${port}/`, close: () => worker.terminate() };
}

export const servePage = () => servePages(new Map([['/', readFileSync(PAGE)]]));

if (!isMainThread) {
    const server = createServer(({ url }, response) => {
        const path = decodeURIComponent(url.split('?')[0]);
        const body = workerData.get(path);
        response.writeHead(body === undefined ? 404 : 200,
            { 'content-type': TYPES[extname(path)] ?? 'text/html; charset=utf-8' });
        response.end(body ?? NOTHING);
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}
