#include "runner/servers/brop/extension.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/formats/response_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    ANSWER_MS = 120000,
    NUMBER_SIZE = 32,
    MAX_INBOX = 64 * 1024 * 1024, /* bytes of its messages that were not processed */
};

/* A command that the extension has not answered. */
struct pending {
    struct pending *next;
    char number[NUMBER_SIZE];     /* its id for the extension */
    struct brop_command *command; /* owned */
    struct deadline deadline;
};

struct brop_extension {
    struct brop *brop;
    struct net_inbox inbox;
    struct net_listener *listener;
    uint64_t connection; /* 0: no extension is connected */
    struct pending *pending;
    uint64_t last_number;
};

struct brop_extension *brop_extension_start(struct brop *brop, struct loop *loop,
                                            const struct net_listener_options *given,
                                            struct br_error *err)
{
    struct brop_extension *extension = xcalloc(1, sizeof(*extension));
    struct net_listener_options listener = *given;
    extension->brop = brop;
    extension->inbox = (struct net_inbox){ .mailbox = brop->mailbox, .max_bytes = MAX_INBOX };
    listener.name = "brop-extension";
    listener.framing = NET_WEBSOCKET;
    listener.allows_extensions = true;
    extension->listener = net_inbox_listen(&extension->inbox, loop, &listener, err);
    if (!extension->listener) {
        free(extension);
        return NULL;
    }
    return extension;
}

struct net_listener *brop_extension_listener(struct brop_extension *extension)
{
    return extension->listener;
}

static void free_pending(struct pending *pending)
{
    brop_command_destroy(pending->command);
    free(pending);
}

void brop_extension_stop(struct brop_extension *extension, int timeout_ms)
{
    if (!extension) {
        return;
    }
    net_inbox_close(&extension->inbox, extension->listener, timeout_ms);
    while (extension->pending) {
        struct pending *pending = extension->pending;
        extension->pending = pending->next;
        free_pending(pending);
    }
    free(extension);
}

bool brop_extension_owns(const struct brop_extension *extension, const struct net_event *event)
{
    return extension && event->inbox == &extension->inbox;
}

bool brop_extension_is_connected(const struct brop_extension *extension)
{
    return extension && extension->connection;
}

/* Takes ownership of the message. */
static void send_message(struct brop_extension *extension, json_t *message)
{
    size_t length = 0;
    CLEANUP_FREE char *line = response_json_line(message, &length);
    json_decref(message);
    net_send(extension->listener, extension->connection, line, length, NET_REPLY);
}

static void fail_disconnected(struct brop_command *command)
{
    struct br_error err;
    error_set(&err, BR_DISCONNECTED, "Chrome extension not connected");
    brop_command_answer(command, NULL, &err);
}

void brop_extension_forward(struct brop_extension *extension, struct brop_command *command)
{
    if (!brop_extension_is_connected(extension)) {
        fail_disconnected(command);
        brop_command_destroy(command);
        return;
    }
    struct pending *pending = xcalloc(1, sizeof(*pending));
    snprintf(pending->number, sizeof(pending->number), "ext_%" PRIu64, ++extension->last_number);
    pending->command = command;
    pending->deadline = deadline_in_ms(ANSWER_MS);
    pending->next = extension->pending;
    extension->pending = pending;
    mailbox_wake(extension->brop->mailbox); /* to learn of its deadline */
    json_object_del(command->params, "backend");
    send_message(extension,
                 json_pack("{s:s, s:s, s:o, s:O}", "type", "brop_command", "id", pending->number,
                           "method", json_text(command->method), "params", command->params));
}

static struct pending **find_pending(struct brop_extension *extension, const char *number)
{
    struct pending **place = &extension->pending;
    while (*place && strcmp((*place)->number, number) != 0) {
        place = &(*place)->next;
    }
    return place;
}

/* Forwards the answer, with the client's id. */
static void take_response(struct brop_extension *extension, json_t *message)
{
    const char *number = json_member_string(message, "id");
    struct pending **place = number ? find_pending(extension, number) : NULL;
    if (!place || !*place) {
        return;
    }
    struct pending *pending = *place;
    struct brop_command *command = pending->command;
    const char *error = json_member_string(message, "error");
    *place = pending->next;
    if (command->id) {
        json_object_set(message, "id", command->id);
    } else {
        json_object_del(message, "id");
    }
    brop_journal_add(extension->brop->journal, error, command->method, command->client->name,
                     error);
    brop_send(extension->brop, command->client, json_incref(message));
    free_pending(pending);
}

static void on_message(struct brop_extension *extension, const struct net_event *event)
{
    struct br_error ignored;
    json_auto_t *message = json_parse(event->text, event->length, "the message", &ignored);
    const char *type = json_member_string(message, "type");
    if (type && strcmp(type, "ping") == 0) {
        send_message(extension, json_pack("{s:s, s:I, s:O*}", "type", "pong", "timestamp",
                                          (json_int_t)clock_wall_ms(), "originalTimestamp",
                                          json_object_get(message, "timestamp")));
    } else if (type && strcmp(type, "response") == 0) {
        take_response(extension, message);
    } else {
        brop_journal_add(extension->brop->journal, false, "message of the extension is ignored",
                         "extension", type);
    }
}

static void on_opened(struct brop_extension *extension, const struct net_event *event)
{
    if (extension->connection) {
        net_close(extension->listener, event->connection, 1000, "Extension already connected");
        return;
    }
    extension->connection = event->connection;
    brop_journal_add(extension->brop->journal, false, "connected", "extension", NULL);
    send_message(extension, json_pack("{s:s, s:s, s:I}", "type", "welcome", "message",
                                      "browser-runner: extension connected", "timestamp",
                                      (json_int_t)clock_wall_ms()));
}

static void on_closed(struct brop_extension *extension)
{
    extension->connection = 0;
    brop_journal_add(extension->brop->journal, false, "disconnected", "extension", NULL);
    while (extension->pending) {
        struct pending *pending = extension->pending;
        extension->pending = pending->next;
        fail_disconnected(pending->command);
        free_pending(pending);
    }
}

void brop_extension_handle(struct brop_extension *extension, const struct net_event *event)
{
    if (event->kind == NET_OPENED) {
        on_opened(extension, event);
    } else if (event->connection != extension->connection) {
        return;
    } else if (event->kind == NET_MESSAGE) {
        on_message(extension, event);
    } else if (event->kind == NET_CLOSED) {
        on_closed(extension);
    }
}

struct deadline brop_extension_sweep(struct brop_extension *extension)
{
    struct deadline due = DEADLINE_NEVER;
    struct pending **place = extension ? &extension->pending : NULL;
    while (place && *place) {
        struct pending *pending = *place;
        if (deadline_passed(pending->deadline)) {
            struct br_error err;
            *place = pending->next;
            error_set(&err, BR_TIMEOUT, "the extension has not answered %.60s within %d s",
                      pending->command->method, ANSWER_MS / 1000);
            brop_command_answer(pending->command, NULL, &err);
            free_pending(pending);
        } else {
            due = deadline_earlier(due, pending->deadline);
            place = &pending->next;
        }
    }
    return due;
}
