/*
 * A relay with clients, as in a server: a client's functions run on the loop thread, and the test
 * examines what the client received.
 */
#ifndef TESTS_INTEGRATION_RELAY_CLIENT_H
#define TESTS_INTEGRATION_RELAY_CLIENT_H

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/relay.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Long enough for any machine: a wait that reaches it is a failure. */
enum { RELAY_PATIENCE_MS = 60000 };

struct relay_place {
    struct loop *loop;
    struct cdp_relay *relay;
    pthread_mutex_t mutex; /* guards what the clients have received */
    pthread_cond_t changed;
};

/* A client, and what it received, in order. */
struct client {
    struct relay_place *place;
    struct cdp_sink *sink; /* used on the loop thread */
    size_t max_bytes;
    json_t *texts;       /* parsed, and each with its id of "text" where the test asks for it */
    bool leaves_at_once; /* destroys its sink when a text arrives */
    int tag;             /* tag of all its commands */
    int tagged_count;    /* number of texts with that tag */
    int closed_count;
    enum cdp_sink_end end;
    char reason[200];
};

static inline void relay_place_open(struct relay_place *place, struct cdp_connection *connection,
                                    struct loop *loop)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&place->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&place->mutex, NULL);
    place->loop = loop;
    place->relay = cdp_relay_create(connection, loop);
}

static inline void relay_place_close(struct relay_place *place)
{
    loop_flush(place->loop);
    cdp_relay_destroy(place->relay);
    pthread_cond_destroy(&place->changed);
    pthread_mutex_destroy(&place->mutex);
}

static inline void on_text(void *data, char *text, size_t length)
{
    struct client *client = data;
    json_t *root = json_loadb(text, length, 0, NULL);
    pthread_mutex_lock(&client->place->mutex);
    /* A text that is not JSON is stored as null, which no test expects. */
    json_array_append_new(client->texts, root && text[length] == '\0' ? root : json_null());
    pthread_cond_broadcast(&client->place->changed);
    pthread_mutex_unlock(&client->place->mutex);
    free(text);
    if (client->leaves_at_once) {
        cdp_sink_destroy(TAKE(client->sink));
    }
}

static inline void on_command(void *data, const struct raw_command *command,
                              struct cdp_ruling *ruling)
{
    const struct client *client = data;
    (void)command;
    ruling->tag = client->tag;
}

static inline void on_reply(void *data, int tag, char *text, size_t length)
{
    struct client *client = data;
    pthread_mutex_lock(&client->place->mutex);
    client->tagged_count += tag == client->tag;
    pthread_mutex_unlock(&client->place->mutex);
    on_text(client, text, length);
}

static inline void on_closed(void *data, enum cdp_sink_end end, const char *reason)
{
    struct client *client = data;
    pthread_mutex_lock(&client->place->mutex);
    client->closed_count++;
    client->end = end;
    snprintf(client->reason, sizeof(client->reason), "%s", reason);
    pthread_cond_broadcast(&client->place->changed);
    pthread_mutex_unlock(&client->place->mutex);
}

static inline void join_on_loop(void *data)
{
    struct client *client = data;
    const struct cdp_sink_handler handler = {
        .on_text = on_text,
        .on_closed = on_closed,
        .on_command = on_command,
        .on_reply = on_reply,
        .data = client,
    };
    client->sink = cdp_sink_create(client->place->relay, client->max_bytes, &handler);
}

/* Joins a client with the max_bytes that it has set. */
static inline void join_with(struct client *client, struct relay_place *place)
{
    client->place = place;
    client->texts = json_array();
    loop_call(place->loop, join_on_loop, client);
    assert_non_null(client->sink);
}

static inline void join(struct client *client, struct relay_place *place)
{
    *client = (struct client){ .max_bytes = 1024 * 1024 };
    join_with(client, place);
}

static inline void leave_on_loop(void *data)
{
    struct client *client = data;
    cdp_sink_destroy(TAKE(client->sink));
}

static inline void leave(struct client *client)
{
    loop_call(client->place->loop, leave_on_loop, client);
    json_decref(TAKE(client->texts));
}

struct sending {
    struct client *client;
    const char *text;
    bool is_taken;
};

static inline void send_on_loop(void *data)
{
    struct sending *sending = data;
    sending->is_taken =
        cdp_sink_send(sending->client->sink, xstrdup(sending->text), strlen(sending->text));
}

static inline bool send_text(struct client *client, const char *text)
{
    struct sending sending = { .client = client, .text = text };
    loop_call(client->place->loop, send_on_loop, &sending);
    return sending.is_taken;
}

static inline void await_change(struct relay_place *place)
{
    struct timespec until = deadline_timespec(deadline_in_ms(RELAY_PATIENCE_MS));
    assert_int_equal(pthread_cond_timedwait(&place->changed, &place->mutex, &until), 0);
}

/* Waits for the text with this index. Borrowed. */
static inline json_t *await_text(struct client *client, size_t index)
{
    pthread_mutex_lock(&client->place->mutex);
    while (json_array_size(client->texts) <= index) {
        await_change(client->place);
    }
    json_t *text = json_array_get(client->texts, index);
    pthread_mutex_unlock(&client->place->mutex);
    return text;
}

/* Checks that it is this JSON. */
static inline void assert_text(struct client *client, size_t index, const char *expected)
{
    CLEANUP_FREE char *text = json_dumps(await_text(client, index), JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, expected);
}

static inline void await_closed(struct client *client, enum cdp_sink_end end, const char *words)
{
    pthread_mutex_lock(&client->place->mutex);
    while (client->closed_count == 0) {
        await_change(client->place);
    }
    pthread_mutex_unlock(&client->place->mutex);
    assert_int_equal(client->end, end);
    if (!strstr(client->reason, words)) {
        fail_msg("%s (wanted: %s)", client->reason, words);
    }
}

#endif
