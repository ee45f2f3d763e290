/* What a server calls, see server.h. A message is the content of a text frame or of a line. */
#ifndef RUNNER_NET_HANDLER_H
#define RUNNER_NET_HANDLER_H

#include "runner/base/strbuf.h"

#include <stdint.h>
#include <sys/types.h>

enum net_framing {
    NET_WEBSOCKET, /* and HTTP requests */
    NET_LINES,     /* a message a line, which ends with a newline */
};

/* What happens to a message that does not fit into the connection's outgoing queue. */
enum net_class {
    NET_REPLY,     /* the connection is closed, with 1013: an answer is never dropped */
    NET_TELEMETRY, /* the oldest telemetry is dropped, and counted */
};

/* 0 is no limit, except for the first three. */
struct net_limits {
    size_t max_connections;
    size_t max_message; /* bytes; a longer message closes the connection, with 1009 */
    size_t max_queue;   /* bytes queued for one connection */
    int handshake_ms;   /* from accepting to the end of the request; at most 20 s */
    int ping_ms;        /* between two pings; only WebSockets are pinged */
    int pong_ms;        /* from a ping to its answer */
    int idle_ms;        /* without a message in either direction */
    int rate, burst;    /* messages a second that a client may send, and at once */
};

/* A new client. Borrowed during the call. */
struct net_peer {
    const char *path;    /* "/debug"; "" for lines */
    const char *query;   /* "a=b&c=d", percent-encoded, without the token; "": none */
    const char *address; /* of a TCP client, "127.0.0.1:40000"; NULL: not known */
    pid_t pid;           /* of the process behind a Unix socket, else 0 */
    bool has_token;      /* the token is right, or none is required */
};

/*
 * Decodes the first parameter of this name in a query of struct net_peer. False: there is none. A
 * value that does not fit, or holds a NUL, becomes "".
 */
bool net_query_param(const char *query, const char *name, char *value, size_t size);

/* An HTTP request that is no upgrade, and its answer. */
struct net_request {
    const char *method, *path, *query;
    const char *host;  /* as the client names us, with its port */
    const char *token; /* that the client has sent, and is right; NULL: none is required */
    uint64_t id;       /* for net_answer() */
    bool is_allowed; /* by Origin and token; else the answer is not sent, and nothing may be done */
};
struct net_answer {
    int status;               /* preset: 404 */
    const char *content_type; /* static; preset: "text/plain; charset=utf-8" */
    bool is_later;            /* net_answer() brings it, within a minute; nothing else counts */
    bool is_for_all_origins;  /* adds Access-Control-Allow-Origin: *, and requires no token */
    struct strbuf body;
};

/* Called on the loop thread; none may block. All except on_message may be NULL. */
struct net_handler {
    void *data;
    /* False refuses the connection, a WebSocket with status 404. */
    bool (*on_open)(void *data, uint64_t id, const struct net_peer *peer);
    /* The text is valid UTF-8 with a NUL behind it; borrowed. */
    void (*on_message)(void *data, uint64_t id, const char *text, size_t length);
    /* The client sends no more, and may still read (lines only). NULL: closes the connection. */
    void (*on_end)(void *data, uint64_t id);
    void (*on_closed)(void *data, uint64_t id);
    /* Answers requests, except for /health and /metrics, which every HTTP port answers itself. */
    void (*on_request)(void *data, const struct net_request *request, struct net_answer *answer);
    /* Appends the protocol's own metrics, in OpenMetrics' text form. */
    void (*on_metrics)(void *data, struct strbuf *text);
};

#endif
