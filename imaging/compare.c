#include "imaging/compare.h"

#include "imaging/image.h"
#include "runner/base/memory.h"

#include <stdlib.h>
#include <string.h>

static int tile_count(int length)
{
    return (length + IMAGE_TILE - 1) / IMAGE_TILE;
}

static size_t tile_total(const struct image_mask *mask)
{
    return (size_t)mask->columns * (size_t)mask->rows;
}

void image_mask_init(struct image_mask *mask, int width, int height)
{
    *mask = (struct image_mask){ .columns = tile_count(width), .rows = tile_count(height) };
    mask->tiles = xcalloc(tile_total(mask), sizeof(*mask->tiles));
}

void image_mask_finish(struct image_mask *mask)
{
    free(mask->tiles);
    *mask = (struct image_mask){ 0 };
}

static bool *tile_at(const struct image_mask *mask, int column, int row)
{
    return &mask->tiles[(size_t)row * (size_t)mask->columns + (size_t)column];
}

void image_mask_add(struct image_mask *mask, const struct image_rect *rect)
{
    struct image_rect part =
        image_rect_clip(rect, mask->columns * IMAGE_TILE, mask->rows * IMAGE_TILE);
    for (int y = part.y / IMAGE_TILE; y < tile_count(part.y + part.height) && part.width; y++) {
        for (int x = part.x / IMAGE_TILE; x < tile_count(part.x + part.width); x++) {
            *tile_at(mask, x, y) = true;
        }
    }
}

/* The part of a tile in one row of the picture. */
struct slice {
    const uint8_t *a, *b;
    int start, width;
};

static struct slice slice_at(const struct br_image *a, const struct br_image *b, int column, int y)
{
    int start = column * IMAGE_TILE;
    int rest = a->width - start;
    size_t offset = (size_t)start * IMAGE_BYTES_PER_PIXEL;
    return (struct slice){
        .a = image_row(a, y) + offset,
        .b = image_row(b, y) + offset,
        .start = start,
        .width = rest < IMAGE_TILE ? rest : IMAGE_TILE,
    };
}

static bool slice_differs(const struct slice *slice)
{
    return memcmp(slice->a, slice->b, (size_t)slice->width * IMAGE_BYTES_PER_PIXEL) != 0;
}

static bool row_differs(const struct br_image *a, const struct br_image *b, int y)
{
    return memcmp(image_row(a, y), image_row(b, y), image_stride(a)) != 0;
}

size_t image_mask_add_changed(struct image_mask *mask, const struct br_image *a,
                              const struct br_image *b)
{
    size_t added = 0;
    for (int y = 0; y < a->height; y++) {
        if (!row_differs(a, b, y)) {
            continue;
        }
        for (int column = 0; column < mask->columns; column++) {
            bool *tile = tile_at(mask, column, y / IMAGE_TILE);
            struct slice slice = slice_at(a, b, column, y);
            if (!*tile && slice_differs(&slice)) {
                *tile = true;
                added++;
            }
        }
    }
    return added;
}

void image_mask_join(struct image_mask *mask, const struct image_mask *other)
{
    for (size_t i = 0; i < tile_total(mask); i++) {
        mask->tiles[i] |= other->tiles[i];
    }
}

void image_mask_grow(struct image_mask *mask)
{
    struct image_mask before = *mask;
    before.tiles = xcalloc(tile_total(mask), sizeof(*mask->tiles));
    memcpy(before.tiles, mask->tiles, tile_total(mask) * sizeof(*mask->tiles));
    for (int row = 0; row < mask->rows; row++) {
        for (int column = 0; column < mask->columns; column++) {
            if (*tile_at(&before, column, row)) {
                image_mask_add(mask, &(struct image_rect){ .x = (column - 1) * IMAGE_TILE,
                                                           .y = (row - 1) * IMAGE_TILE,
                                                           .width = 3 * IMAGE_TILE,
                                                           .height = 3 * IMAGE_TILE });
            }
        }
    }
    image_mask_finish(&before);
}

double image_mask_share(const struct image_mask *mask)
{
    size_t total = tile_total(mask);
    size_t count = 0;
    for (size_t i = 0; i < total; i++) {
        count += mask->tiles[i];
    }
    return total ? (double)count / (double)total : 0;
}

/* State of a comparison, with the bounds of what differs. */
struct comparison {
    const struct br_image *a, *b;
    const struct image_mask *mask; /* NULL: none */
    struct image_mask changed;     /* tiles with a difference so far */
    struct image_change change;
    int left, top, right, bottom;
};

static void count_pixels(struct comparison *comparison, const struct slice *slice, int y)
{
    for (int i = 0; i < slice->width; i++) {
        size_t offset = (size_t)i * IMAGE_BYTES_PER_PIXEL;
        if (memcmp(slice->a + offset, slice->b + offset, IMAGE_BYTES_PER_PIXEL) == 0) {
            continue;
        }
        int x = slice->start + i;
        comparison->left = x < comparison->left ? x : comparison->left;
        comparison->right = x > comparison->right ? x : comparison->right;
        comparison->top = y < comparison->top ? y : comparison->top;
        comparison->bottom = y;
        comparison->change.pixels++;
    }
}

static void compare_row(struct comparison *comparison, int y)
{
    for (int column = 0; column < comparison->changed.columns; column++) {
        struct slice slice = slice_at(comparison->a, comparison->b, column, y);
        bool is_out = comparison->mask && *tile_at(comparison->mask, column, y / IMAGE_TILE);
        if (!is_out && slice_differs(&slice)) {
            bool *tile = tile_at(&comparison->changed, column, y / IMAGE_TILE);
            comparison->change.tiles += !*tile;
            *tile = true;
            count_pixels(comparison, &slice, y);
        }
    }
}

static struct image_change all_of(const struct br_image *image)
{
    return (struct image_change){
        .pixels = (size_t)image->width * (size_t)image->height,
        .tiles = (size_t)tile_count(image->width) * (size_t)tile_count(image->height),
        .fraction = 1,
        .box = { .width = image->width, .height = image->height },
    };
}

struct image_change image_compare(const struct br_image *a, const struct br_image *b,
                                  const struct image_mask *mask)
{
    if (a->width != b->width || a->height != b->height) {
        return all_of(b);
    }
    struct comparison comparison = {
        .a = a,
        .b = b,
        .mask = mask,
        .left = a->width,
        .top = a->height,
    };
    image_mask_init(&comparison.changed, a->width, a->height);
    for (int y = 0; y < a->height; y++) {
        if (row_differs(a, b, y)) {
            compare_row(&comparison, y);
        }
    }
    image_mask_finish(&comparison.changed);
    struct image_change change = comparison.change;
    if (change.pixels) {
        change.fraction = (double)change.pixels / ((double)a->width * a->height);
        change.box = (struct image_rect){
            .x = comparison.left,
            .y = comparison.top,
            .width = comparison.right - comparison.left + 1,
            .height = comparison.bottom - comparison.top + 1,
        };
    }
    return change;
}
