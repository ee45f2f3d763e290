#include "runner/servers/debug_bridge/peers.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static bool is_peer(const struct table_item *item, const void *key)
{
    return ((const struct peer *)item)->id == *(const uint64_t *)key;
}

static bool is_session(const struct table_item *item, const void *key)
{
    return strcmp(((const struct session_peers *)item)->name, key) == 0;
}

struct peer *peers_find(const struct peers *peers, uint64_t id)
{
    return (struct peer *)table_find(&peers->by_id, table_hash_number(id), is_peer, &id);
}

uint64_t peers_own_id(struct peers *peers)
{
    return UINT64_MAX - peers->last_own_id++;
}

static struct session_peers *take_session(struct peers *peers, const char *name)
{
    uint64_t hash = table_hash_bytes(name, strlen(name));
    struct session_peers *session =
        (struct session_peers *)table_find(&peers->sessions, hash, is_session, name);
    if (!session) {
        session = xcalloc(1, sizeof(*session));
        session->name = xstrdup(name);
        session->end = &session->first;
        table_add(&peers->sessions, &session->item, hash);
    }
    return session;
}

/* A reloaded page gets its former name again, so that agents can go on addressing it. */
static char *take_free_id(struct session_peers *session)
{
    char *name = session->free_ids[0];
    memmove(session->free_ids, session->free_ids + 1,
            sizeof(session->free_ids) - sizeof(session->free_ids[0]));
    session->free_ids[BRIDGE_FREE_IDS - 1] = NULL;
    return name;
}

static void give_free_id(struct session_peers *session, char *name)
{
    size_t count = 0;
    while (count < BRIDGE_FREE_IDS && session->free_ids[count]) {
        count++;
    }
    if (count == BRIDGE_FREE_IDS) {
        free(take_free_id(session));
        count--;
    }
    session->free_ids[count] = name;
}

static char *generate_name(struct peers *peers, struct session_peers *session, bool is_app)
{
    uint32_t salt = 0;
    char *name = is_app ? take_free_id(session) : NULL;
    if (!name) {
        ssize_t got = getrandom(&salt, sizeof(salt), 0);
        (void)got; /* not needed: the number alone is unique in this relay */
        name = xasprintf("%s-%" PRIu64 "-%08" PRIx32, is_app ? "app" : "agent",
                         ++peers->last_generated, salt);
    }
    return name;
}

struct peer *peers_add(struct peers *peers, const char *session_name, bool is_app, const char *name,
                       uint64_t id)
{
    struct session_peers *session = take_session(peers, session_name);
    struct peer *peer = xcalloc(1, sizeof(*peer));
    peer->session = session;
    peer->id = id;
    peer->is_app = is_app;
    peer->has_generated_name = *name == '\0';
    peer->name = *name ? xstrdup(name) : generate_name(peers, session, is_app);
    json_auto_t *text = json_text(peer->name);
    peer->stamp = json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    peer->asked_end = &peer->asked;
    *session->end = peer;
    session->end = &peer->next;
    session->apps += is_app;
    session->agents += !is_app;
    table_add(&peers->by_id, &peer->item, table_hash_number(id));
    return peer;
}

static void forget_first_asked(struct peer *app)
{
    struct asked *first = app->asked;
    app->asked = first->next;
    app->asked_count--;
    if (!app->asked) {
        app->asked_end = &app->asked;
    }
    free(first);
}

void peer_free(struct peer *peer)
{
    if (peer->is_app && peer->has_generated_name) {
        give_free_id(peer->session, TAKE(peer->name));
    }
    while (peer->asked) {
        forget_first_asked(peer);
    }
    free(peer->hello);
    free(peer->capabilities);
    free(peer->stamp);
    free(peer->name);
    free(peer);
}

static void unlink_peer(struct session_peers *session, struct peer *peer)
{
    struct peer **place = &session->first;
    while (*place != peer) {
        place = &(*place)->next;
    }
    *place = peer->next;
    if (session->end == &peer->next) {
        session->end = place;
    }
}

void peers_remove(struct peers *peers, struct peer *peer, int64_t now_ms)
{
    struct session_peers *session = peer->session;
    table_remove(&peers->by_id, &peer->item);
    unlink_peer(session, peer);
    session->apps -= peer->is_app;
    session->agents -= !peer->is_app;
    session->empty_since_ms = now_ms;
}

static void session_free(struct session_peers *session)
{
    for (size_t i = 0; i < BRIDGE_FREE_IDS; i++) {
        free(session->free_ids[i]);
    }
    free(session->name);
    free(session);
}

void peers_sweep(struct peers *peers, int64_t now_ms, int64_t empty_ms)
{
    struct table_item *next = NULL;
    for (struct table_item *item = table_next(&peers->sessions, NULL); item; item = next) {
        struct session_peers *session = (struct session_peers *)item;
        next = table_next(&peers->sessions, item);
        if (!session->first && now_ms - session->empty_since_ms >= empty_ms) {
            table_remove(&peers->sessions, item);
            session_free(session);
        }
    }
}

void peers_finish(struct peers *peers)
{
    struct table_item *next = NULL;
    for (struct table_item *item = table_next(&peers->by_id, NULL); item; item = next) {
        next = table_next(&peers->by_id, item);
        peers_remove(peers, (struct peer *)item, 0);
        peer_free((struct peer *)item);
    }
    peers_sweep(peers, INT64_MAX, 0);
    table_finish(&peers->by_id);
    table_finish(&peers->sessions);
}

json_t *session_app_names(const struct session_peers *session)
{
    json_t *names = json_array();
    json_auto_t *seen = json_object();
    for (const struct peer *peer = session->first; peer; peer = peer->next) {
        if (peer->is_app && !json_object_get(seen, peer->name)) {
            json_object_set_new(seen, peer->name, json_true());
            json_array_append_new(names, json_text(peer->name));
        }
    }
    return names;
}

void peer_note_asked(struct peer *app, const char *id, uint64_t agent)
{
    size_t length = id ? strlen(id) : 0;
    struct asked *asked = xmalloc(sizeof(*asked) + length + 1);
    asked->next = NULL;
    asked->agent = agent;
    memcpy(asked->id, id ? id : "", length + 1);
    *app->asked_end = asked;
    app->asked_end = &asked->next;
    if (++app->asked_count > BRIDGE_MAX_ASKED) {
        forget_first_asked(app);
    }
}

uint64_t peer_take_asked(struct peer *app, const char *id)
{
    struct asked **place = &app->asked;
    while (*place && strcmp((*place)->id, id ? id : "") != 0) {
        place = &(*place)->next;
    }
    struct asked *found = *place;
    uint64_t agent = found ? found->agent : 0;
    if (found) {
        *place = found->next;
        app->asked_count--;
        if (app->asked_end == &found->next) {
            app->asked_end = place;
        }
        free(found);
    }
    return agent;
}
