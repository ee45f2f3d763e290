#include "runner/cli/option_setters.h"

#include <stdint.h>

enum { MAX_DELAY_MS = 600000 };

DEFINE_STRING_OPTION(picture_option_output, output)
DEFINE_STRING_OPTION(picture_option_selector, selector)
DEFINE_SWITCH_OPTION(picture_option_full_page, is_full_page)
DEFINE_SWITCH_OPTION(picture_option_tiles, has_tiles)
DEFINE_SWITCH_OPTION(picture_option_labels, has_labels)
DEFINE_SWITCH_OPTION(picture_option_stable, is_stable)
DEFINE_SWITCH_OPTION(picture_option_ignore_no_ai, ignores_no_ai)
DEFINE_SWITCH_OPTION(picture_option_allow_http_errors, allows_http_errors)
DEFINE_STRING_OPTION(picture_option_wait_for, wait_for)
DEFINE_SWITCH_OPTION(picture_option_json, is_json)

bool picture_option_quality(struct cli_options *options, const char *value, struct br_error *err)
{
    options->has_quality = true;
    return option_int(value, 1, 100, &options->session.quality, err);
}

bool picture_option_max_edge(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, 65535, &options->session.limits.max_edge, err);
}

bool picture_option_max_pixels(struct cli_options *options, const char *value, struct br_error *err)
{
    long number = 0;
    if (!option_integer(value, 0, BR_IMAGE_MAX_PIXELS, &number, err)) {
        return false;
    }
    options->session.limits.max_pixels = (double)number;
    return true;
}

bool picture_option_max_bytes(struct cli_options *options, const char *value, struct br_error *err)
{
    long number = 0;
    if (!option_integer(value, 1, INT32_MAX, &number, err)) {
        return false;
    }
    options->max_bytes = number;
    return true;
}

bool picture_option_format(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "jpeg", "png", "webp", NULL };
    return option_choice(value, names, &options->format, err);
}

bool picture_option_wait_until(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "load", "domcontentloaded", "networkidle0", "networkidle2",
                                         NULL };
    return option_choice(value, names, &options->wait_until, err);
}

bool picture_option_delay(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, MAX_DELAY_MS, &options->delay_ms, err);
}

bool options_picture_clock(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "virtual", NULL };
    const char *chosen = NULL;
    options->has_virtual_clock = true;
    return option_choice(value, names, &chosen, err);
}

bool options_picture_at(struct cli_options *options, const char *value, struct br_error *err)
{
    options->has_at = true;
    return option_int(value, 0, MAX_DELAY_MS, &options->at_ms, err);
}

bool picture_option_color_scheme(struct cli_options *options, const char *value,
                                 struct br_error *err)
{
    static const char *const names[] = { "light", "dark", NULL };
    return option_choice(value, names, &options->color_scheme, err);
}
