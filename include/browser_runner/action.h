/*
 * An action: a type such as "click" and its parameters. This is what every front end makes of its
 * input, and the only thing that a session runs.
 */
#ifndef BROWSER_RUNNER_ACTION_H
#define BROWSER_RUNNER_ACTION_H

#include <browser_runner/error.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct br_action;

/* Whether what is done to the page is drawn into it: a cursor, a ring, a frame, a key. */
enum br_show_actions {
    BR_SHOW_ACTIONS_NONE,
    BR_SHOW_ACTIONS_LIVE,     /* for those who watch; pictures are taken without it */
    BR_SHOW_ACTIONS_CAPTURED, /* also in pictures, but for those that are compared */
};

/*
 * Reads one action from a JSON object such as {"type":"click","selector":"#go"} and validates it.
 * Returns NULL with BR_INVALID_ACTION for anything else. Caller frees with br_action_destroy().
 */
BR_API struct br_action *br_action_from_json(const char *text, size_t length, struct br_error *err);

BR_API void br_action_destroy(struct br_action *action);

#ifdef __cplusplus
}
#endif

#endif
