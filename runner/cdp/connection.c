#include "runner/cdp/connection.h"

#include "runner/base/thread.h"
#include "runner/cdp/cutter.h"
#include "runner/cdp/routes.h"
#include "runner/cdp/silence.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Time limit for writing the question to a silent browser, whose pipe may be full. */
enum { ASK_MS = 100 };

/* Messages up to this size contain nothing to cut. */
enum { SMALL_MESSAGE = 4096 };

/* A command that the loop thread has posted. */
struct posted {
    struct posted *next;
    char *bytes;
    size_t length;
    void (*on_written)(void *data); /* NULL: not needed */
    void *data;
};

struct cdp_connection {
    struct transport *transport;
    struct posted *posting; /* loop thread only: what the transport sends; NULL: none */
    pthread_mutex_t mutex;  /* guards the members below; never held during I/O */
    pthread_cond_t turn;    /* signalled when is_writing becomes false or is_closed becomes true */
    bool is_writing;        /* a thread is in the transport's send(), or a post() is unfinished */
    struct posted *posted_first, **posted_last; /* posted commands that wait for their turn */
    struct routes routes;
    bool is_closed;
    char *close_reason; /* NULL while the connection is open */
    struct silence silence;
    atomic_bool is_reading; /* the loop thread is scanning a message */
    struct cutter cutter;   /* loop thread only: cuts the message that is arriving */
    bool is_stuck;          /* closed because the browser had stopped answering */
    struct platform_work (*read_work)(void *data); /* NULL: the browser's work is unknown */
    void *work_data;
};

static void deliver_reply(struct cdp_connection *connection, struct cdp_message *message)
{
    struct routes_call *call = routes_take_call(&connection->routes, message->id);
    if (call && call->mailbox) {
        mailbox_post(call->mailbox, &message->link);
    } else {
        cdp_message_destroy(message);
    }
    routes_call_destroy(call);
}

/* Delivers an event of the browser itself to every client. It is parsed once for all of them. */
static void deliver_to_all(struct cdp_connection *connection, struct cdp_message *message)
{
    for (const struct routes_reader *reader = connection->routes.readers; reader;
         reader = reader->next) {
        if (reader->hears_browser) {
            mailbox_post(reader->mailbox, &cdp_message_share(message)->link);
        }
    }
    cdp_message_destroy(message);
}

/* A session's events have only one reader. */
static void deliver_event(struct cdp_connection *connection, struct cdp_message *message)
{
    if (message->session_id.length == 0) {
        deliver_to_all(connection, message);
        return;
    }
    const struct routes_session *session = routes_find(&connection->routes, message->session_id);
    if (session && session->reader) {
        message->link.is_droppable = !session->reader->is_raw;
        mailbox_post(session->reader->mailbox, &message->link);
    } else {
        cdp_message_destroy(message);
    }
}

/* Chrome drops the commands of a session that is detached and never answers them. */
static void refuse_call(const struct routes_call *call)
{
    if (call->mailbox) {
        mailbox_post(call->mailbox, &cdp_message_create_refusal(call->id, call->session_id)->link);
    }
}

static void tell_of_end(const struct routes_session *session)
{
    if (session->reader && session->reader->is_raw) {
        mailbox_post(session->reader->mailbox, &cdp_message_create(CDP_ENDED, session->id)->link);
    }
}

/* Closes the connection, which is useless now; the reason shows how the garbage began. */
static void close_for_garbage(struct cdp_connection *connection, char *start)
{
    char reason[128];
    for (char *at = start; *at; at++) {
        *at = isprint((unsigned char)*at) ? *at : '.';
    }
    snprintf(reason, sizeof(reason), "the browser sent what is no DevTools message: %s", start);
    cdp_connection_close(connection, reason);
}

/* Records a newly attached session before any reader receives the event. */
static void note_attached(struct cdp_connection *connection, const struct cdp_message *message)
{
    if (cdp_slice_equals(message->method, "Target.attachedToTarget")) {
        routes_attach(&connection->routes, message->session_id,
                      cdp_slice_string(message->params, "sessionId"));
    }
}

/* Returns the id of the session that this event ends; NULL for other messages. Caller frees. */
static char *find_ended_session(const struct cdp_message *message)
{
    if (!cdp_slice_equals(message->method, "Target.detachedFromTarget")) {
        return NULL;
    }
    struct cdp_slice id = cdp_slice_string(message->params, "sessionId");
    return id.length ? xstrndup(id.text, id.length) : NULL;
}

static void on_part(void *data)
{
    struct cdp_connection *connection = data;
    mutex_lock(&connection->mutex);
    silence_heard(&connection->silence, clock_monotonic_ms());
    mutex_unlock(&connection->mutex);
}

/* Scanning a large message takes a while; the browser does not count as silent meanwhile. */
static void set_reading(struct cdp_connection *connection, bool is_reading)
{
    on_part(connection);
    atomic_store(&connection->is_reading, is_reading);
}

/*
 * Cuts long telemetry while it arrives. If there are raw readers, does not begin to cut: one of
 * them may need the message, and its session id comes at the end.
 */
static size_t on_long(void *data, char *text, size_t length)
{
    struct cdp_connection *connection = data;
    mutex_lock(&connection->mutex);
    bool is_kept = connection->routes.raw_count > 0 && connection->cutter.end == 0;
    mutex_unlock(&connection->mutex);
    return !is_kept && telemetry_of(text, length) != TELEMETRY_NONE
               ? cutter_feed(&connection->cutter, text, length)
               : length;
}

/*
 * Returns the kind of the message for its readers. A raw reader's message counts as TELEMETRY_NONE,
 * because raw readers need it complete.
 */
static enum telemetry kind_of(struct cdp_connection *connection, const char *text, size_t length)
{
    enum telemetry kind = telemetry_of(text, length);
    if (kind == TELEMETRY_NONE || connection->cutter.end > 0) {
        return kind;
    }
    mutex_lock(&connection->mutex);
    struct cdp_slice message = { .text = text, .length = length };
    bool is_raw = connection->routes.raw_count > 0 &&
                  routes_raw_mailbox(&connection->routes, cdp_slice_string(message, "sessionId"));
    mutex_unlock(&connection->mutex);
    return is_raw ? TELEMETRY_NONE : kind;
}

/* Takes ownership of text. Returns NULL for garbage. */
static struct cdp_message *read_message(struct cdp_connection *connection, char *text,
                                        size_t length, enum telemetry kind)
{
    if (kind != TELEMETRY_NONE && length > SMALL_MESSAGE) {
        length = cutter_feed(&connection->cutter, text, length);
        text = xrealloc(text, length + 1);
        text[length] = '\0';
    }
    connection->cutter = (struct cutter){ 0 };
    struct cdp_message *message = cdp_message_scan(text, length);
    if (message) {
        message->link.goes_first = kind == TELEMETRY_SAYING;
    }
    return message;
}

static void on_message(void *data, char *text, size_t length)
{
    struct cdp_connection *connection = data;
    enum telemetry kind = kind_of(connection, text, length);
    if (kind == TELEMETRY_USELESS) {
        connection->cutter = (struct cutter){ 0 };
        on_part(connection);
        free(text);
        return;
    }
    char start[41] = "";
    set_reading(connection, true);
    memcpy(start, text, length < sizeof(start) ? length : sizeof(start) - 1);
    struct cdp_message *message = read_message(connection, text, length, kind);
    set_reading(connection, false);
    if (!message) {
        close_for_garbage(connection, start);
        return;
    }
    CLEANUP_FREE char *ended_session = find_ended_session(message);
    mutex_lock(&connection->mutex);
    if (connection->is_closed) {
        cdp_message_destroy(message);
    } else if (message->kind == CDP_REPLY) {
        deliver_reply(connection, message);
    } else {
        note_attached(connection, message);
        deliver_event(connection, message);
    }
    if (ended_session) {
        struct cdp_slice id = { .text = ended_session, .length = strlen(ended_session) };
        routes_end(&connection->routes, id, refuse_call, tell_of_end);
    }
    mutex_unlock(&connection->mutex);
}

static void on_closed(void *data, const char *reason)
{
    cdp_connection_close(data, reason);
}

struct cdp_connection *cdp_connection_create(struct transport *transport, struct br_error *err)
{
    struct cdp_connection *connection = xcalloc(1, sizeof(*connection));
    condition_init(&connection->turn);
    pthread_mutex_init(&connection->mutex, NULL);
    connection->transport = transport;
    connection->posted_last = &connection->posted_first;
    struct transport_handler handler = {
        .on_message = on_message,
        .on_part = on_part,
        .on_long = on_long,
        .on_closed = on_closed,
        .data = connection,
    };
    if (!transport->ops->start(transport, &handler, err)) {
        cdp_connection_destroy(connection);
        return NULL;
    }
    return connection;
}

static void free_posted(struct posted *posted)
{
    while (posted) {
        struct posted *next = posted->next;
        free(posted->bytes);
        free(posted);
        posted = next;
    }
}

void cdp_connection_destroy(struct cdp_connection *connection)
{
    if (!connection) {
        return;
    }
    connection->transport->ops->destroy(connection->transport);
    free_posted(connection->posting);
    free_posted(connection->posted_first);
    routes_finish(&connection->routes);
    free(connection->close_reason);
    pthread_cond_destroy(&connection->turn);
    pthread_mutex_destroy(&connection->mutex);
    free(connection);
}

static void tell_all_of_close(struct cdp_connection *connection, const char *reason)
{
    for (const struct routes_reader *reader = connection->routes.readers; reader;
         reader = reader->next) {
        mailbox_post(reader->mailbox, &cdp_message_create(CDP_CLOSED, reason)->link);
    }
}

void cdp_connection_close(struct cdp_connection *connection, const char *reason)
{
    mutex_lock(&connection->mutex);
    bool is_first = !connection->is_closed;
    if (is_first) {
        connection->is_closed = true;
        connection->close_reason = xstrdup(reason);
        routes_drop_calls(&connection->routes);
        tell_all_of_close(connection, reason);
        pthread_cond_broadcast(&connection->turn);
    }
    mutex_unlock(&connection->mutex);
    if (is_first) {
        connection->transport->ops->abort(connection->transport);
    }
}

bool cdp_connection_is_open(struct cdp_connection *connection)
{
    mutex_lock(&connection->mutex);
    bool is_open = !connection->is_closed;
    mutex_unlock(&connection->mutex);
    return is_open;
}

bool cdp_connection_has_begun(struct cdp_connection *connection)
{
    mutex_lock(&connection->mutex);
    bool has_begun = connection->silence.has_begun;
    mutex_unlock(&connection->mutex);
    return has_begun;
}

bool cdp_connection_is_stuck(struct cdp_connection *connection)
{
    mutex_lock(&connection->mutex);
    bool is_stuck = connection->is_stuck;
    mutex_unlock(&connection->mutex);
    return is_stuck;
}

void cdp_connection_judge_by(struct cdp_connection *connection,
                             struct platform_work (*read_work)(void *data), void *data,
                             int64_t answer_ms)
{
    mutex_lock(&connection->mutex);
    connection->read_work = read_work;
    connection->work_data = data;
    connection->silence.answer_ms = answer_ms;
    mutex_unlock(&connection->mutex);
}

/* Reads the browser's work if it matters now; it costs some dozens of small files. */
static struct platform_work work_of(struct cdp_connection *connection, int64_t now_ms)
{
    mutex_lock(&connection->mutex);
    bool is_needed = connection->read_work && silence_needs_work(&connection->silence, now_ms);
    mutex_unlock(&connection->mutex);
    return is_needed ? connection->read_work(connection->work_data)
                     : (struct platform_work){ .ran_us = 0 };
}

struct deadline cdp_connection_check(struct cdp_connection *connection)
{
    int64_t wait_ms = 0;
    int64_t now_ms = clock_monotonic_ms();
    const struct platform_work work = work_of(connection, now_ms);
    mutex_lock(&connection->mutex);
    if (atomic_load(&connection->is_reading)) {
        silence_heard(&connection->silence, clock_monotonic_ms());
    }
    enum silence_verdict verdict = silence_check(&connection->silence, now_ms, &work, &wait_ms);
    connection->is_stuck |= verdict == SILENCE_STUCK && !connection->is_closed;
    mutex_unlock(&connection->mutex);
    if (verdict == SILENCE_ASK) {
        struct br_error ignored;
        /* Any answer is a sign of life. This one is not used. */
        cdp_connection_send(connection, NULL, NULL, "Browser.getVersion", NULL,
                            deadline_in_ms(ASK_MS), &ignored);
    } else if (verdict == SILENCE_STUCK) {
        cdp_connection_close(connection, "the browser does not answer any more");
    }
    return deadline_in_ms(wait_ms);
}

/*
 * Checks that the connection is open and adds the call in one step. Otherwise a call that is added
 * just after the connection closed would wait until its deadline.
 */
static int64_t register_call(struct cdp_connection *connection, struct mailbox *mailbox,
                             const char *session_id, struct br_error *err)
{
    int64_t id = -1;
    mutex_lock(&connection->mutex);
    if (connection->is_closed) {
        error_set(err, BR_DISCONNECTED, "%s", connection->close_reason);
    } else {
        id = routes_add_call(&connection->routes, mailbox, session_id);
        silence_sent(&connection->silence, clock_monotonic_ms());
    }
    mutex_unlock(&connection->mutex);
    return id;
}

/* Not a mutex, because waiting threads have a deadline and must notice a closed connection. */
static bool take_turn(struct cdp_connection *connection, struct deadline deadline,
                      struct br_error *err)
{
    int result = 0;
    struct timespec until = deadline_timespec(deadline);
    mutex_lock(&connection->mutex);
    while (connection->is_writing && !connection->is_closed && result == 0) {
        result = pthread_cond_timedwait(&connection->turn, &connection->mutex, &until);
    }
    bool is_mine = !connection->is_closed && !connection->is_writing;
    if (is_mine) {
        connection->is_writing = true;
    } else if (connection->is_closed) {
        error_set(err, BR_DISCONNECTED, "%s", connection->close_reason);
    } else {
        error_set(err, BR_TIMEOUT, "the browser takes no more commands");
    }
    mutex_unlock(&connection->mutex);
    return is_mine;
}

static void flush_posted(void *data);

static void end_turn(struct cdp_connection *connection)
{
    mutex_lock(&connection->mutex);
    connection->is_writing = false;
    bool is_posted = connection->posted_first;
    pthread_cond_signal(&connection->turn);
    mutex_unlock(&connection->mutex);
    if (is_posted) {
        loop_post(connection->transport->loop, flush_posted, connection);
    }
}

static void on_posted(struct cdp_connection *connection)
{
    struct posted *posted = TAKE(connection->posting);
    void (*on_written)(void *data) = posted->on_written;
    void *on_written_data = posted->data;
    free_posted(posted);
    if (on_written) {
        on_written(on_written_data);
    }
}

static void on_sent(void *data)
{
    struct cdp_connection *connection = data;
    end_turn(connection);
    on_posted(connection);
}

/*
 * Takes the next posted command to write it, if no thread is writing, or to drop it, if the
 * connection is closed.
 */
static bool take_posted(struct cdp_connection *connection, bool *ret_is_closed)
{
    mutex_lock(&connection->mutex);
    struct posted *posted = connection->posted_first;
    bool is_mine = posted && (!connection->is_writing || connection->is_closed);
    if (is_mine) {
        connection->posted_first = posted->next;
        connection->posted_last =
            posted->next ? connection->posted_last : &connection->posted_first;
        posted->next = NULL;
        connection->posting = posted;
        connection->is_writing |= !connection->is_closed;
    }
    *ret_is_closed = connection->is_closed;
    mutex_unlock(&connection->mutex);
    return is_mine;
}

static void flush_posted(void *data)
{
    struct cdp_connection *connection = data;
    struct transport *transport = connection->transport;
    bool is_closed = false;
    while (!connection->posting && take_posted(connection, &is_closed)) {
        const struct posted *posted = connection->posting;
        if (is_closed) {
            on_posted(connection);
        } else if (transport->ops->post(transport, posted->bytes, posted->length, on_sent,
                                        connection)) {
            on_sent(connection);
        }
    }
}

void cdp_connection_post(struct cdp_connection *connection, char *bytes, size_t length,
                         void (*on_written)(void *data), void *data)
{
    struct posted *posted = xcalloc(1, sizeof(*posted));
    posted->bytes = bytes;
    posted->length = length;
    posted->on_written = on_written;
    posted->data = data;
    mutex_lock(&connection->mutex);
    *connection->posted_last = posted;
    connection->posted_last = &posted->next;
    mutex_unlock(&connection->mutex);
    flush_posted(connection);
}

static void unpost(struct posted *posted, const void *data)
{
    for (; posted; posted = posted->next) {
        posted->on_written = posted->data == data ? NULL : posted->on_written;
    }
}

void cdp_connection_unpost(struct cdp_connection *connection, const void *data)
{
    unpost(connection->posting, data);
    mutex_lock(&connection->mutex);
    unpost(connection->posted_first, data);
    mutex_unlock(&connection->mutex);
}

static bool write_waiting(struct cdp_connection *connection, const char *bytes, size_t length,
                          struct deadline deadline, struct br_error *err)
{
    struct transport *transport = connection->transport;
    if (!take_turn(connection, deadline, err)) {
        return false;
    }
    bool is_sent = transport->ops->send(transport, bytes, length, deadline, err);
    end_turn(connection);
    return is_sent;
}

static bool send_command(struct cdp_connection *connection, const json_t *command,
                         struct deadline deadline, struct br_error *err)
{
    size_t length = 0;
    CLEANUP_FREE char *bytes =
        cdp_command_encode(command, connection->transport->is_cbor, &length, err);
    if (bytes && loop_is_here(connection->transport->loop)) {
        cdp_connection_post(connection, TAKE(bytes), length, NULL, NULL);
        return true;
    }
    return bytes && write_waiting(connection, bytes, length, deadline, err);
}

int64_t cdp_connection_send(struct cdp_connection *connection, struct mailbox *mailbox,
                            const char *session_id, const char *method, json_t *params,
                            struct deadline deadline, struct br_error *err)
{
    json_auto_t *owned_params = params;
    int64_t id = register_call(connection, mailbox, session_id, err);
    if (id >= 0) {
        json_auto_t *command = cdp_command_create(id, session_id, method, owned_params, err);
        if (!command || !send_command(connection, command, deadline, err)) {
            cdp_connection_forget(connection, id);
            id = -1;
        }
    }
    if (id < 0) {
        error_context(err, "%s", method);
    }
    return id;
}

int64_t cdp_connection_begin(struct cdp_connection *connection, struct mailbox *mailbox,
                             const char *session_id, struct br_error *err)
{
    int64_t id = -1;
    struct cdp_slice session = { .text = session_id, .length = strlen(session_id) };
    mutex_lock(&connection->mutex);
    if (connection->is_closed) {
        error_set(err, BR_DISCONNECTED, "%s", connection->close_reason);
    } else if (routes_raw_mailbox(&connection->routes, session) != mailbox) {
        error_set(err, BR_PAGE_CRASHED, "Session with given id not found.");
    } else {
        id = routes_add_call(&connection->routes, mailbox, session_id);
    }
    mutex_unlock(&connection->mutex);
    return id;
}

bool cdp_connection_is_cbor(const struct cdp_connection *connection)
{
    return connection->transport->is_cbor;
}

bool cdp_connection_forget(struct cdp_connection *connection, int64_t id)
{
    mutex_lock(&connection->mutex);
    struct routes_call *call = routes_take_call(&connection->routes, id);
    mutex_unlock(&connection->mutex);
    bool is_found = call;
    routes_call_destroy(call);
    return is_found;
}

static void tell_if_closed(struct cdp_connection *connection, struct mailbox *mailbox)
{
    if (connection->is_closed) {
        mailbox_post(mailbox, &cdp_message_create(CDP_CLOSED, connection->close_reason)->link);
    }
}

void cdp_connection_route(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id)
{
    mutex_lock(&connection->mutex);
    routes_read(&connection->routes, mailbox, session_id);
    tell_if_closed(connection, mailbox);
    mutex_unlock(&connection->mutex);
}

void cdp_connection_claim(struct cdp_connection *connection, struct mailbox *mailbox,
                          const char *session_id)
{
    mutex_lock(&connection->mutex);
    routes_claim(&connection->routes, mailbox, session_id);
    tell_if_closed(connection, mailbox);
    mutex_unlock(&connection->mutex);
}

void cdp_connection_detach(struct cdp_connection *connection, struct mailbox *mailbox)
{
    mutex_lock(&connection->mutex);
    routes_leave(&connection->routes, mailbox);
    mutex_unlock(&connection->mutex);
}
