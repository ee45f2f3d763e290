/* Finds the element that a command's target means, and sets it in the action. Worker's thread. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_AIM_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_AIM_H

#include "runner/servers/debug_bridge/app/parts.h"

enum { APP_VISIT_MS = 15000 }; /* for a visit to the page on behalf of a command */

struct app_aim {
    struct app *app;
    struct br_session *session;
    const json_t *target;
    json_t *action;
    json_t *items; /* of the last UI tree; owned; NULL: none was taken */
    json_t *rest;  /* the target without its stableId, if that was not found; owned */
};

/*
 * Sets the target in the protocol's order: a stableId of a tree or of an attribute; if there is no
 * such element, a selector; a text, with or without a role. TARGET_NOT_FOUND, TARGET_AMBIGUOUS,
 * STALE_NODE.
 */
bool app_aim_take(struct app_aim *aim, struct br_error *err);

/*
 * Sets the target again after STALE_NODE in *err. An id that the page itself gives is valid for a
 * new element, too. False: the element is gone, *err stays.
 */
bool app_aim_anew(struct app_aim *aim, struct br_error *err);

void app_aim_finish(struct app_aim *aim);

#endif
