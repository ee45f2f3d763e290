#include "imaging/deflate.h"

#include <libdeflate.h>
#include <stdbool.h>
#include <string.h>

/* Limits of the format. */
enum { MIN_LENGTH = 3, MAX_LENGTH = 258, MAX_DISTANCE = 32768 };

/* Symbols after the 256 literals: the end, lengths with up to 5 extra bits, the longest length. */
enum { SYMBOL_END = 256, SYMBOL_LENGTHS = 257, SYMBOL_LONGEST = 285 };

/* Bits are written from the lowest; up to 31 wait for the next put. */
struct bits {
    uint8_t *next;
    uint64_t value;
    unsigned count;
};

/* A code and its number of bits, in the order of writing. */
struct code {
    uint32_t value;
    unsigned count;
};

struct codes {
    struct code symbols[286];
    struct code lengths[MAX_LENGTH + 1]; /* with their extra bits */
};

static inline void put(struct bits *bits, struct code code)
{
    bits->value |= (uint64_t)code.value << bits->count;
    bits->count += code.count;
    if (bits->count >= 32) {
        for (int i = 0; i < 4; i++) {
            *bits->next++ = (uint8_t)(bits->value >> 8 * i);
        }
        bits->value >>= 32;
        bits->count -= 32;
    }
}

/* Writes the waiting bits, padded to a whole byte. */
static void flush(struct bits *bits)
{
    for (; bits->count > 0; bits->count -= bits->count < 8 ? bits->count : 8) {
        *bits->next++ = (uint8_t)bits->value;
        bits->value >>= 8;
    }
}

/* Huffman codes are written from their highest bit. */
static struct code reversed(uint32_t value, unsigned count)
{
    struct code code = { .count = count };
    for (unsigned i = 0; i < count; i++) {
        code.value |= (value >> i & 1) << (count - 1 - i);
    }
    return code;
}

/* RFC 1951, 3.2.6: the fixed codes. */
static struct code fixed_code(unsigned symbol)
{
    if (symbol < 144) {
        return reversed(0x30 + symbol, 8);
    }
    if (symbol < SYMBOL_END) {
        return reversed(0x190 + symbol - 144, 9);
    }
    return symbol < 280 ? reversed(symbol - SYMBOL_END, 7) : reversed(0xC0 + symbol - 280, 8);
}

/*
 * RFC 1951, 3.2.5: lengths and distances are in groups of symbols; each group has one extra bit
 * more than the one before. Offsets count from the first length or distance.
 */
static unsigned group_symbol(unsigned offset, unsigned symbols_in_group, unsigned *ret_extra_bits)
{
    unsigned extra = 0;
    unsigned base = 0;
    while (offset >= symbols_in_group * 2 << extra) {
        extra++;
    }
    if (offset >= symbols_in_group) {
        base = symbols_in_group * (extra + 1);
        offset -= symbols_in_group << extra;
    }
    *ret_extra_bits = extra;
    return base + (offset >> extra);
}

static struct code with_extra(struct code code, unsigned extra, unsigned extra_bits)
{
    code.value |= (extra & ((1u << extra_bits) - 1)) << code.count;
    code.count += extra_bits;
    return code;
}

static void codes_init(struct codes *codes)
{
    for (unsigned symbol = 0; symbol <= SYMBOL_LONGEST; symbol++) {
        codes->symbols[symbol] = fixed_code(symbol);
    }
    for (unsigned length = MIN_LENGTH; length < MAX_LENGTH; length++) {
        unsigned extra_bits;
        unsigned symbol = group_symbol(length - MIN_LENGTH, 4, &extra_bits);
        codes->lengths[length] =
            with_extra(codes->symbols[SYMBOL_LENGTHS + symbol], length - MIN_LENGTH, extra_bits);
    }
    codes->lengths[MAX_LENGTH] = codes->symbols[SYMBOL_LONGEST];
}

static struct code distance_code(unsigned distance)
{
    unsigned extra_bits;
    unsigned symbol = group_symbol(distance - 1, 2, &extra_bits);
    return with_extra(reversed(symbol, 5), distance - 1, extra_bits);
}

/* Returns how many bytes are equal at both places, up to `max`. */
static size_t common_length(const uint8_t *a, const uint8_t *b, size_t max)
{
    size_t length = 0;
    uint64_t first;
    uint64_t second;
    for (; length + sizeof(first) <= max; length += sizeof(first)) {
        memcpy(&first, a + length, sizeof(first));
        memcpy(&second, b + length, sizeof(second));
        if (first != second) {
            break;
        }
    }
    while (length < max && a[length] == b[length]) {
        length++;
    }
    return length;
}

static void pack(struct bits *bits, const uint8_t *bytes, size_t size, size_t stride)
{
    struct codes codes;
    codes_init(&codes);
    bool has_above = stride <= MAX_DISTANCE;
    const struct code before = distance_code(1);
    const struct code above = distance_code(has_above ? (unsigned)stride : 1);
    size_t at = 0;
    while (at < size) {
        size_t rest = size - at;
        size_t max = rest < MAX_LENGTH ? rest : MAX_LENGTH;
        size_t run = at >= 1 ? common_length(bytes + at, bytes + at - 1, max) : 0;
        size_t copy = has_above && at >= stride && run < max
                          ? common_length(bytes + at, bytes + at - stride, max)
                          : 0;
        size_t length = run >= copy ? run : copy;
        if (length < MIN_LENGTH) {
            put(bits, codes.symbols[bytes[at++]]);
            continue;
        }
        put(bits, codes.lengths[length]);
        put(bits, run >= copy ? before : above);
        at += length;
    }
    put(bits, codes.symbols[SYMBOL_END]);
}

size_t deflate_rows_bound(size_t size)
{
    /* Literals of 9 bits; then header, end and checksum. */
    return size + size / 8 + 16;
}

size_t deflate_rows(const uint8_t *bytes, size_t size, size_t stride, uint8_t *ret_packed)
{
    static const uint8_t header[] = { 0x78, 0x01 };
    static const struct code last_block = { 1, 1 };
    static const struct code fixed_codes = { 1, 2 };
    memcpy(ret_packed, header, sizeof(header));
    struct bits bits = { .next = ret_packed + sizeof(header) };
    put(&bits, last_block);
    put(&bits, fixed_codes);
    pack(&bits, bytes, size, stride);
    flush(&bits);
    uint32_t checksum = libdeflate_adler32(1, bytes, size);
    for (int shift = 24; shift >= 0; shift -= 8) {
        *bits.next++ = (uint8_t)(checksum >> shift);
    }
    return (size_t)(bits.next - ret_packed);
}

bool deflate_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret_bytes, size_t size)
{
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    bool is_done = inflate && libdeflate_deflate_decompress(inflate, packed, packed_size, ret_bytes,
                                                            size, NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(inflate);
    return is_done;
}

uint32_t deflate_checksum(const uint8_t *bytes, size_t size)
{
    return libdeflate_crc32(0, bytes, size);
}
