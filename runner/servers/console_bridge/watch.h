/*
 * Sends the console calls of a page of this program to a hub. The page has a session of its own, in
 * a browser that it may share, and is restored when it or its browser crashes.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_WATCH_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_WATCH_H

#include "runner/servers/console_bridge/hub.h"
#include "runner/sessions/sessions.h"

struct console_watch;

struct console_watch_options {
    struct console_hub *hub; /* must outlive the watch */
    struct sessions *sessions;
    const json_t *settings; /* of the session, see sessions/settings.h; borrowed */
    unsigned number;        /* from 1; names it in the hub and among the sessions */
    atomic_uint *last_tab;  /* of the ids that tabs have in messages; must outlive the watch */
    const char *url;        /* opened; NULL: use the tab that the settings name, as it is */
    const char *shown_url, *shown_title; /* of that tab; NULL: unknown */
    int64_t from_ms; /* calls of that tab that are not later are not reported; 0: all are */
    /* Called on the page's thread when the page opens or closes a tab (Chrome's id). NULL: not
     * called. */
    void (*on_tab)(void *data, const char *id, bool is_open);
    /* Called on the page's thread when the page is lost for good. NULL: not called. */
    void (*on_over)(void *data, struct console_watch *watch, const struct br_error *why);
    void *data;
};

/* Starts to open the page; on_over reports a page that cannot be opened. NULL with the error when
 * there is no session. */
struct console_watch *console_watch_start(const struct console_watch_options *options,
                                          struct br_error *err);

/* Checks whether the page still exists; call it regularly. Any thread. */
void console_watch_look(struct console_watch *watch);

/* Whether the page is lost for good. Any thread. */
bool console_watch_is_over(const struct console_watch *watch);

/* Closes the page. Not on the page's thread. NULL is fine. */
void console_watch_stop(struct console_watch *watch);

#endif
