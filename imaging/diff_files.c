#include "imaging/diff_files.h"

#include "imaging/both.h"
#include "imaging/decode.h"
#include "imaging/diff.h"
#include "imaging/diff_run.h"
#include "imaging/image.h"
#include "imaging/png_plain.h"

#include <string.h>

/* One of the two files: the rows of a plain PNG, or the pixels of any other picture. */
struct side {
    const struct image_diff_file *file;
    bool is_decoded;
    bool is_plain;
    struct png_rows rows;
    struct br_image image; /* for a plain PNG, a ring buffer of DIFF_RING rows */
    struct diff_view view;
    int made; /* rows before this one have been in the ring buffer */
    struct br_error err;
};

struct pair {
    struct side a, b;
};

static void side_finish(struct side *side)
{
    png_rows_finish(&side->rows);
    br_image_finish(&side->image);
}

static bool side_open(struct side *side)
{
    const struct image_diff_file *file = side->file;
    side->is_plain = png_plain_unpack(file->bytes, file->size, &side->rows);
    if (!side->is_plain) {
        bool ok = image_decode(file->bytes, file->size, &side->image, &side->err);
        side->view = diff_view_of(&side->image);
        return ok;
    }
    bool ok = image_create(side->rows.width, DIFF_RING, &side->image, &side->err);
    side->view = diff_view_of(&side->image);
    side->view.height = side->rows.height;
    side->view.row_mask = DIFF_RING - 1;
    return ok;
}

static void side_decode(void *data)
{
    struct side *side = data;
    side->is_decoded = side_open(side);
}

static bool fail_with(const struct side *side, struct br_error *err)
{
    *err = side->err;
    err->code = BR_INVALID_ACTION;
    return error_context(err, "%s", side->file->name);
}

/* Decodes each file in a thread of its own. */
static bool decode_both(struct pair *pair, struct br_error *err)
{
    both_run(side_decode, &pair->a, &pair->b);
    return (pair->a.is_decoded || fail_with(&pair->a, err)) &&
           (pair->b.is_decoded || fail_with(&pair->b, err));
}

static bool are_equal(const struct pair *pair, int y)
{
    const struct png_rows *a = &pair->a.rows;
    const struct png_rows *b = &pair->b.rows;
    int width = a->width < b->width ? a->width : b->width;
    return pair->a.is_plain && pair->b.is_plain && a->pixel_size == b->pixel_size &&
           memcmp(png_row(a, y), png_row(b, y), a->pixel_size * (size_t)width) == 0;
}

/* Produces row y and the surrounding rows that are missing. */
static void make_around(struct side *side, int y)
{
    int first = y > DIFF_ROWS_AROUND ? y - DIFF_ROWS_AROUND : 0;
    int last = y + DIFF_ROWS_AROUND;
    int end = last < side->view.height ? last + 1 : side->view.height;
    for (int i = side->made > first ? side->made : first; side->is_plain && i < end; i++) {
        png_row_expand(&side->rows, i, image_row(&side->image, i % DIFF_RING));
    }
    side->made = end > side->made ? end : side->made;
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

static struct diff_page on_page(void *data, int y)
{
    const struct side *side = &((struct pair *)data)->a;
    if (!side->is_plain) {
        return (struct diff_page){ .pixels = diff_view_row(&side->view, y),
                                   .pixel_size = IMAGE_BYTES_PER_PIXEL };
    }
    return (struct diff_page){
        .pixels = png_row(&side->rows, y),
        .above = y > 0 ? png_row(&side->rows, y - 1) : NULL,
        .pixel_size = side->rows.pixel_size,
    };
}

static bool compare_pair(struct pair *pair, const struct image_diff_options *options,
                         struct image_diff *ret_diff, struct br_error *err)
{
    const struct diff_rows rows = { .data = pair, .make = on_make, .page = on_page };
    return decode_both(pair, err) &&
           diff_run(&pair->a.view, &pair->b.view, &rows, options, ret_diff, err);
}

/* Handles identical files: if they are pictures, only their size is needed. */
static bool compare_equal(const struct image_diff_file *file,
                          const struct image_diff_options *options, struct image_diff *ret_diff,
                          struct br_error *err)
{
    struct side side = { .file = file };
    struct image_diff_options without_picture = *options;
    without_picture.has_picture = false;
    bool is_picture = side_open(&side) || fail_with(&side, err);
    const struct br_image size = { .width = side.view.width, .height = side.view.height };
    side_finish(&side);
    bool ok = is_picture && image_diff(&size, &size, &without_picture, ret_diff, err);
    ret_diff->is_same_file = ok;
    return ok;
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
    return ok;
}
