#include "runner/cli/option_setters.h"

#include "runner/base/network_event.h"
#include "runner/formats/provider.h"

#include <stdint.h>
#include <string.h>

DEFINE_STRING_OPTION(run_option_log_filter, session.log_filter)
DEFINE_STRING_OPTION(run_option_retry, session.retry)
DEFINE_STRING_OPTION(run_option_save_dir, save_dir)
DEFINE_SWITCH_OPTION(run_option_progress, has_progress)
DEFINE_SWITCH_OPTION(run_option_har_secrets, has_har_secrets)

bool run_option_har(struct cli_options *options, const char *value, struct br_error *err)
{
    (void)err;
    options->har = value;
    options->session.keeps_headers = true;
    return true;
}

bool run_option_screenshots(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = {
        [BR_SCREENSHOTS_BOTH] = "both",
        [BR_SCREENSHOTS_POST] = "post",
        [BR_SCREENSHOTS_NONE] = "none",
        [BR_SCREENSHOTS_EXPLICIT] = "explicit",
        NULL,
    };
    const char *name = NULL;
    if (!option_choice(value, names, &name, err)) {
        return false;
    }
    while (strcmp(names[options->session.screenshots], name) != 0) {
        options->session.screenshots = (options->session.screenshots + 1) % 4;
    }
    return true;
}

bool run_option_chunk_size(struct cli_options *options, const char *value, struct br_error *err)
{
    long number = 0;
    if (!option_integer(value, 0, INT32_MAX, &number, err)) {
        return false;
    }
    options->has_chunk_size = true;
    options->chunk_size = (size_t)number;
    return true;
}

bool run_option_provider(struct cli_options *options, const char *value, struct br_error *err)
{
    options->provider = value;
    return provider_check(value, err);
}

bool run_option_network_filter(struct cli_options *options, const char *value, struct br_error *err)
{
    const char *name = NULL;
    if (!option_choice(value, network_filter_names, &name, err)) {
        return false;
    }
    while (strcmp(network_filter_names[options->session.network_filter], name) != 0) {
        options->session.network_filter = (options->session.network_filter + 1) % 5;
    }
    options->has_network_filter = true;
    return true;
}

bool run_option_keep_images(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 0, INT32_MAX, &options->keep_images, err);
}
