/*
 * What a client says to a session and hears of it: texts of instructions in, lines out, as `run`
 * has them. Many clients may have one each in the same session. Any thread may use it.
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
     * A line with its newline, borrowed; `id` is that of a response, 0 of anything else. On any
     * thread; must not block, nor use the channel.
     */
    void (*on_line)(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length);
    /* A text has been processed. May be NULL. Called as on_line is. */
    void (*on_done)(void *data);
};

struct channel_options {
    size_t chunk_size; /* as in struct ndjson_writer */
    int timeout_ms;    /* as in struct batch_options */
    bool has_progress; /* lines about actions that run */
    bool has_summary;  /* a line behind each text */
    struct channel_handler handler;
};

/* Holds the worker. Never NULL. */
struct channel *channel_open(struct worker *worker, const struct channel_options *options);

struct worker *channel_worker(const struct channel *channel);

/*
 * Instructions, to be run behind those that came before; copied. Where they are not begun within
 * `begin_ms` they are answered with an error.
 */
void channel_feed(struct channel *channel, const char *text, size_t length, int64_t begin_ms);

/*
 * Cancels the action whose response will have this id, 0 for all that were fed so far. Says what
 * was found: "running", "waiting", "over". Static.
 */
const char *channel_cancel(struct channel *channel, uint64_t id);

/* Lines of kind event from now on; 0: none. */
void channel_subscribe(struct channel *channel, unsigned kinds);

/* Cancels what runs and waits. Nothing is called behind its return. NULL is fine. */
void channel_close(struct channel *channel);

#endif
