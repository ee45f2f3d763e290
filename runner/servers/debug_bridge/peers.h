/* The apps and agents in each session of a debug-bridge relay. For one thread at a time. */
#ifndef RUNNER_SERVERS_DEBUG_BRIDGE_PEERS_H
#define RUNNER_SERVERS_DEBUG_BRIDGE_PEERS_H

#include "runner/base/strbuf.h"
#include "runner/base/table.h"
#include "runner/net/bucket.h"

#include <jansson.h>

enum {
    BRIDGE_MAX_ID = 128,    /* bytes of the ids of sessions and apps */
    BRIDGE_MAX_ASKED = 256, /* commands of an app without a result; then the oldest is forgotten */
    BRIDGE_FREE_IDS = 16,   /* ids of former apps that a session keeps */
};

struct relay_app;

/* A command that was passed to an app and has no result yet. */
struct asked {
    struct asked *next;
    uint64_t agent; /* peer.id */
    char id[];      /* its requestId; "": none */
};

/* An app or an agent. */
struct peer {
    struct table_item item;
    struct peer *next; /* in its session, in the order of joining */
    struct session_peers *session;
    uint64_t id; /* of the connection, or from peers_own_id() */
    bool is_app;
    struct relay_app *app; /* an app of this program; NULL: the peer has a socket */
    char *name;            /* appId or agentId */
    char *stamp;           /* name as JSON in ASCII, with its quotes */
    bool has_generated_name;
    bool takes_over; /* of apps that say so, with one name, only the latest gets commands */
    struct bucket bucket;
    int64_t refused_at_ms;      /* when it last got a RATE_LIMITED error without a requestId */
    char *hello, *capabilities; /* the app's last ones; NULL: none yet */
    struct asked *asked, **asked_end;
    size_t asked_count;
    bool has_other_version;            /* it has sent a message of another version than 1 */
    uint64_t messages, bytes, refused; /* that it has sent */
};

struct session_peers {
    struct table_item item;
    char *name;
    struct peer *first, **end;
    size_t apps, agents;
    int64_t empty_since_ms;
    char *free_ids[BRIDGE_FREE_IDS]; /* generated; reused by apps that join without an appId */
};

struct peers {
    struct table by_id, sessions;
    uint64_t last_own_id, last_generated;
};

/* Adds a peer to a session, which is created if needed; name "": generates one. Owned by `peers`.
 */
struct peer *peers_add(struct peers *peers, const char *session, bool is_app, const char *name,
                       uint64_t id);

/* Removes a peer from all lists; it keeps its session pointer. Free it with peer_free(). */
void peers_remove(struct peers *peers, struct peer *peer, int64_t now_ms);
void peer_free(struct peer *peer);

/* Frees the sessions that have been empty for `empty_ms`. */
void peers_sweep(struct peers *peers, int64_t now_ms, int64_t empty_ms);
void peers_finish(struct peers *peers);

/* NULL: the peer is gone. */
struct peer *peers_find(const struct peers *peers, uint64_t id);

/* Returns a new id that no connection has. */
uint64_t peers_own_id(struct peers *peers);

/* The distinct names of the session's apps. Caller decrefs. */
json_t *session_app_names(const struct session_peers *session);

/* Notes a command that an agent sent to the app; `id` NULL: without a requestId. */
void peer_note_asked(struct peer *app, const char *id, uint64_t agent);

/* Removes the oldest command with this requestId, and returns its agent; 0: there is none. */
uint64_t peer_take_asked(struct peer *app, const char *id);

#endif
