/*
 * Events of a session, reported while they happen: see br_session_subscribe() in session.h. Secrets
 * are already masked (docs/privacy.md), also in headers and request bodies. Strings are UTF-8,
 * owned by the event, and NULL where a field is absent.
 */
#ifndef BROWSER_RUNNER_EVENT_H
#define BROWSER_RUNNER_EVENT_H

#include <browser_runner/response.h>

#ifdef __cplusplus
extern "C" {
#endif

enum br_event_kind {
    BR_EVENT_CONSOLE,    /* a page called its console: as.log */
    BR_EVENT_EXCEPTION,  /* a script threw an exception that was not caught: as.log */
    BR_EVENT_LOG,        /* another message of Chrome or browser-runner: as.log */
    BR_EVENT_REQUEST,    /* a request was sent, or its response has begun: as.network */
    BR_EVENT_NETWORK,    /* a request or one redirect of it ended, or a WebSocket changed:
                            as.network */
    BR_EVENT_NAVIGATION, /* a navigation of the main frame: as.navigation */
    BR_EVENT_DIALOG,     /* a dialog opened and was answered: as.dialog */
    BR_EVENT_DOWNLOAD,   /* a download began or ended: as.download */
    BR_EVENT_TAB,        /* a tab opened, closed or became the page: as.tab */
    BR_EVENT_PAGE,       /* the page was lost or restored: as.page */
    BR_EVENT_ACTION,     /* an action began or ended: as.action */
    BR_EVENT_PROGRESS,   /* what the current action is doing: as.progress */
    BR_EVENT_DROPPED,    /* entries of the page that were not recorded because there were too
                            many: as.dropped */
};

/*
 * A step of a request. `id` is the browser's request id, the same from the first step to the last.
 */
struct br_network_step {
    char *id;
    struct br_network_event event; /* what is known at this step; always with headers */
};

enum br_navigation_step {
    BR_NAVIGATION_BEGUN,
    BR_NAVIGATION_DONE,   /* a new document was committed */
    BR_NAVIGATION_LOADED, /* the document and its resources have loaded */
    BR_NAVIGATION_WITHIN, /* the URL changed within the same document */
    BR_NAVIGATION_SLOW,   /* one second after the navigation began, the page has not loaded yet */
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
    BR_TAB_ACTIVATED, /* the tab is now the session's page */
};

struct br_tab_change {
    int number;
    char *id; /* Chrome's target id, as in /json/list */
    enum br_tab_step step;
};

struct br_page_change {
    bool is_back; /* true: restored; false: lost */
    char *reason; /* why it was lost */
};

struct br_action_change {
    bool is_over;
    char *type, *label;
    /* Set only when is_over is true. */
    bool success;
    enum br_code code;
    char *error;
    int64_t duration_ms;
};

enum br_progress_kind {
    BR_PROGRESS_WAITING,    /* `text` names what is awaited */
    BR_PROGRESS_RETRYING,   /* `text` names the failure of the last try */
    BR_PROGRESS_RECOVERING, /* `text` names the cause of the loss */
};

struct br_progress {
    enum br_progress_kind what;
    char *text;
};

struct br_event {
    enum br_event_kind kind;
    /* Counts from 1 without gaps. 0 for REQUEST and PROGRESS, which are not kept in the journal. */
    uint64_t sequence;
    int64_t timestamp_ms;   /* since 1970 */
    const char *session_id; /* "" if the session has none */
    uint64_t generation;    /* number of the browser's start; 0: not started yet */
    uint64_t action_id;     /* the action during which the event happened; 0: between actions */
    int tab; /* number of the tab if it is not the page, see br_sink.wants_tabs; 0: the page */
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

/* Returns the name of the kind: "console", "exception" and so on. Static. */
BR_API const char *br_event_name(enum br_event_kind kind);

/*
 * Takes a reference to the event, so that it outlives the callback that delivered it. Each hold
 * needs one br_event_release(). Both may be called from any thread. The event is immutable. Returns
 * the event.
 */
BR_API const struct br_event *br_event_hold(const struct br_event *event);
BR_API void br_event_release(const struct br_event *event);

/* Receives a session's events. */
struct br_sink {
    /* Called on the session's thread, in order. Must not block and must not use the session. */
    void (*on_event)(void *data, const struct br_event *event);
    void *data;
    unsigned kinds;    /* bit mask of 1 << enum br_event_kind; 0: all */
    bool wants_values; /* fill as.log.arguments: the arguments of console calls as typed values */
    /*
     * Also report CONSOLE, EXCEPTION and NAVIGATION of the session's other tabs, with sequence 0.
     */
    bool wants_tabs;
};

#ifdef __cplusplus
}
#endif

#endif
