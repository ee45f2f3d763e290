/* The maximum number of differing pixels in any window of N x N, found row by row. */
#ifndef IMAGING_DIFF_DENSITY_H
#define IMAGING_DIFF_DENSITY_H

#include "imaging/diff_pixels.h"

struct diff_density {
    int width;
    int window;     /* pixels per side */
    int clean_rows; /* since the last row with a differing pixel */
    uint8_t *rows;  /* the last `window` rows: which pixels differ */
    uint32_t *sums; /* for each column of those rows */
    size_t highest; /* the result so far */
};

/*
 * A window larger than the picture is reduced. Returns false if there is no memory. The caller
 * finishes.
 */
bool diff_density_init(struct diff_density *density, int width, int height, int window,
                       struct br_error *err);
void diff_density_finish(struct diff_density *density);

/* Adds the next row y; is_clean: none of its pixels differs. */
void diff_density_add_row(struct diff_density *density, int y, const uint8_t *states,
                          bool is_clean);

#endif
