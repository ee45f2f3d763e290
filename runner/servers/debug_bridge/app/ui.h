/*
 * The UI tree of a driven app: what a person operates on its page, from our own snapshot, and which
 * element is meant by an id.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_UI_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_UI_H

#include "runner/servers/debug_bridge/app/ids.h"
#include "runner/session/visit.h"

#include <jansson.h>

struct outline;
struct selector_map;

/*
 * Takes a snapshot, of hidden elements too if they are asked for, and gives ids. *ret_items is an
 * array of items as the protocol has them; the caller decrefs. Values of private fields are in
 * none.
 */
bool app_ui_look(struct app_ids *ids, const struct session_visit *visit, bool has_hidden,
                 json_t **ret_items, struct br_error *err);

/* The same of an outline that is there already. Caller decrefs. */
json_t *app_ui_items(struct app_ids *ids, const struct outline *outline);

#endif
