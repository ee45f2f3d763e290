#include "imaging/diff_picture.h"

#include "imaging/diff_rule.h"
#include "imaging/image.h"
#include "imaging/png_palette.h"

#include <stdlib.h>
#include <string.h>

/*
 * The meaning of an index. Up to the last grey it says how much darker than white the page is
 * there; in a mask, which has no page, 0 is transparent.
 */
enum index {
    INDEX_WHITE,
    INDEX_LAST_GREY = 26,
    INDEX_DIFFERENT,
    INDEX_ANTIALIASED,
    INDEX_FAINT,
    INDEX_ALONE,
    INDEX_LEFT_OUT,
    INDEX_COUNT,
};

static const uint8_t marks[][4] = {
    { 255, 0, 0, 255 },     /* different */
    { 255, 255, 0, 255 },   /* antialiased */
    { 255, 140, 0, 255 },   /* faint */
    { 0, 110, 255, 255 },   /* in one picture only */
    { 176, 190, 206, 255 }, /* ignored */
};

/* Opacity of the page in the picture. */
#define PAGE_OPACITY 0.1

static const uint8_t index_of_state[] = {
    [DIFF_SAME] = INDEX_WHITE,        [DIFF_ANTIALIASED] = INDEX_ANTIALIASED,
    [DIFF_FAINT] = INDEX_FAINT,       [DIFF_DIFFERENT] = INDEX_DIFFERENT,
    [DIFF_ALONE] = INDEX_ALONE,       [DIFF_NOWHERE] = INDEX_WHITE,
    [DIFF_LEFT_OUT] = INDEX_LEFT_OUT,
};

static const uint8_t mask_index_of_state[] = {
    [DIFF_SAME] = INDEX_WHITE,     [DIFF_ANTIALIASED] = INDEX_WHITE,
    [DIFF_FAINT] = INDEX_FAINT,    [DIFF_DIFFERENT] = INDEX_DIFFERENT,
    [DIFF_ALONE] = INDEX_ALONE,    [DIFF_NOWHERE] = INDEX_WHITE,
    [DIFF_LEFT_OUT] = INDEX_WHITE,
};

bool diff_picture_init(struct image_diff_picture *picture, int width, int height, bool is_mask,
                       struct br_error *err)
{
    *picture = (struct image_diff_picture){ .width = width, .height = height, .is_mask = is_mask };
    picture->indexes = image_memory(((size_t)width + 1) * (size_t)height);
    if (!picture->indexes) {
        return error_set(err, BR_LIMIT_EXCEEDED, "No memory for a diff picture of %dx%d", width,
                         height);
    }
    return true;
}

void diff_picture_finish(struct image_diff_picture *picture)
{
    free(picture->indexes);
    *picture = (struct image_diff_picture){ 0 };
}

/*
 * Converts a pixel of the page to pale grey as in pixelmatch: the lightness is 255 minus the index.
 */
static uint8_t index_of_pixel(const uint8_t *pixel, size_t pixel_size)
{
    int alpha = pixel_size == IMAGE_BYTES_PER_PIXEL ? pixel[3] : 255;
    double luma = pixel[0] * 0.29889531 + pixel[1] * 0.58662247 + pixel[2] * 0.11448223;
    double lightness = 255 + (luma - 255) * PAGE_OPACITY * alpha / 255;
    return (uint8_t)(255 - (int)lightness);
}

/*
 * Pages are flat: most pixels equal the previous one, and most blocks have one colour. Inline, so
 * that each pixel size gets its own code.
 */
static inline void draw_pixels(const uint8_t *restrict pixels, size_t width, size_t pixel_size,
                               uint8_t *restrict row)
{
    enum { BLOCK = 8 };
    row[0] = index_of_pixel(pixels, pixel_size);
    for (size_t x = 1; x < width;) {
        const uint8_t *pixel = pixels + x * pixel_size;
        const uint8_t *before = pixel - pixel_size;
        if (width - x >= BLOCK && memcmp(pixel, before, BLOCK * pixel_size) == 0) {
            memset(row + x, row[x - 1], BLOCK);
            x += BLOCK;
        } else {
            bool is_like_before = memcmp(pixel, before, pixel_size) == 0;
            row[x] = is_like_before ? row[x - 1] : index_of_pixel(pixel, pixel_size);
            x++;
        }
    }
}

static uint8_t *picture_row(const struct image_diff_picture *picture, int y)
{
    return picture->indexes + (size_t)y * ((size_t)picture->width + 1) + 1;
}

void diff_picture_draw_page(struct image_diff_picture *picture, int y, const struct diff_page *page,
                            int page_width)
{
    size_t width = page && !picture->is_mask ? (size_t)page_width : 0;
    uint8_t *row = picture_row(picture, y);
    row[-1] = 0;
    memset(row + width, INDEX_WHITE, (size_t)picture->width - width);
    if (width == 0) {
        return;
    }
    if (page->above && memcmp(page->pixels, page->above, width * page->pixel_size) == 0) {
        memcpy(row, picture_row(picture, y - 1), width);
    } else if (page->pixel_size == IMAGE_BYTES_PER_PIXEL) {
        draw_pixels(page->pixels, width, IMAGE_BYTES_PER_PIXEL, row);
    } else {
        draw_pixels(page->pixels, width, 3, row);
    }
}

void diff_picture_draw_marks(struct image_diff_picture *picture, int y, const uint8_t *states)
{
    const uint8_t *indexes = picture->is_mask ? mask_index_of_state : index_of_state;
    uint8_t *row = picture_row(picture, y);
    for (int x = 0; x < picture->width; x++) {
        if (states[x] != DIFF_SAME) {
            row[x] = indexes[states[x]];
        }
    }
}

static void make_palette(const struct image_diff_picture *picture, struct png_palette *ret_palette)
{
    ret_palette->count = INDEX_COUNT;
    for (int i = 0; i <= INDEX_LAST_GREY; i++) {
        memset(ret_palette->colours[i], 255 - i, 3);
        ret_palette->colours[i][3] = 255;
    }
    memcpy(ret_palette->colours[INDEX_LAST_GREY + 1], marks, sizeof(marks));
    if (picture->is_mask) {
        memset(ret_palette->colours[INDEX_WHITE], 0, 4);
    }
}

bool image_diff_picture_encode(const struct image_diff_picture *picture, unsigned char **ret_bytes,
                               size_t *ret_size, struct br_error *err)
{
    struct png_palette palette;
    make_palette(picture, &palette);
    return png_palette_encode(picture->indexes, picture->width, picture->height, &palette,
                              ret_bytes, ret_size, err);
}

bool image_diff_picture_paint(const struct image_diff_picture *picture, struct br_image *ret_image,
                              struct br_error *err)
{
    struct png_palette palette;
    make_palette(picture, &palette);
    if (!image_create(picture->width, picture->height, ret_image, err)) {
        return false;
    }
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = picture_row(picture, y);
        uint8_t *pixel = image_row(ret_image, y);
        for (int x = 0; x < picture->width; x++, pixel += IMAGE_BYTES_PER_PIXEL) {
            memcpy(pixel, palette.colours[row[x]], IMAGE_BYTES_PER_PIXEL);
        }
    }
    return true;
}
