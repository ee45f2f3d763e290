/* Turns a session's events into the console calls that its page made. */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_PAGE_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_PAGE_H

#include "runner/servers/console_bridge/event.h"

#include <browser_runner/event.h>

/* The kinds of events to subscribe to, with wants_values. */
enum {
    CONSOLE_PAGE_KINDS = 1 << BR_EVENT_CONSOLE | 1 << BR_EVENT_EXCEPTION |
                         1 << BR_EVENT_NAVIGATION | 1 << BR_EVENT_PAGE | 1 << BR_EVENT_DROPPED
};

/* The page that the calls belong to. Zero, except for the tab, before its first event. */
struct console_page {
    const char *tab;   /* the id as text; borrowed */
    char *url, *title; /* of the document; NULL: unknown. Owned */
};

void console_page_finish(struct console_page *page);

/* Sets copies of the document's URL and title; NULL: unknown. */
void console_page_set(struct console_page *page, const char *url, const char *title);

/*
 * Returns the call that an event reports, or updates the page and returns NULL. *ret_times: how
 * often the same call was made in succession. Caller destroys the call.
 */
struct console_event *console_page_read(struct console_page *page, const struct br_event *event,
                                        int *ret_times);

/*
 * Chrome reports timeEnd() but not time(). Returns the call of time() that belongs to a timeEnd();
 * NULL: the event is not a timeEnd(), or lacks the duration. Caller destroys it.
 */
struct console_event *console_page_timer(const struct console_event *event);

#endif
