/*
 * What a console remembers from one call to the next: open groups, counters, timers. Each tab has
 * its own.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_TAB_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_TAB_H

#include "runner/net/bucket.h"
#include "runner/servers/console_bridge/queue.h"

enum {
    TAB_MAX_GROUPS = 1000,
    TAB_MAX_LABELS = 1000, /* of counters and timers; the oldest is forgotten then */
};

/* A counter or a timer. */
struct console_label {
    struct console_label *next;
    bool is_timer;
    int64_t number; /* how often, or since when */
    char name[];
};

/* All zero is a new one but for the id. */
struct console_tab {
    struct console_tab *next;
    char *id;
    size_t groups;                /* that are open */
    struct console_label *labels; /* the newest first */
    size_t label_count;
    struct bucket plain, severe; /* how many are shown */
    size_t dropped;              /* since that was last said */
    size_t dropped_errors;       /* of these */
    int64_t dropped_at_ms;       /* the first of them */
    struct console_queue queue;  /* what waits */
};

/* What a call does apart from what its arguments say. */
struct console_effect {
    bool is_shown;
    enum console_level level;
    size_t groups;  /* that it stands in */
    size_t skipped; /* arguments that are not shown */
    char *text;     /* in front of the arguments; NULL: nothing. Owned */
};

/* Applies the call to the tab. Caller frees the text. */
struct console_effect console_tab_apply(struct console_tab *tab, const struct console_event *event);

void console_tab_finish(struct console_tab *tab);

#endif
