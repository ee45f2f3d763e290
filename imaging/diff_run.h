/* Compares pictures whose rows are produced on demand. */
#ifndef IMAGING_DIFF_RUN_H
#define IMAGING_DIFF_RUN_H

#include "imaging/diff_picture.h"
#include "imaging/diff_rule.h"

/* The rule reads at most this many rows above and below: neighbours of neighbours. */
enum { DIFF_ROWS_AROUND = 2 };

/*
 * Rows that are compared at a time. A ring buffer must hold two such blocks, since the rows of the
 * one above may still be read, and the rows around them; a power of two.
 */
enum { DIFF_BLOCK = 64, DIFF_RING = 256 };

struct diff_rows {
    void *data;
    /*
     * Produces the common row y of both pictures, and the rows around it; called from the top.
     * Returns false if the row is the same in both and was not produced. May be called in another
     * thread, while page is called for rows above.
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
