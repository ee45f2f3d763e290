/*
 * Which of the accessible names are meant by `wanted`: the numbers of those that are just that,
 * otherwise of those that hold it; `*` is any text, and case does not matter, nor does what is not
 * seen: soft hyphens, marks of direction, glyphs of icon fonts.
 */
function ({ names, wanted }) {
    const normalized = (said) => said.replace(/[\p{Cf}\p{Co}]/gu, '').trim()
        .replace(/\s+/g, ' ').toLowerCase();
    const pattern = new RegExp(normalized(wanted).split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*'));
    const numbers = [...names.keys()];
    const exact = numbers.filter((i) => normalized(names[i]) === normalized(wanted));
    return exact.length ? exact : numbers.filter((i) => pattern.test(normalized(names[i])));
}
