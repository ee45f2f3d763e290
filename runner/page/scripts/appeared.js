/* include around.js */
    /*
     * Returns what the document has announced since it was last asked: texts of alerts, status
     * messages and live regions that are new or have changed, and dialogs that have appeared, as
     * { role, name, text }. In a new document, live regions without a role are content, not news.
     * An earlier answer may have been discarded: items are repeated until their number comes back.
     */
    const appeared = (taken) => {
        const ANNOUNCING = 'dialog, output, [role=alert], [role=status], [role=dialog], [role=alertdialog], ' +
            '[aria-live=polite], [aria-live=assertive]';
        const MAX_ITEMS = 10;
        const MAX_TEXT = 200;
        const MAX_ELEMENTS = 10000; /* in larger documents, shadow roots are not searched */
        const news = globalThis.browserRunnerNews ??= { number: 0, items: [] };
        const read = (element, name) => Element.prototype.getAttribute.call(element, name);
        const roleOf = (element) => {
            const [role] = (read(element, 'role') ?? '').trim().split(/\s+/);
            return /^(alert|status|dialog|alertdialog)$/.test(role) ? role
                : element instanceof HTMLDialogElement ? 'dialog'
                    : element instanceof HTMLOutputElement ? 'status' : '';
        };
        const cut = (text) => {
            const said = text.trim().replace(/\s+/g, ' ').toWellFormed();
            return said.length > MAX_TEXT ? `${said.slice(0, MAX_TEXT).toWellFormed()}\u2026` : said;
        };
        const nameOf = (element) => {
            const root = element.getRootNode();
            const ids = (read(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
            return cut(ids.map((id) => root.getElementById?.(id)?.textContent ?? '').join(' ') ||
                (read(element, 'aria-label') ?? ''));
        };
        const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) &&
            !element.closest('[aria-hidden=true]') && !isKeptFromModels(element);
        const rootsIn = (doc) => {
            const roots = [doc];
            const all = doc.getElementsByTagName('*');
            for (let i = 0; all.length <= MAX_ELEMENTS && i < roots.length; i++) {
                for (const element of roots[i].querySelectorAll('*')) {
                    if (element.shadowRoot) {
                        roots.push(element.shadowRoot);
                    }
                }
            }
            return roots;
        };
        const documents = [document];
        for (let i = 0; i < documents.length; i++) {
            for (const frame of documents[i].querySelectorAll('iframe, frame')) {
                if (frame.contentDocument) {
                    documents.push(frame.contentDocument);
                }
            }
        }

        const now = new Map(); /* the shown texts, by element */
        for (const element of documents.flatMap(rootsIn).flatMap((root) => [...root.querySelectorAll(ANNOUNCING)])) {
            const text = isShown(element) && cut(element.innerText ?? '');
            if (text) {
                now.set(element, text);
            }
        }
        const isNews = ([element, text]) => !news.known ? roleOf(element)
            : /dialog$/.test(roleOf(element)) ? !news.known.has(element) : news.known.get(element) !== text;
        const changed = [...now].filter(isNews);
        /* Reports a dialog instead of its content; otherwise the innermost element. */
        const isShownByOther = (element) => changed.some(([other]) => other !== element &&
            (/dialog$/.test(roleOf(other)) ? other.contains(element)
                : !/dialog$/.test(roleOf(element)) && element.contains(other)));
        news.known = now;
        if (taken === news.number) {
            news.items = [];
        }
        news.items.push(...changed.filter(([element]) => !isShownByOther(element)).map(([element, text]) => {
            const name = nameOf(element);
            return {
                role: roleOf(element) || (read(element, 'aria-live') === 'assertive' ? 'alert' : 'status'),
                name: name || undefined,
                text: (text.startsWith(name) && text.slice(name.length).trim()) || text,
            };
        }));
        news.items.length = Math.min(news.items.length, MAX_ITEMS);
        news.number += news.items.length ? 1 : 0;
        return { number: news.number, items: news.items };
    };
