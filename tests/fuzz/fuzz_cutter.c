/*
 * Feeds any bytes of a browser in pieces. The result must not depend on the pieces and must not be
 * longer than the input. JSON must remain JSON.
 */
#include "runner/base/memory.h"
#include "runner/cdp/cutter.h"

#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static size_t feed(char *message, const uint8_t *bytes, size_t size, size_t piece)
{
    struct cutter cutter = { 0 };
    size_t kept = 0;
    for (size_t at = 0; at < size; at += piece) {
        size_t next = size - at < piece ? size - at : piece;
        memcpy(message + kept, bytes + at, next);
        kept = cutter_feed(&cutter, message, kept + next);
        assert(kept <= at + next);
    }
    return kept;
}

/*
 * The first byte determines how often a part of the input is repeated, because the limits are
 * large.
 */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 4) {
        return 0;
    }
    size_t from = 3 + (size - 3) * bytes[1] / 256;
    size_t length = (size - from) * bytes[2] / 256;
    size_t times = length ? (size_t)bytes[0] * 512 / length + 1 : 1;
    size_t total = size - 3 + length * (times - 1);
    uint8_t *text = xmalloc(total + 1);
    memcpy(text, bytes + 3, from - 3);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + from - 3 + i * length, bytes + from, length);
    }
    memcpy(text + total - (size - from - length), bytes + from + length, size - from - length);
    char *whole = xmalloc(total + 1);
    char *pieces = xmalloc(total + 1);
    size_t kept = feed(whole, text, total, total + 1);
    assert(kept == feed(pieces, text, total, 1 + bytes[2] % 97));
    assert(memcmp(whole, pieces, kept) == 0);
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    json_auto_t *before = json_loadb((const char *)text, total, flags, NULL);
    json_auto_t *after = before ? json_loadb(whole, kept, flags, NULL) : NULL;
    assert(!before || after);
    free(text);
    free(whole);
    free(pieces);
    return 0;
}
