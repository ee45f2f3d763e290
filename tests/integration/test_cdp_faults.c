/* The connection and its clients with a browser that disconnects, falls silent or sends garbage. */
#include "tests/integration/cdp_fixture.h"

#include "runner/base/strbuf.h"
#include "runner/cdp/transport_pipe.h"
#include "tests/letters.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Sends a command of about this many bytes. */
static bool call_with_padding(struct cdp_client *client, const char *method, size_t length,
                              struct br_error *err)
{
    CLEANUP_FREE char *padding = letters(length, 'x');
    json_t *params = json_pack("{s:s}", "padding", padding);
    return cdp_call(client, NULL, method, params, NULL, err);
}

static void test_connection_when_garbage_comes_ends_with_its_first_words(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "Segmentation fault", "no DevTools message: Segmentation fault" },
        { "", "no DevTools message" },
        { "{\"id\":1", "no DevTools message: {\"id\":1" },
        { "[1,2]", "no DevTools message: [1,2]" },
        { "\x01\xC3\xA4{}", "no DevTools message: ...{}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cdp_fixture fixture;
        /* The reply after the garbage is ignored. */
        json_auto_t *batch =
            json_pack("{s:[{s:s}, {s:{}}]}", "batch", "text", cases[i].text, "reply");
        CLEANUP_FREE char *line = json_dumps(batch, JSON_COMPACT);
        CLEANUP_FREE char *transcript = xasprintf("{\"expect\":\"First.call\"}\n%s\n", line);
        fixture_open(&fixture, fixture_mode(state), transcript);
        assert_call_fails(fixture.client, "First.call", BR_DISCONNECTED, cases[i].words);
        assert_false(cdp_client_is_open(fixture.client));
        assert_call_fails(fixture.client, "Second.call", BR_DISCONNECTED, cases[i].words);
        fixture_close(&fixture);
    }
}

static void test_connection_when_garbage_comes_is_closed_for_the_browser_too(void **state)
{
    struct cdp_fixture fixture;
    /* At the end of its transcript the fake browser waits until the connection is closed. */
    fixture_open(&fixture, fixture_mode(state), "{\"text\":\"garbage\"}\n{\"mark\":\"sent\"}\n");
    fixture_await_close(fixture.client, "no DevTools message");
    struct fake_browser *fake = TAKE(fixture.fake);
    fake_browser_finish(fake);
    cdp_client_destroy(fixture.client);
    cdp_connection_destroy(fixture.connection);
    loop_destroy(fixture.loop);
}

enum { CALLERS = 3 };

struct caller {
    struct cdp_connection *connection;
    struct br_error err;
    bool is_fine;
};

static void *call_once(void *data)
{
    struct caller *caller = data;
    struct cdp_client *client = cdp_client_create(caller->connection, NULL, NULL);
    caller->is_fine = cdp_call(client, NULL, "Pending.call", NULL, NULL, &caller->err);
    cdp_client_destroy(client);
    return NULL;
}

/* Without a deadline: a thread that is not woken waits until the test's timeout. */
static void test_calls_when_the_browser_goes_end_on_every_thread(void **state)
{
    struct cdp_fixture fixture;
    pthread_t threads[CALLERS];
    struct caller callers[CALLERS];
    fixture_open(&fixture, fixture_mode(state), "disconnect_in_call.jsonl");
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){ .connection = fixture.connection };
        assert_int_equal(pthread_create(&threads[i], NULL, call_once, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(callers[i].is_fine);
        assert_error(&callers[i].err, BR_DISCONNECTED, "Pending.call: the ");
    }
    assert_false(cdp_connection_is_open(fixture.connection));
    fixture_close(&fixture);
}

static void test_call_when_the_browser_went_before_fails_at_once(void **state)
{
    struct cdp_fixture fixture;
    bool is_pipe = fixture_mode(state) == FAKE_PIPE;
    const char *reason = is_pipe ? "the browser closed the pipe" : "the connection to the browser";
    fixture_open(&fixture, fixture_mode(state), "{\"close\":true}\n");
    fixture_await_close(fixture.client, reason);
    assert_false(cdp_client_is_open(fixture.client));
    assert_call_fails(fixture.client, "Any.call", BR_DISCONNECTED, reason);
    cdp_post(fixture.client, NULL, "Any.call", json_object());
    /* A later client gets the error, too, both when calling and when waiting. */
    struct cdp_client *late = cdp_client_create(fixture.connection, NULL, NULL);
    assert_call_fails(late, "Any.call", BR_DISCONNECTED, reason);
    fixture_await_close(late, reason);
    cdp_client_destroy(late);
    fixture_close(&fixture);
}

static void *interrupt_when_called(void *data)
{
    struct cdp_fixture *fixture = data;
    fake_browser_await(fixture->fake, "called");
    cdp_client_interrupt(fixture->client);
    return NULL;
}

static void test_interrupt_from_another_thread_ends_the_call_and_every_later(void **state)
{
    struct cdp_fixture fixture;
    pthread_t thread;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state),
                 "{\"expect\":\"First.call\"}\n{\"mark\":\"called\"}\n");
    assert_int_equal(pthread_create(&thread, NULL, interrupt_when_called, &fixture), 0);
    assert_call_fails(fixture.client, "First.call", BR_CANCELLED, "First.call: interrupted");
    pthread_join(thread, NULL);
    assert_call_fails(fixture.client, "Second.call", BR_CANCELLED, "interrupted");
    assert_false(cdp_pause(fixture.client, FIXTURE_PATIENCE_MS, &err));
    assert_error(&err, BR_CANCELLED, "interrupted");
    assert_true(cdp_client_is_open(fixture.client));
    fixture_close(&fixture);
}

/* More than the kernel buffers for a socket that is not read. */
enum { TOO_LARGE = 16 * 1024 * 1024 };

/* The browser has never replied: one that falls silent later is given up after a while. */
static void open_to_deaf_browser(struct cdp_fixture *fixture, enum fake_mode mode)
{
    struct br_error err;
    fixture_open(fixture, mode, "stops_reading.jsonl");
    assert_true(cdp_send(fixture->client, NULL, "First.call", NULL, &err) > 0);
    fake_browser_await(fixture->fake, "deaf");
}

static void test_call_when_the_browser_stops_reading_ends_and_nothing_follows(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    open_to_deaf_browser(&fixture, fixture_mode(state));
    /* On a slow machine the deadline may pass before its first byte; that does no harm. */
    for (int64_t ms = 500; cdp_connection_is_open(fixture.connection); ms *= 2) {
        cdp_client_set_deadline(fixture.client, deadline_in_ms(ms));
        assert_false(call_with_padding(fixture.client, "Large.call", TOO_LARGE, &err));
        assert_error(&err, BR_TIMEOUT, "Large.call: the browser takes no more commands");
        loop_flush(fixture.loop);
    }
    cdp_client_set_deadline(fixture.client, deadline_in_ms(FIXTURE_PATIENCE_MS));
    fixture_await_close(fixture.client, "stopped reading in the middle of a command");
    assert_call_fails(fixture.client, "Second.call", BR_DISCONNECTED, "stopped reading");
    fake_browser_signal(fixture.fake, "enough");
    fixture_close(&fixture);
}

static void *call_large(void *data)
{
    struct caller *caller = data;
    struct cdp_client *client = cdp_client_create(caller->connection, NULL, NULL);
    caller->is_fine = call_with_padding(client, "Large.call", TOO_LARGE, &caller->err);
    cdp_client_destroy(client);
    return NULL;
}

static void test_call_when_another_thread_cannot_send_keeps_its_own_deadline(void **state)
{
    struct cdp_fixture fixture;
    pthread_t thread;
    struct caller caller = { 0 };
    open_to_deaf_browser(&fixture, fixture_mode(state));
    caller.connection = fixture.connection;
    assert_int_equal(pthread_create(&thread, NULL, call_large, &caller), 0);
    /* Until the other thread's command blocks the pipe: only then do small ones fail. */
    struct br_error err = { 0 };
    while (!strstr(err.message, "takes no more commands")) {
        cdp_client_set_deadline(fixture.client, deadline_in_ms(30));
        assert_false(cdp_call(fixture.client, NULL, "Small.call", NULL, NULL, &err));
        assert_int_equal(err.code, BR_TIMEOUT);
    }
    /* The thread has no deadline, and ends with the connection. */
    cdp_connection_close(fixture.connection, "the test has ended it");
    pthread_join(thread, NULL);
    assert_false(caller.is_fine);
    assert_int_equal(caller.err.code, BR_DISCONNECTED);
    fake_browser_signal(fixture.fake, "enough");
    fixture_close(&fixture);
}

/* Messages that are sent completely or not at all do no harm to the connection. */
static void test_send_when_the_browser_pauses_goes_on_afterwards(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err = { 0 };
    fixture_open(&fixture, fixture_mode(state), "pauses_reading.jsonl");
    int64_t id = 0;
    int64_t last_id = 0;
    while ((id = cdp_send(fixture.client, NULL, "Small.call", NULL, &err)) > 0) {
        last_id = id;
        cdp_client_set_deadline(fixture.client, deadline_in_ms(50));
    }
    assert_error(&err, BR_TIMEOUT, "Small.call: the browser takes no more commands");
    assert_true(cdp_client_is_open(fixture.client));
    fake_browser_signal(fixture.fake, "enough");
    cdp_client_set_deadline(fixture.client, deadline_in_ms(FIXTURE_PATIENCE_MS));
    assert_call(fixture.client, "Last.call", "last");
    assert_true(cdp_receive(fixture.client, last_id, "Small.call", NULL, &err));
    fixture_close(&fixture);
}

static bool has_event(void *data)
{
    const struct cdp_fixture *fixture = data;
    return fixture->event_count > 0;
}

/* None of these may wait for the end of the flood, which only comes after them. */
static void test_waits_when_events_flood_in_end_all_the_same(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state), "flood.jsonl");
    int64_t id = cdp_send(fixture.client, NULL, "Flood.start", NULL, &err);
    assert_true(cdp_wait(fixture.client, has_event, &fixture, "the flood",
                         deadline_in_ms(FIXTURE_PATIENCE_MS), &err));
    assert_false(
        cdp_wait(fixture.client, fixture_never, NULL, "nothing", deadline_in_ms(100), &err));
    assert_error(&err, BR_TIMEOUT, "waiting for nothing");
    assert_true(cdp_pause(fixture.client, 20, &err));
    cdp_drain(fixture.client);
    for (int i = 0; i < 5; i++) {
        loop_flush(fixture.loop);
    }
    int64_t second = cdp_send(fixture.client, NULL, "Never.answered", NULL, &err);
    cdp_client_set_deadline(fixture.client, deadline_in_ms(20));
    assert_false(cdp_receive(fixture.client, second, "Never.answered", NULL, &err));
    assert_error(&err, BR_TIMEOUT, "Never.answered");
    cdp_client_set_deadline(fixture.client, deadline_in_ms(FIXTURE_PATIENCE_MS));
    fake_browser_signal(fixture.fake, "enough");
    assert_true(cdp_receive(fixture.client, id, "Flood.start", NULL, &err));
    fixture_close(&fixture);
}

/* Returns a reply in pieces with pauses between them, as bytes. Caller frees. */
static char *create_trickle(enum fake_mode mode)
{
    enum { PIECES = 4, PIECE = 128 * 1024, PAUSE_MS = 1700 };
    static const char head[] = "{\"id\":1,\"result\":{\"value\":\"first\",\"data\":\"";
    static const char tail[] = "\"}}";
    size_t length = strlen(head) + (size_t)PIECES * PIECE + strlen(tail);
    CLEANUP_FREE char *padding = letters(PIECE, 'x');
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text,
                      "{\"event\":{\"method\":\"Some.event\"}}\n{\"expect\":\"First.call\"}\n");
    if (mode == FAKE_WEBSOCKET) {
        strbuf_add_format(&text, "{\"hex\":\"817f %016zx\"}\n", length);
    }
    json_auto_t *first = json_pack("{s:s}", "raw", head);
    CLEANUP_FREE char *first_line = json_dumps(first, JSON_COMPACT);
    strbuf_add_format(&text, "%s\n", first_line);
    for (int i = 0; i < PIECES; i++) {
        strbuf_add_format(&text, "{\"delay\":%d}\n{\"raw\":\"%s\"}\n", PAUSE_MS, padding);
    }
    strbuf_add_format(&text, "{\"raw\":\"\\\"}}%s\"}\n", mode == FAKE_PIPE ? "\\u0000" : "");
    return strbuf_take(&text);
}

/* A picture over a slow line: nothing else can arrive until it is complete. */
static void test_reply_when_it_trickles_in_is_waited_for(void **state)
{
    struct cdp_fixture fixture;
    CLEANUP_FREE char *transcript = create_trickle(fixture_mode(state));
    fixture_open(&fixture, fixture_mode(state), transcript);
    assert_call(fixture.client, "First.call", "first");
    fixture_close(&fixture);
}

static void test_close_when_called_twice_keeps_the_first_reason(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "{\"serve\":\"*\",\"ignore\":true}\n");
    cdp_connection_close(fixture.connection, "the first reason");
    cdp_connection_close(fixture.connection, "the second reason");
    assert_call_fails(fixture.client, "Any.call", BR_DISCONNECTED, "the first reason");
    fixture_await_close(fixture.client, "the first reason");
    fixture_close(&fixture);
}

static void test_destroy_when_replies_are_owed_frees_all(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state),
                 "{\"expect\":\"First.call\"}\n{\"expect\":\"Second.call\"}\n"
                 "{\"batch\":[{\"event\":{\"method\":\"Some.event\"}},{\"reply\":{}}]}\n"
                 "{\"mark\":\"sent\"}\n{\"serve\":\"*\",\"ignore\":true}\n");
    cdp_client_adopt(fixture.client, "S1");
    assert_true(cdp_send(fixture.client, "S1", "First.call", NULL, &err) > 0);
    assert_true(cdp_send(fixture.client, NULL, "Second.call", NULL, &err) > 0);
    cdp_post(fixture.client, "S1", "Third.call", NULL);
    fake_browser_await(fixture.fake, "sent");
    fixture_close(&fixture);
}

static void test_transport_when_never_started_closes_what_it_owns(void **state)
{
    (void)state;
    int read_fd = -1;
    int write_fd = -1;
    struct br_error err;
    struct fake_browser *fake = fake_browser_start(FAKE_PIPE, "{\"note\":\"nothing\"}");
    struct loop *loop = loop_create(false, &err);
    fake_browser_open_pipe(fake, &read_fd, &write_fd);
    struct transport *transport = transport_pipe_create(loop, read_fd, write_fd, false);
    transport->ops->destroy(transport);
    assert_int_equal(fcntl(read_fd, F_GETFD), -1);
    assert_int_equal(fcntl(write_fd, F_GETFD), -1);
    loop_destroy(loop);
    fake_browser_finish(fake);
    cdp_connection_destroy(NULL);
    cdp_client_destroy(NULL);
}

/* A reply of CBOR with `count` characters that JSON writes as six bytes each. Caller frees. */
static char *create_swelling_reply(size_t count, size_t *ret_length)
{
    static const char middle[] = "\xBF\x62id\x01\x66result\x7A";
    size_t body = sizeof(middle) - 1 + 4 + count + 1;
    const uint8_t envelope[] = { 0xD8,
                                 0x18,
                                 0x5A,
                                 (uint8_t)(body >> 24),
                                 (uint8_t)(body >> 16),
                                 (uint8_t)(body >> 8),
                                 (uint8_t)body };
    const uint8_t length[] = { (uint8_t)(count >> 24), (uint8_t)(count >> 16),
                               (uint8_t)(count >> 8), (uint8_t)count };
    char *reply = xmalloc(sizeof(envelope) + body);
    char *at = reply;
    memcpy(at, envelope, sizeof(envelope));
    at += sizeof(envelope);
    memcpy(at, middle, sizeof(middle) - 1);
    at += sizeof(middle) - 1;
    memcpy(at, length, sizeof(length));
    at += sizeof(length);
    memset(at, 1, count);
    at[count] = '\xFF';
    *ret_length = sizeof(envelope) + body;
    return reply;
}

static void on_swelled(void *data, char *text, size_t length)
{
    atomic_fetch_add((atomic_size_t *)data, length);
    free(text);
}

static void on_swelled_closed(void *data, const char *reason)
{
    (void)data;
    (void)reason;
}

/* The buffer begins anew after a large message, and the next read has to fit into it. */
static void test_replies_that_swell_when_they_become_json_fit(void **state)
{
    (void)state;
    enum { COUNT = 40000, REPLIES = 3 };
    int fds[2];
    int sockets[2];
    struct br_error err;
    size_t length = 0;
    atomic_size_t received = 0;
    struct loop *loop = loop_create(false, &err);
    assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    fcntl(fds[1], F_SETFL, 0);
    struct transport *transport = transport_pipe_create(loop, fds[0], sockets[0], true);
    const struct transport_handler handler = { .on_message = on_swelled,
                                               .on_closed = on_swelled_closed,
                                               .data = &received };
    assert_true(transport->ops->start(transport, &handler, &err));
    CLEANUP_FREE char *reply = create_swelling_reply(COUNT, &length);
    size_t expected = REPLIES * (strlen("{\"id\":1,\"result\":\"\"}") + (size_t)6 * COUNT);
    for (int i = 0; i < REPLIES; i++) {
        for (size_t at = 0; at < length;) {
            ssize_t count = write(fds[1], reply + at, length - at);
            assert_true(count > 0);
            at += (size_t)count;
        }
    }
    int64_t end_ms = clock_monotonic_ms() + 20000;
    while (atomic_load(&received) < expected && clock_monotonic_ms() < end_ms) {
        usleep(1000);
    }
    assert_int_equal(atomic_load(&received), expected);
    transport->ops->destroy(transport);
    loop_destroy(loop);
    close(fds[1]);
    close(sockets[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_BOTH(test_connection_when_garbage_comes_ends_with_its_first_words),
        OVER_BOTH(test_connection_when_garbage_comes_is_closed_for_the_browser_too),
        OVER_BOTH(test_calls_when_the_browser_goes_end_on_every_thread),
        OVER_BOTH(test_call_when_the_browser_went_before_fails_at_once),
        OVER_BOTH(test_interrupt_from_another_thread_ends_the_call_and_every_later),
        OVER_BOTH(test_call_when_the_browser_stops_reading_ends_and_nothing_follows),
        OVER_BOTH(test_call_when_another_thread_cannot_send_keeps_its_own_deadline),
        OVER_PIPE(test_send_when_the_browser_pauses_goes_on_afterwards),
        OVER_BOTH(test_waits_when_events_flood_in_end_all_the_same),
        OVER_BOTH(test_reply_when_it_trickles_in_is_waited_for),
        OVER_BOTH(test_close_when_called_twice_keeps_the_first_reason),
        OVER_BOTH(test_destroy_when_replies_are_owed_frees_all),
        cmocka_unit_test(test_transport_when_never_started_closes_what_it_owns),
        cmocka_unit_test(test_replies_that_swell_when_they_become_json_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
