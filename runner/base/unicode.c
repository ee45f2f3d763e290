#include "runner/base/unicode.h"

#include "runner/base/utf8.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD, HIGHEST = 0x10FFFF };

uint32_t unicode_decode(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    if (bytes[0] < 0x80) {
        *text += bytes[0] != 0;
        return bytes[0];
    }
    size_t length = utf8_sequence(*text, strnlen(*text, 4));
    *text += length ? length : 1;
    switch (length) {
    case 2:
        return (uint32_t)(bytes[0] & 0x1F) << 6 | (bytes[1] & 0x3F);
    case 3:
        return (uint32_t)(bytes[0] & 0x0F) << 12 | (uint32_t)(bytes[1] & 0x3F) << 6 |
               (bytes[2] & 0x3F);
    case 4:
        return (uint32_t)(bytes[0] & 0x07) << 18 | (uint32_t)(bytes[1] & 0x3F) << 12 |
               (uint32_t)(bytes[2] & 0x3F) << 6 | (bytes[3] & 0x3F);
    default:
        return REPLACEMENT;
    }
}

void unicode_encode(struct strbuf *buf, uint32_t character)
{
    char bytes[4];
    size_t length = 1;
    if (character > HIGHEST || (character >= 0xD800 && character < 0xE000)) {
        character = REPLACEMENT;
    }
    if (character < 0x80) {
        bytes[0] = (char)character;
    } else {
        length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
        for (size_t i = length - 1; i > 0; i--) {
            bytes[i] = (char)(0x80 | (character & 0x3F));
            character >>= 6;
        }
        bytes[0] = (char)((0xF00 >> length) | character);
    }
    strbuf_add(buf, bytes, length);
}

size_t unicode_plain_length(const char *text, const char *end)
{
    const char *at = text;
    while (at<end && * at> ' ' && *at < 0x7F && *at != '"' && *at != '\\') {
        at++;
    }
    return (size_t)(at - text);
}

/*
 * Ranges of lower-case letters and the distance to their upper case; every second character with
 * step 2.
 */
static const struct {
    uint16_t first, last;
    int16_t distance;
    uint8_t step;
} cases[] = {
    { 0x61, 0x7A, -32, 1 },    { 0xE0, 0xF6, -32, 1 },   { 0xF8, 0xFE, -32, 1 },
    { 0xFF, 0xFF, 121, 1 },    { 0x101, 0x12F, -1, 2 },  { 0x133, 0x137, -1, 2 },
    { 0x13A, 0x148, -1, 2 },   { 0x14B, 0x177, -1, 2 },  { 0x17A, 0x17E, -1, 2 },
    { 0x1CE, 0x1DC, -1, 2 },   { 0x219, 0x21B, -1, 2 },  { 0x3AC, 0x3AC, -38, 1 },
    { 0x3AD, 0x3AF, -37, 1 },  { 0x3B1, 0x3C1, -32, 1 }, { 0x3C3, 0x3CB, -32, 1 },
    { 0x3CC, 0x3CC, -64, 1 },  { 0x3CD, 0x3CE, -63, 1 }, { 0x430, 0x44F, -32, 1 },
    { 0x450, 0x45F, -80, 1 },  { 0x461, 0x481, -1, 2 },  { 0x48B, 0x4BF, -1, 2 },
    { 0x4D1, 0x52F, -1, 2 },   { 0x561, 0x586, -48, 1 }, { 0x1E01, 0x1E95, -1, 2 },
    { 0x1EA1, 0x1EFF, -1, 2 },
};

/* Returns `character` moved by the offset of its range. */
static uint32_t change_case(uint32_t character, bool to_upper)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t offset = to_upper ? 0 : cases[i].distance;
        int64_t place = (int64_t)character - cases[i].first - offset;
        if (place >= 0 && place <= cases[i].last - cases[i].first && place % cases[i].step == 0) {
            return (uint32_t)(to_upper ? character + (uint32_t)cases[i].distance
                                       : character - (uint32_t)cases[i].distance);
        }
    }
    return character;
}

uint32_t unicode_upper(uint32_t character)
{
    if (character < 0x80) {
        return character >= 'a' && character <= 'z' ? character - 32 : character;
    }
    return character > 0x1EFF ? character : change_case(character, true);
}

uint32_t unicode_lower(uint32_t character)
{
    if (character < 0x80) {
        return character >= 'A' && character <= 'Z' ? character + 32 : character;
    }
    return character > 0x1EFF ? character : change_case(character, false);
}

bool unicode_is_space(uint32_t character)
{
    return character == ' ' || (character >= '\t' && character <= '\r') || character == 0xA0 ||
           character == 0x1680 || (character >= 0x2000 && character <= 0x200A) ||
           character == 0x2028 || character == 0x2029 || character == 0x202F ||
           character == 0x205F || character == 0x3000;
}

bool unicode_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C ||
           (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

bool unicode_is_private_use(uint32_t character)
{
    return (character >= 0xE000 && character <= 0xF8FF) || character >= 0xF0000;
}

bool unicode_has_private_use(const char *text, size_t length)
{
    enum { FIRST_BYTE = 0xEE }; /* first byte of U+E000 and later characters */
    for (const char *end = text + length; text < end;) {
        if ((unsigned char)*text < FIRST_BYTE) {
            text++;
        } else if (unicode_is_private_use(unicode_decode(&text))) {
            return true;
        }
    }
    return false;
}

bool unicode_is_invisible(uint32_t character)
{
    bool is_direction = character == 0x061C || character == 0x200E || character == 0x200F ||
                        (character >= 0x202A && character <= 0x202C) ||
                        (character >= 0x2066 && character <= 0x2069);
    return is_direction || (character < ' ' && !unicode_is_space(character)) ||
           (character >= 0x7F && character < 0xA0) || character == 0xAD || character == 0x200B ||
           (character >= 0x2060 && character <= 0x2064) || unicode_is_private_use(character) ||
           character == 0xFEFF || (character >= 0xFFF9 && character <= 0xFFFC) ||
           character >= 0xE0000;
}

bool unicode_is_bidi_override(uint32_t character)
{
    return character == 0x202D || character == 0x202E;
}

bool unicode_is_deceptive(uint32_t character)
{
    return unicode_is_invisible(character) || unicode_is_bidi_override(character) ||
           character == 0x2028 || character == 0x2029;
}

void unicode_add_visible(struct strbuf *buf, const char *text)
{
    const char *end = text + strlen(text);
    while (text < end) {
        size_t plain = unicode_plain_length(text, end);
        strbuf_add(buf, text, plain);
        text += plain;
        uint32_t character = text < end ? unicode_decode(&text) : 0;
        if (character == 0x2028 || character == 0x2029) {
            strbuf_add(buf, "\n", 1);
        } else if (character && !unicode_is_invisible(character) &&
                   !unicode_is_bidi_override(character)) {
            unicode_encode(buf, character);
        }
    }
}

/*
 * Squares, circles and upward and downward triangles, which show a state; ► and similar signs are
 * excluded, because they point onward.
 */
static bool is_shape(uint32_t character)
{
    return (character >= 0x25A0 && character < 0x25AA) || character == 0x25B2 ||
           character == 0x25BC || (character >= 0x25C6 && character < 0x25E6);
}

static bool is_picture(uint32_t character)
{
    return is_shape(character) || (character >= 0x2600 && character < 0x2768) ||
           (character >= 0x1F000 && character < 0x1FB00);
}

bool unicode_is_word(uint32_t character)
{
    if (character < 0x80) {
        return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
               (character >= 'A' && character <= 'Z');
    }
    bool is_punctuation = character < 0xC0
                              ? !strchr("\xAA\xB2\xB3\xB5\xB9\xBA\xBC\xBD\xBE", (int)character)
                              : character == 0xD7 || character == 0xF7;
    bool is_symbol = (character >= 0x2000 && character < 0x2070) ||
                     (character >= 0x2190 && character < 0x2C00) ||
                     (character >= 0x3000 && character <= 0x3004) ||
                     (character >= 0x3008 && character <= 0x3020) ||
                     (character >= 0xFE00 && character < 0xFE70) || character == REPLACEMENT;
    return !is_punctuation && !is_symbol && !is_picture(character) &&
           !unicode_is_invisible(character) && !unicode_is_space(character);
}

/* Whether the text consists of blanks and characters for which `is_such` holds. */
static bool is_only(const char *text, bool (*is_such)(uint32_t character))
{
    while (*text) {
        uint32_t character = unicode_decode(&text);
        if (!unicode_is_space(character) && !unicode_is_invisible(character) &&
            !is_such(character)) {
            return false;
        }
    }
    return true;
}

static bool is_divider(uint32_t character)
{
    static const uint32_t dividers[] = {
        '|',    '/',    '\\',   '>',    '<',    0xA6,   0xAB,   0xB7,   0xBB,
        0x2022, 0x2023, 0x2027, 0x2039, 0x203A, 0x2215, 0x2219, 0x22C5, 0x30FB,
    };
    for (size_t i = 0; i < sizeof(dividers) / sizeof(dividers[0]); i++) {
        if (dividers[i] == character) {
            return true;
        }
    }
    return false;
}

bool unicode_is_divider(const char *text)
{
    return is_only(text, is_divider);
}

static bool is_punctuation(uint32_t character)
{
    bool is_ascii =
        character < 0x80 && character != 0 && strchr("\"'(),-.:;?![]_`{}", (int)character);
    return is_ascii || is_divider(character) || character == 0xA1 || character == 0xBF ||
           (character >= 0x2010 && character <= 0x2027) ||
           (character >= 0x3001 && character <= 0x3003) ||
           (character >= 0x3008 && character <= 0x301F) ||
           (character >= 0xFE10 && character < 0xFE60);
}

bool unicode_is_punctuation(const char *text)
{
    return is_only(text, is_punctuation);
}

bool unicode_has_pictograph(const char *text)
{
    while (*text) {
        if (is_picture(unicode_decode(&text))) {
            return true;
        }
    }
    return false;
}

bool unicode_has_visible(const char *text)
{
    while (*text) {
        uint32_t character = unicode_decode(&text);
        if (!unicode_is_space(character) && !unicode_is_invisible(character)) {
            return true;
        }
    }
    return false;
}

bool unicode_has_word(const char *text)
{
    while (*text) {
        if (unicode_is_word(unicode_decode(&text))) {
            return true;
        }
    }
    return false;
}

/* Returns the next character that matters in comparisons, in lower case; 0 at the end. */
static uint32_t next_compared(const char **text, bool is_words)
{
    while (**text) {
        uint32_t character = unicode_decode(text);
        bool counts = is_words ? unicode_is_word(character)
                               : !unicode_is_space(character) && !unicode_is_invisible(character);
        if (counts) {
            return unicode_lower(character);
        }
    }
    return 0;
}

/* Whether `text` begins with `part`; *ret_is_all: and ends there. */
static bool begins_with(const char *text, const char *part, bool is_words, bool *ret_is_all)
{
    for (;;) {
        uint32_t wanted = next_compared(&part, is_words);
        uint32_t found = next_compared(&text, is_words);
        if (wanted == 0 || wanted != found) {
            *ret_is_all = found == 0;
            return wanted == 0;
        }
    }
}

static void add_compared(struct strbuf *buf, const char *text, bool is_words)
{
    for (uint32_t character; (character = next_compared(&text, is_words));) {
        unicode_encode(buf, character);
    }
}

/* Linear time, also for repetitive texts. */
static bool contains(const char *text, const char *part, bool is_words)
{
    CLEANUP_STRBUF struct strbuf all = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf wanted = STRBUF_INIT(STRBUF_UNCAPPED);
    add_compared(&all, text, is_words);
    add_compared(&wanted, part, is_words);
    return memmem(all.data, all.length, wanted.data, wanted.length);
}

bool unicode_equal_words(const char *a, const char *b)
{
    bool is_all = false;
    return begins_with(a, b, unicode_has_word(a) && unicode_has_word(b), &is_all) && is_all;
}

bool unicode_begins_words(const char *text, const char *part)
{
    bool is_all = false;
    return begins_with(text, part, unicode_has_word(part), &is_all);
}

bool unicode_contains_words(const char *text, const char *part)
{
    return contains(text, part, unicode_has_word(part));
}

bool unicode_contains(const char *text, const char *part)
{
    return contains(text, part, false);
}
