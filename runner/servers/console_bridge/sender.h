/*
 * Tells a server of console-bridge what pages of this program say to their consoles, as an
 * extension would. A thread of its own connects, again after 1, 2, 4, 8 and then every 16 seconds,
 * and sends; nothing waits for it. What cannot be sent is kept within limits, the rest counted.
 * docs/console.md.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_SENDER_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_SENDER_H

#include "runner/base/error.h"
#include "runner/loop/loop.h"

#include "runner/sessions/worker.h"

#include <browser_runner/session.h>

struct console_sender;
struct console_feed;

struct console_sender_options {
    const char *url; /* ws:// or wss:// */
    /* What the user should know, on the sender's thread or a session's; NULL: nobody is told. */
    void (*on_news)(void *data, const char *text);
    void *data;
};

enum {
    SENDER_RATE = 200, /* messages a second of a page; warnings and errors twice as many */
    SENDER_MAX_WAITING = 4 << 20 /* bytes of events; calls that are no errors: half of it */
};

/* INVALID_ACTION for a URL that is no WebSocket; that nobody listens there is no error. */
struct console_sender *console_sender_start(struct loop *loop,
                                            const struct console_sender_options *options,
                                            struct br_error *err);

/* Sends what waits, for a moment, when there is a connection, and ends. Its feeds' sessions have
 * ended. NULL is fine. */
void console_sender_stop(struct console_sender *sender);

/*
 * From now on the session's console is told, as that of a tab of its own, until the session ends.
 * On the session's thread. NULL with LIMIT_EXCEEDED. The sender owns it.
 */
struct console_feed *console_feed_open(struct console_sender *sender, struct br_session *session,
                                       struct br_error *err);

/* The same for a worker's session, before whatever is asked of it from now on. Any thread. */
void console_sender_join(struct console_sender *sender, struct worker *worker);

/* What is known of the page and its browser ("Chrome/156.0"); each may be NULL. As above. */
void console_feed_note(struct console_feed *feed, const char *browser, const char *url,
                       const char *title);

#endif
