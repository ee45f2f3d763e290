/*
 * Feeds any bytes as input of a server's client: lines in pieces, and the headers that the gate
 * checks.
 */
#include "runner/base/utf8.h"
#include "runner/net/gate.h"
#include "runner/net/lines.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Checks that the returned lines are the texts between newlines, however the input is divided. */
static void check_lines(const char *text, size_t size, size_t piece)
{
    struct line_cut cut = { 0 };
    struct strbuf incoming = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t expected = 0;
    for (size_t at = 0; at <= size; at += piece) {
        size_t left = size - at;
        bool has_ended = left < piece;
        strbuf_add(&incoming, text + at, has_ended ? left : piece);
        size_t length = 0;
        char *line = NULL;
        while ((line = line_cut_next(&cut, &incoming, has_ended, &length))) {
            assert(length <= size - expected && memcmp(line, text + expected, length) == 0);
            assert(line[length] == '\0' && !memchr(line, '\n', length));
            assert(expected + length == size || text[expected + length] == '\n');
            expected += length + 1;
        }
        assert(!has_ended || line_cut_rest(&cut, &incoming) == 0);
        line_cut_forget(&cut, &incoming);
    }
    assert(expected == size || expected == size + 1);
    strbuf_finish(&incoming);
}

/* Checks that the gate accepts only the given origin and tokens, and no malformed host. */
static void check_gate(const char *text)
{
    static const char *const origins[] = { "http://a.example", NULL };
    static const char *const hosts[] = { "a.example", NULL };
    static const char *const tokens[] = { "secret", "other", NULL };
    struct gate gate;
    gate_init(&gate, &(struct net_access){ .tokens = tokens, .origins = origins, .hosts = hosts });
    bool has_host = gate_allows_host(&gate, text);
    assert(!has_host || (!strpbrk(text, "/@ ,\t") && strlen(text) < 300));
    assert(gate_allows_origin(&gate, text) == (strcmp(text, origins[0]) == 0));
    assert(gate_allows_token(&gate, text) ==
           (strcmp(text, "secret") == 0 || strcmp(text, "other") == 0));
    const char *bearer = gate_bearer(text);
    assert(!bearer || (bearer > text && bearer <= text + strlen(text)));
    struct strbuf query = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *token = gate_add_parameter(&query, text);
    assert(!token || query.length == 0);
    assert(strspn(query.data, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-._~=%") == query.length);
    strbuf_finish(&query);
    gate_finish(&gate);
}

/* Checks that the fast path for ASCII agrees with reading character by character. */
static void check_utf8(const char *text, size_t size)
{
    size_t at = 0;
    size_t step = 1;
    while (at < size && step > 0) {
        step = utf8_sequence(text + at, size - at);
        at += step;
    }
    assert(utf8_is_valid(text, size) == (at == size));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *text = (const char *)bytes + 1;
    CLEANUP_FREE char *string = xstrndup(text, size - 1);
    check_lines(text, size - 1, 1 + bytes[0] % 32);
    check_gate(string);
    check_utf8(text, size - 1);
    return 0;
}
