#include "runner/session/peek.h"

#include "runner/base/response.h"
#include "runner/session/state.h"

#include <stdio.h>
#include <string.h>

enum { MAX_EVENTS = 1000 };

struct br_response *session_peek(struct br_session *session, const struct br_action *action)
{
    struct br_response *response = response_create(0, action->type);
    struct action_run run = {
        .action = action,
        .response = response,
        .journal = session->journal,
    };
    response->session_id = xstrdup(session->options.session_id);
    response->attempts = 1;
    if (action->kind && action->kind->reads_journal) {
        response->success = action->kind->run(&run, &response->error);
    } else {
        error_set(&response->error, BR_INVALID_ACTION, "%s needs the session's page", action->type);
    }
    response_write_values(response);
    return response;
}

static bool is_of_kinds(const void *data, const struct br_event *event)
{
    unsigned kinds = *(const unsigned *)data;
    return !kinds || kinds & 1u << event->kind;
}

void br_session_journal(struct br_session *session, uint64_t since, size_t limit, unsigned kinds,
                        struct br_journal *ret_journal)
{
    struct journal_view view = journal_read(session->journal, since, limit ? limit : MAX_EVENTS,
                                            false, is_of_kinds, &kinds);
    *ret_journal = (struct br_journal){
        .events = view.events,
        .count = view.count,
        .next = view.next,
        .lost = view.lost,
        .has_more = view.has_more,
    };
}

void br_journal_finish(struct br_journal *journal)
{
    struct journal_view view = { .events = journal->events, .count = journal->count };
    journal_view_finish(&view);
    *journal = (struct br_journal){ 0 };
}

/* Finds the newest event of these kinds (0: any); the view has one event or none. */
static struct journal_view newest(struct br_session *session, unsigned kinds)
{
    return journal_read(session->journal, 0, 1, true, is_of_kinds, &kinds);
}

void br_session_get_status(struct br_session *session, struct br_session_status *ret_status)
{
    CLEANUP_JOURNAL_VIEW struct journal_view last = newest(session, 0);
    CLEANUP_JOURNAL_VIEW struct journal_view action = newest(session, 1u << BR_EVENT_ACTION);
    struct br_session_status status = { 0 };
    pthread_mutex_lock(&session->mutex);
    status.has_page = session->page;
    status.state = session->is_interrupted                   ? BR_SESSION_INTERRUPTED
                   : session->run_state == SESSION_CANCELLED ? BR_SESSION_CANCELLED
                   : session->run_state == SESSION_RUNS      ? BR_SESSION_RUNNING
                                                             : BR_SESSION_IDLE;
    pthread_mutex_unlock(&session->mutex);
    if (last.count) {
        status.sequence = last.events[0]->sequence;
        status.generation = last.events[0]->generation;
    }
    if (action.count) {
        const struct br_event *event = action.events[0];
        status.action_id = event->action_id;
        status.action_at_ms = event->timestamp_ms;
        snprintf(status.action_type, sizeof(status.action_type), "%s", event->as.action.type);
    }
    *ret_status = status;
}
