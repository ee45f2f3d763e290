/* What two pictures are compared by, and how their pixels are reached. */
#ifndef IMAGING_DIFF_RULE_H
#define IMAGING_DIFF_RULE_H

#include "imaging/diff_options.h"

enum diff_state {
    DIFF_SAME,        /* equal, or not far enough apart */
    DIFF_ANTIALIASED, /* apart, and forgiven */
    DIFF_FAINT,       /* apart by the strict threshold only */
    DIFF_DIFFERENT,
    DIFF_ALONE,    /* only one of the pictures has it */
    DIFF_NOWHERE,  /* neither has it */
    DIFF_LEFT_OUT, /* in a rectangle to ignore */
};

/* The pixels of a picture: all of its rows, or a ring of the last ones. */
struct diff_view {
    int width, height;
    const uint8_t
        *pixels;       /* red, green, blue, alpha; NULL: equal pictures, which nobody looks at */
    size_t stride;     /* bytes */
    unsigned row_mask; /* of the number of a row: its place */
};

static inline const uint8_t *diff_view_row(const struct diff_view *view, int y)
{
    return view->pixels + ((unsigned)y & view->row_mask) * view->stride;
}

/* A view of a whole picture, which has to outlive it. */
struct diff_view diff_view_of(const struct br_image *image);

/* Two pictures, and the size of the part that both have. */
struct diff_pair {
    const struct diff_view *a, *b;
    int width, height;
};

/* What decides, made once from the options. */
struct diff_rule {
    double max_delta;        /* squared distances above it count */
    double strict_max_delta; /* those above it are faint; no smaller one is looked at */
    int max_square;          /* sums of squares up to it are below both, without more ado */
    bool counts_antialias;
    bool has_checkerboard;
};

void diff_rule_init(struct diff_rule *rule, const struct image_diff_options *options);

/* The background for translucent pixels at a byte offset of the pair: white or the checkerboard. */
struct diff_ground {
    double red, green, blue;
};
struct diff_ground diff_ground_at(const struct diff_rule *rule, size_t offset);

#endif
