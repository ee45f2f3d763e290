#include "runner/base/unicode.h"

#include "runner/base/utf8.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD, HIGHEST = 0x10FFFF };

uint32_t letter_next(const char **text)
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

void letter_put(struct strbuf *buf, uint32_t letter)
{
    char bytes[4];
    size_t length = 1;
    if (letter > HIGHEST || (letter >= 0xD800 && letter < 0xE000)) {
        letter = REPLACEMENT;
    }
    if (letter < 0x80) {
        bytes[0] = (char)letter;
    } else {
        length = letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
        for (size_t i = length - 1; i > 0; i--) {
            bytes[i] = (char)(0x80 | (letter & 0x3F));
            letter >>= 6;
        }
        bytes[0] = (char)((0xF00 >> length) | letter);
    }
    strbuf_add(buf, bytes, length);
}

size_t letters_plain(const char *text, const char *end)
{
    const char *at = text;
    while (at<end && * at> ' ' && *at < 0x7F && *at != '"' && *at != '\\') {
        at++;
    }
    return (size_t)(at - text);
}

/* Letters of lower case and how far away those of upper case are; every second one with step 2. */
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

/* `letter` moved where it is in a range that begins at first + offset. */
static uint32_t change_case(uint32_t letter, bool to_upper)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t offset = to_upper ? 0 : cases[i].distance;
        int64_t place = (int64_t)letter - cases[i].first - offset;
        if (place >= 0 && place <= cases[i].last - cases[i].first && place % cases[i].step == 0) {
            return (uint32_t)(to_upper ? letter + (uint32_t)cases[i].distance
                                       : letter - (uint32_t)cases[i].distance);
        }
    }
    return letter;
}

uint32_t letter_upper(uint32_t letter)
{
    if (letter < 0x80) {
        return letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
    }
    return letter > 0x1EFF ? letter : change_case(letter, true);
}

uint32_t letter_lower(uint32_t letter)
{
    if (letter < 0x80) {
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    }
    return letter > 0x1EFF ? letter : change_case(letter, false);
}

bool letter_is_space(uint32_t letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == 0xA0 ||
           letter == 0x1680 || (letter >= 0x2000 && letter <= 0x200A) || letter == 0x2028 ||
           letter == 0x2029 || letter == 0x202F || letter == 0x205F || letter == 0x3000;
}

bool letter_is_glyph(uint32_t letter)
{
    return (letter >= 0xE000 && letter <= 0xF8FF) || letter >= 0xF0000;
}

bool letters_have_glyph(const char *text, size_t length)
{
    enum { FIRST_BYTE = 0xEE }; /* of U+E000 and all behind it */
    for (const char *end = text + length; text < end;) {
        if ((unsigned char)*text < FIRST_BYTE) {
            text++;
        } else if (letter_is_glyph(letter_next(&text))) {
            return true;
        }
    }
    return false;
}

bool letter_is_unseen(uint32_t letter)
{
    bool is_direction = letter == 0x061C || letter == 0x200E || letter == 0x200F ||
                        (letter >= 0x202A && letter <= 0x202C) ||
                        (letter >= 0x2066 && letter <= 0x2069);
    return is_direction || (letter < ' ' && !letter_is_space(letter)) ||
           (letter >= 0x7F && letter < 0xA0) || letter == 0xAD || letter == 0x200B ||
           (letter >= 0x2060 && letter <= 0x2064) || letter_is_glyph(letter) || letter == 0xFEFF ||
           (letter >= 0xFFF9 && letter <= 0xFFFC) || letter >= 0xE0000;
}

bool letter_is_override(uint32_t letter)
{
    return letter == 0x202D || letter == 0x202E;
}

bool letter_is_treacherous(uint32_t letter)
{
    return letter_is_unseen(letter) || letter_is_override(letter) || letter == 0x2028 ||
           letter == 0x2029;
}

void letters_add_seen(struct strbuf *buf, const char *text)
{
    const char *end = text + strlen(text);
    while (text < end) {
        size_t plain = letters_plain(text, end);
        strbuf_add(buf, text, plain);
        text += plain;
        uint32_t letter = text < end ? letter_next(&text) : 0;
        if (letter == 0x2028 || letter == 0x2029) {
            strbuf_add(buf, "\n", 1);
        } else if (letter && !letter_is_unseen(letter) && !letter_is_override(letter)) {
            letter_put(buf, letter);
        }
    }
}

static bool is_picture(uint32_t letter)
{
    return (letter >= 0x2600 && letter < 0x2700) || (letter >= 0x1F000 && letter < 0x1FB00);
}

bool letter_is_word(uint32_t letter)
{
    if (letter < 0x80) {
        return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
               (letter >= 'A' && letter <= 'Z');
    }
    bool is_punctuation = letter < 0xC0 ? letter != 0xAA && letter != 0xB5 && letter != 0xBA
                                        : letter == 0xD7 || letter == 0xF7;
    bool is_symbol =
        (letter >= 0x2000 && letter < 0x2070) || (letter >= 0x2190 && letter < 0x2C00) ||
        (letter >= 0x3000 && letter <= 0x3004) || (letter >= 0x3008 && letter <= 0x3020) ||
        (letter >= 0xFE00 && letter < 0xFE70) || letter == REPLACEMENT;
    return !is_punctuation && !is_symbol && !is_picture(letter) && !letter_is_unseen(letter) &&
           !letter_is_space(letter);
}

bool letters_have_picture(const char *text)
{
    while (*text) {
        if (is_picture(letter_next(&text))) {
            return true;
        }
    }
    return false;
}

bool letters_have_seen(const char *text)
{
    while (*text) {
        uint32_t letter = letter_next(&text);
        if (!letter_is_space(letter) && !letter_is_unseen(letter)) {
            return true;
        }
    }
    return false;
}

bool letters_have_word(const char *text)
{
    while (*text) {
        if (letter_is_word(letter_next(&text))) {
            return true;
        }
    }
    return false;
}

/* The next character that counts when texts are compared, in lower case; 0 at the end. */
static uint32_t next_compared(const char **text, bool is_words)
{
    while (**text) {
        uint32_t letter = letter_next(text);
        bool counts = is_words ? letter_is_word(letter)
                               : !letter_is_space(letter) && !letter_is_unseen(letter);
        if (counts) {
            return letter_lower(letter);
        }
    }
    return 0;
}

/* Whether `text` begins with all of `part`; *ret_is_all: and has no more. */
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
    for (uint32_t letter; (letter = next_compared(&text, is_words));) {
        letter_put(buf, letter);
    }
}

/* In linear time, also of what repeats itself. */
static bool contains(const char *text, const char *part, bool is_words)
{
    CLEANUP_STRBUF struct strbuf all = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf wanted = STRBUF_INIT(STRBUF_UNCAPPED);
    add_compared(&all, text, is_words);
    add_compared(&wanted, part, is_words);
    return memmem(all.data, all.length, wanted.data, wanted.length);
}

bool letters_equal(const char *a, const char *b)
{
    bool is_all = false;
    return begins_with(a, b, letters_have_word(a) && letters_have_word(b), &is_all) && is_all;
}

bool letters_begin(const char *text, const char *part)
{
    bool is_all = false;
    return begins_with(text, part, letters_have_word(part), &is_all);
}

bool letters_contain(const char *text, const char *part)
{
    return contains(text, part, letters_have_word(part));
}

bool letters_find(const char *text, const char *part)
{
    return contains(text, part, false);
}
