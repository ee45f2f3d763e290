/*
 * A client's connection to a session: takes texts of instructions, and returns the lines of `run`.
 * Several clients may each have a channel to the same session. Any thread may use it.
 */
#ifndef RUNNER_SESSIONS_CHANNEL_H
#define RUNNER_SESSIONS_CHANNEL_H

#include "runner/sessions/worker.h"

struct channel;

enum channel_line {
    CHANNEL_ANSWER, /* a response, its chunks, a summary, an error */
    CHANNEL_NEWS,   /* progress and events: may be lost */
};

struct channel_handler {
    void *data;
    /*
     * Receives a line with its newline, borrowed; `id` is that of a response, otherwise 0. Called
     * on any thread; must not block, nor use the channel.
     */
    void (*on_line)(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length);
    /* A text has been processed. May be NULL. Called like on_line. */
    void (*on_done)(void *data);
};

struct channel_options {
    size_t chunk_size;     /* as in struct ndjson_writer */
    const char *directory; /* as in struct batch_options; copied */
    int timeout_ms;        /* as in struct batch_options */
    bool has_progress;     /* writes lines about running actions */
    bool has_summary;      /* writes a line after each text */
    struct channel_handler handler;
};

/* Takes a reference to the worker. Never NULL. */
struct channel *channel_open(struct worker *worker, const struct channel_options *options);

struct worker *channel_worker(const struct channel *channel);

/*
 * Queues instructions after earlier ones; copies the text. If they have not begun within
 * `begin_ms`, they are answered with an error.
 */
void channel_feed(struct channel *channel, const char *text, size_t length, int64_t begin_ms);

/*
 * Cancels the action whose response has or will have this id, and no other; or with 0 all that were
 * fed so far. Returns the state found: "running", "waiting", "over". Static. NULL with
 * INVALID_ACTION if no text has an action that can get this id, and with LIMIT_EXCEEDED if too many
 * cancelled actions are waiting; not with 0.
 */
const char *channel_cancel(struct channel *channel, uint64_t id, struct br_error *err);

/* Writes lines of kind event for these kinds from now on; 0: none. */
void channel_subscribe(struct channel *channel, unsigned kinds);

/* Cancels the running and waiting texts. After the return no callback is called. NULL is fine. */
void channel_close(struct channel *channel);

#endif
