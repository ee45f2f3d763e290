/*
 * Messages, limits and closing: over WebSockets and lines, then what only WebSockets have. What
 * only lines have is tested in test_net_lines.c, access control in test_net_gate.c.
 */
#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "tests/integration/net_socket.h"

#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_websocket(const struct net_rig *rig)
{
    return rig->options.framing == NET_WEBSOCKET;
}

/* 100 messages at once, of which 20 pass and the rest follow at 200 a second; none is lost. */
static void test_a_client_that_is_too_fast_is_slowed_down(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.rate = 200;
    rig->options.limits.burst = 20;
    rig->options.limits.ping_ms = 20;
    rig->options.limits.pong_ms = NET_RIG_MS;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    char text[12];
    CLEANUP_STRBUF struct strbuf all = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof(text), "%03d", i);
        net_rig_add_message(rig, &all, text);
    }
    int64_t from_ms = clock_monotonic_ms();
    net_client_write(fd, all.data, all.length);
    if (!is_websocket(rig)) {
        shutdown(fd, SHUT_WR);
    }
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof(text), "%03d", i);
        net_rig_expect(rig, fd, text);
    }
    if (!is_websocket(rig)) {
        net_rig_await(rig, "message 1 3 099\nend 1");
    }
    assert_true(clock_monotonic_ms() - from_ms >= 390);
}

static void pause_on_loop(void *data)
{
    net_pause(((struct net_rig *)data)->listener, 1, true);
}

static void resume_on_loop(void *data)
{
    net_pause(((struct net_rig *)data)->listener, 1, false);
}

static void test_a_pause_keeps_what_comes(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_rig_expect_echo(rig, fd, "one");
    loop_call(rig->loop, pause_on_loop, rig);
    net_rig_say(rig, fd, "two");
    net_rig_say(rig, fd, "three");
    net_rig_settle(rig);
    assert_int_equal(net_rig_count(rig, "message"), 1);
    /* It can receive messages meanwhile. */
    net_send(rig->listener, 1, "for you", 7, NET_REPLY);
    net_rig_expect(rig, fd, "for you");
    loop_call(rig->loop, resume_on_loop, rig);
    net_rig_expect(rig, fd, "two");
    net_rig_expect(rig, fd, "three");
    /* A paused client can be closed. */
    loop_call(rig->loop, pause_on_loop, rig);
    net_close(rig->listener, 1, 4001, "go");
    net_rig_expect_end(rig, fd, 4001);
    if (is_websocket(rig)) {
        net_socket_send(fd, NET_CLOSE, true, "\x0F\xA1", 2);
    }
    net_rig_await(rig, "closed 1");
}

/* More than a socket buffers, in both directions, while another client is served. */
static void test_a_long_message_does_not_hold_up_others(void **state)
{
    struct net_rig *rig = *state;
    enum { LONG = 50 << 20 };
    rig->options.limits.max_message = LONG;
    net_rig_listen(rig);
    CLEANUP_FREE char *text = letters(LONG, 'y');
    int slow = net_rig_open(rig);
    int quick = net_rig_open(rig);
    net_rig_say(rig, slow, text);
    net_rig_await(rig, "message 1 52428800");
    net_send(rig->listener, 1, "behind", 6, NET_REPLY);
    net_rig_expect_echo(rig, quick, "hello");
    net_rig_expect(rig, slow, text);
    net_rig_expect(rig, slow, "behind");
}

/* Returns a client of two that does not read, for which the server has given up sending. */
static int sleeper_begin(struct net_rig *rig, const char *text, int *ret_other)
{
    rig->options.limits.max_queue = 1 << 20;
    rig->options.limits.max_connections = 2;
    net_rig_listen(rig);
    int sleeper = net_rig_open(rig);
    *ret_other = net_rig_open(rig);
    net_rig_await(rig, "open 2");
    for (int i = 0; i < 300; i++) {
        net_send(rig->listener, 1, text, strlen(text), NET_REPLY);
    }
    net_rig_await(rig, "closed 1");
    return sleeper;
}

/* It may take long to read why, but not the place of another client. */
static void test_who_is_closed_for_not_reading_makes_room(void **state)
{
    struct net_rig *rig = *state;
    int other = -1;
    CLEANUP_FREE char *text = letters(100000, 'z');
    sleeper_begin(rig, text, &other);
    int third = net_rig_open(rig);
    net_rig_expect_echo(rig, third, "hello");
    net_rig_expect_echo(rig, other, "hello");
}

/* The server is done with it; the client learns why as soon as it reads. */
static void test_who_does_not_read_is_closed_for_replies(void **state)
{
    struct net_rig *rig = *state;
    int other = -1;
    CLEANUP_FREE char *text = letters(100000, 'z');
    int sleeper = sleeper_begin(rig, text, &other);
    net_rig_expect_echo(rig, other, "hello");
    net_send(rig->listener, 1, "too late", 8, NET_REPLY);
    int status = 0;
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    while (net_rig_read(rig, sleeper, &message, &status)) {
        assert_string_equal(message.data, text);
    }
    assert_int_equal(status, is_websocket(rig) ? 1013 : 0);
}

static void test_telemetry_is_dropped_and_replies_are_not(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.max_queue = 1 << 20;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_rig_await(rig, "open 1");
    CLEANUP_FREE char *text = letters(100000, 'z');
    net_send(rig->listener, 1, "first reply", 11, NET_REPLY);
    for (int i = 0; i < 300; i++) {
        int length = snprintf(text, 20, "%d", i);
        text[length] = 'z';
        net_send(rig->listener, 1, text, 100000, NET_TELEMETRY);
    }
    net_send(rig->listener, 1, "last reply", 10, NET_REPLY);
    loop_flush(rig->loop);
    net_rig_expect(rig, fd, "first reply");
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0, last = -1, count = 0;
    while (net_rig_read(rig, fd, &message, &status) && message.length == 100000) {
        assert_true(atoi(message.data) > last);
        last = atoi(message.data);
        count++;
    }
    assert_string_equal(message.data, "last reply");
    assert_false(net_rig_has(rig, "closed"));
    assert_int_equal(last, 299);
    assert_in_range(count, 9, 250);
    if (is_websocket(rig)) {
        char metrics[4000];
        CLEANUP_FREE char *expected =
            xasprintf("browser_runner_messages_dropped_total{listener=\"rig\"} %d\n", 300 - count);
        assert_int_equal(net_http(rig->port, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                                  metrics, sizeof(metrics)),
                         200);
        assert_non_null(strstr(metrics, expected));
    }
}

static void test_too_many_are_told_so(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.max_connections = 2;
    net_rig_listen(rig);
    char text[1000];
    int first = net_rig_open(rig);
    net_rig_open(rig);
    net_rig_await(rig, "open 2");
    int third = net_rig_connect(rig);
    if (is_websocket(rig)) {
        assert_int_equal(net_socket_status(third, text, sizeof(text)), 503);
        assert_non_null(strstr(text, "Connection: close\r\n"));
    } else {
        net_rig_expect_end(rig, third, 0);
    }
    net_rig_leave(rig, third);
    net_rig_leave(rig, first);
    net_rig_await(rig, "closed 1");
    int fourth = net_rig_open(rig);
    net_rig_expect_echo(rig, fourth, "hello");
}

static void test_who_says_nothing_is_closed(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.idle_ms = (int)slow_ms(1500);
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    int64_t from_ms = clock_monotonic_ms();
    usleep(200 * 1000); /* part of the idle time, which then starts again */
    net_rig_expect_echo(rig, fd, "hello");
    net_rig_expect_end(rig, fd, 1000);
    assert_in_range(clock_monotonic_ms() - from_ms, 190 + rig->options.limits.idle_ms,
                    NET_SLACK_MS + rig->options.limits.idle_ms);
}

static void test_many_come_and_go(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    for (int round = 0; round < 10; round++) {
        int fds[20];
        for (int i = 0; i < 20; i++) {
            fds[i] = net_rig_open(rig);
            net_rig_say(rig, fds[i], "hello");
        }
        for (int i = 0; i < 20; i++) {
            net_rig_expect(rig, fds[i], "hello");
            if (i % 2 && is_websocket(rig)) {
                net_socket_send(fds[i], NET_CLOSE, true, "\x03\xE8", 2);
            }
            net_rig_leave(rig, fds[i]);
        }
    }
    net_rig_await_count(rig, "closed", 200);
    assert_int_equal(net_rig_count(rig, "closed"), 200);
}

/* A client that does not read cannot delay closing, and gets no further data. */
static void test_the_end_sends_what_waits_and_has_a_limit(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int reader = net_rig_open(rig);
    net_rig_open(rig); /* does not read */
    net_rig_await(rig, "open 2");
    int half = net_rig_connect(rig);
    CLEANUP_FREE char *text = letters(30 << 20, 'w');
    net_send(rig->listener, 1, "bye", 3, NET_REPLY);
    net_send(rig->listener, 2, text, 30 << 20, NET_REPLY);
    int64_t from_ms = clock_monotonic_ms();
    int limit_ms = NET_END_MS;
    net_listener_close(TAKE(rig->listener), limit_ms);
    assert_in_range(clock_monotonic_ms() - from_ms, limit_ms - 10, limit_ms + NET_SLACK_MS);
    net_rig_expect(rig, reader, "bye");
    net_rig_expect_end(rig, reader, 1001);
    assert_true(net_rig_has(rig, "closed 1") && net_rig_has(rig, "closed 2"));
    char byte;
    assert_true(recv(half, &byte, 1, 0) <= 0);
    assert_int_equal(access(rig->path, F_OK), -1);
}

static void test_messages_are_echoed(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_socket_open(rig, "/debug?a=b&c=%26d%20e");
    net_rig_await(rig, "open 1 /debug?a=b&c=%26d%20e\n");
    net_rig_expect_echo(rig, fd, "hello");
    net_rig_say(rig, fd, "");
    net_rig_say(rig, fd, "h\xC3\xA9llo");
    net_rig_expect(rig, fd, "");
    net_rig_expect(rig, fd, "h\xC3\xA9llo");
    net_socket_send(fd, NET_PING, true, "abc", 3);
    struct net_frame frame = { 0 };
    assert_true(net_socket_read(fd, &frame));
    assert_int_equal(frame.opcode, NET_PONG);
    assert_string_equal(frame.payload, "abc");
    net_socket_send(fd, NET_CLOSE, true, "\x03\xE8", 2);
    assert_true(net_socket_read(fd, &frame));
    assert_int_equal(frame.opcode, NET_CLOSE);
    assert_false(net_socket_read(fd, &frame));
    net_rig_await(rig, "closed 1");
}

static void test_fragments_are_put_together(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_socket_send(fd, NET_TEXT, false, "", 0);
    net_socket_send(fd, 0, false, "one \xC3", 5);
    net_socket_send(fd, NET_PING, true, "", 0);
    net_socket_send(fd, 0, false, "\xA9 two", 5);
    net_socket_send(fd, 0, true, "", 0);
    net_rig_expect(rig, fd, "one \xC3\xA9 two");
    /* Byte by byte. */
    static const unsigned char bytes[] = { 0x81, 0x82, 0, 0, 0, 0, 'o', 'k' };
    for (size_t i = 0; i < sizeof(bytes); i++) {
        net_client_write(fd, bytes + i, 1);
        net_rig_settle(rig);
    }
    net_rig_expect(rig, fd, "ok");
}

static void test_what_is_no_message_closes(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    static const struct {
        int opcode;
        const char *bytes;
        size_t length;
        int status;
    } cases[] = {
        { NET_TEXT, "\xFF", 1, 1007 }, { NET_TEXT, "\xED\xA0\x80", 3, 1007 },
        { NET_BINARY, "a", 1, 1003 },  { 0, "a", 1, 1002 },
        { 3, "a", 1, 1002 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int fd = net_rig_open(rig);
        net_socket_send(fd, cases[i].opcode, true, cases[i].bytes, cases[i].length);
        net_socket_expect_close(fd, cases[i].status);
        net_rig_leave(rig, fd);
    }
    assert_false(net_rig_has(rig, "message"));
    net_rig_await(rig, "closed 5");
}

static size_t bytes_in_use(void)
{
    return mallinfo2().uordblks + mallinfo2().hblkhd;
}

/* Rejected by its header; its content is not stored. */
static void test_a_message_that_is_too_long_closes(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.max_message = 1 << 20;
    net_rig_listen(rig);
    /* All of it must arrive before the server stops waiting for the closed client. */
    enum { LONG = (64 << 20) / (SLOWNESS_DEFAULT * SLOWNESS_DEFAULT) };
    CLEANUP_FREE char *text = letters(LONG, 'x');
    int fd = net_rig_open(rig);
    size_t before = bytes_in_use();
    /* The client releases its buffers before it is checked. */
    net_socket_send(fd, NET_TEXT, true, text, LONG);
    net_socket_expect_close(fd, 1009);
    assert_true(bytes_in_use() < before + (4 << 20));
    net_rig_leave(rig, fd);
    /* In fragments, none of which is too long. */
    fd = net_rig_open(rig);
    for (int i = 0; i < 9; i++) {
        net_socket_send(fd, i ? 0 : NET_TEXT, false, text, 128 << 10);
    }
    net_socket_expect_close(fd, 1009);
    net_rig_leave(rig, fd);
    /* Exactly at the limit. */
    fd = net_rig_open(rig);
    net_socket_send(fd, NET_TEXT, true, text, 1 << 20);
    net_rig_await(rig, "message 3 1048576");
    net_rig_leave(rig, fd);
    net_rig_await(rig, "closed 3");
    loop_flush(rig->loop);
    assert_true(bytes_in_use() < before + (4 << 20));
}

/* Some clients, such as what chrome://inspect connects with, put no fragments together. */
static void test_messages_are_single_frames(void **state)
{
    struct net_rig *rig = *state;
    static const size_t lengths[] = { 20000, 70000, 1 << 20 };
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    struct net_frame frame = { 0 };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        CLEANUP_FREE char *text = letters(lengths[i], 'y');
        net_send(rig->listener, 1, text, lengths[i], NET_REPLY);
        assert_true(net_socket_read(fd, &frame));
        assert_true(frame.is_final);
        assert_int_equal(frame.length, lengths[i]);
    }
    free(frame.payload);
}

/* Its waiting messages are dropped, and do not delay closing. */
static void test_a_client_that_is_too_fast_is_closed(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.rate = 1;
    rig->options.limits.burst = 1;
    net_rig_listen(rig);
    for (unsigned id = 1; id <= 3; id++) {
        char closed[40];
        int fd = net_rig_open(rig);
        for (int i = 0; i < 50; i++) {
            net_rig_say(rig, fd, "hello");
        }
        net_rig_expect(rig, fd, "hello");
        net_close(rig->listener, id, 4001, "go");
        net_socket_expect_close(fd, 4001);
        net_socket_send(fd, NET_CLOSE, true, "\x0F\xA1", 2);
        snprintf(closed, sizeof(closed), "closed %u", id);
        net_rig_await(rig, closed);
        net_rig_leave(rig, fd);
    }
    assert_in_range(net_rig_count(rig, "message"), 3, 20);
}

/* It has to fit into the frame, in which no character may be broken. */
static void test_the_reason_of_a_close_is_cut_between_characters(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    for (size_t shift = 0; shift < 3; shift++) {
        CLEANUP_STRBUF struct strbuf reason = STRBUF_INIT(STRBUF_UNCAPPED);
        struct net_frame frame = { 0 };
        int fd = net_rig_open(rig);
        strbuf_add(&reason, "xx", shift);
        for (int i = 0; i < 60; i++) {
            strbuf_add_string(&reason, "\xE2\x82\xAC");
        }
        net_close(rig->listener, shift + 1, 4001, reason.data);
        assert_true(net_socket_read(fd, &frame));
        assert_int_equal(frame.opcode, NET_CLOSE);
        assert_in_range(frame.length, 100, 125);
        assert_true(utf8_is_valid(frame.payload + 2, frame.length - 2));
        free(frame.payload);
    }
}

static void test_pings_end_who_does_not_answer(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.ping_ms = 50;
    rig->options.limits.pong_ms = (int)slow_ms(1500);
    net_rig_listen(rig);
    int silent = net_rig_open(rig);
    int64_t from_ms = clock_monotonic_ms();
    struct net_frame frame = { 0 };
    assert_true(net_socket_read(silent, &frame));
    assert_int_equal(frame.opcode, NET_PING);
    int answering = net_rig_open(rig);
    int pings = 0;
    while (!net_rig_has(rig, "closed")) {
        assert_true(net_socket_read(answering, &frame));
        assert_int_equal(frame.opcode, NET_PING);
        net_socket_send(answering, NET_PONG, true, frame.payload, frame.length);
        pings++;
    }
    assert_in_range(pings, 2, 2 + (clock_monotonic_ms() - from_ms) / 50);
    assert_true(net_rig_has(rig, "closed 1"));
    assert_false(net_rig_has(rig, "closed 2"));
    assert_false(net_socket_read(silent, &frame));
    free(frame.payload);
}

static void test_half_a_handshake_is_cut_at_its_deadline(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.handshake_ms = (int)slow_ms(1500);
    net_rig_listen(rig);
    int64_t from_ms = clock_monotonic_ms();
    int silent = net_rig_connect(rig);
    int slow = net_rig_connect(rig);
    int done = net_rig_open(rig);
    net_client_say(slow, "GET / HTTP/1.1\r\n");
    for (int i = 0; i < 20; i++) {
        net_rig_settle(rig);
        net_client_say(slow, "X");
    }
    char text[100];
    assert_true(net_client_read_all(silent, text, sizeof(text)) <= 0);
    assert_true(net_client_read_all(slow, text, sizeof(text)) <= 0);
    assert_in_range(clock_monotonic_ms() - from_ms, rig->options.limits.handshake_ms - 10,
                    rig->options.limits.handshake_ms + NET_SLACK_MS);
    net_rig_expect_echo(rig, done, "still here");
}

static void *answer_close(void *data)
{
    int fd = *(int *)data;
    struct net_frame frame = { 0 };
    while (net_socket_read(fd, &frame)) {
        if (frame.opcode == NET_CLOSE) {
            net_socket_send(fd, NET_CLOSE, true, frame.payload, frame.length);
        }
    }
    return NULL;
}

/* Not longer than the client takes to reply. */
static void test_an_end_that_is_answered_is_quick(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    pthread_t thread;
    pthread_create(&thread, NULL, answer_close, &fd);
    int64_t from_ms = clock_monotonic_ms();
    net_listener_close(TAKE(rig->listener), NET_RIG_MS);
    assert_true(clock_monotonic_ms() - from_ms < NET_SLACK_MS);
    pthread_join(thread, NULL);
}

enum { SENDERS = 4, SENT = 300 };

struct sender {
    struct net_rig *rig;
    int number;
};

static void *send_many(void *data)
{
    const struct sender *sender = data;
    for (int i = 0; i < SENT; i++) {
        char text[40];
        int length = snprintf(text, sizeof(text), "%d %d", sender->number, i);
        net_send(sender->rig->listener, 1, text, (size_t)length, NET_REPLY);
    }
    return NULL;
}

/* The messages of each thread arrive in its order. */
static void test_threads_send_at_once(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    struct sender senders[SENDERS];
    pthread_t threads[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){ rig, i };
        pthread_create(&threads[i], NULL, send_many, &senders[i]);
    }
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int next[SENDERS] = { 0 };
    for (int i = 0; i < SENDERS * SENT; i++) {
        int status = 0;
        assert_true(net_rig_read(rig, fd, &message, &status));
        int sender = message.data[0] - '0';
        assert_in_range(sender, 0, SENDERS - 1);
        assert_int_equal(atoi(message.data + 2), next[sender]++);
    }
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void test_both_families_are_served(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    struct sockaddr_in6 address = {
        .sin6_family = AF_INET6,
        .sin6_port = htons((uint16_t)rig->port),
        .sin6_addr = IN6ADDR_LOOPBACK_INIT,
    };
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(fd);
        skip();
    }
    char text[1000];
    net_socket_ask(fd, "/", "Host: [::1]:80\r\n");
    assert_int_equal(net_socket_status(fd, text, sizeof(text)), 101);
    net_rig_expect_echo(rig, fd, "hello");
    close(fd);
}

/* Concurrent listeners on one loop, and one after another. */
static void test_listeners_do_not_know_each_other(void **state)
{
    struct net_rig *rig = *state;
    struct br_error err = { 0 };
    net_rig_listen(rig);
    int first = net_socket_open(rig, "/first");
    for (int i = 0; i < 3; i++) {
        rig->options.name = "other";
        rig->options.access.tokens = (const char *const[]){ "secret", NULL };
        struct net_listener *other = net_listen(rig->loop, &rig->options, &err);
        assert_non_null(other);
        char text[4000];
        int fd = net_client_tcp(net_listener_port(other));
        net_socket_ask(fd, "/", "Host: localhost\r\nAuthorization: Bearer secret\r\n");
        assert_int_equal(net_socket_status(fd, text, sizeof(text)), 101);
        assert_int_equal(net_http(net_listener_port(other),
                                  "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", text,
                                  sizeof(text)),
                         200);
        assert_non_null(strstr(text, "\"server\":\"other\""));
        net_listener_close(other, 0);
        net_rig_expect_echo(rig, first, "hello");
        close(fd);
    }
}

static void test_a_port_that_is_taken_is_an_error(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    rig->options.port = rig->port;
    net_rig_expect_refusal(rig, "", "test_net (process ");
}

static void test_inherited_sockets(void **state)
{
    struct net_rig *rig = *state;
    int kept = net_listening_tcp(INADDR_LOOPBACK);
    int *fds = rig->options.fds;
    fds[0] = dup(kept);
    fds[1] = net_listening_tcp(INADDR_LOOPBACK + 1);
    rig->options.fd_count = 2;
    net_rig_listen(rig);
    assert_int_not_equal(fcntl(fds[0], F_GETFD) & FD_CLOEXEC, 0);
    int first = net_rig_open(rig);
    struct sockaddr_in second = { 0 };
    socklen_t length = sizeof(second);
    assert_int_equal(getsockname(fds[1], (struct sockaddr *)&second, &length), 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&second, length), 0);
    char text[2000];
    net_socket_ask(fd, "/", "Host: localhost\r\n");
    assert_int_equal(net_socket_status(fd, text, sizeof(text)), 101);
    close(fd);

    /* The socket goes on for others, and who is connected stays. */
    net_listener_refuse(rig->listener);
    net_rig_connect(rig);
    int accepted = accept4(kept, NULL, NULL, SOCK_CLOEXEC);
    assert_true(accepted >= 0);
    net_rig_expect_echo(rig, first, "still here");
    close(accepted);
    close(kept);
}

static void test_sockets_that_cannot_be_inherited(void **state)
{
    struct net_rig *rig = *state;
    const struct {
        int fd;
        const char *message, *hint;
    } cases[] = {
        { open("/dev/null", O_RDONLY), "is not a listening stream socket", "Accept=no" },
        { socket(AF_INET, SOCK_STREAM, 0), "is not a listening stream socket", "Accept=no" },
        { socket(AF_INET, SOCK_DGRAM, 0), "is not a listening stream socket", "Accept=no" },
        { socket(AF_UNIX, SOCK_STREAM, 0), "is not a TCP socket", "an address and a port" },
    };
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    assert_int_equal(bind(cases[3].fd, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
    assert_int_equal(listen(cases[3].fd, 1), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rig->options.fds[0] = cases[i].fd;
        rig->options.fd_count = 1;
        net_rig_expect_refusal(rig, cases[i].message, cases[i].hint);
        assert_int_equal(fcntl(cases[i].fd, F_GETFD), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_BOTH(test_a_client_that_is_too_fast_is_slowed_down),
        OVER_BOTH(test_a_pause_keeps_what_comes),
        OVER_BOTH(test_a_long_message_does_not_hold_up_others),
        OVER_BOTH(test_who_does_not_read_is_closed_for_replies),
        OVER_BOTH(test_who_is_closed_for_not_reading_makes_room),
        OVER_BOTH(test_telemetry_is_dropped_and_replies_are_not),
        OVER_BOTH(test_too_many_are_told_so),
        OVER_BOTH(test_who_says_nothing_is_closed),
        OVER_BOTH(test_many_come_and_go),
        OVER_BOTH(test_the_end_sends_what_waits_and_has_a_limit),
        OVER_WEBSOCKET(test_messages_are_echoed),
        OVER_WEBSOCKET(test_fragments_are_put_together),
        OVER_WEBSOCKET(test_messages_are_single_frames),
        OVER_WEBSOCKET(test_what_is_no_message_closes),
        OVER_WEBSOCKET(test_a_message_that_is_too_long_closes),
        OVER_WEBSOCKET(test_a_client_that_is_too_fast_is_closed),
        OVER_WEBSOCKET(test_the_reason_of_a_close_is_cut_between_characters),
        OVER_WEBSOCKET(test_pings_end_who_does_not_answer),
        OVER_WEBSOCKET(test_half_a_handshake_is_cut_at_its_deadline),
        OVER_WEBSOCKET(test_an_end_that_is_answered_is_quick),
        OVER_WEBSOCKET(test_threads_send_at_once),
        OVER_WEBSOCKET(test_both_families_are_served),
        OVER_WEBSOCKET(test_listeners_do_not_know_each_other),
        OVER_WEBSOCKET(test_a_port_that_is_taken_is_an_error),
        OVER_WEBSOCKET(test_inherited_sockets),
        OVER_WEBSOCKET(test_sockets_that_cannot_be_inherited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
