/* The ways in which actions name elements and places. */
#ifndef RUNNER_ACTIONS_NAMING_H
#define RUNNER_ACTIONS_NAMING_H

#include "runner/actions/action_type.h"

/* Return whether the action names an element; an element or a place. */
bool action_names_element(const struct br_action *action);
bool action_names_target(const struct br_action *action);

/*
 * Finds the target of the action, or of a validated part of it; texts are borrowed from it. Fails
 * with STALE_NODE for a node that no longer exists. The wait for the element is limited by
 * `timeout`, or by TARGET_PATIENCE_MS.
 */
enum { TARGET_PATIENCE_MS = 5000 };
bool action_find_target(struct action_run *run, const struct br_action *action,
                        struct page_target *ret_target, struct br_error *err);

/*
 * Parses an object parameter that names an element or a place, as a `hover` action there: validates
 * it, with a hint about the notation. NULL with an error. Caller destroys.
 */
struct br_action *naming_parse(const struct br_action *action, const char *path,
                               const json_t *given, const char *hint, struct br_error *err);

/* Returns a single left click at the offset `position` in the target's element. */
struct page_click action_click_place(const struct br_action *action);

#endif
