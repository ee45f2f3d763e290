/* Options and result of comparing two pictures. */
#ifndef IMAGING_DIFF_OPTIONS_H
#define IMAGING_DIFF_OPTIONS_H

#include "imaging/crop.h"

/* Differing pixels at most this far apart, horizontally or vertically, belong to one region. */
enum { IMAGE_DIFF_REACH = 8 };

/* Maximum number of ignored rectangles, and of zones; maximum size of the density window in pixels.
 */
enum { IMAGE_DIFF_MAX_IGNORED = 10000, IMAGE_DIFF_MAX_WINDOW = 4096 };

/* A part of the joint picture that has a threshold of its own. */
struct image_diff_zone {
    struct image_rect rect; /* may be partly outside */
    double threshold;
};

/* Whose count it is: that of a major version of pixelmatch. */
enum image_diff_metric {
    IMAGE_DIFF_PIXELMATCH_7, /* distance in YIQ */
    IMAGE_DIFF_PIXELMATCH_8, /* distance in OKLab */
};

struct image_diff_options {
    enum image_diff_metric metric;
    double threshold;           /* 0 (every difference) to 1: larger distances count */
    double strict_threshold;    /* lower threshold for the strict pass; negative: no such pass */
    size_t strict_area;         /* minimum pixels for a region of the strict pass to count */
    bool counts_antialias;      /* count antialiased pixels, too */
    bool has_checkerboard;      /* draw translucent pixels over a checkerboard instead of white */
    struct image_rect *ignored; /* rectangles to ignore, in the joint picture; may be partly
                                   outside */
    size_t ignored_count;
    const struct image_diff_zone *zones; /* of overlapping ones the last counts; ignored rectangles
                                            precede them */
    size_t zone_count;
    int density_window;   /* pixels per side; 0: density is not computed */
    size_t max_regions;   /* maximum number of regions to list, the largest first */
    bool has_picture;     /* draw the differences */
    bool is_picture_mask; /* without the page in the background: transparent where nothing
                             differs */
};

/*
 * The threshold is pixelmatch's default. White is one of its options, but not its default: results
 * then do not depend on the position, so a moved change is the same change. Opaque pictures, such
 * as screenshots, give the same result with both.
 */
#define IMAGE_DIFF_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .threshold = 0.1, .strict_threshold = -1, .strict_area = 1000, .max_regions = 100          \
    }

struct image_diff_region {
    struct image_rect box; /* bounding box in the joint picture */
    size_t pixels;         /* differing pixels in it */
    bool is_faint;         /* found by the strict pass only; such a region may overlap others */
};

/*
 * The picture of a difference, one byte per pixel; colours are assigned when it is encoded. Each
 * row begins with a byte 0, as PNG requires: rows are width + 1 bytes apart.
 */
struct image_diff_picture {
    int width, height;
    bool is_mask;
    uint8_t *indexes; /* rows from the top; NULL: no picture */
};

struct image_diff {
    int width, height;         /* of the joint picture, which is as wide and as high as the
                                  larger one */
    bool layout_differs;       /* the sizes differ */
    bool is_different;         /* something counts, in one of the passes */
    bool is_exact;             /* all pixels are equal, including ignored ones */
    bool is_same_file;         /* byte for byte; only set by image_diff_files() */
    size_t total_pixels;       /* pixels of at least one picture */
    size_t ignored_pixels;     /* how many of them are ignored */
    size_t diff_pixels;        /* differing pixels, including those of one picture only */
    double diff_ratio;         /* of total_pixels, 0 to 1 */
    size_t antialiased_pixels; /* that differ but do not count */
    size_t faint_pixels;       /* added by the strict pass, in regions that are large enough */
    size_t density;            /* diff_pixels in the window with the most of them */
    size_t region_count;       /* listed regions */
    size_t region_total;       /* found regions; beyond 65536 distant ones are merged */
    struct image_diff_region *regions; /* by pixels, the largest first; owned */
    /*
     * 16 hexadecimal digits, equal for all pictures in which the same parts changed in the same
     * way, regardless of their position and number; "" when nothing counts.
     */
    char fingerprint[17];
    struct image_diff_picture picture; /* owned */
};

#endif
