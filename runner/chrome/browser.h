/*
 * The lives of a browser (include/browser_runner/browser.h): it may die and be started again, and
 * each time is a life, counted as its generation. Several sessions may share a browser, each on a
 * thread of its own.
 */
#ifndef RUNNER_CHROME_BROWSER_H
#define RUNNER_CHROME_BROWSER_H

#include "runner/base/log.h"
#include "runner/cdp/connection.h"
#include "runner/cdp/targets.h"

#include <browser_runner/browser.h>

struct browser_life;

/* Borrowed. With `connect` it is somebody else's, which is neither started nor ended here. */
const struct br_browser_options *browser_options(const struct br_browser *browser);

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

/* Its pages are closed before. NULL is fine. */
void browser_life_release(struct browser_life *life);

struct cdp_connection *browser_life_connection(const struct browser_life *life);

/* Whose its tabs are. */
struct targets *browser_life_targets(const struct browser_life *life);

/* Whether links to other programs open nothing and ask nobody; not so in somebody else's browser.
 */
bool browser_life_drops_externals(const struct browser_life *life);

/* Looks whether the browser's process lives. One that has ended is known to all by this. */
void browser_life_check(struct browser_life *life);

/* Counts the lives of a browser from 1. */
uint64_t browser_life_generation(const struct browser_life *life);

/*
 * Whether the life has ended, or the error is its end. If so, *err becomes why: what Chrome said at
 * its end, and the cure.
 */
bool browser_life_explain(struct browser_life *life, struct br_error *err);

#endif
