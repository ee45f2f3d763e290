/*
 * A response: what an action did, what the page said meanwhile, and what it looked like.
 * All strings are UTF-8, owned by the response, and NULL where a field is absent.
 */
#ifndef BROWSER_RUNNER_RESPONSE_H
#define BROWSER_RUNNER_RESPONSE_H

#include <browser_runner/error.h>
#include <browser_runner/value.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values are the numeric severities of the field `level`. */
enum br_log_type {
    BR_LOG_VERBOSE = 0,
    BR_LOG_DEBUG = 1,
    BR_LOG_INFO = 2,
    BR_LOG_WARNING = 3,
    BR_LOG_ERROR = 4,
};

enum br_log_source {
    BR_SOURCE_BROWSER, /* the page or Chrome said it */
    BR_SOURCE_TOOL,    /* browser-runner said it */
};

struct br_log {
    enum br_log_type type;
    enum br_log_source source;
    int64_t timestamp_ms; /* since 1970 */
    char *message;
    char *category; /* such as "console", "javascript", "network"; or NULL */
    char *location; /* "url:line:column", counted from 1, of the source when its map is known */
    char *stack;    /* one frame a line; or NULL */
    char *generated_location; /* where that is in the file that was served; or NULL */
    const char *kind;         /* "exception", "rejection", "csp" and the like; static; or NULL */
    int count;                /* how often it was said; 0 is once */
    char *hint;               /* what to do about it; or NULL */
    char *method;             /* of a console call: "log", "table", "startGroup" …; else NULL */
    char *arguments; /* its arguments, a JSON array of CDP's DeepSerializedValue; in events only,
                        where a sink wants_values; otherwise NULL */
    uint64_t id;     /* names it among the session's */
};

/* How the time of a request was spent, in milliseconds; negative: not known, or it did not happen.
 */
struct br_network_timings {
    double blocked_ms; /* until anything was done for it */
    double dns_ms;
    double connect_ms; /* tls_ms included */
    double tls_ms;
    double send_ms;
    double wait_ms;    /* from what was sent to the response's head */
    double receive_ms; /* the rest of the response */
};

struct br_header {
    char *name;
    char *value;
};

/* A request that has ended, one hop of its redirects, or what happened to a WebSocket. */
struct br_network_event {
    char *url;
    char *method;
    char *error;          /* why the request failed; NULL when it did not */
    int status;           /* HTTP status; 0 when no response came */
    int64_t timestamp_ms; /* since 1970, of its beginning */
    char *type;           /* "document", "script", "xhr", "fetch", "websocket" and the like */
    char *mime_type;
    char *protocol; /* "http/1.1", "h2" and the like */
    char *status_text;
    char *remote_address; /* "127.0.0.1:80", "[::1]:80" */
    char *blocked_reason; /* such as "csp"; NULL when nothing blocked it */
    char *redirected_to;  /* of a hop: the URL that follows */
    char *initiator_type; /* "parser", "script", "preload" and the like */
    char *initiator_url;
    int initiator_line;     /* counted from 1; 0: not known */
    bool is_canceled;       /* the page, or its leaving, ended it: no failure */
    bool is_from_cache;     /* of the browser */
    bool is_service_worker; /* a service worker answered */
    double duration_ms;     /* negative: not known */
    struct br_network_timings timings;
    int64_t request_bytes;  /* of the body that was sent; -1: not known */
    int64_t response_bytes; /* over the wire, head included; -1: not known */
    int64_t decoded_bytes;  /* of the body; -1: not known */
    char *body;             /* of a status from 400: its first 4 KB as text; or NULL */
    bool is_body_cut;
    char *body_omitted;     /* why there is no body though there should be one; or NULL */
    const char *web_socket; /* "opened", "failed" or "closed"; static; NULL: no WebSocket */
    char *navigation_id;    /* the same for all requests since the main frame's last one; or NULL */
    bool is_navigation;     /* it is the main frame's document */
    /* With br_session_options.keeps_headers only. */
    struct br_header *request_headers, *response_headers;
    size_t request_header_count, response_header_count;
    char *post_data; /* what was sent, its first 64 KB; or NULL */
};

/* Which requests the JSON of a response shows; each keeps less than the one before. */
enum br_network_filter {
    BR_NETWORK_ALL,
    BR_NETWORK_XHR,      /* what scripts asked for, WebSockets, and what follows */
    BR_NETWORK_DOCUMENT, /* documents of all frames, and what failed */
    BR_NETWORK_FAILED,
    BR_NETWORK_NONE,
};

/* Milliseconds and bytes; a negative value is one that is not known and is left out. */
struct br_metrics {
    double load_time_ms;          /* loadEventEnd - startTime of the navigation entry */
    double ttfb_ms;               /* responseStart - requestStart */
    double fcp_ms;                /* first contentful paint */
    double lcp_ms;                /* largest contentful paint */
    double dom_content_loaded_ms; /* domContentLoadedEventEnd - startTime */
    double cls;                   /* cumulative layout shift: of the worst window, without unit */
    double inp_ms;                /* interaction to next paint */
    double long_tasks;            /* how many there were: over 50 ms each */
    double long_task_ms;          /* how long they were together */
    double memory_usage_bytes;    /* used JavaScript heap */
    double nodes;                 /* of all documents of the process, detached ones included */
    double layouts;               /* so far, of the process */
    double transfer_bytes;        /* over the wire since the page was asked for */
    double session_duration_ms;
    int js_errors;          /* uncaught exceptions during the action */
    int network_errors;     /* failed requests and statuses from 400 during the action */
    int total_errors;       /* failed actions since the last `start`, this one included */
    int consecutive_errors; /* of these, how many in a row until now */
    /* Of the whole session, this action included: */
    int total_actions, total_js_errors, total_network_errors;
    int failures[BR_CODE_ROOM]; /* actions that failed with this code */
};

/* An encoded picture. A capture with `bytes` NULL is absent. */
struct br_capture {
    unsigned char *bytes;
    size_t size;
    const char *media_type; /* "image/jpeg", "image/png" or "image/webp"; static */
    int width, height;      /* pixels of this picture */
    double scale;           /* this picture's pixels per CSS pixel */
    int64_t captured_at_ms; /* since 1970 */
    int quality;            /* that it was encoded with, 1 to 100; 0: it has none, as PNG */
};

/* One of the slices that a tall page is cut into, and where it is in the page, in CSS pixels. */
struct br_tile {
    struct br_capture picture;
    double x, y, width, height;
};

struct br_download {
    char *url;
    char *suggested_name; /* as the page or the server named it */
    char *file;           /* where it is saved; NULL: nowhere, or not yet */
    char *state;          /* "completed", "inProgress", "canceled", or "failed" to be saved */
    int64_t bytes;        /* that have come so far */
};

struct br_response {
    uint64_t id; /* counts the session's actions from 1 */
    char *type;
    char *label;
    bool success;
    struct br_error error; /* when success is false */
    int http_status;       /* of a navigation; 0 for anything else */
    char *url;
    char *title;
    struct br_log *logs; /* in the order in which they came */
    size_t log_count;
    struct br_network_event *network_events;
    size_t network_event_count;
    size_t network_events_dropped;         /* beyond 1000: not kept */
    enum br_network_filter network_filter; /* of their JSON: network_events has all */
    struct br_download *downloads;         /* that have ended since the last response, or go on */
    size_t download_count;
    struct br_metrics metrics;
    struct br_capture pre, post;
    struct br_tile *tiles; /* of a screenshot with `tiles`, from the top; it has no `post` */
    size_t tile_count;
    char *result;   /* the value of an evaluation as JSON text; or NULL */
    int attempts;   /* how often it was tried */
    bool recovered; /* the page was lost and is back where it was */
    int64_t duration_ms;
    char *debug_dir;    /* where debug mode has put the files; or NULL */
    char **debug_files; /* their names in it */
    size_t debug_file_count;
    char *session_id;
    char *delivered; /* what the presses of the mouse came to, as JSON text; NULL: none was sent */
    struct response_values *values; /* the library's own: both as values */
};

BR_API void br_response_destroy(struct br_response *response);

/* `result` and `delivered` as values; NULL where there is none. Borrowed from the response. */
BR_API const struct br_value *br_response_result(const struct br_response *response);
BR_API const struct br_value *br_response_delivered(const struct br_response *response);

/*
 * The response as one line of JSON without a newline, images inside it whole.
 * Caller frees with free().
 */
BR_API char *br_response_to_json(const struct br_response *response);

#ifdef __cplusplus
}
#endif

#endif
