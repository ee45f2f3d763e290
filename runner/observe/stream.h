/*
 * What happens in a session, in order, to whoever subscribed. An event is masked, folded into an
 * equal one before it, and given its hint here, once, before any sink has it. One that waits for
 * details holds back those behind it, for moments only. Of one thread; events may be held beyond.
 */
#ifndef RUNNER_OBSERVE_STREAM_H
#define RUNNER_OBSERVE_STREAM_H

#include "runner/base/clock.h"
#include "runner/base/event.h"
#include "runner/base/log.h"
#include "runner/hints/wording.h"
#include "runner/privacy/secrets.h"

enum {
    STREAM_WAIT_MS = 40, /* for details, and for what repeats the last entry */
    STREAM_MAX_SINKS = 16,
    STREAM_BURST = 2000, /* entries of a page at once, before it floods */
    STREAM_RATE = 1000,  /* more of them in each second */
};

struct stream;

/* The secrets, NULL for none, outlive it. Never NULL. */
struct stream *stream_create(const char *session_id, const struct secrets *secrets,
                             enum br_wording wording);

/* Hands out what it holds, then frees. */
void stream_destroy(struct stream *stream);

/* What events from now on belong to. */
void stream_set_action(struct stream *stream, uint64_t action_id);
void stream_set_generation(struct stream *stream, uint64_t generation);

/* The tab that the next events are of, see br_event; 0: the page. NULL is fine. */
void stream_set_tab(struct stream *stream, int tab);

/* Returns a number for stream_unsubscribe(); 0: there are STREAM_MAX_SINKS. Copied. */
int stream_subscribe(struct stream *stream, const struct br_sink *sink);
void stream_unsubscribe(struct stream *stream, int number);

/* Whether there is a sink for it: an event that nobody wants need not be made. NULL is fine. */
bool stream_wants(const struct stream *stream, enum br_event_kind kind);
bool stream_wants_values(const struct stream *stream);
bool stream_wants_tabs(const struct stream *stream);

/*
 * Takes ownership. It waits at most details_ms, 0 for not at all, for stream_let_go(). Returns its
 * ticket.
 */
uint64_t stream_emit(struct stream *stream, struct br_event *event, int64_t details_ms);

/* An entry of a log, of whose contents it takes ownership. Its id is the ticket. */
uint64_t stream_log(struct stream *stream, struct br_log *log, int64_t details_ms);

/* The event while it waits, for its details; NULL when it is out. Then let it go. NULL is fine. */
struct br_event *stream_waiting(struct stream *stream, uint64_t ticket);
void stream_let_go(struct stream *stream, uint64_t ticket);

/*
 * Hands out what is due. Returns when there will be more: to be called again then, or before. With
 * has_more, replies have arrived that were not read yet: what waits for details goes on waiting.
 */
struct deadline stream_run(struct stream *stream, bool has_more);

/* Hands out all that there is. */
void stream_flush(struct stream *stream);

/* Whether a page says more than is looked at; and that entries of it were not. NULL is fine. */
bool stream_is_flooded(struct stream *stream);
void stream_drop(struct stream *stream, size_t count);

/*
 * Says it: to the list's stream, whose collector brings it to the list again, in order; without a
 * stream to the list itself. Nowhere when the list is NULL. Takes what the entry holds. With
 * details_ms it may wait so long for details, see stream.h. Returns the entry's id.
 */
uint64_t log_put(struct log_list *list, struct br_log *log, int64_t details_ms);

/* An entry of the tool's own. */
void log_tool(struct log_list *list, enum br_log_type type, const char *category,
              const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
