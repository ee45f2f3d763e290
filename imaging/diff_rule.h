/* The rule for comparing two pictures, and access to their pixels. */
#ifndef IMAGING_DIFF_RULE_H
#define IMAGING_DIFF_RULE_H

#include "imaging/diff_options.h"

enum diff_state {
    DIFF_SAME,        /* equal, or within the threshold */
    DIFF_ANTIALIASED, /* beyond the threshold, but antialiased */
    DIFF_FAINT,       /* beyond the strict threshold only */
    DIFF_DIFFERENT,
    DIFF_ALONE,    /* only in one of the pictures */
    DIFF_NOWHERE,  /* in neither picture */
    DIFF_LEFT_OUT, /* in an ignored rectangle */
};

/* The pixels of a picture: all rows, or a ring buffer of the last ones. */
struct diff_view {
    int width, height;
    const uint8_t
        *pixels;       /* red, green, blue, alpha; NULL: the pictures are equal and are not read */
    size_t stride;     /* bytes */
    unsigned row_mask; /* maps a row's number to its place */
};

static inline const uint8_t *diff_view_row(const struct diff_view *view, int y)
{
    return view->pixels + ((unsigned)y & view->row_mask) * view->stride;
}

/* Returns a view of a whole picture, which must outlive it. */
struct diff_view diff_view_of(const struct br_image *image);

/* Two pictures, and the size of their common part. */
struct diff_pair {
    const struct diff_view *a, *b;
    int width, height;
};

/* The parameters of the rule, computed once from the options. */
struct diff_rule {
    double max_delta;        /* larger squared distances count */
    double strict_max_delta; /* larger ones are faint; smaller ones are ignored */
    int max_square;          /* sums of squares up to this are certainly below both limits */
    bool counts_antialias;
    bool has_checkerboard;
};

void diff_rule_init(struct diff_rule *rule, const struct image_diff_options *options);

/*
 * Returns the background of a translucent pixel at a byte offset of the pair: white or the
 * checkerboard.
 */
struct diff_ground {
    double red, green, blue;
};
struct diff_ground diff_ground_at(const struct diff_rule *rule, size_t offset);

#endif
