/*
 * Transports bytes to a browser, or to another server. A transport carries complete messages and
 * does not interpret them.
 */
#ifndef RUNNER_NET_TRANSPORT_H
#define RUNNER_NET_TRANSPORT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/loop/loop.h"
#include "runner/net/server_url.h"

#include <stddef.h>

/* The largest message in bytes that is accepted from a browser. */
#define TRANSPORT_MAX_MESSAGE ((size_t)512 * 1024 * 1024)

/* A message of about this length in bytes is long: it is shortened before its end has arrived. */
#define TRANSPORT_LONG ((size_t)1024 * 1024)

/* All callbacks run on the loop thread. */
struct transport_handler {
    /* Receives a message with a NUL after its length. Takes ownership of text (free). */
    void (*on_message)(void *data, char *text, size_t length);
    /* Part of a message, which may be large and slow, has arrived: a sign of life. May be NULL. */
    void (*on_part)(void *data);
    /*
     * Receives the beginning of an unfinished long message, which it may shorten in place. Returns
     * the new length. Called again when the message has grown. May be NULL.
     */
    size_t (*on_long)(void *data, char *text, size_t length);
    /* The other side has closed, or can no longer be used. Called once, as the last callback. */
    void (*on_closed)(void *data, const char *reason);
    void *data;
};

struct transport {
    const struct transport_ops {
        /* Starts delivery to the handler. Any thread but the loop's. */
        bool (*start)(struct transport *transport, const struct transport_handler *handler,
                      struct br_error *err);
        /*
         * Sends a complete message, or fails. text[length] is a NUL unless it is CBOR. Any thread,
         * but only one at a time.
         */
        bool (*send)(struct transport *transport, const char *text, size_t length,
                     struct deadline deadline, struct br_error *err);
        /*
         * Like send() on the loop thread, without waiting. True: the message was sent, or nothing
         * can be sent any more, which on_closed reports. False: on_sent is called later, when one
         * of these is true; text must exist until then.
         */
        bool (*post)(struct transport *transport, const char *text, size_t length,
                     void (*on_sent)(void *data), void *data);
        /*
         * Makes the transport unusable: a send() in progress fails, and on_closed follows soon. Any
         * thread; does not wait.
         */
        void (*abort)(struct transport *transport);
        /* Destroys the transport; on_closed is not called. Any thread but the loop's. */
        void (*destroy)(struct transport *transport);
    } * ops;
    struct loop *loop;
    bool is_cbor; /* messages are sent as CBOR (cbor.h); received ones are converted to text */
};

/*
 * Connects a WebSocket, ws:// or wss://, and returns when it is open. NULL with DISCONNECTED if the
 * server cannot be reached or refuses, TIMEOUT at the deadline.
 */
struct transport *transport_websocket_connect(struct loop *loop, const char *url,
                                              const struct server_kind *peer,
                                              struct deadline deadline, struct br_error *err);

#endif
