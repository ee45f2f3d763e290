/*
 * Who is in which session of debug-bridge. One thread at a time.
 */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_PEERS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_PEERS_H

#include "runner/base/strbuf.h"
#include "runner/base/table.h"
#include "runner/net/bucket.h"

#include <jansson.h>

enum {
    BRIDGE_MAX_ID = 128, /* bytes of the ids of sessions and apps */
    BRIDGE_MAX_ASKED =
        256,              /* commands of an app whose results are waited for; then the oldest go */
    BRIDGE_FREE_IDS = 16, /* of apps that have gone, in a session */
};

struct relay_app;

/* A command that an app has got, until its result comes. */
struct asked {
    struct asked *next;
    uint64_t agent; /* peer.id */
    char id[];      /* its requestId; "": it had none */
};

/* An app or an agent. */
struct peer {
    struct table_item item;
    struct peer *next; /* in its session, in the order in which they came */
    struct session_peers *session;
    uint64_t id; /* of the connection, or a number of the relay's own */
    bool is_app;
    struct relay_app *app; /* NULL: it has a socket */
    char *name;            /* appId or agentId */
    char *stamp;           /* name as JSON in ASCII, with its quotes */
    bool has_made_up_name;
    struct bucket bucket;
    int64_t told_at_ms;         /* when it was last told that it is too fast */
    char *hello, *capabilities; /* of an app, the last; NULL: none yet */
    struct asked *asked, **asked_end;
    size_t asked_count;
    bool has_other_version;            /* a message of it was not of protocol 1 */
    uint64_t messages, bytes, refused; /* that it has sent */
};

struct session_peers {
    struct table_item item;
    char *name;
    struct peer *first, **end;
    size_t apps, agents;
    int64_t empty_since_ms;
    char *free_ids[BRIDGE_FREE_IDS]; /* made up; for apps that come back without one */
};

struct peers {
    struct table by_id, sessions;
    uint64_t last_own_id, last_made_up;
};

/*
 * Lets one in. `name` may be "": then it gets one. It is in the session when this returns, and
 * owned by the peers.
 */
struct peer *peers_add(struct peers *peers, const char *session, bool is_app, const char *name,
                       uint64_t id);

/* It is in no list any more, and still knows its session; to be freed. */
void peers_take_out(struct peers *peers, struct peer *peer, int64_t now_ms);
void peer_free(struct peer *peer);

/* Forgets the sessions that nobody has been in for so long. */
void peers_sweep(struct peers *peers, int64_t now_ms, int64_t empty_ms);
void peers_finish(struct peers *peers);

/* NULL: it has gone. */
struct peer *peers_find(const struct peers *peers, uint64_t id);

/* An id that no connection has. */
uint64_t peers_own_id(struct peers *peers);

/* The names of its apps, each once. Caller decrefs. */
json_t *session_app_names(const struct session_peers *session);

/* The app has been asked something by an agent; `id` NULL: without a requestId. */
void peer_note_asked(struct peer *app, const char *id, uint64_t agent);

/* Who has asked for this result first, which is forgotten then; 0: nobody. */
uint64_t peer_take_asked(struct peer *app, const char *id);

#endif
