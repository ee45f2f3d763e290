#include "runner/cli/option_setters.h"

#include "imaging/diff_rule.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* Parses a number from 0 to 1. */
static bool set_part(const char *value, double *field, struct br_error *err)
{
    char *end = NULL;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !(number >= 0 && number <= 1)) {
        return error_set(err, BR_INVALID_ACTION, "\"%s\" is not a number from 0 to 1", value);
    }
    *field = number;
    return true;
}

/* Parses the digits at *text and advances past them; -1 if they are not a number from 0 to max. */
static long read_number(const char **text, long max)
{
    char *end = NULL;
    errno = 0;
    long number = strtol(*text, &end, 10);
    bool is_number = **text >= '0' && **text <= '9' && !errno && number <= max;
    *text = end;
    return is_number ? number : -1;
}

static bool set_count(const char *value, long max, size_t *field, struct br_error *err)
{
    const char *end = value;
    long number = read_number(&end, max);
    if (number < 0 || *end != '\0') {
        return error_set(err, BR_INVALID_ACTION, "\"%s\" is not a number from 0 to %ld", value,
                         max);
    }
    *field = (size_t)number;
    return true;
}

bool diff_option_threshold(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_part(value, &options->diff.threshold, err);
}

bool diff_option_metric(struct cli_options *options, const char *value, struct br_error *err)
{
    if (diff_rule_read_metric(value, &options->diff.metric)) {
        return true;
    }
    return error_set(err, BR_INVALID_ACTION, "\"%s\" is not a metric: pixelmatch7 or pixelmatch8",
                     value);
}

bool diff_option_strict(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_part(value, &options->diff.strict_threshold, err);
}

bool diff_option_strict_area(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_count(value, BR_IMAGE_MAX_PIXELS, &options->diff.strict_area, err);
}

bool diff_option_density(struct cli_options *options, const char *value, struct br_error *err)
{
    size_t window = 0;
    if (!set_count(value, IMAGE_DIFF_MAX_WINDOW, &window, err)) {
        return false;
    }
    options->diff.density_window = (int)window;
    return true;
}

bool diff_option_max_regions(struct cli_options *options, const char *value, struct br_error *err)
{
    return set_count(value, INT_MAX, &options->diff.max_regions, err);
}

bool diff_option_ignore(struct cli_options *options, const char *value, struct br_error *err)
{
    long numbers[4];
    const char *rest = value;
    for (int i = 0; i < 4; i++) {
        numbers[i] = read_number(&rest, BR_IMAGE_MAX_PIXELS);
        if (numbers[i] < 0 || *rest != (i < 3 ? ',' : '\0')) {
            error_set(err, BR_INVALID_ACTION, "\"%s\" is not a rectangle", value);
            return error_hint(err, "write it as 10,20,300,40: left, top, width and height in "
                                   "pixels of the pictures");
        }
        rest += i < 3;
    }
    struct image_diff_options *diff = &options->diff;
    diff->ignored = array_reserve(diff->ignored, diff->ignored_count, &options->ignored_capacity,
                                  sizeof(*diff->ignored));
    diff->ignored[diff->ignored_count++] = (struct image_rect){
        .x = (int)numbers[0],
        .y = (int)numbers[1],
        .width = (int)numbers[2],
        .height = (int)numbers[3],
    };
    return true;
}

#define DEFINE_SWITCH(name, field)                                                                 \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        (void)value;                                                                               \
        options->diff.field = true;                                                                \
        return true;                                                                               \
    }

DEFINE_SWITCH(diff_option_count_antialias, counts_antialias)
DEFINE_SWITCH(diff_option_checkerboard, has_checkerboard)
DEFINE_SWITCH(diff_option_mask, is_picture_mask)
