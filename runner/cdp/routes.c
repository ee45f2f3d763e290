#include "runner/cdp/routes.h"

#include "runner/base/memory.h"

#include <string.h>

static struct cdp_slice slice_of(const char *text)
{
    return (struct cdp_slice){ .text = text, .length = strlen(text) };
}

static bool is_call(const struct table_item *item, const void *key)
{
    return ((const struct routes_call *)item)->id == *(const int64_t *)key;
}

static struct routes_call *find_call(const struct routes *routes, int64_t id)
{
    return (struct routes_call *)table_find(&routes->calls, table_hash_number((uint64_t)id),
                                            is_call, &id);
}

void routes_call_destroy(struct routes_call *call)
{
    if (call) {
        free(call->session_id);
        free(call);
    }
}

static void remove_call(struct routes *routes, struct routes_call *call)
{
    table_remove(&routes->calls, &call->item);
    routes_call_destroy(call);
}

int64_t routes_add_call(struct routes *routes, struct mailbox *mailbox, const char *session_id)
{
    do {
        routes->last_id = routes->last_id % ROUTES_LAST_ID + 1;
    } while (find_call(routes, routes->last_id));
    struct routes_call *call = xcalloc(1, sizeof(*call));
    call->id = routes->last_id;
    call->mailbox = mailbox;
    call->session_id = xstrdup(session_id);
    table_add(&routes->calls, &call->item, table_hash_number((uint64_t)call->id));
    return call->id;
}

struct routes_call *routes_take_call(struct routes *routes, int64_t id)
{
    struct routes_call *call = find_call(routes, id);
    if (call) {
        table_remove(&routes->calls, &call->item);
    }
    return call;
}

static bool is_session(const struct table_item *item, const void *key)
{
    return cdp_slice_equals(*(const struct cdp_slice *)key,
                            ((const struct routes_session *)item)->id);
}

struct routes_session *routes_find(const struct routes *routes, struct cdp_slice session_id)
{
    if (session_id.length == 0 || session_id.length > ROUTES_SESSION_ID) {
        return NULL;
    }
    return (struct routes_session *)table_find(&routes->sessions,
                                               table_hash_bytes(session_id.text, session_id.length),
                                               is_session, &session_id);
}

struct mailbox *routes_raw_mailbox(const struct routes *routes, struct cdp_slice session_id)
{
    const struct routes_session *session =
        routes->raw_count > 0 ? routes_find(routes, session_id) : NULL;
    bool is_raw = session && session->reader && session->reader->is_raw;
    return is_raw ? session->reader->mailbox : NULL;
}

/* Returns NULL for an empty id and for one that is too long. */
static struct routes_session *find_or_add(struct routes *routes, struct cdp_slice id)
{
    struct routes_session *session = routes_find(routes, id);
    if (!session && id.length > 0 && id.length <= ROUTES_SESSION_ID) {
        session = xcalloc(1, sizeof(*session));
        session->id = xstrndup(id.text, id.length);
        table_add(&routes->sessions, &session->item, table_hash_bytes(id.text, id.length));
    }
    return session;
}

static void remove_session(struct routes *routes, struct routes_session *session)
{
    table_remove(&routes->sessions, &session->item);
    free(session->id);
    free(session);
}

static struct routes_reader *find_or_add_reader(struct routes *routes, struct mailbox *mailbox,
                                                bool is_raw)
{
    struct routes_reader *reader = routes->readers;
    while (reader && reader->mailbox != mailbox) {
        reader = reader->next;
    }
    if (!reader) {
        reader = xcalloc(1, sizeof(*reader));
        *reader = (struct routes_reader){
            .mailbox = mailbox,
            .is_raw = is_raw,
            .next = routes->readers,
        };
        routes->readers = reader;
        routes->raw_count += is_raw;
    }
    return reader;
}

static void read_session(struct routes *routes, struct routes_reader *reader,
                         const char *session_id)
{
    struct routes_session *session = find_or_add(routes, slice_of(session_id));
    if (session) {
        session->reader = reader;
    }
}

void routes_read(struct routes *routes, struct mailbox *mailbox, const char *session_id)
{
    struct routes_reader *reader = find_or_add_reader(routes, mailbox, false);
    if (session_id) {
        read_session(routes, reader, session_id);
    } else {
        reader->hears_browser = true;
    }
}

void routes_claim(struct routes *routes, struct mailbox *mailbox, const char *session_id)
{
    struct routes_reader *reader = find_or_add_reader(routes, mailbox, true);
    if (session_id) {
        read_session(routes, reader, session_id);
    }
}

static bool is_below(const struct routes_session *session, const struct routes_session *other)
{
    while (session && session != other) {
        session = session->parent;
    }
    return session;
}

void routes_attach(struct routes *routes, struct cdp_slice parent_id, struct cdp_slice session_id)
{
    struct routes_session *parent = routes_find(routes, parent_id);
    struct routes_session *session = find_or_add(routes, session_id);
    /* A broken browser might report a cycle, in which is_below() would loop forever. */
    if (!session || is_below(parent, session)) {
        return;
    }
    session->parent = parent;
    if (!session->reader && parent && parent->reader && parent->reader->is_raw) {
        session->reader = parent->reader;
    }
}

/* Marks the session and all sessions below it. */
static void mark_ending(struct routes *routes, const struct routes_session *ended)
{
    for (struct table_item *item = table_next(&routes->sessions, NULL); item;
         item = table_next(&routes->sessions, item)) {
        struct routes_session *session = (struct routes_session *)item;
        session->is_ending = is_below(session, ended);
    }
}

static void end_calls(struct routes *routes, void (*on_call)(const struct routes_call *call))
{
    for (struct table_item *item = table_next(&routes->calls, NULL); item;) {
        struct routes_call *call = (struct routes_call *)item;
        item = table_next(&routes->calls, item);
        const struct routes_session *session =
            call->session_id ? routes_find(routes, slice_of(call->session_id)) : NULL;
        if (session && session->is_ending) {
            on_call(call);
            remove_call(routes, call);
        }
    }
}

void routes_end(struct routes *routes, struct cdp_slice session_id,
                void (*on_call)(const struct routes_call *call),
                void (*on_session)(const struct routes_session *session))
{
    /* A session without a record may still have commands. */
    const struct routes_session *ended = find_or_add(routes, session_id);
    if (!ended) {
        return;
    }
    mark_ending(routes, ended);
    end_calls(routes, on_call);
    for (struct table_item *item = table_next(&routes->sessions, NULL); item;) {
        struct routes_session *session = (struct routes_session *)item;
        item = table_next(&routes->sessions, item);
        if (session->is_ending) {
            on_session(session);
            remove_session(routes, session);
        }
    }
}

static void forget_reader(struct routes *routes, struct routes_reader *reader)
{
    for (struct table_item *item = table_next(&routes->sessions, NULL); item;
         item = table_next(&routes->sessions, item)) {
        struct routes_session *session = (struct routes_session *)item;
        session->reader = session->reader == reader ? NULL : session->reader;
    }
    routes->raw_count -= reader->is_raw;
    free(reader);
}

void routes_leave(struct routes *routes, struct mailbox *mailbox)
{
    for (struct table_item *item = table_next(&routes->calls, NULL); item;) {
        struct routes_call *call = (struct routes_call *)item;
        item = table_next(&routes->calls, item);
        if (call->mailbox == mailbox) {
            remove_call(routes, call);
        }
    }
    for (struct routes_reader **link = &routes->readers; *link; link = &(*link)->next) {
        struct routes_reader *reader = *link;
        if (reader->mailbox == mailbox) {
            *link = reader->next;
            forget_reader(routes, reader);
            return;
        }
    }
}

void routes_drop_calls(struct routes *routes)
{
    for (struct table_item *item = table_next(&routes->calls, NULL); item;) {
        struct routes_call *call = (struct routes_call *)item;
        item = table_next(&routes->calls, item);
        remove_call(routes, call);
    }
}

static void drop_sessions(struct routes *routes)
{
    for (struct table_item *item = table_next(&routes->sessions, NULL); item;) {
        struct routes_session *session = (struct routes_session *)item;
        item = table_next(&routes->sessions, item);
        remove_session(routes, session);
    }
}

void routes_finish(struct routes *routes)
{
    routes_drop_calls(routes);
    drop_sessions(routes);
    while (routes->readers) {
        struct routes_reader *reader = routes->readers;
        routes->readers = reader->next;
        free(reader);
    }
    table_finish(&routes->calls);
    table_finish(&routes->sessions);
}
