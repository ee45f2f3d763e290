/*
 * A response: what an action did, what the page logged meanwhile, and what it looked like. All
 * strings are UTF-8, owned by the response, and NULL where a field is absent.
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
    BR_SOURCE_BROWSER, /* reported by the page or Chrome */
    BR_SOURCE_TOOL,    /* reported by browser-runner */
};

struct br_log {
    enum br_log_type type;
    enum br_log_source source;
    int64_t timestamp_ms; /* since 1970 */
    char *message;
    char *category; /* such as "console", "javascript", "network"; or NULL */
    char *location; /* "url:line:column", counted from 1; in the original source if its source
                       map is known */
    char *stack;    /* one frame per line; or NULL */
    char *generated_location; /* the location in the served file when `location` is a mapped one;
                                 or NULL */
    const char *kind;         /* "exception", "rejection", "csp" and the like; static; or NULL */
    int count;                /* number of repetitions; 0 means once */
    char *hint;               /* how to fix it; or NULL */
    char *method;             /* of a console call: "log", "table", "startGroup" …; otherwise
                                 NULL */
    char *arguments; /* the console call's arguments, a JSON array of CDP's DeepSerializedValue;
                        only in events for a sink with wants_values, otherwise NULL */
    uint64_t id;     /* unique within the session */
};

/* The phases of a request in milliseconds. Negative: unknown, or the phase did not occur. */
struct br_network_timings {
    double blocked_ms; /* queued before any work on the request */
    double dns_ms;
    double connect_ms; /* includes tls_ms */
    double tls_ms;
    double send_ms;
    double wait_ms;    /* from the end of sending to the response's head */
    double receive_ms; /* receiving the rest of the response */
};

struct br_header {
    char *name;
    char *value;
};

/* A finished request, one redirect of it, or a change of a WebSocket. */
struct br_network_event {
    char *url;
    char *method;
    char *error;          /* why the request failed; NULL if it did not */
    int status;           /* HTTP status; 0 without a response */
    int64_t timestamp_ms; /* start of the request, since 1970 */
    char *type;           /* "document", "script", "xhr", "fetch", "websocket" and so on */
    char *mime_type;
    char *protocol; /* "http/1.1", "h2" and so on */
    char *status_text;
    char *remote_address; /* "127.0.0.1:80", "[::1]:80" */
    char *blocked_reason; /* such as "csp"; NULL if the request was not blocked */
    char *redirected_to;  /* of a redirect: the next URL */
    char *initiator_type; /* "parser", "script", "preload" and so on */
    char *initiator_url;
    int initiator_line;     /* counted from 1; 0: unknown */
    bool is_canceled;       /* aborted by the page, or because the page was left; not a failure */
    bool is_from_cache;     /* served from the browser's cache */
    bool is_service_worker; /* answered by a service worker */
    double duration_ms;     /* negative: unknown */
    struct br_network_timings timings;
    int64_t request_bytes;  /* request body as sent; -1: unknown */
    int64_t response_bytes; /* received over the wire, including headers; -1: unknown */
    int64_t decoded_bytes;  /* decoded body; -1: unknown */
    char *body;             /* for a status of 400 or higher: the first 4 KB of the body as text;
                               or NULL */
    bool is_body_cut;
    char *body_omitted;     /* why `body` is missing although it was expected; or NULL */
    const char *web_socket; /* "opened", "failed" or "closed"; static; NULL: not a WebSocket */
    char *navigation_id;    /* the same for all requests since the main frame's last navigation;
                               or NULL */
    bool is_navigation;     /* the request for the main frame's document */
    /* Set only with br_session_options.keeps_headers. */
    struct br_header *request_headers, *response_headers;
    size_t request_header_count, response_header_count;
    char *post_data; /* the first 64 KB of the request body; or NULL */
};

/* Which requests the JSON of a response contains; each value keeps fewer than the one before. */
enum br_network_filter {
    BR_NETWORK_ALL,
    BR_NETWORK_XHR,      /* requests by scripts, WebSockets, and all that DOCUMENT keeps */
    BR_NETWORK_DOCUMENT, /* documents of all frames, and failed requests */
    BR_NETWORK_FAILED,
    BR_NETWORK_NONE,
};

/* Milliseconds and bytes. A negative value is unknown and omitted from the JSON. */
struct br_metrics {
    double load_time_ms;          /* loadEventEnd - startTime of the navigation entry */
    double ttfb_ms;               /* responseStart - requestStart */
    double fcp_ms;                /* First Contentful Paint */
    double lcp_ms;                /* Largest Contentful Paint */
    double dom_content_loaded_ms; /* domContentLoadedEventEnd - startTime */
    double cls;                   /* Cumulative Layout Shift: score of the worst session window,
                                     no unit */
    double inp_ms;                /* Interaction to Next Paint */
    double long_tasks;            /* number of tasks over 50 ms */
    double long_task_ms;          /* total duration of the long tasks */
    double memory_usage_bytes;    /* used JavaScript heap */
    double nodes;                 /* DOM nodes in all documents of the process, including
                                     detached ones */
    double layouts;               /* layouts of the process so far */
    double transfer_bytes;        /* received over the wire since the page was requested */
    double session_duration_ms;
    int js_errors;          /* uncaught exceptions during the action */
    int network_errors;     /* failed requests and statuses of 400 or higher during the action */
    int total_errors;       /* failed actions since the last `start`, including this one */
    int consecutive_errors; /* failed actions in a row up to now */
    /* Totals of the whole session, including this action: */
    int total_actions, total_js_errors, total_network_errors;
    int failures[BR_CODE_ROOM]; /* number of failed actions for each code */
};

/* An encoded picture. `bytes` is NULL when there is none. */
struct br_capture {
    unsigned char *bytes;
    size_t size;
    const char *media_type; /* "image/jpeg", "image/png" or "image/webp"; static */
    int width, height;      /* in pixels of this picture */
    double scale;           /* pixels of this picture per CSS pixel */
    int64_t captured_at_ms; /* since 1970 */
    int quality;            /* quality of the encoding, 1 to 100; 0: not applicable, such as PNG */
};

/* One slice of a tall page, and its position in the page in CSS pixels. */
struct br_tile {
    struct br_capture picture;
    double x, y, width, height;
};

struct br_download {
    char *url;
    char *suggested_name; /* name given by the page or the server */
    char *file;           /* path of the saved file; NULL: not saved, or not yet */
    char *state;          /* "completed", "inProgress", "canceled", or "failed" if saving failed */
    int64_t bytes;        /* bytes received so far */
};

struct br_response {
    uint64_t id; /* number of the action in the session, from 1 */
    char *type;
    char *label;
    bool success;
    struct br_error error; /* set when success is false */
    int http_status;       /* of a navigation; otherwise 0 */
    char *url;
    char *title;
    struct br_log *logs; /* in order of arrival */
    size_t log_count;
    struct br_network_event *network_events;
    size_t network_event_count;
    size_t network_events_dropped;         /* requests beyond the limit of 1000, which were not
                                              kept */
    enum br_network_filter network_filter; /* applies to the JSON only; network_events is
                                              complete */
    struct br_download *downloads;         /* downloads that ended since the last response, or
                                              are in progress */
    size_t download_count;
    struct br_metrics metrics;
    struct br_capture pre, post;
    struct br_tile *tiles; /* of a screenshot with `tiles`, from the top; `post` is then absent */
    size_t tile_count;
    char *result;   /* value of an evaluation as JSON text; or NULL */
    int attempts;   /* number of tries */
    bool recovered; /* the page was lost and has been restored */
    int64_t duration_ms;
    char *debug_dir;    /* directory of the debug mode's files; or NULL */
    char **debug_files; /* names of the files in debug_dir */
    size_t debug_file_count;
    char *session_id;
    char *delivered; /* which events the page received for mouse clicks, as JSON text; NULL: no
                        click was sent */
    char *appeared;  /* what the page has announced since the last response, as JSON text; NULL:
                        nothing */
    struct response_values *values; /* private to the library: the JSON texts, parsed */
};

BR_API void br_response_destroy(struct br_response *response);

/* Return `result`, `delivered` and `appeared` as values; NULL when absent. Borrowed from the
 * response. */
BR_API const struct br_value *br_response_result(const struct br_response *response);
BR_API const struct br_value *br_response_delivered(const struct br_response *response);
BR_API const struct br_value *br_response_appeared(const struct br_response *response);

/*
 * Returns the response as one line of JSON without a newline, including the images. Caller frees
 * with free().
 */
BR_API char *br_response_to_json(const struct br_response *response);

#ifdef __cplusplus
}
#endif

#endif
