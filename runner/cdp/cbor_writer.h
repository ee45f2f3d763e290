/*
 * Writes the binary form of cbor.h item by item: from a JSON tree (cbor_write.c), or from JSON text
 * while it is read (json_walk.c, raw_command.c).
 */
#ifndef RUNNER_CDP_CBOR_WRITER_H
#define RUNNER_CDP_CBOR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero at first. The caller frees the bytes. */
struct cbor_writer {
    unsigned char *bytes;
    size_t length, capacity;
};

enum cbor_literal {
    CBOR_NULL,
    CBOR_FALSE,
    CBOR_TRUE,
};

/* Begins a map, whose names and values follow in turn, or an array. cbor_end() takes the result. */
size_t cbor_begin(struct cbor_writer *writer, bool is_map);
void cbor_end(struct cbor_writer *writer, size_t begin);

/* Writes a 32-bit integer, or any other number as a double: Chrome accepts no other form. */
void cbor_put_number(struct cbor_writer *writer, double number);
void cbor_put_literal(struct cbor_writer *writer, enum cbor_literal literal);

/* Writes an ASCII text. */
void cbor_put_ascii(struct cbor_writer *writer, const char *text, size_t length);

/*
 * Writes any other text by its UTF-16 units, or by its characters of `size` bytes of valid UTF-8.
 * cbor_end_utf16() takes the result of cbor_begin_utf16().
 */
size_t cbor_begin_utf16(struct cbor_writer *writer);
void cbor_put_unit(struct cbor_writer *writer, unsigned unit);
void cbor_put_character(struct cbor_writer *writer, const char *text, size_t size);
void cbor_end_utf16(struct cbor_writer *writer, size_t begin);

/* Reserves room for an id and returns its offset. Pass the address to cbor_set_id() later. */
size_t cbor_put_id(struct cbor_writer *writer);
void cbor_set_id(unsigned char *at, uint32_t id);

#endif
