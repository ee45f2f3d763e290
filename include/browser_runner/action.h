/*
 * An action: a type such as "click" with its parameters. Front ends turn their input into actions;
 * a session runs nothing else.
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

/*
 * Whether actions are drawn into the page: a cursor, a ring at a click, a frame around the element,
 * the key pressed.
 */
enum br_show_actions {
    BR_SHOW_ACTIONS_NONE,
    BR_SHOW_ACTIONS_LIVE,     /* for people who watch the window; hidden while pictures are taken */
    BR_SHOW_ACTIONS_CAPTURED, /* also in pictures, except those that are compared */
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
 * Sets a parameter by its name, or a value inside one by its path: "viewport.width",
 * "route[0].url". Creates missing objects and lists on the way; an index equal to the list's length
 * appends. The value is copied. Fails with BR_INVALID_ACTION when the path does not fit the values
 * that are already set; only br_action_validate() checks names and kinds.
 */
BR_API bool br_action_set_text(struct br_action *action, const char *path, const char *text,
                               struct br_error *err);
BR_API bool br_action_set_number(struct br_action *action, const char *path, double number,
                                 struct br_error *err);
BR_API bool br_action_set_boolean(struct br_action *action, const char *path, bool boolean,
                                  struct br_error *err);
BR_API bool br_action_unset(struct br_action *action, const char *path, struct br_error *err);

/*
 * Checks the type and the parameters. A session refuses an action that was not validated, or was
 * changed since. Fails with BR_INVALID_ACTION; the message names the place and the nearest known
 * name.
 */
BR_API bool br_action_validate(struct br_action *action, struct br_error *err);

/*
 * Return the action's type, and its parameters as an object. Borrowed until the action is changed.
 */
BR_API const char *br_action_type(const struct br_action *action);
BR_API const struct br_value *br_action_params(const struct br_action *action);

BR_API void br_action_destroy(struct br_action *action);

#ifdef __cplusplus
}
#endif

#endif
