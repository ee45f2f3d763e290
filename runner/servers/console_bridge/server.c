#include "runner/servers/console_bridge/server.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/console/envelope.h"

#include <pthread.h>
#include <string.h>

enum { CLOSE_MS = 3000 };

struct console_server {
    struct loop *loop;
    struct console_hub *hub;
    struct net_listener *listener;
    pthread_mutex_t mutex; /* guards is_stopped; while that is false, the listener may be used */
    bool is_stopped;
    /* Ids of connections; used on the loop thread. */
    uint64_t *open;
    size_t open_count, open_capacity;
    uint64_t *paused;
    size_t paused_count, paused_capacity;
};

/* On the hub's thread. */
static void on_reply(void *data, uint64_t id, const char *text, bool is_answer)
{
    struct console_server *server = data;
    mutex_lock(&server->mutex);
    if (!server->is_stopped) {
        net_send(server->listener, id, text, strlen(text), is_answer ? NET_REPLY : NET_TELEMETRY);
    }
    mutex_unlock(&server->mutex);
}

static void resume_paused(void *data)
{
    struct console_server *server = data;
    for (size_t i = 0; i < server->paused_count; i++) {
        net_pause(server->listener, server->paused[i], false);
    }
    server->paused_count = 0;
}

/* On the hub's thread. */
static void on_room(void *data)
{
    struct console_server *server = data;
    mutex_lock(&server->mutex);
    if (!server->is_stopped) {
        loop_post(server->loop, resume_paused, server);
    }
    mutex_unlock(&server->mutex);
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    struct console_server *server = data;
    if (strcmp(peer->path, "/") != 0) {
        return false;
    }
    const struct console_peer handler = { .data = server, .on_reply = on_reply };
    console_hub_open(server->hub, id, &handler);
    server->open = array_reserve(server->open, server->open_count, &server->open_capacity,
                                 sizeof(*server->open));
    server->open[server->open_count++] = id;
    return true;
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    struct console_server *server = data;
    if (!console_hub_message(server->hub, id, text, length)) {
        server->paused = array_reserve(server->paused, server->paused_count,
                                       &server->paused_capacity, sizeof(*server->paused));
        server->paused[server->paused_count++] = id;
        net_pause(server->listener, id, true);
    }
}

static void on_closed(void *data, uint64_t id)
{
    struct console_server *server = data;
    console_hub_close(server->hub, id);
    for (size_t i = 0; i < server->open_count; i++) {
        if (server->open[i] == id) {
            server->open[i] = server->open[--server->open_count];
            break;
        }
    }
}

/* On the loop thread. */
static void say_goodbye(void *data)
{
    struct console_server *server = data;
    CLEANUP_FREE char *text = envelope_text(
        "connection_status", clock_wall_ms(), NULL,
        json_pack("{s:s, s:s}", "status", "disconnected", "reason", "the server is shutting down"));
    for (size_t i = 0; i < server->open_count; i++) {
        net_send(server->listener, server->open[i], text, strlen(text), NET_REPLY);
    }
}

struct console_server *console_server_start(struct loop *loop, struct console_hub *hub,
                                            const struct net_listener_options *options,
                                            struct br_error *err)
{
    struct console_server *server = xcalloc(1, sizeof(*server));
    struct net_listener_options listener = *options;
    server->loop = loop;
    server->hub = hub;
    pthread_mutex_init(&server->mutex, NULL);
    listener.name = "console-bridge";
    listener.framing = NET_WEBSOCKET;
    listener.host = "127.0.0.1";
    listener.access = (struct net_access){ .origins = options->access.origins };
    listener.allows_extensions = true;
    listener.handler = (struct net_handler){
        .data = server,
        .on_open = on_open,
        .on_message = on_message,
        .on_closed = on_closed,
    };
    listener.ret_listener = &server->listener;
    console_hub_watch_room(hub, on_room, server);
    if (!net_listen(loop, &listener, err)) {
        console_hub_watch_room(hub, NULL, NULL);
        loop_flush(loop); /* on_room() may have posted a task */
        console_server_destroy(server);
        return NULL;
    }
    return server;
}

struct net_listener *console_server_listener(struct console_server *server)
{
    return server->listener;
}

void console_server_stop(struct console_server *server)
{
    if (server) {
        mutex_lock(&server->mutex);
        server->is_stopped = true;
        mutex_unlock(&server->mutex);
        loop_call(server->loop, say_goodbye, server);
        net_listener_close(TAKE(server->listener), CLOSE_MS);
    }
}

void console_server_destroy(struct console_server *server)
{
    if (server) {
        pthread_mutex_destroy(&server->mutex);
        free(server->paused);
        free(server->open);
        free(server);
    }
}
