/* How actions name elements and places. */
#ifndef RUNNER_ACTIONS_NAMING_H
#define RUNNER_ACTIONS_NAMING_H

#include "runner/actions/action_type.h"

/* INVALID_ACTION for an id that no snapshot could have shown. */
bool naming_check_node(const struct br_action *action, struct br_error *err);

/* Whether the action names an element; one or a place. */
bool action_names_element(const struct br_action *action);
bool action_names_target(const struct br_action *action);

/*
 * The target of the action, or of a part of it that was checked like one; texts are borrowed from
 * it. STALE_NODE for a node that has gone. Patience from `timeout`, or TARGET_PATIENCE_MS.
 */
enum { TARGET_PATIENCE_MS = 5000 };
bool action_find_target(struct action_run *run, const struct br_action *action,
                        struct page_target *ret_target, struct br_error *err);

/*
 * What names an element or a place in a parameter, as an action that hovers there: what it takes is
 * checked, and the hint says how to write it. NULL with the error. Caller destroys.
 */
struct br_action *naming_parse(const struct br_action *action, const char *path,
                               const json_t *given, const char *hint, struct br_error *err);

/* `position`: an offset in the target's element; the left button, once. */
struct page_click action_click_place(const struct br_action *action);

#endif
