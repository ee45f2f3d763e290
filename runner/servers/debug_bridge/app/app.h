/*
 * A driven app: a page of ours that is an app of a debug-bridge session, without any code in it.
 * What the protocol asks of an app is done here: telemetry, and the commands of agents.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_APP_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_APP_H

#include "runner/servers/debug_bridge/relay.h"
#include "runner/sessions/sessions.h"

struct app;

/* All borrowed; texts are copied. */
struct app_options {
    struct relay *relay;
    struct sessions *sessions;
    const char *name;       /* of its session among these */
    const json_t *settings; /* of that; NULL: all defaults */
    const char *url;        /* of the page; NULL: the one of the tab that the settings adopt */
    const char *session_id; /* of the bridge */
    const char *app_id;     /* NULL: made up, once */
    bool has_eval;          /* agents may run scripts */
};

/* Opens the page and joins the session. NULL with the error where either fails. */
struct app *app_start(const struct app_options *options, struct br_error *err);

/* What it is called in the session. */
const char *app_id(const struct app *app);

/* Leaves the session and closes the page. NULL is fine. */
void app_stop(struct app *app);

#endif
