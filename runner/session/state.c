#include "runner/session/state.h"

#include "runner/base/error.h"
#include "runner/page/core/wire.h"

bool session_is_called_off(struct br_session *session)
{
    return atomic_load(&session->is_called_off);
}

struct deadline session_deadline(struct br_session *session, int64_t ms)
{
    struct deadline deadline = deadline_in_ms(ms);
    deadline.is_off = &session->is_called_off;
    return deadline;
}

bool session_cancel_running(struct br_session *session, const uint64_t *id)
{
    if ((session->run_state != SESSION_RUNS && session->run_state != SESSION_CANCELLED) ||
        (id && *id != session->running_id)) {
        return false;
    }
    session->run_state = SESSION_CANCELLED;
    if (session->page) {
        page_cancel(session->page); /* before the flag: a wait that ends has to know the reason */
    }
    atomic_store(&session->is_called_off, true);
    pthread_cond_broadcast(&session->called_off);
    return true;
}

uint64_t session_next_id(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    uint64_t id = ++session->last_id;
    pthread_mutex_unlock(&session->mutex);
    return id;
}

void session_begin_run(struct br_session *session, uint64_t id)
{
    pthread_mutex_lock(&session->mutex);
    session->run_state = SESSION_RUNS;
    session->running_id = id;
    if (id && id == session->cancelled_id) {
        session_cancel_running(session, &id);
    }
    pthread_mutex_unlock(&session->mutex);
}

bool session_explain_end(struct br_session *session, struct br_error *err)
{
    pthread_mutex_lock(&session->mutex);
    bool is_interrupted = session->is_interrupted;
    bool is_cancelled = session->run_state == SESSION_CANCELLED;
    pthread_mutex_unlock(&session->mutex);
    if (is_interrupted) {
        error_set(err, BR_CANCELLED, "the action was interrupted");
    } else if (is_cancelled) {
        error_set(err, BR_CANCELLED, "the action was cancelled");
    }
    return is_interrupted || is_cancelled;
}

bool session_conclude_run(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    bool is_cancelled = session->run_state == SESSION_CANCELLED;
    session->run_state = SESSION_CONCLUDES;
    pthread_mutex_unlock(&session->mutex);
    return is_cancelled;
}

void session_end_run(struct br_session *session)
{
    pthread_mutex_lock(&session->mutex);
    session->run_state = SESSION_IDLE;
    session->idle_since_ms = clock_monotonic_ms();
    atomic_store(&session->is_called_off, session->is_interrupted);
    if (session->page) {
        page_resume(session->page);
    }
    pthread_mutex_unlock(&session->mutex);
}

void session_pause(struct br_session *session, int64_t ms)
{
    struct deadline end = deadline_in_ms(ms);
    pthread_mutex_lock(&session->mutex);
    while (!session_is_called_off(session) &&
           condition_wait(&session->called_off, &session->mutex, end)) {
    }
    pthread_mutex_unlock(&session->mutex);
}
