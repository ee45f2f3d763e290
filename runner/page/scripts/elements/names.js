    /*
     * Which of the accessible names are meant by `wanted`: the numbers of those that are just that
     * (`isExact`), otherwise of those that hold it; `*` is any text, and case does not matter, nor does
     * what is not seen: soft hyphens, marks of direction, glyphs of icon fonts.
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
