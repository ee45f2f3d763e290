#include "runner/base/utf8.h"
#include "runner/cdp/cbor.h"
#include "runner/cdp/cbor_bytes.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The high three bits of an item's first byte (RFC 8949, 3.1). */
enum major { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE };

/* The position at which JSON is written. */
struct out {
    char *at;
};

static void put(struct out *out, const char *text, size_t length)
{
    memcpy(out->at, text, length);
    out->at += length;
}

static void put_byte(struct out *out, char byte)
{
    *out->at++ = byte;
}

static void put_text(struct out *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_integer(struct out *out, bool is_negative, uint64_t magnitude)
{
    char text[24];
    char *end = text + sizeof(text);
    char *at = end;
    do {
        *--at = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (is_negative) {
        *--at = '-';
    }
    put(out, at, (size_t)(end - at));
}

static struct cbor_level *level_of(struct cbor_reader *reader)
{
    return reader->depth ? &reader->levels[reader->depth - 1] : NULL;
}

/*
 * Writes the comma before an item. Returns false for a name that is not text, and for an item
 * outside of a map or array.
 */
static bool begin_item(struct cbor_reader *reader, bool is_text, struct out *out)
{
    struct cbor_level *level = level_of(reader);
    if (!level) {
        return false; /* a message is always a map */
    }
    if (level->is_map && level->is_value) {
        return true;
    }
    if (level->has_items) {
        put_byte(out, ',');
    }
    level->has_items = true;
    return is_text || !level->is_map;
}

static void end_item(struct cbor_reader *reader, struct out *out)
{
    struct cbor_level *level = level_of(reader);
    if (!level) {
        reader->is_whole = true;
    } else if (level->is_map) {
        if (!level->is_value) {
            put_byte(out, ':');
        }
        level->is_value = !level->is_value;
    }
}

static bool begin_nested(struct cbor_reader *reader, bool is_map, struct out *out)
{
    bool is_first = reader->depth == 0;
    if (is_first ? !is_map : !begin_item(reader, false, out)) {
        return false;
    }
    if (reader->depth == CBOR_DEPTH) {
        return false;
    }
    reader->levels[reader->depth++] = (struct cbor_level){ .is_map = is_map };
    put_byte(out, is_map ? '{' : '[');
    return true;
}

static bool end_nested(struct cbor_reader *reader, struct out *out)
{
    const struct cbor_level *level = level_of(reader);
    if (!level || level->is_value) {
        return false;
    }
    put_byte(out, level->is_map ? '}' : ']');
    reader->depth--;
    end_item(reader, out);
    return true;
}

static void put_unit(struct out *out, unsigned unit)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = { '\\',
                          'u',
                          digits[unit >> 12],
                          digits[unit >> 8 & 15],
                          digits[unit >> 4 & 15],
                          digits[unit & 15] };
    put(out, text, sizeof(text));
}

/* Writes an ASCII character, escaped for JSON if necessary. */
static void put_character(struct out *out, unsigned char character)
{
    if (character == '"' || character == '\\') {
        put_byte(out, '\\');
        put_byte(out, (char)character);
    } else if (character < 0x20) {
        put_unit(out, character);
    } else {
        put_byte(out, (char)character);
    }
}

/* Keeps a byte until the rest of its group arrives: at most four. */
static void carry(struct cbor_reader *reader, unsigned char byte)
{
    reader->carry[reader->carry_length & 3] = byte;
    reader->carry_length++;
}

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static void put_broken(struct cbor_reader *reader, struct out *out)
{
    put_unit(out, 0xFFFD);
    reader->carry_length = 0;
}

/* Returns the length in bytes of the character that begins with this byte. */
static size_t sequence_length(unsigned char lead)
{
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
}

/* Consumes one byte of a non-ASCII character. */
static void take_high_byte(struct cbor_reader *reader, unsigned char byte, struct out *out)
{
    bool is_lead = (byte & 0xC0) == 0xC0;
    if (reader->carry_length && is_lead) {
        put_broken(reader, out);
    }
    if (!reader->carry_length && !is_lead) {
        put_broken(reader, out);
        return;
    }
    carry(reader, byte);
    if (reader->carry_length == sequence_length(reader->carry[0])) {
        const char *text = (const char *)reader->carry;
        if (utf8_sequence(text, reader->carry_length) == reader->carry_length) {
            put(out, text, reader->carry_length);
            reader->carry_length = 0;
        } else {
            put_broken(reader, out);
        }
    }
}

static void take_utf8(struct cbor_reader *reader, const unsigned char *bytes, size_t length,
                      struct out *out)
{
    for (size_t i = 0; i < length;) {
        size_t from = i;
        while (i < length && is_plain(bytes[i])) {
            i++;
        }
        if (reader->carry_length && (i > from || bytes[i] < 0x80)) {
            put_broken(reader, out);
        }
        put(out, (const char *)bytes + from, i - from);
        if (i < length && bytes[i] < 0x80) {
            put_character(out, bytes[i++]);
        } else if (i < length) {
            take_high_byte(reader, bytes[i++], out);
        }
    }
}

static void take_utf16(struct cbor_reader *reader, const unsigned char *bytes, size_t length,
                       struct out *out)
{
    for (size_t i = 0; i < length; i++) {
        carry(reader, bytes[i]);
        if (reader->carry_length == 2) {
            unsigned unit = reader->carry[0] | (unsigned)reader->carry[1] << 8;
            reader->carry_length = 0;
            if (unit < 0x80) {
                put_character(out, (unsigned char)unit);
            } else {
                put_unit(out, unit);
            }
        }
    }
}

/* Writes three bytes as four characters (RFC 4648, 4). */
static void put_base64(struct out *out, const unsigned char *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    put_byte(out, digits[bytes[0] >> 2]);
    put_byte(out, digits[(bytes[0] & 3) << 4 | bytes[1] >> 4]);
    put_byte(out, digits[(bytes[1] & 15) << 2 | bytes[2] >> 6]);
    put_byte(out, digits[bytes[2] & 63]);
}

static void take_base64(struct cbor_reader *reader, const unsigned char *bytes, size_t length,
                        struct out *out)
{
    size_t i = 0;
    while (reader->carry_length && i < length) {
        carry(reader, bytes[i++]);
        if (reader->carry_length == 3) {
            put_base64(out, reader->carry);
            reader->carry_length = 0;
        }
    }
    for (; length - i >= 3; i += 3) {
        put_base64(out, bytes + i);
    }
    while (i < length) {
        carry(reader, bytes[i++]);
    }
}

static void end_base64(struct cbor_reader *reader, struct out *out)
{
    size_t length = reader->carry_length; /* 0, 1 or 2 */
    const unsigned char last[3] = { reader->carry[0], length == 2 ? reader->carry[1] : 0, 0 };
    if (length) {
        put_base64(out, last);
        out->at -= 3 - length;
        put_text(out, length == 2 ? "=" : "==");
    }
}

/* Returns false if half a UTF-16 unit is left. */
static bool end_text(struct cbor_reader *reader, struct out *out)
{
    if (reader->text == CBOR_UTF16 && reader->carry_length) {
        return false;
    }
    if (reader->text == CBOR_BASE64) {
        end_base64(reader, out);
    } else if (reader->carry_length) {
        put_broken(reader, out);
    }
    reader->carry_length = 0;
    reader->text = CBOR_NO_TEXT;
    put_byte(out, '"');
    end_item(reader, out);
    return true;
}

/* Consumes the available bytes of the current string. Returns their number. */
static size_t take_text(struct cbor_reader *reader, const unsigned char *bytes, size_t length,
                        struct out *out)
{
    size_t taken = length < reader->left ? length : reader->left;
    if (reader->text == CBOR_UTF8) {
        take_utf8(reader, bytes, taken, out);
    } else if (reader->text == CBOR_UTF16) {
        take_utf16(reader, bytes, taken, out);
    } else {
        take_base64(reader, bytes, taken, out);
    }
    reader->left -= taken;
    reader->is_broken |= reader->left == 0 && !end_text(reader, out);
    return taken;
}

/* Returns the number in an item's head: a length or an integer. */
static uint64_t number_of(const struct cbor_reader *reader)
{
    uint64_t number = 0;
    if (reader->head_length == 1) {
        return reader->head[0] & 31;
    }
    for (size_t i = 1; i < reader->head_length; i++) {
        number = number << 8 | reader->head[i];
    }
    return number;
}

static bool begin_text(struct cbor_reader *reader, enum cbor_text text, struct out *out)
{
    uint64_t length = number_of(reader);
    if (!begin_item(reader, text != CBOR_BASE64, out) || length > SIZE_MAX / CBOR_GROWTH) {
        return false;
    }
    put_byte(out, '"');
    reader->text = text;
    reader->left = (size_t)length;
    return length > 0 || end_text(reader, out);
}

/*
 * Writes the fraction of a 64th, at most six digits. Lengths and positions in Chrome's layout are
 * multiples of it, and a snapshot of a page has tens of thousands of them.
 */
static void put_64ths(struct out *out, unsigned count)
{
    enum { DIGITS = 6, UNIT = 1000000 / 64 };
    char text[DIGITS];
    unsigned left = count * UNIT;
    size_t length = 0;
    for (unsigned power = 100000; left > 0; power /= 10) {
        text[length++] = (char)('0' + left / power);
        left %= power;
    }
    put_byte(out, '.');
    put(out, text, length);
}

/* Writes a number as Chrome does: integers have no decimal point. */
static void put_double(struct out *out, double number)
{
    enum { FEW_DIGITS = 15, ALL_DIGITS = 17 };
    char text[32];
    double magnitude = fabs(number);
    double in_64ths = magnitude * 64;
    if (!isfinite(number)) {
        put_text(out, "null");
    } else if (magnitude < 1e15 && magnitude == (double)(uint64_t)magnitude) {
        put_integer(out, number < 0, (uint64_t)magnitude);
    } else if (magnitude < 1e9 && in_64ths == (double)(uint64_t)in_64ths) {
        put_integer(out, number < 0, (uint64_t)magnitude);
        put_64ths(out, (unsigned)((uint64_t)in_64ths % 64));
    } else {
        snprintf(text, sizeof(text), "%.*g", FEW_DIGITS, number);
        if (strtod(text, NULL) != number) {
            snprintf(text, sizeof(text), "%.*g", ALL_DIGITS, number);
        }
        put_text(out, text);
    }
}

static double double_of(const struct cbor_reader *reader)
{
    uint64_t bits = number_of(reader);
    double number = 0;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

/* Writes a number, true, false or null. */
static bool put_simple(struct cbor_reader *reader, struct out *out)
{
    unsigned char first = reader->head[0];
    uint64_t number = number_of(reader);
    if (!begin_item(reader, false, out)) {
        return false;
    }
    if (first >> 5 == UNSIGNED || first >> 5 == NEGATIVE) {
        if (number > INT64_MAX) {
            return false;
        }
        bool is_negative = first >> 5 == NEGATIVE;
        put_integer(out, is_negative, number + is_negative);
    } else if (first == IS_DOUBLE) {
        put_double(out, double_of(reader));
    } else if (first == IS_FALSE || first == IS_TRUE || first == IS_NULL) {
        put_text(out, first == IS_FALSE ? "false" : first == IS_TRUE ? "true" : "null");
    } else {
        return false;
    }
    end_item(reader, out);
    return true;
}

/* Returns the number of bytes before an item's content, given its first byte. */
static size_t head_size(unsigned char first)
{
    unsigned low = first & 31;
    if (first == ENVELOPE) {
        return ENVELOPE_HEAD;
    }
    return low < 24 || low > 27 ? 1 : 1 + ((size_t)1 << (low - 24));
}

static bool is_envelope(const struct cbor_reader *reader)
{
    return reader->head[1] == ENVELOPE_TAG && reader->head[2] == BYTES_32;
}

/* Processes the complete head of an item. */
static bool take_head(struct cbor_reader *reader, struct out *out)
{
    unsigned char first = reader->head[0];
    bool is_base64 = reader->is_base64;
    reader->is_base64 = first == BASE64_TAG;
    if (is_base64 && first >> 5 != BYTES) {
        return false;
    }
    if (first == BASE64_TAG) {
        return true;
    }
    if (first == ENVELOPE) {
        return is_envelope(reader);
    }
    if (first == BEGIN_MAP || first == BEGIN_ARRAY) {
        return begin_nested(reader, first == BEGIN_MAP, out);
    }
    if (first == STOP) {
        return end_nested(reader, out);
    }
    bool has_length = (first & 31) <= 27;
    switch (first >> 5) {
    case BYTES:
        return has_length && begin_text(reader, is_base64 ? CBOR_BASE64 : CBOR_UTF16, out);
    case TEXT:
        return has_length && begin_text(reader, CBOR_UTF8, out);
    default:
        return put_simple(reader, out);
    }
}

size_t cbor_read(struct cbor_reader *reader, const unsigned char *bytes, size_t length, char *out,
                 size_t *ret_taken)
{
    struct out json = { .at = out };
    size_t at = 0;
    while (at < length && !reader->is_whole && !reader->is_broken) {
        if (reader->left) {
            at += take_text(reader, bytes + at, length - at, &json);
            continue;
        }
        reader->head[reader->head_length++] = bytes[at++];
        if (reader->head_length == head_size(reader->head[0])) {
            reader->is_broken = !take_head(reader, &json);
            reader->head_length = 0;
        }
    }
    *ret_taken = at;
    return (size_t)(json.at - out);
}
