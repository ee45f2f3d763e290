/* What the parts of a session share; for the files of this folder only. */
#ifndef RUNNER_SESSION_STATE_H
#define RUNNER_SESSION_STATE_H

#include "runner/actions/actions.h"
#include "runner/chrome/browser.h"
#include "runner/page/backup.h"
#include "runner/session/audit.h"
#include "runner/session/debug.h"
#include "runner/session/limits.h"

#include <browser_runner/session.h>
#include <pthread.h>

struct br_session {
    struct br_session_options options; /* its strings are copies */
    char **chrome_args;
    json_t *downloads;          /* see page_options.download_list */
    json_t *settings;           /* what each page begins with; NULL: nothing */
    struct loop *loop;          /* the first session's, if there is one */
    struct br_session *first;   /* whose browser this one uses; NULL: it has its own */
    struct browser *browser;    /* NULL before the first page and after `stop`; of a first session
                                   guarded by its mutex, since any may be the one that makes it */
    size_t beside_count;        /* sessions that use it, too; likewise */
    struct browser_life *life;  /* the page's; NULL without a page */
    uint64_t generation;        /* of the life that a page was last asked of; 0: none yet */
    uint64_t filled_generation; /* of the life that has what the session keeps; 0: none yet */
    uint64_t lost_generation;   /* a life that was found dead; 0: none */
    pthread_mutex_t mutex;      /* guards the three that follow */
    pthread_cond_t interrupted;
    struct page *page;
    bool is_interrupted;
    bool is_started;           /* a page was asked for: when it is gone it comes back */
    bool has_no_browser;       /* it was started in vain as often as makes sense */
    int64_t silent_since_ms;   /* the page did not answer when it was last asked; 0: it did */
    struct page_backup backup; /* what the page comes back with */
    char **left_tabs; /* of a browser that is not ours: ids of tabs that are to be closed yet */
    size_t left_tab_count, left_tab_capacity;
    struct snapshot_store *snapshots; /* what the callers have seen of its pages */
    struct limits limits;
    int attention_fd;          /* eventfd: something of the page waits for us between actions */
    struct log_list idle_logs; /* what the page said meanwhile, for the next response */
    json_t *log_filter;        /* of actions without one; NULL: none */
    enum br_network_filter network_filter; /* likewise; `start` may set it */
    struct audit *audit;                   /* NULL: none is kept */
    struct secrets *secrets; /* what was typed into private fields; in nothing that is written */
    struct debug *debug;     /* NULL: none is kept, or no action has asked for it yet */
    uint64_t last_id;
    int64_t opened_at_ms;
};

bool session_is_interrupted(struct br_session *session);

/* Waits; ended early by an interrupt. */
void session_pause(struct br_session *session, int64_t ms);

#endif
