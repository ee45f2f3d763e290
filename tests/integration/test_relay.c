/* Other programs' clients of a relay, with a browser that replies. */
#include "tests/integration/cdp_fixture.h"
#include "tests/integration/relay_client.h"

#define ATTACH                                                                                     \
    "{\"serve\":\"Target.attachToBrowserTarget\",\"reply\":{\"sessionId\":\"$new:R\"}}\n"          \
    "{\"serve\":\"Target.detachFromTarget\",\"reply\":{}}\n"
#define ECHO "{\"serve\":\"Echo.call\",\"reply\":{\"n\":\"$params.n\",\"of\":\"$params.of\"}}\n"

struct relay_fixture {
    struct cdp_fixture cdp;
    struct relay_place place;
};

static void open_relay(struct relay_fixture *fixture, void **state, const char *transcript)
{
    fixture_open(&fixture->cdp, fixture_mode(state), transcript);
    relay_place_open(&fixture->place, fixture->cdp.connection, fixture->cdp.loop);
}

static void close_relay(struct relay_fixture *fixture)
{
    relay_place_close(&fixture->place);
    fixture_close(&fixture->cdp);
}

enum { CLIENTS = 8, CALLS = 300 };

/* All of them use the same ids, at the same time. */
static void test_many_clients_get_their_own_answers_with_their_own_ids(void **state)
{
    struct relay_fixture fixture;
    static struct client clients[CLIENTS];
    open_relay(&fixture, state, ATTACH ECHO);
    for (size_t i = 0; i < CLIENTS; i++) {
        join(&clients[i], &fixture.place);
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
        fake_browser_count(fixture.cdp.fake, "{\"method\":\"Target.attachToBrowserTarget\"}"),
        CLIENTS);
    for (size_t i = 0; i < CLIENTS; i++) {
        leave(&clients[i]);
    }
    close_relay(&fixture);
}

enum { OWN_CALLS = 20, OWN_BYTES = 300 * 1024 };

static void *call_beside(void *data)
{
    struct cdp_client *own = data;
    struct br_error err;
    CLEANUP_FREE char *bytes = xmalloc(OWN_BYTES + 1);
    memset(bytes, 'B', OWN_BYTES);
    bytes[OWN_BYTES] = '\0';
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
    struct relay_fixture fixture;
    struct client client = { .max_bytes = 256 * 1024 * 1024 };
    pthread_t thread;
    void *failure = NULL;
    open_relay(&fixture, state, ATTACH ECHO);
    join_with(&client, &fixture.place);
    pthread_create(&thread, NULL, call_beside, fixture.cdp.client);
    CLEANUP_FREE char *bytes = xmalloc(OWN_BYTES + 1);
    memset(bytes, 'A', OWN_BYTES);
    bytes[OWN_BYTES] = '\0';
    for (int i = 0; i < OWN_CALLS; i++) {
        CLEANUP_FREE char *text = xasprintf(
            "{\"id\":%d,\"method\":\"Echo.call\",\"params\":{\"n\":%d,\"of\":1,\"b\":\"%s\"}}", i,
            i, bytes);
        assert_true(send_text(&client, text));
    }
    for (int i = 0; i < OWN_CALLS; i++) {
        CLEANUP_FREE char *expected = xasprintf("{\"id\":%d,\"result\":{\"n\":%d,\"of\":1}}", i, i);
        assert_text(&client, (size_t)i, expected);
    }
    pthread_join(thread, &failure);
    assert_null(failure);
    leave(&client);
    close_relay(&fixture);
}

/* A session that was attached in a client's own session belongs to that client alone. */
#define CHILD(parent, session)                                                                     \
    "{\"event\":{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"" session      \
    "\"},\"sessionId\":\"" parent "\"}}\n"

static void play(struct relay_fixture *fixture, const char *steps)
{
    assert_true(fake_browser_play(fixture->cdp.fake, steps));
}

/* Waits for a reply of the browser to this client: everything sent before has then arrived. */
static void settle(struct client *client, size_t index, int id)
{
    CLEANUP_FREE char *text =
        xasprintf("{\"id\":%d,\"method\":\"Echo.call\",\"params\":{\"n\":%d,\"of\":0}}", id, id);
    CLEANUP_FREE char *expected = xasprintf("{\"id\":%d,\"result\":{\"n\":%d,\"of\":0}}", id, id);
    assert_true(send_text(client, text));
    assert_text(client, index, expected);
}

static void test_events_go_to_the_client_whose_session_it_is(void **state)
{
    struct relay_fixture fixture;
    struct client first;
    struct client second;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&first, &fixture.place);
    settle(&first, 0, 1);
    join(&second, &fixture.place);
    settle(&second, 0, 1);
    play(&fixture,
         CHILD("R1", "S1") CHILD("S1", "S2") CHILD(
             "R2", "S3") "{\"event\":{\"method\":\"Page.event\",\"params\":{\"n\":1},"
                         "\"sessionId\":\"S2\"}}\n"
                         "{\"event\":{\"sessionId\":\"R1\",\"method\":\"Root.event\"}}\n"
                         "{\"event\":{\"method\":\"Browser.event\"}}\n"
                         "{\"event\":{\"method\":\"Page.event\",\"params\":{\"n\":2},"
                         "\"sessionId\":\"S3\"}}\n"
                         "{\"event\":{\"method\":\"Page.event\",\"sessionId\":\"nobody\"}}\n");
    settle(&first, 5, 2);
    settle(&second, 3, 2);
    /* Events of the client's browser session arrive like the browser's own. */
    assert_text(&first, 1,
                "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S1\"}}");
    assert_text(&first, 2,
                "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S2\"},"
                "\"sessionId\":\"S1\"}");
    assert_text(&first, 3, "{\"method\":\"Page.event\",\"params\":{\"n\":1},\"sessionId\":\"S2\"}");
    assert_text(&first, 4, "{\"method\":\"Root.event\"}");
    assert_text(&second, 1,
                "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S3\"}}");
    assert_text(&second, 2,
                "{\"method\":\"Page.event\",\"params\":{\"n\":2},\"sessionId\":\"S3\"}");
    leave(&first);
    leave(&second);
    close_relay(&fixture);
}

enum { LONG_TEXT = 3 * 1024 * 1024 };

/* The client gets complete events, also those that our recorders cut or ignore. */
static void set_front_on_loop(void *data)
{
    const struct client *client = data;
    cdp_sink_set_front(client->sink, "S1");
}

/* Events of the session by which the client is attached are hidden then. */
static void test_events_of_the_front_session_have_no_session(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    play(&fixture, CHILD("R1", "S1") CHILD("S1", "S2"));
    settle(&client, 3, 2);
    loop_call(client.place->loop, set_front_on_loop, &client);
    play(&fixture, "{\"event\":{\"sessionId\":\"R1\",\"method\":\"Root.event\"}}\n"
                   "{\"event\":{\"sessionId\":\"S1\",\"method\":\"Front.event\"}}\n"
                   "{\"event\":{\"sessionId\":\"S2\",\"method\":\"Page.event\"}}\n");
    settle(&client, 6, 3);
    assert_text(&client, 4, "{\"method\":\"Front.event\"}");
    assert_text(&client, 5, "{\"method\":\"Page.event\",\"sessionId\":\"S2\"}");
    leave(&client);
    close_relay(&fixture);
}

static void test_events_come_whole(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    CLEANUP_FREE char *steps = xasprintf(
        CHILD("R1",
              "S1") "{\"event\":{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"text\":"
                    "\"$bytes:%d\"},\"sessionId\":\"S1\"}}\n"
                    "{\"event\":{\"method\":\"Network.webSocketFrameReceived\",\"params\":{},"
                    "\"sessionId\":\"S1\"}}\n",
        LONG_TEXT);
    play(&fixture, steps);
    assert_text(&client, 3,
                "{\"method\":\"Network.webSocketFrameReceived\",\"params\":{},"
                "\"sessionId\":\"S1\"}");
    const json_t *params = json_object_get(await_text(&client, 2), "params");
    assert_int_equal(json_string_length(json_object_get(params, "text")), LONG_TEXT);
    leave(&client);
    close_relay(&fixture);
}

static void note_length(void *data, const char *session_id, const char *method, json_t *params)
{
    (void)session_id;
    (void)method;
    *(size_t *)data = json_string_length(json_object_get(params, "text"));
}

static void test_events_of_our_own_pages_are_cut_beside_a_client(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    size_t length = 0;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    struct cdp_client *page = cdp_client_create(fixture.cdp.connection, note_length, &length);
    cdp_client_adopt(page, "P1");
    static const int lengths[] = { 100000, LONG_TEXT };
    for (size_t i = 0; i < 2; i++) {
        CLEANUP_FREE char *steps =
            xasprintf("{\"event\":{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"text\":"
                      "\"$bytes:%d\"},\"sessionId\":\"P1\"}}\n",
                      lengths[i]);
        play(&fixture, steps);
        settle(&client, i + 1, 2);
        cdp_drain(page);
        assert_in_range(length, 1000, 20000);
        length = 0;
    }
    cdp_client_destroy(page);
    leave(&client);
    close_relay(&fixture);
}

static void test_commands_that_are_none_are_answered_with_the_place(void **state)
{
    static const char *const cases[][2] = {
        { "{\"id\":1,\"method\":\"Echo.call\",\"params\":{\"n\":[1,]}}",
          "{\"error\":{\"code\":-32700,\"message\":\"what is no JSON at byte 46 of the command\"},"
          "\"id\":1}" },
        { "nonsense", "{\"error\":{\"code\":-32700,\"message\":\"what is no JSON at byte 0 of the "
                      "command\"}}" },
        { "[]",
          "{\"error\":{\"code\":-32600,\"message\":\"something other than an object at byte 0 of "
          "the command\"}}" },
        { "{\"id\":\"1\",\"method\":\"Echo.call\"}",
          "{\"error\":{\"code\":-32600,\"message\":\"an id that is no whole number of 32 bits at "
          "byte 6 of the command\"}}" },
        { "{\"id\":3,\"method\":\"Echo.call\",\"sessionId\":\"S1\"}",
          "{\"error\":{\"code\":-32001,\"message\":\"Session with given id not found.\"},"
          "\"id\":3}" },
    };
    struct relay_fixture fixture;
    struct client client;
    /* Only Echo.call may reach the browser, and without a session of its own. */
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    size_t count = sizeof(cases) / sizeof(cases[0]);
    for (size_t i = 0; i < count; i++) {
        assert_true(send_text(&client, cases[i][0]));
        assert_text(&client, i, cases[i][1]);
    }
    settle(&client, count, 4);
    assert_int_equal(fake_browser_count(fixture.cdp.fake, "{\"method\":\"Echo.call\"}"), 1);
    leave(&client);
    close_relay(&fixture);
}

static void test_calls_of_sessions_that_end_are_refused(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO "{\"serve\":\"Slow.call\",\"ignore\":true}\n");
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    play(&fixture, CHILD("R1", "S1") CHILD("S1", "S2"));
    assert_text(&client, 2,
                "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S2\"},"
                "\"sessionId\":\"S1\"}");
    send_text(&client, "{\"id\":8,\"method\":\"Slow.call\",\"sessionId\":\"S2\"}");
    settle(&client, 3, 2);
    /* Chrome does not report the end of S2, which is below it. */
    play(&fixture, "{\"event\":{\"method\":\"Target.detachedFromTarget\",\"params\":"
                   "{\"sessionId\":\"S1\"},\"sessionId\":\"R1\"}}\n");
    assert_text(&client, 4,
                "{\"method\":\"Target.detachedFromTarget\",\"params\":{\"sessionId\":\"S1\"}}");
    assert_text(
        &client, 5,
        "{\"error\":{\"code\":-32001,\"message\":\"the page was closed before it answered\"},"
        "\"id\":8,\"sessionId\":\"S2\"}");
    send_text(&client, "{\"id\":9,\"method\":\"Echo.call\",\"sessionId\":\"S2\"}");
    assert_text(&client, 6,
                "{\"error\":{\"code\":-32001,\"message\":\"Session with given id not found.\"},"
                "\"id\":9}");
    settle(&client, 7, 3);
    leave(&client);
    close_relay(&fixture);
}

/* A client that counts commands by tag gets each refusal. */
static void test_refusals_of_dead_sessions_keep_the_tag(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    client.tag = 7;
    send_text(&client, "{\"id\":9,\"method\":\"Echo.call\",\"sessionId\":\"S2\"}");
    assert_text(&client, 0,
                "{\"error\":{\"code\":-32001,\"message\":\"Session with given id not found.\"},"
                "\"id\":9}");
    assert_int_equal(client.tagged_count, 1);
    leave(&client);
    close_relay(&fixture);
}

static void command_on_loop(void *data)
{
    const struct client *client = data;
    cdp_sink_command(client->sink, "S2", "Echo.call", NULL, client->tag);
}

/* Otherwise the owner would wait for its reply without end. */
static void test_the_owners_command_for_a_dead_session_is_refused(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    client.tag = 7;
    loop_call(client.place->loop, command_on_loop, &client);
    assert_text(&client, 0,
                "{\"error\":{\"code\":-32001,\"message\":\"Session with given id not found.\"},"
                "\"id\":0}");
    assert_int_equal(client.tagged_count, 1);
    leave(&client);
    close_relay(&fixture);
}

static void test_a_client_that_is_detached_is_told(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    play(&fixture, "{\"event\":{\"method\":\"Target.detachedFromTarget\",\"params\":"
                   "{\"sessionId\":\"R1\"}}}\n");
    await_closed(&client, CDP_SINK_GONE, "detached");
    assert_false(send_text(&client, "{\"id\":2,\"method\":\"Echo.call\"}"));
    assert_int_equal(client.closed_count, 1);
    leave(&client);
    close_relay(&fixture);
}

/* Its session is detached, and a late reply is dropped. */
static void test_a_client_that_goes_in_the_middle_leaves_nothing(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    struct client stays;
    open_relay(&fixture, state,
               ATTACH ECHO "{\"serve\":\"Slow.call\",\"ignore\":true}\n"
                           "{\"serve\":\"Last.call\",\"reply\":{}}\n");
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    join(&stays, &fixture.place);
    send_text(&client, "{\"id\":2,\"method\":\"Slow.call\"}");
    settle(&client, 1, 3);
    leave(&client);
    settle(&stays, 0, 1);
    play(&fixture, "{\"text\":\"{\\\"id\\\":4,\\\"result\\\":{},\\\"sessionId\\\":\\\"R1\\\"}\"}\n"
                   "{\"event\":{\"method\":\"Root.event\",\"sessionId\":\"R1\"}}\n");
    settle(&stays, 1, 2);
    assert_int_equal(fake_browser_count(fixture.cdp.fake, "{\"method\":\"Target.detachFromTarget\","
                                                          "\"params\":{\"sessionId\":\"R1\"}}"),
                     1);
    leave(&stays);
    close_relay(&fixture);
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
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    client.leaves_at_once = true;
    struct sending sending = { .client = &client, .text = "{\"id\":0,\"method\":\"None\",}" };
    loop_call(fixture.cdp.loop, send_some_on_loop, &sending);
    assert_text(&client, 0,
                "{\"error\":{\"code\":-32700,\"message\":\"something other than a text at byte 24 "
                "of the command\"},\"id\":0}");
    /* It is closed, so nothing more may be sent. */
    loop_flush(fixture.cdp.loop);
    assert_null(client.sink);
    close_relay(&fixture);
    assert_int_equal(json_array_size(client.texts), 1);
    json_decref(client.texts);
}

enum { LARGE_COMMAND = 64 * 1024 };

/* The loop never waits for the browser, and the amount of waiting data is limited. */
static void test_a_client_that_sends_faster_than_the_browser_reads_is_closed(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    struct client modest;
    open_relay(&fixture, state,
               ATTACH ECHO "{\"serve\":\"Fill.call\",\"reply\":{}}\n"
                           "{\"serve\":\"Stop.call\",\"reply\":{},\"then\":[{\"mark\":\"stopped\"},"
                           "{\"wait\":\"go\"}]}\n");
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    join(&modest, &fixture.place);
    settle(&modest, 0, 1);
    send_text(&modest, "{\"id\":2,\"method\":\"Stop.call\"}");
    fake_browser_await(fixture.cdp.fake, "stopped");
    CLEANUP_FREE char *bytes = xmalloc(LARGE_COMMAND + 1);
    memset(bytes, 'A', LARGE_COMMAND);
    bytes[LARGE_COMMAND] = '\0';
    CLEANUP_FREE char *text =
        xasprintf("{\"id\":7,\"method\":\"Fill.call\",\"params\":{\"bytes\":\"%s\"}}", bytes);
    int count = 0;
    while (send_text(&client, text)) {
        count++;
        /* Its megabyte, the buffers of the pipe or socket, and the command being written. */
        assert_in_range(count, 0, 40 * 1024 * 1024 / LARGE_COMMAND);
    }
    assert_true(count >= 1024 * 1024 / (LARGE_COMMAND + 200));
    await_closed(&client, CDP_SINK_FULL, "faster than the browser");
    assert_false(send_text(&client, text));
    fake_browser_signal(fixture.cdp.fake, "go");
    /* The other client works as before. */
    settle(&modest, 2, 3);
    leave(&client);
    leave(&modest);
    close_relay(&fixture);
}

static void test_clients_learn_that_the_browser_has_gone(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    struct client late;
    open_relay(&fixture, state, ATTACH ECHO);
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    cdp_connection_close(fixture.cdp.connection, "the browser has ended");
    await_closed(&client, CDP_SINK_GONE, "the browser has ended");
    join(&late, &fixture.place);
    await_closed(&late, CDP_SINK_GONE, "the browser has ended");
    leave(&client);
    leave(&late);
    close_relay(&fixture);
    assert_int_equal(client.closed_count, 1);
}

static void test_a_client_that_cannot_be_attached_is_told(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state,
               "{\"serve\":\"Target.attachToBrowserTarget\","
               "\"error\":{\"code\":-32000,\"message\":\"Not allowed\"}}\n");
    join(&client, &fixture.place);
    await_closed(&client, CDP_SINK_GONE, "Not allowed");
    leave(&client);
    close_relay(&fixture);
}

/* With only other programs' clients, no thread of ours waits for replies. */
static void test_a_browser_that_falls_silent_is_noticed(void **state)
{
    struct relay_fixture fixture;
    struct client client;
    open_relay(&fixture, state,
               ATTACH ECHO
               "{\"serve\":\"Slow.call\",\"ignore\":true,\"then\":[{\"silent\":true}]}");
    join(&client, &fixture.place);
    settle(&client, 0, 1);
    send_text(&client, "{\"id\":2,\"method\":\"Slow.call\"}");
    await_closed(&client, CDP_SINK_GONE, "does not answer any more");
    leave(&client);
    close_relay(&fixture);
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
    struct relay_fixture fixture;
    struct client client = { .max_bytes = 64 * 1024 * 1024 };
    open_relay(&fixture, state, ATTACH ECHO "{\"serve\":\"Slow.call\",\"ignore\":true}\n");
    join_with(&client, &fixture.place);
    struct sending sending = { .client = &client, .text = "{\"id\":1,\"method\":\"Slow.call\"}" };
    int rounds = CDP_SINK_MAX_CALLS / 1024 - 1;
    for (int round = 0; round < rounds; round++) {
        loop_call(fixture.cdp.loop, ask_slowly_on_loop, &sending);
        assert_true(sending.is_taken);
        /* So that the limit of unwritten data is not reached first. */
        settle(&client, (size_t)round, 2);
    }
    for (int i = 0; send_text(&client, sending.text); i++) {
        assert_in_range(i, 0, 100 * 1024);
    }
    await_closed(&client, CDP_SINK_FULL, "too many");
    leave(&client);
    close_relay(&fixture);
}

enum { VISITS = 300 };

/* Before they are attached, during a call, and while they receive texts. */
static void test_clients_that_come_and_go_leave_the_others_in_peace(void **state)
{
    struct relay_fixture fixture;
    struct client stays;
    static struct client visitors[4];
    open_relay(&fixture, state, ATTACH ECHO "{\"serve\":\"Slow.call\",\"ignore\":true}\n");
    join(&stays, &fixture.place);
    settle(&stays, 0, 1);
    for (int visit = 0; visit < VISITS; visit++) {
        struct client *visitor = &visitors[visit % 4];
        if (visitor->texts) {
            leave(visitor);
        }
        join(visitor, &fixture.place);
        if (visit % 3 > 0) {
            send_text(visitor, "{\"id\":1,\"method\":\"Slow.call\"}");
        }
        if (visit % 3 > 1) {
            settle(visitor, 0, 2);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        leave(&visitors[i]);
        visitors[i] = (struct client){ 0 };
    }
    settle(&stays, 1, 2);
    size_t attached =
        fake_browser_count(fixture.cdp.fake, "{\"method\":\"Target.attachToBrowserTarget\"}");
    leave(&stays);
    loop_flush(fixture.cdp.loop);
    cdp_relay_destroy(TAKE(fixture.place.relay));
    /* Each attached session was detached; with this reply everything sent has been read. */
    struct br_error err;
    assert_true(cdp_call(fixture.cdp.client, NULL, "Echo.call", NULL, NULL, &err));
    assert_int_equal(
        fake_browser_count(fixture.cdp.fake, "{\"method\":\"Target.detachFromTarget\"}"), attached);
    close_relay(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_BOTH(test_many_clients_get_their_own_answers_with_their_own_ids),
        OVER_BOTH(test_large_commands_and_those_of_a_session_of_ours_do_not_mix),
        OVER_BOTH(test_events_go_to_the_client_whose_session_it_is),
        OVER_BOTH(test_events_of_the_front_session_have_no_session),
        OVER_BOTH(test_events_come_whole),
        OVER_BOTH(test_events_of_our_own_pages_are_cut_beside_a_client),
        OVER_BOTH(test_commands_that_are_none_are_answered_with_the_place),
        OVER_BOTH(test_calls_of_sessions_that_end_are_refused),
        OVER_BOTH(test_refusals_of_dead_sessions_keep_the_tag),
        OVER_BOTH(test_the_owners_command_for_a_dead_session_is_refused),
        OVER_BOTH(test_a_client_that_is_detached_is_told),
        OVER_BOTH(test_a_client_that_goes_in_the_middle_leaves_nothing),
        OVER_BOTH(test_a_client_may_go_while_it_is_told_something),
        OVER_BOTH(test_a_client_that_sends_faster_than_the_browser_reads_is_closed),
        OVER_PIPE(test_a_client_with_too_many_open_calls_is_closed),
        OVER_BOTH(test_clients_that_come_and_go_leave_the_others_in_peace),
        OVER_BOTH(test_clients_learn_that_the_browser_has_gone),
        OVER_BOTH(test_a_client_that_cannot_be_attached_is_told),
        OVER_BOTH(test_a_browser_that_falls_silent_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
