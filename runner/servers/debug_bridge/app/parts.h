/* What the parts of a driven app share; for its own files alone. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_APP_PARTS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_APP_PARTS_H

#include "runner/servers/debug_bridge/app/ids.h"
#include "runner/servers/debug_bridge/app/messages.h"
#include "runner/servers/debug_bridge/relay.h"
#include "runner/session/visit.h"
#include "runner/sessions/sessions.h"

#include <pthread.h>
#include <stdatomic.h>

/* What of the page was told, and is to be told. On the worker's thread alone. */
struct app_watch {
    const struct page *page; /* with `documents`: which document it is about; NULL: none yet */
    unsigned documents;
    double number; /* by which its watch.js knows it; 0: it is not watched */
    bool is_new;   /* the page has come back: whatever it is, it is another one */
    bool is_snapshot_due, is_tree_due;
    bool is_touched;       /* the tree may not be what it was */
    int64_t settled_by_ms; /* monotonic: when a document that loads is told at the latest */
    int64_t snapshot_at_ms, tree_at_ms, state_at_ms, idle_at_ms, tree_took_ms;
    int64_t rest_until_ms; /* nothing is looked at before: the page did not answer */
    size_t agents;         /* that there were when it was last looked */
    json_t *items;         /* of the tree that was told; NULL: none */
    json_t *states;        /* by scope */
    char *custom;          /* text of the page's own state; NULL: not known */
    uint64_t batches;
    uint64_t lost;               /* mutations that no message has, since the last snapshot */
    int console_sink, page_sink; /* 0: not subscribed */
};

struct app {
    struct app_identity identity; /* its texts are owned */
    char *url;
    bool has_eval;
    struct relay *relay;
    struct sessions *sessions;
    struct worker *worker;
    struct mailbox *mailbox; /* commands, and that agents came or went */
    pthread_t thread;
    atomic_bool is_ending;
    atomic_size_t agents, waiting; /* waiting: commands that are not worked off */
    atomic_bool has_newcomer;      /* an agent came, whom nothing was told yet */
    atomic_bool is_ticking;        /* a look waits to be taken, or is taken */
    _Atomic(struct relay_app *) peer;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    enum { APP_OPENING, APP_OPEN, APP_FAILED } state;
    bool is_over; /* the worker */
    struct br_error why;
    /* On the worker's thread alone. */
    struct app_ids *ids;
    struct app_watch watch;
};

/* Sends it as it is; takes ownership. */
void app_send(struct app *app, json_t *message);

/* The same with all that is secret masked. */
void app_tell(struct app *app, const struct secrets *secrets, json_t *message);

/* Runs an action; takes ownership of the instruction. False with the response's error. */
bool app_run(struct app *app, struct br_session *session, json_t *instruction,
             struct br_error *err);

/* Brings a page back that is lost: an action that does nothing else. */
bool app_mend(struct app *app, struct br_session *session, struct br_error *err);

/*
 * A look at the page that brings it back first where it is lost; see session_visit(). One that its
 * document went away under is taken again, unless it may be taken only once.
 */
bool app_visit(struct app *app, struct br_session *session, int64_t timeout_ms, bool is_once,
               bool (*look)(void *data, const struct session_visit *visit, struct br_error *err),
               void *data, struct br_error *err);

#endif
