/* Turns a session's events into the console calls that its page made. */
#ifndef RUNNER_CONSOLE_PAGE_H
#define RUNNER_CONSOLE_PAGE_H

#include "runner/console/event.h"

#include <browser_runner/event.h>
#include <stdatomic.h>
#include <stdbool.h>

/* The kinds of events to subscribe to, with wants_values and wants_tabs. */
enum {
    CONSOLE_PAGE_KINDS = 1 << BR_EVENT_CONSOLE | 1 << BR_EVENT_EXCEPTION |
                         1 << BR_EVENT_NAVIGATION | 1 << BR_EVENT_TAB | 1 << BR_EVENT_PAGE |
                         1 << BR_EVENT_DROPPED
};

/* A tab of a session, one of which is its page. */
struct console_page_tab {
    int number;        /* the session's; 0: not known yet */
    unsigned id;       /* in messages */
    char *url, *title; /* of the document; NULL: unknown */
    int64_t last_ms;   /* of its last call, and of calls that are not to be read again */
    bool is_reread;    /* Chrome reports calls again that were read before */
};

/* A session's tabs. */
struct console_page {
    atomic_uint *last_id; /* of all tabs that have one; borrowed */
    struct console_page_tab *tabs;
    size_t count, capacity;
    size_t active;   /* the index of the page */
    bool is_open;    /* the session has a page */
    int64_t from_ms; /* earlier calls of other tabs than the page are not read */
};

void console_page_init(struct console_page *page, atomic_uint *last_id);

void console_page_finish(struct console_page *page);

/* Sets copies of the page's URL and title; NULL: unknown. */
void console_page_set(struct console_page *page, const char *url, const char *title);

/*
 * Sets the title of the tab with the session's number, if it still shows this URL. Ignores what
 * Chrome has in place of a title, except if the page is_loaded.
 */
void console_page_set_title(struct console_page *page, int number, const char *url,
                            const char *title, bool is_loaded);

/* Marks that no title will be known for the call's document. */
void console_page_give_up_title(struct console_page *page, const struct br_event *event);

/* Whether the event is a call of a document whose title is unknown. */
bool console_page_lacks_title(const struct console_page *page, const struct br_event *event);

/*
 * Returns the call that an event reports, or updates the page and returns NULL. *ret_times: how
 * often the same call was made in succession. Caller destroys the call.
 */
struct console_event *console_page_read(struct console_page *page, const struct br_event *event,
                                        int *ret_times);

/*
 * Returns a connection_status: a tab was opened by another one, or one of several was closed. NULL:
 * the event reports nothing of that. Caller frees. Call it before console_page_read().
 */
char *console_page_status(struct console_page *page, const struct br_event *event);

/*
 * Chrome reports timeEnd() but not time(). Returns the call of time() that belongs to a timeEnd();
 * NULL: the event is not a timeEnd(), or lacks the duration. Caller destroys it.
 */
struct console_event *console_page_timer(const struct console_event *event);

#endif
