/*
 * The newest events of a session, up to a number of bytes, independent of responses. Any thread may
 * read it, also while the session's own thread is busy.
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

/* Takes a reference to an event; drops the oldest ones to make room. */
void journal_add(struct journal *journal, const struct br_event *event);

struct journal_view {
    const struct br_event **events; /* referenced, in order */
    size_t count;
    uint64_t next; /* cursor for the following events */
    uint64_t lost; /* number of entries after `since` that are no longer kept */
    bool has_more; /* further entries were omitted because of `limit` */
};

/*
 * Returns the entries after the cursor (0: from the beginning) for which `is_wanted` returns true
 * (NULL: all), at most `limit`: the first ones; with is_newest the last ones, and then there are no
 * further ones. Finish the view with journal_view_finish().
 */
struct journal_view journal_read(struct journal *journal, uint64_t since, size_t limit,
                                 bool is_newest,
                                 bool (*is_wanted)(const void *data, const struct br_event *event),
                                 const void *data);
void journal_view_finish(struct journal_view *view);

#define CLEANUP_JOURNAL_VIEW CLEANUP(journal_view_finish)

#endif
