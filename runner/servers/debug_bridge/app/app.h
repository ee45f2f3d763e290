/*
 * A driven app: a page that this program drives, as an app of a debug-bridge session, without any
 * code in the page. Sends the telemetry of an app, and executes the commands of agents.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_APP_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_APP_H

#include "runner/servers/debug_bridge/relay.h"
#include "runner/sessions/sessions.h"

struct app;

/* All borrowed; strings are copied. */
struct app_options {
    struct relay *relay;
    struct sessions *sessions;
    const char *name;       /* of the session among these */
    const json_t *settings; /* of that session; NULL: defaults */
    const char *url;        /* of the page; NULL: use the tab that the settings adopt */
    const char *session_id; /* of the bridge */
    const char *app_id;     /* NULL: generates one */
    bool has_eval;          /* agents may run scripts */
};

/* Opens the page and joins the session. NULL with the error where either fails. */
struct app *app_start(const struct app_options *options, struct br_error *err);

/* The appId. */
const char *app_id(const struct app *app);

/* Leaves the session and closes the page. NULL is fine. */
void app_stop(struct app *app);

#endif
