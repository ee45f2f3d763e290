#include "runner/servers/brop/extension.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

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
    struct service_port *port;
    struct service_client *client; /* NULL: no extension is connected */
    struct pending *pending;
    uint64_t last_number;
};

static void free_pending(struct pending *pending)
{
    brop_command_destroy(pending->command);
    free(pending);
}

void brop_extension_forget(struct brop_extension *extension)
{
    while (extension && extension->pending) {
        struct pending *pending = extension->pending;
        extension->pending = pending->next;
        free_pending(pending);
    }
}

void brop_extension_destroy(struct brop_extension *extension)
{
    free(extension);
}

bool brop_extension_is_connected(const struct brop_extension *extension)
{
    return extension && extension->client;
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
    service_tick_by(extension->brop->service, pending->deadline);
    json_object_del(command->params, "backend");
    service_send_json(extension->client,
                      json_pack("{s:s, s:s, s:o, s:O}", "type", "brop_command", "id",
                                pending->number, "method", json_text(command->method), "params",
                                command->params));
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
    service_send_json(&command->client->base, json_incref(message));
    free_pending(pending);
}

static void on_message(struct service_client *client, struct service_message *given)
{
    struct br_error ignored;
    const struct brop *brop = client->data;
    if (client != brop->extension->client) {
        return;
    }
    json_auto_t *message = json_parse(given->text, given->length, "the message", &ignored);
    const char *type = json_member_string(message, "type");
    if (type && strcmp(type, "ping") == 0) {
        service_send_json(client, json_pack("{s:s, s:I, s:O*}", "type", "pong", "timestamp",
                                            (json_int_t)clock_wall_ms(), "originalTimestamp",
                                            json_object_get(message, "timestamp")));
    } else if (type && strcmp(type, "response") == 0) {
        take_response(brop->extension, message);
    } else {
        brop_journal_add(brop->journal, false, "message of the extension is ignored", "extension",
                         type);
    }
}

static void on_opened(struct service_client *client, const char *query)
{
    (void)query;
    const struct brop *brop = client->data;
    if (brop->extension->client) {
        service_close(client, 1000, "Extension already connected");
        return;
    }
    brop->extension->client = client;
    brop_journal_add(brop->journal, false, "connected", "extension", NULL);
    service_send_json(client, json_pack("{s:s, s:s, s:I}", "type", "welcome", "message",
                                        "browser-runner: extension connected", "timestamp",
                                        (json_int_t)clock_wall_ms()));
}

static void on_closed(struct service_client *client)
{
    const struct brop *brop = client->data;
    struct brop_extension *extension = brop->extension;
    if (client != extension->client) {
        return;
    }
    extension->client = NULL;
    brop_journal_add(brop->journal, false, "disconnected", "extension", NULL);
    while (extension->pending) {
        struct pending *pending = extension->pending;
        extension->pending = pending->next;
        fail_disconnected(pending->command);
        free_pending(pending);
    }
}

static const struct service_type type = {
    .client_size = sizeof(struct service_client),
    .max_bytes = MAX_INBOX,
    .on_opened = on_opened,
    .on_message = on_message,
    .on_closed = on_closed,
};

struct brop_extension *brop_extension_start(struct brop *brop,
                                            const struct net_listener_options *given,
                                            struct br_error *err)
{
    struct brop_extension *extension = xcalloc(1, sizeof(*extension));
    struct net_listener_options listener = *given;
    extension->brop = brop;
    listener.name = "brop-extension";
    listener.framing = NET_WEBSOCKET;
    listener.allows_extensions = true;
    extension->port = service_listen(brop->service, &type, &listener, err);
    if (!extension->port) {
        free(extension);
        return NULL;
    }
    return extension;
}

struct net_listener *brop_extension_listener(const struct brop_extension *extension)
{
    return service_listener(extension->port);
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
