/* WebSockets: messages, limits and closing. Access control is tested in test_net_gate.c. */
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
#include <sys/un.h>
#include <unistd.h>

static int set_up(void **state)
{
    struct net_rig *rig = xcalloc(1, sizeof(*rig));
    net_rig_start(rig);
    *state = rig;
    return 0;
}

static int tear_down(void **state)
{
    net_rig_finish(*state);
    free(*state);
    return 0;
}

static void start(struct net_rig *rig)
{
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    net_rig_listen(rig, &options);
}

static void test_messages_are_echoed(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_socket_open(rig, "/debug?a=b&c=%26d%20e");
    net_rig_await(rig, "open 1 /debug?a=b&c=%26d%20e\n");
    net_socket_say(fd, "hello");
    net_socket_expect(fd, "hello");
    net_socket_say(fd, "");
    net_socket_say(fd, "h\xC3\xA9llo");
    net_socket_expect(fd, "");
    net_socket_expect(fd, "h\xC3\xA9llo");
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
    close(fd);
}

static void test_fragments_are_put_together(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_socket_open(rig, "/");
    net_socket_send(fd, NET_TEXT, false, "", 0);
    net_socket_send(fd, 0, false, "one \xC3", 5);
    net_socket_send(fd, NET_PING, true, "", 0);
    net_socket_send(fd, 0, false, "\xA9 two", 5);
    net_socket_send(fd, 0, true, "", 0);
    net_socket_expect(fd, "one \xC3\xA9 two");
    /* Byte by byte. */
    static const unsigned char bytes[] = { 0x81, 0x82, 0, 0, 0, 0, 'o', 'k' };
    for (size_t i = 0; i < sizeof(bytes); i++) {
        net_client_write(fd, bytes + i, 1);
        net_rig_settle(rig);
    }
    net_socket_expect(fd, "ok");
    close(fd);
}

static void test_what_is_no_message_closes(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
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
        int fd = net_socket_open(rig, "/");
        net_socket_send(fd, cases[i].opcode, true, cases[i].bytes, cases[i].length);
        net_socket_expect_close(fd, cases[i].status);
        close(fd);
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
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.max_message = 1 << 20;
    net_rig_listen(rig, &options);
    /* All of it must arrive before the server stops waiting for the closed client. */
    enum { LONG = (64 << 20) / (SLOWNESS_DEFAULT * SLOWNESS_DEFAULT) };
    CLEANUP_FREE char *text = xmalloc(LONG);
    memset(text, 'x', LONG);
    int fd = net_socket_open(rig, "/");
    size_t before = bytes_in_use();
    /* The client releases its buffers before it is checked. */
    net_socket_send(fd, NET_TEXT, true, text, LONG);
    net_socket_expect_close(fd, 1009);
    assert_true(bytes_in_use() < before + (4 << 20));
    close(fd);
    /* In fragments, none of which is too long. */
    fd = net_socket_open(rig, "/");
    for (int i = 0; i < 9; i++) {
        net_socket_send(fd, i ? 0 : NET_TEXT, false, text, 128 << 10);
    }
    net_socket_expect_close(fd, 1009);
    close(fd);
    /* Exactly at the limit. */
    fd = net_socket_open(rig, "/");
    net_socket_send(fd, NET_TEXT, true, text, 1 << 20);
    net_rig_await(rig, "message 3 1048576");
    close(fd);
    net_rig_await(rig, "closed 3");
    loop_flush(rig->loop);
    assert_true(bytes_in_use() < before + (4 << 20));
}

static void test_a_long_message_does_not_hold_up_others(void **state)
{
    struct net_rig *rig = *state;
    enum { LONG = 50 << 20 };
    start(rig);
    CLEANUP_FREE char *text = xmalloc(LONG + 1);
    memset(text, 'y', LONG);
    text[LONG] = '\0';
    int slow = net_socket_open(rig, "/");
    int quick = net_socket_open(rig, "/");
    net_send(rig->listener, 1, text, LONG, NET_REPLY);
    net_send(rig->listener, 1, "behind", 6, NET_REPLY);
    net_socket_say(quick, "hello");
    net_socket_expect(quick, "hello");
    net_socket_expect(slow, text);
    net_socket_expect(slow, "behind");
    close(slow);
    close(quick);
}

/* Some clients, such as what chrome://inspect connects with, put no fragments together. */
static void test_messages_are_single_frames(void **state)
{
    struct net_rig *rig = *state;
    static const size_t lengths[] = { 20000, 70000, 1 << 20 };
    start(rig);
    int fd = net_socket_open(rig, "/");
    struct net_frame frame = { 0 };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        CLEANUP_FREE char *text = xmalloc(lengths[i]);
        memset(text, 'y', lengths[i]);
        net_send(rig->listener, 1, text, lengths[i], NET_REPLY);
        assert_true(net_socket_read(fd, &frame));
        assert_true(frame.is_final);
        assert_int_equal(frame.length, lengths[i]);
    }
    free(frame.payload);
    close(fd);
}

static void test_who_does_not_read_is_closed_for_replies(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.max_queue = 1 << 20;
    net_rig_listen(rig, &options);
    int sleeper = net_socket_open(rig, "/");
    int other = net_socket_open(rig, "/");
    CLEANUP_FREE char *text = xmalloc(100000);
    memset(text, 'z', 100000);
    for (int i = 0; i < 300; i++) {
        net_send(rig->listener, 1, text, 100000, NET_REPLY);
    }
    net_socket_say(other, "hello");
    net_socket_expect(other, "hello");
    /* The server is done with it; the client learns why as soon as it reads. */
    net_rig_await(rig, "closed 1");
    net_send(rig->listener, 1, "too late", 8, NET_REPLY);
    net_socket_expect_close(sleeper, 1013);
    close(sleeper);
    close(other);
}

/* It may take long to read code and reason, but not the place of another client. */
static void test_who_is_closed_for_not_reading_makes_room(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.max_queue = 1 << 20;
    options.limits.max_connections = 2;
    net_rig_listen(rig, &options);
    int sleeper = net_socket_open(rig, "/");
    int other = net_socket_open(rig, "/");
    CLEANUP_FREE char *text = xmalloc(100000);
    memset(text, 'z', 100000);
    for (int i = 0; i < 300; i++) {
        net_send(rig->listener, 1, text, 100000, NET_REPLY);
    }
    net_rig_await(rig, "closed 1");
    int third = net_socket_open(rig, "/");
    net_socket_say(third, "hello");
    net_socket_expect(third, "hello");
    net_socket_say(other, "hello");
    net_socket_expect(other, "hello");
    close(sleeper);
    close(other);
    close(third);
}

static void test_telemetry_is_dropped_and_replies_are_not(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.max_queue = 1 << 20;
    net_rig_listen(rig, &options);
    int fd = net_socket_open(rig, "/");
    CLEANUP_FREE char *text = xmalloc(100000);
    memset(text, 'z', 100000);
    net_send(rig->listener, 1, "first reply", 11, NET_REPLY);
    for (int i = 0; i < 300; i++) {
        int length = snprintf(text, 20, "%d", i);
        text[length] = 'z';
        net_send(rig->listener, 1, text, 100000, NET_TELEMETRY);
    }
    net_send(rig->listener, 1, "last reply", 10, NET_REPLY);
    loop_flush(rig->loop);
    net_socket_expect(fd, "first reply");
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int status = 0, last = -1, count = 0;
    while (net_socket_read_message(fd, &message, &status) && message.length == 100000) {
        assert_true(atoi(message.data) > last);
        last = atoi(message.data);
        count++;
    }
    assert_string_equal(message.data, "last reply");
    assert_int_equal(last, 299);
    assert_in_range(count, 9, 250);
    char metrics[4000];
    assert_int_equal(net_http(rig->port, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                              metrics, sizeof(metrics)),
                     200);
    char expected[100];
    snprintf(expected, sizeof(expected),
             "browser_runner_messages_dropped_total{listener=\"rig\"} %d\n", 300 - count);
    assert_non_null(strstr(metrics, expected));
    strbuf_finish(&message);
    close(fd);
}

/* Frames that arrive together, of which some wait. */
static void test_a_client_that_is_too_fast_is_slowed_down(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.rate = 200;
    options.limits.burst = 20;
    options.limits.ping_ms = 20;
    options.limits.pong_ms = NET_RIG_MS;
    net_rig_listen(rig, &options);
    int fd = net_socket_open(rig, "/");
    struct strbuf all = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < 100; i++) {
        const char head[] = { (char)0x81, (char)0x83, 0, 0, 0, 0 };
        strbuf_add(&all, head, sizeof(head));
        strbuf_add_format(&all, "%03d", i);
    }
    int64_t from_ms = clock_monotonic_ms();
    net_client_write(fd, all.data, all.length);
    for (int i = 0; i < 100; i++) {
        char text[12];
        snprintf(text, sizeof(text), "%03d", i);
        net_socket_expect(fd, text);
    }
    assert_true(clock_monotonic_ms() - from_ms >= 390);
    strbuf_finish(&all);
    close(fd);
}

/* Its waiting messages are dropped, and do not delay closing. */
static void test_a_client_that_is_too_fast_is_closed(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.rate = 1;
    options.limits.burst = 1;
    net_rig_listen(rig, &options);
    for (unsigned id = 1; id <= 3; id++) {
        char closed[40];
        int fd = net_socket_open(rig, "/");
        for (int i = 0; i < 50; i++) {
            net_socket_say(fd, "hello");
        }
        net_socket_expect(fd, "hello");
        net_close(rig->listener, id, 4001, "go");
        net_socket_expect_close(fd, 4001);
        net_socket_send(fd, NET_CLOSE, true, "\x0F\xA1", 2);
        snprintf(closed, sizeof(closed), "closed %u", id);
        net_rig_await(rig, closed);
        close(fd);
    }
    assert_in_range(net_rig_count(rig, "message"), 3, 20);
}

struct pause {
    struct net_rig *rig;
    bool is_paused;
};

static void pause_on_loop(void *data)
{
    struct pause *pause = data;
    net_pause(pause->rig->listener, 1, pause->is_paused);
}

/* It has to fit into the frame, in which no character may be broken. */
static void test_the_reason_of_a_close_is_cut_between_characters(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    for (size_t shift = 0; shift < 3; shift++) {
        struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        struct net_frame frame = { 0 };
        int fd = net_socket_open(rig, "/");
        strbuf_add(&text, "xx", shift);
        for (int i = 0; i < 60; i++) {
            strbuf_add_string(&text, "\xE2\x82\xAC");
        }
        strbuf_add(&text, "", 1);
        CLEANUP_FREE char *reason = strbuf_take(&text);
        net_close(rig->listener, shift + 1, 4001, reason);
        assert_true(net_socket_read(fd, &frame));
        assert_int_equal(frame.opcode, NET_CLOSE);
        assert_in_range(frame.length, 100, 125);
        assert_true(utf8_is_valid(frame.payload + 2, frame.length - 2));
        free(frame.payload);
        close(fd);
    }
}

static void test_a_pause_keeps_what_comes(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_socket_open(rig, "/");
    struct pause pause = { rig, true };
    loop_call(rig->loop, pause_on_loop, &pause);
    net_socket_say(fd, "one");
    net_socket_say(fd, "two");
    net_rig_settle(rig);
    assert_false(net_rig_has(rig, "message"));
    /* It can receive messages meanwhile. */
    net_send(rig->listener, 1, "three", 5, NET_REPLY);
    net_socket_expect(fd, "three");
    pause.is_paused = false;
    loop_call(rig->loop, pause_on_loop, &pause);
    net_socket_expect(fd, "one");
    net_socket_expect(fd, "two");
    /* A paused client can be closed. */
    pause.is_paused = true;
    loop_call(rig->loop, pause_on_loop, &pause);
    net_close(rig->listener, 1, 4001, "go");
    net_socket_expect_close(fd, 4001);
    net_socket_send(fd, NET_CLOSE, true, "\x0F\xA1", 2);
    net_rig_await(rig, "closed 1");
    close(fd);
}

static void test_pings_end_who_does_not_answer(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.ping_ms = 50;
    options.limits.pong_ms = (int)slow_ms(1500);
    net_rig_listen(rig, &options);
    int silent = net_socket_open(rig, "/");
    int64_t from_ms = clock_monotonic_ms();
    struct net_frame frame = { 0 };
    assert_true(net_socket_read(silent, &frame));
    assert_int_equal(frame.opcode, NET_PING);
    int answering = net_socket_open(rig, "/");
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
    close(silent);
    close(answering);
}

static void test_who_says_nothing_is_closed(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.idle_ms = (int)slow_ms(1500);
    net_rig_listen(rig, &options);
    int fd = net_socket_open(rig, "/");
    int64_t from_ms = clock_monotonic_ms();
    usleep(200 * 1000); /* part of the idle time, which then starts again */
    net_socket_say(fd, "hello");
    net_socket_expect_close(fd, 1000);
    assert_in_range(clock_monotonic_ms() - from_ms, 190 + options.limits.idle_ms,
                    NET_SLACK_MS + options.limits.idle_ms);
    close(fd);
}

static void test_half_a_handshake_is_cut_at_its_deadline(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.handshake_ms = (int)slow_ms(1500);
    net_rig_listen(rig, &options);
    int64_t from_ms = clock_monotonic_ms();
    int silent = net_client_tcp(rig->port);
    int slow = net_client_tcp(rig->port);
    int done = net_socket_open(rig, "/");
    net_client_say(slow, "GET / HTTP/1.1\r\n");
    for (int i = 0; i < 20; i++) {
        net_rig_settle(rig);
        net_client_say(slow, "X");
    }
    char text[100];
    assert_true(net_client_read_all(silent, text, sizeof(text)) <= 0);
    assert_true(net_client_read_all(slow, text, sizeof(text)) <= 0);
    assert_in_range(clock_monotonic_ms() - from_ms, options.limits.handshake_ms - 10,
                    options.limits.handshake_ms + NET_SLACK_MS);
    net_socket_say(done, "still here");
    net_socket_expect(done, "still here");
    close(silent);
    close(slow);
    close(done);
}

static void test_too_many_are_told_so(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.limits.max_connections = 2;
    net_rig_listen(rig, &options);
    char text[1000];
    int first = net_socket_open(rig, "/");
    int second = net_socket_open(rig, "/");
    int third = net_client_tcp(rig->port);
    assert_int_equal(net_socket_status(third, text, sizeof(text)), 503);
    assert_non_null(strstr(text, "Connection: close\r\n"));
    close(third);
    close(first);
    net_rig_await(rig, "closed 1");
    int fourth = net_socket_open(rig, "/");
    net_socket_say(fourth, "hello");
    net_socket_expect(fourth, "hello");
    close(second);
    close(fourth);
}

static void test_many_come_and_go(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    for (int round = 0; round < 10; round++) {
        int fds[20];
        for (int i = 0; i < 20; i++) {
            fds[i] = net_socket_open(rig, "/");
            net_socket_say(fds[i], "hello");
        }
        for (int i = 0; i < 20; i++) {
            net_socket_expect(fds[i], "hello");
            if (i % 2) {
                net_socket_send(fds[i], NET_CLOSE, true, "\x03\xE8", 2);
            }
            close(fds[i]);
        }
    }
    net_rig_await_count(rig, "closed", 200);
    assert_int_equal(net_rig_count(rig, "closed"), 200);
}

static void test_the_end_is_said_and_has_a_limit(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int reader = net_socket_open(rig, "/");
    int sleeper = net_socket_open(rig, "/");
    int half = net_client_tcp(rig->port);
    CLEANUP_FREE char *text = xmalloc(30 << 20);
    memset(text, 'w', 30 << 20);
    net_send(rig->listener, 1, "bye", 3, NET_REPLY);
    net_send(rig->listener, 2, text, 30 << 20, NET_REPLY);
    int64_t from_ms = clock_monotonic_ms();
    int limit_ms = NET_END_MS;
    net_listener_close(TAKE(rig->listener), limit_ms);
    assert_in_range(clock_monotonic_ms() - from_ms, limit_ms - 10, limit_ms + NET_SLACK_MS);
    net_socket_expect(reader, "bye");
    net_socket_expect_close(reader, 1001);
    assert_true(net_rig_has(rig, "closed 1") && net_rig_has(rig, "closed 2"));
    char byte;
    assert_true(recv(half, &byte, 1, 0) <= 0);
    close(reader);
    close(sleeper);
    close(half);
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
    start(rig);
    int fd = net_socket_open(rig, "/");
    pthread_t thread;
    pthread_create(&thread, NULL, answer_close, &fd);
    int64_t from_ms = clock_monotonic_ms();
    net_listener_close(TAKE(rig->listener), NET_RIG_MS);
    assert_true(clock_monotonic_ms() - from_ms < NET_SLACK_MS);
    pthread_join(thread, NULL);
    close(fd);
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
    start(rig);
    int fd = net_socket_open(rig, "/");
    struct sender senders[SENDERS];
    pthread_t threads[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){ rig, i };
        pthread_create(&threads[i], NULL, send_many, &senders[i]);
    }
    struct strbuf message = STRBUF_INIT(STRBUF_UNCAPPED);
    int next[SENDERS] = { 0 };
    for (int i = 0; i < SENDERS * SENT; i++) {
        int status = 0;
        assert_true(net_socket_read_message(fd, &message, &status));
        int sender = message.data[0] - '0';
        assert_in_range(sender, 0, SENDERS - 1);
        assert_int_equal(atoi(message.data + 2), next[sender]++);
    }
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    strbuf_finish(&message);
    close(fd);
}

static void test_both_families_are_served(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
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
    net_socket_say(fd, "hello");
    net_socket_expect(fd, "hello");
    close(fd);
}

/* Concurrent listeners on one loop, and one after another. */
static void test_listeners_do_not_know_each_other(void **state)
{
    struct net_rig *rig = *state;
    struct br_error err = { 0 };
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    start(rig);
    int first = net_socket_open(rig, "/first");
    for (int i = 0; i < 3; i++) {
        options.name = "other";
        options.access.tokens = (const char *const[]){ "secret", NULL };
        struct net_listener *other = net_listen(rig->loop, &options, &err);
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
        net_socket_say(first, "hello");
        net_socket_expect(first, "hello");
        close(fd);
    }
    close(first);
}

static void test_a_port_that_is_taken_is_an_error(void **state)
{
    struct net_rig *rig = *state;
    struct br_error err = { 0 };
    start(rig);
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    options.port = rig->port;
    assert_null(net_listen(rig->loop, &options, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.hint, "test_net (process "));
}

/* A socket that listens at a free port of an IPv4 address. */
static int listening_socket(uint32_t address)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(address) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(listen(fd, 5), 0);
    return fd;
}

static void test_inherited_sockets(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
    int kept = listening_socket(INADDR_LOOPBACK);
    options.fds[0] = dup(kept);
    options.fds[1] = listening_socket(INADDR_LOOPBACK + 1);
    options.fd_count = 2;
    net_rig_listen(rig, &options);
    assert_int_not_equal(fcntl(options.fds[0], F_GETFD) & FD_CLOEXEC, 0);
    int first = net_socket_open(rig, "/");
    struct sockaddr_in second = { 0 };
    socklen_t length = sizeof(second);
    assert_int_equal(getsockname(options.fds[1], (struct sockaddr *)&second, &length), 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&second, length), 0);
    char text[2000];
    net_socket_ask(fd, "/", "Host: localhost\r\n");
    assert_int_equal(net_socket_status(fd, text, sizeof(text)), 101);
    close(fd);

    /* The socket goes on for others, and who is connected stays. */
    net_listener_refuse(rig->listener);
    fd = net_client_tcp(rig->port);
    int accepted = accept4(kept, NULL, NULL, SOCK_CLOEXEC);
    assert_true(accepted >= 0);
    net_socket_say(first, "still here");
    net_socket_expect(first, "still here");
    close(accepted);
    close(first);
    close(fd);
    close(kept);
}

static void test_sockets_that_cannot_be_inherited(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_WEBSOCKET);
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
        struct br_error err = { 0 };
        options.fds[0] = cases[i].fd;
        options.fd_count = 1;
        assert_null(net_listen(rig->loop, &options, &err));
        assert_non_null(strstr(err.message, cases[i].message));
        assert_non_null(strstr(err.hint, cases[i].hint));
        assert_int_equal(fcntl(cases[i].fd, F_GETFD), -1);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_messages_are_echoed),
        TEST(test_fragments_are_put_together),
        TEST(test_messages_are_single_frames),
        TEST(test_what_is_no_message_closes),
        TEST(test_a_message_that_is_too_long_closes),
        TEST(test_a_long_message_does_not_hold_up_others),
        TEST(test_who_does_not_read_is_closed_for_replies),
        TEST(test_who_is_closed_for_not_reading_makes_room),
        TEST(test_telemetry_is_dropped_and_replies_are_not),
        TEST(test_a_client_that_is_too_fast_is_slowed_down),
        TEST(test_a_client_that_is_too_fast_is_closed),
        TEST(test_the_reason_of_a_close_is_cut_between_characters),
        TEST(test_a_pause_keeps_what_comes),
        TEST(test_pings_end_who_does_not_answer),
        TEST(test_who_says_nothing_is_closed),
        TEST(test_half_a_handshake_is_cut_at_its_deadline),
        TEST(test_too_many_are_told_so),
        TEST(test_many_come_and_go),
        TEST(test_the_end_is_said_and_has_a_limit),
        TEST(test_an_end_that_is_answered_is_quick),
        TEST(test_threads_send_at_once),
        TEST(test_both_families_are_served),
        TEST(test_listeners_do_not_know_each_other),
        TEST(test_a_port_that_is_taken_is_an_error),
        TEST(test_inherited_sockets),
        TEST(test_sockets_that_cannot_be_inherited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
