/* Comparing pictures whose rows are made only as they are needed. */
#ifndef IMAGING_DIFF_RUN_H
#define IMAGING_DIFF_RUN_H

#include "imaging/diff.h"

/* The rule looks at most this many rows up and down: at neighbours of neighbours. */
enum { DIFF_ROWS_AROUND = 2 };

struct diff_rows {
    void *data;
    /*
     * Makes row y, which both pictures have, of both, and those around it; rows are asked for from
     * the top. False when it is the same in both and nothing needs to be made.
     */
    bool (*make)(void *data, int y);
    /* Row y of the first picture; stays until the next call. */
    const uint8_t *(*page)(void *data, int y);
};

/* image_diff(); with rows, the pixels of the pictures are memory that is yet to be filled. */
bool diff_run(const struct br_image *a, const struct br_image *b, const struct diff_rows *rows,
              const struct image_diff_options *options, struct image_diff *ret_diff,
              struct br_error *err);

#endif
