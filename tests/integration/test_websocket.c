/* Finding and reaching a browser that was not launched here. */
#include "tests/integration/cdp_fixture.h"

#include "runner/chrome/discover.h"

#include <pthread.h>
#include <stdio.h>

static struct loop *create_loop(void)
{
    struct br_error err;
    struct loop *loop = loop_create(false, &err);
    assert_non_null(loop);
    return loop;
}

static struct deadline patience(void)
{
    return deadline_in_ms(FIXTURE_PATIENCE_MS);
}

static const char *host_of(const struct fake_browser *fake)
{
    return fake_browser_url(fake) + strlen("http://");
}

/* Any port may be in use; that of a socket just closed stays unused for a while. */
static char *unused_url(const char *scheme)
{
    struct fake_browser *fake = fake_browser_start(FAKE_WEBSOCKET, "{\"note\":\"\"}");
    char *url = xasprintf("%s://%s/devtools/browser/fake", scheme, host_of(fake));
    fake_browser_finish(fake);
    return url;
}

static void test_discover_names_the_path_at_the_host_that_was_asked(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    struct fake_browser *fake = fake_browser_start(
        FAKE_WEBSOCKET, "{\"expect\":\"First.call\"}\n{\"reply\":{\"value\":\"1\"}}\n");
    static const char *const endings[] = { "", "/" };
    for (size_t i = 0; i < 2; i++) {
        CLEANUP_FREE char *asked = xasprintf("%s%s", fake_browser_url(fake), endings[i]);
        CLEANUP_FREE char *wanted = xasprintf("ws://%s/devtools/browser/fake", host_of(fake));
        CLEANUP_FREE char *url = discover_websocket(loop, asked, patience(), &err);
        if (!url) {
            fail_msg("%s", err.message);
        }
        assert_string_equal(url, wanted);
    }
    struct transport *transport = fake_browser_connect(fake, loop);
    struct cdp_connection *connection = cdp_connection_create(transport, &err);
    struct cdp_client *client = cdp_client_create(connection, NULL, NULL);
    assert_call(client, "First.call", "1");
    cdp_client_destroy(client);
    cdp_connection_destroy(connection);
    loop_destroy(loop);
    fake_browser_finish(fake);
}

static void test_discover_when_localhost_is_asked_tries_its_addresses(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    struct fake_browser *fake = fake_browser_start(
        FAKE_WEBSOCKET, "{\"http\":{\"body\":"
                        "\"{\\\"webSocketDebuggerUrl\\\":\\\"ws://inside/path/id\\\"}\"}}");
    const char *port = strrchr(fake_browser_url(fake), ':');
    CLEANUP_FREE char *asked = xasprintf("http://localhost%s", port);
    CLEANUP_FREE char *wanted = xasprintf("ws://localhost%s/path/id", port);
    CLEANUP_FREE char *url = discover_websocket(loop, asked, patience(), &err);
    if (!url) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(url, wanted);
    loop_destroy(loop);
    fake_browser_finish(fake);
}

/* Starts a fake browser that answers one request; takes ownership of the response. */
static struct fake_browser *start_answering(json_t *http)
{
    json_auto_t *step = json_pack("{s:o}", "http", http);
    CLEANUP_FREE char *transcript = json_dumps(step, JSON_COMPACT);
    return fake_browser_start(FAKE_WEBSOCKET, transcript);
}

static void test_discover_when_the_answer_is_wrong_says_what_is(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *headers, *body;
        enum br_code code;
        const char *words;
    } cases[] = {
        { 404, "", "", BR_DISCONNECTED, "refuses with HTTP status 404" },
        { 302, "Location: http://other/\r\n", "", BR_DISCONNECTED, "302" },
        { 500, "", "no", BR_DISCONNECTED, "500" },
        { 200, "", "<html>", BR_UNKNOWN_ERROR, "/json/version is not JSON" },
        { 200, "Content-Length: 2\r\n", "[]", BR_DISCONNECTED, "is no browser" },
        { 200, "Content-Length: 2\r\n", "{}", BR_DISCONNECTED, "is no browser" },
        { 200, "", "{\"webSocketDebuggerUrl\":\"x\"}", BR_INVALID_ACTION,
          "the browser's own address" },
        { 200, "Content-Length: 100\r\n", "{", BR_DISCONNECTED, "closed" },
    };
    struct loop *loop = create_loop();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        struct fake_browser *fake =
            start_answering(json_pack("{s:i, s:s, s:s}", "status", cases[i].status, "headers",
                                      cases[i].headers, "body", cases[i].body));
        assert_null(discover_websocket(loop, fake_browser_url(fake), patience(), &err));
        assert_error(&err, cases[i].code, cases[i].words);
        fake_browser_finish(fake);
    }
    loop_destroy(loop);
}

static void test_discover_when_the_answer_is_too_large_ends(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    CLEANUP_FREE char *body = xmalloc(100001);
    memset(body, ' ', 100000);
    body[100000] = '\0';
    struct fake_browser *fake = start_answering(json_pack("{s:s}", "body", body));
    assert_null(discover_websocket(loop, fake_browser_url(fake), patience(), &err));
    assert_error(&err, BR_DISCONNECTED, "too large");
    loop_destroy(loop);
    fake_browser_finish(fake);
}

static void test_discover_when_nobody_answers_ends_at_the_deadline(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    struct fake_browser *fake =
        fake_browser_start(FAKE_WEBSOCKET, "{\"http\":{\"wait\":\"enough\"}}");
    struct deadline deadline = deadline_in_ms(100);
    assert_null(discover_websocket(loop, fake_browser_url(fake), deadline, &err));
    assert_error(&err, BR_TIMEOUT, "timed out connecting");
    assert_true(deadline_passed(deadline));
    fake_browser_signal(fake, "enough");
    loop_destroy(loop);
    fake_browser_finish(fake);
}

static void test_connect_when_it_cannot_be_says_why(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    CLEANUP_FREE char *nobody = unused_url("ws");
    CLEANUP_FREE char *nobody_http = unused_url("http");
    const struct {
        const char *url;
        enum br_code code;
        const char *words;
    } cases[] = {
        { nobody, BR_DISCONNECTED, "cannot connect to the browser at 127.0.0.1" },
        { "ws://nosuch.invalid:1/x", BR_DISCONNECTED, "nosuch.invalid" },
        { "wss://127.0.0.1:1/x", BR_INVALID_ACTION, "TLS" },
        { "http://127.0.0.1:1/x", BR_INVALID_ACTION, "is no WebSocket" },
        { "nonsense", BR_INVALID_ACTION, "nonsense" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_null(
            transport_websocket_connect(loop, cases[i].url, &discover_browser, patience(), &err));
        assert_error(&err, cases[i].code, cases[i].words);
    }
    assert_null(discover_websocket(loop, nobody_http, patience(), &err));
    assert_error(&err, BR_DISCONNECTED, "cannot connect");
    assert_null(discover_websocket(loop, nobody, patience(), &err));
    assert_error(&err, BR_INVALID_ACTION, "no http://");
    loop_destroy(loop);
}

static void test_connect_when_refused_gives_the_status(void **state)
{
    (void)state;
    static const int statuses[] = { 200, 301, 403, 404, 500 };
    struct loop *loop = create_loop();
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        struct br_error err;
        CLEANUP_FREE char *words = xasprintf("HTTP status %d", statuses[i]);
        struct fake_browser *fake =
            start_answering(json_pack("{s:i, s:s}", "status", statuses[i], "body", "no"));
        CLEANUP_FREE char *url = xasprintf("ws://%s/devtools/browser/old", host_of(fake));
        assert_null(transport_websocket_connect(loop, url, &discover_browser, patience(), &err));
        assert_error(&err, BR_DISCONNECTED, words);
        assert_int_equal(strstr(err.hint, host_of(fake)) != NULL, statuses[i] == 404);
        fake_browser_finish(fake);
    }
    loop_destroy(loop);
}

static void test_connect_when_the_handshake_hangs_ends_at_the_deadline(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    struct fake_browser *fake =
        fake_browser_start(FAKE_WEBSOCKET, "{\"http\":{\"wait\":\"enough\"}}");
    CLEANUP_FREE char *url = xasprintf("ws://%s/", host_of(fake));
    struct deadline deadline = deadline_in_ms(100);
    assert_null(transport_websocket_connect(loop, url, &discover_browser, deadline, &err));
    assert_error(&err, BR_TIMEOUT, "timed out connecting");
    assert_true(deadline_passed(deadline));
    assert_null(
        transport_websocket_connect(loop, url, &discover_browser, (struct deadline){ 0 }, &err));
    assert_error(&err, BR_TIMEOUT, "timed out connecting");
    fake_browser_signal(fake, "enough");
    loop_destroy(loop);
    fake_browser_finish(fake);
}

static void test_connection_when_closed_politely_gives_status_and_text(void **state)
{
    (void)state;
    struct cdp_fixture fixture;
    fixture_open(&fixture, FAKE_WEBSOCKET, "closed_politely.jsonl");
    assert_call_fails(fixture.client, "First.call", BR_DISCONNECTED, "with status 1001: bye");
    fixture_close(&fixture);
}

static void test_connection_when_frames_are_broken_ends(void **state)
{
    (void)state;
    static const char *const frames[] = {
        "8F00",                 /* an opcode that does not exist */
        "F100",                 /* reserved bits without an extension */
        "89FF",                 /* a ping larger than allowed */
        "8902",                 /* incomplete, and then the end */
        "817FFFFFFFFFFFFFFFFF", /* 2^64 - 1 bytes */
        "485454502F312E31",     /* HTTP */
    };
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        struct cdp_fixture fixture;
        json_auto_t *step = json_pack("{s:s}", "hex", frames[i]);
        CLEANUP_FREE char *line = json_dumps(step, JSON_COMPACT);
        CLEANUP_FREE char *transcript =
            xasprintf("{\"expect\":\"First.call\"}\n%s\n{\"close\":true}", line);
        fixture_open(&fixture, FAKE_WEBSOCKET, transcript);
        assert_call_fails(fixture.client, "First.call", BR_DISCONNECTED, "First.call: the ");
        fixture_close(&fixture);
    }
}

static void test_connection_when_pinged_answers(void **state)
{
    (void)state;
    struct cdp_fixture fixture;
    fixture_open(&fixture, FAKE_WEBSOCKET,
                 "{\"expect\":\"First.call\"}\n{\"hex\":\"8903 414243\"}\n"
                 "{\"reply\":{\"value\":\"1\"}}\n{\"expect\":\"Second.call\"}\n"
                 "{\"reply\":{\"value\":\"2\"}}\n");
    assert_call(fixture.client, "First.call", "1");
    assert_call(fixture.client, "Second.call", "2");
    fixture_close(&fixture);
}

/* The messages from a transport. */
struct listener {
    struct mailbox *mailbox;
};

static void on_message(void *data, char *text, size_t length)
{
    struct listener *listener = data;
    struct cdp_message *message = cdp_message_scan(text, length);
    mailbox_post(listener->mailbox, &message->link);
}

static void on_closed(void *data, const char *reason)
{
    struct listener *listener = data;
    mailbox_post(listener->mailbox, &cdp_message_create(CDP_CLOSED, reason)->link);
}

static struct cdp_message *next_message(struct listener *listener)
{
    struct cdp_message *message = (struct cdp_message *)mailbox_wait(listener->mailbox, patience());
    assert_non_null(message);
    return message;
}

static void test_start_when_the_browser_spoke_first_loses_nothing(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    struct listener listener = { .mailbox = mailbox_create(1 << 20) };
    struct transport_handler handler = {
        .on_message = on_message,
        .on_closed = on_closed,
        .data = &listener,
    };
    struct fake_browser *fake = fake_browser_start(
        FAKE_WEBSOCKET, "{\"event\":{\"method\":\"First.event\"}}\n"
                        "{\"event\":{\"method\":\"Second.event\"}}\n{\"mark\":\"sent\"}\n");
    struct transport *transport = fake_browser_connect(fake, loop);
    fake_browser_await(fake, "sent");
    assert_true(transport->ops->start(transport, &handler, &err));
    CLEANUP_CDP_MESSAGE struct cdp_message *first = next_message(&listener);
    assert_true(cdp_slice_equals(first->method, "First.event"));
    CLEANUP_CDP_MESSAGE struct cdp_message *second = next_message(&listener);
    assert_true(cdp_slice_equals(second->method, "Second.event"));
    transport->ops->abort(transport);
    CLEANUP_CDP_MESSAGE struct cdp_message *closed = next_message(&listener);
    assert_int_equal(closed->kind, CDP_CLOSED);
    transport->ops->abort(transport);
    assert_false(transport->ops->send(transport, "{}", 2, patience(), &err));
    assert_error(&err, BR_DISCONNECTED, "gone");
    transport->ops->destroy(transport);
    assert_null(mailbox_wait(listener.mailbox, (struct deadline){ 0 }));
    mailbox_destroy(listener.mailbox);
    loop_destroy(loop);
    fake_browser_finish(fake);
}

static void test_start_when_the_browser_went_before_tells_it(void **state)
{
    (void)state;
    struct br_error err;
    struct loop *loop = create_loop();
    struct listener listener = { .mailbox = mailbox_create(1 << 20) };
    struct transport_handler handler = {
        .on_message = on_message,
        .on_closed = on_closed,
        .data = &listener,
    };
    struct fake_browser *fake =
        fake_browser_start(FAKE_WEBSOCKET, "{\"close\":true}\n{\"mark\":\"closed\"}\n");
    struct transport *transport = fake_browser_connect(fake, loop);
    fake_browser_await(fake, "closed");
    assert_true(transport->ops->start(transport, &handler, &err));
    CLEANUP_CDP_MESSAGE struct cdp_message *closed = next_message(&listener);
    assert_int_equal(closed->kind, CDP_CLOSED);
    transport->ops->destroy(transport);
    mailbox_destroy(listener.mailbox);
    loop_destroy(loop);
    fake_browser_finish(fake);
}

static void test_destroy_when_never_started_says_goodbye(void **state)
{
    (void)state;
    struct loop *loop = create_loop();
    struct fake_browser *fake =
        fake_browser_start(FAKE_WEBSOCKET, "{\"serve\":\"*\",\"ignore\":true}\n{\"split\":0}\n");
    struct transport *transport = fake_browser_connect(fake, loop);
    transport->ops->destroy(transport);
    /* The loop is still running: the transport ends the connection. */
    fake_browser_finish(fake);
    loop_destroy(loop);
}

static void test_connect_when_a_proxy_is_in_the_environment_goes_past_it(void **state)
{
    (void)state;
    struct cdp_fixture fixture;
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    fixture_open(&fixture, FAKE_WEBSOCKET,
                 "{\"expect\":\"First.call\"}\n{\"reply\":{\"value\":\"1\"}}\n");
    unsetenv("http_proxy");
    assert_call(fixture.client, "First.call", "1");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discover_names_the_path_at_the_host_that_was_asked),
        cmocka_unit_test(test_discover_when_localhost_is_asked_tries_its_addresses),
        cmocka_unit_test(test_discover_when_the_answer_is_wrong_says_what_is),
        cmocka_unit_test(test_discover_when_the_answer_is_too_large_ends),
        cmocka_unit_test(test_discover_when_nobody_answers_ends_at_the_deadline),
        cmocka_unit_test(test_connect_when_it_cannot_be_says_why),
        cmocka_unit_test(test_connect_when_refused_gives_the_status),
        cmocka_unit_test(test_connect_when_the_handshake_hangs_ends_at_the_deadline),
        cmocka_unit_test(test_connection_when_closed_politely_gives_status_and_text),
        cmocka_unit_test(test_connection_when_frames_are_broken_ends),
        cmocka_unit_test(test_connection_when_pinged_answers),
        cmocka_unit_test(test_start_when_the_browser_spoke_first_loses_nothing),
        cmocka_unit_test(test_start_when_the_browser_went_before_tells_it),
        cmocka_unit_test(test_destroy_when_never_started_says_goodbye),
        cmocka_unit_test(test_connect_when_a_proxy_is_in_the_environment_goes_past_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
