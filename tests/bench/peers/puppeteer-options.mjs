/** Puppeteer's own switches; the pipe, since it is the faster of its two transports. */
export function launchOptions(chrome, kind) {
    return {
        executablePath: chrome,
        headless: kind === 'shell' ? 'shell' : true,
        pipe: true,
        defaultViewport: { width: 1280, height: 720 },
        args: process.getuid() === 0 ? ['--no-sandbox'] : [],
    };
}
