/* The callbacks of a server, see server.h. A message is the content of a text frame or a line. */
#ifndef RUNNER_NET_HANDLER_H
#define RUNNER_NET_HANDLER_H

#include "runner/base/strbuf.h"

#include <stdint.h>
#include <sys/types.h>

enum { NET_MAX_HEADERS = 8 };

enum net_framing {
    NET_WEBSOCKET, /* WebSockets and HTTP requests */
    NET_LINES,     /* one message per line, which ends with a newline */
};

/* What happens to a message that does not fit into the connection's outgoing queue. */
enum net_class {
    NET_REPLY,     /* the connection is closed with 1013, because an answer is never dropped */
    NET_TELEMETRY, /* the oldest telemetry is dropped and counted */
};

/* 0 means no limit, except for the first three and answer_ms. */
struct net_limits {
    size_t max_connections;
    size_t max_message; /* in bytes; a longer message closes the connection with 1009 */
    size_t max_queue;   /* bytes queued for one connection */
    int handshake_ms;   /* from accepting the connection to the end of the request; at most 20 s */
    int ping_ms;        /* between two pings; only WebSockets are pinged */
    int pong_ms;        /* from a ping to its answer */
    int idle_ms;        /* without a message in either direction */
    int rate, burst;    /* messages per second from a client, and messages at once */
    int answer_ms;      /* until a deferred answer, and between two of its parts; 0: a minute */
};

/*
 * A server's log: receives borrowed lines without their newline. Any thread; must not block. Of
 * clients that are refused, a listener reports at most one a second, with the number of the others.
 */
struct net_log {
    void (*on_line)(void *data, const char *line); /* NULL: no lines */
    void *data;
};

/* Writes a line. */
void net_log_say(const struct net_log *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new client. Borrowed during the call. */
struct net_peer {
    const char *path;    /* "/debug"; "" for lines */
    const char *query;   /* "a=b&c=d", percent-encoded, without the token; "": none */
    const char *address; /* of a TCP client, "127.0.0.1:40000"; NULL: unknown */
    pid_t pid;           /* process behind a Unix socket, otherwise 0 */
    bool has_token;      /* the token is right, or none is required */
};

/*
 * Decodes the first parameter of this name in a query of struct net_peer. Returns false if there is
 * none. A value that is too long or contains a NUL becomes "".
 */
bool net_query_param(const char *query, const char *name, char *value, size_t size);

/* An HTTP request that is not an upgrade, and its answer. */
struct net_request {
    const char *method, *path, *query;
    const char *host;  /* the Host header, with the port */
    const char *token; /* sent by the client and correct; NULL: none is required */
    uint64_t id;       /* for net_answer() */
    bool is_allowed;   /* by Origin and token; if false, the answer is not sent and the handler must
                          change nothing */
    /* For a handler that takes bodies. All are followed by a NUL. */
    const char *body; /* of a POST; "" without one; any bytes */
    size_t body_length;
    const char *const
        *headers; /* the values of the handler's `headers`, in its order; NULL: not sent */
};
struct net_answer {
    int status;               /* default: 404 */
    const char *content_type; /* static; default: "text/plain; charset=utf-8" */
    bool is_later;            /* net_answer() will answer in time; the other members are ignored */
    /*
     * The body is only a part: further calls of net_answer() send the others, whose other members
     * are ignored. The client can tell an answer that ends too early. Only after is_later.
     */
    bool has_more;
    bool is_for_all_origins; /* sends Access-Control-Allow-Origin: *, and requires no token */
    const char *headers;     /* further ones, each with CRLF; static; NULL: none */
    int retry_after_s;       /* sends Retry-After; 0: none */
    struct strbuf body;
};

/* Called on the loop thread; must not block. All callbacks may be NULL. */
struct net_handler {
    void *data;
    /* Returns false to refuse the connection; a WebSocket is refused with status 404. */
    bool (*on_open)(void *data, uint64_t id, const struct net_peer *peer);
    /* The text is valid UTF-8 followed by a NUL; borrowed. NULL: refuses WebSockets. */
    void (*on_message)(void *data, uint64_t id, const char *text, size_t length);
    /*
     * The client has stopped sending and may still read (lines only). NULL: closes the connection.
     */
    void (*on_end)(void *data, uint64_t id);
    void (*on_closed)(void *data, uint64_t id);
    /* Answers requests other than /health and /metrics, which every HTTP port answers itself. */
    void (*on_request)(void *data, const struct net_request *request, struct net_answer *answer);
    /*
     * Reads the body of a POST before on_request, up to max_message; then on_closed also reports
     * the end of a connection whose answer was deferred.
     */
    bool takes_bodies;
    /* Further headers that on_request receives, in lower case with a colon; ends with NULL. */
    const char *const *headers;
    /* Appends the metrics of the protocol in the text format of OpenMetrics. */
    void (*on_metrics)(void *data, struct strbuf *text);
};

#endif
