/* The browser SDK that apps import: a module of JavaScript, and its types. Embedded at build time.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_SDK_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_SDK_H

#include "runner/net/handler.h"

/* Answers /debug-bridge.js and /debug-bridge.d.ts, for all origins; false for any other path. */
bool sdk_answer(const char *path, struct net_answer *answer);

#endif
