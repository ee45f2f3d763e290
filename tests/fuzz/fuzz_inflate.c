/*
 * Unpacks any bytes piece by piece, in pieces whose size the first byte chooses, and holds what
 * comes out against libdeflate.
 */
#include "imaging/inflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CAPACITY = 1024 * 1024 };

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* In the memory of one piece and the window before it; false when they are damaged. */
static bool unpack(const uint8_t *packed, size_t size, size_t piece, uint8_t *whole,
                   size_t *ret_size)
{
    uint8_t *memory = malloc(INFLATE_WINDOW + piece + INFLATE_SLACK);
    struct inflate *inflate = inflate_create(packed, size);
    uint8_t *out = memory;
    bool ok = true;
    *ret_size = 0;
    while (ok && !inflate_is_done(inflate) && *ret_size < CAPACITY) {
        uint8_t *end;
        ok = inflate_more(inflate, memory, out, out + piece, &end);
        if (ok) {
            check(end >= out && (end >= out + piece || inflate_is_done(inflate)));
            check(end < out + piece + INFLATE_SLACK);
            memcpy(whole + *ret_size, out, (size_t)(end - out));
            *ret_size += (size_t)(end - out);
            size_t kept = end - memory < INFLATE_WINDOW ? (size_t)(end - memory) : INFLATE_WINDOW;
            memmove(memory, end - kept, kept);
            out = memory + kept;
        }
    }
    ok = ok && inflate_is_done(inflate);
    inflate_destroy(inflate);
    free(memory);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t piece = (size_t)1 << bytes[0] % 17;
    size_t packed_size = size - 1;
    uint8_t *packed = malloc(packed_size + INFLATE_PADDING);
    memcpy(packed, bytes + 1, packed_size);
    memset(packed + packed_size, 0xA5, INFLATE_PADDING);
    uint8_t *whole = malloc(CAPACITY + ((size_t)1 << 16) + INFLATE_SLACK);
    uint8_t *expected = malloc(CAPACITY);
    size_t whole_size;
    size_t expected_size;
    struct libdeflate_decompressor *peer = libdeflate_alloc_decompressor();
    enum libdeflate_result result = libdeflate_deflate_decompress(
        peer, packed, packed_size, expected, CAPACITY, &expected_size);
    bool ok = unpack(packed, packed_size, piece, whole, &whole_size);
    /* Of codes that are not complete libdeflate takes a few more. */
    if (ok && whole_size <= CAPACITY) {
        check(result == LIBDEFLATE_SUCCESS && whole_size == expected_size);
        check(memcmp(whole, expected, whole_size) == 0);
    }
    libdeflate_free_decompressor(peer);
    free(expected);
    free(whole);
    free(packed);
    return 0;
}
