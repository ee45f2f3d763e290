#include "runner/batch/batch.h"

#include "runner/actions/actions.h"
#include "runner/base/clock.h"
#include "runner/base/response.h"
#include "runner/session/run.h"

#include <string.h>

struct batch {
    struct br_session *session;
    struct batch_options options;
    struct batch_reader *reader;
    struct ndjson_writer writer;
    struct ndjson_summary summary;
    int64_t began_ms;
    int sink;                 /* number of the sink that reports progress; 0: none */
    char *progress_type;      /* type of the action whose progress is reported */
    int64_t progress_from_ms; /* when that action began */
};

/* The reason why an action was refused, as named in the summary's schema. */
static const char limit_reached[] = "errorLimit";

static void note_stop(struct batch *batch, const char *by, const struct br_error *why)
{
    if (!batch->summary.stopped_by) {
        batch->summary.stopped_by = by;
        batch->summary.error = *why;
    }
}

/* After a `start` actions are accepted again. */
static void note_start(struct batch *batch)
{
    if (batch->summary.stopped_by && strcmp(batch->summary.stopped_by, limit_reached) == 0) {
        batch->summary.stopped_by = NULL;
    }
}

static void count(struct ndjson_summary *summary, const struct br_response *response)
{
    summary->actions++;
    summary->failed += !response->success;
    summary->total_errors = response->metrics.total_errors;
    summary->consecutive_errors = response->metrics.consecutive_errors;
    free(summary->session_id);
    summary->session_id = xstrdup(response->session_id);
    free(summary->last_action);
    summary->last_action = xstrdup(response->type);
}

/* Writes and counts a response. False when nothing more can be written. */
static bool answer(struct batch *batch, const struct br_action *action,
                   const struct br_response *response, struct br_error *err)
{
    const struct batch_options *options = &batch->options;
    const struct tool_call call = {
        .kind = action->call,
        .id = action->call_id,
        .name = action->call_name ? action->call_name : response->type,
        .has_failed = !response->success,
    };
    count(&batch->summary, response);
    if (ndjson_write_response(&batch->writer, response, action->call ? &call : NULL, err) &&
        (!options->on_response || options->on_response(options->data, response, err))) {
        return true;
    }
    note_stop(batch, "output", err);
    return false;
}

static bool is_of_browser(enum br_code code)
{
    return code == BR_BROWSER_NOT_FOUND || code == BR_PROFILE_IN_USE ||
           code == BR_BROWSER_CRASHED || code == BR_DISCONNECTED;
}

/* Updates the summary by the response; returns whether further actions can be run. */
static bool judge(struct batch *batch, const struct action_type *type,
                  const struct br_response *response)
{
    const struct br_error *why = &response->error;
    if (response->success) {
        if (type->opens_page) {
            note_start(batch);
        }
        return true;
    }
    /* A refusal by the session's error limit is not another failure; an exceeded size is one. */
    if (why->code == BR_LIMIT_EXCEEDED &&
        response->metrics.total_errors == batch->summary.total_errors) {
        note_stop(batch, limit_reached, why);
    }
    /* Without a browser nothing more can be run; one that crashed can be started again. */
    return !type->opens_page || !is_of_browser(why->code);
}

static bool answer_cancelled(struct batch *batch, const struct br_action *action,
                             struct br_error *err)
{
    struct br_error why;
    error_set(&why, BR_CANCELLED, "%s was cancelled before it began", action->type);
    CLEANUP_RESPONSE struct br_response *response = session_refuse(batch->session, action, &why);
    return answer(batch, action, response, err);
}

bool batch_run(struct batch *batch, const struct br_action *action, struct br_error *err)
{
    const struct batch_options *options = &batch->options;
    if (options->is_cancelled && options->is_cancelled(options->data)) {
        return answer_cancelled(batch, action, err);
    }
    if (options->on_begin) {
        options->on_begin(options->data, action);
    }
    struct br_response *response = br_session_run(batch->session, action);
    bool goes_on = judge(batch, action->kind, response);
    bool is_interrupted = options->is_interrupted && options->is_interrupted(options->data);
    const struct br_error why = response->error;
    bool is_written = answer(batch, action, response, err);
    br_response_destroy(response);
    if (!is_written) {
        return false;
    }
    if (is_interrupted) {
        return error_set(err, BR_CANCELLED, "interrupted");
    }
    if (!goes_on) {
        note_stop(batch, "browser", &why);
        *err = why;
    }
    return goes_on;
}

/* Responds to an invalid instruction; the stream continues. */
static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    struct batch *batch = data;
    struct br_response *response = session_refuse(batch->session, action, why);
    bool is_written = answer(batch, action, response, err);
    br_response_destroy(response);
    br_action_destroy(action);
    return is_written;
}

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct br_error why;
    if (!action_validate(action, &why)) {
        return on_mistake(data, action, &why, err);
    }
    CLEANUP_ACTION struct br_action *owned = action;
    const struct batch_options *options = &((struct batch *)data)->options;
    int timeout_ms = options->timeout_ms;
    if (options->directory) {
        action_place_files(action->kind, options->directory, action->params);
    }
    if (timeout_ms > 0 && !param_is_given(action, "timeout")) {
        json_object_set_new(action->params, "timeout", json_integer(timeout_ms));
    }
    return batch_run(data, owned, err);
}

static const struct instruction_options reading = { .is_stream = true, .on_mistake = on_mistake };

bool batch_run_text(struct batch *batch, const char *text, size_t length, struct br_error *err)
{
    struct batch_reader *reader = batch_reader_create(&reading, on_action, batch);
    bool goes_on = batch_reader_feed(reader, text, length, clock_monotonic_ms(), err) &&
                   batch_reader_end(reader, err);
    batch_reader_destroy(reader);
    return goes_on;
}

static bool count_action(void *data, struct br_action *action, struct br_error *err)
{
    (void)err;
    ++*(size_t *)data;
    br_action_destroy(action);
    return true;
}

static bool count_mistake(void *data, struct br_action *action, const struct br_error *why,
                          struct br_error *err)
{
    (void)why;
    return count_action(data, action, err);
}

size_t batch_count_text(const char *text, size_t length)
{
    static const struct instruction_options counting = { .is_stream = true,
                                                         .on_mistake = count_mistake };
    size_t count = 0;
    struct br_error ignored;
    struct batch_reader *reader = batch_reader_create(&counting, count_action, &count);
    if (batch_reader_feed(reader, text, length, 0, &ignored)) {
        batch_reader_end(reader, &ignored);
    }
    batch_reader_destroy(reader);
    return count;
}

/* Progress lines show a backend that a long action is still running. */
static void tell_progress(void *data, const struct br_event *event)
{
    struct batch *batch = data;
    struct br_error ignored; /* if this fails too, the response cannot be written either */
    if (event->kind == BR_EVENT_ACTION && !event->as.action.is_over) {
        free(batch->progress_type);
        batch->progress_type = xstrdup(event->as.action.type);
        batch->progress_from_ms = clock_monotonic_ms();
    }
    if (batch->progress_type) {
        ndjson_write_progress(&batch->writer, event, batch->progress_type,
                              clock_monotonic_ms() - batch->progress_from_ms, &ignored);
    }
}

static bool subscribe(struct batch *batch, struct br_error *err)
{
    const struct br_sink sink = {
        .on_event = tell_progress,
        .data = batch,
        .kinds = 1u << BR_EVENT_ACTION | 1u << BR_EVENT_NAVIGATION | 1u << BR_EVENT_PROGRESS |
                 1u << BR_EVENT_PAGE,
    };
    batch->sink =
        batch->options.has_progress ? br_session_subscribe(batch->session, &sink, err) : 0;
    return !batch->options.has_progress || batch->sink != 0;
}

struct batch *batch_create(struct br_session *session, const struct batch_options *options,
                           struct br_error *err)
{
    struct batch *batch = xcalloc(1, sizeof(*batch));
    *batch = (struct batch){
        .session = session,
        .options = *options,
        .writer = {
            .chunk_size = options->chunk_size,
            .provider = options->provider,
            .on_line = options->on_line,
            .data = options->data,
        },
        .began_ms = clock_monotonic_ms(),
    };
    batch->reader = batch_reader_create(&reading, on_action, batch);
    if (!subscribe(batch, err)) {
        batch_destroy(batch);
        return NULL;
    }
    return batch;
}

void batch_close(struct batch *batch)
{
    if (batch->sink) {
        br_session_unsubscribe(batch->session, batch->sink);
    }
    batch->sink = 0;
    batch->session = NULL;
}

void batch_destroy(struct batch *batch)
{
    if (!batch) {
        return;
    }
    batch_reader_destroy(batch->reader);
    free(batch->progress_type);
    free(batch->summary.session_id);
    free(batch->summary.last_action);
    free(batch);
}

struct batch_reader *batch_stream(struct batch *batch)
{
    return batch->reader;
}

const struct ndjson_summary *batch_summary(const struct batch *batch)
{
    return &batch->summary;
}

bool batch_write_summary(struct batch *batch, const char *stopped_by, const struct br_error *why,
                         struct br_error *err)
{
    if (stopped_by) {
        note_stop(batch, stopped_by, why);
    }
    batch->summary.duration_ms = clock_monotonic_ms() - batch->began_ms;
    return ndjson_write_summary(&batch->writer, &batch->summary, err);
}
