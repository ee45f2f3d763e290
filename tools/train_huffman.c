/*
 * Prints imaging/jpeg_tables.h: the Huffman tables that make the given screenshots smallest.
 *
 *     train_huffman PNG…
 *
 * A JPEG of each picture is made and read back as coefficients, the symbols that an encoder writes
 * for them are counted, and one code of at most 16 bits is made for all pictures together. Every
 * symbol that can occur counts once more, so that any other picture can be written too. This is
 * done for each of the qualities below.
 */
#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <browser_runner/image.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

enum {
    TABLES = 4, /* brightness DC and AC, colour DC and AC */
    SYMBOLS = 256,
    DC_SYMBOLS = 12,
    AC_MAX_SIZE = 10,
    MAX_LENGTH = 16,
    SYMBOLS_PER_LINE = 14,
};

/* How often each symbol of each table occurs. */
struct counts {
    uint64_t of[TABLES][SYMBOLS];
};

/* Symbols that get one more bit each; counts for each symbol. */
struct package {
    uint64_t weight;
    uint8_t members[SYMBOLS + 1];
};

/*
 * Packages by ascending weight. A list of merged packages has less than twice as many items as
 * leaves.
 */
struct package_list {
    size_t count;
    struct package packages[2 * (SYMBOLS + 1)];
};

static const int qualities[] = { 25, 75 };

static const char *const table_names[TABLES] = { "luma_dc", "luma_ac", "chroma_dc", "chroma_ac" };

static int bit_length(int value)
{
    int length = 0;
    for (unsigned rest = (unsigned)(value < 0 ? -value : value); rest; rest >>= 1) {
        length++;
    }
    return length;
}

static void count_block(const JCOEF *block, int *last_dc, uint64_t *dc, uint64_t *ac)
{
    static const uint8_t zigzag[DCTSIZE2] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    };
    dc[bit_length(block[0] - *last_dc)]++;
    *last_dc = block[0];
    int run = 0;
    for (int k = 1; k < DCTSIZE2; k++) {
        int value = block[zigzag[k]];
        if (value == 0) {
            run++;
            continue;
        }
        for (; run > 15; run -= 16) {
            ac[0xF0]++;
        }
        ac[run << 4 | bit_length(value)]++;
        run = 0;
    }
    if (run) {
        ac[0x00]++;
    }
}

/* Counts the blocks of one row of macroblocks, in the order in which they are written. */
static void count_macroblock_row(struct jpeg_decompress_struct *jpeg, jvirt_barray_ptr array,
                                 int component, JDIMENSION row, int *last_dc, struct counts *counts)
{
    const jpeg_component_info *info = &jpeg->comp_info[component];
    JDIMENSION wide = (JDIMENSION)info->h_samp_factor;
    JDIMENSION high = (JDIMENSION)info->v_samp_factor;
    JBLOCKARRAY blocks =
        jpeg->mem->access_virt_barray((j_common_ptr)jpeg, array, row * high, high, FALSE);
    int table = component == 0 ? 0 : 2;
    JDIMENSION macroblocks = (info->width_in_blocks + wide - 1) / wide;
    for (JDIMENSION x = 0; x < macroblocks * wide; x += wide) {
        for (JDIMENSION i = 0; i < high * wide; i++) {
            count_block(blocks[i / wide][x + i % wide], last_dc, counts->of[table],
                        counts->of[table + 1]);
        }
    }
}

/* libjpeg's own error handler is sufficient here: it prints and ends the program. */
static void count_jpeg(const unsigned char *bytes, size_t size, struct counts *counts)
{
    struct jpeg_decompress_struct jpeg = { 0 };
    struct jpeg_error_mgr manager;
    jpeg.err = jpeg_std_error(&manager);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, size);
    jpeg_read_header(&jpeg, TRUE);
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&jpeg);
    for (int component = 0; component < jpeg.num_components; component++) {
        int last_dc = 0;
        for (JDIMENSION row = 0; row < jpeg.total_iMCU_rows; row++) {
            count_macroblock_row(&jpeg, arrays[component], component, row, &last_dc, counts);
        }
    }
    jpeg_destroy_decompress(&jpeg);
}

static unsigned char *read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    unsigned char *bytes = NULL;
    size_t size = 0;
    size_t step = (size_t)1 << 20;
    for (size_t got = step; got == step; size += got) {
        bytes = xrealloc(bytes, size + step);
        got = fread(bytes + size, 1, step, file);
    }
    fclose(file);
    *ret_size = size;
    return bytes;
}

static bool count_png(const char *path, int quality, struct counts *counts, struct br_error *err)
{
    struct br_jpeg_options options = BR_JPEG_OPTIONS_INIT;
    options.quality = quality;
    size_t size = 0;
    CLEANUP_FREE unsigned char *png = read_file(path, &size);
    if (!png) {
        return error_set(err, BR_UNKNOWN_ERROR, "%s cannot be read", path);
    }
    CLEANUP(br_image_finish) struct br_image image = { 0 };
    CLEANUP_FREE unsigned char *jpeg = NULL;
    if (!br_png_decode(png, size, &image, err) ||
        !br_jpeg_encode(&image, &options, &jpeg, &size, err)) {
        return error_context(err, "%s", path);
    }
    count_jpeg(jpeg, size, counts);
    return true;
}

/* Whether a table of 8-bit baseline JPEG can need the symbol. */
static bool symbol_occurs(int table, int symbol)
{
    if (table % 2 == 0) {
        return symbol < DC_SYMBOLS;
    }
    int size = symbol & 15;
    return symbol == 0x00 || symbol == 0xF0 || (size >= 1 && size <= AC_MAX_SIZE);
}

static int package_compare(const void *a, const void *b)
{
    uint64_t left = ((const struct package *)a)->weight;
    uint64_t right = ((const struct package *)b)->weight;
    return (left > right) - (left < right);
}

/* Pairs of the list become packages, which are merged with the leaves in order. */
static void package_merge(struct package_list *list, const struct package_list *leaves)
{
    size_t count = list->count / 2;
    for (size_t i = 0; i < count; i++) {
        struct package pair = list->packages[2 * i];
        pair.weight += list->packages[2 * i + 1].weight;
        for (size_t symbol = 0; symbol <= SYMBOLS; symbol++) {
            pair.members[symbol] += list->packages[2 * i + 1].members[symbol];
        }
        list->packages[i] = pair;
    }
    memcpy(list->packages + count, leaves->packages, leaves->count * sizeof(struct package));
    list->count = count + leaves->count;
    qsort(list->packages, list->count, sizeof(struct package), package_compare);
}

/*
 * Computes the lengths of an optimal code of at most MAX_LENGTH bits (package-merge). JPEG forbids
 * the code of only ones: symbol SYMBOLS, which never occurs, takes it, and the caller drops it.
 */
static void code_lengths(const uint64_t *counts, int table, uint8_t lengths[SYMBOLS + 1])
{
    static struct package_list leaves;
    static struct package_list list;
    leaves = (struct package_list){ 0 };
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        if (symbol_occurs(table, symbol)) {
            struct package *leaf = &leaves.packages[leaves.count++];
            leaf->weight = counts[symbol] + 1;
            leaf->members[symbol] = 1;
        }
    }
    leaves.packages[leaves.count++].members[SYMBOLS] = 1;
    qsort(leaves.packages, leaves.count, sizeof(struct package), package_compare);
    list = leaves;
    for (int bit = 1; bit < MAX_LENGTH; bit++) {
        package_merge(&list, &leaves);
    }
    memset(lengths, 0, SYMBOLS + 1);
    for (size_t i = 0; i < 2 * leaves.count - 2; i++) {
        for (size_t symbol = 0; symbol <= SYMBOLS; symbol++) {
            lengths[symbol] += list.packages[i].members[symbol];
        }
    }
}

static void print_table(const uint64_t *counts, int table)
{
    uint8_t lengths[SYMBOLS + 1];
    code_lengths(counts, table, lengths);
    printf("    .%s = {\n        .counts = { 0", table_names[table]);
    for (int length = 1; length <= MAX_LENGTH; length++) {
        int count = 0;
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            count += lengths[symbol] == length;
        }
        printf(", %d", count);
    }
    printf(" },\n        .symbols = {");
    int printed = 0;
    for (int length = 1; length <= MAX_LENGTH; length++) {
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            if (lengths[symbol] == length) {
                printf("%s0x%02x,", printed % SYMBOLS_PER_LINE ? " " : "\n            ",
                       (unsigned)symbol);
                printed++;
            }
        }
    }
    printf("\n        },\n    },\n");
}

static void print_start(void)
{
    printf("/*\n * Huffman tables (ITU-T T.81, B.2.4.2) that make JPEGs of screenshots small, each "
           "set\n"
           " * trained at one quality. Written by tools/train_huffman.sh; do not edit.\n */\n"
           "#ifndef IMAGING_JPEG_TABLES_H\n#define IMAGING_JPEG_TABLES_H\n\n#include <stdint.h>\n\n"
           "struct jpeg_table {\n"
           "    uint8_t counts[%d];   /* of codes by their length in bits */\n"
           "    uint8_t symbols[%d]; /* by ascending code */\n};\n\n"
           "struct jpeg_tables {\n",
           MAX_LENGTH + 1, SYMBOLS);
    for (int table = 0; table < TABLES; table++) {
        printf("    struct jpeg_table %s;\n", table_names[table]);
    }
    printf("};\n");
}

static void print_tables(const struct counts *counts, int quality)
{
    printf("\nstatic const struct jpeg_tables jpeg_tables_%d = {\n", quality);
    for (int table = 0; table < TABLES; table++) {
        print_table(counts->of[table], table);
    }
    printf("};\n");
}

int main(int argc, char **argv)
{
    print_start();
    for (size_t q = 0; q < sizeof(qualities) / sizeof(qualities[0]); q++) {
        struct counts counts = { 0 };
        for (int i = 1; i < argc; i++) {
            struct br_error err;
            if (!count_png(argv[i], qualities[q], &counts, &err)) {
                fprintf(stderr, "%s: %s\n", argv[0], err.message);
                return 1;
            }
        }
        print_tables(&counts, qualities[q]);
    }
    printf("\n#endif\n");
    return 0;
}
