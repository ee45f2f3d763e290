/*
 * A session with its own thread, which runs calls in their order of arrival and serves the page
 * between two calls. Any thread may use it while it holds a reference.
 */
#ifndef RUNNER_SESSIONS_WORKER_H
#define RUNNER_SESSIONS_WORKER_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <browser_runner/session.h>
#include <jansson.h>

struct worker;

/* What the function of a call receives. */
struct worker_call {
    struct worker *worker;
    uint64_t number;            /* for worker_cancel() */
    struct br_session *session; /* NULL: the call is refused … */
    struct br_error why;        /* … for this reason */
};

struct worker_handler {
    void *data;
    /*
     * Both run on the worker's thread. close() closes what open() has opened; open() returns NULL
     * with the error.
     */
    struct br_session *(*open)(void *data, struct br_error *err);
    void (*close)(void *data, struct br_session *session); /* NULL: it was not opened */
    /* Called last on the worker's thread, which does not use the handler afterwards. */
    void (*on_over)(void *data, struct worker *worker);
    /* An action has ended. Called on the worker's thread. */
    void (*on_action)(void *data, const struct br_action_change *action);
};

/* Returns a worker with one reference; NULL if no thread can be created. Copies the name. */
struct worker *worker_start(const char *name, const struct worker_handler *handler,
                            struct br_error *err);
struct worker *worker_hold(struct worker *worker);
void worker_release(struct worker *worker); /* NULL is fine */

const char *worker_name(const struct worker *worker);

/*
 * Queues a call. `run` is called once and takes ownership of the data: on the worker's thread; or,
 * if the call has not begun in time or the worker is ending, with the reason on any thread, also
 * before the return.
 */
void worker_post(struct worker *worker, struct deadline begin_by,
                 void (*run)(void *data, const struct worker_call *call), void *data);

/*
 * If the call with this number runs, ends its action with this id, or cancels it when the call
 * begins it. Returns false if that action's result is decided. 0: the action that runs; if there is
 * none, returns false and cancels the call's next one.
 */
bool worker_cancel(struct worker *worker, uint64_t number, uint64_t id);

/*
 * For a call, on the worker's thread: from now on, each call that is posted cancels its action.
 * Returns whether others wait already.
 */
bool worker_yield(struct worker *worker);

/* Whether worker_stop() was called or the session failed to open: a call then skips its rest. */
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
 * counts how often it is called. Only in a call, on the worker's thread.
 */
void worker_listen(struct worker *worker, struct br_session *session, bool is_on);

/*
 * Starts reporting consoles of other tabs until the worker ends. Argument values are not asked for.
 * Only in a call, on the worker's thread.
 */
void worker_hear_tabs(struct worker *worker, struct br_session *session);

/*
 * Refuses calls whose time to begin is over with TIMEOUT, and names what they waited for. Returns
 * when the next one is due.
 */
struct deadline worker_sweep(struct worker *worker);

/*
 * Cancels the running call, refuses the queued ones, closes the session and ends the thread. Then
 * calls on_over (may be NULL) on the worker's thread; at once on the caller's if it has ended
 * before.
 */
void worker_stop(struct worker *worker, void (*on_over)(void *data), void *data);

/* Waits until the session is closed, after worker_stop(). Not on the worker's thread. */
void worker_await(struct worker *worker);

/* Waits until the thread has ended, after on_over. Not on the worker's thread. */
void worker_join(struct worker *worker);

/*
 * For calls, on the worker's thread: runs an instruction, of which it takes ownership, and notes
 * its response. NULL with INVALID_ACTION for an invalid one, which is not run; after a failure
 * returns the response, and the error is set. Caller destroys.
 */
struct br_response *worker_run(struct worker *worker, struct br_session *session,
                               json_t *instruction, struct br_error *err);

/* The same for an action with which its command is not complete: see `is_part` of action.h. */
struct br_response *worker_run_part(struct worker *worker, struct br_session *session,
                                    json_t *instruction, struct br_error *err);

/* For calls, on the worker's thread: records the response's id, and the page's URL and title. */
void worker_note_response(struct worker *worker, const struct br_response *response);

/* Returns the id of the session's last response; 0 before the first. */
uint64_t worker_last_id(struct worker *worker);

/* Returns for how many milliseconds no call has run; 0 while one runs or waits. */
int64_t worker_idle_ms(struct worker *worker);

/*
 * { name, state: "starting", "idle", "running" or "stopping", action, runningMs, queued, url,
 * title, actions, failed, ageMs, idleMs, lastError }. Caller decrefs.
 */
json_t *worker_describe(struct worker *worker);

/*
 * Returns the response to an action that only reads the journal (`logs`, `network`), also while
 * another action runs; NULL with the error if the session is not open. Caller destroys.
 */
struct br_response *worker_peek(struct worker *worker, const struct br_action *action,
                                struct br_error *err);

#endif
