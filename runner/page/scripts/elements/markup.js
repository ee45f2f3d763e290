    /*
     * Returns the present markup of the document by the rules for serialising HTML, with open
     * shadow roots as `<template shadowrootmode>`. The content of private fields is replaced by
     * `***`, and what is kept from models by a comment.
     */
    const attributeOf = ownOf(Element, 'getAttribute');
    const attributeNamesOf = ownOf(Element, 'getAttributeNames');
    const shadowRootOf = ownOf(Element, 'shadowRoot');
    const nameSpaceOf = ownOf(Element, 'namespaceURI');
    const tagOf = ownOf(Element, 'localName');

    const EMPTY = /^(area|base|basefont|bgsound|br|col|embed|frame|hr|img|input|keygen|link|meta|param|source|track|wbr)$/;
    const UNESCAPED = /^(iframe|noembed|noframes|noscript|plaintext|script|style|xmp)$/;
    const ENTITIES = { '&': '&amp;', '\u00a0': '&nbsp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
    const escaped = (said, which) => said.replace(which, (character) => ENTITIES[character]);

    const shownAttribute = (element, name) => {
        const value = attributeOf(element, name);
        return name === 'value' && value && isPrivate(element) ? '***' : value;
    };

    const openingTag = (element, hasScripts) => {
        const attributes = attributeNamesOf(element).filter((name) => hasScripts || !/^(on|style$)/i.test(name)).map((name) =>
            ` ${name}="${escaped(shownAttribute(element, name), /[&\u00a0"<>]/g)}"`);
        return `<${tagOf(element)}${attributes.join('')}>`;
    };

    /* Returns whether its content was typed or chosen and is private. */
    const holdsPrivate = (node) => node instanceof HTMLElement &&
        (node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement || node.isContentEditable) &&
        isPrivate(node);
    const isMarkedOff = (node, query) => !query.ignoreNoAi &&
        (hasAttributeOf(node, 'data-no-ai') || Boolean(slotOf(node) && isKeptFromModels(slotOf(node))));

    /* Returns what is between the tags of a node: nodes, and finished text. */
    const contentOf = (node) => {
        if (holdsPrivate(node) && node.textContent) {
            return ['***'];
        }
        const root = node instanceof Element ? shadowRootOf(node) : null;
        const own = [...childNodesOf(node instanceof HTMLTemplateElement ? node.content : node)];
        return root ? [`<template shadowrootmode="${root.mode}">`, ...childNodesOf(root), '</template>', ...own] : own;
    };

    /* Not recursive: a page may be nested deeper than the stack allows. */
    const isScript = (node) => node instanceof Comment || (node instanceof Element &&
        (/^(script|style|noscript)$/.test(tagOf(node)) || (tagOf(node) === 'link' && /stylesheet|load|prefetch/i.test(attributeOf(node, 'rel')))));
    const writeMarkup = (nodes, query, hasScripts = true) => {
        const left = [...nodes].reverse();
        let text = '';
        let leftOut = 0;
        while (left.length) {
            const node = left.pop();
            if (typeof node === 'string') {
                text += node;
            } else if (!hasScripts && isScript(node)) {
                continue;
            } else if (node instanceof Text) {
                const parent = parentNodeOf(node);
                const isRaw = parent instanceof HTMLElement && UNESCAPED.test(tagOf(parent));
                text += isRaw ? node.data : escaped(node.data, /[&\u00a0<>]/g);
            } else if (node instanceof Comment) {
                text += `<!--${node.data}-->`;
            } else if (node instanceof DocumentType) {
                text += `<!DOCTYPE ${node.name}>`;
            } else if (node instanceof Element && isMarkedOff(node, query)) {
                text += '<!-- left out: data-no-ai -->';
                leftOut++;
            } else if (node instanceof Element) {
                text += openingTag(node, hasScripts);
                if (!(EMPTY.test(tagOf(node)) && nameSpaceOf(node) === 'http://www.w3.org/1999/xhtml')) {
                    left.push(`</${tagOf(node)}>`);
                    left.push(...contentOf(node).reverse());
                }
            }
        }
        return { text, leftOut };
    };

    /* Cuts a text to `most` UTF-16 units; `length` is the original length. */
    const cutText = (text, most) => ({
        text: (text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text).toWellFormed(),
        length: text.length,
    });

    const metadataOf = () => {
        const MAX = 1000;
        const metadata = {};
        const add = (name, value) => {
            if (value && !metadata[name]) {
                metadata[name] = value.trim().slice(0, MAX).toWellFormed();
            }
        };
        add('language', document.documentElement?.lang);
        add('canonical', document.querySelector('link[rel=canonical]')?.href);
        for (const meta of [...document.querySelectorAll('meta[name], meta[property]')].slice(0, 200)) {
            const name = (meta.getAttribute('name') ?? meta.getAttribute('property')).toLowerCase();
            if (/^(author|description|keywords|generator|robots|(og|article|twitter):[\w:.-]+)$/.test(name)) {
                add(name, meta.content);
            }
        }
        return metadata;
    };

    /*
     * Returns the markup of the element, or of the document, at most `maxLength` of it (0: none),
     * and the document's metadata.
     */
    const markup = (found, { maxLength, hasScripts }) => {
        const isWhole = !isNamed(found.query);
        if (!isWhole) {
            take(found);
            found.node = found.element;
        }
        const nodes = isWhole ? childNodesOf(document) : [found.element];
        const { text, leftOut } = maxLength ? writeMarkup(nodes, found.query, hasScripts) : { text: '', leftOut: 0 };
        return { ...cutText(text, maxLength), leftOut, url: location.href.slice(0, 4096).toWellFormed(),
            title: document.title.slice(0, 1000).toWellFormed(), metadata: metadataOf() };
    };
