/*
 * The loop thread: one libwebsockets context that owns every descriptor, socket and timer. It
 * routes bytes and never blocks. Other threads use loop_post() and loop_call(). Call every other
 * function from callbacks and tasks only, which run on the loop thread.
 */
#ifndef RUNNER_LOOP_LOOP_H
#define RUNNER_LOOP_LOOP_H

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <stdint.h>

struct loop;
struct loop_source;
struct loop_timer;
struct lws_context;

/* Starts the thread. `with_tls` prepares OpenSSL for wss://, which costs memory and time. */
struct loop *loop_create(bool with_tls, struct br_error *err);

/*
 * Runs the posted tasks, closes the watched descriptors (calling on_closed), drops the timers and
 * ends the thread. Accepts NULL.
 */
void loop_destroy(struct loop *loop);

/* Runs the task on the loop thread, after the tasks posted before it. Does not wait. */
void loop_post(struct loop *loop, void (*task)(void *data), void *data);

/*
 * Like loop_post(), and waits until the task has run. Asserts that the caller is not the loop
 * thread, and holds no mutex of mutex_lock() (base/thread.h).
 */
void loop_call(struct loop *loop, void (*task)(void *data), void *data);

/* Waits until all tasks posted before have run. Not on the loop thread itself. */
void loop_flush(struct loop *loop);

/* Whether the caller is the loop thread. */
bool loop_is_here(const struct loop *loop);

struct loop_source_handler {
    /*
     * Called while bytes, the end of the stream or an event can be read. May read in a loop, but
     * not for long: everything else on the loop waits meanwhile. Returns false to close the
     * descriptor.
     */
    bool (*on_readable)(void *data, int fd);
    /* Called after the other side or on_readable closed the descriptor; not for loop_unwatch(). */
    void (*on_closed)(void *data);
    void *data;
};

/*
 * Watches a non-blocking descriptor: a pipe, a pidfd, a signalfd. Takes ownership of it, even on
 * failure. Returns NULL with the error when the loop has no room.
 */
struct loop_source *loop_watch(struct loop *loop, int fd, const struct loop_source_handler *handler,
                               struct br_error *err);

/* Closes the descriptor; no callback follows. Do not call it from the source's own callback. */
void loop_unwatch(struct loop_source *source);

/* Switches on_readable on or off; initially on. */
void loop_source_read(struct loop_source *source, bool is_wanted);

/*
 * Calls on_writable once, when the descriptor accepts bytes. on_writable may call this function
 * again. It returns false to close the descriptor.
 */
void loop_source_await_writable(struct loop_source *source,
                                bool (*on_writable)(void *data, int fd));

/* Calls on_timer once, `ms` from now. The handle is valid until then, or until it is cancelled. */
struct loop_timer *loop_timer_start(struct loop *loop, int64_t ms, void (*on_timer)(void *data),
                                    void *data);
void loop_timer_cancel(struct loop_timer *timer);

/* For transports and servers that add their own virtual hosts. */
struct lws_context *loop_context(struct loop *loop);
bool loop_has_tls(const struct loop *loop);

#endif
