/*
 * Access control: Host, Origin and token, requests that are not WebSockets, and a listener's pages.
 */
#include "runner/base/clock.h"
#include "tests/integration/net_socket.h"
#include "tests/unit/random.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 200 };

static const char *const origins[] = { "http://page.example", "chrome-extension://abc", NULL };
static const char *const hosts[] = { "runner.internal", NULL };
static const char *const secret[] = { "secret", NULL };

static void on_request(void *data, const struct net_request *request, struct net_answer *answer)
{
    (void)data;
    if (strcmp(request->path, "/open") == 0 || strcmp(request->path, "/own") == 0) {
        answer->status = 200;
        answer->is_for_all_origins = strcmp(request->path, "/open") == 0;
        strbuf_add_format(&answer->body, "%s %s?%s", request->method, request->path,
                          request->query);
    } else if (strcmp(request->path, "/long") == 0) {
        answer->status = 200;
        strbuf_reserve(&answer->body, 5 << 20);
        memset(answer->body.data, 'l', 5 << 20);
        answer->body.length = 5 << 20;
    }
}

static void on_metrics(void *data, struct strbuf *text)
{
    (void)data;
    strbuf_add_string(text, "# TYPE of_my_own gauge\nof_my_own 1\n");
}

static void start(struct net_rig *rig, const char *const *tokens)
{
    rig->options.access = (struct net_access){ tokens, origins, hosts };
    rig->options.handler.on_request = on_request;
    rig->options.handler.on_metrics = on_metrics;
    net_rig_listen(rig);
}

/* Returns the status of a handshake. */
static int ask(struct net_rig *rig, const char *path, const char *headers)
{
    char text[2000];
    int fd = net_client_tcp(rig->port);
    net_socket_ask(fd, path, headers);
    int status = net_socket_status(fd, text, sizeof(text));
    if (status != 101 && status != 0) {
        assert_non_null(strstr(text, "Connection: close\r\n"));
        assert_true(net_client_read_all(fd, text, sizeof(text)) >= 0);
    }
    close(fd);
    return status;
}

static void test_hosts_and_origins(void **state)
{
    struct net_rig *rig = *state;
    start(rig, NULL);
    static const struct {
        const char *headers;
        int status;
    } cases[] = {
        { "Host: localhost\r\n", 101 },
        { "Host: LOCALHOST:9\r\n", 101 },
        { "Host: 192.168.1.1:80\r\n", 101 },
        { "Host: [::1]\r\n", 101 },
        { "Host: runner.internal:1234\r\n", 101 },
        { "Host: evil.example\r\n", 403 },
        { "Host: localhost.evil.example\r\n", 403 },
        { "Host: descriptors\r\n", 403 },
        { "Host: net-web\r\n", 403 },
        { "", 403 },
        { "Host: localhost\r\nHost: evil.example\r\n", 403 },
        { "Host: localhost\r\nOrigin: http://page.example\r\n", 101 },
        { "Host: localhost\r\nOrigin: chrome-extension://abc\r\n", 101 },
        { "Host: localhost\r\nOrigin: http://evil.example\r\n", 403 },
        { "Host: localhost\r\nOrigin: http://page.example.evil\r\n", 403 },
        { "Host: localhost\r\nOrigin: http://localhost\r\n", 403 },
        { "Host: localhost\r\nOrigin: null\r\n", 403 },
        { "Host: localhost\r\nOrigin: http://page.example\r\nOrigin: http://evil.example\r\n",
          403 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int status = ask(rig, "/", cases[i].headers);
        if (status != cases[i].status) {
            fail_msg("%d for %s", status, cases[i].headers);
        }
    }
    /* A NUL does not end an Origin. */
    static const char hidden[] =
        "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Origin: http://page.example\0.evil\r\n\r\n";
    char text[1000];
    int fd = net_client_tcp(rig->port);
    net_client_write(fd, hidden, sizeof(hidden) - 1);
    assert_int_not_equal(net_socket_status(fd, text, sizeof(text)), 101);
    close(fd);
}

static void test_a_header_that_is_too_long_is_no_missing_one(void **state)
{
    struct net_rig *rig = *state;
    start(rig, NULL);
    static const size_t lengths[] = { 200, 1000, 4000, 8000, 15000, 17000 };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        CLEANUP_FREE char *name = letters(lengths[i], 'a');
        CLEANUP_FREE char *origin =
            xasprintf("Host: localhost\r\nOrigin: http://%s.example\r\n", name);
        CLEANUP_FREE char *host = xasprintf("Host: %s\r\n", name);
        if (lengths[i] > 16 * 1024) { /* exceeds the space in libwebsockets */
            assert_int_not_equal(ask(rig, "/", origin), 101);
            continue;
        }
        assert_int_equal(ask(rig, "/", origin), 403);
        assert_int_equal(ask(rig, "/", host), 403);
    }
    assert_false(net_rig_has(rig, "open"));
}

static void test_tokens(void **state)
{
    static const char *const tokens[] = { "secret & more", NULL };
    struct net_rig *rig = *state;
    start(rig, tokens);
    static const struct {
        const char *path, *headers;
        int status;
    } cases[] = {
        { "/", "Host: localhost\r\n", 401 },
        { "/?token=", "Host: localhost\r\n", 401 },
        { "/?token=secret", "Host: localhost\r\n", 401 },
        { "/?a=b&token=secret%20%26%20mor", "Host: localhost\r\n", 401 },
        { "/?a=b&token=secret%20%26%20more&c=d", "Host: localhost\r\n", 101 },
        { "/", "Host: localhost\r\nAuthorization: Bearer secret & more\r\n", 101 },
        { "/", "Host: localhost\r\nAuthorization: Bearer secret & morE\r\n", 401 },
        { "/", "Host: localhost\r\nAuthorization: Basic secret & more\r\n", 401 },
        { "/?token=secret+%26+more", "Host: localhost\r\nAuthorization: Bearer wrong\r\n", 401 },
        { "/?token=secret+%26+more", "Host: evil.example\r\n", 403 },
        { "/?token=secret+%26+more", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int status = ask(rig, cases[i].path, cases[i].headers);
        if (status != cases[i].status) {
            fail_msg("%d for %s %s", status, cases[i].path, cases[i].headers);
        }
    }
    net_rig_await(rig, "/?a=b&c=d\n");
    assert_false(net_rig_has(rig, "secret"));
}

static void test_what_is_no_handshake(void **state)
{
    struct net_rig *rig = *state;
    start(rig, NULL);
#define START "GET / HTTP/1.1\r\nHost: localhost\r\n"
#define KEY   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    static const struct {
        const char *request;
        int status; /* 0: no response */
    } cases[] = {
        { START "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
          403 },
        { START "Upgrade: tls/1.0\r\nConnection: Upgrade\r\n\r\n", 403 },
        { START "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
          400 },
        { START "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" KEY "\r\n", 400 },
        { START "Upgrade: websocket\r\nConnection: keep-alive\r\nSec-WebSocket-Version: 13\r\n" KEY
                "\r\n",
          400 },
        { START "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n" KEY
                "\r\n",
          426 },
        { START "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: short\r\n\r\n",
          400 },
        { START "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" KEY
                "Sec-WebSocket-Protocol: net-web\r\n\r\n",
          400 },
        { "POST / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          "Sec-WebSocket-Version: 13\r\n" KEY "\r\n",
          400 },
        { "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
          "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" KEY "\r\n",
          404 },
        { "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 0 },
        { "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 403 },
        { "\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03", 403 },
        { "GET / HTTP/1.1\r\n\r\n", 403 },
        { "\r\n\r\n\r\n", 0 },
    };
    char text[2000];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int fd = net_client_tcp(rig->port);
        net_client_say(fd, cases[i].request);
        if (cases[i].status == 0) {
            shutdown(fd, SHUT_WR);
        }
        int status = net_socket_status(fd, text, sizeof(text));
        if (status != cases[i].status ||
            (status >= 400 && !strcasestr(text, "connection: close\r\n"))) {
            fail_msg("%d for %s: %s", status, cases[i].request, text);
        }
        close(fd);
    }
    assert_int_equal(net_rig_count(rig, "open"), 1);
    /* Extensions are not accepted. */
    int fd = net_rig_connect(rig);
    net_socket_ask(fd, "/", "Host: localhost\r\nSec-WebSocket-Extensions: permessage-deflate\r\n");
    assert_int_equal(net_socket_status(fd, text, sizeof(text)), 101);
    assert_null(strcasestr(text, "deflate"));
    net_rig_expect_echo(rig, fd, "all is well");
}

/* Ignored input does not keep the loop busy, and timers still run. */
static void test_what_is_behind_a_request_is_left_alone(void **state)
{
    struct net_rig *rig = *state;
    start(rig, NULL);
    static const char *const requests[] = {
        "POST /own HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n",
        "PUT /own HTTP/1.1\r\nHost: localhost\r\n\r\nhello",
        "GET /own HTTP/1.1\r\nHost: localhost\r\n\r\nGET /own HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1\r\n\r\nhello",
    };
    char text[2000];
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        int fd = net_client_tcp(rig->port);
        int64_t from_ms = clock_monotonic_ms();
        net_client_say(fd, requests[i]);
        net_client_read_all(fd, text, sizeof(text));
        assert_int_equal(strncmp(text, i < 3 ? "HTTP/1.1 200" : "HTTP/1.1 403", 12), 0);
        assert_null(strstr(text + 1, "HTTP/1.1"));
        /* The client does not close; the server does, a little later. */
        char *metrics = text;
        do {
            net_http(rig->port, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", metrics,
                     sizeof(text));
            usleep(20000);
        } while (!strstr(metrics, "connections{listener=\"rig\"} 1\n") &&
                 clock_monotonic_ms() - from_ms < NET_RIG_MS);
        assert_true(clock_monotonic_ms() - from_ms < NET_RIG_MS);
        close(fd);
    }
}

/* Sends the bytes with a few changes, in pieces, and waits for the end. */
static void send_changed(struct net_rig *rig, const char *seed, size_t length, size_t from)
{
    CLEANUP_FREE char *bytes = xmalloc(length);
    char text[4000];
    memcpy(bytes, seed, length);
    for (unsigned i = random_number(5) + 1; i > 0; i--) {
        bytes[from + random_number((unsigned)(length - from))] = (char)random_number(256);
    }
    int fd = net_client_tcp(rig->port);
    size_t cut = random_number((unsigned)length);
    send(fd, bytes, cut, MSG_NOSIGNAL);
    send(fd, bytes + cut, length - cut, MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    net_client_read_all(fd, text, sizeof(text));
    close(fd);
}

/* The server survives any input. */
static void test_garbage_does_no_harm(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.handshake_ms = (int)slow_ms(1500);
    net_rig_listen(rig);
    static const char head[] =
        "GET /a?b=c&d=%20 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n";
    static const char frames[] = "\x81\x82\0\0\0\0hi\x01\x83\0\0\0\0the\x89\x80\0\0\0\0"
                                 "\x80\x82\0\0\0\0re\x88\x82\0\0\0\0\x03\xE8";
    static const char request[] = "POST /health?a HTTP/1.1\r\nHost: localhost\r\n"
                                  "Content-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n\r\n";
    char both[sizeof(head) + sizeof(frames)];
    size_t length = sizeof(head) - 1 + sizeof(frames) - 1;
    memcpy(both, head, sizeof(head));
    memcpy(both + sizeof(head) - 1, frames, sizeof(frames));
    for (int round = 0; round < ROUNDS; round++) {
        send_changed(rig, both, length, 0);
        send_changed(rig, both, length, sizeof(head) - 1);
        send_changed(rig, request, sizeof(request) - 1, 0);
    }
    int fd = net_rig_open(rig);
    net_rig_expect_echo(rig, fd, "all is well");
}

static void test_pages(void **state)
{
    struct net_rig *rig = *state;
    start(rig, secret);
    static const struct {
        const char *target, *headers;
        int status;
        const char *in_answer; /* NULL: nothing */
    } cases[] = {
        { "GET /health", "Host: localhost\r\n", 200, "\"status\":\"ok\"" },
        { "GET /health", "Host: evil.example\r\n", 403, NULL },
        { "GET /health", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403, NULL },
        { "GET /health", "Host: localhost\r\nOrigin: http://page.example\r\n", 200,
          "Access-Control-Allow-Origin: http://page.example\r\n" },
        { "POST /health", "Host: localhost\r\nContent-Length: 2\r\n", 405, "Allow: GET, HEAD" },
        { "GET /metrics", "Host: localhost\r\n", 401, "WWW-Authenticate: Bearer" },
        { "GET /metrics?token=secret", "Host: evil.example\r\n", 403, NULL },
        { "GET /metrics?token=secret", "Host: localhost\r\n", 200,
          "application/openmetrics-text; version=1.0.0" },
        { "GET /metrics?token=secret", "Host: localhost\r\n", 200, "of_my_own 1\n# EOF\n" },
        { "GET /metrics?token=secret", "Host: localhost\r\n", 200,
          "browser_runner_connections{listener=\"rig\"} " },
        { "GET /other?token=secret", "Host: localhost\r\n", 404, "nothing at this path" },
        { "GET /other", "Host: localhost\r\n", 401, NULL },
        { "GET /own?token=secret&a=1", "Host: localhost\r\n", 200, "GET /own?a=1" },
        { "PUT /own?token=secret&a=1", "Host: localhost\r\nContent-Length: 0\r\n", 200,
          "PUT /own?a=1" },
        { "GET /own?token=secret", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403,
          "not allowed" },
        { "GET /open?token=secret", "Host: localhost\r\nOrigin: http://evil.example\r\n", 200,
          "Access-Control-Allow-Origin: *\r\n" },
        { "PUT /open?token=secret", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403,
          NULL },
        { "GET /own/../health", "Host: localhost\r\n", 200, "\"status\":\"ok\"" },
    };
    char text[8000];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *request =
            xasprintf("%s HTTP/1.1\r\n%s\r\n", cases[i].target, cases[i].headers);
        int status = net_http(rig->port, request, text, sizeof(text));
        if (status != cases[i].status || !strstr(text, "Connection: close\r\n") ||
            (cases[i].in_answer && !strstr(text, cases[i].in_answer))) {
            fail_msg("%d for %s: %s", status, request, text);
        }
    }
    assert_int_equal(
        net_http(rig->port, "HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n", text, sizeof(text)),
        200);
    assert_null(strstr(text, "\"status\""));
    assert_null(strstr(text, "Content-Length: 0\r\n"));
}

static void test_a_long_answer_comes_whole(void **state)
{
    struct net_rig *rig = *state;
    start(rig, NULL);
    CLEANUP_FREE char *text = xmalloc(6 << 20);
    assert_int_equal(
        net_http(rig->port, "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n", text, 6 << 20), 200);
    char *body = strstr(text, "\r\n\r\n");
    assert_non_null(body);
    assert_int_equal(strspn(body + 4, "l"), 5 << 20);
}

/* Sends a part of a deferred answer: the text, repeated. */
static void send_part(struct net_rig *rig, uint64_t id, const char *text, size_t times,
                      bool has_more)
{
    struct net_answer part = { .status = 201,
                               .content_type = "text/plain",
                               .has_more = has_more,
                               .headers = "X-Own: yes\r\n",
                               .retry_after_s = 7,
                               .body = STRBUF_INIT(STRBUF_UNCAPPED) };
    for (size_t i = 0; i < times; i++) {
        strbuf_add_string(&part.body, text);
    }
    net_answer(rig->listener, id, &part);
}

/* The path says what is answered, the body comes back; "/hold" waits for ever. */
static void answer_in_parts(void *data, const struct net_request *request,
                            struct net_answer *answer)
{
    struct net_rig *rig = data;
    answer->is_later = true;
    if (strcmp(request->path, "/flood") == 0) {
        for (int i = 0; i < 64; i++) {
            send_part(rig, request->id, "0123456789abcdef", 16 * 1024, true);
        }
    } else {
        send_part(rig, request->id, request->headers[0] ? request->headers[0] : "none", 1, true);
        send_part(rig, request->id, "", 1, true);
        send_part(rig, request->id, request->headers[1] ? request->headers[1] : "none", 1, true);
    }
    if (strcmp(request->path, "/parts") == 0) {
        send_part(rig, request->id, request->body, 1, false);
    }
}

static void test_answers_in_parts(void **state)
{
    static const char *const headers[] = { "accept:", "x-unknown:", NULL };
    struct net_rig *rig = *state;
    rig->options.handler.on_request = answer_in_parts;
    rig->options.handler.takes_bodies = true;
    rig->options.handler.headers = headers;
    rig->options.limits.max_queue = 1 << 20;
    rig->options.limits.answer_ms = (int)slow_ms(1000);
    rig->options.ret_listener = &rig->listener;
    net_rig_listen(rig);
    char text[4000];
    assert_int_equal(net_http(rig->port,
                              "POST /parts HTTP/1.1\r\nHost: localhost\r\nAccept: a/b\r\n"
                              "X-Unknown:  c \r\nContent-Length: 3\r\n\r\nend",
                              text, sizeof(text)),
                     201);
    assert_non_null(strstr(text, "\r\nTransfer-Encoding: chunked\r\n"));
    assert_non_null(strstr(text, "\r\nRetry-After: 7\r\nX-Own: yes\r\n"));
    assert_null(strstr(text, "Content-Length"));
    assert_string_equal(strstr(text, "\r\n\r\n"),
                        "\r\n\r\n3\r\na/b\r\n1\r\nc\r\n3\r\nend\r\n0\r\n\r\n");
    assert_int_equal(
        net_http(rig->port, "GET /parts HTTP/1.0\r\nHost: localhost\r\n\r\n", text, sizeof(text)),
        201);
    assert_null(strstr(text, "Transfer-Encoding"));
    assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\nnonenone");
    net_rig_await_count(rig, "closed", 2);
    /* What never ends is ended by the limit, without the last chunk. */
    assert_int_equal(
        net_http(rig->port, "GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n", text, sizeof(text)),
        201);
    assert_string_equal(strstr(text, "\r\n\r\n"), "\r\n\r\n4\r\nnone\r\n4\r\nnone\r\n");
    net_rig_await_count(rig, "closed", 3);
    /* A client that leaves, and one that does not read, are reported. */
    int fd = net_client_tcp(rig->port);
    net_client_say(fd, "GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(net_client_read(fd, text, 12));
    close(fd);
    net_rig_await_count(rig, "closed", 4);
    fd = net_client_tcp(rig->port);
    net_client_say(fd, "GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n");
    net_rig_await_count(rig, "closed", 5);
    close(fd);
}

static void test_other_machines_need_a_token(void **state)
{
    static const char *const empty[] = { "", NULL };
    struct net_rig *rig = *state;
    rig->options.host = "0.0.0.0";
    net_rig_expect_refusal(rig, "", "token");
    rig->options.access.tokens = empty;
    net_rig_expect_refusal(rig, "", "");
    rig->options.access.tokens = NULL;
    rig->options.host = NULL;
    rig->options.fds[0] = net_listening_tcp(INADDR_ANY);
    rig->options.fd_count = 1;
    net_rig_expect_refusal(rig, "0.0.0.0 without a token", "");
    rig->options.fd_count = 0;
    rig->options.host = "0.0.0.0";
    rig->options.access.tokens = secret;
    net_rig_listen(rig);
    assert_int_equal(ask(rig, "/?token=secret", "Host: localhost\r\n"), 101);
    rig->options.host = "name.example";
    net_rig_expect_refusal(rig, "", "127.0.0.1");
}

static void test_access_that_changes(void **state)
{
    static const char *const tokens[] = { "later", "latest", NULL };
    static const char *const names[] = { "later.example", NULL };
    struct net_rig *rig = *state;
    start(rig, secret);
    int before = net_socket_open(rig, "/?token=secret");
    net_listener_set_access(rig->listener,
                            &(struct net_access){ .tokens = tokens, .hosts = names });
    assert_int_equal(ask(rig, "/?token=secret", "Host: localhost\r\n"), 401);
    assert_int_equal(ask(rig, "/?token=latest", "Host: localhost\r\n"), 101);
    assert_int_equal(ask(rig, "/?token=later", "Host: later.example\r\n"), 101);
    assert_int_equal(ask(rig, "/?token=later", "Host: localhost\r\nOrigin: https://a.example\r\n"),
                     403);
    net_rig_expect_echo(rig, before, "still here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_WEBSOCKET(test_hosts_and_origins),
        OVER_WEBSOCKET(test_a_header_that_is_too_long_is_no_missing_one),
        OVER_WEBSOCKET(test_tokens),
        OVER_WEBSOCKET(test_what_is_no_handshake),
        OVER_WEBSOCKET(test_what_is_behind_a_request_is_left_alone),
        OVER_WEBSOCKET(test_garbage_does_no_harm),
        OVER_WEBSOCKET(test_pages),
        OVER_WEBSOCKET(test_a_long_answer_comes_whole),
        OVER_WEBSOCKET(test_answers_in_parts),
        OVER_WEBSOCKET(test_other_machines_need_a_token),
        OVER_WEBSOCKET(test_access_that_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
