/*
 * Files with a browser's state in Playwright's format: {"cookies": […], "origins": [{"origin",
 * "localStorage": [{"name", "value"}]}]}.
 */
#ifndef RUNNER_ACTIONS_STATE_FILE_H
#define RUNNER_ACTIONS_STATE_FILE_H

#include "runner/actions/action_type.h"

/* Values of `op`, shared by `cookies` and `storage`. */
#define STATE_FILE_SAVE "save"
#define STATE_FILE_LOAD "load"

/* `file` is required for these, and allowed only for these. */
#define STATE_FILE_RULES                                                                           \
    { RULE_ALL, "file", .when = "op", .is = "save", .text = "needs a file to save" },              \
        { RULE_ALL, "file", .when = "op", .is = "load", .text = "needs a file to load" },          \
    {                                                                                              \
        RULE_NONE, "file", .when = "op", .is_not = "save load",                                    \
                           .text = "is for op \"save\" and \"load\""                               \
    }

/*
 * Writes cookies (from Storage.getCookies) and origins (from page_get_origins()) to the action's
 * `file`, and their number into the response.
 */
bool state_file_save(struct action_run *run, const json_t *cookies, const json_t *origins,
                     struct br_error *err);

/*
 * Reads and validates the action's `file`, then sets its cookies and, if with_origins, its storage,
 * and puts their number into the response. Sets nothing from an invalid file.
 */
bool state_file_load(struct action_run *run, bool with_origins, struct br_error *err);

#endif
