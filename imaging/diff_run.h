/* Comparing pictures whose rows are made only as they are needed. */
#ifndef IMAGING_DIFF_RUN_H
#define IMAGING_DIFF_RUN_H

#include "imaging/diff_picture.h"
#include "imaging/diff_rule.h"

/* The rule looks at most this many rows up and down: at neighbours of neighbours. */
enum { DIFF_ROWS_AROUND = 2 };

/* Rows that a ring has at least to hold them; a power of two. */
enum { DIFF_RING = 8 };

struct diff_rows {
    void *data;
    /*
     * Makes row y, which both pictures have, of both, and those around it; rows are asked for from
     * the top. False when it is the same in both and nothing needs to be made.
     */
    bool (*make)(void *data, int y);
    struct diff_page (*page)(void *data, int y);
};

/* image_diff(); with rows (NULL: all are there), the views are rings that it fills. */
bool diff_run(const struct diff_view *a, const struct diff_view *b, const struct diff_rows *rows,
              const struct image_diff_options *options, struct image_diff *ret_diff,
              struct br_error *err);

#endif
