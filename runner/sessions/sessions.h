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

/* Before any is opened: on_new is told of each that is, before anything is asked of it. */
void sessions_watch(struct sessions *sessions, void (*on_new)(void *data, struct worker *worker),
                    void *data);

/* Stops all that are left, waits for their end, and frees. */
void sessions_destroy(struct sessions *sessions);

/*
 * The session of this name, opened where there is none: with these settings (settings.h; NULL: all
 * defaults), of which texts are copied, and no limits of errors unless they say some. What is wrong
 * with them is told to whatever is asked of it first. INVALID_ACTION for a name that cannot be one,
 * and for a session that is there with other settings than these; LIMIT_EXCEEDED.
 * Caller releases it.
 */
struct worker *sessions_open(struct sessions *sessions, const char *name, const json_t *settings,
                             bool *ret_is_new, struct br_error *err);

/* The one that is there; NULL with INVALID_ACTION and the names that are. Caller releases it. */
struct worker *sessions_find(struct sessions *sessions, const char *name, struct br_error *err);

/* All that are there, held; caller releases them and frees the array. */
size_t sessions_all(struct sessions *sessions, struct worker ***ret_workers);

/*
 * As worker_describe(), with profile or connect, isolated, and the browser's pid and memoryBytes.
 * It reads /proc: not on the loop thread. NULL where it has gone. Caller decrefs.
 */
json_t *sessions_describe(struct sessions *sessions, struct worker *worker);

/* on_end is told when a session has ended, on its thread: sessions_sweep() is to be called then. */
void sessions_watch_ends(struct sessions *sessions, void (*on_end)(void *data), void *data);

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
