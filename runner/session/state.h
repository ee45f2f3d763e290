/* The state shared by the files of this folder; not for other folders. */
#ifndef RUNNER_SESSION_STATE_H
#define RUNNER_SESSION_STATE_H

#include "runner/actions/actions.h"
#include "runner/base/log.h"
#include "runner/chrome/browser.h"
#include "runner/observe/journal.h"
#include "runner/page/world/backup.h"
#include "runner/session/audit.h"
#include "runner/session/debug.h"
#include "runner/session/limits.h"

#include <browser_runner/session.h>
#include <pthread.h>
#include <stdatomic.h>

/* Totals of the whole session. */
struct totals {
    int actions, js_errors, network_errors;
    int failures[BR_CODE_COUNT];
};

enum { SESSION_CLOSE_MS = 10000 }; /* for the browser to write its profile and end */

struct br_session {
    struct br_session_options options; /* strings are copies */
    json_t *downloads;                 /* see page_options.download_list */
    json_t *settings;                  /* settings that each new page starts with; NULL: none */
    struct br_browser *browser;        /* outlives it */
    bool has_joined;            /* counted as a session of the browser: from the first page until
                                   `stop` */
    struct context *context;    /* the context of its pages; NULL before the first page */
    struct browser_life *life;  /* the page's browser life; NULL without a page */
    uint64_t generation;        /* life in which a page was last requested; 0: none yet */
    uint64_t filled_generation; /* life in which a page of the session exists; 0: none yet */
    uint64_t lost_generation;   /* a life that was found dead; 0: none */
    pthread_mutex_t mutex;      /* guards the next seven fields */
    pthread_cond_t called_off;
    struct page *page;
    bool is_interrupted;
    enum {
        SESSION_IDLE,      /* no action is running */
        SESSION_RUNS,      /* an action is running and can be cancelled */
        SESSION_CANCELLED, /* it was cancelled: its response is CANCELLED */
        SESSION_CONCLUDES, /* its result is decided */
    } run_state;
    uint64_t last_id;          /* of the newest response, also of one that is being made */
    uint64_t running_id;       /* of the action that run_state describes; 0: a visit */
    uint64_t cancelled_id;     /* of an action that is cancelled when it begins; 0: none */
    atomic_bool is_called_off; /* set by a cancel or an interrupt; see session_is_called_off() */
    bool is_started;           /* a page was opened: it is restored when lost */
    bool is_detached;          /* detached from its adopted tab until the next action */
    int64_t idle_since_ms;     /* when the newest action ended */
    bool has_no_browser;       /* starting it failed as often as is worth trying */
    bool is_loss_told;         /* the loss of the page was already reported */
    int64_t silent_since_ms;   /* when the page first did not respond; 0: it responded */
    int64_t stuck_after_ms;    /* after this much silence it is stuck; set with silent_since_ms */
    struct page_backup backup; /* state that a new page is restored from */
    char *adopted_id;          /* Chrome's id of the tab that the next page adopts; NULL: as in the
                                  options */
    char **left_tabs; /* ids of tabs still to be closed in a browser that was not launched here */
    size_t left_tab_count, left_tab_capacity;
    struct snapshot_store *snapshots; /* snapshots that were given to callers */
    struct limits limits;
    struct totals totals;
    int attention_fd;          /* eventfd: the page needs attention between actions */
    struct log_list idle_logs; /* entries between actions, for the next response */
    struct log_list
        *collecting;         /* list that the stream's entries go to: the action's, or idle_logs */
    struct stream *stream;   /* the events in order; see observe/stream.h */
    struct journal *journal; /* the most recent events */
    struct waits *waits;     /* what the newest action waited for */
    /*
     * Defaults for actions without these parameters. `start` may set them, as well as
     * options.timeout_ms, options.screenshots and options.quality.
     */
    json_t *log_filter;    /* NULL: none */
    json_t *retry_options; /* NULL: the defaults of retry.c */
    enum br_network_filter network_filter;
    struct audit *audit;     /* NULL: no audit trail */
    struct secrets *secrets; /* texts typed into private fields; masked in all output */
    struct policy *policy;   /* NULL: everything is allowed */
    struct debug *debug;     /* NULL: no debug files, or no action has asked for them yet */
    int64_t opened_at_ms;
};

/*
 * Returns whether the running action has to end: it was cancelled, or the session was interrupted.
 */
bool session_is_called_off(struct br_session *session);

/* Returns a deadline that also expires as soon as the action is cancelled or interrupted. */
struct deadline session_deadline(struct br_session *session, int64_t ms);

/* As session_is_called_off(), with the error: CANCELLED, or that the session was interrupted. */
bool session_explain_end(struct br_session *session, struct br_error *err);

/* Returns the id of the next response. */
uint64_t session_next_id(struct br_session *session);

/*
 * Marks the begin of the action with this id, or of a visit with 0. It can be cancelled from now
 * on, and is at once if session_cancel_ahead() said so.
 */
void session_begin_run(struct br_session *session, uint64_t id);

/*
 * Marks the result as decided: the action cannot be cancelled any more. Returns whether it was
 * cancelled before.
 */
bool session_conclude_run(struct br_session *session);
void session_end_run(struct br_session *session);

/*
 * Cancels what runs if it can still be cancelled and has this id; NULL: whichever it is. Returns
 * whether it did. Call with the mutex held.
 */
bool session_cancel_running(struct br_session *session, const uint64_t *id);

/* Waits; returns early when the action is cancelled or interrupted. */
void session_pause(struct br_session *session, int64_t ms);

#endif
