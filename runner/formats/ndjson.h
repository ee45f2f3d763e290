/* Responses as lines of JSON: what `run` prints. */
#ifndef RUNNER_FORMATS_NDJSON_H
#define RUNNER_FORMATS_NDJSON_H

#include "runner/base/error.h"
#include "runner/formats/tool_call.h"

#include <browser_runner/event.h>
#include <browser_runner/response.h>
#include <stddef.h>
#include <stdint.h>

struct ndjson_writer {
    size_t chunk_size; /* base64 over this many characters goes out in chunks; 0: never */
    /* Takes one line, its newline included, in one piece. Borrowed during the call. */
    bool (*on_line)(void *data, const char *line, size_t length, struct br_error *err);
    void *data;
    const char *provider; /* responses as its messages, pictures whole; NULL: as they are */
};

#define NDJSON_WRITER_INIT                                                                         \
    {                                                                                              \
        .chunk_size = 200 * 1024                                                                   \
    }

/* What a run came to. */
struct ndjson_summary {
    char *session_id; /* NULL: not known */
    uint64_t actions, failed;
    /* Why not all actions were run, as in the schema, and in words; NULL: all were. Static. */
    const char *stopped_by;
    struct br_error error;
    int64_t duration_ms;
    int total_errors, consecutive_errors; /* of the session, at the end */
    char *last_action;                    /* the type of the last one; NULL: none */
};

/*
 * Writes the chunks of large pictures, then the response; or its message alone. `call` is the one
 * that it answers: its id is the response's `callId`, and the message is the answer to it, or two
 * lines are (tool_call.h); NULL: it answers none. Fails with the error of on_line.
 */
bool ndjson_write_response(const struct ndjson_writer *writer, const struct br_response *response,
                           const struct tool_call *call, struct br_error *err);

/*
 * What an action does that has not ended: of the action's beginning, of loads, waits, further tries
 * and recoveries. Nothing for events of other sorts, and of none. `type` is that of the action.
 */
bool ndjson_write_progress(const struct ndjson_writer *writer, const struct br_event *event,
                           const char *type, int64_t elapsed_ms, struct br_error *err);

bool ndjson_write_summary(const struct ndjson_writer *writer, const struct ndjson_summary *summary,
                          struct br_error *err);

#endif
