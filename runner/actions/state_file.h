/*
 * Files with the state of a browser, as Playwright writes and reads them: {"cookies": […],
 * "origins": [{"origin", "localStorage": [{"name", "value"}]}]}.
 */
#ifndef RUNNER_ACTIONS_STATE_FILE_H
#define RUNNER_ACTIONS_STATE_FILE_H

#include "runner/actions/action_type.h"

/* Values of `op` that both actions have. */
#define STATE_FILE_SAVE "save"
#define STATE_FILE_LOAD "load"

/* `file` is there for these, and for them alone. */
#define STATE_FILE_RULES                                                                           \
    { RULE_ALL, "file", .when = "op", .is = "save", .text = "needs a file to save" },              \
        { RULE_ALL, "file", .when = "op", .is = "load", .text = "needs a file to load" },          \
    {                                                                                              \
        RULE_NONE, "file", .when = "op", .is_not = "save load",                                    \
                           .text = "is for op \"save\" and \"load\""                               \
    }

/*
 * Writes cookies (as Storage.getCookies gives them) and origins (of page_get_origins()) to the
 * action's `file`, and how many there are into the response.
 */
bool state_file_save(struct action_run *run, const json_t *cookies, const json_t *origins,
                     struct br_error *err);

/*
 * Reads and checks the action's `file`, sets its cookies, with_origins the storage of its origins,
 * too, and puts how many there are into the response. Nothing is set from a file that is wrong.
 */
bool state_file_load(struct action_run *run, bool with_origins, struct br_error *err);

#endif
