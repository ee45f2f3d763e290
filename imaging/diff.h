/*
 * What differs between two pictures as people see it. The pixels counted are those of pixelmatch
 * 7.2.0 (npm; ISC), whose rule this is: distance in YIQ after Kotsarenko and Ramos, "Measuring
 * perceived color difference" (2010), and pixels that smooth an edge left out after Vysniauskas,
 * "Anti-aliased Pixel and Intensity Slope Detector" (2009). For exact comparison: compare.h.
 *
 * Of pictures of different size the part that both have is compared as if it were all; each pixel
 * that only one of them has counts as different.
 */
#ifndef IMAGING_DIFF_H
#define IMAGING_DIFF_H

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

/*
 * Compares; equal pictures take one pass over their bytes. INVALID_ACTION for options out of
 * range, LIMIT_EXCEEDED for a joint picture over BR_IMAGE_MAX_PIXELS. The caller finishes
 * *ret_diff.
 */
bool image_diff(const struct br_image *a, const struct br_image *b,
                const struct image_diff_options *options, struct image_diff *ret_diff,
                struct br_error *err);

/* A picture as a file, PNG or JPEG; the name is for errors. */
struct image_diff_file {
    const char *name;
    const void *bytes;
    size_t size;
};

/*
 * The same for two files. Equal files are done at once, without a picture; of PNG files as Chrome
 * writes them only the rows that differ are made into pixels. INVALID_ACTION with the file's name
 * for one that cannot be read as a picture or is too large. The caller finishes *ret_diff.
 */
bool image_diff_files(const struct image_diff_file *a, const struct image_diff_file *b,
                      const struct image_diff_options *options, struct image_diff *ret_diff,
                      struct br_error *err);

/* Frees what it owns; one of zeros is fine. */
void image_diff_finish(struct image_diff *diff);

/*
 * The picture as PNG (palette, small and quick to make): the first picture pale and grey, red what
 * differs, yellow what is forgiven, orange what the strict pass adds, blue what only one picture
 * has, grey-blue what was left out. Needs a picture. Caller frees with free().
 */
bool image_diff_picture_encode(const struct image_diff_picture *picture, unsigned char **ret_bytes,
                               size_t *ret_size, struct br_error *err);

/* The same as pixels. The caller finishes *ret_image. */
bool image_diff_picture_paint(const struct image_diff_picture *picture, struct br_image *ret_image,
                              struct br_error *err);

#endif
