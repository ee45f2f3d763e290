#include "imaging/inflate.h"

#include <stdlib.h>
#include <string.h>

/* Limits of the format. */
enum { MAX_BITS = 15, LITERALS = 288, DISTANCES = 32, LENGTH_CODES = 19, MAX_LENGTH = 258 };

/* Symbols behind the 256 literals. */
enum { SYMBOL_END = 256, SYMBOL_LENGTHS = 257 };

/*
 * A table is looked up by the next bits of the stream; codes that are longer lead to a table behind
 * it, which is looked up by the bits that follow. Of a complete code at least two symbols are in
 * each of those.
 */
enum {
    TABLE_BITS = 10,
    TABLE_SIZE = (1 << TABLE_BITS) + LITERALS / 2 * (1 << (MAX_BITS - TABLE_BITS)),
};

enum kind {
    KIND_NONE, /* no code begins so */
    KIND_LITERAL,
    KIND_COPY, /* a length, or a distance */
    KIND_END,
    KIND_TABLE,
};

struct entry {
    uint32_t value : 16; /* the literal, the least length or distance, where the table begins */
    uint32_t bits : 5;   /* of the code; of a table: that it is looked up by */
    uint32_t extra : 5;  /* bits behind the code, which are added to the value */
    uint32_t kind : 6;
};

struct table {
    struct entry entries[TABLE_SIZE];
};

/* The packed bytes as bits. */
struct source {
    const uint8_t *next;
    const uint8_t *end;
    uint64_t bits; /* the next ones, from the lowest on */
    unsigned count;
};

struct inflate {
    struct source source;
    bool is_last;   /* of the blocks */
    bool has_codes; /* in the middle of a block with codes */
    size_t stored;  /* bytes of a block without codes that are still to come */
    bool is_done;
    struct table literals, distances;
};

/* Afterwards there are at least 56 bits; behind the end they are worth nothing. */
static inline void refill(struct source *source)
{
    uint64_t more;
    memcpy(&more, source->next, sizeof(more));
    source->bits |= more << source->count;
    source->next += (63 - source->count) >> 3;
    source->count |= 56;
}

static inline uint64_t take(struct source *source, unsigned count)
{
    uint64_t value = source->bits & ((UINT64_C(1) << count) - 1);
    source->bits >>= count;
    source->count -= count;
    return value;
}

/* Whether bits were taken that were not there. The padding is longer than what is read ahead. */
static bool is_beyond_end(const struct source *source)
{
    return source->next > source->end && (size_t)(source->next - source->end) > source->count / 8;
}

/* RFC 1951, 3.2.5. Lengths come in groups of four symbols, distances in groups of two. */
static struct entry copy_entry(unsigned symbol, unsigned symbols_in_group, unsigned least)
{
    unsigned extra = symbol < 2 * symbols_in_group ? 0 : symbol / symbols_in_group - 1;
    unsigned base = extra ? (symbols_in_group + symbol % symbols_in_group) << extra : symbol;
    return (
        struct entry){ .kind = KIND_COPY, .extra = extra & 31, .value = (base + least) & 0xFFFF };
}

static struct entry literal_entry(unsigned symbol)
{
    if (symbol < SYMBOL_END) {
        return (struct entry){ .kind = KIND_LITERAL, .value = symbol & 0xFFFF };
    }
    if (symbol == SYMBOL_END) {
        return (struct entry){ .kind = KIND_END };
    }
    if (symbol == SYMBOL_LENGTHS + 28) {
        return (struct entry){ .kind = KIND_COPY, .value = MAX_LENGTH };
    }
    return symbol > SYMBOL_LENGTHS + 28 ? (struct entry){ .kind = KIND_NONE }
                                        : copy_entry(symbol - SYMBOL_LENGTHS, 4, 3);
}

static struct entry distance_entry(unsigned symbol)
{
    return symbol < 30 ? copy_entry(symbol, 2, 1) : (struct entry){ .kind = KIND_NONE };
}

/* The lengths of codes have themselves codes; their values are plain. */
static struct entry plain_entry(unsigned symbol)
{
    return (struct entry){ .kind = KIND_LITERAL, .value = symbol & 0xFFFF };
}

static unsigned reversed(unsigned code, unsigned count)
{
    unsigned result = 0;
    for (unsigned i = 0; i < count; i++) {
        result |= (code >> i & 1) << (count - 1 - i);
    }
    return result;
}

/* Writes the entry wherever the bits that follow the code are all that differs. */
static void fill(struct entry *entries, unsigned size, unsigned code, unsigned count,
                 struct entry entry)
{
    for (unsigned i = code; i < size; i += 1u << count) {
        entries[i] = entry;
    }
}

/* The entry of a code that is longer than the first table has bits. */
static void fill_long(struct table *table, unsigned *end, unsigned sub_bits, unsigned code,
                      unsigned count, struct entry entry)
{
    struct entry *link = &table->entries[code & ((1u << TABLE_BITS) - 1)];
    if (link->kind != KIND_TABLE) {
        *link = (struct entry){ .kind = KIND_TABLE, .bits = sub_bits & 31, .value = *end & 0xFFFF };
        *end += 1u << sub_bits;
    }
    entry.bits = (count - TABLE_BITS) & 31;
    fill(table->entries + link->value, 1u << sub_bits, code >> TABLE_BITS, count - TABLE_BITS,
         entry);
}

/*
 * RFC 1951, 3.2.2. The first code of each length into firsts; whether the code is complete, or has
 * at most one symbol: that much is allowed of distances.
 */
static bool count_codes(const uint8_t *lengths, unsigned symbols, unsigned *firsts,
                        unsigned *ret_longest)
{
    unsigned counts[MAX_BITS + 1] = { 0 };
    unsigned code = 0;
    *ret_longest = 0;
    for (unsigned i = 0; i < symbols; i++) {
        counts[lengths[i]]++;
    }
    counts[0] = 0;
    for (unsigned bits = 1; bits <= MAX_BITS; bits++) {
        code = (code + counts[bits - 1]) << 1;
        firsts[bits] = code;
        *ret_longest = counts[bits] ? bits : *ret_longest;
        if (code + counts[bits] > 1u << bits) {
            return false;
        }
    }
    bool is_complete = code + counts[MAX_BITS] == 1u << MAX_BITS;
    return is_complete || *ret_longest == 0 || (*ret_longest == 1 && counts[1] == 1);
}

static bool table_init(struct table *table, const uint8_t *lengths, unsigned symbols,
                       struct entry (*entry_of)(unsigned symbol))
{
    unsigned codes[MAX_BITS + 1];
    unsigned longest;
    unsigned end = 1u << TABLE_BITS;
    if (!count_codes(lengths, symbols, codes, &longest)) {
        return false;
    }
    memset(table->entries, 0, (size_t)end * sizeof(*table->entries));
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        unsigned count = lengths[symbol];
        if (count == 0) {
            continue;
        }
        unsigned code = reversed(codes[count]++, count);
        struct entry entry = entry_of(symbol);
        entry.bits = count & 31;
        if (count <= TABLE_BITS) {
            fill(table->entries, 1u << TABLE_BITS, code, count, entry);
        } else {
            fill_long(table, &end, longest - TABLE_BITS, code, count, entry);
        }
    }
    return true;
}

/* The next code; its extra bits are still to be taken. */
static inline struct entry decode(struct source *source, const struct table *table)
{
    struct entry entry = table->entries[source->bits & ((1u << TABLE_BITS) - 1)];
    if (entry.kind == KIND_TABLE) {
        take(source, TABLE_BITS);
        entry = table->entries[entry.value + (source->bits & ((1u << entry.bits) - 1))];
    }
    take(source, entry.bits);
    return entry;
}

/* RFC 1951, 3.2.7: 16 repeats the length before, 17 and 18 are several zeros. */
static bool read_lengths(struct source *source, const struct table *table, uint8_t *lengths,
                         unsigned count)
{
    for (unsigned i = 0; i < count;) {
        refill(source);
        struct entry entry = decode(source, table);
        if (entry.kind != KIND_LITERAL || is_beyond_end(source)) {
            return false;
        }
        if (entry.value < 16) {
            lengths[i++] = (uint8_t)entry.value;
            continue;
        }
        if (entry.value == 16 && i == 0) {
            return false;
        }
        uint8_t length = entry.value == 16 ? lengths[i - 1] : 0;
        unsigned repeat = entry.value == 16   ? 3 + (unsigned)take(source, 2)
                          : entry.value == 17 ? 3 + (unsigned)take(source, 3)
                                              : 11 + (unsigned)take(source, 7);
        if (repeat > count - i) {
            return false;
        }
        memset(lengths + i, length, repeat);
        i += repeat;
    }
    return true;
}

static bool begin_dynamic(struct inflate *inflate)
{
    static const uint8_t order[LENGTH_CODES] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                 11, 4,  12, 3, 13, 2, 14, 1, 15 };
    uint8_t lengths[LITERALS + DISTANCES] = { 0 };
    uint8_t own[LENGTH_CODES] = { 0 };
    unsigned literals = 257 + (unsigned)take(&inflate->source, 5);
    unsigned distances = 1 + (unsigned)take(&inflate->source, 5);
    unsigned count = 4 + (unsigned)take(&inflate->source, 4);
    for (unsigned i = 0; i < count; i++) {
        refill(&inflate->source);
        own[order[i]] = (uint8_t)take(&inflate->source, 3);
    }
    return literals <= 286 && distances <= 30 &&
           table_init(&inflate->literals, own, LENGTH_CODES, plain_entry) &&
           read_lengths(&inflate->source, &inflate->literals, lengths, literals + distances) &&
           lengths[SYMBOL_END] > 0 &&
           table_init(&inflate->literals, lengths, literals, literal_entry) &&
           table_init(&inflate->distances, lengths + literals, distances, distance_entry);
}

static bool begin_fixed(struct inflate *inflate)
{
    uint8_t lengths[LITERALS];
    uint8_t distances[DISTANCES];
    memset(lengths, 8, LITERALS);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(distances, 5, DISTANCES);
    return table_init(&inflate->literals, lengths, LITERALS, literal_entry) &&
           table_init(&inflate->distances, distances, DISTANCES, distance_entry);
}

/* Bytes as they are, behind the next whole byte; what was read ahead is given back. */
static bool begin_stored(struct inflate *inflate)
{
    take(&inflate->source, inflate->source.count % 8);
    refill(&inflate->source);
    unsigned size = (unsigned)take(&inflate->source, 16);
    unsigned check = (unsigned)take(&inflate->source, 16);
    inflate->source.next -= inflate->source.count / 8;
    inflate->source.bits = 0;
    inflate->source.count = 0;
    inflate->stored = size;
    return size == (check ^ 0xFFFF) && inflate->source.next <= inflate->source.end &&
           (size_t)(inflate->source.end - inflate->source.next) >= size;
}

static bool begin_block(struct inflate *inflate)
{
    refill(&inflate->source);
    inflate->is_last = take(&inflate->source, 1);
    switch (take(&inflate->source, 2)) {
    case 0:
        return begin_stored(inflate);
    case 1:
        inflate->has_codes = true;
        return begin_fixed(inflate);
    case 2:
        inflate->has_codes = true;
        return begin_dynamic(inflate);
    default:
        return false;
    }
}

/* The bytes between both places, again and again. */
static inline uint64_t repeated(const uint8_t *from, size_t distance)
{
    uint64_t bytes;
    memcpy(&bytes, from, sizeof(bytes));
    for (size_t bits = distance * 8; bits < 64; bits *= 2) {
        bytes = (bytes & ((UINT64_C(1) << bits) - 1)) | bytes << bits;
    }
    return bytes;
}

/* Copies in steps, and so up to 15 bytes too many. What overlaps repeats itself. */
static inline void copy(uint8_t *out, size_t distance, size_t length)
{
    enum { WORD = sizeof(uint64_t), STEP = 16 };
    const uint8_t *from = out - distance;
    const uint8_t *end = out + length;
    if (distance < WORD) {
        uint64_t bytes = repeated(from, distance);
        for (size_t step = WORD - WORD % distance; out < end; out += step) {
            memcpy(out, &bytes, WORD);
        }
    } else if (distance < STEP) {
        for (; out < end; out += WORD, from += WORD) {
            memcpy(out, from, WORD);
        }
    } else {
        for (; out < end; out += STEP, from += STEP) {
            memcpy(out, from, STEP);
        }
    }
}

/* Goes on in a block with codes, until it ends or the end is reached. NULL: it is damaged. */
static uint8_t *unpack_codes(struct inflate *inflate, const uint8_t *history, uint8_t *out,
                             const uint8_t *end)
{
    struct source source = inflate->source; /* a copy, which can be kept in registers */
    while (out < end && !is_beyond_end(&source)) {
        refill(&source);
        struct entry entry = decode(&source, &inflate->literals);
        if (entry.kind == KIND_LITERAL) {
            *out++ = (uint8_t)entry.value;
            entry = decode(&source, &inflate->literals);
            if (entry.kind == KIND_LITERAL) {
                *out++ = (uint8_t)entry.value;
                continue;
            }
            refill(&source);
        }
        if (entry.kind == KIND_NONE) {
            return NULL;
        }
        if (entry.kind == KIND_END) {
            inflate->has_codes = false;
            break;
        }
        size_t length = entry.value + take(&source, entry.extra);
        entry = decode(&source, &inflate->distances);
        size_t distance = entry.value + take(&source, entry.extra);
        if (entry.kind != KIND_COPY || distance > (size_t)(out - history)) {
            return NULL;
        }
        copy(out, distance, length);
        out += length;
    }
    inflate->source = source;
    return is_beyond_end(&source) ? NULL : out;
}

struct inflate *inflate_create(const uint8_t *packed, size_t size)
{
    struct inflate *inflate = calloc(1, sizeof(*inflate));
    if (inflate) {
        inflate->source.next = packed;
        inflate->source.end = packed + size;
    }
    return inflate;
}

void inflate_destroy(struct inflate *inflate)
{
    free(inflate);
}

bool inflate_is_done(const struct inflate *inflate)
{
    return inflate->is_done;
}

bool inflate_more(struct inflate *inflate, const uint8_t *history, uint8_t *out, const uint8_t *end,
                  uint8_t **ret_end)
{
    while (out && out < end && !inflate->is_done) {
        if (inflate->has_codes) {
            out = unpack_codes(inflate, history, out, end);
        } else if (inflate->stored > 0) {
            size_t size = (size_t)(end - out);
            size = inflate->stored < size ? inflate->stored : size;
            memcpy(out, inflate->source.next, size);
            inflate->source.next += size;
            inflate->stored -= size;
            out += size;
        } else if (inflate->is_last) {
            inflate->is_done = true;
        } else if (!begin_block(inflate) || is_beyond_end(&inflate->source)) {
            return false;
        }
    }
    *ret_end = out;
    return out;
}
