#include "runner/cdp/json_walk.h"

#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/cdp/message.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 }; /* in characters */

bool json_walk_refuse(struct json_walk *walk, const char *mistake)
{
    if (!walk->mistake) {
        walk->mistake = mistake;
    }
    return false;
}

void json_walk_skip_space(struct json_walk *walk)
{
    while (walk->at < walk->end &&
           (*walk->at == ' ' || *walk->at == '\t' || *walk->at == '\n' || *walk->at == '\r')) {
        walk->at++;
    }
}

bool json_walk_take(struct json_walk *walk, char character)
{
    bool is_next = walk->at < walk->end && *walk->at == character;
    walk->at += is_next;
    return is_next;
}

/* Returns the value of four hexadecimal digits, or -1. */
static int read_hex(const char *digits)
{
    int value = 0;
    for (size_t i = 0; i < 4; i++) {
        const char *all = "0123456789abcdef0123456789ABCDEF";
        const char *digit = digits[i] ? strchr(all, digits[i]) : NULL;
        if (!digit) {
            return -1;
        }
        value = value * 16 + (int)((digit - all) % 16);
    }
    return value;
}

/* Reads the characters after a backslash. Returns the UTF-16 unit that they represent, or -1. */
static int read_escape(struct json_walk *walk)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    char letter = *walk->at;
    if (letter == 'u' && walk->end - walk->at > 4) {
        int unit = read_hex(walk->at + 1);
        walk->at += unit < 0 ? 0 : 5;
        return unit;
    }
    const char *found = letter ? strchr(letters, letter) : NULL;
    walk->at += found ? 1 : 0;
    return found ? meanings[found - letters] : -1;
}

/* Reads up to the closing quote. */
static bool read_characters(struct json_walk *walk, struct json_walk_text *text)
{
    while (walk->at < walk->end && *walk->at != '"') {
        unsigned char byte = (unsigned char)*walk->at;
        if (byte < 0x20) {
            return json_walk_refuse(walk, "a control character in a text");
        }
        size_t size = byte < 0x80 ? 1 : utf8_sequence(walk->at, (size_t)(walk->end - walk->at));
        if (size == 0) {
            return json_walk_refuse(walk, "what is no UTF-8");
        }
        text->is_ascii = text->is_ascii && size == 1;
        walk->at += size;
        if (byte == '\\') {
            int unit = read_escape(walk);
            if (unit < 0) {
                return json_walk_refuse(walk, "an escape that JSON does not know");
            }
            text->has_escapes = true;
            text->is_ascii = text->is_ascii && unit < 0x80;
        }
    }
    return true;
}

bool json_walk_text(struct json_walk *walk, struct json_walk_text *ret_text)
{
    if (!json_walk_take(walk, '"')) {
        return json_walk_refuse(walk, "something other than a text");
    }
    *ret_text = (struct json_walk_text){ .from = walk->at, .is_ascii = true };
    if (!read_characters(walk, ret_text)) {
        return false;
    }
    ret_text->to = walk->at;
    return json_walk_take(walk, '"') || json_walk_refuse(walk, "a text without an end");
}

size_t json_walk_resolve(const struct json_walk_text *text, char *out)
{
    struct json_walk walk = { .at = text->from, .end = text->to + 1 };
    size_t length = 0;
    while (walk.at < text->to) {
        char character = *walk.at++;
        out[length++] = character == '\\' ? (char)read_escape(&walk) : character;
    }
    return length;
}

static void write_utf16(struct cbor_writer *writer, const struct json_walk_text *text)
{
    struct json_walk walk = { .at = text->from, .end = text->to + 1 };
    size_t begin = cbor_begin_utf16(writer);
    while (walk.at < text->to) {
        if (json_walk_take(&walk, '\\')) {
            cbor_put_unit(writer, (unsigned)read_escape(&walk));
        } else {
            size_t size = utf8_sequence(walk.at, (size_t)(text->to - walk.at));
            cbor_put_character(writer, walk.at, size);
            walk.at += size;
        }
    }
    cbor_end_utf16(writer, begin);
}

static void write_text(struct cbor_writer *writer, const struct json_walk_text *text)
{
    if (!text->is_ascii) {
        write_utf16(writer, text);
    } else if (!text->has_escapes) {
        cbor_put_ascii(writer, text->from, (size_t)(text->to - text->from));
    } else {
        CLEANUP_FREE char *resolved = xmalloc((size_t)(text->to - text->from));
        cbor_put_ascii(writer, resolved, json_walk_resolve(text, resolved));
    }
}

static bool walk_text(struct json_walk *walk)
{
    struct json_walk_text text;
    if (!json_walk_text(walk, &text)) {
        return false;
    }
    if (walk->writer) {
        write_text(walk->writer, &text);
    }
    return true;
}

/* Consumes digits and returns their number. */
static size_t take_digits(struct json_walk *walk)
{
    const char *from = walk->at;
    while (walk->at < walk->end && *walk->at >= '0' && *walk->at <= '9') {
        walk->at++;
    }
    return (size_t)(walk->at - from);
}

static bool read_number(struct json_walk *walk)
{
    json_walk_take(walk, '-');
    if (!json_walk_take(walk, '0') && take_digits(walk) == 0) {
        return json_walk_refuse(walk, "what is no JSON");
    }
    if (json_walk_take(walk, '.') && take_digits(walk) == 0) {
        return json_walk_refuse(walk, "a number without its digits");
    }
    if (json_walk_take(walk, 'e') || json_walk_take(walk, 'E')) {
        if (!json_walk_take(walk, '+')) {
            json_walk_take(walk, '-');
        }
        if (take_digits(walk) == 0) {
            return json_walk_refuse(walk, "a number without its digits");
        }
    }
    return true;
}

static bool walk_number(struct json_walk *walk)
{
    const char *from = walk->at;
    if (!read_number(walk)) {
        return false;
    }
    /* strtod() stops at the number's end: the next character cannot continue it, or is the NUL. */
    double number = walk->at - from > LONGEST_NUMBER ? INFINITY : strtod(from, NULL);
    if (!isfinite(number)) {
        walk->at = from;
        return json_walk_refuse(walk, "a number that is too large");
    }
    if (walk->writer) {
        cbor_put_number(walk->writer, number);
    }
    return true;
}

static bool walk_literal(struct json_walk *walk)
{
    static const struct {
        const char *word;
        enum cbor_literal literal;
    } table[] = { { "null", CBOR_NULL }, { "false", CBOR_FALSE }, { "true", CBOR_TRUE } };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        size_t length = strlen(table[i].word);
        if ((size_t)(walk->end - walk->at) >= length &&
            memcmp(walk->at, table[i].word, length) == 0) {
            walk->at += length;
            if (walk->writer) {
                cbor_put_literal(walk->writer, table[i].literal);
            }
            return true;
        }
    }
    return walk_number(walk);
}

bool json_walk_take_colon(struct json_walk *walk)
{
    json_walk_skip_space(walk);
    if (!json_walk_take(walk, ':')) {
        return json_walk_refuse(walk, "a name without a colon");
    }
    json_walk_skip_space(walk);
    return true;
}

bool json_walk_take_comma(struct json_walk *walk, char close)
{
    json_walk_skip_space(walk);
    if (json_walk_take(walk, close)) {
        return false;
    }
    if (!json_walk_take(walk, ',')) {
        return json_walk_refuse(walk, walk->at < walk->end ? "what is no JSON" : "an early end");
    }
    json_walk_skip_space(walk);
    return true;
}

static bool walk_items(struct json_walk *walk, char close)
{
    bool is_object = close == '}';
    json_walk_skip_space(walk);
    if (json_walk_take(walk, close)) {
        return true;
    }
    do {
        if (is_object && !(walk_text(walk) && json_walk_take_colon(walk))) {
            return false;
        }
        if (!json_walk_value(walk)) {
            return false;
        }
    } while (json_walk_take_comma(walk, close));
    return !walk->mistake;
}

static bool walk_nested(struct json_walk *walk, char close)
{
    if (walk->depth == CDP_MAX_DEPTH) {
        return json_walk_refuse(walk, "more levels than Chrome can read");
    }
    size_t begin = walk->writer ? cbor_begin(walk->writer, close == '}') : 0;
    walk->depth++;
    if (!walk_items(walk, close)) {
        return false;
    }
    walk->depth--;
    if (walk->writer) {
        cbor_end(walk->writer, begin);
    }
    return true;
}

bool json_walk_value(struct json_walk *walk)
{
    if (walk->at >= walk->end) {
        return json_walk_refuse(walk, "an early end");
    }
    if (*walk->at == '"') {
        return walk_text(walk);
    }
    if (json_walk_take(walk, '{')) {
        return walk_nested(walk, '}');
    }
    return json_walk_take(walk, '[') ? walk_nested(walk, ']') : walk_literal(walk);
}
