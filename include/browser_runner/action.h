/*
 * An action: a type such as "click" and its parameters. This is what every front end makes of its
 * input, and the only thing that a session runs.
 */
#ifndef BROWSER_RUNNER_ACTION_H
#define BROWSER_RUNNER_ACTION_H

#include <browser_runner/error.h>
#include <browser_runner/value.h>
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

/*
 * Makes an action of this type without parameters: set them by the functions that follow, then
 * check it by br_action_validate(). Never NULL. Caller frees with br_action_destroy().
 */
BR_API struct br_action *br_action_create(const char *type);

/*
 * Sets a parameter by its name, or what is in one by a path: "viewport.width", "route[0].url".
 * Objects and lists on the way are made; the index after the last one appends. Copied. False with
 * BR_INVALID_ACTION for a path that leads nowhere; what may be there is said by
 * br_action_validate().
 */
BR_API bool br_action_set_text(struct br_action *action, const char *path, const char *text,
                               struct br_error *err);
BR_API bool br_action_set_number(struct br_action *action, const char *path, double number,
                                 struct br_error *err);
BR_API bool br_action_set_boolean(struct br_action *action, const char *path, bool boolean,
                                  struct br_error *err);
BR_API bool br_action_unset(struct br_action *action, const char *path, struct br_error *err);

/*
 * Checks the type and the parameters. A session refuses an action that was not checked, or was
 * changed since. False with BR_INVALID_ACTION, the place and the nearest name that is known.
 */
BR_API bool br_action_validate(struct br_action *action, struct br_error *err);

/* Its type, and its parameters as an object. Borrowed until it is changed. */
BR_API const char *br_action_type(const struct br_action *action);
BR_API const struct br_value *br_action_params(const struct br_action *action);

BR_API void br_action_destroy(struct br_action *action);

#ifdef __cplusplus
}
#endif

#endif
