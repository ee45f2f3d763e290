#include "runner/session/events.h"

#include "runner/base/error.h"
#include "runner/base/log.h"
#include "runner/base/waits.h"
#include "runner/observe/stream.h"
#include "runner/page/core/tabs.h"
#include "runner/page/page.h"

static void collect(void *data, const struct br_event *event)
{
    struct br_session *session = data;
    struct br_log log = log_copy(&event->as.log);
    if (log_list_take(session->collecting, &log)) {
        log_list_fold_last(session->collecting);
    }
}

static void keep(void *data, const struct br_event *event)
{
    journal_add(data, event);
}

static unsigned bit(enum br_event_kind kind)
{
    return 1u << kind;
}

void events_begin(struct br_session *session)
{
    const unsigned logs = bit(BR_EVENT_CONSOLE) | bit(BR_EVENT_EXCEPTION) | bit(BR_EVENT_LOG);
    const unsigned momentary = bit(BR_EVENT_REQUEST) | bit(BR_EVENT_PROGRESS);
    session->waits = waits_create();
    session->journal = journal_create(session->options.journal_bytes);
    session->stream = stream_create(session->options.session_id, session->secrets,
                                    browser_options(session->browser)->wording);
    session->idle_logs.stream = session->stream;
    session->collecting = &session->idle_logs;
    stream_subscribe(session->stream,
                     &(struct br_sink){ .on_event = collect, .data = session, .kinds = logs });
    stream_subscribe(
        session->stream,
        &(struct br_sink){ .on_event = keep, .data = session->journal, .kinds = ~momentary });
}

void events_finish(struct br_session *session)
{
    stream_destroy(session->stream);
    journal_destroy(session->journal);
    waits_destroy(session->waits);
}

struct log_list *events_collect(struct br_session *session, struct log_list *logs)
{
    struct log_list *before = session->collecting;
    session->collecting = logs ? logs : &session->idle_logs;
    session->collecting->stream = session->stream;
    return before;
}

void events_begin_action(struct br_session *session, uint64_t id, const struct br_action *action)
{
    stream_set_action(session->stream, id);
    stream_set_generation(session->stream, session->generation);
    struct br_event *event = event_create(BR_EVENT_ACTION);
    event->as.action.type = xstrdup(action->type);
    event->as.action.label = xstrdup(param_text(action, "label", NULL));
    stream_emit(session->stream, event, 0);
}

void events_end_action(struct br_session *session, const struct br_response *response)
{
    stream_set_generation(session->stream, session->generation);
    struct br_event *event = event_create(BR_EVENT_ACTION);
    event->as.action = (struct br_action_change){
        .is_over = true,
        .type = xstrdup(response->type),
        .label = xstrdup(response->label),
        .success = response->success,
        .code = response->success ? BR_OK : response->error.code,
        .error = response->success ? NULL : xstrdup(response->error.message),
        .duration_ms = response->duration_ms,
    };
    stream_emit(session->stream, event, 0);
    stream_flush(session->stream);
}

void events_tell_page(struct br_session *session, const char *loss)
{
    if (loss && session->is_loss_told) {
        return;
    }
    session->is_loss_told = loss;
    stream_set_generation(session->stream, session->generation);
    struct br_event *event = event_create(BR_EVENT_PAGE);
    event->as.page.is_back = !loss;
    event->as.page.reason = xstrdup(loss);
    stream_emit(session->stream, event, 0);
}

void events_tell_progress(struct br_session *session, int what, const char *text)
{
    if (stream_wants(session->stream, BR_EVENT_PROGRESS)) {
        struct br_event *event = event_create(BR_EVENT_PROGRESS);
        event->as.progress.what = what;
        event->as.progress.text = xstrdup(text);
        stream_emit(session->stream, event, 0);
    }
}

int br_session_subscribe(struct br_session *session, const struct br_sink *sink,
                         struct br_error *err)
{
    int number = stream_subscribe(session->stream, sink);
    if (number == 0) {
        error_set(err, BR_LIMIT_EXCEEDED, "the session has %d sinks already", STREAM_MAX_SINKS);
        error_hint(err, "end one with br_session_unsubscribe()");
    } else if (sink->wants_tabs && session->page) {
        page_set_logs(session->page, &session->idle_logs); /* page events may arrive between
                                                              actions */
        page_hear_tabs(session->page);
        page_set_logs(session->page, NULL);
    }
    return number;
}

void br_session_unsubscribe(struct br_session *session, int number)
{
    stream_unsubscribe(session->stream, number);
}
