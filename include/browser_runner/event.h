/*
 * What happens in a session, told while it happens: br_session_subscribe() in session.h. Secrets
 * are masked already (docs/privacy.md), also in headers and in what was sent. Strings are UTF-8,
 * owned by the event, and NULL where something is absent.
 */
#ifndef BROWSER_RUNNER_EVENT_H
#define BROWSER_RUNNER_EVENT_H

#include <browser_runner/response.h>

#ifdef __cplusplus
extern "C" {
#endif

enum br_event_kind {
    BR_EVENT_CONSOLE,    /* a page called its console: as.log */
    BR_EVENT_EXCEPTION,  /* a script threw and nobody caught it: as.log */
    BR_EVENT_LOG,        /* what else Chrome says, or browser-runner: as.log */
    BR_EVENT_REQUEST,    /* a request was sent, or its answer begins: as.network */
    BR_EVENT_NETWORK,    /* a request ended, one hop of it, or a WebSocket changed: as.network */
    BR_EVENT_NAVIGATION, /* of the main frame: as.navigation */
    BR_EVENT_DIALOG,     /* one came and was answered: as.dialog */
    BR_EVENT_DOWNLOAD,   /* one began or ended: as.download */
    BR_EVENT_TAB,        /* as.tab */
    BR_EVENT_PAGE,       /* it was lost, or is back: as.page */
    BR_EVENT_ACTION,     /* one began or ended: as.action */
    BR_EVENT_PROGRESS,   /* what the present action does: as.progress */
    BR_EVENT_DROPPED,    /* so many entries of the page's were not looked at: as.dropped */
};

/* A request, by the browser's name for it, which is the same from its first step to its last. */
struct br_network_step {
    char *id;
    struct br_network_event event; /* as far as it is known by then; headers always */
};

enum br_navigation_step {
    BR_NAVIGATION_BEGUN,
    BR_NAVIGATION_DONE,   /* another document is there */
    BR_NAVIGATION_LOADED, /* and all that belongs to it */
    BR_NAVIGATION_WITHIN, /* the same document, by another URL */
    BR_NAVIGATION_SLOW,   /* after a second, what has begun is not loaded yet */
};

struct br_navigation {
    enum br_navigation_step step;
    char *url;
};

struct br_dialog {
    char *type; /* "alert", "confirm", "prompt" or "beforeunload" */
    char *message;
    bool is_accepted;
};

enum br_tab_step {
    BR_TAB_OPENED,
    BR_TAB_CLOSED,
    BR_TAB_ACTIVATED, /* it is the page from now on */
};

struct br_tab_change {
    int number;
    char *id; /* Chrome's, as /json/list has it */
    enum br_tab_step step;
};

struct br_page_change {
    bool is_back; /* otherwise it was lost */
    char *reason; /* of the loss */
};

struct br_action_change {
    bool is_over;
    char *type, *label;
    /* With is_over only. */
    bool success;
    enum br_code code;
    char *error;
    int64_t duration_ms;
};

enum br_progress_kind {
    BR_PROGRESS_WAITING,    /* `text` says for what */
    BR_PROGRESS_RETRYING,   /* after what */
    BR_PROGRESS_RECOVERING, /* from what */
};

struct br_progress {
    enum br_progress_kind what;
    char *text;
};

struct br_event {
    enum br_event_kind kind;
    /* Counts from 1, without gaps; 0 of a REQUEST and of PROGRESS, which no journal keeps. */
    uint64_t sequence;
    int64_t timestamp_ms;   /* since 1970 */
    const char *session_id; /* "" where the session has none */
    uint64_t generation;    /* which life of the browser; 0: none yet */
    uint64_t action_id;     /* the action during which it happened; 0: between two */
    int tab; /* the number of a tab that is not the page, see br_sink.wants_tabs; 0: the page */
    union {
        struct br_log log;
        struct br_network_step network;
        struct br_navigation navigation;
        struct br_dialog dialog;
        struct br_download download;
        struct br_tab_change tab;
        struct br_page_change page;
        struct br_action_change action;
        struct br_progress progress;
        uint64_t dropped;
    } as;
};

/* "console", "exception" and so on. Static. */
BR_API const char *br_event_name(enum br_event_kind kind);

/*
 * Keeps an event beyond the call that told of it, on whatever thread, until it was released as
 * often. It never changes. Returns the event.
 */
BR_API const struct br_event *br_event_hold(const struct br_event *event);
BR_API void br_event_release(const struct br_event *event);

/* Who is told of what happens. */
struct br_sink {
    /* On the session's thread, in order; must neither block nor use the session. */
    void (*on_event)(void *data, const struct br_event *event);
    void *data;
    unsigned kinds;    /* bits 1 << enum br_event_kind; 0: all */
    bool wants_values; /* as.log.arguments: the arguments of console calls as typed values */
    /* Also CONSOLE, EXCEPTION and NAVIGATION of the session's other tabs. Their sequence is 0. */
    bool wants_tabs;
};

#ifdef __cplusplus
}
#endif

#endif
