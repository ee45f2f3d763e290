/* An HTTP GET: all forms of HTTP/1.1 responses, and invalid ones. */
#include "runner/base/strbuf.h"
#include "runner/base/thread.h"
#include "runner/net/http.h"
#include "tests/integration/cdp_fixture.h"
#include "tests/integration/fake_server.h"
#include "tests/slowness.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_BYTES = 100000, REQUEST_MS = 60000 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct server_kind peer = { .name = "a server", .start = "port " };

/* A server that sends one response, and may keep the connection open. */
struct answering {
    struct fake_server *server;
    const char *answer;
    bool is_held;
    int end[2]; /* closed when the client is finished */
    pthread_t thread;
    char request[2000];
};

static void *answer(void *data)
{
    struct answering *answering = data;
    int fd = fake_server_take_request(answering->server, answering->request,
                                      sizeof(answering->request), deadline_in_ms(REQUEST_MS));
    size_t length = strlen(answering->answer);
    /* The client may have disconnected meanwhile. */
    ssize_t written = fd < 0 ? -1 : send(fd, answering->answer, length, MSG_NOSIGNAL);
    char unused;
    if (answering->is_held && written >= 0) {
        written = read(answering->end[0], &unused, 1);
    }
    close(fd);
    return NULL;
}

static void start(struct answering *answering, const char *text, bool is_held)
{
    *answering = (struct answering){ .server = fake_server_create(), .answer = text };
    answering->is_held = is_held;
    assert_non_null(answering->server);
    assert_int_equal(pipe(answering->end), 0);
    assert_int_equal(thread_start(&answering->thread, answer, answering), 0);
}

static void finish(struct answering *answering)
{
    close(answering->end[1]);
    pthread_join(answering->thread, NULL);
    close(answering->end[0]);
    fake_server_destroy(answering->server);
}

static char *get(const struct answering *answering, struct deadline deadline, struct br_error *err)
{
    struct server_url server;
    struct loop *loop = loop_create(false, err);
    CLEANUP_FREE char *url = xasprintf("%s/a.js?v=1", fake_server_url(answering->server));
    assert_non_null(loop);
    assert_true(server_url_parse(url, &server, err));
    char *body = http_get(loop, &server, &peer, MAX_BYTES, deadline, err);
    loop_destroy(loop);
    return body;
}

static void test_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *body; /* NULL: none */
        bool is_held;              /* the server keeps the connection open */
    } cases[] = {
        { "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello", true },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
          "chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n",
          "hello!", true },
        { "HTTP/1.1 200 OK\r\n\r\nhello", "hello", false },
        { "HTTP/1.0 200 OK\r\n\r\nhello", "hello", false },
        { "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", "hello", false },
        { "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n", "", false },
        /* Incomplete or invalid responses. */
        { "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", NULL, false },
        { "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\nhello", NULL, false },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", NULL, false },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", NULL, false },
        { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello", NULL, false },
        { "HTTP/1.1 200 OK\r\nContent-Le", NULL, false },
        { "", NULL, false },
        { "no HTTP at all\r\n\r\n", NULL, false },
        { "{}", NULL, false },
        { "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello", NULL, true },
        { "HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\nhello", NULL, true },
        { "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nhello", NULL, true },
        { "HTTP/1.1 302 Found\r\nLocation: /b.js\r\nContent-Length: 0\r\n\r\n", NULL, true },
        { "HTTP/1.1 301 Moved\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n", NULL,
          true },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        struct answering answering;
        start(&answering, cases[i].answer, cases[i].is_held);
        CLEANUP_FREE char *body = get(&answering, deadline_in_ms(FIXTURE_PATIENCE_MS), &err);
        finish(&answering);
        if (cases[i].body) {
            assert_non_null(body);
            assert_string_equal(body, cases[i].body);
            assert_non_null(strstr(answering.request, "GET /a.js?v=1 HTTP/1.1\r\n"));
            assert_null(strcasestr(answering.request, "\r\ncookie:"));
        } else {
            assert_null(body);
            assert_int_equal(err.code, BR_DISCONNECTED);
        }
    }
}

static void test_many_chunks(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct answering answering;
    CLEANUP_STRBUF struct strbuf sent = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf expected = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&sent, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int size = 1; size < 400; size++) {
        strbuf_add_format(&sent, "%x\r\n%0*d\r\n", size, size, size % 10);
        strbuf_add_format(&expected, "%0*d", size, size % 10);
    }
    strbuf_add_string(&sent, "0\r\n\r\n");
    start(&answering, sent.data, true);
    CLEANUP_FREE char *body = get(&answering, deadline_in_ms(FIXTURE_PATIENCE_MS), &err);
    finish(&answering);
    assert_non_null(body);
    assert_string_equal(body, expected.data);
}

static void test_what_is_too_large_ends(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n",
        "HTTP/1.1 200 OK\r\nX: ",
    };
    for (size_t i = 0; i < COUNT(heads); i++) {
        struct br_error err = { 0 };
        struct answering answering;
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_string(&text, heads[i]);
        for (int part = 0; part < 20000; part++) {
            strbuf_add_string(&text, "xxxxxxxxxx");
        }
        start(&answering, text.data, true);
        assert_null(get(&answering, deadline_in_ms(FIXTURE_PATIENCE_MS), &err));
        assert_int_equal(err.code, BR_DISCONNECTED);
        finish(&answering);
    }
}

static void test_what_is_too_slow_ends_at_the_deadline(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\n\r\nhello",
    };
    for (size_t i = 0; i < COUNT(answers); i++) {
        struct br_error err = { 0 };
        struct answering answering;
        struct deadline deadline = deadline_in_ms(200);
        start(&answering, answers[i], true);
        assert_null(get(&answering, deadline, &err));
        assert_int_equal(err.code, BR_TIMEOUT);
        assert_true(deadline_passed(deadline));
        finish(&answering);
    }
}

static void test_who_calls_it_off_does_not_wait(void **state)
{
    (void)state;
    atomic_bool is_off = true;
    struct br_error err = { 0 };
    struct answering answering;
    struct deadline deadline = deadline_in_ms(FIXTURE_PATIENCE_MS);
    int64_t began_ms = clock_monotonic_ms();
    deadline.is_off = &is_off;
    start(&answering, "", true);
    assert_null(get(&answering, deadline, &err));
    assert_true(clock_monotonic_ms() - began_ms < slow_ms(10000));
    finish(&answering);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_what_is_too_large_ends),
        cmocka_unit_test(test_what_is_too_slow_ends_at_the_deadline),
        cmocka_unit_test(test_who_calls_it_off_does_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
