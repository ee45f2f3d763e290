#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/cdp/cbor.h"
#include "runner/cdp/cbor_bytes.h"
#include "runner/cdp/cbor_writer.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 512 };

static unsigned char *extend(struct cbor_writer *writer, size_t more)
{
    while (writer->capacity - writer->length < more) {
        writer->capacity = writer->capacity ? writer->capacity * 2 : FIRST_CAPACITY;
        writer->bytes = xrealloc(writer->bytes, writer->capacity);
    }
    unsigned char *at = writer->bytes + writer->length;
    writer->length += more;
    return at;
}

static void put_byte(struct cbor_writer *writer, unsigned char byte)
{
    *extend(writer, 1) = byte;
}

/* Stores the most significant byte first. */
static void store(unsigned char *at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (unsigned char)(number >> 8 * (size - 1 - i));
    }
}

static void put_number(struct cbor_writer *writer, unsigned char first, uint64_t number,
                       size_t size)
{
    put_byte(writer, first);
    store(extend(writer, size), number, size);
}

void cbor_put_number(struct cbor_writer *writer, double number)
{
    if (number >= INT32_MIN && number <= INT32_MAX && number == (double)(int64_t)number) {
        int64_t whole = (int64_t)number;
        put_number(writer, whole < 0 ? NEGATIVE_32 : UNSIGNED_32,
                   (uint64_t)(whole < 0 ? -1 - whole : whole), 4);
        return;
    }
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof(bits));
    put_number(writer, IS_DOUBLE, bits, 8);
}

static bool is_ascii(const char *text, size_t length)
{
    unsigned char all = 0;
    for (size_t i = 0; i < length; i++) {
        all |= (unsigned char)text[i];
    }
    return all < 0x80;
}

/* Returns the character that `size` bytes of valid UTF-8 encode. */
static unsigned decode(const unsigned char *text, size_t size)
{
    static const unsigned char masks[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    unsigned character = text[0] & masks[size];
    for (size_t i = 1; i < size; i++) {
        character = character << 6 | (text[i] & 0x3F);
    }
    return character;
}

size_t cbor_begin(struct cbor_writer *writer, bool is_map)
{
    static const unsigned char head[ENVELOPE_HEAD] = { ENVELOPE, ENVELOPE_TAG, BYTES_32 };
    memcpy(extend(writer, sizeof(head)), head, sizeof(head));
    size_t begin = writer->length;
    put_byte(writer, is_map ? BEGIN_MAP : BEGIN_ARRAY);
    return begin;
}

void cbor_end(struct cbor_writer *writer, size_t begin)
{
    put_byte(writer, STOP);
    store(writer->bytes + begin - 4, writer->length - begin, 4);
}

void cbor_put_literal(struct cbor_writer *writer, enum cbor_literal literal)
{
    static const unsigned char bytes[] = {
        [CBOR_NULL] = IS_NULL,
        [CBOR_FALSE] = IS_FALSE,
        [CBOR_TRUE] = IS_TRUE,
    };
    put_byte(writer, bytes[literal]);
}

void cbor_put_ascii(struct cbor_writer *writer, const char *text, size_t length)
{
    put_number(writer, TEXT_32, length, 4);
    memcpy(extend(writer, length), text, length);
}

size_t cbor_begin_utf16(struct cbor_writer *writer)
{
    put_number(writer, BYTES_32, 0, 4);
    return writer->length;
}

void cbor_put_unit(struct cbor_writer *writer, unsigned unit)
{
    unsigned char *at = extend(writer, 2);
    at[0] = (unsigned char)unit;
    at[1] = (unsigned char)(unit >> 8);
}

void cbor_put_character(struct cbor_writer *writer, const char *text, size_t size)
{
    unsigned character = decode((const unsigned char *)text, size);
    if (character >= 0x10000) {
        cbor_put_unit(writer, 0xD800 + ((character - 0x10000) >> 10));
        cbor_put_unit(writer, 0xDC00 + ((character - 0x10000) & 0x3FF));
    } else {
        cbor_put_unit(writer, character);
    }
}

void cbor_end_utf16(struct cbor_writer *writer, size_t begin)
{
    store(writer->bytes + begin - 4, writer->length - begin, 4);
}

size_t cbor_put_id(struct cbor_writer *writer)
{
    put_number(writer, UNSIGNED_32, 0, 4);
    return writer->length - 4;
}

void cbor_set_id(unsigned char *at, uint32_t id)
{
    store(at, id, 4);
}

/* Writes UTF-16 with the low byte first, as Chrome does. Returns false if the text is not UTF-8. */
static bool put_utf16(struct cbor_writer *writer, const char *text, size_t length)
{
    size_t begin = cbor_begin_utf16(writer);
    for (size_t i = 0; i < length;) {
        size_t size = utf8_sequence(text + i, length - i);
        if (size == 0) {
            return false;
        }
        cbor_put_character(writer, text + i, size);
        i += size;
    }
    cbor_end_utf16(writer, begin);
    return true;
}

static bool put_text(struct cbor_writer *writer, const char *text, size_t length)
{
    if (!is_ascii(text, length)) {
        return put_utf16(writer, text, length);
    }
    cbor_put_ascii(writer, text, length);
    return true;
}

static bool put_value(struct cbor_writer *writer, const json_t *value);

static bool put_members(struct cbor_writer *writer, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach (object, name, value) {
        if (!put_text(writer, name, strlen(name)) || !put_value(writer, value)) {
            return false;
        }
    }
    return true;
}

static bool put_items(struct cbor_writer *writer, json_t *array)
{
    size_t index;
    json_t *value;
    json_array_foreach (array, index, value) {
        if (!put_value(writer, value)) {
            return false;
        }
    }
    return true;
}

static bool put_nested(struct cbor_writer *writer, json_t *value)
{
    bool is_map = json_is_object(value);
    size_t begin = cbor_begin(writer, is_map);
    if (!(is_map ? put_members(writer, value) : put_items(writer, value))) {
        return false;
    }
    cbor_end(writer, begin);
    return true;
}

static bool put_value(struct cbor_writer *writer, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        return put_nested(writer, (json_t *)value);
    case JSON_STRING:
        return put_text(writer, json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
    case JSON_REAL:
        cbor_put_number(writer, json_number_value(value));
        return true;
    default:
        cbor_put_literal(writer, json_is_true(value)    ? CBOR_TRUE
                                 : json_is_false(value) ? CBOR_FALSE
                                                        : CBOR_NULL);
        return true;
    }
}

char *cbor_encode(const json_t *message, size_t *ret_length)
{
    struct cbor_writer writer = { 0 };
    if (!put_value(&writer, message)) {
        free(writer.bytes);
        return NULL;
    }
    *ret_length = writer.length;
    return (char *)writer.bytes;
}
