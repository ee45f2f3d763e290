/* The UI tree of a driven app: the elements that a person can operate, from a snapshot. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_UI_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_UI_H

#include "runner/servers/debug_bridge/app/ids.h"
#include "runner/session/visit.h"

#include <jansson.h>

struct outline;
struct selector_map;

/*
 * Takes a snapshot, with hidden elements if has_hidden, and assigns ids. *ret_items is an array of
 * the protocol's items, without values of private fields; the caller decrefs.
 */
bool app_ui_look(struct app_ids *ids, const struct session_visit *visit, bool has_hidden,
                 json_t **ret_items, struct br_error *err);

/* The items of an existing outline. Caller decrefs. */
json_t *app_ui_items(struct app_ids *ids, const struct outline *outline);

#endif
