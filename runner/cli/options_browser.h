/* Setters for the options of all commands that use a browser. */
#ifndef RUNNER_CLI_OPTIONS_BROWSER_H
#define RUNNER_CLI_OPTIONS_BROWSER_H

#include "runner/cli/option.h"

option_set browser_option_chrome, browser_option_profile, browser_option_audit,
    browser_option_debug_dir, browser_option_downloads, browser_option_temp_profile,
    browser_option_stable_pixels, browser_option_debug, browser_option_headed,
    browser_option_no_sandbox, browser_option_dies_with_parent, browser_option_project,
    browser_option_connect, browser_option_idle_detach, browser_option_session_id,
    browser_option_tab, browser_option_show_actions, browser_option_preset, browser_option_viewport,
    browser_option_timeout, browser_option_chrome_arg, browser_option_log_level,
    browser_option_allow, browser_option_deny, browser_option_schemes, browser_option_no_eval,
    browser_option_files;

#endif
