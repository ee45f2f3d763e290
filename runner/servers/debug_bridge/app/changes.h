/* Compares two lists of a UI tree's items, and filters them. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_CHANGES_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_CHANGES_H

#include <jansson.h>
#include <stdbool.h>

/* With more changes, the whole tree is sent. */
enum { APP_MAX_CHANGES = 10 };

/*
 * An array of {stableId, changes, changeType}. `changes` of a modified item has the changed
 * members, null for removed ones. NULL: there are more than APP_MAX_CHANGES. Caller decrefs.
 */
json_t *app_changes(const json_t *before, const json_t *after);

/* The items that request_ui_tree asks for. */
struct app_wanted {
    bool has_hidden, has_bounds;
    const json_t *roles;   /* an array of texts; NULL: any role */
    const json_t *matches; /* a boolean for each item; NULL: all */
};

/* The wanted items; without has_bounds, copies without bounds. Caller decrefs. */
json_t *app_wanted_items(const json_t *items, const struct app_wanted *wanted);

/*
 * The items whose text or label equals `text`, or if there are none, contains it, ignoring case.
 * `role` is a role or a tag name; NULL: any. Caller decrefs.
 */
json_t *app_items_by_text(const json_t *items, const char *text, const char *role);

#endif
