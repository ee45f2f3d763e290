    /*
     * Returns whether a field's content is private: a password, a card's number, code or expiry
     * date, a one-time code, a PIN, an IBAN, a social security number. Decides by type and
     * autocomplete tokens (HTML, "Autofill"), by names, and by whether it shows dots; for a custom
     * element by its attributes.
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
        const MAX_CAPTION = 30; /* a longer one is an explanation */
        const WITHOUT_TEXT = /^(button|submit|reset|checkbox|radio|file|image|range|color)$/;
        const FIELDS = 'input, textarea, select';

        /* Splits "cardNumber", "card_number" and "user[card-number]" into words. */
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
        /*
         * A private field stays private: some pages reveal its content, for example when it is
         * focused.
         */
        const known = globalThis.browserRunnerPrivate ??= new WeakSet();
        const isSo = (element) => {
            /* A host's name also counts for its field. */
            if (element instanceof HTMLFormElement) {
                return false; /* its fields may shadow all properties read here */
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
