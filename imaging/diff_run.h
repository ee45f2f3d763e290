/* Compares pictures whose rows are produced on demand. */
#ifndef IMAGING_DIFF_RUN_H
#define IMAGING_DIFF_RUN_H

#include "imaging/diff_picture.h"
#include "imaging/diff_rule.h"

/* The rule reads at most this many rows above and below: neighbours of neighbours. */
enum { DIFF_ROWS_AROUND = 2 };

/* Rows that a ring buffer must hold for that; a power of two. */
enum { DIFF_RING = 8 };

struct diff_rows {
    void *data;
    /*
     * Produces the common row y of both pictures, and the rows around it; called from the top.
     * Returns false if the row is the same in both and was not produced.
     */
    bool (*make)(void *data, int y);
    struct diff_page (*page)(void *data, int y);
};

/*
 * As image_diff(). If rows is given, the views are ring buffers filled by it; NULL: they are
 * complete.
 */
bool diff_run(const struct diff_view *a, const struct diff_view *b, const struct diff_rows *rows,
              const struct image_diff_options *options, struct image_diff *ret_diff,
              struct br_error *err);

#endif
