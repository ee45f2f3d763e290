#include "runner/formats/ndjson.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/formats/provider.h"
#include "runner/formats/response_json.h"

/* Takes ownership of root. */
static bool write_line(const struct ndjson_writer *writer, json_t *root, struct br_error *err)
{
    size_t length = 0;
    CLEANUP_FREE char *line = json_line(root, &length);
    json_decref(root);
    /* Overwrites the terminator: writers receive a length. */
    line[length] = '\n';
    return writer->on_line(writer->data, line, length + 1, err);
}

static bool write_chunks(const struct ndjson_writer *writer, const struct br_response *response,
                         const struct response_picture *picture, struct br_error *err)
{
    const struct br_capture *capture = picture->capture;
    size_t total = response_chunk_total(capture, writer->chunk_size);
    if (total == 0) {
        return true;
    }
    size_t length = base64_encoded_size(capture->size);
    CLEANUP_FREE char *id = response_chunk_id(response, picture->name);
    CLEANUP_FREE char *text = xmalloc(length);
    base64_encode(capture->bytes, capture->size, text);
    for (size_t i = 0; i < total; i++) {
        size_t begin = i * writer->chunk_size;
        size_t rest = length - begin;
        size_t size = rest < writer->chunk_size ? rest : writer->chunk_size;
        json_t *chunk =
            json_pack("{s:s, s:s, s:s*, s:I, s:I, s:o}", "kind", "chunk", "id", id, "sessionId",
                      response->session_id, "index", (json_int_t)i, "total", (json_int_t)total,
                      "data", json_stringn_nocheck(text + begin, size));
        if (!write_line(writer, chunk, err)) {
            return false;
        }
    }
    return true;
}

static bool write_messages(const struct ndjson_writer *writer, const struct br_response *response,
                           const struct tool_call *call, struct br_error *err)
{
    size_t index;
    json_t *message;
    json_auto_t *root = response_json(response, 0);
    json_auto_t *messages = call ? provider_answer(writer->provider, root, call, err)
                                 : json_pack("[o*]", provider_message(writer->provider, root, err));
    json_array_foreach (messages, index, message) {
        if (!write_line(writer, json_incref(message), err)) {
            return false;
        }
    }
    return json_array_size(messages) > 0;
}

bool ndjson_write_response(const struct ndjson_writer *writer, const struct br_response *response,
                           const struct tool_call *call, struct br_error *err)
{
    if (writer->provider) {
        return write_messages(writer, response, call, err);
    }
    struct response_picture picture;
    for (size_t i = 0; response_picture_at(response, i, &picture); i++) {
        if (!write_chunks(writer, response, &picture, err)) {
            return false;
        }
    }
    json_t *root = response_json(response, writer->chunk_size);
    if (call && call->id) {
        json_object_set_new(root, "callId", json_text(call->id));
    }
    return write_line(writer, root, err);
}

/*
 * Returns the name of the event's state in a line, with the page's URL or a text; NULL: not
 * reported.
 */
static const char *state_of(const struct br_event *event, const char **ret_url,
                            const char **ret_text)
{
    static const char *const of_progress[] = {
        [BR_PROGRESS_WAITING] = "waiting",
        [BR_PROGRESS_RETRYING] = "retrying",
        [BR_PROGRESS_RECOVERING] = "recovering",
    };
    switch (event->kind) {
    case BR_EVENT_ACTION:
        return event->as.action.is_over ? NULL : "begun";
    case BR_EVENT_NAVIGATION:
        *ret_url = event->as.navigation.url;
        switch (event->as.navigation.step) {
        case BR_NAVIGATION_SLOW:
            *ret_text = "still loading after a second";
            return "loading";
        case BR_NAVIGATION_BEGUN:
            return "loading";
        case BR_NAVIGATION_LOADED:
            return "loaded";
        case BR_NAVIGATION_DONE:
        case BR_NAVIGATION_WITHIN:
            break;
        }
        return NULL;
    case BR_EVENT_PROGRESS:
        *ret_text = event->as.progress.text;
        return of_progress[event->as.progress.what];
    case BR_EVENT_PAGE:
        return event->as.page.is_back ? "recovered" : NULL;
    default:
        return NULL;
    }
}

bool ndjson_write_progress(const struct ndjson_writer *writer, const struct br_event *event,
                           const char *type, int64_t elapsed_ms, struct br_error *err)
{
    const char *url = NULL;
    const char *text = NULL;
    const char *state = state_of(event, &url, &text);
    if (!state || event->action_id == 0) {
        return true;
    }
    return write_line(writer,
                      json_pack("{s:s, s:I, s:s*, s:o, s:s, s:o*, s:o*, s:I}", "kind", "progress",
                                "id", (json_int_t)event->action_id, "sessionId",
                                *event->session_id ? event->session_id : NULL, "type",
                                json_text(type), "state", state, "url", url ? json_text(url) : NULL,
                                "text", text ? json_text(text) : NULL, "elapsedMs",
                                (json_int_t)elapsed_ms),
                      err);
}

bool ndjson_write_summary(const struct ndjson_writer *writer, const struct ndjson_summary *summary,
                          struct br_error *err)
{
    const bool is_aborted = summary->stopped_by;
    json_t *root = json_pack(
        "{s:s, s:s*, s:I, s:I, s:b, s:s*, s:o*, s:o*, s:I, s:i, s:i, s:o*}", "kind", "summary",
        "sessionId", summary->session_id, "actions", (json_int_t)summary->actions, "failed",
        (json_int_t)summary->failed, "aborted", is_aborted, "stoppedBy", summary->stopped_by,
        "error", is_aborted ? json_text(summary->error.message) : NULL, "hint",
        is_aborted && *summary->error.hint ? json_text(summary->error.hint) : NULL, "durationMs",
        (json_int_t)summary->duration_ms, "totalErrors", summary->total_errors, "consecutiveErrors",
        summary->consecutive_errors, "lastAction",
        summary->last_action ? json_text(summary->last_action) : NULL);
    return write_line(writer, root, err);
}
