/*
 * A stream of instructions and its responses: bytes in, lines out. Runs the instructions in order
 * in one session, writes a response for each, and a summary at the end. Does no I/O of its own: the
 * caller feeds the bytes and writes the lines. Belongs to the thread that uses the session.
 */
#ifndef RUNNER_BATCH_BATCH_H
#define RUNNER_BATCH_BATCH_H

#include "runner/batch/reader.h"
#include "runner/formats/ndjson.h"

#include <browser_runner/session.h>

struct batch_options {
    size_t chunk_size;     /* as in struct ndjson_writer; borrowed */
    const char *provider;  /* as in struct ndjson_writer */
    bool has_progress;     /* write progress lines while an action runs */
    const char *directory; /* of relative paths in the actions; NULL: the process's. Borrowed */
    int timeout_ms;        /* for actions without a timeout in the texts; 0: the session's */

    void *data; /* passed to the callbacks, which may be NULL except on_line */
    /* Receives one whole line including its newline. Borrowed during the call. */
    bool (*on_line)(void *data, const char *line, size_t length, struct br_error *err);
    void (*on_begin)(void *data, const struct br_action *action);
    /* Called after the response's line was written. Returning false ends the batch. */
    bool (*on_response)(void *data, const struct br_response *response, struct br_error *err);
    /* Called before each action; true: respond with CANCELLED instead of running it. */
    bool (*is_cancelled)(void *data);
    /* Called after each action; true: end now. */
    bool (*is_interrupted)(void *data);
};

struct batch;

/* Returns NULL when the session has no room for another sink. Caller frees with batch_destroy(). */
struct batch *batch_create(struct br_session *session, const struct batch_options *options,
                           struct br_error *err);

/* Detaches from the session: no more actions are run. Call before the session is closed. */
void batch_close(struct batch *batch);

void batch_destroy(struct batch *batch);

/*
 * Returns the reader of the stream. An invalid instruction gets an error response, and the stream
 * continues. The reader fails when nothing can be run or written any more.
 */
struct batch_reader *batch_stream(struct batch *batch);

/*
 * Runs the instructions of one complete text, such as a WebSocket message. Errors in it, including
 * a premature end, get an error response. Fails as the stream does.
 */
bool batch_run_text(struct batch *batch, const char *text, size_t length, struct br_error *err);

/* Returns how many responses batch_run_text() would write for the text. */
size_t batch_count_text(const char *text, size_t length);

/* Runs a valid action; fails as the stream does. */
bool batch_run(struct batch *batch, const struct br_action *action, struct br_error *err);

/* Returns the summary so far. Borrowed. */
const struct ndjson_summary *batch_summary(const struct batch *batch);

/*
 * Writes the summary line; may be called after batch_close(). `stopped_by` and `why` are the
 * external reason for an early end: "interrupt" or "input"; NULL: none. A reason found by the batch
 * itself has precedence.
 */
bool batch_write_summary(struct batch *batch, const char *stopped_by, const struct br_error *why,
                         struct br_error *err);

#endif
