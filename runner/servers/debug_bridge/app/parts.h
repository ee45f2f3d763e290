/* Shared by the files of a driven app, and private to them. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_PARTS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_PARTS_H

#include "runner/servers/debug_bridge/app/ids.h"
#include "runner/servers/debug_bridge/app/messages.h"
#include "runner/servers/debug_bridge/relay.h"
#include "runner/session/visit.h"
#include "runner/sessions/sessions.h"

#include <pthread.h>
#include <stdatomic.h>

/* What was reported of the page, and what is due. Used on the worker's thread only. */
struct app_watch {
    const struct page *page; /* identifies the document, with `documents`; NULL: none yet */
    unsigned documents;
    double number; /* of the document in watch.js; 0: not watched */
    bool is_new;   /* the page was restored: its document is another one */
    bool is_snapshot_due, is_tree_due;
    bool is_touched;       /* the tree may have changed */
    int64_t settled_by_ms; /* monotonic: when a loading document is reported at the latest */
    int64_t snapshot_at_ms, tree_at_ms, state_at_ms, tree_took_ms;
    int64_t rest_until_ms; /* no look before that time, since the page did not answer */
    size_t agents;         /* at the last look */
    json_t *items;         /* of the last tree that was sent; NULL: none */
    json_t *states;        /* the last ones that were sent, by scope */
    char *custom;          /* JSON of the page's own state; NULL: unknown */
    uint64_t batches;
    uint64_t lost;               /* mutations since the last snapshot that were not sent */
    int console_sink, page_sink; /* 0: not subscribed */
};

struct app {
    struct app_identity identity; /* owns its strings */
    char *url;
    bool has_eval;
    struct relay *relay;
    struct sessions *sessions;
    struct worker *worker;
    struct mailbox *mailbox; /* commands */
    pthread_t thread;
    atomic_bool is_ending;
    atomic_size_t agents, waiting; /* waiting: commands that are not executed yet */
    atomic_bool has_newcomer;      /* an agent has joined since the last look */
    atomic_bool is_ticking;        /* a look waits or runs */
    atomic_bool is_stirred;        /* a look is due, also without agents */
    _Atomic(struct relay_app *) peer;
    pthread_mutex_t mutex; /* guards the next three */
    pthread_cond_t changed;
    enum { APP_OPENING, APP_OPEN, APP_FAILED } state;
    struct br_error why; /* of APP_FAILED */
    /* Used on the worker's thread only: */
    struct app_ids *ids;
    struct app_watch watch;
};

/* Sends a message unchanged; takes ownership. */
void app_send(struct app *app, json_t *message);

/* Sends a message with all secrets masked; takes ownership. */
void app_send_masked(struct app *app, const struct secrets *secrets, json_t *message);

/* Runs an action; takes ownership of the instruction. Fails with the response's error. */
bool app_run(struct app *app, struct br_session *session, json_t *instruction,
             struct br_error *err);

/* Restores a lost page, by an action that does nothing else. */
bool app_restore(struct app *app, struct br_session *session, struct br_error *err);

/*
 * Visits the page, see session_visit(); first restores a lost page. Visits again if the document
 * was left meanwhile, unless is_once.
 */
bool app_visit(struct app *app, struct br_session *session, int64_t timeout_ms, bool is_once,
               bool (*look)(void *data, const struct session_visit *visit, struct br_error *err),
               void *data, struct br_error *err);

#endif
