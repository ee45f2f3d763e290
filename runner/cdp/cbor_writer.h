/*
 * Writing the binary form of cbor.h item by item: of a tree (cbor_write.c), or of text that is read
 * meanwhile (raw_command.c).
 */
#ifndef RUNNER_CDP_CBOR_WRITER_H
#define RUNNER_CDP_CBOR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero at first; the bytes are the caller's to free. */
struct cbor_writer {
    unsigned char *bytes;
    size_t length, capacity;
};

enum cbor_literal {
    CBOR_NULL,
    CBOR_FALSE,
    CBOR_TRUE,
};

/* A map, whose names and values follow in turn, or an array; until cbor_end() with the result. */
size_t cbor_begin(struct cbor_writer *writer, bool is_map);
void cbor_end(struct cbor_writer *writer, size_t begin);

/* Chrome takes whole numbers of 32 bits, and all others as doubles. */
void cbor_put_number(struct cbor_writer *writer, double number);
void cbor_put_literal(struct cbor_writer *writer, enum cbor_literal literal);

/* A text of ASCII. */
void cbor_put_ascii(struct cbor_writer *writer, const char *text, size_t length);

/* Any other text: its units of UTF-16, or characters of valid UTF-8, `size` bytes each. */
size_t cbor_begin_utf16(struct cbor_writer *writer);
void cbor_put_unit(struct cbor_writer *writer, unsigned unit);
void cbor_put_character(struct cbor_writer *writer, const char *text, size_t size);
void cbor_end_utf16(struct cbor_writer *writer, size_t begin);

/* A number that is known later; returns where cbor_set_id() is to put it. */
size_t cbor_put_id(struct cbor_writer *writer);
void cbor_set_id(unsigned char *at, uint32_t id);

#endif
