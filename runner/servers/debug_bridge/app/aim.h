/* Which element a command means: its target put into the action. On the worker's thread. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_AIM_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_AIM_H

#include "runner/servers/debug_bridge/app/parts.h"

enum { APP_VISIT_MS = 15000 }; /* for a look at the page on behalf of a command */

struct app_aim {
    struct app *app;
    struct br_session *session;
    const json_t *target;
    json_t *action;
    json_t *items; /* of the tree that was looked at; owned; NULL: none was */
};

/*
 * In the protocol's order: an id that a tree had, or that is an attribute of an element; a
 * selector; a text, with or without a role. TARGET_NOT_FOUND, TARGET_AMBIGUOUS, STALE_NODE.
 */
bool app_aim_take(struct app_aim *aim, struct br_error *err);

/*
 * The element of an id is called something else by now, *err says: it is taken all the same where
 * the id is one that the page has given, or is still its own.
 */
bool app_aim_anew(struct app_aim *aim, struct br_error *err);

void app_aim_finish(struct app_aim *aim);

#endif
