/*
 * The state of a tab's console between two calls: open groups, counters, timers, limits, and the
 * events that wait.
 */
#ifndef RUNNER_CONSOLE_TAB_H
#define RUNNER_CONSOLE_TAB_H

#include "runner/console/event.h"
#include "runner/net/bucket.h"

enum {
    TAB_MAX_GROUPS = 1000,
    TAB_MAX_LABELS = 1000, /* counters and timers; a further one replaces the oldest */
};

struct console_queued;

/* A counter or a timer. */
struct console_label {
    struct console_label *next;
    bool is_timer;
    int64_t number; /* the count, or the time of the start */
    char name[];
};

/* All zero, except for the id, is a new tab. */
struct console_tab {
    struct console_tab *next;
    char *id;
    size_t groups;                /* open ones */
    struct console_label *labels; /* newest first */
    size_t label_count;
    struct bucket plain, severe; /* limits of what is shown; severe: warnings and errors */
    size_t dropped;              /* events since the last report of them */
    size_t dropped_errors;       /* warnings and errors among these */
    int64_t dropped_at_ms;       /* when the first of them was dropped */
    struct console_queued *first_queued, *last_queued; /* events that wait for their scripts */
    size_t queued_count, queued_bytes;
};

/* How a call is shown. */
struct console_effect {
    bool is_shown;
    enum console_level level;
    size_t groups;  /* open groups around it */
    size_t skipped; /* how many of its first arguments are not shown */
    char *text;     /* shown before the arguments; NULL: none. Owned */
};

/* Applies the call to the tab's state. Caller frees the effect's text. */
struct console_effect console_tab_apply(struct console_tab *tab, const struct console_event *event);

/*
 * Whether an event is within the rate that is shown (events a second; 0: no limit; twice as many
 * warnings and errors). One that is not is counted in the dropped ones.
 */
bool console_tab_admits(struct console_tab *tab, int max_rate, bool is_severe);

/* Appends an event of about `bytes` to those that wait; takes ownership. */
void console_tab_queue(struct console_tab *tab, struct console_event *event, size_t bytes,
                       int64_t now_ms);

/* The event that has waited longest, and since when; NULL: none waits. Borrowed. */
const struct console_event *console_tab_first(const struct console_tab *tab, int64_t *ret_since_ms);

/* Removes that event, which must exist; *ret_bytes is what it was queued with. Caller destroys it.
 */
struct console_event *console_tab_take(struct console_tab *tab, size_t *ret_bytes);

void console_tab_finish(struct console_tab *tab);

#endif
