#include "runner/cdp/relay.h"

#include "runner/base/json.h"
#include "runner/base/table.h"
#include "runner/base/thread.h"
#include "runner/cdp/client.h"
#include "runner/cdp/raw_command.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>

enum {
    ATTACH_MS = 10000,         /* for the session of a sink */
    WRITE_MS = 30000,          /* for a command to be written */
    DETACH_MS = 500,           /* the same, when nobody needs it any more */
    MESSAGES_PER_TURN = 64,    /* then the loop sees to the others */
    TEXT_OVERHEAD = 64,        /* what a text takes beside its bytes */
    CROWDED = 8 * 1024 * 1024, /* bytes that wait */
};

/* A command that waits to be written. */
struct text {
    struct text *next;
    char *bytes;
    size_t length;
    bool is_own; /* the owner's, not the client's */
    int tag;     /* of its reply */
};

/* A command that was written and has no reply. */
struct call {
    struct table_item item;
    int64_t id;        /* ours */
    int32_t client_id; /* the client's */
    bool is_own;
    int tag;
};

struct cdp_sink {
    struct cdp_relay *relay;
    struct mailbox *mailbox; /* what comes for it, from any thread */
    char *root;              /* set by the pump before anything can come of it; NULL until then */
    char *front;             /* stands in its place; NULL: none. Set once, with the mutex */
    /* Of the loop thread. */
    struct loop_source *source; /* readable when something is in the mailbox */
    struct cdp_sink_handler handler;
    bool is_in_handler, is_destroyed, is_told;
    /* Guarded by the relay's mutex. */
    struct text *own_first, **own_last; /* go before the others */
    struct text *first, **last;
    size_t bytes, max_bytes;
    struct table calls;
    bool is_over;          /* takes nothing more */
    bool is_full;          /* for this reason */
    bool is_crowded;       /* on_room is owed */
    bool is_leaving;       /* the loop thread has let go of it */
    bool is_waiting;       /* for its turn */
    struct cdp_sink *next; /* that waits */
};

struct cdp_relay {
    struct cdp_connection *connection;
    struct loop *loop;
    pthread_t pump;
    pthread_mutex_t mutex; /* guards what follows; never held over I/O */
    pthread_cond_t changed;
    struct cdp_sink *first, **last; /* sinks that the pump has to see to */
    size_t sink_count, call_count;
    bool is_ending;
};

/* Under the mutex: the pump is to see to the sink. */
static void wait_for_turn(struct cdp_sink *sink)
{
    struct cdp_relay *relay = sink->relay;
    if (!sink->is_waiting) {
        sink->is_waiting = true;
        sink->next = NULL;
        *relay->last = sink;
        relay->last = &sink->next;
        pthread_cond_signal(&relay->changed);
    }
}

/* Under the mutex, too. */
static void drop_list(struct text **first, struct text ***last)
{
    while (*first) {
        struct text *text = *first;
        *first = text->next;
        free(text->bytes);
        free(text);
    }
    *last = first;
}

static void drop_texts(struct cdp_sink *sink)
{
    drop_list(&sink->own_first, &sink->own_last);
    drop_list(&sink->first, &sink->last);
    sink->bytes = 0;
}

/* The end of a sink that is not its owner's doing; the first one counts. */
static void close_sink(struct cdp_sink *sink, bool is_full, const char *reason)
{
    pthread_mutex_lock(&sink->relay->mutex);
    bool is_first = !sink->is_over;
    if (is_first) {
        sink->is_over = true;
        sink->is_full = is_full;
        drop_texts(sink);
    }
    pthread_mutex_unlock(&sink->relay->mutex);
    if (is_first) {
        mailbox_post(sink->mailbox, &cdp_message_create(CDP_CLOSED, reason)->link);
    }
}

/* What the loop thread does. */

static bool is_call(const struct table_item *item, const void *key)
{
    return ((const struct call *)item)->id == *(const int64_t *)key;
}

/* Whether the command was known, and what is known of it. */
static bool take_call(struct cdp_sink *sink, int64_t id, struct call *ret_call)
{
    pthread_mutex_lock(&sink->relay->mutex);
    struct call *call =
        (struct call *)table_find(&sink->calls, table_hash_number((uint64_t)id), is_call, &id);
    bool is_known = call;
    if (is_known) {
        table_remove(&sink->calls, &call->item);
        sink->relay->call_count--;
        *ret_call = *call;
    }
    pthread_mutex_unlock(&sink->relay->mutex);
    free(call);
    return is_known;
}

/* The session whose name the client does not see. */
static const char *front_of(struct cdp_sink *sink)
{
    pthread_mutex_lock(&sink->relay->mutex);
    const char *front = sink->front ? sink->front : sink->root;
    pthread_mutex_unlock(&sink->relay->mutex);
    return front;
}

static void hand_over(struct cdp_sink *sink, struct cdp_message *message)
{
    const struct cdp_sink_handler *handler = &sink->handler;
    size_t length = 0;
    struct call call = { .tag = message->kind == CDP_ANSWER ? (int)message->id : 0 };
    bool is_behind = message->kind == CDP_EVENT && front_of(sink) != sink->root &&
                     cdp_slice_equals(message->session_id, sink->root);
    bool is_wanted = is_behind ? false
                     : message->kind == CDP_REPLY
                         ? take_call(sink, message->id, &call) && (!call.is_own || call.tag)
                     : message->kind == CDP_EVENT && handler->on_event
                         ? handler->on_event(handler->data, message)
                         : true;
    if (!is_wanted || sink->is_destroyed) {
        cdp_message_destroy(message);
        return;
    }
    char *text = cdp_message_take_text(message, call.client_id, front_of(sink), &length);
    if (call.tag) {
        handler->on_reply(handler->data, call.tag, text, length);
    } else {
        handler->on_text(handler->data, text, length);
    }
}

static void tell_of_end(struct cdp_sink *sink, const char *reason)
{
    pthread_mutex_lock(&sink->relay->mutex);
    sink->is_over = true;
    enum cdp_sink_end end = sink->is_full ? CDP_SINK_FULL : CDP_SINK_GONE;
    drop_texts(sink);
    pthread_mutex_unlock(&sink->relay->mutex);
    sink->is_told = true;
    sink->handler.on_closed(sink->handler.data, end, reason);
}

/* Takes ownership of the message. */
static void take_message(struct cdp_sink *sink, struct cdp_message *message)
{
    bool is_end = message->kind == CDP_CLOSED ||
                  (message->kind == CDP_ENDED && strcmp(message->text, sink->root) == 0);
    if (sink->is_told) {
        cdp_message_destroy(message);
    } else if (message->kind == CDP_ROOM) {
        cdp_message_destroy(message);
        sink->handler.on_room(sink->handler.data);
    } else if (message->kind == CDP_ENDED && !is_end) {
        if (sink->handler.on_ended) {
            sink->handler.on_ended(sink->handler.data,
                                   strcmp(message->text, front_of(sink)) == 0 ? "" : message->text);
        }
        cdp_message_destroy(message);
    } else if (is_end) {
        tell_of_end(sink, message->kind == CDP_CLOSED ? message->text
                                                      : "the browser has detached the client");
        cdp_message_destroy(message);
    } else {
        hand_over(sink, message);
    }
}

static bool on_readable(void *data, int fd)
{
    struct cdp_sink *sink = data;
    eventfd_t ignored;
    eventfd_read(fd, &ignored);
    sink->is_in_handler = true;
    for (int i = 0; i < MESSAGES_PER_TURN && !sink->is_destroyed && mailbox_count(sink->mailbox);
         i++) {
        struct message *message = mailbox_wait(sink->mailbox, (struct deadline){ 0 });
        take_message(sink, (struct cdp_message *)message);
    }
    sink->is_in_handler = false;
    if (!sink->is_destroyed && mailbox_count(sink->mailbox) > 0) {
        eventfd_write(fd, 1);
    }
    return !sink->is_destroyed;
}

/* From now on the sink is the pump's. */
static void leave(struct cdp_sink *sink)
{
    struct cdp_relay *relay = sink->relay;
    pthread_mutex_lock(&relay->mutex);
    sink->is_over = true;
    sink->is_leaving = true;
    drop_texts(sink);
    wait_for_turn(sink);
    pthread_mutex_unlock(&relay->mutex);
}

static void on_source_closed(void *data)
{
    struct cdp_sink *sink = data;
    sink->source = NULL;
    if (sink->is_destroyed) {
        leave(sink);
    }
}

static bool watch_mailbox(struct cdp_sink *sink, struct br_error *err)
{
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    const struct loop_source_handler handler = {
        .on_readable = on_readable,
        .on_closed = on_source_closed,
        .data = sink,
    };
    if (fd < 0) {
        return error_set(err, BR_LIMIT_EXCEEDED, "no descriptor is left for another client");
    }
    sink->source = loop_watch(sink->relay->loop, fd, &handler, err);
    if (sink->source) {
        mailbox_watch(sink->mailbox, fd);
    }
    return sink->source;
}

static void free_sink(struct cdp_sink *sink)
{
    drop_texts(sink);
    for (struct table_item *item = table_next(&sink->calls, NULL); item;) {
        struct table_item *call = item;
        item = table_next(&sink->calls, item);
        table_remove(&sink->calls, call);
        free(call);
    }
    table_finish(&sink->calls);
    mailbox_destroy(sink->mailbox);
    free(sink->root);
    free(sink->front);
    free(sink);
}

struct cdp_sink *cdp_sink_create(struct cdp_relay *relay, size_t max_bytes,
                                 const struct cdp_sink_handler *handler, struct br_error *err)
{
    struct cdp_sink *sink = xcalloc(1, sizeof(*sink));
    assert(loop_is_here(relay->loop));
    sink->relay = relay;
    sink->mailbox = mailbox_create(0); /* nothing in it is dropped */
    sink->handler = *handler;
    sink->own_last = &sink->own_first;
    sink->last = &sink->first;
    sink->max_bytes = max_bytes;
    if (!watch_mailbox(sink, err)) {
        free_sink(sink);
        return NULL;
    }
    pthread_mutex_lock(&relay->mutex);
    relay->sink_count++;
    wait_for_turn(sink); /* to be attached: it learns of the browser's end from then on */
    pthread_mutex_unlock(&relay->mutex);
    return sink;
}

/* Why the sink takes nothing more, or NULL. Under the mutex. */
static const char *why_full(const struct cdp_sink *sink, size_t length)
{
    size_t left = sink->max_bytes > sink->bytes ? sink->max_bytes - sink->bytes : 0;
    if (left < TEXT_OVERHEAD || length > left - TEXT_OVERHEAD) {
        return "the client sends faster than the browser takes its commands";
    }
    return sink->calls.count < CDP_SINK_MAX_CALLS
               ? NULL
               : "the client has too many commands without a reply";
}

/* Under the mutex. Takes ownership of bytes. */
static void enqueue(struct cdp_sink *sink, char *bytes, size_t length)
{
    struct text *text = xcalloc(1, sizeof(*text));
    text->bytes = bytes;
    text->length = length;
    *sink->last = text;
    sink->last = &text->next;
    sink->bytes += length + TEXT_OVERHEAD;
    wait_for_turn(sink);
}

bool cdp_sink_send(struct cdp_sink *sink, char *text, size_t length)
{
    assert(loop_is_here(sink->relay->loop));
    pthread_mutex_lock(&sink->relay->mutex);
    bool is_taken = !sink->is_over;
    const char *reason = is_taken ? why_full(sink, length) : NULL;
    if (is_taken && !reason) {
        enqueue(sink, TAKE(text), length);
    }
    pthread_mutex_unlock(&sink->relay->mutex);
    if (reason) {
        close_sink(sink, true, reason);
    }
    free(text);
    return is_taken && !reason;
}

void cdp_sink_command(struct cdp_sink *sink, const char *rest, int tag)
{
    assert(loop_is_here(sink->relay->loop));
    struct text *text = xcalloc(1, sizeof(*text));
    text->bytes = xasprintf("{\"id\":0,%s}", rest);
    text->length = strlen(text->bytes);
    text->is_own = true;
    text->tag = tag;
    pthread_mutex_lock(&sink->relay->mutex);
    if (sink->is_over) {
        free(text->bytes);
        free(text);
    } else {
        *sink->own_last = text;
        sink->own_last = &text->next;
        wait_for_turn(sink);
    }
    pthread_mutex_unlock(&sink->relay->mutex);
}

void cdp_sink_set_front(struct cdp_sink *sink, const char *session_id)
{
    pthread_mutex_lock(&sink->relay->mutex);
    assert(!sink->front);
    sink->front = xstrdup(session_id);
    pthread_mutex_unlock(&sink->relay->mutex);
}

bool cdp_sink_is_crowded(struct cdp_sink *sink)
{
    pthread_mutex_lock(&sink->relay->mutex);
    sink->is_crowded |= sink->bytes > CROWDED && !sink->is_over;
    bool is_crowded = sink->is_crowded;
    pthread_mutex_unlock(&sink->relay->mutex);
    return is_crowded;
}

void cdp_sink_destroy(struct cdp_sink *sink)
{
    if (!sink) {
        return;
    }
    assert(loop_is_here(sink->relay->loop));
    sink->is_destroyed = true;
    mailbox_watch(sink->mailbox, -1);
    if (!sink->is_in_handler) {
        loop_unwatch(TAKE(sink->source));
        leave(sink);
    }
}

/* What the pump does: the one thread that writes for sinks. */

static void post_answer(struct cdp_sink *sink, const json_t *answer, int tag)
{
    CLEANUP_FREE char *text = json_dumps(answer, JSON_COMPACT);
    struct cdp_message *message = cdp_message_create(CDP_ANSWER, text);
    message->id = tag;
    mailbox_post(sink->mailbox, &message->link);
}

/* An answer of ours. The id is there only when the command had one. */
static void answer(struct cdp_sink *sink, const struct raw_command *command, int code,
                   const char *words)
{
    json_auto_t *error =
        json_pack("{s:{s:i, s:o}}", "error", "code", code, "message", json_text(words));
    if (command->has_id) {
        json_object_set_new(error, "id", json_integer(command->id));
    }
    post_answer(sink, error, 0);
}

/* As Chrome answers a command of a session that is there. */
static void answer_by_ruling(struct cdp_sink *sink, const struct raw_command *command,
                             const struct cdp_ruling *ruling)
{
    json_auto_t *root =
        json_pack("{s:i, s:s*}", "id", (int)command->id, "sessionId", command->session_id);
    if (ruling->result) {
        json_object_set_new(root, "result", json_loads(ruling->result, 0, NULL));
    } else {
        json_object_set_new(
            root, "error",
            json_pack("{s:i, s:o}", "code", ruling->code, "message", json_text(ruling->message)));
    }
    post_answer(sink, root, ruling->tag);
}

static void add_call(struct cdp_sink *sink, int64_t id, int32_t client_id, bool is_own, int tag)
{
    struct call *call = xcalloc(1, sizeof(*call));
    call->id = id;
    call->client_id = client_id;
    call->is_own = is_own;
    call->tag = tag;
    pthread_mutex_lock(&sink->relay->mutex);
    table_add(&sink->calls, &call->item, table_hash_number((uint64_t)id));
    sink->relay->call_count++;
    pthread_mutex_unlock(&sink->relay->mutex);
}

static void forward(struct cdp_sink *sink, struct raw_command *command, const char *front,
                    bool is_own, int tag)
{
    struct br_error err = { 0 };
    struct cdp_connection *connection = sink->relay->connection;
    const char *session_id = command->session_id ? command->session_id : front;
    int64_t id = cdp_connection_begin(connection, sink->mailbox, session_id, &err);
    if (id < 0) {
        if (!is_own) {
            answer(sink, command, CDP_SESSION_NOT_FOUND, err.message);
        }
        return;
    }
    raw_command_set_id(command, (int32_t)id);
    /* Before it is written, since the reply may be here sooner than this thread. */
    add_call(sink, id, command->id, is_own, tag);
    if (!cdp_connection_write(connection, command->bytes, command->length, deadline_in_ms(WRITE_MS),
                              &err)) {
        close_sink(sink, false, err.message);
    }
}

static void read_and_forward(struct cdp_sink *sink, const struct text *text)
{
    struct br_error err = { 0 };
    struct raw_command command;
    bool is_cbor = cdp_connection_is_cbor(sink->relay->connection);
    const char *front = text->is_own ? sink->root : front_of(sink);
    struct cdp_ruling ruling = { .tag = text->tag };
    if (!raw_command_read(&command, text->bytes, text->length, is_cbor, front, &err)) {
        answer(sink, &command, command.failure, err.message);
        raw_command_finish(&command);
        return;
    }
    if (sink->handler.on_command && !text->is_own) {
        sink->handler.on_command(sink->handler.data, &command, &ruling);
    }
    if (ruling.result || ruling.code) {
        answer_by_ruling(sink, &command, &ruling);
    } else {
        if (ruling.params) {
            const struct cdp_slice params = { ruling.params, strlen(ruling.params) };
            raw_command_set_params(&command, params, front);
        }
        forward(sink, &command, front, text->is_own, ruling.tag);
    }
    free(ruling.params);
    free(ruling.result);
    raw_command_finish(&command);
}

/* Such as stands in a JSON text as it is. */
static bool is_plain(const char *id)
{
    return id[0] && !id[strspn(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "-_.")];
}

/* A session that stands for the browser. */
static bool attach(struct cdp_sink *sink, struct br_error *err)
{
    struct cdp_connection *connection = sink->relay->connection;
    json_auto_t *result = NULL;
    struct cdp_client *client = cdp_client_create(connection, NULL, NULL);
    cdp_client_set_deadline(client, deadline_in_ms(ATTACH_MS));
    bool is_attached = cdp_call(client, NULL, "Target.attachToBrowserTarget", NULL, &result, err);
    cdp_client_destroy(client);
    if (!is_attached) {
        return false;
    }
    const char *id = json_member_string(result, "sessionId");
    if (!id || !is_plain(id)) {
        return error_set(err, BR_UNKNOWN_ERROR, "Target.attachToBrowserTarget gave no session");
    }
    sink->root = xstrdup(id);
    cdp_connection_claim(connection, sink->mailbox, sink->root);
    return true;
}

/* The next command of the sink, or NULL; it counts until it is written. */
static struct text *take_text(struct cdp_sink *sink)
{
    pthread_mutex_lock(&sink->relay->mutex);
    struct text **first = sink->own_first ? &sink->own_first : &sink->first;
    struct text ***last = sink->own_first ? &sink->own_last : &sink->last;
    struct text *text = *first;
    if (text) {
        *first = text->next;
        *last = *first ? *last : first;
    }
    pthread_mutex_unlock(&sink->relay->mutex);
    return text;
}

static void put_away(struct cdp_sink *sink, struct text *text)
{
    size_t bytes = text->is_own ? 0 : text->length + TEXT_OVERHEAD;
    pthread_mutex_lock(&sink->relay->mutex);
    /* Where the sink was closed meanwhile nothing counts any more. */
    sink->bytes -= bytes <= sink->bytes ? bytes : sink->bytes;
    bool has_room = sink->is_crowded && sink->bytes < CROWDED / 2;
    sink->is_crowded &= !has_room;
    if (sink->own_first || sink->first) {
        wait_for_turn(sink);
    }
    pthread_mutex_unlock(&sink->relay->mutex);
    if (has_room && sink->handler.on_room) {
        mailbox_post(sink->mailbox, &cdp_message_create(CDP_ROOM, NULL)->link);
    }
    free(text->bytes);
    free(text);
}

static void serve(struct cdp_sink *sink)
{
    struct br_error err = { 0 };
    if (!sink->root && !attach(sink, &err)) {
        close_sink(sink, false, err.message);
        return;
    }
    struct text *text = take_text(sink);
    if (text) {
        read_and_forward(sink, text);
        put_away(sink, text);
    }
}

static void detach(struct cdp_sink *sink)
{
    struct br_error ignored;
    struct cdp_relay *relay = sink->relay;
    cdp_connection_detach(relay->connection, sink->mailbox);
    if (sink->root && cdp_connection_is_open(relay->connection)) {
        cdp_connection_send(relay->connection, NULL, NULL, "Target.detachFromTarget",
                            json_pack("{s:s}", "sessionId", sink->root), deadline_in_ms(DETACH_MS),
                            &ignored);
    }
    pthread_mutex_lock(&relay->mutex);
    relay->sink_count--;
    relay->call_count -= sink->calls.count;
    pthread_mutex_unlock(&relay->mutex);
    const struct cdp_sink_handler handler = sink->handler;
    free_sink(sink);
    if (handler.on_released) {
        handler.on_released(handler.data);
    }
}

/* While replies are owed somebody has to see that the browser lives. */
static void wait_for_work(struct cdp_relay *relay)
{
    if (relay->call_count == 0 || !cdp_connection_is_open(relay->connection)) {
        pthread_cond_wait(&relay->changed, &relay->mutex);
        return;
    }
    pthread_mutex_unlock(&relay->mutex);
    struct timespec until = deadline_timespec(cdp_connection_check(relay->connection));
    pthread_mutex_lock(&relay->mutex);
    if (!relay->first && !relay->is_ending) {
        pthread_cond_timedwait(&relay->changed, &relay->mutex, &until);
    }
}

/* The sink whose turn it is; NULL at the end. */
static struct cdp_sink *next_sink(struct cdp_relay *relay, bool *ret_is_leaving)
{
    pthread_mutex_lock(&relay->mutex);
    while (!relay->first && !relay->is_ending) {
        wait_for_work(relay);
    }
    struct cdp_sink *sink = relay->first;
    if (sink) {
        relay->first = sink->next;
        relay->last = relay->first ? relay->last : &relay->first;
        sink->is_waiting = false;
        *ret_is_leaving = sink->is_leaving;
    }
    pthread_mutex_unlock(&relay->mutex);
    return sink;
}

static void *pump(void *data)
{
    struct cdp_relay *relay = data;
    struct cdp_sink *sink = NULL;
    bool is_leaving = false;
    while ((sink = next_sink(relay, &is_leaving))) {
        (is_leaving ? detach : serve)(sink);
    }
    return NULL;
}

static void free_relay(struct cdp_relay *relay)
{
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->mutex);
    free(relay);
}

struct cdp_relay *cdp_relay_create(struct cdp_connection *connection, struct loop *loop,
                                   struct br_error *err)
{
    struct cdp_relay *relay = xcalloc(1, sizeof(*relay));
    condition_init(&relay->changed);
    pthread_mutex_init(&relay->mutex, NULL);
    relay->connection = connection;
    relay->loop = loop;
    relay->last = &relay->first;
    int failure = thread_start(&relay->pump, pump, relay);
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start a thread for clients");
        free_relay(relay);
        return NULL;
    }
    return relay;
}

void cdp_relay_destroy(struct cdp_relay *relay)
{
    if (!relay) {
        return;
    }
    assert(!loop_is_here(relay->loop));
    pthread_mutex_lock(&relay->mutex);
    relay->is_ending = true;
    pthread_cond_signal(&relay->changed);
    pthread_mutex_unlock(&relay->mutex);
    pthread_join(relay->pump, NULL);
    assert(relay->sink_count == 0);
    free_relay(relay);
}
