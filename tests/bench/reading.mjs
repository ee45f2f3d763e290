// What `content` with format main takes for the main part of a page, against Mozilla's Readability.
// node tests/bench/reading.mjs --program build/release/browser-runner [--chrome PATH] [--verbose] [--articles 61d8052b,…]
//
// Eight articles of newspapers, magazines and agencies as they were on the web (npm: htmlparser-benchmark), and two
// pages of our own. Readability gets the same document that `content` with format html prints. Words that both
// have count as often as they come: recall is their share of Readability's, precision of ours.
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Readability } from '@mozilla/readability';
import { JSDOM } from 'jsdom';
import { Runner } from './lib/runner.mjs';
import { servePages } from './lib/server.mjs';

const { values: options } = parseArgs({
    options: { program: { type: 'string' }, chrome: { type: 'string' }, verbose: { type: 'boolean' },
        articles: { type: 'string' } },
});
if (!options.program) {
    process.stderr.write('reading: --program is missing\n');
    process.exit(2);
}

// By the first digits of their names.
const ARTICLES = options.articles?.split(',') ?? ['c052ce8c', '5bc9df3a', 'b84ec657', '783f9f0f', '61d8052b', '7e2d19cc', 'd6e0caad', '93a36c0d'];
const FILES = new URL('node_modules/htmlparser-benchmark/files/', import.meta.url);
const OWN = ['fixtures/pages/training/article.html', 'fixtures/pages/long/index.html'];
const ROOT = new URL('../../', import.meta.url);

const names = readdirSync(FILES);
const pages = new Map();
for (const begin of ARTICLES) {
    const name = names.find((one) => one.startsWith(begin));
    // What these pages ask for is not there any more, and scripts would wait for it.
    const text = readFileSync(new URL(name, FILES), 'utf8').replace(/<(script|iframe|object)\b[\s\S]*?<\/\1>/gi, '')
        .replace(/<(?:link|img|embed)\b[^>]*>/gi, '');
    pages.set(`/${begin}.html`, text);
}
for (const path of OWN) {
    pages.set(`/${path}`, readFileSync(new URL(path, ROOT), 'utf8'));
}
pages.set('/fixtures/pages/training/words.js', readFileSync(new URL('fixtures/pages/training/words.js', ROOT), 'utf8'));

const plain = (markdown) => markdown.replace(/!\[[^\]]*\]\([^)]*\)/g, ' ').replace(/\]\([^)]*\)/g, ' ').replace(/\\(.)/g, '$1');
/* Readability joins the texts of blocks without anything between them. */
const textOf = (html) => {
    const { window } = new JSDOM(html ?? '');
    const walker = window.document.createTreeWalker(window.document.body, window.NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
        texts.push(walker.currentNode.data);
    }
    return texts.join(' ');
};
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const countOf = (words) => words.reduce((counts, word) => counts.set(word, (counts.get(word) ?? 0) + 1), new Map());
const common = (one, other) => {
    const counts = countOf(other);
    return [...countOf(one)].reduce((sum, [word, count]) => sum + Math.min(count, counts.get(word) ?? 0), 0);
};
const percent = (part, whole) => `${(100 * part / Math.max(whole, 1)).toFixed(1).padStart(6)} %`;

const { url, close } = await servePages(pages);
const runner = new Runner(options.program, ['--screenshots', 'none', ...(options.chrome ? ['--chrome', options.chrome] : [])]);
const sums = { both: 0, ours: 0, theirs: 0, least: 1 };
console.log('page                                     chosen by   words ours  theirs     recall  precision     F1');
for (const path of [...pages.keys()].filter((one) => one.endsWith('.html'))) {
    await runner.act(sums.ours ? 'navigate' : 'start', `<url>${url}${path.slice(1)}</url>`);
    const main = (await runner.act('content', '<format>main</format><maxLength>1000000</maxLength>')).result;
    const html = (await runner.act('content', '<format>html</format><maxLength>10000000</maxLength>')).result;
    const dom = new JSDOM(html.content, { url: html.url });
    const article = new Readability(dom.window.document).parse();
    const ours = wordsOf(plain(main.content));
    const theirs = wordsOf(textOf(article?.content));
    const both = common(ours, theirs);
    const f1 = 2 * both / Math.max(ours.length + theirs.length, 1);
    sums.both += both;
    sums.ours += ours.length;
    sums.theirs += theirs.length;
    sums.least = Math.min(sums.least, f1);
    console.log(`${path.padEnd(40)} ${main.chosenBy.padEnd(10)} ${String(ours.length).padStart(11)} ` +
        `${String(theirs.length).padStart(7)}  ${percent(both, theirs.length)}  ${percent(both, ours.length)}  ${percent(2 * both, ours.length + theirs.length)}`);
    if (options.verbose) {
        console.log(`--- ours\n${main.content}\n--- Readability\n${article?.textContent.replace(/\s*\n\s*/g, '\n')}\n---`);
    }
}
console.log(`${'all'.padEnd(51)} ${String(sums.ours).padStart(11)} ${String(sums.theirs).padStart(7)}  ` +
    `${percent(sums.both, sums.theirs)}  ${percent(sums.both, sums.ours)}  ${percent(2 * sums.both, sums.ours + sums.theirs)}`);
console.log(`least F1 of a page: ${percent(sums.least, 1).trim()}`);
await runner.close?.();
await close();
