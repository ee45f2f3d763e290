#include "imaging/diff_rule.h"

#include "imaging/image.h"

#include <limits.h>
#include <string.h>

/*
 * Upper limit of the distance relative to the sum of squared differences: the largest eigenvalue of
 * the quadratic form, rounded up.
 */
#define LARGEST_EIGENVALUE 0.2560782

/* The squared distance between black and white. */
#define MAX_DISTANCE 35215

static const char *const metric_names[] = { "pixelmatch7", "pixelmatch8" };

/* In OKLab the bound would depend on the colour: every pixel that differs is looked at. */
static void use_oklab(struct diff_rule *rule, const struct image_diff_options *options)
{
    bool has_strict =
        options->strict_threshold >= 0 && options->strict_threshold < options->threshold;
    rule->max_delta = options->threshold;
    rule->strict_max_delta = has_strict ? options->strict_threshold : options->threshold;
    rule->max_square = 0;
}

void diff_rule_init(struct diff_rule *rule, const struct image_diff_options *options,
                    const struct diff_oklab *oklab)
{
    *rule = (struct diff_rule){
        .oklab = options->metric == IMAGE_DIFF_PIXELMATCH_8 ? oklab : NULL,
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
    if (rule->oklab) {
        use_oklab(rule, options);
    }
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

struct diff_ground diff_rule_ground_at(const struct diff_rule *rule, size_t offset)
{
    if (!rule->has_checkerboard) {
        return (struct diff_ground){ 255, 255, 255 };
    }
    if (rule->oklab) {
        /* Three bits of a hash of the pixel's number: each colour is dark or light. */
        uint32_t hash = (uint32_t)(offset / IMAGE_BYTES_PER_PIXEL) * UINT32_C(0x9e3779b1);
        return (struct diff_ground){
            .red = 48 + 159 * (int)(hash >> 31),
            .green = 48 + 159 * (int)(hash >> 30 & 1),
            .blue = 48 + 159 * (int)(hash >> 29 & 1),
        };
    }
    return (struct diff_ground){
        .red = 48, /* the period is two bytes, and offsets are multiples of four */
        .green = 48 + 159 * (int)((size_t)((double)offset / 1.618033988749895) % 2),
        .blue = 48 + 159 * (int)((size_t)((double)offset / 2.618033988749895) % 2),
    };
}

bool diff_rule_read_metric(const char *name, enum image_diff_metric *ret_metric)
{
    for (int i = 0; i < 2; i++) {
        if (strcmp(name, metric_names[i]) == 0) {
            *ret_metric = (enum image_diff_metric)i;
            return true;
        }
    }
    return false;
}

const char *diff_rule_metric_name(enum image_diff_metric metric)
{
    return metric_names[metric];
}
