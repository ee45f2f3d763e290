/*
 * A session with a thread of its own, which works off jobs in the order in which they came. Between
 * two it looks after the page. Any thread may use it, while it holds a reference.
 */
#ifndef RUNNER_SESSIONS_WORKER_H
#define RUNNER_SESSIONS_WORKER_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <browser_runner/session.h>
#include <jansson.h>

struct worker;

/* Stands first in a struct of the sender's. */
struct job {
    struct job *next;
    const void *owner;        /* whose cancel ends it */
    struct deadline begin_by; /* when it has to have begun */
    /* On the worker's thread. */
    void (*run)(struct job *job, struct worker *worker, struct br_session *session);
    /* Instead of run, on any thread: why it is not run. */
    void (*refuse)(struct job *job, const struct br_error *why);
    void (*destroy)(struct job *job);
};

struct worker_handler {
    void *data;
    /* Both on the worker's thread. What was opened is closed again; NULL with the error. */
    struct br_session *(*open)(void *data, struct br_error *err);
    void (*close)(void *data, struct br_session *session); /* NULL: it was not opened */
    /* On the worker's thread, at its very end: it uses the handler no more. */
    void (*on_over)(void *data, struct worker *worker);
    /* On the worker's thread: an action has ended. */
    void (*on_action)(void *data, const struct br_action_change *action);
};

/* Held once; NULL when there is no thread to be had. The name is copied. */
struct worker *worker_start(const char *name, const struct worker_handler *handler,
                            struct br_error *err);
struct worker *worker_hold(struct worker *worker);
void worker_release(struct worker *worker); /* NULL is fine */

const char *worker_name(const struct worker *worker);

/* Queues a job and takes ownership of it. A worker that is ending refuses it at once. */
void worker_post(struct worker *worker, struct job *job);

/* Ends the action of the job that runs, if it is one of the owner's. */
void worker_cancel(struct worker *worker, const void *owner);

/* Whether worker_stop() was called or the session failed to open: a job then skips its rest. */
bool worker_is_stopping(struct worker *worker);

/*
 * Calls on_event on the worker's thread for the session's events of these kinds (bits 1 << enum
 * br_event_kind; never REQUEST or PROGRESS) until worker_unsubscribe() has returned. on_event must
 * not use the worker. Each owner has one subscription; a later one replaces it.
 * Events of tabs that are not the page go only to subscriptions with WORKER_TABS among the kinds,
 * while worker_listen() holds or after worker_hear_tabs().
 */
#define WORKER_TABS (1u << 31)
void worker_subscribe(struct worker *worker, const void *owner, unsigned kinds,
                      void (*on_event)(void *data, const struct br_event *event), void *data);
void worker_unsubscribe(struct worker *worker, const void *owner);

/*
 * Starts or stops reporting arguments of console calls as values, and consoles of other tabs;
 * counts its calls. Only in a job, on the worker's thread.
 */
void worker_listen(struct worker *worker, struct br_session *session, bool is_on);

/*
 * Starts reporting consoles of other tabs until the worker ends. Argument values are not asked for.
 * Only in a job, on the worker's thread.
 */
void worker_hear_tabs(struct worker *worker, struct br_session *session);

/*
 * Fails jobs whose time to begin is over with TIMEOUT and the name of what they wait for. Returns
 * when the next one is due.
 */
struct deadline worker_sweep(struct worker *worker);

/*
 * Cancels the running job, refuses the queued ones, closes the session and ends the thread. Then
 * calls on_over (may be NULL) on the worker's thread; at once on the caller's if it has ended
 * before.
 */
void worker_stop(struct worker *worker, void (*on_over)(void *data), void *data);

/* Waits until the thread has ended, after on_over. Not on the worker's thread. */
void worker_join(struct worker *worker);

/* For jobs, on the worker's thread: what the response tells of the page. */
void worker_note_response(struct worker *worker, const struct br_response *response);

/* The number of the session's last response; 0 before the first. */
uint64_t worker_last_id(struct worker *worker);

/* How long nothing has run, in milliseconds; 0 while something runs or waits. */
int64_t worker_idle_ms(struct worker *worker);

/*
 * { name, state: "starting", "idle", "running" or "stopping", action, runningMs, queued, url,
 * title, actions, failed, ageMs, idleMs, lastError }. Caller decrefs.
 */
json_t *worker_describe(struct worker *worker);

/*
 * The response to an action that reads the journal alone (`logs`, `network`), also while another
 * one runs; NULL with the error where the session is not open. Caller destroys.
 */
struct br_response *worker_peek(struct worker *worker, const struct br_action *action,
                                struct br_error *err);

#endif
