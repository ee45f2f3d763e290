/*
 * What the page of a session says to its console, from the session's events, as the calls that the
 * page made.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_PAGE_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_PAGE_H

#include "runner/servers/console_bridge/event.h"

#include <browser_runner/event.h>

/* What is to be subscribed, with wants_values. */
enum {
    CONSOLE_PAGE_KINDS = 1 << BR_EVENT_CONSOLE | 1 << BR_EVENT_EXCEPTION |
                         1 << BR_EVENT_NAVIGATION | 1 << BR_EVENT_PAGE | 1 << BR_EVENT_DROPPED
};

/* What is known of it. All zero but for the tab is a page of which nothing is known yet. */
struct console_page {
    const char *tab;   /* an id, as text; borrowed */
    char *url, *title; /* of the document; NULL: not known. Owned */
};

void console_page_finish(struct console_page *page);

/* Where it is now, and what that is called; NULL: that is not known. */
void console_page_set(struct console_page *page, const char *url, const char *title);

/*
 * The call that an event tells of; NULL where it tells of none: then what it says of the page is
 * noted. `ret_times`: how often it was made, one behind the other. Caller destroys it.
 */
struct console_event *console_page_read(struct console_page *page, const struct br_event *event,
                                        int *ret_times);

/*
 * The call of time() that a call of timeEnd() implies, for those who have not heard it: Chrome
 * tells of no time(). NULL: it is none of timeEnd(), or does not say how long it took. Caller
 * destroys it.
 */
struct console_event *console_page_timer(const struct console_event *event);

#endif
