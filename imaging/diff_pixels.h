/* Which pixels of a row differ; see diff.h for where the rule comes from. */
#ifndef IMAGING_DIFF_PIXELS_H
#define IMAGING_DIFF_PIXELS_H

#include "imaging/diff.h"

/* Pixels are read as whole numbers with red in the lowest byte. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "another order of bytes");

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

/*
 * Writes the state of each pixel of row y of the pair that is apart; the others stay as they are,
 * and so do those that are DIFF_LEFT_OUT. Returns whether any was apart.
 */
bool diff_row(const struct diff_rule *rule, const struct diff_pair *pair, int y, uint8_t *states);

/* Whether the pixel smooths an edge, in the one picture or in the other. */
bool diff_is_antialiased(const struct diff_rule *rule, const struct diff_pair *pair, int x, int y);

/* The background for translucent pixels at a byte offset of the pair: white or the checkerboard. */
struct diff_ground {
    double red, green, blue;
};
struct diff_ground diff_ground_at(const struct diff_rule *rule, size_t offset);

#endif
