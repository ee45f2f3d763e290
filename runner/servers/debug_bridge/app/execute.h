/* Working a command of an agent off. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_EXECUTE_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_EXECUTE_H

#include "runner/servers/debug_bridge/app/parts.h"

/* Does it, and answers with a command_result. On the worker's thread. */
void app_execute(struct app *app, struct br_session *session, const char *text, size_t length);

/* Answers that it was not done. On any thread but within a handler of the relay's. */
void app_refuse(struct app *app, const char *text, size_t length, const struct br_error *why);

#endif
