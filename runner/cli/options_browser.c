#include "runner/cli/option_setters.h"

#include "profiles/preset.h"
#include "profiles/profile.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/base/policy.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

DEFINE_STRING_OPTION(browser_option_chrome, browser.chrome)
DEFINE_STRING_OPTION(browser_option_profile, browser.profile)
DEFINE_STRING_OPTION(browser_option_session_id, session.session_id)
DEFINE_STRING_OPTION(browser_option_tab, session.tab)
DEFINE_STRING_OPTION(browser_option_audit, session.audit)
DEFINE_STRING_OPTION(browser_option_debug_dir, session.debug_dir)
DEFINE_STRING_OPTION(browser_option_downloads, session.downloads)
DEFINE_SWITCH_OPTION(browser_option_temp_profile, browser.temp_profile)
DEFINE_SWITCH_OPTION(browser_option_stable_pixels, browser.stable_pixels)
DEFINE_SWITCH_OPTION(browser_option_debug, session.debug)
DEFINE_SWITCH_OPTION(browser_option_no_eval, session.policy.no_eval)
DEFINE_SWITCH_OPTION(browser_option_headed, browser.headed)
DEFINE_SWITCH_OPTION(browser_option_no_sandbox, browser.no_sandbox)
DEFINE_SWITCH_OPTION(browser_option_dies_with_parent, dies_with_parent)

bool browser_option_idle_detach(struct cli_options *options, const char *value,
                                struct br_error *err)
{
    int seconds = 0;
    if (!option_int(value, 0, INT_MAX / 1000, &seconds, err)) {
        return false;
    }
    options->session.idle_detach_ms = seconds * 1000;
    return true;
}

bool browser_option_project(struct cli_options *options, const char *value, struct br_error *err)
{
    options->browser.project = value;
    return profile_project_check(value, err);
}

bool browser_option_connect(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const schemes[] = { "http://", "https://", "ws://", "wss://" };
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (strncmp(value, schemes[i], strlen(schemes[i])) == 0) {
            options->browser.connect = value;
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "\"%s\" is not an http, https, ws or wss URL", value);
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

/* Sets the window's size unless a viewport is given, which has precedence. */
static void set_window(struct cli_options *options, int width, int height)
{
    if (!options->session.viewport_width) {
        options->browser.window_width = width;
        options->browser.window_height = height;
    }
}

bool browser_option_preset(struct cli_options *options, const char *value, struct br_error *err)
{
    json_auto_t *preset = preset_load(value, err);
    const json_t *viewport = json_object_get(preset, "viewport");
    options->session.preset = value;
    options->browser.stable_pixels |= strcmp(value, "ci") == 0;
    set_window(options, (int)json_member_number(viewport, "width", 0),
               (int)json_member_number(viewport, "height", 0));
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
        error_set(err, BR_INVALID_ACTION, "\"%s\" is not a viewport", value);
        return error_hint(err, "write it as 1280x720 or 390x844@3");
    }
    options->browser.window_width = width;
    options->browser.window_height = height;
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
    cli_list_add(&options->chrome_args, value);
    options->browser.chrome_args = options->chrome_args.items;
    return true;
}

/* An invalid rule is an error of the command line. */
static bool check_policy(const struct cli_options *options, struct br_error *err)
{
    struct policy *policy = NULL;
    bool is_fine = policy_create(&options->session.policy, &policy, err);
    policy_destroy(policy);
    return is_fine;
}

bool browser_option_allow(struct cli_options *options, const char *value, struct br_error *err)
{
    cli_list_add(&options->allow, value);
    options->session.policy.allow = options->allow.items;
    return check_policy(options, err);
}

bool browser_option_deny(struct cli_options *options, const char *value, struct br_error *err)
{
    cli_list_add(&options->deny, value);
    options->session.policy.deny = options->deny.items;
    return check_policy(options, err);
}

bool browser_option_schemes(struct cli_options *options, const char *value, struct br_error *err)
{
    static const char *const none[] = { NULL };
    char *rest = NULL;
    free(options->scheme_text);
    options->scheme_text = xstrdup(value);
    options->schemes.count = 0;
    for (char *part = strtok_r(options->scheme_text, ",", &rest); part;
         part = strtok_r(NULL, ",", &rest)) {
        cli_list_add(&options->schemes, part);
    }
    options->session.policy.schemes = options->schemes.count ? options->schemes.items : none;
    return check_policy(options, err);
}

bool browser_option_files(struct cli_options *options, const char *value, struct br_error *err)
{
    options->session.policy.files = value;
    return check_policy(options, err);
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
