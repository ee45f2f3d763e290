#include "imaging/decode.h"

#include "imaging/image.h"
#include "imaging/jpeg_failure.h"
#include "imaging/rows.h"

#include <stdlib.h>

/*
 * Each scan of a progressive file may process the whole picture for a few bytes; real files have 10
 * scans.
 */
#define MAX_SCANS 100

struct jpeg_reader {
    struct jpeg_decompress_struct decompress;
    struct jpeg_progress_mgr progress;
    struct jpeg_failure failure;
};

static void on_jpeg_progress(j_common_ptr codec)
{
    const struct jpeg_reader *reader = (const struct jpeg_reader *)codec;
    if (reader->decompress.input_scan_number > MAX_SCANS) {
        error_set(reader->failure.err, BR_LIMIT_EXCEEDED, "JPEG: more than %d scans", MAX_SCANS);
        longjmp(((struct jpeg_failure *)codec->err)->escape, 1);
    }
}

/* Reads the header, up to the point where the caller chooses options. */
static bool reader_open(struct jpeg_reader *reader, const void *bytes, size_t size,
                        struct br_error *err)
{
    struct jpeg_decompress_struct *decompress = &reader->decompress;
    jpeg_create_decompress(decompress);
    reader->progress.progress_monitor = on_jpeg_progress;
    decompress->progress = &reader->progress;
    jpeg_mem_src(decompress, bytes, size);
    jpeg_read_header(decompress, TRUE);
    return image_check_size(decompress->image_width, decompress->image_height, err);
}

/* Creates *image, which belongs to the caller even if reading the rows fails. */
static bool reader_run(struct jpeg_reader *reader, const void *bytes, size_t size,
                       struct br_image *image, struct br_error *err)
{
    struct jpeg_decompress_struct *decompress = &reader->decompress;
    decompress->err = jpeg_failure_init(&reader->failure, err);
    if (setjmp(reader->failure.escape)) {
        return false;
    }
    if (!reader_open(reader, bytes, size, err) ||
        !image_create((int)decompress->image_width, (int)decompress->image_height, image, err)) {
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
    reader->decompress.err = jpeg_failure_init(&reader->failure, err);
    if (setjmp(reader->failure.escape)) {
        return false;
    }
    return reader_open(reader, bytes, size, err);
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

/* Chooses the smallest size that is cheaper to decode and still large enough. */
static void reader_set_size(struct jpeg_reader *reader, int least_width, int least_height)
{
    struct jpeg_decompress_struct *decompress = &reader->decompress;
    decompress->scale_denom = 16;
    do {
        decompress->scale_denom /= 2;
        jpeg_calc_output_dimensions(decompress);
    } while (decompress->scale_denom > 1 && (decompress->output_width < (JDIMENSION)least_width ||
                                             decompress->output_height < (JDIMENSION)least_height));
}

/* *row belongs to the caller even if reading fails. */
static bool reader_run_rows(struct jpeg_reader *reader, const void *bytes, size_t size,
                            const int least[2], const struct row_taker *taker, uint8_t **row,
                            struct br_error *err)
{
    enum { PIXEL_SIZE = 3 };
    struct jpeg_decompress_struct *decompress = &reader->decompress;
    decompress->err = jpeg_failure_init(&reader->failure, err);
    if (setjmp(reader->failure.escape)) {
        return false;
    }
    if (!reader_open(reader, bytes, size, err)) {
        return false;
    }
    decompress->out_color_space = JCS_EXT_RGB;
    reader_set_size(reader, least[0], least[1]);
    *row = malloc((size_t)decompress->output_width * PIXEL_SIZE);
    if (!*row) {
        return error_set(err, BR_LIMIT_EXCEEDED, "JPEG: no memory for a row");
    }
    if (!taker->begin(taker->data, (int)decompress->output_width, (int)decompress->output_height,
                      PIXEL_SIZE, err)) {
        return false;
    }
    jpeg_start_decompress(decompress);
    while (decompress->output_scanline < decompress->output_height) {
        jpeg_read_scanlines(decompress, row, 1);
        taker->take(taker->data, *row);
    }
    jpeg_finish_decompress(decompress);
    return true;
}

bool jpeg_read_rows(const void *bytes, size_t size, int least_width, int least_height,
                    const struct row_taker *taker, struct br_error *err)
{
    struct jpeg_reader reader = { 0 };
    uint8_t *row = NULL;
    bool ok = reader_run_rows(&reader, bytes, size, (const int[]){ least_width, least_height },
                              taker, &row, err);
    jpeg_destroy_decompress(&reader.decompress);
    free(row);
    return ok;
}
