/*
 * Exact comparison of two pictures of a page, in integers: two captures of an unchanged page are
 * equal byte for byte. A mask excludes parts that change by themselves.
 */
#ifndef IMAGING_COMPARE_H
#define IMAGING_COMPARE_H

#include "imaging/crop.h"

enum { IMAGE_TILE = 16 }; /* pixels per side */

/* The tiles of a picture that are excluded. Tiles at the right and lower edge may be smaller. */
struct image_mask {
    int columns, rows;
    bool *tiles; /* true: excluded */
};

/* Creates a mask for pictures of this size, with nothing excluded. The caller finishes. */
void image_mask_init(struct image_mask *mask, int width, int height);
void image_mask_finish(struct image_mask *mask);

/* Excludes every tile that the rectangle touches; the rectangle may be partly outside. */
void image_mask_add(struct image_mask *mask, const struct image_rect *rect);

/*
 * Excludes every tile in which the two pictures differ; returns their number. Both have the mask's
 * size.
 */
size_t image_mask_add_changed(struct image_mask *mask, const struct br_image *a,
                              const struct br_image *b);

/* Excludes all tiles that another mask of the same size excludes. */
void image_mask_join(struct image_mask *mask, const struct image_mask *other);

/* Also excludes the neighbours of every excluded tile. */
void image_mask_grow(struct image_mask *mask);

/* Returns the excluded part of the tiles, 0 to 1. */
double image_mask_share(const struct image_mask *mask);

struct image_change {
    size_t pixels;         /* differing pixels */
    size_t tiles;          /* tiles with such pixels */
    double fraction;       /* of all pixels of the picture */
    struct image_rect box; /* their bounding box; width and height 0 if there are none */
};

/*
 * Compares all tiles that the mask (NULL: none) does not exclude. If the sizes differ, every pixel
 * of the second picture counts as different.
 */
struct image_change image_compare(const struct br_image *a, const struct br_image *b,
                                  const struct image_mask *mask);

#endif
