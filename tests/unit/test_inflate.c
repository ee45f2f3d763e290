#include "imaging/inflate.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

enum { SIZE = 300 * 1000, PACKED_CAPACITY = SIZE + SIZE / 8 + 1000 };

static uint8_t plain[SIZE];
static uint8_t packed[PACKED_CAPACITY + INFLATE_PADDING];
static uint8_t unpacked[SIZE + 70 * 1000];

/* Bytes with repetitions of all distances and lengths, the more the larger `repeats` is. */
static void make_plain(unsigned values, unsigned repeats)
{
    for (size_t i = 0; i < SIZE;) {
        if (i > 0 && random_number(100) < repeats) {
            unsigned reach = 1u << random_number(16);
            size_t distance = 1 + random_number(reach < i ? reach : (unsigned)i);
            size_t length = 3 + random_number(random_number(4) ? 20 : 600);
            for (; length > 0 && i < SIZE; length--, i++) {
                plain[i] = plain[i - distance];
            }
        } else {
            plain[i++] = (uint8_t)random_number(values);
        }
    }
}

static size_t pack(size_t size, int level, int strategy)
{
    z_stream stream = { 0 };
    assert_int_equal(deflateInit2(&stream, level, Z_DEFLATED, -15, 9, strategy), Z_OK);
    stream.next_in = plain;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = PACKED_CAPACITY;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

/* How many bytes came out in pieces of that size; -1: it is damaged. */
static long unpack(const uint8_t *bytes, size_t size, size_t piece)
{
    uint8_t *memory = malloc(INFLATE_WINDOW + piece + INFLATE_SLACK);
    struct inflate *inflate = inflate_create(bytes, size);
    uint8_t *out = memory;
    size_t total = 0;
    bool ok = true;
    while (ok && !inflate_is_done(inflate) && total < SIZE) {
        uint8_t *end = NULL;
        ok = inflate_more(inflate, memory, out, out + piece, &end);
        if (ok) {
            assert_true(end >= out + piece || inflate_is_done(inflate));
            memcpy(unpacked + total, out, (size_t)(end - out));
            total += (size_t)(end - out);
            size_t kept = end - memory < INFLATE_WINDOW ? (size_t)(end - memory) : INFLATE_WINDOW;
            memmove(memory, end - kept, kept);
            out = memory + kept;
        }
    }
    uint8_t *end = NULL;
    ok = ok && inflate_more(inflate, memory, out, out + 1, &end) && inflate_is_done(inflate);
    inflate_destroy(inflate);
    free(memory);
    return ok ? (long)total : -1;
}

static void test_what_zlib_packs_is_unpacked(void **state)
{
    (void)state;
    static const unsigned kinds[][2] = { { 256, 0 }, { 256, 60 }, { 40, 30 }, { 3, 90 }, { 1, 0 } };
    static const int ways[][2] = {
        { 0, Z_DEFAULT_STRATEGY },
        { 1, Z_DEFAULT_STRATEGY },
        { 6, Z_DEFAULT_STRATEGY },
        { 9, Z_DEFAULT_STRATEGY },
        { 6, Z_FIXED },
        { 6, Z_HUFFMAN_ONLY },
        { 6, Z_RLE },
    };
    static const size_t sizes[] = { 0, 1, 2, 300, 33000, SIZE };
    static const size_t pieces[] = { 1, 77, 5000, 65536 };
    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
        make_plain(kinds[kind][0], kinds[kind][1]);
        for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
            for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
                size_t size = pack(sizes[i], ways[way][0], ways[way][1]);
                size_t piece = pieces[(kind + way + i) % 4];
                if (unpack(packed, size, piece) != (long)sizes[i]) {
                    fail_msg("kind %zu, way %zu, size %zu", kind, way, sizes[i]);
                }
                assert_memory_equal(unpacked, plain, sizes[i]);
            }
        }
    }
}

static void test_what_ends_early_is_damaged(void **state)
{
    (void)state;
    static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_FIXED };
    make_plain(40, 30);
    for (size_t i = 0; i < 2; i++) {
        size_t size = pack(2000, 6, strategies[i]);
        for (size_t length = 0; length < size; length++) {
            assert_int_equal(unpack(packed, length, 1000), -1);
        }
    }
    size_t size = pack(2000, 0, Z_DEFAULT_STRATEGY);
    for (size_t length = 0; length < size; length++) {
        assert_int_equal(unpack(packed, length, 1000), -1);
    }
}

/* Each flip is refused, or leads to what zlib makes of it. */
static void test_flipped_bits_do_no_harm(void **state)
{
    (void)state;
    static uint8_t expected[SIZE + 1];
    unsigned refused = 0;
    make_plain(40, 30);
    size_t size = pack(1500, 6, Z_DEFAULT_STRATEGY);
    for (size_t bit = 0; bit < size * 8; bit++) {
        packed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        z_stream stream = { .next_in = packed, .avail_in = (uInt)size };
        stream.next_out = expected;
        stream.avail_out = SIZE;
        assert_int_equal(inflateInit2(&stream, -15), Z_OK);
        bool is_fine = inflate(&stream, Z_FINISH) == Z_STREAM_END;
        inflateEnd(&stream);
        long got = unpack(packed, size, 100);
        if (is_fine) {
            assert_int_equal(got, stream.total_out);
            assert_memory_equal(unpacked, expected, stream.total_out);
        } else {
            assert_int_equal(got, -1);
            refused++;
        }
        packed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_in_range(refused, 100, size * 8 - 100);
}

static void test_odd_blocks_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[8];
        size_t size;
        long expected;
    } cases[] = {
        { { 0x03, 0x00 }, 2, 0 },                    /* an empty block with fixed codes */
        { { 0x01, 0x00, 0x00, 0xFF, 0xFF }, 5, 0 },  /* an empty one without codes */
        { { 0x01, 0x01, 0x00, 0xFF, 0xFF }, 5, -1 }, /* its length and the check differ */
        { { 0x07 }, 1, -1 },                         /* a kind that is not known */
        { { 0x4B, 0x04, 0x00 }, 3, 1 },              /* one 'a' */
        { { 0x03, 0x02 }, 2, -1 },                   /* a copy of what is before the beginning */
        { { 0x00 }, 0, -1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t bytes[8 + INFLATE_PADDING] = { 0 };
        memcpy(bytes, cases[i].bytes, sizeof(cases[i].bytes));
        if (unpack(bytes, cases[i].size, 10) != cases[i].expected) {
            fail_msg("case %zu", i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_zlib_packs_is_unpacked),
        cmocka_unit_test(test_what_ends_early_is_damaged),
        cmocka_unit_test(test_flipped_bits_do_no_harm),
        cmocka_unit_test(test_odd_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
