/* The telemetry of a driven app: looks at the page regularly. On the worker's thread. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_WATCH_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_WATCH_H

#include "runner/servers/debug_bridge/app/parts.h"

/* Looks at the page, and sends what has changed. */
void app_watch_look(struct app *app, struct br_session *session);

/* The page's HTML as a message; NULL if it exceeds `max` characters (0: LIMIT_EXCEEDED). Caller
 * decrefs. */
bool app_watch_html(struct app *app, const struct session_visit *visit, const json_t *options,
                    int64_t max, json_t **ret_message, struct br_error *err);

/* All scopes of the page's state in an object. Caller decrefs. */
bool app_watch_states(const struct session_visit *visit, json_t **ret_states, struct br_error *err);

void app_watch_finish(struct app *app);

#endif
