/*
 * Sessions by name, each a worker, and the browsers that they share: one a profile, one an address
 * of somebody else's browser. Any thread, unless it says otherwise.
 */
#ifndef RUNNER_SESSIONS_SESSIONS_H
#define RUNNER_SESSIONS_SESSIONS_H

#include "runner/base/strbuf.h"
#include "runner/sessions/worker.h"

enum { SESSIONS_MAX = 256 };

struct sessions;

/*
 * Browsers use the loop of that one; with browsers_stay they go on behind their last session, for
 * the next one. Never NULL.
 */
struct sessions *sessions_create(struct br_browser *loop_of, bool browsers_stay);

/* Calls on_new for each session, before its first job. Call this before any session is opened. */
void sessions_watch(struct sessions *sessions, void (*on_new)(void *data, struct worker *worker),
                    void *data);

/* Stops all sessions, waits until they have ended, and frees. */
void sessions_destroy(struct sessions *sessions);

/*
 * Returns the session of this name, or opens it with these settings (settings.h; NULL: defaults;
 * texts are copied). Without error limits unless the settings have some. Invalid settings fail the
 * session's first action. Fails with INVALID_ACTION for an invalid name and for a session that is
 * open with other settings, and with LIMIT_EXCEEDED. Caller releases it.
 */
struct worker *sessions_open(struct sessions *sessions, const char *name, const json_t *settings,
                             bool *ret_is_new, struct br_error *err);

/* The one that is there; NULL with INVALID_ACTION and the names that are. Caller releases it. */
struct worker *sessions_find(struct sessions *sessions, const char *name, struct br_error *err);

/* All that are there, held; caller releases them and frees the array. */
size_t sessions_all(struct sessions *sessions, struct worker ***ret_workers);

/*
 * The browser that sessions with these options and rules have, for a server that works in it
 * itself; it joins it. It stays until it is given back. NULL with the error.
 */
struct br_browser *sessions_take_browser(struct sessions *sessions,
                                         const struct br_browser_options *options,
                                         const struct br_policy *policy, struct br_error *err);
void sessions_return_browser(struct sessions *sessions, struct br_browser *browser);

/*
 * As worker_describe(), with profile or connect, isolated, and the browser's pid and memoryBytes.
 * It reads /proc: not on the loop thread. NULL where it has gone. Caller decrefs.
 */
json_t *sessions_describe(struct sessions *sessions, struct worker *worker);

/*
 * Calls on_end on a session's thread when it has ended; the caller then calls sessions_sweep() on
 * another. There may be several who watch, each with data of its own.
 */
void sessions_watch_ends(struct sessions *sessions, void (*on_end)(void *data), void *data);
void sessions_unwatch_ends(struct sessions *sessions, const void *data);

/*
 * Refuses what waits too long, frees what has ended. Returns when it is to be called again at the
 * latest, but for what is posted meanwhile.
 */
struct deadline sessions_sweep(struct sessions *sessions);

/* How long no session has had anything to do, in milliseconds; 0 while one has. */
int64_t sessions_idle_ms(struct sessions *sessions);

/* How many there are, starts of browsers, and how long actions took, as OpenMetrics. */
void sessions_write_metrics(struct sessions *sessions, struct strbuf *text);

#endif
