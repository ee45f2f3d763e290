#include "imaging/diff_rule.h"

#include "imaging/image.h"

#include <limits.h>

/*
 * Upper limit of the distance relative to the sum of squared differences: the largest eigenvalue of
 * the quadratic form, rounded up.
 */
#define LARGEST_EIGENVALUE 0.2560782

/* The squared distance between black and white. */
#define MAX_DISTANCE 35215

void diff_rule_init(struct diff_rule *rule, const struct image_diff_options *options)
{
    *rule = (struct diff_rule){
        .max_delta = MAX_DISTANCE * options->threshold * options->threshold,
        .counts_antialias = options->counts_antialias,
        .has_checkerboard = options->has_checkerboard,
    };
    rule->strict_max_delta = rule->max_delta;
    if (options->strict_threshold >= 0 && options->strict_threshold < options->threshold) {
        rule->strict_max_delta =
            MAX_DISTANCE * options->strict_threshold * options->strict_threshold;
    }
    rule->max_square = (int)(rule->strict_max_delta / LARGEST_EIGENVALUE);
}

struct diff_view diff_view_of(const struct br_image *image)
{
    return (struct diff_view){
        .width = image->width,
        .height = image->height,
        .pixels = image->pixels,
        .stride = image_stride(image),
        .row_mask = UINT_MAX,
    };
}

struct diff_ground diff_ground_at(const struct diff_rule *rule, size_t offset)
{
    if (!rule->has_checkerboard) {
        return (struct diff_ground){ 255, 255, 255 };
    }
    return (struct diff_ground){
        .red = 48, /* the period is two bytes, and offsets are multiples of four */
        .green = 48 + 159 * (int)((size_t)((double)offset / 1.618033988749895) % 2),
        .blue = 48 + 159 * (int)((size_t)((double)offset / 2.618033988749895) % 2),
    };
}
