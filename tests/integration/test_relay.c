/* Other programs' clients of a relay, with a browser that replies. */
#include "tests/integration/cdp_fixture.h"
#include "tests/integration/relay_client.h"
#include "tests/letters.h"
#include "tests/unit/case_table.h"

/* What the browser does with the commands of all tests. */
#define SERVED                                                                                     \
    "{\"serve\":\"Target.attachToBrowserTarget\",\"reply\":{\"sessionId\":\"$new:R\"}}\n"          \
    "{\"serve\":\"Target.detachFromTarget\",\"reply\":{}}\n"                                       \
    "{\"serve\":\"Echo.call\",\"reply\":{\"n\":\"$params.n\",\"of\":\"$params.of\"}}\n"            \
    "{\"serve\":\"Slow.call\",\"ignore\":true}\n"                                                  \
    "{\"serve\":\"Fill.call\",\"reply\":{}}\n"                                                     \
    "{\"serve\":\"Stop.call\",\"reply\":{},\"then\":[{\"mark\":\"stopped\"},{\"wait\":\"go\"}]}\n"

enum { CLIENTS = 8, CALLS = 300 / SLOWNESS_DEFAULT };

struct relay_fixture {
    struct cdp_fixture cdp;
    struct relay_place place;
    struct client clients[CLIENTS]; /* those with texts have joined */
};

static struct relay_fixture *open_relay(enum fake_mode mode)
{
    struct relay_fixture *fixture = xcalloc(1, sizeof(*fixture));
    fixture_open(&fixture->cdp, mode, SERVED);
    relay_place_open(&fixture->place, fixture->cdp.connection, fixture->cdp.loop);
    return fixture;
}

static void close_relay(struct relay_fixture *fixture)
{
    for (size_t i = 0; i < CLIENTS; i++) {
        if (fixture->clients[i].texts) {
            leave(&fixture->clients[i]);
        }
    }
    relay_place_close(&fixture->place);
    fixture_close(&fixture->cdp);
    for (size_t i = 0; i < CLIENTS; i++) {
        assert_in_range(fixture->clients[i].closed_count, 0, 1);
    }
    free(fixture);
}

static int set_up(void **state)
{
    *state = open_relay(fixture_mode(state));
    return 0;
}

static int tear_down(void **state)
{
    close_relay(*state);
    return 0;
}

static void play(struct relay_fixture *fixture, const char *steps)
{
    assert_true(fake_browser_play(fixture->cdp.fake, steps));
}

/*
 * Scenarios: rows of fixtures/cases/relay.txt, which explains their steps. Each is played over both
 * transports.
 */
enum { ACTORS = 2, SETTLE_ID = 1000 };

struct scenario {
    struct relay_fixture *fixture;
    struct strbuf steps;  /* the browser plays them at once */
    size_t shown[ACTORS]; /* texts of each client that have been looked at */
    bool is_over[ACTORS]; /* its end was written */
    struct strbuf *actual;
};

/* Waits until the browser has replied to the client, or the client is closed. */
static void settle_or_close(struct client *client, size_t index)
{
    bool is_settled = false;
    send_text(client, "{\"id\":1000,\"method\":\"Echo.call\"}");
    pthread_mutex_lock(&client->place->mutex);
    while (!is_settled && client->closed_count == 0) {
        if (index < json_array_size(client->texts)) {
            const json_t *text = json_array_get(client->texts, index++);
            is_settled = json_member_number(text, "id", 0) == SETTLE_ID;
        } else {
            await_change(client->place);
        }
    }
    pthread_mutex_unlock(&client->place->mutex);
}

/* Writes what the clients have received since the last step. */
static void end_step(struct scenario *scenario)
{
    static const char *const ends[] = { [CDP_SINK_GONE] = "gone", [CDP_SINK_FULL] = "full" };
    for (size_t i = 0; i < ACTORS; i++) {
        struct client *client = &scenario->fixture->clients[i];
        if (!client->texts || scenario->is_over[i]) {
            continue;
        }
        settle_or_close(client, scenario->shown[i]);
        pthread_mutex_lock(&client->place->mutex);
        for (; scenario->shown[i] < json_array_size(client->texts); scenario->shown[i]++) {
            const json_t *text = json_array_get(client->texts, scenario->shown[i]);
            CLEANUP_FREE char *shown = json_dumps(text, JSON_COMPACT | JSON_SORT_KEYS);
            if (json_member_number(text, "id", 0) != SETTLE_ID) {
                strbuf_add_format(scenario->actual, "%c %s\n", (char)('a' + (int)i), shown);
            }
        }
        scenario->is_over[i] = client->closed_count > 0;
        if (scenario->is_over[i]) {
            strbuf_add_format(scenario->actual, "%c is %s: %s\n", (char)('a' + (int)i),
                              ends[client->end], client->reason);
        }
        pthread_mutex_unlock(&client->place->mutex);
    }
}

static void play_steps(struct scenario *scenario)
{
    if (scenario->steps.length > 0) {
        play(scenario->fixture, scenario->steps.data);
        strbuf_clear(&scenario->steps);
        end_step(scenario);
    }
}

static void set_front_on_loop(void *data)
{
    const struct client *client = data;
    cdp_sink_set_front(client->sink, "S1");
}

static void play_line(struct scenario *scenario, const char *line)
{
    struct relay_fixture *fixture = scenario->fixture;
    if (*line == '{') {
        strbuf_add_format(&scenario->steps, "%s\n", line);
        return;
    }
    play_steps(scenario);
    size_t index = (size_t)(*line - 'a');
    const char *step = line + strcspn(line, " ");
    step += *step == ' ';
    if (strncmp(line, "count ", 6) == 0) {
        strbuf_add_format(scenario->actual, "%zu\n", fake_browser_count(fixture->cdp.fake, step));
    } else if (strncmp(line, "close ", 6) == 0) {
        cdp_connection_close(fixture->cdp.connection, step);
    } else if (index >= ACTORS) {
        fail_msg("who is meant by: %s", line);
    } else if (strcmp(step, "joins") == 0) {
        join(&fixture->clients[index], &fixture->place);
    } else if (strcmp(step, "leaves") == 0) {
        leave(&fixture->clients[index]);
    } else if (strcmp(step, "fronts S1") == 0) {
        loop_call(fixture->place.loop, set_front_on_loop, &fixture->clients[index]);
    } else if (!send_text(&fixture->clients[index], step)) {
        strbuf_add_format(scenario->actual, "%c cannot send\n", *line);
    }
    end_step(scenario);
}

static void play_scenario(enum fake_mode mode, const char *input, struct strbuf *actual)
{
    struct scenario scenario = { .fixture = open_relay(mode),
                                 .steps = STRBUF_INIT(STRBUF_UNCAPPED),
                                 .actual = actual };
    CLEANUP_FREE char *lines = xstrdup(input);
    for (char *at = lines; at;) {
        play_line(&scenario, strsep(&at, "\n"));
    }
    play_steps(&scenario);
    strbuf_finish(&scenario.steps);
    close_relay(scenario.fixture);
}

static void run_scenario(const struct case_row *row, struct strbuf *actual)
{
    CLEANUP_STRBUF struct strbuf other = STRBUF_INIT(STRBUF_UNCAPPED);
    play_scenario(FAKE_PIPE, row->input, actual);
    play_scenario(FAKE_WEBSOCKET, row->input, &other);
    if (strcmp(actual->data, other.data) != 0) {
        strbuf_add_format(actual, "and over a WebSocket\n%s", other.data);
    }
}

static void test_scenarios(void **state)
{
    (void)state;
    static const struct case_part parts[] = { { "scenarios", run_scenario } };
    CASE_TABLE_CHECK("relay.txt", parts);
}

/* Checks that a call of the browser is answered: everything sent before has then arrived. */
static void settle(struct client *client, size_t index, int id)
{
    CLEANUP_FREE char *text =
        xasprintf("{\"id\":%d,\"method\":\"Echo.call\",\"params\":{\"n\":%d,\"of\":0}}", id, id);
    CLEANUP_FREE char *expected = xasprintf("{\"id\":%d,\"result\":{\"n\":%d,\"of\":0}}", id, id);
    assert_true(send_text(client, text));
    assert_text(client, index, expected);
}

/* Returns a client that has joined, and received its first reply. */
static struct client *enter(struct relay_fixture *fixture, size_t index)
{
    struct client *client = &fixture->clients[index];
    join(client, &fixture->place);
    settle(client, 0, 1);
    return client;
}

/* All of them use the same ids, at the same time. */
static void test_many_clients_get_their_own_answers_with_their_own_ids(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *clients = fixture->clients;
    for (size_t i = 0; i < CLIENTS; i++) {
        join(&clients[i], &fixture->place);
    }
    for (int number = 0; number < CALLS; number++) {
        for (int i = 0; i < CLIENTS; i++) {
            CLEANUP_FREE char *text =
                xasprintf("{\"params\":{\"of\":%d,\"n\":%d},\"method\":\"Echo.call\",\"id\":%d}", i,
                          number, 2147483647 - number);
            assert_true(send_text(&clients[i], text));
        }
    }
    for (int i = 0; i < CLIENTS; i++) {
        for (int number = 0; number < CALLS; number++) {
            CLEANUP_FREE char *expected = xasprintf("{\"id\":%d,\"result\":{\"n\":%d,\"of\":%d}}",
                                                    2147483647 - number, number, i);
            assert_text(&clients[i], (size_t)number, expected);
        }
        assert_int_equal(clients[i].closed_count, 0);
    }
    /* One session of our own in addition. */
    assert_int_equal(
        fake_browser_count(fixture->cdp.fake, "{\"method\":\"Target.attachToBrowserTarget\"}"),
        CLIENTS);
}

enum { OWN_CALLS = 20, OWN_BYTES = 300 * 1024 };

static void *call_beside(void *data)
{
    struct cdp_client *own = data;
    struct br_error err;
    CLEANUP_FREE char *bytes = letters(OWN_BYTES, 'B');
    for (int i = 0; i < OWN_CALLS; i++) {
        if (!cdp_call(own, NULL, "Echo.call",
                      json_pack("{s:i, s:i, s:s}", "n", i, "of", 0, "b", bytes), NULL, &err)) {
            return data; /* it has failed */
        }
    }
    return NULL;
}

/* Commands that the pipe cannot take at once: the bytes of two commands are never mixed. */
static void test_large_commands_and_those_of_a_session_of_ours_do_not_mix(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = &fixture->clients[0];
    pthread_t thread;
    void *failure = NULL;
    client->max_bytes = 256 * 1024 * 1024;
    join_with(client, &fixture->place);
    pthread_create(&thread, NULL, call_beside, fixture->cdp.client);
    CLEANUP_FREE char *bytes = letters(OWN_BYTES, 'A');
    for (int i = 0; i < OWN_CALLS; i++) {
        CLEANUP_FREE char *text = xasprintf(
            "{\"id\":%d,\"method\":\"Echo.call\",\"params\":{\"n\":%d,\"of\":1,\"b\":\"%s\"}}", i,
            i, bytes);
        assert_true(send_text(client, text));
    }
    for (int i = 0; i < OWN_CALLS; i++) {
        CLEANUP_FREE char *expected = xasprintf("{\"id\":%d,\"result\":{\"n\":%d,\"of\":1}}", i, i);
        assert_text(client, (size_t)i, expected);
    }
    pthread_join(thread, &failure);
    assert_null(failure);
}

enum { LONG_TEXT = 3 * 1024 * 1024 };

/* The client gets complete events, also those that our recorders cut or ignore. */
static void test_events_come_whole(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = enter(fixture, 0);
    CLEANUP_FREE char *steps =
        xasprintf("{\"event\":{\"sessionId\":\"R1\",\"method\":\"Target.attachedToTarget\","
                  "\"params\":{\"sessionId\":\"S1\"}}}\n"
                  "{\"event\":{\"sessionId\":\"S1\",\"method\":\"Runtime.consoleAPICalled\","
                  "\"params\":{\"text\":\"$bytes:%d\"}}}\n"
                  "{\"event\":{\"sessionId\":\"S1\",\"method\":\"Network.webSocketFrameReceived\","
                  "\"params\":{}}}\n",
                  LONG_TEXT);
    play(fixture, steps);
    assert_text(client, 3,
                "{\"method\":\"Network.webSocketFrameReceived\",\"params\":{},"
                "\"sessionId\":\"S1\"}");
    const json_t *params = json_object_get(await_text(client, 2), "params");
    assert_int_equal(json_string_length(json_object_get(params, "text")), LONG_TEXT);
}

static void note_length(void *data, const char *session_id, const char *method, json_t *params)
{
    (void)session_id;
    (void)method;
    *(size_t *)data = json_string_length(json_object_get(params, "text"));
}

static void test_events_of_our_own_pages_are_cut_beside_a_client(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = enter(fixture, 0);
    size_t length = 0;
    struct cdp_client *page = cdp_client_create(fixture->cdp.connection, note_length, &length);
    cdp_client_adopt(page, "P1");
    static const int lengths[] = { 100000, LONG_TEXT };
    for (size_t i = 0; i < 2; i++) {
        CLEANUP_FREE char *steps =
            xasprintf("{\"event\":{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"text\":"
                      "\"$bytes:%d\"},\"sessionId\":\"P1\"}}\n",
                      lengths[i]);
        play(fixture, steps);
        settle(client, i + 1, 2);
        cdp_drain(page);
        assert_in_range(length, 1000, 20000);
        length = 0;
    }
    cdp_client_destroy(page);
}

static void command_on_loop(void *data)
{
    const struct client *client = data;
    cdp_sink_command(client->sink, "S2", "Echo.call", NULL, client->tag);
}

/*
 * A client that counts commands by tag gets each refusal, and so does the owner, who would wait for
 * the reply to its own command without end.
 */
static void test_refusals_of_dead_sessions_keep_the_tag(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = &fixture->clients[0];
    join(client, &fixture->place);
    client->tag = 7;
    send_text(client, "{\"id\":9,\"method\":\"Echo.call\",\"sessionId\":\"S2\"}");
    assert_text(client, 0,
                "{\"error\":{\"code\":-32001,\"message\":\"Session with given id not found.\"},"
                "\"id\":9}");
    assert_int_equal(client->tagged_count, 1);
    loop_call(client->place->loop, command_on_loop, client);
    assert_text(client, 1,
                "{\"error\":{\"code\":-32001,\"message\":\"Session with given id not found.\"},"
                "\"id\":0}");
    assert_int_equal(client->tagged_count, 2);
}

/* All at once: the first reply arrives after all were sent. */
static void send_some_on_loop(void *data)
{
    for (int i = 0; i < 5; i++) {
        send_on_loop(data);
    }
}

static void test_a_client_may_go_while_it_is_told_something(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = &fixture->clients[0];
    join(client, &fixture->place);
    client->leaves_at_once = true;
    struct sending sending = { .client = client, .text = "{\"id\":0,\"method\":\"None\",}" };
    loop_call(fixture->cdp.loop, send_some_on_loop, &sending);
    assert_text(client, 0,
                "{\"error\":{\"code\":-32700,\"message\":\"something other than a text at byte 24 "
                "of the command\"},\"id\":0}");
    /* It is closed, so nothing more may be sent. */
    loop_flush(fixture->cdp.loop);
    assert_null(client->sink);
    assert_int_equal(json_array_size(client->texts), 1);
}

enum { LARGE_COMMAND = 64 * 1024 };

/* The loop never waits for the browser, and the amount of waiting data is limited. */
static void test_a_client_that_sends_faster_than_the_browser_reads_is_closed(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = enter(fixture, 0);
    struct client *modest = enter(fixture, 1);
    send_text(modest, "{\"id\":2,\"method\":\"Stop.call\"}");
    fake_browser_await(fixture->cdp.fake, "stopped");
    CLEANUP_FREE char *bytes = letters(LARGE_COMMAND, 'A');
    CLEANUP_FREE char *text =
        xasprintf("{\"id\":7,\"method\":\"Fill.call\",\"params\":{\"bytes\":\"%s\"}}", bytes);
    int count = 0;
    while (send_text(client, text)) {
        count++;
        /* Its megabyte, the buffers of the pipe or socket, and the command being written. */
        assert_in_range(count, 0, 40 * 1024 * 1024 / LARGE_COMMAND);
    }
    assert_true(count >= 1024 * 1024 / (LARGE_COMMAND + 200));
    await_closed(client, CDP_SINK_FULL, "faster than the browser");
    assert_false(send_text(client, text));
    fake_browser_signal(fixture->cdp.fake, "go");
    /* The other client works as before. */
    settle(modest, 2, 3);
}

static void ask_slowly_on_loop(void *data)
{
    struct sending *sending = data;
    sending->is_taken = true;
    for (int i = 0; i < 1024 && sending->is_taken; i++) {
        send_on_loop(sending);
    }
}

/* The number of remembered calls is limited, too. */
static void test_a_client_with_too_many_open_calls_is_closed(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *client = &fixture->clients[0];
    client->max_bytes = 64 * 1024 * 1024;
    join_with(client, &fixture->place);
    struct sending sending = { .client = client, .text = "{\"id\":1,\"method\":\"Slow.call\"}" };
    int rounds = CDP_SINK_MAX_CALLS / 1024 - 1;
    for (int round = 0; round < rounds; round++) {
        loop_call(fixture->cdp.loop, ask_slowly_on_loop, &sending);
        assert_true(sending.is_taken);
        /* So that the limit of unwritten data is not reached first. */
        settle(client, (size_t)round, 2);
    }
    for (int i = 0; send_text(client, sending.text); i++) {
        assert_in_range(i, 0, 100 * 1024);
    }
    await_closed(client, CDP_SINK_FULL, "too many");
}

enum { VISITS = 300 / SLOWNESS_DEFAULT };

/* Before they are attached, during a call, and while they receive texts. */
static void test_clients_that_come_and_go_leave_the_others_in_peace(void **state)
{
    struct relay_fixture *fixture = *state;
    struct client *stays = enter(fixture, CLIENTS - 1);
    for (int visit = 0; visit < VISITS; visit++) {
        struct client *visitor = &fixture->clients[visit % 4];
        if (visitor->texts) {
            leave(visitor);
        }
        join(visitor, &fixture->place);
        if (visit % 3 > 0) {
            send_text(visitor, "{\"id\":1,\"method\":\"Slow.call\"}");
        }
        if (visit % 3 > 1) {
            settle(visitor, 0, 2);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        leave(&fixture->clients[i]);
    }
    settle(stays, 1, 2);
    size_t attached =
        fake_browser_count(fixture->cdp.fake, "{\"method\":\"Target.attachToBrowserTarget\"}");
    leave(stays);
    loop_flush(fixture->cdp.loop);
    cdp_relay_destroy(TAKE(fixture->place.relay));
    /* Each attached session was detached; with this reply everything sent has been read. */
    struct br_error err;
    assert_true(cdp_call(fixture->cdp.client, NULL, "Echo.call", NULL, NULL, &err));
    assert_int_equal(
        fake_browser_count(fixture->cdp.fake, "{\"method\":\"Target.detachFromTarget\"}"),
        attached);
}

int main(void)
{
#define OVER(transport, test)                                                                      \
    {                                                                                              \
#test " (" #transport ")", test, set_up, tear_down, &fixture_##transport                   \
    }
#define BOTH(test) OVER(pipe, test), OVER(websocket, test)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios),
        BOTH(test_many_clients_get_their_own_answers_with_their_own_ids),
        BOTH(test_large_commands_and_those_of_a_session_of_ours_do_not_mix),
        BOTH(test_events_come_whole),
        BOTH(test_events_of_our_own_pages_are_cut_beside_a_client),
        BOTH(test_refusals_of_dead_sessions_keep_the_tag),
        BOTH(test_a_client_may_go_while_it_is_told_something),
        BOTH(test_a_client_that_sends_faster_than_the_browser_reads_is_closed),
        OVER(pipe, test_a_client_with_too_many_open_calls_is_closed),
        BOTH(test_clients_that_come_and_go_leave_the_others_in_peace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
