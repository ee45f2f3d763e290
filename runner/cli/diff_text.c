#include "runner/cli/diff_text.h"

#include "imaging/diff_rule.h"
#include "runner/base/strbuf.h"

#include <string.h>

/* Regions in the text; JSON has all of them. */
enum { REGIONS_SHOWN = 10 };

static json_t *region_to_json(const struct image_diff_region *region)
{
    json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:I}", "x", region->box.x, "y", region->box.y,
                               "width", region->box.width, "height", region->box.height,
                               "diffPixels", (json_int_t)region->pixels);
    if (region->is_faint) {
        json_object_set_new(object, "faint", json_true());
    }
    return object;
}

/* Only identical files are "equal". */
static const char *verdict_of(const struct image_diff *diff)
{
    return diff->is_different   ? "different"
           : diff->is_same_file ? "equal"
           : diff->is_exact     ? "same pixels"
                                : "alike";
}

json_t *diff_to_json(const struct image_diff *diff, const struct image_diff_options *options)
{
    json_t *regions = json_array();
    for (size_t i = 0; i < diff->region_count; i++) {
        json_array_append_new(regions, region_to_json(&diff->regions[i]));
    }
    json_t *object =
        json_pack("{s:s, s:i, s:i, s:I, s:f, s:I, s:b, s:o, s:s}", "verdict", verdict_of(diff),
                  "width", diff->width, "height", diff->height, "diffPixels",
                  (json_int_t)diff->diff_pixels, "diffRatio", diff->diff_ratio, "antialiasedPixels",
                  (json_int_t)diff->antialiased_pixels, "layoutDiffers", diff->layout_differs,
                  "regions", regions, "fingerprint", diff->fingerprint);
    if (options->metric != IMAGE_DIFF_PIXELMATCH_7) {
        json_object_set_new(object, "metric", json_string(diff_rule_metric_name(options->metric)));
    }
    if (diff->region_total > diff->region_count) {
        json_object_set_new(object, "regionsLeftOut",
                            json_integer((json_int_t)(diff->region_total - diff->region_count)));
    }
    if (options->ignored_count) {
        json_object_set_new(object, "ignoredPixels",
                            json_integer((json_int_t)diff->ignored_pixels));
    }
    if (options->strict_threshold >= 0) {
        json_object_set_new(object, "faintPixels", json_integer((json_int_t)diff->faint_pixels));
    }
    if (options->density_window) {
        json_object_set_new(object, "density", json_integer((json_int_t)diff->density));
    }
    return object;
}

/* Formats a number with groups of three digits: 921,600. */
static const char *grouped(size_t number, char buf[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%zu", number);
    char *out = buf;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[i];
    }
    *out = '\0';
    return buf;
}

static void add_counts(struct strbuf *text, const struct image_diff *diff)
{
    char count[32];
    char total[32];
    strbuf_add_format(text, "%s: %s of %s pixels differ", verdict_of(diff),
                      grouped(diff->diff_pixels, count), grouped(diff->total_pixels, total));
    if (diff->diff_pixels) {
        strbuf_add_format(text, " (%.3g %%)", diff->diff_ratio * 100);
    }
    if (diff->antialiased_pixels) {
        strbuf_add_format(text, ", %s more only smooth edges",
                          grouped(diff->antialiased_pixels, count));
    }
    if (diff->ignored_pixels) {
        strbuf_add_format(text, ", %s were ignored", grouped(diff->ignored_pixels, count));
    }
    strbuf_add_string(text, "\n");
}

static void add_regions(struct strbuf *text, const struct image_diff *diff)
{
    char count[32];
    size_t shown = diff->region_count < REGIONS_SHOWN ? diff->region_count : REGIONS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct image_diff_region *region = &diff->regions[i];
        strbuf_add_format(text, "  %dx%d at %d,%d: %s pixels%s\n", region->box.width,
                          region->box.height, region->box.x, region->box.y,
                          grouped(region->pixels, count), region->is_faint ? ", faint" : "");
    }
    if (diff->region_total > shown) {
        strbuf_add_format(text, "  and %s smaller regions\n",
                          grouped(diff->region_total - shown, count));
    }
}

char *diff_to_text(const struct image_diff *diff, const struct image_diff_options *options)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    char count[32];
    add_counts(&text, diff);
    if (!diff->is_different && !diff->is_exact) {
        strbuf_add_string(&text, "  but the pixels are not the same: the differences are below the "
                                 "threshold, smooth edges or are in ignored rectangles\n");
    }
    if (diff->layout_differs) {
        strbuf_add_format(&text, "  the sizes differ; together they are %dx%d\n", diff->width,
                          diff->height);
    }
    if (diff->faint_pixels) {
        strbuf_add_format(&text, "  %s faint pixels in large areas\n",
                          grouped(diff->faint_pixels, count));
    }
    add_regions(&text, diff);
    if (options->density_window && diff->density) {
        strbuf_add_format(&text, "  density: %s pixels in a square of %d by %d\n",
                          grouped(diff->density, count), options->density_window,
                          options->density_window);
    }
    return strbuf_take(&text);
}
