#include "runner/sessions/worker.h"

#include "runner/actions/actions.h"
#include "runner/base/action.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/session/peek.h"
#include "runner/session/run.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct job {
    struct job *next;
    uint64_t number;
    struct deadline begin_by;
    void (*run)(void *data, const struct worker_call *call);
    void *data;
};

struct ending {
    void (*on_over)(void *data);
    void *data;
};

struct subscription {
    const void *owner;
    unsigned kinds;
    void (*on_event)(void *data, const struct br_event *event);
    void *data;
};

struct worker {
    atomic_int references;
    char *name;
    struct worker_handler handler;
    pthread_t thread;
    int wake_fd;           /* eventfd: a job was posted, or the worker ends */
    int64_t opened_at_ms;  /* of the monotonic clock */
    pthread_mutex_t mutex; /* guards the following members */
    bool is_stopping, is_over;
    pthread_cond_t ended;       /* signalled when is_over becomes true */
    bool has_why;               /* the session has ended or failed to open … */
    struct br_error why;        /* … for this reason */
    struct br_session *session; /* NULL before it is open and after it is closed */
    struct job *first, **last;
    size_t queued;
    uint64_t last_number;    /* of the newest job */
    uint64_t running;        /* number of the running job; 0: none runs */
    bool yields;             /* the running job does: see worker_yield() */
    char *action;            /* type of the running action; NULL: none */
    int64_t action_since_ms; /* monotonic */
    int64_t used_at_ms;      /* monotonic: when the last job ended */
    char *url, *title;       /* of the page, from the last response; or NULL */
    uint64_t actions, failed, last_id;
    char *last_error;         /* "CODE: message"; or NULL */
    int64_t last_error_at_ms; /* since 1970 */
    struct subscription *subscriptions;
    size_t subscription_count, subscription_capacity;
    unsigned listeners;   /* see worker_listen(); only for the worker's thread */
    int listening_number; /* number of their sink; 0: none */
    int tabs_number;      /* of the sink of worker_hear_tabs(); 0: none */
    struct ending *endings;
    size_t ending_count, ending_capacity;
};

struct worker *worker_hold(struct worker *worker)
{
    atomic_fetch_add(&worker->references, 1);
    return worker;
}

void worker_release(struct worker *worker)
{
    if (!worker || atomic_fetch_sub(&worker->references, 1) > 1) {
        return;
    }
    assert(!worker->first);
    pthread_mutex_destroy(&worker->mutex);
    pthread_cond_destroy(&worker->ended);
    close(worker->wake_fd);
    free(worker->name);
    free(worker->action);
    free(worker->url);
    free(worker->title);
    free(worker->last_error);
    free(worker->subscriptions);
    free(worker->endings);
    free(worker);
}

const char *worker_name(const struct worker *worker)
{
    return worker->name;
}

static void refuse(struct worker *worker, struct job *job, const struct br_error *why)
{
    job->run(job->data, &(struct worker_call){ worker, job->number, NULL, *why });
    free(job);
}

static void refuse_all(struct worker *worker, struct job *job, const struct br_error *why)
{
    while (job) {
        struct job *next = job->next;
        refuse(worker, job, why);
        job = next;
    }
}

/* Call with the mutex held. */
static struct job *take_all(struct worker *worker)
{
    struct job *first = TAKE(worker->first);
    worker->last = &worker->first;
    worker->queued = 0;
    return first;
}

void worker_post(struct worker *worker, struct deadline begin_by,
                 void (*run)(void *data, const struct worker_call *call), void *data)
{
    struct br_error why;
    struct job *job = xcalloc(1, sizeof(*job));
    job->begin_by = begin_by;
    job->run = run;
    job->data = data;
    mutex_lock(&worker->mutex);
    job->number = ++worker->last_number;
    bool is_taken = !worker->is_stopping;
    if (is_taken) {
        *worker->last = job;
        worker->last = &job->next;
        worker->queued++;
        if (worker->yields && worker->session) {
            session_cancel_ahead(worker->session, 0);
        }
    } else if (worker->has_why) {
        why = worker->why;
    } else {
        error_set(&why, BR_CANCELLED, "the session %s is being stopped", worker->name);
    }
    mutex_unlock(&worker->mutex);
    if (is_taken) {
        eventfd_write(worker->wake_fd, 1);
    } else {
        refuse(worker, job, &why);
    }
}

bool worker_cancel(struct worker *worker, uint64_t number, uint64_t id)
{
    mutex_lock(&worker->mutex);
    bool is_cancelled = number && worker->running == number && worker->session &&
                        session_cancel_ahead(worker->session, id);
    mutex_unlock(&worker->mutex);
    return is_cancelled;
}

bool worker_yield(struct worker *worker)
{
    mutex_lock(&worker->mutex);
    worker->yields = true;
    bool has_others = worker->first;
    mutex_unlock(&worker->mutex);
    return has_others;
}

bool worker_is_stopping(struct worker *worker)
{
    mutex_lock(&worker->mutex);
    bool is_stopping = worker->is_stopping;
    mutex_unlock(&worker->mutex);
    return is_stopping;
}

/* Call with the mutex held. */
static void remove_subscription(struct worker *worker, const void *owner)
{
    for (size_t i = 0; i < worker->subscription_count; i++) {
        if (worker->subscriptions[i].owner == owner) {
            worker->subscriptions[i] = worker->subscriptions[--worker->subscription_count];
            return;
        }
    }
}

void worker_unsubscribe(struct worker *worker, const void *owner)
{
    mutex_lock(&worker->mutex);
    remove_subscription(worker, owner);
    mutex_unlock(&worker->mutex);
}

void worker_subscribe(struct worker *worker, const void *owner, unsigned kinds,
                      void (*on_event)(void *data, const struct br_event *event), void *data)
{
    mutex_lock(&worker->mutex);
    remove_subscription(worker, owner);
    worker->subscriptions =
        array_reserve(worker->subscriptions, worker->subscription_count,
                      &worker->subscription_capacity, sizeof(*worker->subscriptions));
    worker->subscriptions[worker->subscription_count++] =
        (struct subscription){ .owner = owner, .kinds = kinds, .on_event = on_event, .data = data };
    mutex_unlock(&worker->mutex);
}

/* Explains what a job that has waited too long waited for. Call with the mutex held. */
static void explain_busy(const struct worker *worker, struct br_error *ret_why)
{
    if (worker->action) {
        error_set(ret_why, BR_TIMEOUT,
                  "the session %s has been busy with %s for %lld ms: this action was not started",
                  worker->name, worker->action,
                  (long long)(clock_monotonic_ms() - worker->action_since_ms));
    } else {
        error_set(ret_why, BR_TIMEOUT, "the session %s is busy: this action was not started",
                  worker->name);
    }
    error_hint(ret_why, "wait for that, cancel it, or use another session");
}

struct deadline worker_sweep(struct worker *worker)
{
    struct deadline due = DEADLINE_NEVER;
    struct job *late = NULL;
    struct job **end = &late;
    struct br_error why;
    mutex_lock(&worker->mutex);
    explain_busy(worker, &why);
    struct job **place = &worker->first;
    while (*place) {
        struct job *job = *place;
        if (deadline_passed(job->begin_by)) {
            *place = job->next;
            worker->queued--;
            *end = job;
            end = &job->next;
            job->next = NULL;
        } else {
            due = deadline_earlier(due, job->begin_by);
            place = &job->next;
        }
    }
    worker->last = place;
    mutex_unlock(&worker->mutex);
    refuse_all(worker, late, &why);
    return due;
}

void worker_stop(struct worker *worker, void (*on_over)(void *data), void *data)
{
    struct br_error why;
    mutex_lock(&worker->mutex);
    bool is_over = worker->is_over;
    if (!is_over && on_over) {
        worker->endings = array_reserve(worker->endings, worker->ending_count,
                                        &worker->ending_capacity, sizeof(*worker->endings));
        worker->endings[worker->ending_count++] =
            (struct ending){ .on_over = on_over, .data = data };
    }
    worker->is_stopping = true;
    struct job *waiting = take_all(worker);
    if (worker->running && worker->session) {
        session_cancel_ahead(worker->session, 0);
    }
    mutex_unlock(&worker->mutex);
    eventfd_write(worker->wake_fd, 1);
    error_set(&why, BR_CANCELLED, "the session %s was stopped", worker->name);
    refuse_all(worker, waiting, &why);
    if (is_over && on_over) {
        on_over(data);
    }
}

/* Returns the next job, and records its number; NULL at the end. */
static struct job *next_job(struct worker *worker)
{
    eventfd_t count;
    for (;;) {
        mutex_lock(&worker->mutex);
        struct job *job = worker->first;
        bool is_stopping = worker->is_stopping;
        if (job) {
            worker->first = job->next;
            worker->last = worker->first ? worker->last : &worker->first;
            worker->queued--;
            worker->running = job->number;
        }
        mutex_unlock(&worker->mutex);
        if (job || is_stopping) {
            return job;
        }
        struct pollfd wake = { .fd = worker->wake_fd, .events = POLLIN };
        br_session_poll(worker->session, &wake, 1, -1);
        eventfd_read(worker->wake_fd, &count);
    }
}

static void run_job(struct worker *worker, struct job *job)
{
    struct worker_call call = { worker, job->number, worker->session, { 0 } };
    if (deadline_passed(job->begin_by)) {
        call.session = NULL;
        error_set(&call.why, BR_TIMEOUT, "the session %s was busy: this action was not started",
                  worker->name);
    }
    job->run(job->data, &call);
    free(job);
    mutex_lock(&worker->mutex);
    worker->running = 0;
    worker->yields = false;
    session_forget_cancel(worker->session);
    worker->used_at_ms = clock_monotonic_ms();
    mutex_unlock(&worker->mutex);
}

/* Updates the status from an action's event. Call with the mutex held. */
static void note_action(struct worker *worker, const struct br_event *event)
{
    const struct br_action_change *change = &event->as.action;
    free(worker->action);
    worker->action = change->is_over ? NULL : xstrdup(change->type);
    worker->action_since_ms = clock_monotonic_ms();
    worker->actions += change->is_over;
    if (change->is_over && !change->success) {
        worker->failed++;
        free(worker->last_error);
        worker->last_error =
            xasprintf("%s: %s", br_code_name(change->code), change->error ? change->error : "");
        worker->last_error_at_ms = event->timestamp_ms;
    }
}

/* Runs on the worker's thread. */
static void on_event(void *data, const struct br_event *event)
{
    struct worker *worker = data;
    mutex_lock(&worker->mutex);
    if (event->kind == BR_EVENT_ACTION) {
        note_action(worker, event);
    }
    for (size_t i = 0; i < worker->subscription_count; i++) {
        const struct subscription *subscription = &worker->subscriptions[i];
        bool is_wanted = event->tab == 0 || subscription->kinds & WORKER_TABS;
        if (is_wanted && subscription->kinds & 1u << event->kind) {
            subscription->on_event(subscription->data, event);
        }
    }
    mutex_unlock(&worker->mutex);
    if (event->kind == BR_EVENT_ACTION && event->as.action.is_over) {
        worker->handler.on_action(worker->handler.data, &event->as.action);
    }
}

/* Events of the page itself arrive through the worker's own sink. */
static void on_tab_event(void *data, const struct br_event *event)
{
    if (event->tab) {
        on_event(data, event);
    }
}

/* Of two sinks for tabs, that of worker_hear_tabs() reports. */
static void on_listened_event(void *data, const struct br_event *event)
{
    const struct worker *worker = data;
    if (!worker->tabs_number) {
        on_tab_event(data, event);
    }
}

void worker_hear_tabs(struct worker *worker, struct br_session *session)
{
    const struct br_sink sink = { .on_event = on_tab_event,
                                  .data = worker,
                                  .kinds = 1u << BR_EVENT_CONSOLE | 1u << BR_EVENT_EXCEPTION |
                                           1u << BR_EVENT_NAVIGATION,
                                  .wants_tabs = true };
    struct br_error ignored; /* without room for it, other tabs are silent */
    if (!worker->tabs_number) {
        worker->tabs_number = br_session_subscribe(session, &sink, &ignored);
    }
}

void worker_listen(struct worker *worker, struct br_session *session, bool is_on)
{
    const struct br_sink sink = { .on_event = on_listened_event,
                                  .data = worker,
                                  .kinds = 1u << BR_EVENT_CONSOLE | 1u << BR_EVENT_EXCEPTION |
                                           1u << BR_EVENT_NAVIGATION,
                                  .wants_values = true,
                                  .wants_tabs = true };
    struct br_error
        ignored; /* if there is no room for the sink, only texts of the page are reported */
    worker->listeners += is_on ? 1 : -1U;
    if (is_on && !worker->listening_number) {
        worker->listening_number = br_session_subscribe(session, &sink, &ignored);
    } else if (worker->listeners == 0) {
        br_session_unsubscribe(session, worker->listening_number);
        worker->listening_number = 0;
    }
}

void worker_note_response(struct worker *worker, const struct br_response *response)
{
    mutex_lock(&worker->mutex);
    worker->last_id = response->id;
    bool is_known = response->title; /* not in responses without a description of the page */
    if (response->url) {
        is_known |= !worker->url || strcmp(worker->url, response->url) != 0;
        free(worker->url);
        worker->url = xstrdup(response->url);
    }
    if (is_known) {
        free(worker->title);
        worker->title = xstrdup(response->title);
    }
    mutex_unlock(&worker->mutex);
}

static struct br_response *run_instruction(struct worker *worker, struct br_session *session,
                                           json_t *instruction, bool is_part, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_from_object(instruction, err);
    json_decref(instruction);
    if (!action) {
        return NULL;
    }
    action->is_part = is_part;
    struct br_response *response = br_session_run(session, action);
    worker_note_response(worker, response);
    if (!response->success) {
        *err = response->error;
    }
    return response;
}

struct br_response *worker_run(struct worker *worker, struct br_session *session,
                               json_t *instruction, struct br_error *err)
{
    return run_instruction(worker, session, instruction, false, err);
}

struct br_response *worker_run_part(struct worker *worker, struct br_session *session,
                                    json_t *instruction, struct br_error *err)
{
    return run_instruction(worker, session, instruction, true, err);
}

uint64_t worker_last_id(struct worker *worker)
{
    mutex_lock(&worker->mutex);
    uint64_t last_id = worker->last_id;
    mutex_unlock(&worker->mutex);
    return last_id;
}

/* Refuses all later jobs with this reason. */
static void begin_end(struct worker *worker, const struct br_error *why)
{
    mutex_lock(&worker->mutex);
    worker->is_stopping = true;
    worker->session = NULL;
    worker->has_why = true;
    worker->why = *why;
    struct job *waiting = take_all(worker);
    mutex_unlock(&worker->mutex);
    refuse_all(worker, waiting, why);
}

static void tell_endings(struct worker *worker)
{
    mutex_lock(&worker->mutex);
    worker->is_over = true;
    pthread_cond_broadcast(&worker->ended);
    struct ending *endings = TAKE(worker->endings);
    size_t count = worker->ending_count;
    worker->ending_count = worker->ending_capacity = 0;
    mutex_unlock(&worker->mutex);
    for (size_t i = 0; i < count; i++) {
        endings[i].on_over(endings[i].data);
    }
    free(endings);
}

static void work(struct worker *worker, struct br_session *session)
{
    /* The journal needs all of these kinds anyway, so the sink causes no extra work. */
    const struct br_sink sink = { .on_event = on_event,
                                  .data = worker,
                                  .kinds = ~(1u << BR_EVENT_REQUEST | 1u << BR_EVENT_PROGRESS) };
    struct br_error ignored; /* a new session has room for sinks */
    mutex_lock(&worker->mutex);
    worker->session = session;
    mutex_unlock(&worker->mutex);
    int sink_number = br_session_subscribe(session, &sink, &ignored);
    for (struct job *job = next_job(worker); job; job = next_job(worker)) {
        run_job(worker, job);
    }
    br_session_unsubscribe(session, sink_number);
    br_session_unsubscribe(session, worker->tabs_number);
}

static void *run(void *data)
{
    struct worker *worker = data;
    struct br_error why;
    struct br_session *session = worker->handler.open(worker->handler.data, &why);
    if (session) {
        work(worker, session);
        error_set(&why, BR_CANCELLED, "the session %s was stopped", worker->name);
    }
    begin_end(worker, &why);
    worker->handler.close(worker->handler.data, session);
    tell_endings(worker);
    worker->handler.on_over(worker->handler.data, worker);
    worker_release(worker);
    return NULL;
}

struct worker *worker_start(const char *name, const struct worker_handler *handler,
                            struct br_error *err)
{
    struct worker *worker = xcalloc(1, sizeof(*worker));
    atomic_init(&worker->references, 2); /* references of the caller and the thread */
    worker->name = xstrdup(name);
    worker->handler = *handler;
    worker->last = &worker->first;
    worker->opened_at_ms = worker->used_at_ms = clock_monotonic_ms();
    worker->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&worker->mutex, NULL);
    condition_init(&worker->ended);
    int failure = worker->wake_fd < 0 ? errno : thread_start(&worker->thread, run, worker);
    if (failure) {
        error_set_errno(err, BR_LIMIT_EXCEEDED, failure, "cannot start a session's thread");
        worker_release(worker);
        worker_release(worker);
        return NULL;
    }
    return worker;
}

void worker_await(struct worker *worker)
{
    mutex_lock(&worker->mutex);
    while (!worker->is_over) {
        pthread_cond_wait(&worker->ended, &worker->mutex);
    }
    mutex_unlock(&worker->mutex);
}

void worker_join(struct worker *worker)
{
    pthread_join(worker->thread, NULL);
}

int64_t worker_idle_ms(struct worker *worker)
{
    mutex_lock(&worker->mutex);
    bool is_busy = worker->running || worker->first;
    int64_t idle_ms = is_busy ? 0 : clock_monotonic_ms() - worker->used_at_ms;
    mutex_unlock(&worker->mutex);
    return idle_ms;
}

static json_t *optional_text(const char *text)
{
    return text && *text ? json_text(text) : NULL;
}

json_t *worker_describe(struct worker *worker)
{
    int64_t now_ms = clock_monotonic_ms();
    mutex_lock(&worker->mutex);
    bool is_running = worker->running;
    const char *state = worker->is_stopping ? "stopping"
                        : !worker->session  ? "starting"
                        : is_running        ? "running"
                                            : "idle";
    json_t *object = json_pack(
        "{s:s, s:s, s:o*, s:o*, s:I, s:o*, s:o*, s:I, s:I, s:I, s:I, s:o*, s:o*}", "name",
        worker->name, "state", state, "action", optional_text(worker->action), "runningMs",
        worker->action ? json_integer(now_ms - worker->action_since_ms) : NULL, "queued",
        (json_int_t)worker->queued, "url", optional_text(worker->url), "title",
        optional_text(worker->title), "actions", (json_int_t)worker->actions, "failed",
        (json_int_t)worker->failed, "ageMs", (json_int_t)(now_ms - worker->opened_at_ms), "idleMs",
        (json_int_t)(is_running ? 0 : now_ms - worker->used_at_ms), "lastError",
        optional_text(worker->last_error), "lastErrorAt",
        worker->last_error ? json_integer(worker->last_error_at_ms) : NULL);
    mutex_unlock(&worker->mutex);
    return object;
}

struct br_response *worker_peek(struct worker *worker, const struct br_action *action,
                                struct br_error *err)
{
    struct br_response *response = NULL;
    mutex_lock(&worker->mutex);
    if (worker->session) {
        response = session_peek(worker->session, action);
    } else {
        error_set(err, BR_UNKNOWN_ERROR, "the session %s is not open", worker->name);
    }
    mutex_unlock(&worker->mutex);
    return response;
}
