    /*
     * Returns the indexes of the accessible names that match `wanted`: those that are equal
     * (`isExact`), otherwise those that contain it. `*` is any text. Ignores case and invisible
     * characters: soft hyphens, bidirectional marks, glyphs of icon fonts.
     */
    const namesMeant = ({ names, wanted }) => {
        const seen = (said) => said.replace(/[\p{Cf}\p{Co}]/gu, '');
        const pattern = patternOf(seen(wanted));
        const said = names.map((name) => normalized(seen(name)));
        const numbers = [...names.keys()];
        const exact = numbers.filter((i) => said[i] === normalized(seen(wanted)));
        return exact.length ? { numbers: exact, isExact: true }
            : { numbers: numbers.filter((i) => pattern.test(said[i])), isExact: false };
    };
