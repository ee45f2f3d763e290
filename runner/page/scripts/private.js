    /*
     * Whether what a field holds is nobody's business: a password, a card's number, code or expiry,
     * a one-time code, a PIN, an IBAN, a social security number. By its type and autocomplete tokens (HTML, "Autofill"), by what it is called,
     * and by whether it shows dots; of a custom element, as far as its attributes tell.
     */
    const isPrivate = (() => {
        const TOKENS = new Set(['cc-number', 'cc-csc', 'cc-exp', 'cc-exp-month', 'cc-exp-year',
            'one-time-code', 'current-password', 'new-password']);
        const HINT = new RegExp('(^| )(' + [
            'pass(word|wd|code|phrase)', 'pwd', '\\w*card ?(number|num|no|nr)', 'cc ?(number|num|no)',
            '(cvc|cvv|csc) ?2?', '(security|verification) ?code', 't?otp', 'pin', 'iban', 'ssn',
            '(social|national) ?(security|insurance)( ?(number|num|no|nr))?',
            'one ?time ?(code|pass(word|code)?|pin)',
        ].join('|') + ')( |\\d|$)', 'i');
        const MAX_CAPTION = 30; /* a longer one explains something */
        const WITHOUT_TEXT = /^(button|submit|reset|checkbox|radio|file|image|range|color)$/;
        const FIELDS = 'input, textarea, select';

        /* "cardNumber", "card_number" and "user[card-number]" in words. */
        const words = (name) => String(name ?? '').replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
            .replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
        const isField = (element) => element.isContentEditable || element.localName.includes('-') ||
            (element.matches(FIELDS) && !WITHOUT_TEXT.test(element.type));
        const isCalledSo = (element) => {
            const names = ['name', 'id', 'autocomplete', 'aria-label', 'label']
                .map((name) => words(element.getAttribute(name)));
            const captions = [element.getAttribute('placeholder'),
                ...[...(element.labels ?? [])].map((label) => label.textContent)].map(words);
            return names.concat(captions.filter((caption) => caption.length <= MAX_CAPTION))
                .some((name) => HINT.test(name));
        };
        const isMarkedSo = (element) => {
            const tokens = (element.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
            return /^password$/i.test(element.getAttribute('type')) ||
                tokens.some((token) => TOKENS.has(token)) ||
                !/^(none)?$/.test(getComputedStyle(element).webkitTextSecurity ?? '');
        };
        /* One that has been private stays so: pages show what is in it, some when it gets the focus. */
        const known = globalThis.browserRunnerPrivate ??= new WeakSet();
        const isSo = (element) => {
            /* A host is its field by another name. */
            if (element instanceof HTMLFormElement) {
                return false; /* its fields may stand in for all that is asked here */
            }
            const root = element.getRootNode();
            const isHosted = root instanceof ShadowRoot && root.querySelectorAll(FIELDS).length === 1;
            return isField(element) && [element, isHosted ? root.host : null]
                .some((one) => one && (isMarkedSo(one) || isCalledSo(one)));
        };
        return (element) => {
            if (!known.has(element) && isSo(element)) {
                known.add(element);
            }
            return known.has(element);
        };
    })();
