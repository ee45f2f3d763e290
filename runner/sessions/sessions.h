/*
 * Sessions by name, each with a worker, and the browsers that they share: one for each profile, and
 * one for each address of a running browser. Any thread, unless stated otherwise.
 */
#ifndef RUNNER_SESSIONS_SESSIONS_H
#define RUNNER_SESSIONS_SESSIONS_H

#include "runner/base/strbuf.h"
#include "runner/sessions/worker.h"

enum { SESSIONS_MAX = 256 };

struct loop;
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

/*
 * Returns the browser that sessions with these options and rules use, for a server that uses it
 * directly; opens it if necessary. It stays open until it is given back. NULL with the error.
 */
struct br_browser *sessions_take_browser(struct sessions *sessions,
                                         const struct br_browser_options *options,
                                         const struct br_policy *policy, struct br_error *err);
void sessions_return_browser(struct sessions *sessions, struct br_browser *browser);

/*
 * Like worker_describe(), with profile or connect, isolated, and the browser's pid and memoryBytes.
 * Reads /proc: do not call on the loop thread. NULL if the session has ended. Caller decrefs.
 */
json_t *sessions_describe(struct sessions *sessions, struct worker *worker);

/*
 * Replaces a browser after it has had this many sessions, or once it holds more memory than this
 * (0: never): later sessions get a new one, and the old one ends with its last session. With a
 * profile that is kept, it ends when no session uses it. For browsers that stay.
 */
void sessions_recycle(struct sessions *sessions, unsigned after_sessions, uint64_t above_bytes);

/*
 * Returns the memory of all browsers, in bytes, shared memory counted once (PSS), which is also
 * what sessions_recycle() compares. Reads /proc: do not call on the loop thread.
 */
uint64_t sessions_measure(struct sessions *sessions);

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
