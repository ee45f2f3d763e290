/*
 * A browser: one that is launched here on a profile, or somebody else's that is connected to.
 */
#ifndef RUNNER_CHROME_BROWSER_H
#define RUNNER_CHROME_BROWSER_H

#include "runner/base/response.h"
#include "runner/cdp/connection.h"

#include <browser_runner/session.h>

struct browser;

/*
 * Starts or connects the browser that the options name. A launched one is not waited for: the first
 * command is, and browser_explain() says why it failed. NULL with BROWSER_NOT_FOUND,
 * PROFILE_IN_USE, BROWSER_CRASHED, DISCONNECTED or TIMEOUT. What the user should know goes to logs.
 */
struct browser *browser_start(struct loop *loop, const struct br_session_options *options,
                              struct log_list *logs, struct deadline deadline,
                              struct br_error *err);

struct cdp_connection *browser_connection(struct browser *browser);

/*
 * Whether the browser has gone. If so, *err becomes why: what Chrome said at its end, and the cure.
 */
bool browser_explain(struct browser *browser, struct br_error *err);

/*
 * Ends a launched browser, so that it writes its profile, and removes what it leaves behind; only
 * lets go of somebody else's. NULL is fine.
 */
void browser_close(struct browser *browser);

#endif
