/*
 * A browser (include/browser_runner/browser.h): started, started again when it has died, and ended.
 * Several sessions may share one, each on a thread of its own.
 */
#ifndef RUNNER_CHROME_BROWSER_H
#define RUNNER_CHROME_BROWSER_H

#include "runner/base/log.h"
#include "runner/chrome/context.h"
#include "runner/chrome/life.h"

#include <browser_runner/browser.h>

/* Borrowed. With `connect` it is somebody else's, which is neither started nor ended here. */
const struct br_browser_options *browser_options(const struct br_browser *browser);

/* Where its input and output are; others may use it, too, while the browser is not closed. */
struct loop *browser_loop(const struct br_browser *browser);

/* The process that was launched; 0: none runs, or it is somebody else's. */
pid_t browser_pid(struct br_browser *browser);

/* How often it was started or connected to. */
uint64_t browser_starts(struct br_browser *browser);

/*
 * A session that works with it from now on, and one that does so no more. With the last one the
 * browser ends, unless it is to stay: so that it writes its profile, until the deadline.
 */
void browser_join(struct br_browser *browser);
void browser_leave(struct br_browser *browser, struct deadline deadline);

/* Whether more than one session works with it. */
bool browser_is_shared(struct br_browser *browser);

/*
 * The present life, or a new one where there is none, where its connection has closed, or where it
 * is of the generation `lost`, which the caller found dead or useless (0: none): that one is ended,
 * and the browser started or connected again, once however many ask. A launched one is not waited
 * for: the first command is, and browser_life_explain() says why it failed. NULL with
 * BROWSER_NOT_FOUND, PROFILE_IN_USE, BROWSER_CRASHED, DISCONNECTED or TIMEOUT. What the user should
 * know goes to logs. Caller releases.
 */
struct browser_life *browser_ensure(struct br_browser *browser, uint64_t lost,
                                    struct log_list *logs, struct deadline deadline,
                                    struct br_error *err);

/* Its browser contexts. */
struct contexts *browser_contexts(struct br_browser *browser);

#endif
