/*
 * Batches that run once: each in a session of its own, which ends with it, in a browser that they
 * share. Decides how many run at once, by their number and by the memory of the browsers. Any
 * thread, but not the loop thread.
 */
#ifndef RUNNER_SESSIONS_POOL_H
#define RUNNER_SESSIONS_POOL_H

#include "runner/sessions/channel.h"
#include "runner/sessions/sessions.h"

enum { POOL_MAX_RUNNING = 200 };

struct pool;
struct pool_batch;

struct pool_options {
    struct sessions *sessions; /* borrowed; must outlive the pool */
    const json_t *settings;    /* of each session; borrowed; NULL: all defaults */
    const char *name;          /* its sessions are NAME-1, NAME-2, … */
    int max_running;           /* at most POOL_MAX_RUNNING; 0: twice the processors */
    uint64_t max_bytes;        /* of the browsers' memory; 0: 80 % of what this process may use */
    /* When a browser is replaced, see browsers_recycle(); bytes 0: three quarters of max_bytes. */
    unsigned recycle_after;
    uint64_t recycle_above;
    /*
     * The session of a batch has ended, so that pool_has_room() may be true. On the session's
     * thread; must not use the pool.
     */
    void (*on_room)(void *data);
    void *data;
};

/* Never NULL. Error limits that the settings do not have are those of `run`. */
struct pool *pool_create(const struct pool_options *options);

/* Waits until the sessions of all batches have ended; call pool_end() for each before. */
void pool_destroy(struct pool *pool);

/*
 * Whether another batch may begin. Measures the memory at most once a second. While nothing runs,
 * one may always begin.
 */
bool pool_has_room(struct pool *pool);

/* Runs a text of instructions, see channel_feed(), at once. NULL with the error. */
struct pool_batch *pool_begin(struct pool *pool, const char *text, size_t length,
                              const struct channel_options *options, struct br_error *err);

/* Cancels the actions that are left; they are still answered. */
void pool_cancel(struct pool_batch *batch);

/* Ends the session, cancels what runs, and frees; no callback of the channel follows. */
void pool_end(struct pool_batch *batch);

int pool_max_running(const struct pool *pool);

/*
 * Whether the browsers held less than max_bytes when pool_has_room() last measured them, or nothing
 * runs. Also on the loop thread.
 */
bool pool_has_memory(const struct pool *pool);

/* Writes the number of running batches, and the memory, as OpenMetrics. Also on the loop thread. */
void pool_write_metrics(const struct pool *pool, struct strbuf *text);

#endif
