/* What a session of the actions server keeps for a client that comes back. */
#include "runner/base/memory.h"
#include "runner/loop/mailbox.h"
#include "runner/servers/backend/room.h"
#include "tests/integration/net_socket.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct world {
    struct service *service;
    struct mailbox *opened; /* is woken when a client has connected */
    _Atomic(struct service_client *) client;
    struct net_rig rig;
    struct worker *worker;
    struct room *room;
};

/* Blanks that make lines longer, so that under TSan fewer of them fill the room. */
enum { BLANKS = SLOWNESS_DEFAULT > 2 ? 800 : 0 };

/* The session never opens: each text is answered with an error line. */
static struct br_session *fail_open(void *data, struct br_error *err)
{
    (void)data;
    error_set(err, BR_BROWSER_NOT_FOUND, "there is no browser for this session%*s", BLANKS, "");
    return NULL;
}

static void ignore_close(void *data, struct br_session *session)
{
    (void)data;
    (void)session;
}

static void ignore_over(void *data, struct worker *worker)
{
    (void)data;
    (void)worker;
}

static int set_up(void **state)
{
    struct br_error err;
    struct world *world = xcalloc(1, sizeof(*world));
    const struct worker_handler handler = { .open = fail_open,
                                            .close = ignore_close,
                                            .on_over = ignore_over };
    const struct room_options options = { .keeps_answers = true };
    net_rig_start(&world->rig, NET_WEBSOCKET);
    world->worker = worker_start("mine", &handler, &err);
    assert_non_null(world->worker);
    worker_join(world->worker);
    world->room = room_open(world->worker, &options);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    room_close(world->room);
    service_end(world->service);
    service_destroy(world->service, 1000);
    mailbox_destroy(world->opened);
    worker_release(world->worker);
    net_rig_finish(&world->rig);
    free(world);
    return 0;
}

static void on_opened(struct service_client *client, const char *query)
{
    (void)query;
    struct world *world = client->data;
    atomic_store(&world->client, client);
    mailbox_wake(world->opened);
}

static struct deadline on_tick(void *data)
{
    (void)data;
    return DEADLINE_NEVER;
}

static void listen_with(struct world *world, size_t max_queue)
{
    static const struct service_type type = { .client_size = sizeof(struct service_client),
                                              .max_bytes = 1 << 20,
                                              .on_opened = on_opened };
    struct br_error err;
    world->rig.options.limits.max_queue = max_queue;
    world->opened = mailbox_create(0);
    world->service = service_create(world->rig.loop, on_tick, world);
    struct service_port *port = service_listen(world->service, &type, &world->rig.options, &err);
    assert_non_null(port);
    world->rig.port = net_listener_port(service_listener(port));
    assert_true(service_begin(world->service, &err));
}

/* Returns the connection's descriptor, when the service has its client. */
static int connect_to(struct world *world)
{
    int fd = net_socket_open(&world->rig, "/");
    while (!atomic_load(&world->client)) {
        mailbox_wait(world->opened, deadline_in_ms(NET_RIG_MS));
    }
    return fd;
}

static void feed(struct world *world)
{
    static const char text[] = "{\"type\":\"logs\"}";
    struct service_message message = { .text = text, .length = sizeof(text) - 1 };
    assert_true(room_feed(world->room, &message, NET_RIG_MS));
}

static void test_errors_of_refused_texts_come_again(void **state)
{
    struct world *world = *state;
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0;
    listen_with(world, 1 << 20);
    feed(world); /* while no client is connected */
    int fd = connect_to(world);
    assert_false(room_has_lost(world->room, 0));
    assert_true(room_connect(world->room, world->client, 0));
    assert_true(net_socket_read_message(fd, &message, &status));
    assert_non_null(strstr(message.data, "there is no browser"));
    net_rig_leave(&world->rig, fd);
    strbuf_finish(&message);
}

static void test_all_that_is_kept_reaches_a_client_that_comes_back(void **state)
{
    enum { SHORTEST_LINE = 220 + BLANKS }; /* with what keeping it costs */
    struct world *world = *state;
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0;
    size_t count = 0;
    listen_with(world, 2 * (size_t)ROOM_KEPT_BYTES);
    for (size_t i = 0; i < ROOM_KEPT_BYTES / SHORTEST_LINE; i++) {
        feed(world);
    }
    int fd = connect_to(world);
    assert_true(room_has_lost(world->room, 0));
    room_connect(world->room, world->client, 0);
    service_send(world->client, "end", 3, NET_REPLY);
    size_t bytes = 0;
    while (net_socket_read_message(fd, &message, &status) && strcmp(message.data, "end") != 0) {
        bytes += message.length + 128;
        count++;
    }
    assert_string_equal(message.data, "end");
    assert_in_range(bytes, ROOM_KEPT_BYTES / 10 * 9, ROOM_KEPT_BYTES);
    net_rig_leave(&world->rig, fd);
    strbuf_finish(&message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_errors_of_refused_texts_come_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_that_is_kept_reaches_a_client_that_comes_back,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
