/*
 * What a server is told and asks for, see server.h. A message is what a text frame or a line holds.
 */
#ifndef RUNNER_NET_HANDLER_H
#define RUNNER_NET_HANDLER_H

#include "runner/base/strbuf.h"

#include <stdint.h>
#include <sys/types.h>

enum net_framing {
    NET_WEBSOCKET, /* and HTTP requests */
    NET_LINES,     /* a message a line, by a newline */
};

/* What becomes of a message that does not fit into the connection's outgoing queue. */
enum net_class {
    NET_REPLY,     /* the connection is closed, with 1013: an answer is never dropped */
    NET_TELEMETRY, /* the oldest telemetry is dropped, and counted */
};

/* 0 is no limit, but for the first three. */
struct net_limits {
    size_t max_connections;
    size_t max_message; /* bytes; a longer one closes the connection, with 1009 */
    size_t max_queue;   /* bytes that wait to be sent to one connection */
    int handshake_ms;   /* from the connection to the end of the request; 20 s at the most */
    int ping_ms;        /* between two pings; a WebSocket alone is pinged */
    int pong_ms;        /* to the answer */
    int idle_ms;        /* without a message in either direction */
    int rate, burst;    /* messages a second that a client may send, and at once */
};

/* Who has connected. Borrowed during the call. */
struct net_peer {
    const char *path;  /* "/debug"; "" for lines */
    const char *query; /* "a=b&c=d", encoded by percent signs anew, without the token; "": none */
    pid_t pid;         /* of a Unix socket, else 0 */
    bool has_token;    /* the right one, or none is asked for */
};

/*
 * The first parameter of this name, decoded, from a query of struct net_peer. False where it is not
 * there; where it does not fit or holds a NUL, `value` is "".
 */
bool net_query_param(const char *query, const char *name, char *value, size_t size);

/* An HTTP request that is no upgrade, and its answer. */
struct net_request {
    const char *method, *path, *query;
};
struct net_answer {
    int status;               /* 404 before */
    const char *content_type; /* static; "text/plain; charset=utf-8" before */
    bool is_for_all_origins;  /* Access-Control-Allow-Origin: *; it takes no token either */
    struct strbuf body;
};

/* Called on the loop thread; none may block. All but on_message may be NULL. */
struct net_handler {
    void *data;
    /* False refuses the connection: with 404 before the upgrade where it is one. */
    bool (*on_open)(void *data, uint64_t id, const struct net_peer *peer);
    /* UTF-8, checked, a NUL behind it; borrowed. */
    void (*on_message)(void *data, uint64_t id, const char *text, size_t length);
    /* The client has ended what it sends (lines alone); it may still read. NULL: it is closed. */
    void (*on_end)(void *data, uint64_t id);
    void (*on_closed)(void *data, uint64_t id);
    /* Of requests for other paths than /health and /metrics, which every HTTP port answers. */
    void (*on_request)(void *data, const struct net_request *request, struct net_answer *answer);
    /* Appends metrics of the protocol's own, in OpenMetrics' text form. */
    void (*on_metrics)(void *data, struct strbuf *text);
};

#endif
