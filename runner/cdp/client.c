#include "runner/cdp/client.h"

#include "runner/base/json.h"
#include "runner/base/waits.h"
#include "runner/hints/advice.h"
#include "runner/hints/catalogue.h"

#include <stdatomic.h>
#include <string.h>

/*
 * Limit of a mailbox's events in bytes while the client does not wait. A page's telemetry fills at
 * most half of it.
 */
#define MAX_QUEUED_EVENTS ((size_t)32 * 1024 * 1024)

enum { POST_MS = 500 }; /* time limit for writing a command without a reply */

/* A reply that is handled even if it comes too late. */
struct late {
    struct late *next;
    int64_t id;
    bool is_late; /* no longer awaited */
    cdp_on_late *on_late;
};

struct cdp_client {
    struct cdp_connection *connection;
    struct mailbox *mailbox;
    cdp_on_event *on_event;
    bool (*skip)(void *data, const char *session_id, const char *method); /* NULL: no filter */
    cdp_between *between;                                                 /* NULL: no such work */
    const struct cdp_time *time; /* NULL: it passes by itself */
    bool is_new_wait;            /* time->move was not called yet in this wait */
    bool is_moving;              /* its own waits do not call it */
    void *data;
    struct waits *waits; /* NULL: waits are not recorded */
    struct deadline deadline;
    struct cdp_message *replies; /* arrived during a wait for another one; linked by link.next */
    struct late *late;           /* NULL: no such reply is due */
    char *closed_reason;         /* NULL while the connection is open */
    struct br_error broken;      /* code BR_OK while the client can wait */
    atomic_bool is_interrupted, is_cancelled;
};

struct cdp_client *cdp_client_create(struct cdp_connection *connection, cdp_on_event *on_event,
                                     void *data)
{
    struct cdp_client *client = xcalloc(1, sizeof(*client));
    client->connection = connection;
    client->mailbox = mailbox_create(MAX_QUEUED_EVENTS);
    client->on_event = on_event;
    client->data = data;
    client->deadline.at_us = INT64_MAX;
    cdp_connection_route(connection, client->mailbox, NULL);
    return client;
}

void cdp_client_destroy(struct cdp_client *client)
{
    if (!client) {
        return;
    }
    cdp_connection_detach(client->connection, client->mailbox);
    mailbox_destroy(client->mailbox);
    while (client->replies) {
        struct cdp_message *reply = client->replies;
        client->replies = (struct cdp_message *)reply->link.next;
        cdp_message_destroy(reply);
    }
    while (client->late) {
        struct late *late = client->late;
        client->late = late->next;
        free(late);
    }
    free(client->closed_reason);
    free(client);
}

void cdp_client_set_skip(struct cdp_client *client,
                         bool (*skip)(void *data, const char *session_id, const char *method))
{
    client->skip = skip;
}

void cdp_client_set_between(struct cdp_client *client, cdp_between *between)
{
    client->between = between;
}

void cdp_client_set_waits(struct cdp_client *client, struct waits *waits)
{
    client->waits = waits;
}

void cdp_client_set_time(struct cdp_client *client, const struct cdp_time *time)
{
    client->time = time;
}

void cdp_client_adopt(struct cdp_client *client, const char *session_id)
{
    cdp_connection_route(client->connection, client->mailbox, session_id);
}

void cdp_client_interrupt(struct cdp_client *client)
{
    atomic_store(&client->is_interrupted, true);
    mailbox_post(client->mailbox, &cdp_message_create(CDP_INTERRUPT, NULL)->link);
}

void cdp_client_cancel(struct cdp_client *client)
{
    atomic_store(&client->is_cancelled, true);
    mailbox_post(client->mailbox, &cdp_message_create(CDP_INTERRUPT, NULL)->link);
}

void cdp_client_resume(struct cdp_client *client)
{
    atomic_store(&client->is_cancelled, false);
}

void cdp_client_break(struct cdp_client *client, enum br_code code, const char *reason)
{
    error_set(&client->broken, code, "%s", reason);
    error_advise(&client->broken, ADVICE_PAGE_GONE);
}

bool cdp_client_is_open(struct cdp_client *client)
{
    return !client->closed_reason && cdp_connection_is_open(client->connection);
}

void cdp_client_set_deadline(struct cdp_client *client, struct deadline deadline)
{
    client->deadline = deadline;
}

struct deadline cdp_client_deadline(const struct cdp_client *client)
{
    return client->deadline;
}

/* Converts the browser's refusal into an error; the only place that does so. */
static bool refusal(struct cdp_slice failure, const char *method, struct br_error *err)
{
    struct br_error ignored;
    json_auto_t *root = json_parse(failure.text, failure.length, method, &ignored);
    const char *text = json_member_string(root, "message");
    const char *data = json_member_string(root, "data");
    bool is_session_gone = json_member_number(root, "code", 0) == CDP_SESSION_NOT_FOUND;
    const struct catalogue_entry *known = text ? catalogue_find(text) : NULL;
    bool is_page_gone = known && (known->code == BR_PAGE_CRASHED || known->code == BR_STALE_NODE);
    error_set(err,
              is_session_gone ? BR_PAGE_CRASHED
              : is_page_gone  ? known->code
                              : BR_UNKNOWN_ERROR,
              "%s: %s%s%s", method, text ? text : "refused without a reason", data ? ": " : "",
              data ? data : "");
    return is_session_gone ? error_advise(err, ADVICE_PAGE_GONE) : false;
}

static void dispatch(struct cdp_client *client, const struct cdp_message *message)
{
    CLEANUP_FREE char *method = xstrndup(message->method.text, message->method.length);
    CLEANUP_FREE char *session_id = xstrndup(
        message->session_id.length ? message->session_id.text : "", message->session_id.length);
    if (client->skip && client->skip(client->data, session_id, method)) {
        return;
    }
    json_t *params = client->on_event ? cdp_message_params(message) : NULL;
    if (params) {
        client->on_event(client->data, session_id, method, params);
    }
}

static struct late **find_late(struct cdp_client *client, int64_t id)
{
    struct late **place = &client->late;
    while (*place && (*place)->id != id) {
        place = &(*place)->next;
    }
    return place;
}

static void forget_late(struct cdp_client *client, int64_t id)
{
    struct late **place = find_late(client, id);
    if (*place) {
        struct late *late = *place;
        *place = late->next;
        free(late);
    }
}

/* Passes a reply on that is no longer awaited, and destroys it. */
static void give_late(struct cdp_client *client, const struct late *late, struct cdp_message *reply)
{
    struct br_error ignored;
    CLEANUP_FREE char *session_id =
        xstrndup(reply->session_id.length ? reply->session_id.text : "", reply->session_id.length);
    json_auto_t *result =
        reply->result.length
            ? json_parse(reply->result.text, reply->result.length, "a late reply", &ignored)
            : NULL;
    if (result) {
        late->on_late(client->data, session_id, result);
    }
    cdp_message_destroy(reply);
    forget_late(client, late->id);
}

static void keep_reply(struct cdp_client *client, struct cdp_message *reply)
{
    const struct late *late = *find_late(client, reply->id);
    if (late && late->is_late) {
        give_late(client, late, reply);
        return;
    }
    reply->link.next = (struct message *)client->replies;
    client->replies = reply;
}

/* Processes one message. Returns false if none arrived until the deadline. */
static bool take_message(struct cdp_client *client, struct deadline deadline)
{
    struct cdp_message *message = (struct cdp_message *)mailbox_wait(client->mailbox, deadline);
    if (!message) {
        return false;
    }
    switch (message->kind) {
    case CDP_REPLY:
        keep_reply(client, message);
        return true;
    case CDP_CLOSED:
        free(client->closed_reason);
        client->closed_reason = xstrdup(message->text);
        break;
    case CDP_EVENT:
        dispatch(client, message);
        break;
    case CDP_INTERRUPT:
    case CDP_ENDED:
    case CDP_ANSWER:
    case CDP_ROOM:
        break;
    }
    cdp_message_destroy(message);
    return true;
}

void cdp_client_watch(struct cdp_client *client, int fd)
{
    mailbox_watch(client->mailbox, fd);
}

bool cdp_client_has_more(struct cdp_client *client)
{
    return mailbox_count(client->mailbox) > 0;
}

void cdp_drain(struct cdp_client *client)
{
    /* Only those that are here now: a browser that never stops sending would keep the loop busy. */
    for (size_t count = mailbox_count(client->mailbox); count > 0; count--) {
        take_message(client, (struct deadline){ 0 });
    }
}

static void begin_wait(struct cdp_client *client)
{
    client->is_new_wait |= !client->is_moving;
}

/* Returns whether the awaited message may have arrived; otherwise sets when to move again. */
static bool move(struct cdp_client *client, const char *what, struct deadline deadline,
                 struct deadline *ret_next)
{
    *ret_next = deadline;
    if (!client->time || client->is_moving || cdp_client_has_more(client)) {
        return false;
    }
    bool is_new = client->is_new_wait;
    client->is_new_wait = false;
    client->is_moving = true;
    bool has_moved = client->time->move(client->data, what, is_new, deadline, ret_next);
    client->is_moving = false;
    return has_moved;
}

/*
 * Waits for one message and processes it. At the deadline, processes what has arrived by then,
 * because this thread may merely be late, and returns false.
 */
static bool await_message(struct cdp_client *client, struct deadline deadline, const char *what)
{
    while (!deadline_passed(deadline)) {
        struct deadline check = cdp_connection_check(client->connection);
        struct deadline due = client->between ? client->between(client->data, what) : deadline;
        struct deadline next;
        if (move(client, what, deadline, &next)) {
            return true;
        }
        due = deadline_earlier(due, next);
        if (take_message(client, deadline_earlier(deadline, deadline_earlier(check, due)))) {
            return true;
        }
    }
    cdp_drain(client);
    return false;
}

static struct cdp_message *take_reply(struct cdp_client *client, int64_t id)
{
    struct message *previous = NULL;
    struct cdp_message *reply = client->replies;
    while (reply && reply->id != id) {
        previous = &reply->link;
        reply = (struct cdp_message *)reply->link.next;
    }
    if (reply && previous) {
        previous->next = reply->link.next;
    } else if (reply) {
        client->replies = (struct cdp_message *)reply->link.next;
    }
    return reply;
}

static bool is_over(struct cdp_client *client, const char *what, struct br_error *err)
{
    if (atomic_load(&client->is_interrupted)) {
        error_set(err, BR_CANCELLED, "%s: interrupted", what);
        return true;
    }
    if (atomic_load(&client->is_cancelled)) {
        error_set(err, BR_CANCELLED, "%s: cancelled", what);
        return true;
    }
    if (client->closed_reason) {
        error_set(err, BR_DISCONNECTED, "%s: %s", what, client->closed_reason);
        return true;
    }
    if (client->broken.code != BR_OK) {
        error_set(err, client->broken.code, "%s: %s", what, client->broken.message);
        err->category = client->broken.category;
        error_hint(err, "%s", client->broken.hint);
        return true;
    }
    return false;
}

bool cdp_client_check(struct cdp_client *client, const char *what, struct br_error *err)
{
    return !is_over(client, what, err);
}

static bool wait_for(struct cdp_client *client, bool (*is_done)(void *data), void *data,
                     const char *what, struct deadline deadline, struct br_error *err)
{
    bool is_late = false;
    begin_wait(client);
    while (!is_done(data)) {
        if (is_over(client, what, err)) {
            return false;
        }
        if (is_late) {
            error_set(err, BR_TIMEOUT, "timed out waiting for %s", what);
            return error_advise(err, ADVICE_WAIT);
        }
        is_late = !await_message(client, deadline, what);
    }
    return true;
}

bool cdp_wait(struct cdp_client *client, bool (*is_done)(void *data), void *data, const char *what,
              struct deadline deadline, struct br_error *err)
{
    deadline = deadline_earlier(deadline, client->deadline);
    if (!client->waits || client->is_moving) {
        return wait_for(client, is_done, data, what, deadline, err);
    }
    waits_begin(client->waits, what, -1);
    bool has_come = wait_for(client, is_done, data, what, deadline, err);
    waits_end(client->waits);
    return has_come;
}

bool cdp_has_reply(const struct cdp_client *client, int64_t id)
{
    const struct cdp_message *reply = client->replies;
    while (reply && reply->id != id) {
        reply = (const struct cdp_message *)reply->link.next;
    }
    return reply;
}

static bool never(void *data)
{
    (void)data;
    return false;
}

bool cdp_pause(struct cdp_client *client, int64_t ms, struct br_error *err)
{
    if (client->time) {
        return client->time->pass(client->data, ms, err);
    }
    struct deadline end = deadline_in_ms(ms);
    bool is_cut = client->deadline.at_us < end.at_us;
    struct br_error ended;
    cdp_wait(client, never, NULL, "the end of a pause", end, &ended);
    if (ended.code == BR_TIMEOUT && !is_cut) {
        return true;
    }
    *err = ended;
    return false;
}

size_t cdp_client_take_dropped(struct cdp_client *client)
{
    return mailbox_take_dropped(client->mailbox);
}

int64_t cdp_send(struct cdp_client *client, const char *session_id, const char *method,
                 json_t *params, struct br_error *err)
{
    if (is_over(client, method, err)) {
        json_decref(params);
        return -1;
    }
    json_auto_t *kept = json_incref(params);
    int64_t id = cdp_connection_send(client->connection, client->mailbox, session_id, method,
                                     params, client->deadline, err);
    if (client->waits) {
        waits_note_command(client->waits, id, kept);
    }
    return id;
}

void cdp_post(struct cdp_client *client, const char *session_id, const char *method, json_t *params)
{
    struct br_error ignored;
    /* Such a command often ends something after the deadline of the action that began it. */
    cdp_connection_send(client->connection, NULL, session_id, method, params,
                        deadline_in_ms(POST_MS), &ignored);
}

static struct cdp_message *await_reply(struct cdp_client *client, int64_t id, const char *method,
                                       struct br_error *err)
{
    struct cdp_message *reply = NULL;
    bool is_late = false;
    begin_wait(client);
    while (!(reply = take_reply(client, id))) {
        if (is_over(client, method, err)) {
            return NULL;
        }
        if (is_late) {
            error_set(err, BR_TIMEOUT, "timed out waiting for the reply to %s", method);
            error_advise(err, ADVICE_REPLY);
            return NULL;
        }
        is_late = !await_message(client, client->deadline, method);
    }
    return reply;
}

void cdp_client_expect_late(struct cdp_client *client, int64_t id, cdp_on_late *on_late)
{
    if (id >= 0) {
        struct late *late = xmalloc(sizeof(*late));
        *late = (struct late){ .next = client->late, .id = id, .on_late = on_late };
        client->late = late;
    }
}

/* The reply may still be on its way, or may be in the mailbox already. */
void cdp_forget(struct cdp_client *client, int64_t id)
{
    struct late *late = *find_late(client, id);
    if (late) {
        late->is_late = true;
    } else if (id >= 0 && !cdp_connection_forget(client->connection, id)) {
        cdp_drain(client);
        cdp_message_destroy(take_reply(client, id));
    }
}

struct cdp_message *cdp_receive_raw(struct cdp_client *client, int64_t id, const char *method,
                                    struct br_error *err)
{
    if (id < 0) {
        return NULL;
    }
    bool is_recorded = client->waits && !client->is_moving; /* waits do not nest */
    if (is_recorded) {
        waits_begin(client->waits, method, id);
    }
    struct cdp_message *reply = await_reply(client, id, method, err);
    if (is_recorded) {
        waits_end(client->waits);
    }
    if (!reply) {
        cdp_forget(client, id);
        return NULL;
    }
    forget_late(client, id);
    if (reply->failure.length) {
        refusal(reply->failure, method, err);
        cdp_message_destroy(reply);
        return NULL;
    }
    return reply;
}

bool cdp_receive(struct cdp_client *client, int64_t id, const char *method, json_t **ret_result,
                 struct br_error *err)
{
    CLEANUP_CDP_MESSAGE struct cdp_message *reply = cdp_receive_raw(client, id, method, err);
    if (!reply) {
        return false;
    }
    if (ret_result) {
        *ret_result = json_parse(reply->result.length ? reply->result.text : "{}",
                                 reply->result.length ? reply->result.length : 2, method, err);
        return *ret_result;
    }
    return true;
}

bool cdp_call(struct cdp_client *client, const char *session_id, const char *method, json_t *params,
              json_t **ret_result, struct br_error *err)
{
    int64_t id = cdp_send(client, session_id, method, params, err);
    return cdp_receive(client, id, method, ret_result, err);
}
