#include "runner/snapshot/transform.h"

#include "runner/base/utf8.h"

#include <string.h>

enum { SHARP_S = 0xDF, Y_DIAERESIS = 0xFF, DOTLESS_I = 0x131, LONG_S = 0x17F, FINAL_SIGMA = 0x3C2 };

/* Letters whose capital is a fixed distance away. */
static const struct {
    uint16_t first, last; /* small letters */
    int16_t distance;
} blocks[] = {
    { 'a', 'z', -32 },     { 0xE0, 0xF6, -32 },   { 0xF8, 0xFE, -32 },   { 0x3AC, 0x3AC, -38 },
    { 0x3AD, 0x3AF, -37 }, { 0x3B1, 0x3C1, -32 }, { 0x3C3, 0x3CB, -32 }, { 0x3CC, 0x3CC, -64 },
    { 0x3CD, 0x3CE, -63 }, { 0x430, 0x44F, -32 }, { 0x450, 0x45F, -80 }, { 0x561, 0x586, -48 },
};

/* Blocks in which each capital stands before its small letter. */
static const struct {
    uint16_t first, last;
} pairs[] = {
    { 0x100, 0x137 }, { 0x14A, 0x177 }, { 0x1DE, 0x1EF }, { 0x1F8, 0x21F },   { 0x222, 0x233 },
    { 0x460, 0x481 }, { 0x48A, 0x4BF }, { 0x4D0, 0x52F }, { 0x1E00, 0x1E95 }, { 0x1EA0, 0x1EFF },
};

/* Such blocks that begin with a small letter's half: the capital is odd. */
static const struct {
    uint16_t first, last;
} odd_pairs[] = { { 0x139, 0x148 }, { 0x179, 0x17E }, { 0x4C1, 0x4CE } };

static uint32_t decode(const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    switch (size) {
    case 2:
        return (bytes[0] & 0x1FU) << 6 | (bytes[1] & 0x3FU);
    case 3:
        return (bytes[0] & 0xFU) << 12 | (bytes[1] & 0x3FU) << 6 | (bytes[2] & 0x3FU);
    default:
        return bytes[0];
    }
}

static void add(struct strbuf *out, uint32_t letter)
{
    char bytes[3];
    if (letter < 0x80) {
        bytes[0] = (char)letter;
        strbuf_add(out, bytes, 1);
    } else if (letter < 0x800) {
        bytes[0] = (char)(0xC0 | letter >> 6);
        bytes[1] = (char)(0x80 | (letter & 0x3F));
        strbuf_add(out, bytes, 2);
    } else {
        bytes[0] = (char)(0xE0 | letter >> 12);
        bytes[1] = (char)(0x80 | (letter >> 6 & 0x3F));
        bytes[2] = (char)(0x80 | (letter & 0x3F));
        strbuf_add(out, bytes, 3);
    }
}

static uint32_t upper(uint32_t letter)
{
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        if (letter >= blocks[i].first && letter <= blocks[i].last) {
            return (uint32_t)((int)letter + blocks[i].distance);
        }
    }
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (letter >= pairs[i].first && letter <= pairs[i].last && letter != DOTLESS_I) {
            return letter & ~1U;
        }
    }
    for (size_t i = 0; i < sizeof(odd_pairs) / sizeof(odd_pairs[0]); i++) {
        if (letter >= odd_pairs[i].first && letter <= odd_pairs[i].last) {
            return letter % 2 == 0 ? letter - 1 : letter;
        }
    }
    switch (letter) {
    case Y_DIAERESIS:
        return 0x178;
    case DOTLESS_I:
        return 'I';
    case LONG_S:
        return 'S';
    case FINAL_SIGMA:
        return 0x3A3;
    default:
        return letter;
    }
}

static uint32_t lower(uint32_t letter)
{
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        uint32_t small = (uint32_t)((int)letter - blocks[i].distance);
        if (small >= blocks[i].first && small <= blocks[i].last) {
            return small;
        }
    }
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (letter >= pairs[i].first && letter <= pairs[i].last) {
            return letter | 1U;
        }
    }
    for (size_t i = 0; i < sizeof(odd_pairs) / sizeof(odd_pairs[0]); i++) {
        if (letter >= odd_pairs[i].first && letter <= odd_pairs[i].last) {
            return letter % 2 == 1 ? letter + 1 : letter;
        }
    }
    return letter;
}

static bool is_in_word(uint32_t letter)
{
    return letter >= 0x80
               ? letter != 0xA0 && letter != 0x3000 && !(letter >= 0x2000 && letter < 0x2070)
               : (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                     (letter >= 'a' && letter <= 'z') || letter == '\'' || letter == '_';
}

void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform)
{
    if (transform == TRANSFORM_NONE) {
        strbuf_add(out, text, length);
        return;
    }
    bool is_inside = false;
    for (size_t i = 0; i < length;) {
        size_t size = utf8_sequence(text + i, length - i);
        if (size == 0 || size > 3) {
            size = size == 0 ? 1 : size;
            strbuf_add(out, text + i, size);
        } else {
            uint32_t letter = decode(text + i, size);
            bool is_first = !is_inside;
            is_inside = is_in_word(letter);
            if (transform == TRANSFORM_LOWER) {
                add(out, lower(letter));
            } else if (transform == TRANSFORM_CAPITALIZE && !is_first) {
                add(out, letter);
            } else if (letter == SHARP_S) {
                strbuf_add_string(out, transform == TRANSFORM_UPPER ? "SS" : "Ss");
            } else {
                add(out, upper(letter));
            }
        }
        i += size;
    }
}
