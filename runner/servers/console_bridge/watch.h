/*
 * A page of this program whose console a hub tells: a session by itself, opened in a browser that
 * it may share with others. When the page or its browser dies, it is brought back.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_WATCH_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_WATCH_H

#include "runner/servers/console_bridge/hub.h"
#include "runner/sessions/sessions.h"

struct console_watch;

struct console_watch_options {
    struct console_hub *hub; /* outlives it */
    struct sessions *sessions;
    const json_t *settings; /* of the session, see sessions/settings.h; borrowed */
    unsigned number;        /* from 1; what names it in the hub and among the sessions */
    const char *url;        /* NULL: the tab that the settings name, as it is */
    const char *shown_url, *shown_title; /* of that tab, as far as they are known; NULL */
    /* The page has gone and does not come back: why. On its own thread; NULL: nobody is told. */
    void (*on_over)(void *data, struct console_watch *watch, const struct br_error *why);
    void *data;
};

/* Begins to open it, and returns; on_over tells of a page that cannot be opened. NULL with the
 * error. */
struct console_watch *console_watch_start(const struct console_watch_options *options,
                                          struct br_error *err);

/* Looks whether it is still there; to be called now and then. Any thread, as all others. */
void console_watch_look(struct console_watch *watch);

/* Closes it. Not on its own thread. NULL is fine. */
void console_watch_stop(struct console_watch *watch);

#endif
