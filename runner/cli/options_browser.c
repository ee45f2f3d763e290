#include "runner/cli/options_browser.h"

#include "profiles/preset.h"
#include "profiles/profile.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"

#include <stdio.h>
#include <string.h>

DEFINE_STRING_OPTION(browser_option_chrome, session.chrome)
DEFINE_STRING_OPTION(browser_option_profile, session.profile)
DEFINE_STRING_OPTION(browser_option_audit, session.audit)
DEFINE_STRING_OPTION(browser_option_debug_dir, session.debug_dir)
DEFINE_STRING_OPTION(browser_option_downloads, session.downloads)
DEFINE_SWITCH_OPTION(browser_option_temp_profile, session.temp_profile)
DEFINE_SWITCH_OPTION(browser_option_stable_pixels, session.stable_pixels)
DEFINE_SWITCH_OPTION(browser_option_debug, session.debug)
DEFINE_SWITCH_OPTION(browser_option_headed, session.headed)
DEFINE_SWITCH_OPTION(browser_option_no_sandbox, session.no_sandbox)
DEFINE_SWITCH_OPTION(browser_option_dies_with_parent, dies_with_parent)

bool browser_option_project(struct cli_options *options, const char *value, struct br_error *err)
{
    options->session.project = value;
    return profile_project_check(value, err);
}

bool browser_option_connect(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const schemes[] = { "http://", "https://", "ws://", "wss://" };
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncmp(value, schemes[i], strlen(schemes[i])) == 0) {
            options->session.connect = value;
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is no http, https, ws or wss URL", value);
    return error_hint(err, "write it as http://127.0.0.1:9222");
}

bool browser_option_show_actions(struct cli_options *options, const char *value,
                                 struct br_error *err)
{
    static const char *const choices[] = { "captured", NULL };
    const char *chosen = NULL;
    if (value && !option_choice(value, choices, &chosen, err)) {
        return false;
    }
    options->session.show_actions = chosen ? BR_SHOW_ACTIONS_CAPTURED : BR_SHOW_ACTIONS_LIVE;
    return true;
}

bool browser_option_preset(struct cli_options *options, const char *value, struct br_error *err)
{
    json_auto_t *preset = preset_load(value, err);
    options->session.preset = value;
    return preset;
}

bool browser_option_viewport(struct cli_options *options, const char *value, struct br_error *err)
{
    int end = 0;
    double ratio = 0; /* not given */
    int width = 0;
    int height = 0;
    int fields = sscanf(value, "%5dx%5d%n@%lf%n", &width, &height, &end, &ratio, &end);
    if (fields < 2 || value[end] != '\0' || width < 1 || height < 1 || (fields > 2 && ratio <= 0)) {
        error_set(err, BR_INVALID_ACTION, "\"%s\" is no viewport", value);
        return error_hint(err, "write it as 1280x720 or 390x844@3");
    }
    options->session.viewport_width = width;
    options->session.viewport_height = height;
    options->session.device_pixel_ratio = ratio;
    return true;
}

bool browser_option_timeout(struct cli_options *options, const char *value, struct br_error *err)
{
    return option_int(value, 1, 24 * 60 * 60 * 1000, &options->session.timeout_ms, err);
}

bool browser_option_chrome_arg(struct cli_options *options, const char *value, struct br_error *err)
{
    (void)err;
    options->chrome_args =
        array_reserve(options->chrome_args, options->chrome_arg_count + 1,
                      &options->chrome_arg_capacity, sizeof(*options->chrome_args));
    options->chrome_args[options->chrome_arg_count++] = value;
    options->chrome_args[options->chrome_arg_count] = NULL;
    options->session.chrome_args = options->chrome_args;
    return true;
}

bool browser_option_log_level(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const names[] = { "error",   "warning", "info", "debug",
                                         "verbose", "none",    NULL };
    const char *name = NULL;
    enum br_log_type type;
    if (!option_choice(value, names, &name, err)) {
        return false;
    }
    options->log_level = log_type_from_name(name, &type) ? (int)type : LOG_LEVEL_NONE;
    return true;
}
