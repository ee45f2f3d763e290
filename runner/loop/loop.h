/*
 * The loop thread: one libwebsockets context that owns every descriptor, socket and timer. It
 * routes bytes and never blocks. Other threads reach it by loop_post() and loop_call(); every other
 * function here belongs to callbacks and tasks, which run on the loop thread.
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
 * Runs what was posted, closes what is still watched (with on_closed), drops the timers, ends the
 * thread. NULL is fine.
 */
void loop_destroy(struct loop *loop);

/* Runs the task on the loop thread, after those posted before; does not wait. */
void loop_post(struct loop *loop, void (*task)(void *data), void *data);

/* As loop_post, and waits until the task has run. Never from the loop thread itself: asserted. */
void loop_call(struct loop *loop, void (*task)(void *data), void *data);

/* Waits until all that was posted before has run. Never from the loop thread itself. */
void loop_flush(struct loop *loop);

/* Whether the caller is the loop thread. */
bool loop_is_here(const struct loop *loop);

struct loop_source_handler {
    /*
     * Bytes, an end or an event are there; called again while there are. Reads as much as it
     * likes, but not for ever: everything else on the loop waits meanwhile. False closes.
     */
    bool (*on_readable)(void *data, int fd);
    /* The descriptor is closed, by the other side or by on_readable; not by loop_unwatch. */
    void (*on_closed)(void *data);
    void *data;
};

/*
 * Watches a non-blocking descriptor: a pipe, a pidfd, a signalfd. Takes ownership of it, also when
 * it fails. Returns NULL with the error when the loop has no room.
 */
struct loop_source *loop_watch(struct loop *loop, int fd, const struct loop_source_handler *handler,
                               struct br_error *err);

/* Closes the descriptor; no callback comes any more. Not from the source's own callback. */
void loop_unwatch(struct loop_source *source);

/* Switches on_readable on or off; on at first. */
void loop_source_read(struct loop_source *source, bool is_wanted);

/*
 * Calls on_writable once, when the descriptor accepts bytes; may be called again inside of it.
 * on_writable returns false to close the descriptor.
 */
void loop_source_await_writable(struct loop_source *source,
                                bool (*on_writable)(void *data, int fd));

/* Calls on_timer once, `ms` from now. The handle lives until then or until loop_timer_cancel. */
struct loop_timer *loop_timer_start(struct loop *loop, int64_t ms, void (*on_timer)(void *data),
                                    void *data);
void loop_timer_cancel(struct loop_timer *timer);

/* For transports and servers, which add virtual hosts of their own. */
struct lws_context *loop_context(struct loop *loop);
bool loop_has_tls(const struct loop *loop);

#endif
