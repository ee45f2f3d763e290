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

/*
 * Tables of the distance of two colours as pixelmatch 8 measures it: that of their lightness plus
 * that of their hue and chroma, in OKLab (Ottosson, "A perceptual color space for image
 * processing", 2020; HyAB after Abasi and others, "Distance metrics for very large color
 * differences", 2019). The lightness is corrected near black (Ottosson, "Two new color spaces for
 * color picking", 2021), and black and white are 1 apart.
 */
struct diff_oklab;

/* The parameters of the rule, computed once from the options. */
struct diff_rule {
    const struct diff_oklab *oklab; /* NULL: distances are those of pixelmatch 7 */
    double max_delta;               /* larger distances count; in YIQ they are squared */
    double strict_max_delta;        /* larger ones are faint; smaller ones are ignored */
    int max_square;                 /* sums of squares up to this are certainly below both limits */
    bool counts_antialias;
    bool has_checkerboard;
};

/* `oklab` is needed for IMAGE_DIFF_PIXELMATCH_8, and must outlive the rule. */
void diff_rule_init(struct diff_rule *rule, const struct image_diff_options *options,
                    const struct diff_oklab *oklab);

/*
 * Returns the background of a translucent pixel at a byte offset of the pair: white or the
 * checkerboard.
 */
struct diff_ground {
    double red, green, blue;
};
struct diff_ground diff_rule_ground_at(const struct diff_rule *rule, size_t offset);

/* Creates the tables, which take 35 KB and less than a millisecond; the caller frees them. */
struct diff_oklab *diff_oklab_create(void);

/* Returns the distance of two pixels at an offset of the pair. */
double diff_oklab_distance(const struct diff_rule *rule, const uint8_t *a, const uint8_t *b,
                           size_t offset);

/* Reads "pixelmatch7" or "pixelmatch8"; false for any other name. */
bool diff_rule_read_metric(const char *name, enum image_diff_metric *ret_metric);

/* Returns the name. Static. */
const char *diff_rule_metric_name(enum image_diff_metric metric);

#endif
