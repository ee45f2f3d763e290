/*
 * What differs between two pictures of a page, exactly and by whole numbers: two captures of an
 * unchanged page are equal byte for byte. A mask leaves out what moves by itself.
 */
#ifndef IMAGING_COMPARE_H
#define IMAGING_COMPARE_H

#include "imaging/crop.h"

enum { IMAGE_TILE = 16 }; /* pixels of a side */

/* Which tiles of a picture do not count. Tiles at the right and lower edge may be smaller. */
struct image_mask {
    int columns, rows;
    bool *tiles; /* true: left out */
};

/* For pictures of this size; nothing is left out yet. The caller finishes. */
void image_mask_init(struct image_mask *mask, int width, int height);
void image_mask_finish(struct image_mask *mask);

/* Leaves out every tile that the rectangle touches; it may lie outside in part. */
void image_mask_add(struct image_mask *mask, const struct image_rect *rect);

/* Leaves out every tile in which the two differ; how many those are. Of one size, the mask's. */
size_t image_mask_add_changed(struct image_mask *mask, const struct br_image *a,
                              const struct br_image *b);

/* Leaves out all that another mask of the same size leaves out. */
void image_mask_join(struct image_mask *mask, const struct image_mask *other);

/* Leaves out the neighbours, too, of every tile that is left out. */
void image_mask_grow(struct image_mask *mask);

/* Which part of the tiles is left out, 0 to 1. */
double image_mask_share(const struct image_mask *mask);

struct image_change {
    size_t pixels;         /* that differ */
    size_t tiles;          /* that hold them */
    double fraction;       /* of all pixels of the picture */
    struct image_rect box; /* around them; 0 wide and high when there are none */
};

/*
 * Compares all that the mask (NULL: none) does not leave out. Pictures of different sizes differ in
 * each pixel of the second.
 */
struct image_change image_compare(const struct br_image *a, const struct br_image *b,
                                  const struct image_mask *mask);

#endif
