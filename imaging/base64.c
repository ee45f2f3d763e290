#include "imaging/base64.h"

#include <stdint.h>
#include <stdlib.h>

/* Set in the value of each character of the alphabet. */
#define VALID    0x40
#define V(value) (VALID | (value))

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static const uint8_t values[256] = {
    ['A'] = V(0),  ['B'] = V(1),  ['C'] = V(2),  ['D'] = V(3),  ['E'] = V(4),  ['F'] = V(5),
    ['G'] = V(6),  ['H'] = V(7),  ['I'] = V(8),  ['J'] = V(9),  ['K'] = V(10), ['L'] = V(11),
    ['M'] = V(12), ['N'] = V(13), ['O'] = V(14), ['P'] = V(15), ['Q'] = V(16), ['R'] = V(17),
    ['S'] = V(18), ['T'] = V(19), ['U'] = V(20), ['V'] = V(21), ['W'] = V(22), ['X'] = V(23),
    ['Y'] = V(24), ['Z'] = V(25), ['a'] = V(26), ['b'] = V(27), ['c'] = V(28), ['d'] = V(29),
    ['e'] = V(30), ['f'] = V(31), ['g'] = V(32), ['h'] = V(33), ['i'] = V(34), ['j'] = V(35),
    ['k'] = V(36), ['l'] = V(37), ['m'] = V(38), ['n'] = V(39), ['o'] = V(40), ['p'] = V(41),
    ['q'] = V(42), ['r'] = V(43), ['s'] = V(44), ['t'] = V(45), ['u'] = V(46), ['v'] = V(47),
    ['w'] = V(48), ['x'] = V(49), ['y'] = V(50), ['z'] = V(51), ['0'] = V(52), ['1'] = V(53),
    ['2'] = V(54), ['3'] = V(55), ['4'] = V(56), ['5'] = V(57), ['6'] = V(58), ['7'] = V(59),
    ['8'] = V(60), ['9'] = V(61), ['+'] = V(62), ['/'] = V(63),
};

size_t base64_encoded_size(size_t size)
{
    return (size / 3 + (size % 3 != 0)) * 4;
}

static void encode_group(uint32_t group, char *text)
{
    text[0] = alphabet[group >> 18];
    text[1] = alphabet[group >> 12 & 63];
    text[2] = alphabet[group >> 6 & 63];
    text[3] = alphabet[group & 63];
}

void base64_encode(const void *bytes, size_t size, char *text)
{
    const uint8_t *in = bytes;
    for (; size >= 3; size -= 3, in += 3, text += 4) {
        encode_group((uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2], text);
    }
    if (size == 2) {
        encode_group((uint32_t)in[0] << 16 | (uint32_t)in[1] << 8, text);
        text[3] = '=';
    } else if (size == 1) {
        encode_group((uint32_t)in[0] << 16, text);
        text[2] = '=';
        text[3] = '=';
    }
}

/* Decodes four characters to 24 bits; false if one is not in the alphabet. */
static bool decode_group(const char *text, uint32_t *ret_group)
{
    uint32_t a = values[(uint8_t)text[0]];
    uint32_t b = values[(uint8_t)text[1]];
    uint32_t c = values[(uint8_t)text[2]];
    uint32_t d = values[(uint8_t)text[3]];
    *ret_group = (a & 63) << 18 | (b & 63) << 12 | (c & 63) << 6 | (d & 63);
    return a & b & c & d & VALID;
}

static bool decode_whole_groups(const char *text, size_t length, uint8_t *out)
{
    for (size_t i = 0; i < length; i += 4, out += 3) {
        uint32_t group;
        if (!decode_group(text + i, &group)) {
            return false;
        }
        out[0] = (uint8_t)(group >> 16);
        out[1] = (uint8_t)(group >> 8);
        out[2] = (uint8_t)group;
    }
    return true;
}

/* Decodes the last group, of which `padding` characters are "=". */
static bool decode_padded_group(const char *text, size_t padding, uint8_t *out)
{
    char whole[4] = { text[0], text[1], padding == 1 ? text[2] : 'A', 'A' };
    uint32_t group;
    if (!decode_group(whole, &group)) {
        return false;
    }
    out[0] = (uint8_t)(group >> 16);
    if (padding == 1) {
        out[1] = (uint8_t)(group >> 8);
    }
    return (group & (padding == 1 ? 0xFF : 0xFFFF)) == 0;
}

static bool fail_at(const char *text, size_t length, struct br_error *err)
{
    for (size_t i = 0; i < length; i++) {
        uint8_t character = (uint8_t)text[i];
        if (!values[character]) {
            return error_set(err, BR_UNKNOWN_ERROR, "base64: byte 0x%02x at %zu of %zu", character,
                             i, length);
        }
    }
    return error_set(err, BR_UNKNOWN_ERROR, "base64: stray bits before the padding");
}

bool base64_decode(const char *text, size_t length, unsigned char **ret_bytes, size_t *ret_size,
                   struct br_error *err)
{
    if (length % 4 != 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "base64: %zu characters are not a multiple of 4",
                         length);
    }
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=') {
        padding++;
    }
    size_t whole = padding ? length - 4 : length;
    size_t size = length / 4 * 3 - padding;
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes) {
        return error_set(err, BR_LIMIT_EXCEEDED, "base64: no memory for %zu bytes", size);
    }
    if (!decode_whole_groups(text, whole, bytes) ||
        (padding && !decode_padded_group(text + whole, padding, bytes + whole / 4 * 3))) {
        free(bytes);
        return fail_at(text, length - padding, err);
    }
    *ret_bytes = bytes;
    *ret_size = size;
    return true;
}
