/*
 * How bytes reach a browser, or another server. A transport carries whole messages of text; who
 * uses it knows what they mean.
 */
#ifndef RUNNER_CDP_TRANSPORT_H
#define RUNNER_CDP_TRANSPORT_H

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/cdp/endpoint.h"
#include "runner/loop/loop.h"

#include <jansson.h>
#include <stddef.h>

/* The largest message that is taken from a browser. */
#define TRANSPORT_MAX_MESSAGE ((size_t)512 * 1024 * 1024)

/* A message that is about so long is long: its end is not waited for to make it shorter. */
#define TRANSPORT_LONG ((size_t)1024 * 1024)

/* All run on the loop thread. */
struct transport_handler {
    /* A message, terminated by a NUL behind its length. Takes ownership of text (free). */
    void (*on_message)(void *data, char *text, size_t length);
    /* A part of a message came, which may be large and slow: a sign of life. NULL: not needed. */
    void (*on_part)(void *data);
    /*
     * The beginning of a long message that has not ended; it may be made shorter in place. Returns
     * its length. Comes again when that has grown. NULL: not needed.
     */
    size_t (*on_long)(void *data, char *text, size_t length);
    /* The other side is gone or not to be used any more; comes once, nothing follows. */
    void (*on_closed)(void *data, const char *reason);
    void *data;
};

struct transport {
    const struct transport_ops {
        /* Starts to deliver to the handler. Any thread but the loop's. */
        bool (*start)(struct transport *transport, const struct transport_handler *handler,
                      struct br_error *err);
        /* Sends one message whole, or fails; text[length] is a NUL, or it is CBOR. Any thread, one
         * at a time. */
        bool (*send)(struct transport *transport, const char *text, size_t length,
                     struct deadline deadline, struct br_error *err);
        /*
         * The same on the loop thread, which does not wait. True: it was sent, or nothing can be
         * any more, of which on_closed tells. False: on_sent comes later, when one of both is so;
         * the text lives until then.
         */
        bool (*post)(struct transport *transport, const char *text, size_t length,
                     void (*on_sent)(void *data), void *data);
        /* Makes it useless: a send that goes on fails, on_closed comes soon. Any thread; no wait.
         */
        void (*abort)(struct transport *transport);
        /* Ends it; on_closed does not come any more. Any thread but the loop's. */
        void (*destroy)(struct transport *transport);
    } * ops;
    struct loop *loop;
    bool is_cbor; /* what is sent is, see cbor.h; what comes is made to text */
};

/*
 * Chrome's --remote-debugging-pipe: messages end with a NUL; with =cbor they are those of cbor.h.
 * write_fd is a stream socket, read_fd a pipe or a socket. Takes ownership of both.
 */
struct transport *transport_pipe_create(struct loop *loop, int read_fd, int write_fd, bool is_cbor);

/*
 * A WebSocket, ws:// or wss://, connected when this returns. NULL with DISCONNECTED when the
 * server cannot be reached or refuses, TIMEOUT at the deadline.
 */
struct transport *transport_websocket_connect(struct loop *loop, const char *url,
                                              const struct endpoint_peer *peer,
                                              struct deadline deadline, struct br_error *err);

/*
 * What the browser at http://host:port, or ws://host:port/…, says in its /json/list: an array of
 * { id, type, url, title, … }. Caller decrefs.
 */
json_t *transport_list_tabs(struct loop *loop, const char *url, struct deadline deadline,
                            struct br_error *err);

/* Finds the WebSocket URL behind http://host:port, by its /json/version. Caller frees. */
char *transport_websocket_discover(struct loop *loop, const char *url, struct deadline deadline,
                                   struct br_error *err);

#endif
