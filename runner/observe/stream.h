/*
 * Delivers what happens in a session, in order, to its subscribers. Before any sink receives an
 * event, it is masked here, merged into an equal one before it, and given its hint. An event that
 * waits for details delays the following ones, but only for moments. For one thread; events may be
 * held on other threads.
 */
#ifndef RUNNER_OBSERVE_STREAM_H
#define RUNNER_OBSERVE_STREAM_H

#include "runner/base/clock.h"
#include "runner/base/event.h"
#include "runner/base/log.h"
#include "runner/hints/wording.h"
#include "runner/privacy/secrets.h"

enum {
    STREAM_WAIT_MS = 40, /* for details, and for repetitions of the last entry */
    STREAM_MAX_SINKS = 16,
    STREAM_BURST = 2000, /* entries of a page that are accepted at once */
    STREAM_RATE = 1000,  /* further entries accepted in each second */
};

struct stream;

/* The secrets (NULL: none) must outlive the stream. Never NULL. */
struct stream *stream_create(const char *session_id, const struct secrets *secrets,
                             enum br_wording wording);

/* Delivers the remaining events, then frees. */
void stream_destroy(struct stream *stream);

/* Sets the action that events from now on belong to. */
void stream_set_action(struct stream *stream, uint64_t action_id);
void stream_set_generation(struct stream *stream, uint64_t generation);

/* Sets the tab of the next events, see br_event; 0: the page. NULL is fine. */
void stream_set_tab(struct stream *stream, int tab);

/*
 * Returns a number for stream_unsubscribe(); 0 if there are STREAM_MAX_SINKS already. Copies the
 * sink.
 */
int stream_subscribe(struct stream *stream, const struct br_sink *sink);
void stream_unsubscribe(struct stream *stream, int number);

/* Whether a sink wants this kind: other events need not be created. NULL is fine. */
bool stream_wants(const struct stream *stream, enum br_event_kind kind);
bool stream_wants_values(const struct stream *stream);
bool stream_wants_tabs(const struct stream *stream);

/*
 * Takes ownership. The event waits at most details_ms (0: not at all) for stream_let_go(). Returns
 * its ticket.
 */
uint64_t stream_emit(struct stream *stream, struct br_event *event, int64_t details_ms);

/* Emits a log entry, and takes ownership of its contents. Its id is the ticket. */
uint64_t stream_log(struct stream *stream, struct br_log *log, int64_t details_ms);

/*
 * Returns the event while it waits, to set its details; NULL if it was delivered. Then call
 * stream_let_go(). NULL is fine.
 */
struct br_event *stream_waiting(struct stream *stream, uint64_t ticket);
void stream_let_go(struct stream *stream, uint64_t ticket);

/*
 * Delivers what is due. Returns when to call it again at the latest. With has_more, replies have
 * arrived that were not read yet: events that wait for details continue to wait.
 */
struct deadline stream_run(struct stream *stream, bool has_more);

/* Delivers all queued events. */
void stream_flush(struct stream *stream);

/*
 * Whether a page sends more entries than are processed; the second counts entries that were not.
 * NULL is fine.
 */
bool stream_is_flooded(struct stream *stream);
void stream_drop(struct stream *stream, size_t count);

/*
 * Logs an entry: to the list's stream, whose collector adds it to the list again, in order; without
 * a stream, to the list itself; nowhere if the list is NULL. Takes ownership of the entry's
 * contents. It may wait details_ms for details, see stream.h. Returns the entry's id.
 */
uint64_t log_put(struct log_list *list, struct br_log *log, int64_t details_ms);

/* Logs an entry of the tool. */
void log_tool(struct log_list *list, enum br_log_type type, const char *category,
              const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
