/* Executes the commands of agents. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_EXECUTE_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_EXECUTE_H

#include "runner/servers/debug_bridge/app/parts.h"

/* Executes a command and sends its command_result. On the worker's thread. */
void app_execute(struct app *app, struct br_session *session, const char *text, size_t length);

/* Sends a command_result that failed. Any thread, but not in a handler of the relay. */
void app_refuse(struct app *app, const char *text, size_t length, const struct br_error *why);

#endif
