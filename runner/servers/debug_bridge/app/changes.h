/* What has changed between two lists of a UI tree's items, and lists without what nobody asked for.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_CHANGES_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_CHANGES_H

#include <jansson.h>
#include <stdbool.h>

/* More than these are told by a whole tree. */
enum { APP_MAX_CHANGES = 10 };

/*
 * An array of {stableId, changes, changeType}; of what is modified the members that are others,
 * null for those that are gone. NULL where there are more than APP_MAX_CHANGES. Caller decrefs.
 */
json_t *app_changes(const json_t *before, const json_t *after);

/* What of the items request_ui_tree asks for. */
struct app_wanted {
    bool has_hidden, has_bounds;
    const json_t *roles;   /* texts; NULL: any */
    const json_t *matches; /* a boolean an item; NULL: all */
};

/* The items themselves, without bounds copies of them. Caller decrefs. */
json_t *app_wanted_items(const json_t *items, const struct app_wanted *wanted);

/*
 * The items with this text or label: exactly, or else as a part of it, in any case; with this role,
 * or name of tag, NULL for any. Caller decrefs the array.
 */
json_t *app_items_by_text(const json_t *items, const char *text, const char *role);

#endif
