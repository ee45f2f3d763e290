/* Apps without a socket join, send and leave on their own threads, while agents listen. */
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/servers/debug_bridge/relay.h"
#include "tests/integration/net_socket.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { APPS = 4, LIVES = 5, MESSAGES = 50, READ_S = 30 };

struct bridge {
    struct loop *loop;
    struct relay *relay;
};

struct app {
    pthread_t thread;
    struct relay *relay;
    char name[16];
    atomic_size_t agents;
    atomic_int commands;
};

static int set_up(void **state)
{
    struct br_error err;
    struct bridge *bridge = xcalloc(1, sizeof(*bridge));
    const struct relay_options options = RELAY_OPTIONS_INIT;
    bridge->loop = loop_create(false, &err);
    assert_non_null(bridge->loop);
    bridge->relay = relay_start(bridge->loop, &options, &err);
    assert_non_null(bridge->relay);
    *state = bridge;
    return 0;
}

static int tear_down(void **state)
{
    struct bridge *bridge = *state;
    relay_stop(bridge->relay);
    loop_destroy(bridge->loop);
    free(bridge);
    return 0;
}

static int connect_agent(const struct bridge *bridge)
{
    char answer[1024];
    int fd = net_client_tcp(net_listener_port(relay_listener(bridge->relay)));
    net_socket_ask(fd, "/debug?role=agent&sessionId=s", "Host: localhost\r\n");
    assert_int_equal(net_socket_status(fd, answer, sizeof(answer)), 101);
    return fd;
}

static void on_command(void *data, const char *text, size_t length, struct net_charge *charge)
{
    struct app *app = data;
    (void)length;
    net_charge_release(charge);
    atomic_fetch_add(&app->commands, strstr(text, "\"click\"") != NULL);
}

static void on_agents(void *data, size_t count)
{
    atomic_store(&((struct app *)data)->agents, count);
}

static struct relay_app *join(struct app *app)
{
    struct br_error err;
    const struct relay_app_handler handler = { app, on_command, on_agents };
    struct relay_app *peer = relay_join(app->relay, "s", app->name, &handler, &err);
    assert_non_null(peer);
    return peer;
}

static void say(struct relay_app *peer, const char *type, int number)
{
    char text[100];
    int length = snprintf(text, sizeof(text), "{\"type\":\"%s\",\"n\":%d}", type, number);
    relay_app_send(peer, text, (size_t)length);
}

static void *live(void *data)
{
    struct app *app = data;
    for (int life = 0; life < LIVES; life++) {
        struct relay_app *peer = join(app);
        for (int i = 0; i < MESSAGES; i++) {
            say(peer, "state_update", life * MESSAGES + i);
        }
        relay_leave(peer);
    }
    return NULL;
}

/* What an agent has received so far. */
struct heard {
    int next[APPS], lives;
};

static void hear(struct heard *heard, const char *text)
{
    struct br_error err;
    json_auto_t *message = json_parse(text, strlen(text), "a message", &err);
    const char *type = json_member_string(message, "type");
    const char *event = json_member_string(message, "event");
    assert_non_null(type);
    if (strcmp(type, "state_update") == 0) {
        int app = json_member_string(message, "appId")[4] - '0';
        assert_int_equal((int)json_member_number(message, "n", -1), heard->next[app]);
        heard->next[app]++;
    }
    heard->lives += event && strcmp(event, "app_disconnected") == 0;
}

static void listen_to_all(int fd)
{
    struct heard heard = { 0 };
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0;
    while (heard.lives < APPS * LIVES) {
        strbuf_clear(&message);
        assert_true(net_socket_read_message(fd, &message, &status));
        hear(&heard, message.data);
    }
    for (int i = 0; i < APPS; i++) {
        assert_int_equal(heard.next[i], LIVES * MESSAGES);
    }
    strbuf_finish(&message);
}

static void apps_on_threads(void **state)
{
    struct bridge *bridge = *state;
    struct app apps[APPS] = { 0 };
    int agents[2] = { connect_agent(bridge), connect_agent(bridge) };
    for (int i = 0; i < APPS; i++) {
        apps[i].relay = bridge->relay;
        snprintf(apps[i].name, sizeof(apps[i].name), "app-%d", i);
        pthread_create(&apps[i].thread, NULL, live, &apps[i]);
    }
    for (int i = 0; i < 2; i++) {
        listen_to_all(agents[i]);
        close(agents[i]);
    }
    for (int i = 0; i < APPS; i++) {
        pthread_join(apps[i].thread, NULL);
    }
}

static bool wait_for(atomic_int *number, int value)
{
    struct deadline deadline = deadline_in_ms(READ_S * 1000);
    while (atomic_load(number) != value && !deadline_passed(deadline)) {
        usleep(1000);
    }
    return atomic_load(number) == value;
}

static void commands_come_to_an_app(void **state)
{
    struct bridge *bridge = *state;
    struct app app = { .relay = bridge->relay, .name = "one" };
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0;
    struct relay_app *peer = join(&app);
    assert_int_equal(atomic_load(&app.agents), 0);
    say(peer, "hello", 1);
    say(peer, "console", 2);
    int agent = connect_agent(bridge);
    assert_true(net_socket_read_message(agent, &message, &status));
    assert_string_equal(message.data,
                        "{\"type\":\"hello\",\"n\":1,\"appId\":\"one\",\"origin\":\"app\"}");
    assert_int_equal(atomic_load(&app.agents), 1);
    net_socket_say(agent, "{\"type\":\"click\",\"requestId\":\"a\"}");
    assert_true(wait_for(&app.commands, 1));
    const char *result =
        "{\"type\":\"command_result\",\"requestId\":\"a\",\"appId\":\"one\",\"origin\":\"app\"}";
    relay_app_send(peer, result, strlen(result));
    net_socket_expect(agent, result);
    relay_leave(peer);
    strbuf_clear(&message);
    assert_true(net_socket_read_message(agent, &message, &status));
    assert_non_null(strstr(message.data, "app_disconnected"));
    close(agent);
    strbuf_finish(&message);
}

static void ids_have_limits(void **state)
{
    struct bridge *bridge = *state;
    struct br_error err;
    char id[200];
    const struct relay_app_handler handler = { NULL, on_command, NULL };
    memset(id, 'x', sizeof(id) - 1);
    id[sizeof(id) - 1] = '\0';
    assert_null(relay_join(bridge->relay, "s", id, &handler, &err));
    assert_null(relay_join(bridge->relay, "", "one", &handler, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(apps_on_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(commands_come_to_an_app, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ids_have_limits, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
