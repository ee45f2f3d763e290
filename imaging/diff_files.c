#include "imaging/decode.h"
#include "imaging/diff_run.h"
#include "imaging/pages.h"
#include "imaging/png_plain.h"

#include "imaging/image.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Rows above that are not needed any more are given back in steps of this many bytes. */
#define DISCARD_STEP ((size_t)1024 * 1024)

/* One of the two files: the rows of a plain PNG, or the pixels of any other picture. */
struct side {
    const struct image_diff_file *file;
    bool is_decoded;
    bool is_plain;
    struct png_rows rows;
    /* Of a plain one the pixels are made row by row; those in [discarded, made) are there. */
    struct br_image image;
    int made;
    size_t discarded; /* bytes */
    struct br_error err;
};

struct pair {
    struct side a, b;
    uint8_t *page; /* one row of the first picture */
};

static size_t pixels_size(const struct br_image *image)
{
    return image_stride(image) * (size_t)image->height;
}

static void side_finish(struct side *side)
{
    if (side->is_plain) {
        pages_destroy(side->image.pixels, pixels_size(&side->image));
        png_rows_finish(&side->rows);
    } else {
        br_image_finish(&side->image);
    }
}

static void *side_decode(void *data)
{
    struct side *side = data;
    const struct image_diff_file *file = side->file;
    side->is_plain = png_plain_unpack(file->bytes, file->size, &side->rows);
    if (!side->is_plain) {
        side->is_decoded = image_decode(file->bytes, file->size, &side->image, &side->err);
        return NULL;
    }
    side->image = (struct br_image){ .width = side->rows.width, .height = side->rows.height };
    side->image.pixels = pages_create(pixels_size(&side->image));
    side->is_decoded =
        side->image.pixels || error_set(&side->err, BR_LIMIT_EXCEEDED, "No memory for its pixels");
    return NULL;
}

static bool fail_with(const struct side *side, struct br_error *err)
{
    *err = side->err;
    err->code = BR_INVALID_ACTION;
    return error_context(err, "%s", side->file->name);
}

/* Each file is unpacked by a thread of its own. */
static bool decode_both(struct pair *pair, struct br_error *err)
{
    pthread_t thread;
    bool has_thread = pthread_create(&thread, NULL, side_decode, &pair->b) == 0;
    side_decode(&pair->a);
    if (has_thread) {
        pthread_join(thread, NULL);
    } else {
        side_decode(&pair->b);
    }
    return (pair->a.is_decoded || fail_with(&pair->a, err)) &&
           (pair->b.is_decoded || fail_with(&pair->b, err));
}

/* Makes the rows from `first` on and before `end`, and lets go of those before. */
static void side_make(struct side *side, int first, int end)
{
    int start = side->made > first ? side->made : first;
    for (int y = start; side->is_plain && y < end; y++) {
        png_row_expand(&side->rows, y, image_row(&side->image, y));
    }
    side->made = end > side->made ? end : side->made;
    size_t unused = (size_t)first * image_stride(&side->image);
    if (side->is_plain && unused > side->discarded + DISCARD_STEP) {
        pages_discard(side->image.pixels, side->discarded, unused);
        side->discarded = unused;
    }
}

static bool are_equal(const struct pair *pair, int y)
{
    const struct png_rows *a = &pair->a.rows;
    const struct png_rows *b = &pair->b.rows;
    int width = a->width < b->width ? a->width : b->width;
    return pair->a.is_plain && pair->b.is_plain && a->pixel_size == b->pixel_size &&
           memcmp(png_row(a, y), png_row(b, y), a->pixel_size * (size_t)width) == 0;
}

static void make_around(struct side *side, int y)
{
    int first = y > DIFF_ROWS_AROUND ? y - DIFF_ROWS_AROUND : 0;
    int last = y + DIFF_ROWS_AROUND;
    int end = last < side->image.height ? last + 1 : side->image.height;
    side_make(side, first, end);
}

static bool on_make(void *data, int y)
{
    struct pair *pair = data;
    if (are_equal(pair, y)) {
        return false;
    }
    make_around(&pair->a, y);
    make_around(&pair->b, y);
    return true;
}

static const uint8_t *on_page(void *data, int y)
{
    struct pair *pair = data;
    if (!pair->a.is_plain) {
        return image_row(&pair->a.image, y);
    }
    png_row_expand(&pair->a.rows, y, pair->page);
    return pair->page;
}

static bool compare_pair(struct pair *pair, const struct image_diff_options *options,
                         struct image_diff *ret_diff, struct br_error *err)
{
    const struct diff_rows rows = { .data = pair, .make = on_make, .page = on_page };
    if (!decode_both(pair, err)) {
        return false;
    }
    pair->page = malloc(image_stride(&pair->a.image));
    if (!pair->page) {
        return error_set(err, BR_LIMIT_EXCEEDED, "No memory for a row of pixels");
    }
    return diff_run(&pair->a.image, &pair->b.image, &rows, options, ret_diff, err);
}

/* Equal files are equal pictures; their size is all that is to be known. */
static bool compare_equal(const struct image_diff_file *file,
                          const struct image_diff_options *options, struct image_diff *ret_diff,
                          struct br_error *err)
{
    struct br_image image = { 0 };
    struct image_diff_options without_picture = *options;
    without_picture.has_picture = false;
    if (!image_decode_size(file->bytes, file->size, &image.width, &image.height, err)) {
        err->code = BR_INVALID_ACTION;
        return error_context(err, "%s", file->name);
    }
    return image_diff(&image, &image, &without_picture, ret_diff, err);
}

bool image_diff_files(const struct image_diff_file *a, const struct image_diff_file *b,
                      const struct image_diff_options *options, struct image_diff *ret_diff,
                      struct br_error *err)
{
    *ret_diff = (struct image_diff){ 0 };
    if (a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0) {
        return compare_equal(a, options, ret_diff, err);
    }
    struct pair pair = { .a = { .file = a }, .b = { .file = b } };
    bool ok = compare_pair(&pair, options, ret_diff, err);
    side_finish(&pair.a);
    side_finish(&pair.b);
    free(pair.page);
    return ok;
}
