/*
 * Sends the console calls of this program's pages to a console-bridge server, as an extension does.
 * Its own thread connects and sends, and tries again after 1, 2, 4, 8 and then every 16 seconds;
 * pages never wait for it. Events that cannot be sent are kept up to a limit, further ones counted.
 * docs/console.md.
 */
#ifndef RUNNER_SERVERS_CLIENTS_CONSOLE_SENDER_H
#define RUNNER_SERVERS_CLIENTS_CONSOLE_SENDER_H

#include "runner/base/error.h"
#include "runner/loop/loop.h"
#include "runner/servers/clients/console_feed.h"

struct console_sender;

struct console_sender_options {
    const char *url; /* ws:// or wss:// */
    /* Receives messages for the user, on the sender's thread or a session's. NULL: no messages. */
    void (*on_news)(void *data, const char *text);
    void *data;
};

enum {
    SENDER_MAX_WAITING = 4 << 20 /* bytes of events; half of it for calls that are no errors */
};

/* INVALID_ACTION for a URL that is not a WebSocket's. An unreachable server is no error. */
struct console_sender *console_sender_start(struct loop *loop,
                                            const struct console_sender_options *options,
                                            struct br_error *err);

/* Ends; if connected, first sends what waits, for up to 2 s. All sessions must have ended. NULL is
 * fine. */
void console_sender_stop(struct console_sender *sender);

/*
 * Sends the session's console calls from now until the session ends, as a tab of their own. On the
 * session's thread. NULL with LIMIT_EXCEEDED. The sender owns the feed.
 */
struct console_feed *console_feed_open(struct console_sender *sender, struct br_session *session,
                                       struct br_error *err);

/* The same for a worker's session, before its next job. Any thread. */
void console_sender_join(struct console_sender *sender, struct worker *worker);

#endif
