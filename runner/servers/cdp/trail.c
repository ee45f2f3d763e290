#include "runner/servers/cdp/trail.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/loop/mailbox.h"
#include "runner/session/audit.h"

#include <pthread.h>
#include <unistd.h>

enum {
    LINES_A_SECOND = 100, /* per client */
    MAX_NAMES = 200,      /* method names in one line of counts */
    MAX_NAME = 100,
    SECOND_MS = 1000,
};

struct trail {
    struct audit *audit; /* used by the writing thread */
    struct mailbox *lines;
    pthread_t thread;
    void (*on_failure)(void *data, const char *text);
    void *data;
};

struct line {
    struct message link;
    const char *kind; /* NULL: ends the thread */
    json_t *members;
};

/* Used by the loop thread, and by the worker after the client has left the relay. */
struct trail_client {
    struct trail *trail;
    uint64_t id;
    int64_t began_ms, second_ms;
    size_t lines;              /* in the current second */
    json_t *methods, *refused; /* objects with counts of commands without a line of their own */
    uint64_t commands, refusals;
};

static void free_line(struct message *message)
{
    json_decref(((struct line *)message)->members);
    free(message);
}

/*
 * Takes ownership of members. The caller must keep no reference to parts of it, because another
 * thread uses them.
 */
static void write_line(struct trail *trail, const char *kind, json_t *members)
{
    struct line *line = xcalloc(1, sizeof(*line));
    line->link.destroy = free_line;
    line->kind = kind;
    line->members = members;
    mailbox_post(trail->lines, &line->link);
}

static void *run(void *data)
{
    const struct trail *trail = data;
    for (;;) {
        struct br_error err;
        struct message *message = mailbox_wait(trail->lines, deadline_in_ms(INT64_MAX));
        struct line *line = (struct line *)message;
        if (!line || !line->kind) {
            message_destroy(message);
            return NULL;
        }
        audit_line(trail->audit, line->kind, TAKE(line->members));
        message_destroy(message);
        if (audit_take_error(trail->audit, &err) && trail->on_failure) {
            trail->on_failure(trail->data, err.message);
        }
    }
}

static void free_trail(struct trail *trail)
{
    mailbox_destroy(trail->lines);
    audit_close(trail->audit);
    free(trail);
}

struct trail *trail_open(const char *path, void (*on_failure)(void *data, const char *text),
                         void *data, struct br_error *err)
{
    CLEANUP_FREE char *session_id = xasprintf("cdp-%d", (int)getpid());
    struct audit *audit = audit_open(path, session_id, err);
    if (!audit) {
        return NULL;
    }
    struct trail *trail = xcalloc(1, sizeof(*trail));
    trail->audit = audit;
    trail->lines = mailbox_create(0); /* none of the lines is droppable */
    trail->on_failure = on_failure;
    trail->data = data;
    int failure = thread_start(&trail->thread, run, trail);
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the thread of the audit");
        free_trail(trail);
        return NULL;
    }
    return trail;
}

void trail_close(struct trail *trail)
{
    if (trail) {
        write_line(trail, NULL, NULL);
        pthread_join(trail->thread, NULL);
        free_trail(trail);
    }
}

struct trail_client *trail_begin(struct trail *trail, const struct trail_peer *peer)
{
    if (!trail) {
        return NULL;
    }
    struct trail_client *client = xcalloc(1, sizeof(*client));
    client->trail = trail;
    client->id = peer->id;
    client->began_ms = clock_monotonic_ms();
    client->methods = json_object();
    client->refused = json_object();
    write_line(trail, "client",
               json_pack("{s:I, s:s, s:s*, s:s, s:s*}", "client", (json_int_t)peer->id, "event",
                         "begin", "peer", peer->address, "context", peer->context, "targetId",
                         peer->target_id));
    return client;
}

static void count(json_t *counts, const char *method)
{
    json_t *present = json_object_get(counts, method);
    if (!present && json_object_size(counts) >= MAX_NAMES) {
        method = "…";
        present = json_object_get(counts, method);
    }
    json_object_set_new(counts, method, json_integer(json_integer_value(present) + 1));
}

/* Writes the counts as one line. */
static void flush(struct trail_client *client)
{
    if (json_object_size(client->methods) || json_object_size(client->refused)) {
        /* Hands the counted objects over to the writing thread. */
        json_t *line =
            json_pack("{s:I, s:o}", "client", (json_int_t)client->id, "methods", client->methods);
        client->methods = json_object();
        if (json_object_size(client->refused)) {
            json_object_set_new(line, "refused", client->refused);
            client->refused = json_object();
        }
        write_line(client->trail, "commands", line);
    }
}

void trail_command(struct trail_client *client, const char *method, size_t length, const char *rule)
{
    if (!client) {
        return;
    }
    int64_t now_ms = clock_monotonic_ms();
    CLEANUP_FREE char *cut = xstrndup(method, length < MAX_NAME ? length : MAX_NAME);
    client->commands++;
    client->refusals += rule != NULL;
    if (now_ms - client->second_ms >= SECOND_MS) {
        flush(client);
        client->second_ms = now_ms;
        client->lines = 0;
    }
    if (client->lines++ < LINES_A_SECOND) {
        write_line(client->trail, "command",
                   json_pack("{s:I, s:o, s:s*}", "client", (json_int_t)client->id, "method",
                             json_text(cut), "refused", rule));
    } else {
        json_auto_t *name = json_text(cut);
        count(rule ? client->refused : client->methods, json_string_value(name));
    }
}

void trail_end(struct trail_client *client, unsigned code, const char *reason)
{
    if (!client) {
        return;
    }
    flush(client);
    json_t *line =
        json_pack("{s:I, s:s, s:I, s:I, s:I}", "client", (json_int_t)client->id, "event", "end",
                  "commands", (json_int_t)client->commands, "refused", (json_int_t)client->refusals,
                  "durationMs", (json_int_t)(clock_monotonic_ms() - client->began_ms));
    if (code) {
        json_object_set_new(line, "code", json_integer(code));
        json_object_set_new(line, "reason", json_text(reason));
    }
    write_line(client->trail, "client", line);
    json_decref(client->methods);
    json_decref(client->refused);
    free(client);
}

void trail_request(struct trail *trail, const char *path, const char *rule)
{
    if (trail) {
        write_line(trail, "request", json_pack("{s:s, s:s*}", "path", path, "refused", rule));
    }
}
