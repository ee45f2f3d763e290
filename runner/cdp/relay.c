#include "runner/cdp/relay.h"

#include "runner/base/json.h"
#include "runner/base/table.h"
#include "runner/cdp/raw_command.h"
#include "runner/cdp/silence.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    ATTACH_MS = 10000,         /* limit for attaching a sink */
    MESSAGES_PER_TURN = 64,    /* then other tasks of the loop run */
    COMMANDS_PER_TURN = 64,    /* the same */
    TEXT_OVERHEAD = 64,        /* memory of a text beside its bytes */
    CROWDED = 8 * 1024 * 1024, /* waiting bytes of a sink */
};

/* A command that is not written yet. */
struct text {
    struct text *next;
    char *bytes;
    size_t length;
    bool is_own; /* the owner's, not the client's */
    int tag;     /* tag of its reply */
};

/* A written command without a reply. */
struct call {
    struct table_item item;
    int64_t id;        /* ours */
    int32_t client_id; /* the client's */
    bool is_own;
    int tag;
};

struct cdp_sink {
    struct cdp_relay *relay;
    struct mailbox *mailbox; /* messages for the sink; any thread posts */
    atomic_bool is_noted;    /* take_messages() is posted */
    /* Used on the loop thread only: */
    int64_t attach_id;               /* id of the attaching command; -1: it has ended */
    struct loop_timer *attach_timer; /* NULL: it has ended */
    char *root;                      /* its session; NULL until it is attached */
    char *front;                     /* replaces it; NULL: none. Set once */
    struct cdp_sink_handler handler;
    bool is_closed_reported;            /* on_closed has been called */
    bool is_over;                       /* accepts no more commands */
    bool is_full;                       /* closed by its limit */
    bool is_destroyed;                  /* by its owner */
    bool is_left;                       /* free_sink() is posted */
    bool is_crowded;                    /* until on_room */
    struct text *own_first, **own_last; /* the owner's commands are written first */
    struct text *first, **last;
    size_t bytes, max_bytes;
    struct table calls;
    bool is_waiting;       /* waits for its turn in the relay's list */
    struct cdp_sink *next; /* in that list */
};

struct cdp_relay {
    struct cdp_connection *connection;
    struct loop *loop;
    /* Used on the loop thread only: */
    struct cdp_sink *first, **last; /* sinks that wait for their turn */
    struct cdp_sink *writer;        /* whose command is being written; NULL: none, or it has left */
    size_t writer_bytes;            /* bytes of that command */
    bool is_writing, is_pumping, is_resuming;
    size_t call_count;
    struct loop_timer *check; /* whether the browser still answers; NULL: no call is open */
    pthread_mutex_t mutex;    /* guards what follows */
    pthread_cond_t changed;
    size_t sink_count;
};

static bool has_texts(const struct cdp_sink *sink)
{
    return sink->own_first || sink->first;
}

/* Adds the sink to the list of turns, if it has a session and commands. */
static void wait_for_turn(struct cdp_sink *sink)
{
    struct cdp_relay *relay = sink->relay;
    if (!sink->is_waiting && sink->root && has_texts(sink)) {
        sink->is_waiting = true;
        sink->next = NULL;
        *relay->last = sink;
        relay->last = &sink->next;
    }
}

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

/* Closes a sink that its owner has not destroyed. Keeps the first reason. */
static void close_sink(struct cdp_sink *sink, bool is_full, const char *reason)
{
    if (!sink->is_over) {
        sink->is_over = true;
        sink->is_full = is_full;
        drop_texts(sink);
        mailbox_post(sink->mailbox, &cdp_message_create(CDP_CLOSED, reason)->link);
    }
}

/* Checks that the browser answers while calls are open. */

static void watch_silence(struct cdp_relay *relay, int64_t ms);

static void on_check(void *data)
{
    struct cdp_relay *relay = data;
    relay->check = NULL;
    if (relay->call_count > 0) {
        watch_silence(relay, deadline_left_ms(cdp_connection_check(relay->connection)));
    }
}

static void watch_silence(struct cdp_relay *relay, int64_t ms)
{
    if (!relay->check && cdp_connection_is_open(relay->connection)) {
        relay->check = loop_timer_start(relay->loop, ms > 1 ? ms : 1, on_check, relay);
    }
}

static void add_call(struct cdp_sink *sink, int64_t id, int32_t client_id, bool is_own, int tag)
{
    struct call *call = xcalloc(1, sizeof(*call));
    call->id = id;
    call->client_id = client_id;
    call->is_own = is_own;
    call->tag = tag;
    table_add(&sink->calls, &call->item, table_hash_number((uint64_t)id));
    sink->relay->call_count++;
    watch_silence(sink->relay, SILENCE_PATIENCE_MS);
}

static bool is_call(const struct table_item *item, const void *key)
{
    return ((const struct call *)item)->id == *(const int64_t *)key;
}

/* Removes an open call. False: unknown. */
static bool take_call(struct cdp_sink *sink, int64_t id, struct call *ret_call)
{
    struct call *call =
        (struct call *)table_find(&sink->calls, table_hash_number((uint64_t)id), is_call, &id);
    if (!call) {
        return false;
    }
    table_remove(&sink->calls, &call->item);
    sink->relay->call_count--;
    *ret_call = *call;
    free(call);
    return true;
}

/* From the client to the browser. */

/* The session whose id is omitted in texts for the client. */
static const char *front_of(const struct cdp_sink *sink)
{
    return sink->front ? sink->front : sink->root;
}

static void post_answer(struct cdp_sink *sink, const json_t *answer, int tag)
{
    CLEANUP_FREE char *text = json_dumps(answer, JSON_COMPACT);
    struct cdp_message *message = cdp_message_create(CDP_ANSWER, text);
    message->id = tag;
    mailbox_post(sink->mailbox, &message->link);
}

/* Answers with an error of ours; with the id only if the command had one. */
static void answer(struct cdp_sink *sink, const struct raw_command *command, int code,
                   const char *words, int tag)
{
    json_auto_t *error =
        json_pack("{s:{s:i, s:o}}", "error", "code", code, "message", json_text(words));
    if (command->has_id) {
        json_object_set_new(error, "id", json_integer(command->id));
    }
    post_answer(sink, error, tag);
}

/* Answers as Chrome does on an open session. */
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

static void on_written(void *data);

static void forward(struct cdp_sink *sink, struct raw_command *command, const char *front,
                    bool is_own, int tag)
{
    struct br_error err = { 0 };
    struct cdp_relay *relay = sink->relay;
    const char *session_id = command->session_id ? command->session_id : front;
    int64_t id = cdp_connection_begin(relay->connection, sink->mailbox, session_id, &err);
    if (id < 0) {
        if (!is_own || tag) {
            answer(sink, command, CDP_SESSION_NOT_FOUND, err.message, tag);
        }
        return;
    }
    raw_command_set_id(command, (int32_t)id);
    add_call(sink, id, command->id, is_own, tag);
    relay->is_writing = true;
    cdp_connection_post(relay->connection, TAKE(command->bytes), command->length, on_written,
                        relay);
}

static void read_and_forward(struct cdp_sink *sink, const struct text *text)
{
    struct br_error err = { 0 };
    struct raw_command command;
    bool is_cbor = cdp_connection_is_cbor(sink->relay->connection);
    const char *front = text->is_own ? sink->root : front_of(sink);
    struct cdp_ruling ruling = { .tag = text->tag };
    if (!raw_command_read(&command, text->bytes, text->length, is_cbor, front, &err)) {
        answer(sink, &command, command.failure, err.message, 0);
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

/* Removes the next command of the sink. Its bytes count until settle(). */
static struct text *take_text(struct cdp_sink *sink)
{
    struct text **first = sink->own_first ? &sink->own_first : &sink->first;
    struct text ***last = sink->own_first ? &sink->own_last : &sink->last;
    struct text *text = *first;
    if (text) {
        *first = text->next;
        *last = *first ? *last : first;
    }
    return text;
}

/* Ends the turn of a sink whose command has been written or answered. */
static void settle(struct cdp_relay *relay)
{
    struct cdp_sink *sink = TAKE(relay->writer);
    if (!sink || sink->is_over) {
        return; /* its bytes are no longer counted */
    }
    sink->bytes -= relay->writer_bytes;
    if (sink->is_crowded && sink->bytes < CROWDED / 2) {
        sink->is_crowded = false;
        if (sink->handler.on_room) {
            mailbox_post(sink->mailbox, &cdp_message_create(CDP_ROOM, NULL)->link);
        }
    }
    wait_for_turn(sink);
}

static void serve(struct cdp_sink *sink)
{
    struct cdp_relay *relay = sink->relay;
    struct text *text = take_text(sink);
    if (text) {
        relay->writer = sink;
        relay->writer_bytes = text->is_own ? 0 : text->length + TEXT_OVERHEAD;
        read_and_forward(sink, text);
        free(text->bytes);
        free(text);
        if (!relay->is_writing) {
            settle(relay);
        }
    }
}

static struct cdp_sink *next_sink(struct cdp_relay *relay)
{
    struct cdp_sink *sink = relay->first;
    relay->first = sink->next;
    relay->last = relay->first ? relay->last : &relay->first;
    sink->is_waiting = false;
    return sink;
}

static void resume(void *data);

/* Writes one command of each sink in turn, until the browser accepts no more bytes. */
static void pump(struct cdp_relay *relay)
{
    if (relay->is_pumping) {
        return;
    }
    relay->is_pumping = true;
    for (int i = 0; i < COMMANDS_PER_TURN && relay->first && !relay->is_writing; i++) {
        serve(next_sink(relay));
    }
    relay->is_pumping = false;
    if (relay->first && !relay->is_writing && !relay->is_resuming) {
        relay->is_resuming = true;
        loop_post(relay->loop, resume, relay);
    }
}

static void resume(void *data)
{
    struct cdp_relay *relay = data;
    relay->is_resuming = false;
    pump(relay);
}

static void on_written(void *data)
{
    struct cdp_relay *relay = data;
    relay->is_writing = false;
    if (!relay->is_pumping) { /* otherwise it was written at once */
        settle(relay);
        pump(relay);
    }
}

/* Beginning and end of a sink. */

static void take_messages(void *data);

/* Any thread. */
static void on_post(void *data)
{
    struct cdp_sink *sink = data;
    if (!atomic_exchange(&sink->is_noted, true)) {
        loop_post(sink->relay->loop, take_messages, sink);
    }
}

static void free_sink(void *data)
{
    struct cdp_sink *sink = data;
    struct cdp_relay *relay = sink->relay;
    const struct cdp_sink_handler handler = sink->handler;
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
    if (handler.on_released) {
        handler.on_released(handler.data);
    }
    pthread_mutex_lock(&relay->mutex);
    relay->sink_count--;
    pthread_cond_broadcast(&relay->changed);
    pthread_mutex_unlock(&relay->mutex);
}

static void stop_waiting(struct cdp_sink *sink)
{
    struct cdp_relay *relay = sink->relay;
    struct cdp_sink **place = &relay->first;
    while (sink->is_waiting && *place != sink) {
        place = &(*place)->next;
    }
    if (sink->is_waiting) {
        *place = sink->next;
        relay->last = sink->next ? relay->last : place;
        sink->is_waiting = false;
    }
}

/* Detaches a destroyed sink, and posts free_sink(), since a callback may still use it. */
static void leave(struct cdp_sink *sink)
{
    struct br_error ignored;
    struct cdp_relay *relay = sink->relay;
    sink->is_left = true;
    stop_waiting(sink);
    relay->writer = relay->writer == sink ? NULL : relay->writer;
    relay->call_count -= sink->calls.count;
    cdp_connection_detach(relay->connection, sink->mailbox);
    mailbox_notify(sink->mailbox, NULL, NULL);
    if (sink->root && cdp_connection_is_open(relay->connection)) {
        cdp_connection_send(relay->connection, NULL, NULL, "Target.detachFromTarget",
                            json_pack("{s:s}", "sessionId", sink->root), (struct deadline){ 0 },
                            &ignored);
    }
    loop_post(relay->loop, free_sink, sink);
}

/* Whether a JSON text contains the id without escapes. */
static bool is_plain(const char *id)
{
    return id && id[0] &&
           !id[strspn(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                          "-_.")];
}

/* Ends attaching. A sink that was destroyed meanwhile leaves now. */
static void end_attach(struct cdp_sink *sink)
{
    sink->attach_id = -1;
    if (sink->attach_timer) {
        loop_timer_cancel(TAKE(sink->attach_timer));
    }
    if (sink->is_destroyed) {
        leave(sink);
    }
}

static void take_attached(struct cdp_sink *sink, const struct cdp_message *reply)
{
    struct cdp_slice json = reply->failure.length ? reply->failure : reply->result;
    json_auto_t *root = json_loadb(json.text, json.length, 0, NULL);
    const char *id = reply->failure.length ? NULL : json_member_string(root, "sessionId");
    const char *why = json_member_string(root, "message");
    if (is_plain(id)) {
        sink->root = xstrdup(id);
        cdp_connection_claim(sink->relay->connection, sink->mailbox, sink->root);
        wait_for_turn(sink);
    } else {
        CLEANUP_FREE char *failure =
            xasprintf("Target.attachToBrowserTarget: %s", why ? why : "there is no session");
        close_sink(sink, false, failure);
    }
    end_attach(sink);
    pump(sink->relay);
}

static void on_attach_late(void *data)
{
    struct cdp_sink *sink = data;
    sink->attach_timer = NULL;
    cdp_connection_forget(sink->relay->connection, sink->attach_id);
    close_sink(sink, false, "timed out waiting for the reply to Target.attachToBrowserTarget");
    end_attach(sink);
}

/* Attaches the sink to a session with the browser, and subscribes to the browser's end. */
static void attach(struct cdp_sink *sink)
{
    struct br_error err;
    struct cdp_connection *connection = sink->relay->connection;
    mailbox_notify(sink->mailbox, on_post, sink);
    cdp_connection_claim(connection, sink->mailbox, NULL);
    sink->attach_id =
        cdp_connection_send(connection, sink->mailbox, NULL, "Target.attachToBrowserTarget", NULL,
                            (struct deadline){ 0 }, &err);
    if (sink->attach_id < 0) {
        close_sink(sink, false, err.message);
    } else {
        sink->attach_timer = loop_timer_start(sink->relay->loop, ATTACH_MS, on_attach_late, sink);
    }
}

/* From the browser to the client. */

static void hand_over(struct cdp_sink *sink, struct cdp_message *message)
{
    const struct cdp_sink_handler *handler = &sink->handler;
    size_t length = 0;
    struct call call = { .tag = message->kind == CDP_ANSWER ? (int)message->id : 0 };
    bool is_hidden = message->kind == CDP_EVENT && front_of(sink) != sink->root &&
                     cdp_slice_equals(message->session_id, sink->root);
    bool is_wanted = is_hidden ? false
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

static void report_end(struct cdp_sink *sink, const char *reason)
{
    sink->is_over = true;
    drop_texts(sink);
    sink->is_closed_reported = true;
    sink->handler.on_closed(sink->handler.data, sink->is_full ? CDP_SINK_FULL : CDP_SINK_GONE,
                            reason);
}

static void report(struct cdp_sink *sink, const struct cdp_message *message)
{
    bool is_root =
        message->kind == CDP_ENDED && sink->root && strcmp(message->text, sink->root) == 0;
    if (message->kind == CDP_ROOM) {
        sink->handler.on_room(sink->handler.data);
    } else if (message->kind == CDP_CLOSED || is_root) {
        report_end(sink, is_root ? "the browser has detached the client" : message->text);
    } else if (sink->handler.on_ended) {
        sink->handler.on_ended(sink->handler.data,
                               strcmp(message->text, front_of(sink)) == 0 ? "" : message->text);
    }
}

/* Takes ownership of the message. */
static void take_message(struct cdp_sink *sink, struct cdp_message *message)
{
    bool is_for_client =
        message->kind == CDP_REPLY || message->kind == CDP_EVENT || message->kind == CDP_ANSWER;
    if (sink->attach_id >= 0 && message->kind == CDP_CLOSED) {
        end_attach(sink);
    }
    if (sink->attach_id >= 0 && message->kind == CDP_REPLY && message->id == sink->attach_id) {
        take_attached(sink, message);
    } else if (is_for_client && !sink->is_destroyed && !sink->is_closed_reported) {
        hand_over(sink, message);
        return;
    } else if (!sink->is_destroyed && !sink->is_closed_reported) {
        report(sink, message);
    }
    cdp_message_destroy(message);
}

static void take_messages(void *data)
{
    struct cdp_sink *sink = data;
    atomic_store(&sink->is_noted, false);
    for (int i = 0; i < MESSAGES_PER_TURN && !sink->is_left && mailbox_count(sink->mailbox); i++) {
        struct message *message = mailbox_wait(sink->mailbox, (struct deadline){ 0 });
        take_message(sink, (struct cdp_message *)message);
    }
    if (!sink->is_left && mailbox_count(sink->mailbox)) {
        on_post(sink);
    }
}

/* Functions for owners. */

struct cdp_sink *cdp_sink_create(struct cdp_relay *relay, size_t max_bytes,
                                 const struct cdp_sink_handler *handler)
{
    struct cdp_sink *sink = xcalloc(1, sizeof(*sink));
    assert(loop_is_here(relay->loop));
    sink->relay = relay;
    sink->mailbox = mailbox_create(0); /* nothing in it is dropped */
    sink->handler = *handler;
    sink->own_last = &sink->own_first;
    sink->last = &sink->first;
    sink->max_bytes = max_bytes;
    pthread_mutex_lock(&relay->mutex);
    relay->sink_count++;
    pthread_mutex_unlock(&relay->mutex);
    attach(sink);
    return sink;
}

/* Why the sink accepts no more commands, or NULL. */
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

/* Takes ownership of bytes. */
static void enqueue(struct cdp_sink *sink, char *bytes, size_t length)
{
    struct text *text = xcalloc(1, sizeof(*text));
    text->bytes = bytes;
    text->length = length;
    *sink->last = text;
    sink->last = &text->next;
    sink->bytes += length + TEXT_OVERHEAD;
    wait_for_turn(sink);
    pump(sink->relay);
}

bool cdp_sink_send(struct cdp_sink *sink, char *text, size_t length)
{
    assert(loop_is_here(sink->relay->loop));
    const char *reason = sink->is_over ? NULL : why_full(sink, length);
    bool is_taken = !sink->is_over && !reason;
    if (is_taken) {
        enqueue(sink, text, length);
        return true;
    }
    if (reason) {
        close_sink(sink, true, reason);
    }
    free(text);
    return false;
}

void cdp_sink_command(struct cdp_sink *sink, const char *session_id, const char *method,
                      json_t *params, int tag)
{
    json_auto_t *command =
        json_pack("{s:i, s:s, s:s*, s:o}", "id", 0, "method", method, "sessionId", session_id,
                  "params", params ? params : json_object());
    assert(loop_is_here(sink->relay->loop));
    if (sink->is_over) {
        return;
    }
    struct text *text = xcalloc(1, sizeof(*text));
    text->bytes = json_dumps(command, JSON_COMPACT);
    text->length = strlen(text->bytes);
    text->is_own = true;
    text->tag = tag;
    *sink->own_last = text;
    sink->own_last = &text->next;
    wait_for_turn(sink);
    pump(sink->relay);
}

void cdp_sink_set_front(struct cdp_sink *sink, const char *session_id)
{
    assert(!sink->front);
    sink->front = xstrdup(session_id);
}

bool cdp_sink_is_front(const struct cdp_sink *sink, struct cdp_slice session_id)
{
    return cdp_slice_equals(session_id, front_of(sink));
}

bool cdp_sink_is_crowded(struct cdp_sink *sink)
{
    sink->is_crowded |= sink->bytes > CROWDED && !sink->is_over;
    return sink->is_crowded;
}

void cdp_sink_destroy(struct cdp_sink *sink)
{
    if (!sink) {
        return;
    }
    assert(loop_is_here(sink->relay->loop));
    sink->is_destroyed = true;
    sink->is_over = true;
    drop_texts(sink);
    if (sink->attach_id < 0) {
        leave(sink);
    }
}

struct cdp_relay *cdp_relay_create(struct cdp_connection *connection, struct loop *loop)
{
    struct cdp_relay *relay = xcalloc(1, sizeof(*relay));
    condition_init(&relay->changed);
    pthread_mutex_init(&relay->mutex, NULL);
    relay->connection = connection;
    relay->loop = loop;
    relay->last = &relay->first;
    return relay;
}

static void stop_on_loop(void *data)
{
    struct cdp_relay *relay = data;
    cdp_connection_unpost(relay->connection, relay);
    if (relay->check) {
        loop_timer_cancel(TAKE(relay->check));
    }
}

void cdp_relay_destroy(struct cdp_relay *relay)
{
    if (!relay) {
        return;
    }
    assert(!loop_is_here(relay->loop));
    pthread_mutex_lock(&relay->mutex);
    while (relay->sink_count > 0) {
        pthread_cond_wait(&relay->changed, &relay->mutex);
    }
    pthread_mutex_unlock(&relay->mutex);
    loop_call(relay->loop, stop_on_loop, relay);
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->mutex);
    free(relay);
}
