#include "imaging/both.h"
#include "imaging/image.h"
#include "imaging/jpeg_failure.h"
#include "imaging/jpeg_tables.h"
#include "imaging/output.h"
#include "runner/base/memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>

/*
 * Up to the first quality, the tables trained at 25 give the smallest files; up to the second,
 * those trained at 75. Both come within 5 % of tables optimised for each picture, which take twice
 * the time. Above, optimised tables save 10 to 20 % and are used.
 */
#define LOW_MAX_QUALITY   40
#define FIXED_MAX_QUALITY 90

#define OUTPUT_STEP ((size_t)16 * 1024)

/* Smaller pictures are finished before a second thread would start. */
#define PARTS_MIN_PIXELS (100 * 1000)

/*
 * Parts of a picture, and more of a very large one: enough to distribute them evenly over two
 * threads.
 */
enum { PARTS = 8 };

/* The format stores the number of blocks between two restart markers in 16 bits. */
#define RESTART_MARKER       0xD0
#define MAX_RESTART_INTERVAL 65535

/*
 * Some rows of a picture, encoded as a file of their own. The data after the headers is the same as
 * in a file of the whole picture with restart markers between the parts.
 */
struct jpeg_writer {
    struct jpeg_compress_struct compress;
    struct jpeg_destination_mgr destination;
    struct jpeg_failure failure;
    struct output output;
    struct br_image image; /* its pixels are borrowed */
    const struct br_jpeg_options *options;
    unsigned restart_interval; /* blocks of the whole picture between markers; 0: a single part */
    uint8_t *row;              /* a row drawn on white */
    bool is_done;
    struct br_error err;
};

static void destination_offer(struct jpeg_writer *writer)
{
    if (!output_reserve(&writer->output, OUTPUT_STEP)) {
        ERREXIT1(&writer->compress, JERR_OUT_OF_MEMORY, 0);
    }
    writer->destination.next_output_byte = writer->output.bytes + writer->output.size;
    writer->destination.free_in_buffer = writer->output.capacity - writer->output.size;
}

static void on_destination_start(j_compress_ptr compress)
{
    destination_offer((struct jpeg_writer *)compress);
}

/* libjpeg counts the whole buffer as written, regardless of free_in_buffer. */
static boolean on_destination_full(j_compress_ptr compress)
{
    struct jpeg_writer *writer = (struct jpeg_writer *)compress;
    writer->output.size = writer->output.capacity;
    destination_offer(writer);
    return TRUE;
}

static void on_destination_end(j_compress_ptr compress)
{
    struct jpeg_writer *writer = (struct jpeg_writer *)compress;
    writer->output.size = writer->output.capacity - writer->destination.free_in_buffer;
}

static void table_set(JHUFF_TBL *target, const struct jpeg_table *table)
{
    memcpy(target->bits, table->counts, sizeof(table->counts));
    memcpy(target->huffval, table->symbols, sizeof(table->symbols));
}

static void writer_set_options(struct jpeg_writer *writer)
{
    struct jpeg_compress_struct *compress = &writer->compress;
    const struct br_jpeg_options *options = writer->options;
    jpeg_set_defaults(compress);
    jpeg_set_quality(compress, options->quality, TRUE);
    compress->restart_interval = writer->restart_interval;
    if (options->chroma == BR_CHROMA_444) {
        compress->comp_info[0].h_samp_factor = 1;
        compress->comp_info[0].v_samp_factor = 1;
    }
    if (options->quality > FIXED_MAX_QUALITY) {
        compress->optimize_coding = TRUE;
        return;
    }
    const struct jpeg_tables *tables =
        options->quality <= LOW_MAX_QUALITY ? &jpeg_tables_25 : &jpeg_tables_75;
    table_set(compress->dc_huff_tbl_ptrs[0], &tables->luma_dc);
    table_set(compress->ac_huff_tbl_ptrs[0], &tables->luma_ac);
    table_set(compress->dc_huff_tbl_ptrs[1], &tables->chroma_dc);
    table_set(compress->ac_huff_tbl_ptrs[1], &tables->chroma_ac);
}

/* Returns the row for libjpeg, which ignores alpha. */
static uint8_t *writer_row(struct jpeg_writer *writer, int y)
{
    const struct br_image *image = &writer->image;
    uint8_t *row = image_row(image, y);
    if (image_row_is_opaque(row, image->width)) {
        return row;
    }
    for (size_t i = 0; i < image_stride(image); i++) {
        unsigned alpha = row[i | 3];
        writer->row[i] = (uint8_t)((row[i] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
    return writer->row;
}

static bool writer_run(struct jpeg_writer *writer)
{
    struct jpeg_compress_struct *compress = &writer->compress;
    const struct br_image *image = &writer->image;
    compress->err = jpeg_failure_init(&writer->failure, &writer->err);
    if (setjmp(writer->failure.escape)) {
        return false;
    }
    jpeg_create_compress(compress);
    writer->destination = (struct jpeg_destination_mgr){
        .init_destination = on_destination_start,
        .empty_output_buffer = on_destination_full,
        .term_destination = on_destination_end,
    };
    compress->dest = &writer->destination;
    compress->image_width = (JDIMENSION)image->width;
    compress->image_height = (JDIMENSION)image->height;
    compress->input_components = IMAGE_BYTES_PER_PIXEL;
    compress->in_color_space = JCS_EXT_RGBA;
    writer_set_options(writer);
    jpeg_start_compress(compress, TRUE);
    for (int y = 0; y < image->height; y++) {
        JSAMPROW row = writer_row(writer, y);
        jpeg_write_scanlines(compress, &row, 1);
    }
    jpeg_finish_compress(compress);
    return true;
}

static void writer_encode(struct jpeg_writer *writer)
{
    writer->row = malloc(image_stride(&writer->image));
    writer->is_done = writer->row
                          ? writer_run(writer)
                          : error_set(&writer->err, BR_LIMIT_EXCEEDED, "JPEG: no memory for a row");
    jpeg_destroy_compress(&writer->compress);
    free(writer->row);
}

/* The parts of a picture, from the top. Their number depends on the picture alone. */
struct jpeg_parts {
    struct jpeg_writer *writers;
    int count;
    atomic_int taken;
};

/*
 * Encodes parts until all are taken. A thread that starts late on a busy machine encodes fewer of
 * them.
 */
static void parts_encode_some(void *data)
{
    struct jpeg_parts *parts = data;
    int i;
    while ((i = atomic_fetch_add(&parts->taken, 1)) < parts->count) {
        writer_encode(&parts->writers[i]);
    }
}

static int divide_up(int number, int divisor)
{
    return (number + divisor - 1) / divisor;
}

/* Optimised tables need the whole picture in one part. */
static bool is_divided(const struct br_image *image, const struct br_jpeg_options *options)
{
    return options->quality <= FIXED_MAX_QUALITY &&
           (int64_t)image->width * image->height >= PARTS_MIN_PIXELS;
}

/* Divides the picture into parts of equal height; the last one may be smaller. */
static bool parts_init(struct jpeg_parts *parts, const struct br_image *image,
                       const struct br_jpeg_options *options)
{
    const int side = options->chroma == BR_CHROMA_444 ? DCTSIZE : 2 * DCTSIZE;
    const int across = divide_up(image->width, side);
    int down = divide_up(image->height, side);
    int height = down;
    if (is_divided(image, options)) {
        int count = PARTS;
        do {
            height = divide_up(down, count++);
        } while (across * height > MAX_RESTART_INTERVAL);
    }
    parts->count = divide_up(down, height);
    atomic_init(&parts->taken, 0);
    parts->writers = calloc((size_t)parts->count, sizeof(*parts->writers));
    for (int i = 0; parts->writers && i < parts->count; i++) {
        struct jpeg_writer *writer = &parts->writers[i];
        const int first_row = i * height * side;
        const int rest = image->height - first_row;
        writer->options = options;
        writer->restart_interval = parts->count > 1 ? (unsigned)(across * height) : 0;
        writer->image = (struct br_image){
            .width = image->width,
            .height = rest < height * side ? rest : height * side,
            .pixels = image_row(image, first_row),
        };
    }
    return parts->writers;
}

static void parts_finish(struct jpeg_parts *parts)
{
    for (int i = 0; parts->writers && i < parts->count; i++) {
        free(parts->writers[i].output.bytes);
    }
    free(parts->writers);
}

static bool parts_encode(struct jpeg_parts *parts, struct br_error *err)
{
    if (parts->count == 1) {
        parts_encode_some(parts);
    } else {
        both_run(parts_encode_some, parts, parts);
    }
    for (int i = 0; i < parts->count; i++) {
        if (!parts->writers[i].is_done) {
            *err = parts->writers[i].err;
            return false;
        }
    }
    return true;
}

/*
 * Returns where the data after the headers begins; *ret_height: the offset of the height in the
 * frame header.
 */
static size_t find_data(const struct output *file, size_t *ret_height)
{
    size_t at = 2; /* after SOI; each segment begins with its marker and its length */
    for (;;) {
        const uint8_t *segment = file->bytes + at;
        assert(segment[0] == 0xFF);
        if (segment[1] == 0xC0) {
            *ret_height = at + 5;
        }
        at += 2 + (size_t)(segment[2] << 8 | segment[3]);
        if (segment[1] == 0xDA) {
            return at;
        }
    }
}

/* Appends all parts to the first one, with markers in between. */
static bool parts_join(struct jpeg_parts *parts, int height, struct br_error *err)
{
    struct output *whole = &parts->writers[0].output;
    size_t height_at = 0;
    find_data(whole, &height_at);
    whole->bytes[height_at] = (uint8_t)(height >> 8);
    whole->bytes[height_at + 1] = (uint8_t)height;
    for (int i = 1; i < parts->count; i++) {
        const struct output *part = &parts->writers[i].output;
        size_t data = find_data(part, &height_at);
        /* The end marker is replaced by the restart marker. */
        whole->bytes[whole->size - 1] = (uint8_t)(RESTART_MARKER + (i - 1) % 8);
        if (!output_add(whole, part->bytes + data, part->size - data)) {
            return error_set(err, BR_LIMIT_EXCEEDED, "JPEG: no memory for the file");
        }
    }
    return true;
}

bool br_jpeg_encode(const struct br_image *image, const struct br_jpeg_options *options,
                    unsigned char **ret_bytes, size_t *ret_size, struct br_error *err)
{
    if (options->quality < 1 || options->quality > 100) {
        return error_set(err, BR_INVALID_ACTION, "JPEG: quality %d is not from 1 to 100",
                         options->quality);
    }
    if (image->width > JPEG_MAX_DIMENSION || image->height > JPEG_MAX_DIMENSION) {
        return error_set(err, BR_LIMIT_EXCEEDED, "JPEG: %dx%d is over %ld pixels on a side",
                         image->width, image->height, JPEG_MAX_DIMENSION);
    }
    struct jpeg_parts parts;
    bool ok = parts_init(&parts, image, options)
                  ? parts_encode(&parts, err) && parts_join(&parts, image->height, err)
                  : error_set(err, BR_LIMIT_EXCEEDED, "JPEG: no memory to encode");
    if (ok) {
        *ret_size = parts.writers[0].output.size;
        *ret_bytes = TAKE(parts.writers[0].output.bytes);
    }
    parts_finish(&parts);
    return ok;
}
