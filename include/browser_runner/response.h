/*
 * A response: what an action did, what the page said meanwhile, and what it looked like.
 * All strings are UTF-8, owned by the response, and NULL where a field is absent.
 */
#ifndef BROWSER_RUNNER_RESPONSE_H
#define BROWSER_RUNNER_RESPONSE_H

#include <browser_runner/error.h>
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
    char *location; /* "url:line:column", counted from 1; or NULL */
    char *stack;    /* one frame a line; or NULL */
};

struct br_network_event {
    char *url;
    char *method;
    char *error;          /* why the request failed; NULL when it did not */
    int status;           /* HTTP status; 0 when no response came */
    int64_t timestamp_ms; /* since 1970 */
};

/* Milliseconds and bytes; a negative value is one that is not known and is left out. */
struct br_metrics {
    double load_time_ms;          /* loadEventEnd - startTime of the navigation entry */
    double ttfb_ms;               /* responseStart - requestStart */
    double fcp_ms;                /* first contentful paint */
    double lcp_ms;                /* largest contentful paint */
    double dom_content_loaded_ms; /* domContentLoadedEventEnd - startTime */
    double memory_usage_bytes;    /* used JavaScript heap */
    double session_duration_ms;
    int js_errors;          /* uncaught exceptions during the action */
    int network_errors;     /* failed requests and statuses from 400 during the action */
    int total_errors;       /* failed actions of the session so far, this one included */
    int consecutive_errors; /* of these, how many in a row until now */
};

/* An encoded picture. A capture with `bytes` NULL is absent. */
struct br_capture {
    unsigned char *bytes;
    size_t size;
    const char *media_type; /* "image/jpeg" or "image/png" */
    int width, height;      /* pixels of this picture */
    double scale;           /* this picture's pixels per CSS pixel */
    int64_t captured_at_ms; /* since 1970 */
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
    struct br_metrics metrics;
    struct br_capture pre, post;
    char *result;   /* the value of an evaluation as JSON text; or NULL */
    int attempts;   /* how often it was tried */
    bool recovered; /* the page was lost and is back where it was */
    int64_t duration_ms;
};

BR_API void br_response_destroy(struct br_response *response);

/*
 * The response as one line of JSON without a newline, images inside it whole.
 * Caller frees with free().
 */
BR_API char *br_response_to_json(const struct br_response *response);

#ifdef __cplusplus
}
#endif

#endif
