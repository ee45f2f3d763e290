/* What is asked of a comparison of two pictures, and what comes of it. */
#ifndef IMAGING_DIFF_OPTIONS_H
#define IMAGING_DIFF_OPTIONS_H

#include "imaging/crop.h"

/* Pixels that differ and are at most this far apart, across or down, are of one region. */
enum { IMAGE_DIFF_REACH = 8 };

/* Most rectangles to leave out; most pixels of a side of the density window. */
enum { IMAGE_DIFF_MAX_IGNORED = 10000, IMAGE_DIFF_MAX_WINDOW = 4096 };

struct image_diff_options {
    double threshold;        /* 0 (every difference) to 1: pixels further apart count */
    double strict_threshold; /* below threshold, for the strict pass; negative: no such pass */
    size_t strict_area;      /* pixels that a region of the strict pass has at least to count */
    bool counts_antialias;   /* pixels that smooth an edge count as well */
    bool has_checkerboard;   /* what shines through is laid over a checkerboard, not over white */
    struct image_rect *ignored; /* left out; places of the joint picture, also outside in part */
    size_t ignored_count;
    int density_window;   /* pixels of a side; 0: density is not looked for */
    size_t max_regions;   /* the largest ones are listed */
    bool has_picture;     /* draw what differs */
    bool is_picture_mask; /* without the page behind it: transparent where nothing differs */
};

/*
 * The threshold is pixelmatch's own. White is its option and not its default: how a pixel is
 * counted then does not depend on its place, so that a change that moved is still the same change.
 * Opaque pictures, as screenshots are, are counted alike with both.
 */
#define IMAGE_DIFF_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .threshold = 0.1, .strict_threshold = -1, .strict_area = 1000, .max_regions = 100          \
    }

struct image_diff_region {
    struct image_rect box; /* in the joint picture, tight */
    size_t pixels;         /* that differ in it */
    bool is_faint;         /* seen by the strict pass alone; such a region may overlap others */
};

/*
 * The picture of a difference, one byte a pixel; the colours are made when it is encoded. Each row
 * has a byte 0 in front, as PNG wants it: the rows are width + 1 bytes apart.
 */
struct image_diff_picture {
    int width, height;
    bool is_mask;
    uint8_t *indexes; /* rows from the top; NULL: there is no picture */
};

struct image_diff {
    int width, height;         /* of the joint picture: as wide and high as the larger one */
    bool layout_differs;       /* the sizes differ */
    bool is_different;         /* something counts, by the one pass or the other */
    bool is_exact;             /* all pixels are the same, those that are left out included */
    bool is_same_file;         /* byte for byte; image_diff_files() alone knows */
    size_t total_pixels;       /* that at least one of the pictures has */
    size_t ignored_pixels;     /* of them, left out */
    size_t diff_pixels;        /* that differ, those that only one picture has included */
    double diff_ratio;         /* of total_pixels, 0 to 1 */
    size_t antialiased_pixels; /* that differ and are forgiven as smoothing of an edge */
    size_t faint_pixels;       /* that the strict pass adds, in regions that are large enough */
    size_t density;            /* diff_pixels in the window that has most of them */
    size_t region_count;       /* listed */
    size_t region_total;       /* found; beyond 65536 what is far apart is put together */
    struct image_diff_region *regions; /* by pixels, the largest first; owned */
    /*
     * 16 hexadecimal digits, the same for all pictures of which the same parts changed in the same
     * way, wherever those parts are and however often; "" when nothing counts.
     */
    char fingerprint[17];
    struct image_diff_picture picture; /* owned */
};

#endif
