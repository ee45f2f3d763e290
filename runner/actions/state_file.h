/*
 * Files with the state of a browser, as Playwright writes and reads them: {"cookies": […],
 * "origins": [{"origin", "localStorage": [{"name", "value"}]}]}.
 */
#ifndef RUNNER_ACTIONS_STATE_FILE_H
#define RUNNER_ACTIONS_STATE_FILE_H

#include "runner/actions/actions.h"

/* A row of `op` values that both actions have; `file` goes with these. */
#define STATE_FILE_SAVE "save"
#define STATE_FILE_LOAD "load"

/* Whether `file` is there for op save and load, and for them alone. */
bool state_file_check(const struct br_action *action, struct br_error *err);

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
