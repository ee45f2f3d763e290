/*
 * Feeds any bytes as CBOR of a browser. The result must not depend on how the bytes are divided
 * into pieces, and a whole message must become valid JSON.
 */
#include "runner/base/memory.h"
#include "runner/cdp/cbor.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/*
 * Reads the first message in pieces and returns the length of its text. ret_reader->is_whole says
 * whether the message is complete.
 */
static size_t read_message(const uint8_t *bytes, size_t size, size_t piece, char *text,
                           struct cbor_reader *ret_reader)
{
    size_t written = 0;
    *ret_reader = (struct cbor_reader){ 0 };
    for (size_t at = 0; at < size && !ret_reader->is_whole && !ret_reader->is_broken;) {
        size_t taken = 0;
        size_t next = size - at < piece ? size - at : piece;
        char *out = xmalloc(CBOR_GROWTH * next + CBOR_MORE);
        size_t more = cbor_read(ret_reader, bytes + at, next, out, &taken);
        assert(taken > 0 && taken <= next && more <= CBOR_GROWTH * next + CBOR_MORE);
        memcpy(text + written, out, more);
        free(out);
        written += more;
        at += taken;
    }
    return written;
}

/*
 * Whether jansson can read the text: it rejects half surrogate pairs, and names that contain a NUL.
 */
static bool is_readable(const char *text, size_t length)
{
    static const char half_pair[] = "\\ud";
    static const char nul[] = "\\u0000";
    return !memmem(text, length, half_pair, strlen(half_pair)) &&
           !memmem(text, length, nul, strlen(nul));
}

/* The first byte determines the length of the pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    char *whole = xmalloc((CBOR_GROWTH + CBOR_MORE) * size);
    char *pieces = xmalloc((CBOR_GROWTH + CBOR_MORE) * size);
    struct cbor_reader reader;
    struct cbor_reader of_pieces;
    size_t length = read_message(bytes + 1, size - 1, size, whole, &reader);
    size_t also = read_message(bytes + 1, size - 1, 1 + bytes[0] % 31, pieces, &of_pieces);
    assert(reader.is_whole == of_pieces.is_whole && reader.is_broken == of_pieces.is_broken);
    assert(length == also && memcmp(whole, pieces, length) == 0);
    if (reader.is_whole && is_readable(whole, length)) {
        json_auto_t *message = json_loadb(whole, length, JSON_ALLOW_NUL, NULL);
        size_t encoded_length = 0;
        char *encoded = message ? cbor_encode(message, &encoded_length) : NULL;
        assert(message && encoded && encoded_length > 0);
        free(encoded);
    }
    free(whole);
    free(pieces);
    return 0;
}
