/*
 * A browser (include/browser_runner/browser.h): starts it, restarts it after a crash, and ends it.
 * Several sessions may share one, each on its own thread.
 */
#ifndef RUNNER_CHROME_BROWSER_H
#define RUNNER_CHROME_BROWSER_H

#include "runner/base/log.h"
#include "runner/chrome/context.h"
#include "runner/chrome/life.h"

#include <browser_runner/browser.h>
#include <stdatomic.h>

/* Borrowed. With `connect` set, the browser is neither started nor ended here. */
const struct br_browser_options *browser_options(const struct br_browser *browser);

/*
 * Like br_browser_open(), with the I/O on this loop, which must outlive the browser; NULL: as the
 * options say.
 */
struct br_browser *browser_open_on(struct loop *loop, const struct br_browser_options *options,
                                   struct br_error *err);

/*
 * Makes the time of all pages virtual (page/core/virtual_time.h); call it before the first session
 * is opened. Chooses the headless shell. Fails with INVALID_ACTION for a browser with a window or
 * one that is not launched here, and with BROWSER_NOT_FOUND if the chosen one cannot do that.
 */
bool browser_set_virtual_clock(struct br_browser *browser, struct br_error *err);
bool browser_has_virtual_clock(const struct br_browser *browser);

/* Returns the loop of the browser's I/O; others may use it until the browser is closed. */
struct loop *browser_loop(const struct br_browser *browser);

/* Returns the launched process; 0: none is running, or the browser was not launched here. */
pid_t browser_pid(struct br_browser *browser);

/* Counts its starts and connections there from now on; the counter must outlive it. */
void browser_count_starts(struct br_browser *browser, atomic_ullong *starts);

/*
 * Register and unregister a session. When the last one leaves, the browser is asked to write its
 * profile and end, until the deadline, unless it is set to stay.
 */
void browser_join(struct br_browser *browser);
void browser_leave(struct br_browser *browser, struct deadline deadline);

/* Returns whether more than one session is registered. */
bool browser_is_shared(struct br_browser *browser);

/*
 * Let sessions open their pages again one after the other when the browser was started again. A
 * session waits for its turn until the deadline, and then begins beside the others.
 */
void browser_begin_return(struct br_browser *browser, struct deadline deadline);
void browser_end_return(struct br_browser *browser);

/*
 * Returns the current life. Starts or connects the browser again if there is none, if its
 * connection has closed, or if its generation is `lost`, which the caller found dead or unusable
 * (0: none); that life is ended first. Concurrent calls cause one start. Does not wait for a
 * launched browser to respond: the first command does, and browser_life_explain() says why it
 * failed. Returns NULL with BROWSER_NOT_FOUND, PROFILE_IN_USE, BROWSER_CRASHED, DISCONNECTED or
 * TIMEOUT. Warnings for the user go to logs. Caller releases.
 */
struct browser_life *browser_ensure(struct br_browser *browser, uint64_t lost,
                                    struct log_list *logs, struct deadline deadline,
                                    struct br_error *err);

/* Returns its browser contexts. */
struct contexts *browser_contexts(struct br_browser *browser);

#endif
