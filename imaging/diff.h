/*
 * Compares two pictures as people perceive them. Counts the same pixels as pixelmatch (npm; ISC),
 * whose rule this is, 7.2.0 or by option 8.0.0 (see struct diff_oklab): distance in YIQ after
 * Kotsarenko and Ramos, "Measuring perceived color difference" (2010), without antialiased pixels
 * after Vysniauskas, "Anti-aliased Pixel and Intensity Slope Detector" (2009). For exact comparison
 * see compare.h.
 *
 * For pictures of different sizes the common part is compared as usual; each pixel that only one of
 * them has counts as different.
 */
#ifndef IMAGING_DIFF_H
#define IMAGING_DIFF_H

#include "imaging/diff_options.h"

/*
 * Compares; equal pictures take a single pass over their bytes. Fails with INVALID_ACTION for
 * options out of range, LIMIT_EXCEEDED for a joint picture over BR_IMAGE_MAX_PIXELS. The caller
 * finishes *ret_diff.
 */
bool image_diff(const struct br_image *a, const struct br_image *b,
                const struct image_diff_options *options, struct image_diff *ret_diff,
                struct br_error *err);

/* Frees the owned memory; a zeroed struct is fine. */
void image_diff_finish(struct image_diff *diff);

#endif
