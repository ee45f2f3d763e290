/* What the parts of a session share; for the files of this folder only. */
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

/* Of the whole session. */
struct totals {
    int actions, js_errors, network_errors;
    int failures[BR_CODE_COUNT];
};

enum { SESSION_CLOSE_MS = 10000 }; /* for the browser to write its profile and end */

struct br_session {
    struct br_session_options options; /* its strings are copies */
    json_t *downloads;                 /* see page_options.download_list */
    json_t *settings;                  /* what each page begins with; NULL: nothing */
    struct br_browser *browser;        /* outlives it */
    bool has_joined;            /* it is one of the browser's: since the first page, until `stop` */
    struct context *context;    /* of its pages; NULL before the first */
    struct browser_life *life;  /* the page's; NULL without a page */
    uint64_t generation;        /* of the life that a page was last asked of; 0: none yet */
    uint64_t filled_generation; /* of the life that has a page of it; 0: none yet */
    uint64_t lost_generation;   /* a life that was found dead; 0: none */
    pthread_mutex_t mutex;      /* guards the four that follow */
    pthread_cond_t called_off;
    struct page *page;
    bool is_interrupted;
    enum {
        SESSION_IDLE,      /* no action is there */
        SESSION_RUNS,      /* one is, and can be cancelled */
        SESSION_CANCELLED, /* it was: so its answer is CANCELLED */
        SESSION_CONCLUDES, /* its answer is decided */
    } run_state;
    atomic_bool is_called_off; /* by a cancel or an interrupt; see session_is_called_off() */
    bool is_started;           /* a page was asked for: when it is gone it comes back */
    bool is_detached;          /* its adopted tab is left alone until the next action */
    int64_t idle_since_ms;     /* when the newest action ended */
    bool has_no_browser;       /* it was started in vain as often as makes sense */
    bool is_loss_told;         /* of the page, since it was last there */
    int64_t silent_since_ms;   /* the page did not answer when it was last asked; 0: it did */
    struct page_backup backup; /* what the page comes back with */
    char *adopted_id; /* Chrome's id of the tab that the next page adopts; NULL: as options say */
    char **left_tabs; /* of a browser that is not ours: ids of tabs that are to be closed yet */
    size_t left_tab_count, left_tab_capacity;
    struct snapshot_store *snapshots; /* what the callers have seen of its pages */
    struct limits limits;
    struct totals totals;
    int attention_fd;          /* eventfd: something of the page waits for us between actions */
    struct log_list idle_logs; /* what the page said meanwhile, for the next response */
    struct log_list
        *collecting;         /* where the stream's entries go: that of an action, or idle_logs */
    struct stream *stream;   /* what happens, in order; see observe/stream.h */
    struct journal *journal; /* the newest of it */
    /* Of actions without their own; `start` may set them, as it may options.timeout_ms,
     * options.screenshots and options.quality. */
    json_t *log_filter;    /* NULL: none */
    json_t *retry_options; /* NULL: those of retry.c */
    enum br_network_filter network_filter;
    struct audit *audit;     /* NULL: none is kept */
    struct secrets *secrets; /* what was typed into private fields; in nothing that is written */
    struct policy *policy;   /* NULL: everything is allowed */
    struct debug *debug;     /* NULL: none is kept, or no action has asked for it yet */
    uint64_t last_id;
    int64_t opened_at_ms;
};

/* Whether the action that runs is to end: it was cancelled, or the session interrupted. */
bool session_is_called_off(struct br_session *session);

/* A deadline that has passed as soon as the action is called off. */
struct deadline session_deadline(struct br_session *session, int64_t ms);

/* Whether it is to end, with the error then: CANCELLED, or that it was interrupted. */
bool session_explain_end(struct br_session *session, struct br_error *err);

/* Around an action: it can be cancelled meanwhile. */
void session_begin_run(struct br_session *session);

/* Its answer is decided: it cannot be cancelled any more. Whether it was before. */
bool session_conclude_run(struct br_session *session);
void session_end_run(struct br_session *session);

/* Waits; ended early when the action is called off. */
void session_pause(struct br_session *session, int64_t ms);

#endif
