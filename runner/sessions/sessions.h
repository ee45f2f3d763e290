/* Sessions by name, each with a worker. Any thread, unless stated otherwise. */
#ifndef RUNNER_SESSIONS_SESSIONS_H
#define RUNNER_SESSIONS_SESSIONS_H

#include "runner/base/strbuf.h"
#include "runner/sessions/browsers.h"
#include "runner/sessions/worker.h"

enum { SESSIONS_MAX = 256 };

struct sessions;

/*
 * Browsers use this loop, which must outlive the sessions; with browsers_stay they continue after
 * their last session, for the next one. Never NULL.
 */
struct sessions *sessions_create(struct loop *loop, bool browsers_stay);

/* Calls on_new for each session, before its first job. Call this before any session is opened. */
void sessions_watch(struct sessions *sessions, void (*on_new)(void *data, struct worker *worker),
                    void *data);

/* Stops all sessions, waits until they have ended, and frees. */
void sessions_destroy(struct sessions *sessions);

/*
 * Returns the session of this name, or opens it with these settings (settings.h; NULL: defaults;
 * texts are copied). With ret_is_new NULL the session must be a new one: the name of an open
 * session fails with INVALID_ACTION. Without error limits unless the settings have some. Invalid
 * settings fail the session's first action. Fails with INVALID_ACTION for an invalid name and for a
 * session that is open with other settings, and with LIMIT_EXCEEDED. Caller releases it.
 */
struct worker *sessions_open(struct sessions *sessions, const char *name, const json_t *settings,
                             bool *ret_is_new, struct br_error *err);

/*
 * Returns the existing session; NULL with INVALID_ACTION and the existing names. Caller releases
 * it.
 */
struct worker *sessions_find(struct sessions *sessions, const char *name, struct br_error *err);

/* Returns all sessions, with a reference to each; caller releases them and frees the array. */
size_t sessions_all(struct sessions *sessions, struct worker ***ret_workers);

/* Returns the browsers that the sessions share. Borrowed. */
struct browsers *sessions_browsers(struct sessions *sessions);

/*
 * Like worker_describe(), with profile or connect, isolated, and the browser's pid and memoryBytes.
 * Reads /proc: do not call on the loop thread. NULL if the session has ended. Caller decrefs.
 */
json_t *sessions_describe(struct sessions *sessions, struct worker *worker);

/*
 * Calls on_end on a session's thread when it has ended; the caller then calls sessions_sweep() on
 * another. There may be several who watch, each with data of its own.
 */
void sessions_watch_ends(struct sessions *sessions, void (*on_end)(void *data), void *data);
void sessions_unwatch_ends(struct sessions *sessions, const void *data);

/*
 * Refuses jobs that have waited too long, and frees ended sessions. Returns when to call it again
 * at the latest, unless jobs are posted meanwhile.
 */
struct deadline sessions_sweep(struct sessions *sessions);

/* Returns for how many milliseconds no session has had anything to do; 0 while one is busy. */
int64_t sessions_idle_ms(struct sessions *sessions);

/*
 * Writes the number of sessions, the browsers' starts, and the durations of actions, as
 * OpenMetrics. Takes no lock, so that the loop thread may call it.
 */
void sessions_write_metrics(struct sessions *sessions, struct strbuf *text);

#endif
