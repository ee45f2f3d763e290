/*
 * The browsers that sessions share: one for each profile, and one for each address of a running
 * browser. Any thread, unless stated otherwise.
 */
#ifndef RUNNER_SESSIONS_BROWSERS_H
#define RUNNER_SESSIONS_BROWSERS_H

#include "runner/base/strbuf.h"

#include <browser_runner/browser.h>
#include <browser_runner/session.h>
#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

struct loop;
struct browsers;
struct shared_browser;

/*
 * Browsers use this loop, which must outlive them. they_stay: they continue after their last
 * session, for the next one. Never NULL.
 */
struct browsers *browsers_create(struct loop *loop, bool they_stay);

/* Closes the browsers, which have no users any more, and frees. */
void browsers_destroy(struct browsers *browsers);

/*
 * Returns the browser that sessions with these options and rules use; opens it if necessary, and
 * waits for one that is being closed. given: the members of a session's settings that are not the
 * default; NULL: none. The caller releases it after its session. NULL with the error, also if the
 * browser has other rules or options.
 */
struct shared_browser *browsers_acquire(struct browsers *browsers,
                                        const struct br_browser_options *options,
                                        const struct br_policy *policy, const json_t *given,
                                        struct br_error *err);
void browsers_release(struct browsers *browsers, struct shared_browser *shared);
struct br_browser *browsers_get(const struct shared_browser *shared);

/*
 * The same for a server that uses the browser directly. It stays open until it is returned; NULL is
 * fine there.
 */
struct br_browser *browsers_take(struct browsers *browsers,
                                 const struct br_browser_options *options,
                                 const struct br_policy *policy, struct br_error *err);
void browsers_return(struct browsers *browsers, struct br_browser *browser);

/*
 * Replaces a browser after it has had this many sessions, or once it holds more memory than this
 * (0: never): later sessions get a new one, and the old one ends with its last session. With a
 * profile that is kept, it ends when no session uses it. For browsers that stay.
 */
void browsers_recycle(struct browsers *browsers, unsigned after_sessions, uint64_t above_bytes);

/*
 * Returns the memory of all browsers, in bytes, shared memory counted once (PSS), which is also
 * what browsers_recycle() compares. Reads /proc: do not call on the loop thread.
 */
uint64_t browsers_measure(struct browsers *browsers);

/* Returns the memory of a browser's processes, in bytes; 0: there is none. Reads /proc, too. */
uint64_t browsers_memory(pid_t browser);

/* Writes their number, starts and replacements, as OpenMetrics. Takes no lock. */
void browsers_write_metrics(struct browsers *browsers, struct strbuf *text);

#endif
