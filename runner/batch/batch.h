/*
 * A stream of instructions and its answers: bytes in, lines out. It runs the instructions, in their
 * order, in one session, writes the answer to each, and in the end a summary. It opens nothing and
 * waits for nothing: whoever holds it brings the bytes and takes the lines. It lives on the thread
 * that uses the session.
 */
#ifndef RUNNER_BATCH_BATCH_H
#define RUNNER_BATCH_BATCH_H

#include "runner/batch/reader.h"
#include "runner/formats/ndjson.h"

#include <browser_runner/session.h>

struct batch_options {
    size_t chunk_size;    /* as in struct ndjson_writer; borrowed */
    const char *provider; /* the same */
    bool has_progress;    /* lines about an action while it runs */
    int timeout_ms;       /* of the actions of a text that have none; 0: that of the session */

    void *data; /* of the functions, which may be NULL but for on_line */
    /* Takes one line, its newline included, in one piece. Borrowed during the call. */
    bool (*on_line)(void *data, const char *line, size_t length, struct br_error *err);
    void (*on_begin)(void *data, const struct br_action *action);
    /* What else becomes of a response, whose line is out. False ends the batch. */
    bool (*on_response)(void *data, const struct br_response *response, struct br_error *err);
    /* Asked before each action: whether it is to be answered as CANCELLED instead of run. */
    bool (*is_cancelled)(void *data);
    /* Asked behind each action: whether to end now. */
    bool (*is_interrupted)(void *data);
};

struct batch;

/* NULL when the session takes no further sink. Caller ends it with batch_destroy(). */
struct batch *batch_create(struct br_session *session, const struct batch_options *options,
                           struct br_error *err);

/* Lets go of the session: nothing more is run. To be called before the session is closed. */
void batch_close(struct batch *batch);

void batch_destroy(struct batch *batch);

/*
 * The reader of the stream. What is wrong in it is answered, and the stream goes on. It fails when
 * nothing can be run or written any more.
 */
struct batch_reader *batch_stream(struct batch *batch);

/*
 * A text by itself, such as a message of a socket: whatever instructions are in it are run, and
 * what is wrong in it, its end included, is answered. Fails as the stream does.
 */
bool batch_run_text(struct batch *batch, const char *text, size_t length, struct br_error *err);

/* Runs an action that is valid, and fails as the above. */
bool batch_run(struct batch *batch, const struct br_action *action, struct br_error *err);

/* So far. Borrowed. */
const struct ndjson_summary *batch_summary(const struct batch *batch);

/*
 * Writes the last line, also behind batch_close(). `stopped_by` and `why` say what ended it before
 * its end, unless something of its own did: "interrupt" or "input"; NULL: nothing.
 */
bool batch_write_summary(struct batch *batch, const char *stopped_by, const struct br_error *why,
                         struct br_error *err);

#endif
