#include "runner/privacy/view.h"

#include "runner/base/memory.h"

#include <ctype.h>
#include <string.h>

/*
 * Decodes one character of an encoding at `text`, which has `left` bytes: writes up to 4 bytes and
 * returns their number. *ret_taken is how many were read; 0 if none is encoded there.
 */
typedef size_t layer_read(const char *text, size_t left, char *out, size_t *ret_taken);

static int hex_value(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;
}

/* Returns the value of `count` hexadecimal digits; -1 if they are not there. */
static int read_hex(const char *text, size_t left, size_t count)
{
    int value = 0;
    for (size_t i = 0; i < count; i++) {
        if (i >= left || !isxdigit((unsigned char)text[i])) {
            return -1;
        }
        value = value * 16 + hex_value(text[i]);
    }
    return value;
}

static size_t read_percent(const char *text, size_t left, char *out, size_t *ret_taken)
{
    int byte = *text == '%' ? read_hex(text + 1, left - 1, 2) : -1;
    if (byte < 0) {
        return 0;
    }
    *out = (char)byte;
    *ret_taken = 3;
    return 1;
}

static size_t read_form(const char *text, size_t left, char *out, size_t *ret_taken)
{
    if (*text != '+') {
        return read_percent(text, left, out, ret_taken);
    }
    *out = ' ';
    *ret_taken = 1;
    return 1;
}

static size_t put_character(unsigned code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char marks[] = { 0, 0xC0, 0xE0, 0xF0 };
    out[0] = (char)(marks[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++) {
        out[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3F));
    }
    return 1 + more;
}

/* Decodes "\u00e9", and surrogate pairs. */
static size_t read_unicode(const char *text, size_t left, char *out, size_t *ret_taken)
{
    int code = read_hex(text + 2, left - 2, 4);
    int low = left > 8 && text[6] == '\\' && text[7] == 'u' ? read_hex(text + 8, left - 8, 4) : -1;
    if (code < 0) {
        return 0;
    }
    bool is_pair = code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000;
    *ret_taken = is_pair ? 12 : 6;
    return put_character(is_pair ? 0x10000u +
                                       ((unsigned)(code - 0xD800) << 10 | (unsigned)(low - 0xDC00))
                                 : (unsigned)code,
                         out);
}

static size_t read_json(const char *text, size_t left, char *out, size_t *ret_taken)
{
    static const char names[] = "\"\\/'bfnrt";
    static const char meant[] = "\"\\/'\b\f\n\r\t";
    if (*text != '\\' || left < 2) {
        return 0;
    }
    if (text[1] == 'u') {
        return read_unicode(text, left, out, ret_taken);
    }
    const char *name = text[1] ? strchr(names, text[1]) : NULL;
    if (!name) {
        return 0;
    }
    *out = meant[name - names];
    *ret_taken = 2;
    return 1;
}

/* HTML 4's character references from U+00A0 on, in order. */
static const char *const latin_names[] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml",
};

/* Other HTML references that may occur in passwords; for ASCII all that exist. */
static const struct {
    const char *name;
    unsigned meant;
} other_names[] = {
    { "amp", '&' },      { "lt", '<' },       { "gt", '>' },       { "quot", '"' },
    { "AMP", '&' },      { "LT", '<' },       { "GT", '>' },       { "QUOT", '"' },
    { "apos", '\'' },    { "excl", '!' },     { "num", '#' },      { "dollar", '$' },
    { "percnt", '%' },   { "lpar", '(' },     { "rpar", ')' },     { "ast", '*' },
    { "midast", '*' },   { "plus", '+' },     { "comma", ',' },    { "period", '.' },
    { "sol", '/' },      { "colon", ':' },    { "semi", ';' },     { "equals", '=' },
    { "quest", '?' },    { "commat", '@' },   { "lsqb", '[' },     { "lbrack", '[' },
    { "bsol", '\\' },    { "rsqb", ']' },     { "rbrack", ']' },   { "Hat", '^' },
    { "lowbar", '_' },   { "UnderBar", '_' }, { "grave", '`' },    { "DiacriticalGrave", '`' },
    { "lcub", '{' },     { "lbrace", '{' },   { "verbar", '|' },   { "vert", '|' },
    { "rcub", '}' },     { "rbrace", '}' },   { "Tab", '\t' },     { "NewLine", '\n' },
    { "euro", 0x20AC },  { "ndash", 0x2013 }, { "mdash", 0x2014 }, { "hellip", 0x2026 },
    { "lsquo", 0x2018 }, { "rsquo", 0x2019 }, { "ldquo", 0x201C }, { "rdquo", 0x201D },
    { "bull", 0x2022 },  { "trade", 0x2122 }, { "OElig", 0x152 },  { "oelig", 0x153 },
    { "Scaron", 0x160 }, { "scaron", 0x161 }, { "Yuml", 0x178 },
};

/* Returns 0 for an unknown name. */
static unsigned character_named(const char *name, size_t length)
{
    enum { FIRST_LATIN = 0xA0 };
    for (size_t i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++) {
        if (strlen(other_names[i].name) == length &&
            memcmp(other_names[i].name, name, length) == 0) {
            return other_names[i].meant;
        }
    }
    for (size_t i = 0; i < sizeof(latin_names) / sizeof(latin_names[0]); i++) {
        if (strlen(latin_names[i]) == length && memcmp(latin_names[i], name, length) == 0) {
            return FIRST_LATIN + (unsigned)i;
        }
    }
    return 0;
}

/*
 * Decodes "&#252;" and "&#xfc;", with any number of leading zeros. Returns the character; 0 if
 * there is none.
 */
static unsigned read_number(const char *text, size_t left, size_t *ret_length)
{
    bool is_hex = left > 2 && (text[2] | 0x20) == 'x';
    size_t start = is_hex ? 3 : 2;
    size_t at = start;
    unsigned code = 0;
    while (at < left &&
           (is_hex ? isxdigit((unsigned char)text[at]) : isdigit((unsigned char)text[at]))) {
        code = code > 0x10FFFF ? code : code * (is_hex ? 16 : 10) + (unsigned)hex_value(text[at]);
        at++;
    }
    *ret_length = at;
    return at > start && code <= 0x10FFFF ? code : 0;
}

/* The semicolon is optional. */
static size_t read_html(const char *text, size_t left, char *out, size_t *ret_taken)
{
    enum { MAX_NAME = 16 };
    size_t length = 1;
    unsigned code = 0;
    if (*text != '&' || left < 3) {
        return 0;
    }
    if (text[1] == '#') {
        code = read_number(text, left, &length);
    } else {
        while (length < left && length <= MAX_NAME && isalnum((unsigned char)text[length])) {
            length++;
        }
        code = character_named(text + 1, length - 1);
    }
    if (code == 0) {
        return 0;
    }
    *ret_taken = length + (length < left && text[length] == ';');
    return put_character(code, out);
}

/* The alphabet for URLs (RFC 4648 section 5). */
static size_t read_base64_url(const char *text, size_t left, char *out, size_t *ret_taken)
{
    (void)left;
    *out = *text == '-' ? '+' : '/';
    *ret_taken = *text == '-' || *text == '_';
    return *ret_taken;
}

/* Removes separators between digits. */
static size_t read_groups(const char *text, size_t left, char *out, size_t *ret_taken)
{
    (void)out;
    bool is_gap = (*text == ' ' || *text == '-') && left > 1 && isdigit((unsigned char)text[1]);
    *ret_taken = is_gap;
    return 0;
}

static const struct {
    layer_read *read;
    const char *marks; /* characters without which there is nothing to decode */
} layers[] = {
    { read_percent, "%" }, { read_form, "+" },        { read_json, "\\" },
    { read_html, "&" },    { read_base64_url, "-_" }, { read_groups, " -" },
};

void view_finish(struct view *view)
{
    free(view->bytes);
    free(view->starts);
    free(view->ends);
}

void view_init(struct view *view, const char *text)
{
    size_t length = strlen(text);
    *view = (struct view){
        .bytes = xstrndup(text, length),
        .starts = xmalloc((length + 1) * sizeof(size_t)),
        .ends = xmalloc((length + 1) * sizeof(size_t)),
        .length = length,
    };
    for (size_t i = 0; i < length; i++) {
        view->starts[i] = i;
        view->ends[i] = i + 1;
    }
}

bool view_undo(const struct view *from, size_t encoding, struct view *ret_view)
{
    if (!strpbrk(from->bytes, layers[encoding].marks)) {
        return false;
    }
    layer_read *read = layers[encoding].read;
    /* Decoding never makes the text longer. */
    struct view view = {
        .bytes = xmalloc(from->length + 4),
        .starts = xmalloc((from->length + 4) * sizeof(size_t)),
        .ends = xmalloc((from->length + 4) * sizeof(size_t)),
        .is_grouped = from->is_grouped || read == read_groups,
    };
    for (size_t at = 0; at < from->length;) {
        size_t taken = 0;
        size_t count = read(from->bytes + at, from->length - at, view.bytes + view.length, &taken);
        if (taken == 0) {
            view.bytes[view.length] = from->bytes[at];
            count = taken = 1;
        }
        for (size_t i = 0; i < count; i++) {
            /* A NUL would end the text for functions that search it. */
            view.bytes[view.length] = view.bytes[view.length] ? view.bytes[view.length] : ' ';
            view.ends[view.length] = from->ends[at + taken - 1];
            view.starts[view.length++] = from->starts[at];
        }
        at += taken;
    }
    view.bytes[view.length] = '\0';
    *ret_view = view;
    return true;
}

char *view_percent_decoded(const char *text, size_t length)
{
    char *decoded = xmalloc(length + 1);
    size_t end = 0;
    for (size_t at = 0, taken = 1; at < length; at += taken) {
        taken = 0;
        if (read_percent(text + at, length - at, decoded + end, &taken) == 0) {
            decoded[end] = text[at];
            taken = 1;
        }
        end += decoded[end] != '\0';
    }
    decoded[end] = '\0';
    return decoded;
}
