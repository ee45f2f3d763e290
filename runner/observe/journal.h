/*
 * The newest events of a session, as many as some bytes hold, beyond the responses that told of
 * them. It may be read on any thread, also while the session's own is busy.
 */
#ifndef RUNNER_OBSERVE_JOURNAL_H
#define RUNNER_OBSERVE_JOURNAL_H

#include "runner/base/event.h"

#include <stdbool.h>

enum { JOURNAL_BYTES = 4 * 1024 * 1024 };

struct journal;

/* max_bytes 0: JOURNAL_BYTES. Never NULL. */
struct journal *journal_create(size_t max_bytes);
void journal_destroy(struct journal *journal); /* NULL is fine */

/* Holds an event; the oldest leave for it. */
void journal_add(struct journal *journal, const struct br_event *event);

struct journal_view {
    const struct br_event **events; /* held, in order */
    size_t count;
    uint64_t next; /* the cursor of what follows them */
    uint64_t lost; /* entries behind `since` that are not there any more */
    bool has_more; /* that were left out by `limit` */
};

/*
 * Those entries behind the cursor, 0 for the beginning, that `is_wanted` takes (NULL: all), at most
 * `limit`: the first of them; with is_newest the last, and then nothing is left for later. Finish
 * the view with journal_view_finish().
 */
struct journal_view journal_read(struct journal *journal, uint64_t since, size_t limit,
                                 bool is_newest,
                                 bool (*is_wanted)(const void *data, const struct br_event *event),
                                 const void *data);
void journal_view_finish(struct journal_view *view);

#define CLEANUP_JOURNAL_VIEW CLEANUP(journal_view_finish)

#endif
