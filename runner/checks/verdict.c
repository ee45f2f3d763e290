#include "runner/checks/verdict.h"
#include "imaging/decode.h"
#include "imaging/diff_files.h"
#include "imaging/diff_picture.h"
#include "imaging/diff_rule.h"

#include "imaging/diff.h"
#include "runner/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_REGIONS = 50, /* regions that are listed */
};

/* Returns how many pixels may differ. */
static int64_t allowed_pixels(const struct suite_check *check, size_t total)
{
    int64_t by_ratio =
        check->max_diff_ratio >= 0 ? (int64_t)floor(check->max_diff_ratio * (double)total) : -1;
    int64_t by_count = check->max_diff_pixels;
    if (by_ratio < 0 || by_count < 0) {
        int64_t given = by_ratio < 0 ? by_count : by_ratio;
        return given < 0 ? 0 : given;
    }
    return by_ratio < by_count ? by_ratio : by_count;
}

/*
 * The area that only the larger of two pictures has, below and to the right. It is ignored if it is
 * within allowSizeChange.
 */
struct rim {
    int width, height; /* size of the baseline */
    bool is_allowed;
    struct image_rect rects[2];
};

static int distance(int first, int second)
{
    return first > second ? first - second : second - first;
}

/* Allows nothing if a picture cannot be read, which the comparison then reports. */
static struct rim find_rim(const struct suite_check *check, const struct attempt *attempt,
                           const struct baseline *baseline)
{
    struct rim rim = { 0 };
    struct br_error ignored;
    int width = 0;
    int height = 0;
    if (!image_decode_size(baseline->png, baseline->size, &rim.width, &rim.height, &ignored) ||
        !image_decode_size(attempt->png, attempt->size, &width, &height, &ignored)) {
        return (struct rim){ 0 };
    }
    int more_width = distance(width, rim.width);
    int more_height = distance(height, rim.height);
    int both_width = width < rim.width ? width : rim.width;
    int both_height = height < rim.height ? height : rim.height;
    rim.is_allowed =
        more_width <= check->allowed_size_change && more_height <= check->allowed_size_change;
    rim.rects[0] = (struct image_rect){ both_width, 0, more_width, both_height + more_height };
    rim.rects[1] = (struct image_rect){ 0, both_height, both_width, more_height };
    return rim;
}

static json_t *regions_json(const struct image_diff *diff)
{
    json_t *regions = json_array();
    for (size_t i = 0; i < diff->region_count; i++) {
        const struct image_diff_region *region = &diff->regions[i];
        json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:I}", "x", region->box.x, "y",
                                   region->box.y, "width", region->box.width, "height",
                                   region->box.height, "diffPixels", (json_int_t)region->pixels);
        if (region->is_faint) {
            json_object_set_new(object, "faint", json_true());
        }
        json_array_append_new(regions, object);
    }
    return regions;
}

static json_t *comparison_json(const struct suite_check *check, const struct attempt *attempt,
                               const struct image_diff *diff, int64_t allowed)
{
    json_t *comparison = json_pack(
        "{s:I, s:f, s:I, s:b, s:f, s:I, s:o, s:s}", "diffPixels", (json_int_t)diff->diff_pixels,
        "diffRatio", diff->diff_ratio, "antialiasedPixels", (json_int_t)diff->antialiased_pixels,
        "layoutDiffers", diff->layout_differs, "threshold", check->threshold, "allowedPixels",
        (json_int_t)allowed, "regions", regions_json(diff), "fingerprint", diff->fingerprint);
    if (check->metric != IMAGE_DIFF_PIXELMATCH_7) {
        json_object_set_new(comparison, "metric",
                            json_string(diff_rule_metric_name(check->metric)));
    }
    if (check->strict >= 0) {
        json_object_set_new(comparison, "faintPixels",
                            json_integer((json_int_t)diff->faint_pixels));
    }
    if (json_array_size(attempt->ignored)) {
        json_object_set(comparison, "ignored", attempt->ignored);
    }
    if (json_array_size(attempt->zones)) {
        json_object_set(comparison, "thresholds", attempt->zones);
    }
    return comparison;
}

static char *size_reason(const struct suite_check *check, const struct attempt *attempt,
                         const struct image_diff *diff, const struct rim *rim)
{
    bool allows_pixels = check->max_diff_pixels >= 0 || check->max_diff_ratio >= 0;
    const char *cure = check->allowed_size_change > 0 ? "; that is more than allowSizeChange allows"
                       : allows_pixels ? "; maxDiffPixels and maxDiffRatio allow no other size, "
                                         "allowSizeChange does"
                                       : "";
    return xasprintf("the size differs: the picture is %dx%d, the baseline %dx%d, and %zu of %zu "
                     "pixels differ (%.3g %%)%s",
                     attempt->width, attempt->height, rim->width, rim->height, diff->diff_pixels,
                     diff->total_pixels, diff->diff_ratio * 100, cure);
}

/* A change of size fails, however few pixels it is, unless allowSizeChange allows it. */
static void judge_difference(const struct suite_check *check, const struct attempt *attempt,
                             const struct image_diff *diff, const struct rim *rim,
                             struct verdict *verdict)
{
    int64_t allowed = allowed_pixels(check, diff->total_pixels);
    verdict->comparison = comparison_json(check, attempt, diff, allowed);
    if (diff->layout_differs && !rim->is_allowed) {
        verdict->status = CHECK_FAILED;
        verdict->reason = size_reason(check, attempt, diff, rim);
    } else if ((int64_t)diff->diff_pixels > allowed) {
        verdict->status = CHECK_FAILED;
        verdict->reason =
            xasprintf("%zu of %zu pixels differ (%.3g %%), %lld are allowed", diff->diff_pixels,
                      diff->total_pixels, diff->diff_ratio * 100, (long long)allowed);
    } else if (diff->faint_pixels > 0) {
        verdict->status = CHECK_FAILED;
        verdict->reason = xasprintf(
            "%zu pixels differ faintly, by more than the strict threshold %g, in areas of "
            "at least %d",
            diff->faint_pixels, check->strict, check->strict_area);
    }
}

static struct image_rect rect_of(const json_t *box)
{
    return (struct image_rect){
        .x = (int)json_member_number(box, "x", 0),
        .y = (int)json_member_number(box, "y", 0),
        .width = (int)json_member_number(box, "width", 0),
        .height = (int)json_member_number(box, "height", 0),
    };
}

/* The parts of the picture that do not count, or have their own threshold. */
struct uneven_areas {
    struct image_rect *ignored;
    struct image_diff_zone *zones;
};

static void find_parts(const struct attempt *attempt, const struct rim *rim,
                       struct uneven_areas *parts, struct image_diff_options *options)
{
    size_t ignored_count = json_array_size(attempt->ignored);
    size_t zone_count = json_array_size(attempt->zones);
    parts->ignored = xcalloc(ignored_count + 2, sizeof(*parts->ignored));
    parts->zones = xcalloc(zone_count + 1, sizeof(*parts->zones));
    for (size_t i = 0; i < ignored_count; i++) {
        parts->ignored[i] = rect_of(json_array_get(attempt->ignored, i));
    }
    for (size_t i = 0; i < zone_count; i++) {
        const json_t *box = json_array_get(attempt->zones, i);
        parts->zones[i].rect = rect_of(box);
        parts->zones[i].threshold = json_member_number(box, "threshold", 0);
    }
    for (size_t i = 0; rim->is_allowed && i < 2; i++) {
        parts->ignored[ignored_count++] = rim->rects[i];
    }
    options->ignored = parts->ignored;
    options->ignored_count = ignored_count;
    options->zones = parts->zones;
    options->zone_count = zone_count;
}

/* A failed comparison, such as with a baseline that is not a picture, is reported as an error. */
static void compare(const struct suite_check *check, const struct attempt *attempt,
                    const struct baseline *baseline, struct verdict *verdict)
{
    struct br_error err = { 0 };
    struct image_diff diff = { 0 };
    struct image_diff_options options = IMAGE_DIFF_OPTIONS_INIT;
    struct rim rim = find_rim(check, attempt, baseline);
    struct uneven_areas parts;
    struct image_diff_file expected = { "the baseline", baseline->png, baseline->size };
    struct image_diff_file actual = { "the picture", attempt->png, attempt->size };
    options.metric = check->metric;
    options.threshold = check->threshold;
    options.strict_threshold = check->strict;
    options.strict_area = (size_t)check->strict_area;
    options.counts_antialias = check->counts_antialias;
    options.max_regions = MAX_REGIONS;
    options.has_picture = true;
    find_parts(attempt, &rim, &parts, &options);
    verdict->status = CHECK_PASSED;
    bool is_compared = image_diff_files(&expected, &actual, &options, &diff, &err);
    if (is_compared) {
        verdict->is_exact = diff.is_exact;
        judge_difference(check, attempt, &diff, &rim, verdict);
    }
    if (is_compared && diff.is_different && diff.picture.indexes) {
        is_compared = image_diff_picture_encode(&diff.picture, &verdict->picture,
                                                &verdict->picture_size, &err);
    }
    image_diff_finish(&diff);
    free(parts.ignored);
    free(parts.zones);
    if (!is_compared) {
        verdict->status = CHECK_ERROR;
        free(verdict->reason);
        verdict->reason = xstrdup(err.message);
    }
}

/* A page with errors does not become a baseline, whatever it looks like. */
static void add_problems(const struct attempt *attempt, struct verdict *verdict)
{
    size_t count = json_array_size(attempt->problems);
    char *before = TAKE(verdict->reason);
    verdict->status = verdict->status == CHECK_ERROR ? CHECK_ERROR : CHECK_FAILED;
    verdict->reason = xasprintf("%s%s%zu error%s of the page", before ? before : "",
                                before ? "; " : "", count, count == 1 ? "" : "s");
    free(before);
}

/* After a failed comparison: whether only the baseline was invalid. */
static bool is_picture(const struct attempt *attempt)
{
    struct br_error ignored;
    struct br_image image = { 0 };
    bool is_decoded = br_png_decode(attempt->png, attempt->size, &image, &ignored);
    br_image_finish(&image);
    return is_decoded;
}

/* Appends to the reason. */
static void add_reason(struct verdict *verdict, const char *more)
{
    char *before = TAKE(verdict->reason);
    verdict->reason = xasprintf("%s; %s", before, more);
    free(before);
}

/* Whether all pixels of the picture have one colour, and which. */
static bool is_empty(const struct attempt *attempt, const unsigned char **ret_pixel,
                     struct br_image *image)
{
    struct br_error ignored;
    if (!br_png_decode(attempt->png, attempt->size, image, &ignored)) {
        return false;
    }
    size_t row = (size_t)image->width * 4;
    *ret_pixel = image->pixels;
    for (int y = 0; y < image->height; y++) {
        const unsigned char *line = image->pixels + (size_t)y * row;
        if (memcmp(line, image->pixels, 4) != 0 || memcmp(line, line + 4, row - 4) != 0) {
            return false;
        }
    }
    return true;
}

/*
 * Returns why the picture is hardly what the page should look like; NULL if there is no reason. A
 * picture of one element may have one colour. Caller frees.
 */
static char *doubt_of(const struct suite_check *check, const struct attempt *attempt)
{
    struct br_image image = { 0 };
    const unsigned char *pixel = NULL;
    char *doubt = NULL;
    size_t count = json_array_size(attempt->errors);
    if (count) {
        doubt = xasprintf("the page has %zu error%s on its console%s: %s", count,
                          count == 1 ? "" : "s", count == 1 ? "" : ", the first",
                          json_string_value(json_array_get(attempt->errors, 0)));
    } else if (!check->selector && is_empty(attempt, &pixel, &image)) {
        doubt = xasprintf("the picture is empty: all of it is #%02x%02x%02x", pixel[0], pixel[1],
                          pixel[2]);
    }
    br_image_finish(&image);
    return doubt;
}

/* Fails a check whose picture would be written but is doubted. */
static void refuse_writing(const char *doubt, bool is_missing, struct verdict *verdict)
{
    char *before = TAKE(verdict->reason);
    verdict->status = CHECK_FAILED;
    verdict->reason = xasprintf("%s; this picture does not become the baseline: %s; --allow-errors "
                                "accepts it",
                                is_missing ? "there is no baseline"
                                : before   ? before
                                           : "the picture differs within the limits",
                                doubt);
    free(before);
}

/*
 * Decides whether the picture becomes the baseline; it may also replace one that is not a picture.
 */
static void decide_writing(const struct suite_check *check, const struct baseline *baseline,
                           const struct attempt *attempt, enum update_mode mode, bool allows_errors,
                           struct verdict *verdict)
{
    bool is_same = baseline->png && attempt->size == baseline->size &&
                   memcmp(attempt->png, baseline->png, baseline->size) == 0;
    bool is_wanted = !baseline->png ? mode != UPDATE_NONE
                                    : (verdict->status != CHECK_PASSED && mode == UPDATE_CHANGED) ||
                                          (mode == UPDATE_ALL && !is_same);
    CLEANUP_FREE char *doubt = is_wanted && !allows_errors ? doubt_of(check, attempt) : NULL;
    if (doubt) {
        refuse_writing(doubt, !baseline->png, verdict);
        return;
    }
    verdict->is_written = is_wanted;
    if (!baseline->png) {
        verdict->status = is_wanted ? CHECK_NEW : CHECK_FAILED;
        verdict->reason = xstrdup(is_wanted ? "there was no baseline: this picture is it"
                                            : "there is no baseline");
    } else if (is_wanted) {
        char *before = TAKE(verdict->reason);
        verdict->status = CHECK_UPDATED;
        verdict->reason =
            xasprintf("the baseline was replaced%s%s", before ? ": " : "", before ? before : "");
        free(before);
    } else if (verdict->status == CHECK_ERROR) {
        add_reason(verdict, "--update replaces it");
    }
    if (verdict->is_written && attempt->http_status >= 400) {
        CLEANUP_FREE char *text =
            xasprintf("the page answered with HTTP status %d", attempt->http_status);
        add_reason(verdict, text);
    }
}

void verdict_make(const struct suite_check *check, const struct attempt *attempt,
                  const struct baseline *baseline, enum update_mode mode, bool allows_errors,
                  struct verdict *ret_verdict)
{
    *ret_verdict = (struct verdict){ .status = CHECK_PASSED };
    if (attempt->error.code != BR_OK) {
        ret_verdict->status = CHECK_ERROR;
        ret_verdict->reason = xstrdup(attempt->error.message);
        return;
    }
    if (baseline->png) {
        compare(check, attempt, baseline, ret_verdict);
    }
    if (check->expects_no_errors && json_array_size(attempt->problems)) {
        add_problems(attempt, ret_verdict);
    } else if (ret_verdict->status != CHECK_ERROR || is_picture(attempt)) {
        decide_writing(check, baseline, attempt, mode, allows_errors, ret_verdict);
    }
}

void verdict_finish(struct verdict *verdict)
{
    free(verdict->reason);
    free(verdict->picture);
    json_decref(verdict->comparison);
    *verdict = (struct verdict){ 0 };
}

bool verdict_is_bad(const struct verdict *verdict)
{
    return verdict->status == CHECK_FAILED || verdict->status == CHECK_ERROR;
}
