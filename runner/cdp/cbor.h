/*
 * The binary form of DevTools messages, which Chrome speaks over --remote-debugging-pipe=cbor: it
 * is the form that Chrome has them in, and its way to text costs more than all that is done with
 * them here. Read as JSON while it comes, so that nobody else knows of it. Source: RFC 8949;
 * third_party/inspector_protocol/crdtp/cbor.h in Chromium: each map and array is in an envelope
 * (tag 24, a length of four bytes), a byte string is text in UTF-16, or base64 with tag 22.
 */
#ifndef RUNNER_CDP_CBOR_H
#define RUNNER_CDP_CBOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    CBOR_DEPTH = 2200, /* of maps and arrays: more than jansson reads, which costs one message */
    CBOR_HEAD = 9,     /* bytes that an item begins with at most */
    CBOR_GROWTH = 8,   /* bytes of JSON for each byte that is read, at most, */
    CBOR_MORE = 64,    /* and beside that */
};

/* A message that comes in pieces. All zero at its beginning. */
struct cbor_reader {
    unsigned char head[CBOR_HEAD]; /* of the item that begins */
    size_t head_length;
    bool is_base64; /* tag 22 came: the next item is a byte string */
    enum cbor_text {
        CBOR_NO_TEXT,
        CBOR_UTF8,
        CBOR_UTF16,
        CBOR_BASE64,
    } text;                 /* what the present string is */
    size_t left;            /* bytes of it that are still to come */
    unsigned char carry[4]; /* of a character, or of three bytes, that is not whole */
    size_t carry_length;
    size_t depth;
    struct cbor_level {
        bool is_map, has_items;
        bool is_value; /* of a map: a name came */
    } levels[CBOR_DEPTH];
    bool is_whole;  /* the message has ended */
    bool is_broken; /* it is none that Chrome would send */
};

/*
 * Reads on, up to the end of the message or of what is there, and writes JSON to `out`, which has
 * room for CBOR_GROWTH * length + CBOR_MORE bytes. Returns how many it has written; *ret_taken: how
 * many it has read. Text that is not valid becomes U+FFFD.
 */
size_t cbor_read(struct cbor_reader *reader, const unsigned char *bytes, size_t length, char *out,
                 size_t *ret_taken);

/* The message as bytes, the caller's to free. NULL for text that is no UTF-8. */
char *cbor_encode(const json_t *message, size_t *ret_length);

#endif
