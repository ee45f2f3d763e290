// What the snapshot's bench looks at: made pages of cards, files of a corpus, and their words.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = ['amber', 'basket', 'cedar', 'drift', 'ember', 'fennel', 'granite', 'harbor', 'iris',
    'juniper', 'kettle', 'linen', 'marble', 'nettle', 'ochre', 'pebble', 'quartz', 'ridge', 'slate',
    'thistle', 'umber', 'velvet', 'willow', 'yarrow', 'zephyr'];
const ELEMENTS_OF_A_CARD = 9; // three of them are operated
const ELEMENTS_AROUND = 7;

function words(seed, count) {
    return Array.from({ length: count }, (_, i) => WORDS[(seed * 7 + i * (3 + seed % 5)) % WORDS.length])
        .join(' ');
}

function card(number) {
    return `<article class="card"><h3><a href="/item/${number}">Item ${number} ${words(number, 2)}</a></h3>
<p>${words(number + 1, 12)}. <span class="price">${number % 90 + 9}.50</span></p>
<div class="row"><label>Quantity <input type="number" name="q${number}" value="1"></label>
<button type="button">Add item ${number}</button></div></article>\n`;
}

/** A page of about so many elements; #changing is what a caller changes between two looks. */
export function makeCards(elements) {
    const count = Math.round((elements - ELEMENTS_AROUND) / ELEMENTS_OF_A_CARD);
    const cards = Array.from({ length: count }, (_, i) => card(i + 1)).join('');
    return `<!DOCTYPE html><html lang="en"><head><title>${elements} elements</title>
<style>body{font:14px sans-serif;margin:0}main{display:grid;grid-template-columns:repeat(4,1fr);gap:8px}
.card{border:1px solid #ccc;padding:8px}.row{display:flex;gap:8px}input{width:60px}</style></head>
<body><h1 id="changing">State 0</h1><main>${cards}</main></body></html>`;
}

/** The HTML files of a folder, and what lies beside them: name within it → contents. */
export function readCorpus(folder) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort();
    return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}

// Scripts that have no spaces between words are taken by the letter.
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}])+/gu;

/** How often each word is in a text, in any case. */
function countWords(text) {
    const counts = new Map();
    for (const [word] of text.toLowerCase().matchAll(WORD)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
}

/** The bytes of a text whose spaces are single ones. */
export const bytesOfWords = (text) => Buffer.byteLength(text.replace(/\s+/g, ' '));

/** The share of the words of `seen` that `text` has, each as often as it is seen. */
export function wordShare(seen, text) {
    const wanted = countWords(seen);
    const found = countWords(text);
    let all = 0;
    let there = 0;
    for (const [word, count] of wanted) {
        all += count;
        there += Math.min(count, found.get(word) ?? 0);
    }
    return all === 0 ? 1 : there / all;
}

/**
 * Runs in a page: the text that a person sees of this document and of open shadow roots in it, but
 * for what is left out on purpose. Of a closed list only the chosen option is seen.
 */
export function visibleText() {
    const parts = [];
    let around; // the block or link that the last text is in: within it only spaces part words
    const blockOf = (element) => {
        while (element && element.localName !== 'a' && getComputedStyle(element).display === 'inline') {
            element = element.parentElement;
        }
        return element;
    };
    const isSeen = (text, parent) => {
        if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
            parent.closest('script, style, noscript, textarea, svg title, [data-no-ai]')) {
            return false;
        }
        const option = parent.closest('option');
        const list = option?.closest('select');
        if (list && list.size <= 1 && !list.multiple) {
            return option.selected;
        }
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()].some(({ width, height }) => width > 0 && height > 0);
    };
    const walk = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (node.nodeType === Node.TEXT_NODE) {
                const parent = node.parentElement ?? node.getRootNode().host;
                if (isSeen(node, parent)) {
                    const block = blockOf(parent);
                    parts.push(block === around ? '' : ' ', node.data);
                    around = block;
                }
            } else if (node.localName === 'br') {
                parts.push(' ');
            } else if (node.shadowRoot) {
                walk(node.shadowRoot);
            }
        }
    };
    walk(document.documentElement);
    return parts.join('');
}
