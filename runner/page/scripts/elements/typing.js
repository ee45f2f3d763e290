    /*
     * Checks the result of typing, line by line: a line break or a tab is a key pressed between two
     * lines. Returns { error } if the text did not arrive, { warning } if it arrived differently.
     * The field that focus() found, if any, is passed until something was typed.
     */
    const LATE_TEXT_MS = 300; /* time limit for an editor to show typed text */
    const UNDO_TYPED_MS = 30; /* time limit for callbacks of a page to undo keys */

    /*
     * State of the last line: the focused element, what it `held` before, and what was `left` in it
     * after the line.
     */
    let typed;
    let keyDown; /* the last one; undefined: not listening yet */

    const fieldOf = (held) => held?.found.element;
    const isField = (element) => Boolean(element) && takesText(element);
    const isMultiLine = (element) => isField(element) && !(element instanceof HTMLInputElement);
    const until = async (isTrue) => {
        for (const end = performance.now() + LATE_TEXT_MS; !isTrue() && performance.now() < end;) {
            await pause(20);
        }
    };

    const ownText = (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.value : element.editContext ? element.editContext.text : element.innerText;
    const heldBy = (element) => {
        const standIn = isSetWhole(element) ? null : standInFor(element);
        /* The browser writes to the EditContext, whatever the editor makes of it. */
        return standIn && element.editContext ? standIn.innerText
            : (standIn ? `${standIn.innerText}\n` : '') + ownText(element);
    };

    /* Normalises text: editors write spaces, line ends and caret placeholders in different ways. */
    const readable = (said) => said.replace(/[\u200b\u200c\ufeff]/g, '').replace(/\s+/g, ' ').trim();
    const holds = (element, held, said) => held.includes(said) ||
        (isMultiLine(element) && readable(held).includes(readable(said)));

    /*
     * Returns whether the text is meant for this field alone: small fields may pass the focus on
     * after each key.
     */
    const isRoomy = (element, text) => {
        const { fontSize } = getComputedStyle(element);
        const limit = element.maxLength >= 0 ? element.maxLength : Infinity;
        return isField(element) && element.clientWidth > 6 * parseFloat(fontSize) &&
            heldBy(element).length + text.length <= limit;
    };

    /* Returns for a private field `isPrivate` and its `secret` content. */
    const secretOf = (element) => element && isPrivate(element)
        ? { isPrivate: true, secret: isField(element) ? heldBy(element).toWellFormed() : '' } : {};
    const quoted = (element, said) => {
        const MAX_SAID = 200;
        return isPrivate(element) || queryOf(element, '[data-no-ai]') ? 'other text'
            : JSON.stringify(said.length > MAX_SAID ? said.slice(0, MAX_SAID) + '\u2026' : said);
    };

    /* Examples of values for fields that are set as a whole. */
    const WHOLE_FORMS = { color: '#1a2b3c', date: '2026-11-03', 'datetime-local': '2026-11-03T07:08', month: '2026-11',
        time: '07:08', week: '2026-W45' };

    const twoDigits = (number) => String(number).padStart(2, '0');
    const dateOf = (text) => {
        const day = new Date(text);
        /* In 11/03/2026 it is unclear which number is the month. */
        return /^\s*\d\d?\D\d\d?\D/.test(text) || Number.isNaN(day.getTime()) ? ''
            : `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
    };
    /* Converts the text to a field's format if that is certain; else ''. */
    const IN_FORM = {
        color: (text) => {
            const context = document.createElement('canvas').getContext('2d');
            context.fillStyle = text;
            return CSS.supports('color', text) && /^#[\da-f]{6}$/.test(context.fillStyle) ? context.fillStyle : '';
        },
        date: dateOf,
        month: (text) => dateOf(text).slice(0, 7),
        time: (text) => {
            const [, hour, minute, half] = /^\s*(\d\d?)[:.h](\d\d)\s*([ap]m)?\s*$/i.exec(text) ?? [];
            const hours = half ? hour % 12 + (/p/i.test(half) ? 12 : 0) : Number(hour);
            return hours < 24 && minute < 60 ? `${twoDigits(hours)}:${minute}` : '';
        },
    };

    /* Returns the value that a field makes of the text, or why it cannot be its value. */
    const wholeValue = (field, text) => {
        const said = isPrivate(field) ? 'the text' : JSON.stringify(text);
        const probe = document.implementation.createHTMLDocument('').createElement('input');
        for (const { name, value } of field.attributes) {
            if (/^(type|min|max|step)$/.test(name)) {
                probe.setAttribute(name, value);
            }
        }
        probe.value = text;
        const isNumber = field.type === 'range';
        if (isNumber ? text.trim() === '' || Number(probe.value) !== Number(text)
            : field.type === 'color' ? probe.value !== text.toLowerCase() : !probe.value) {
            const { min, max, step } = field;
            const takes = isNumber
                ? `: it takes ${min || 0} to ${max || 100}` +
                    (step === 'any' ? '' : ` in steps of ${step || 1}`)
                : `: it takes such as ${WHOLE_FORMS[field.type]}`;
            const inForm = isPrivate(field) ? '' : IN_FORM[field.type]?.(text);
            return { error: `${said} is no value for a field of type ${field.type}${takes}`,
                hint: inForm ? `write it as ${inForm}` : 'write it in the form that the field takes' };
        }
        return { value: probe.value, isOutside: !probe.validity.valid };
    };

    const setWhole = (field, text) => {
        const { error, hint, value, isOutside } = wholeValue(field, text);
        if (error) {
            return { error, hint };
        }
        if (field.value !== value) {
            field.value = value;
            field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
            field.dispatchEvent(new Event('change', { bubbles: true }));
        }
        typed.value = value;
        return { isDone: true,
            ...(isOutside && { warning: `the field does not allow ${quoted(field, value)}` }) };
    };

    /*
     * Returns whether a line break is missing; a page that handles the key itself is not checked.
     */
    const missesBreak = async (active, key) => {
        const before = typed;
        const isMissed = () => active.isConnected && heldBy(active) === before.left && !keyDown.defaultPrevented;
        if (key !== '\n' || before?.active !== active || !isMultiLine(active)) {
            return false;
        }
        await until(() => !isMissed());
        return isMissed();
    };

    /*
     * Returns the lines that the field should contain by now; a page may consume each line, as
     * chats do.
     */
    const linesBefore = (active, key) => {
        const isSame = key && typed?.lines && typed.active === active && isField(active);
        return isSame && holds(active, heldBy(active), typed.lines.at(-1)) ? typed.lines : [];
    };

    /* Returns the fields that the focus may move to, with their contents. */
    const fieldsAround = (active) => active instanceof HTMLInputElement
        ? [...active.getRootNode().querySelectorAll('input, textarea')].filter((field) => takesText(field))
            .map((field) => ({ field, held: field.value })) : [];

    /* Returns the part of `now` that is not in `held`, by their common beginning and end. */
    const addedTo = (held, now) => {
        let start = 0;
        let end = 0;
        const most = Math.min(held.length, now.length);
        for (; start < most && held[start] === now[start]; start++);
        for (; end < most - start && held.at(-1 - end) === now.at(-1 - end); end++);
        return now.slice(start, now.length - end);
    };

    /*
     * Checks a text that was typed into several fields while the focus moved on. Ignores signs
     * between letters and digits: fields for the parts of a number omit the separators.
     */
    const compareFields = ({ active, fields }, text) => {
        const plain = (said) => said.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
        const begin = fields.findIndex(({ field }) => field === active);
        const joined = fields.slice(Math.max(begin, 0)).map(({ field }) => plain(field.value)).join('');
        const added = fields.map(({ field, held }) => plain(addedTo(held, field.value))).join('');
        const wanted = plain(text);
        return joined.includes(wanted) || added.length >= wanted.length
            ? { warning: 'the focus went on to another field while the text was typed' }
            : { isLate: true, error: `${added.length} of ${wanted.length} characters arrived: ` +
                'the focus went on to another field, which took no more' };
    };

    const beginLine = async ({ text, key }, active, wanted) => {
        const hasFocus = !wanted || wanted === active || wanted.contains(active) ||
            (wanted.isContentEditable && active?.contains(wanted));
        if (!key && !hasFocus) {
            return { error: 'the field lost the focus before anything was typed' };
        }
        if (await missesBreak(active, key)) {
            return { error: 'the field did not take the line break' };
        }
        const held = isField(active) ? heldBy(active) : null;
        typed = { active, held, left: held, fields: fieldsAround(active),
            lines: [...linesBefore(active, key), text] };
        if (text && active && isSetWhole(active) && !active.matches(':disabled') && !active.readOnly) {
            return setWhole(active, text);
        }
        return active && active !== document.body ? { isRoomy: isRoomy(active, text) }
            : text && window === top && !document.body?.isContentEditable
                ? { warning: 'nothing has the focus: the page gets the keys' } : {};
    };

    /*
     * Remembers the focused element and its content; a field that is set as a whole, such as a
     * date, gets `text` at once, and `isDone`. With `key`, pressed just before: has the field
     * handled it? Also returns whether it `isRoomy`, that is whether keys may follow without
     * waiting.
     */
    const beforeLine = async (line, field) => {
        const wanted = fieldOf(field);
        const active = activeElement(wanted);
        if (!keyDown) {
            keyDown = { defaultPrevented: false };
            addEventListener('keydown', (event) => { keyDown = event; }, true);
        }
        return { ...secretOf(active), ...await beginLine(line, active, wanted) };
    };

    /* Compares with a field that still exists, or with its replacement. */
    const compare = (before, { text, isLast }) => {
        const now = activeElement();
        if (before.value !== undefined) {
            const { value } = before.active;
            return value === before.value || !before.active.isConnected ? {}
                : value === before.held ? { error: 'the page undid the value' }
                    : { warning: `the field made ${quoted(before.active, value)} of the text` };
        }
        if (!before.active.isConnected) {
            const hasArrived = isField(now) && holds(now, heldBy(now), text);
            return hasArrived ? {}
                : { error: 'the field was replaced, and the new one did not take the whole text' };
        }
        const held = heldBy(before.active);
        if (held === before.held) {
            if (standInFor(before.active)?.querySelector('canvas')) {
                return { warning: 'the editor draws its text: nothing tells what became of it' };
            }
            return { isLate: true, error: before.active === now ? 'the field did not take the text'
                : 'the focus went elsewhere, and the field did not take the text' };
        }
        /*
         * Editors that draw their own text render only the lines in view, with line numbers between
         * them.
         */
        const lines = isLast && !standInFor(before.active) ? before.lines.join('\n') : text;
        if (holds(before.active, held, text) && holds(before.active, held, lines)) {
            return {};
        }
        return before.active === now
            ? { isLate: Boolean(standInFor(before.active)),
                warning: `the field made ${quoted(before.active, held)} of the text` }
            : compareFields(before, text);
    };

    /*
     * Compares after the text has had time to show. For the line that `isLast`, also compares the
     * earlier lines, after the page has had time to undo it: then it `hasWaited`.
     */
    const afterLine = async (line) => {
        const before = typed;
        const secret = secretOf(before?.active);
        if (!before || before.held === null) {
            return secret;
        }
        await until(() => !compare(before, line).isLate);
        let answer = compare(before, line);
        const hasWaited = line.isLast && !answer.error;
        if (hasWaited) {
            await awaitUndoing(line.isLoading,
                before.value === undefined ? UNDO_TYPED_MS : UNDO_MS);
            answer = compare(before, line);
        }
        before.left = before.active.isConnected ? heldBy(before.active) : '';
        return { ...secret, ...answer, hasWaited };
    };

    /* Returns whether an editor is focused. */
    const enterEditor = (nothing, field) => {
        const active = activeElement(fieldOf(field));
        typed = { active, held: isField(active) ? heldBy(active) : '' };
        if (isField(active) && (active.readOnly || active.ariaReadOnly === 'true')) {
            return { error: 'what has the focus after a click there is read-only' };
        }
        return isField(active) ? {}
            : { error: 'a click there does not lead to where text can be typed' };
    };

    /* Checks that the focused element is empty. */
    const checkEmpty = async (nothing, field) => {
        const active = activeElement(fieldOf(field));
        /* An empty editor has line numbers, too. */
        const isLeft = () => isField(active) && (standInFor(active)
            ? typed?.held === heldBy(active) && /[^\d\s]/.test(readable(typed.held))
            : readable(heldBy(active)) !== '');
        await until(() => !isLeft());
        return isLeft() ? { error: 'the field cannot be emptied: it holds something again' } : {};
    };

    /*
     * Fires the `change` of the focused field, which keeps the focus. The browser's own one, when
     * the focus leaves, is withheld unless the value is another one by then.
     */
    const commit = (nothing, field) => {
        const active = activeElement(fieldOf(field));
        if (!(active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) ||
            !isField(active) || isSetWhole(active)) {
            return {};
        }
        const { value } = active;
        const root = rootOf(active);
        const place = root instanceof ShadowRoot ? root : window;
        const withhold = (event) => {
            if (event.isTrusted && event.target === active) {
                place.removeEventListener('change', withhold, true);
                if (active.value === value) {
                    event.stopImmediatePropagation();
                }
            }
        };
        place.addEventListener('change', withhold, true);
        active.dispatchEvent(new Event('change', { bubbles: true }));
        return {};
    };
