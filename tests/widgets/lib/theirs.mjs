// Playwright with the same browser, as its users write it.
import { stripVTControlCharacters } from 'node:util';

import { chromium } from 'playwright-core';

export class Theirs {
    name = 'playwright';
    #browser;
    #page;

    static async start({ chrome }) {
        const side = new Theirs();
        side.#browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox'] });
        side.#page = await side.#browser.newPage();
        return side;
    }

    async open(url) {
        // A timer of the step before may still lead elsewhere.
        this.#page.setDefaultTimeout(30_000);
        await this.#page.goto(url);
    }

    evaluate(expression) {
        return this.#page.evaluate(expression);
    }

    async act({ theirs }, timeout) {
        this.#page.setDefaultTimeout(timeout);
        let result;
        try {
            result = await theirs(this.#page);
        } catch (error) {
            return { error: stripVTControlCharacters(error.message).split('\n').slice(0, 3).join(' ') };
        }
        return { result };
    }

    async stop() {
        await this.#browser?.close();
    }
}
