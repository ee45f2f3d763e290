/*
 * The binary form (CBOR) of DevTools messages, which Chrome uses with --remote-debugging-pipe=cbor.
 * It is Chrome's internal form, and Chrome's conversion to text costs more than all processing
 * here. Messages are converted to JSON while they arrive, so that their readers see only JSON.
 * Source: RFC 8949; third_party/inspector_protocol/crdtp/cbor.h in Chromium. Each map and array is
 * in an envelope (tag 24, a length of four bytes). A byte string is text in UTF-16 or, with tag 22,
 * base64.
 */
#ifndef RUNNER_CDP_CBOR_H
#define RUNNER_CDP_CBOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    CBOR_DEPTH = 2200, /* deepest nesting of maps and arrays. Greater than jansson's limit: a
                          message between the two limits costs that message, not the connection */
    CBOR_HEAD = 9,     /* longest head of an item in bytes */
    CBOR_GROWTH = 8,   /* at most this many bytes of JSON for each byte read, */
    CBOR_MORE = 64,    /* and this many in addition */
};

/* The state of a message that arrives in pieces. All zero at its beginning. */
struct cbor_reader {
    unsigned char head[CBOR_HEAD]; /* head of the item that begins */
    size_t head_length;
    bool is_base64; /* after tag 22: the next item is a byte string */
    enum cbor_text {
        CBOR_NO_TEXT,
        CBOR_UTF8,
        CBOR_UTF16,
        CBOR_BASE64,
    } text;                 /* kind of the current string */
    size_t left;            /* bytes of it that have not arrived */
    unsigned char carry[4]; /* an incomplete character, or group of three bytes for base64 */
    size_t carry_length;
    size_t depth;
    struct cbor_level {
        bool is_map, has_items;
        bool is_value; /* in a map: the next item is a value */
    } levels[CBOR_DEPTH];
    bool is_whole;  /* the message has ended */
    bool is_broken; /* Chrome would not send these bytes */
};

/*
 * Reads up to the end of the message or of the bytes, and writes JSON to `out`, which has room for
 * CBOR_GROWTH * length + CBOR_MORE bytes. Returns the number of bytes written; *ret_taken is the
 * number read. Invalid text becomes U+FFFD.
 */
size_t cbor_read(struct cbor_reader *reader, const unsigned char *bytes, size_t length, char *out,
                 size_t *ret_taken);

/* Returns the message as bytes. NULL if a text is not UTF-8. Caller frees. */
char *cbor_encode(const json_t *message, size_t *ret_length);

#endif
