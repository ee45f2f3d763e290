#include "imaging/decode.h"
#include "imaging/image.h"
#include "imaging/jpeg_tables.h"
#include "imaging/output.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

/* A progressive file may ask for the whole picture again with every few bytes; real ones have 10.
 */
#define MAX_SCANS 100

/*
 * Up to the first quality the tables trained at 25 make the smallest files, up to the second those
 * trained at 75. Both come within 5 % of tables made for each picture, which take twice the time;
 * above, where these save 10 to 20 %, that is what they are for.
 */
#define LOW_MAX_QUALITY   40
#define FIXED_MAX_QUALITY 90

#define OUTPUT_STEP ((size_t)16 * 1024)

/* libjpeg's error handler, and where it jumps to. */
struct jpeg_failure {
    struct jpeg_error_mgr manager;
    struct br_error *err;
    jmp_buf escape;
};

struct jpeg_reader {
    struct jpeg_decompress_struct decompress;
    struct jpeg_progress_mgr progress;
    struct jpeg_failure failure;
};

struct jpeg_writer {
    struct jpeg_compress_struct compress;
    struct jpeg_destination_mgr destination;
    struct jpeg_failure failure;
    struct output output;
    uint8_t *row; /* a row laid over white, when the picture has alpha */
};

_Noreturn static void on_jpeg_error(j_common_ptr codec)
{
    struct jpeg_failure *failure = (struct jpeg_failure *)codec->err;
    char message[JMSG_LENGTH_MAX];
    failure->manager.format_message(codec, message);
    error_set(failure->err, BR_UNKNOWN_ERROR, "JPEG: %s", message);
    longjmp(failure->escape, 1);
}

/* A warning (level -1) tells of damage that libjpeg would hide behind grey; the rest is chatter. */
static void on_jpeg_message(j_common_ptr codec, int level)
{
    if (level < 0) {
        on_jpeg_error(codec);
    }
}

static void on_jpeg_progress(j_common_ptr codec)
{
    const struct jpeg_reader *reader = (const struct jpeg_reader *)codec;
    if (reader->decompress.input_scan_number > MAX_SCANS) {
        error_set(reader->failure.err, BR_LIMIT_EXCEEDED, "JPEG: more than %d scans", MAX_SCANS);
        longjmp(((struct jpeg_failure *)codec->err)->escape, 1);
    }
}

static struct jpeg_error_mgr *failure_init(struct jpeg_failure *failure, struct br_error *err)
{
    jpeg_std_error(&failure->manager);
    failure->manager.error_exit = on_jpeg_error;
    failure->manager.emit_message = on_jpeg_message;
    failure->err = err;
    return &failure->manager;
}

/* Makes *image, which stays with the caller also when the reading of the rows fails. */
static bool reader_run(struct jpeg_reader *reader, const void *bytes, size_t size,
                       struct br_image *image, struct br_error *err)
{
    struct jpeg_decompress_struct *decompress = &reader->decompress;
    decompress->err = failure_init(&reader->failure, err);
    if (setjmp(reader->failure.escape)) {
        return false;
    }
    jpeg_create_decompress(decompress);
    reader->progress.progress_monitor = on_jpeg_progress;
    decompress->progress = &reader->progress;
    jpeg_mem_src(decompress, bytes, size);
    jpeg_read_header(decompress, TRUE);
    if (!image_check_size(decompress->image_width, decompress->image_height, err)) {
        return false;
    }
    if (!image_create((int)decompress->image_width, (int)decompress->image_height, image, err)) {
        return false;
    }
    decompress->out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(decompress);
    while (decompress->output_scanline < decompress->output_height) {
        JSAMPROW row = image_row(image, (int)decompress->output_scanline);
        jpeg_read_scanlines(decompress, &row, 1);
    }
    jpeg_finish_decompress(decompress);
    return true;
}

bool br_jpeg_decode(const void *bytes, size_t size, struct br_image *ret_image,
                    struct br_error *err)
{
    struct jpeg_reader reader = { 0 };
    struct br_image image = { 0 };
    bool ok = reader_run(&reader, bytes, size, &image, err);
    jpeg_destroy_decompress(&reader.decompress);
    if (!ok) {
        br_image_finish(&image);
        return false;
    }
    *ret_image = image;
    return true;
}

static bool reader_run_header(struct jpeg_reader *reader, const void *bytes, size_t size,
                              struct br_error *err)
{
    reader->decompress.err = failure_init(&reader->failure, err);
    if (setjmp(reader->failure.escape)) {
        return false;
    }
    jpeg_create_decompress(&reader->decompress);
    jpeg_mem_src(&reader->decompress, bytes, size);
    jpeg_read_header(&reader->decompress, TRUE);
    return image_check_size(reader->decompress.image_width, reader->decompress.image_height, err);
}

bool jpeg_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                      struct br_error *err)
{
    struct jpeg_reader reader = { 0 };
    bool ok = reader_run_header(&reader, bytes, size, err);
    *ret_width = (int)reader.decompress.image_width;
    *ret_height = (int)reader.decompress.image_height;
    jpeg_destroy_decompress(&reader.decompress);
    return ok;
}

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

/* libjpeg wants the whole space counted as written, whatever free_in_buffer says. */
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

static void writer_set_options(struct jpeg_writer *writer, const struct br_jpeg_options *options)
{
    struct jpeg_compress_struct *compress = &writer->compress;
    jpeg_set_defaults(compress);
    jpeg_set_quality(compress, options->quality, TRUE);
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

/* The row as libjpeg shall see it, which looks at no alpha. */
static uint8_t *writer_row(struct jpeg_writer *writer, const struct br_image *image, int y)
{
    uint8_t *row = image_row(image, y);
    if (!writer->row || image_row_is_opaque(row, image->width)) {
        return row;
    }
    for (size_t i = 0; i < image_stride(image); i++) {
        unsigned alpha = row[i | 3];
        writer->row[i] = (uint8_t)((row[i] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
    return writer->row;
}

static bool writer_run(struct jpeg_writer *writer, const struct br_image *image,
                       const struct br_jpeg_options *options, struct br_error *err)
{
    struct jpeg_compress_struct *compress = &writer->compress;
    compress->err = failure_init(&writer->failure, err);
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
    writer_set_options(writer, options);
    jpeg_start_compress(compress, TRUE);
    for (int y = 0; y < image->height; y++) {
        JSAMPROW row = writer_row(writer, image, y);
        jpeg_write_scanlines(compress, &row, 1);
    }
    jpeg_finish_compress(compress);
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
    struct jpeg_writer writer = { 0 };
    bool ok = true;
    if (!image_is_opaque(image)) {
        writer.row = malloc(image_stride(image));
        ok = writer.row || error_set(err, BR_LIMIT_EXCEEDED, "JPEG: no memory for a row");
    }
    ok = ok && writer_run(&writer, image, options, err);
    jpeg_destroy_compress(&writer.compress);
    free(writer.row);
    if (!ok) {
        free(writer.output.bytes);
        return false;
    }
    *ret_bytes = writer.output.bytes;
    *ret_size = writer.output.size;
    return true;
}
