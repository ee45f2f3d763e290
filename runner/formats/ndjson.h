/* Writes responses as lines of JSON: the output of `run`. */
#ifndef RUNNER_FORMATS_NDJSON_H
#define RUNNER_FORMATS_NDJSON_H

#include "runner/base/error.h"
#include "runner/formats/tool_call.h"

#include <browser_runner/event.h>
#include <browser_runner/response.h>
#include <stddef.h>
#include <stdint.h>

struct ndjson_writer {
    size_t chunk_size; /* base64 with more characters is sent in chunks; 0: never */
    /* Receives one complete line, including its newline. Borrowed during the call. */
    bool (*on_line)(void *data, const char *line, size_t length, struct br_error *err);
    void *data;
    const char *provider; /* writes responses as this provider's messages, with complete pictures;
                             NULL: unchanged */
};

#define NDJSON_WRITER_INIT                                                                         \
    {                                                                                              \
        .chunk_size = 200 * 1024                                                                   \
    }

/* The summary of a run. */
struct ndjson_summary {
    char *session_id; /* NULL: not known */
    uint64_t actions, failed;
    /*
     * Why not all actions were run, as in the schema, and as a sentence; NULL: all were run.
     * Static.
     */
    const char *stopped_by;
    struct br_error error;
    int64_t duration_ms;
    int total_errors, consecutive_errors; /* of the session at the end */
    char *last_action;                    /* the type of the last one; NULL: none */
};

/*
 * Writes the chunks of large pictures, then the response; with a provider, only its message. `call`
 * is the call that it answers: its id is the response's `callId`, and the message, or two messages,
 * answer it (tool_call.h); NULL: none. Fails with the error of on_line.
 */
bool ndjson_write_response(const struct ndjson_writer *writer, const struct br_response *response,
                           const struct tool_call *call, struct br_error *err);

/*
 * Writes the progress of a running action: its beginning, loads, waits, retries and recoveries.
 * Writes nothing for other events. `type` is the action's type.
 */
bool ndjson_write_progress(const struct ndjson_writer *writer, const struct br_event *event,
                           const char *type, int64_t elapsed_ms, struct br_error *err);

bool ndjson_write_summary(const struct ndjson_writer *writer, const struct ndjson_summary *summary,
                          struct br_error *err);

#endif
