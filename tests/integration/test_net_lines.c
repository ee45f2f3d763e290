/* Lines over a Unix socket. */
#include "runner/base/clock.h"
#include "tests/integration/net_rig.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
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
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    net_rig_listen(rig, &options);
}

static void expect_line(int fd, const char *expected)
{
    char line[200];
    assert_true(net_client_read_line(fd, line, sizeof(line)));
    assert_string_equal(line, expected);
}

static void expect_end(int fd)
{
    char byte;
    assert_int_equal(recv(fd, &byte, 1, 0), 0);
}

static void test_lines_come_and_go_whole(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_client_unix(rig);
    net_client_say(fd, "{\"a\":1}\n\nthr");
    expect_line(fd, "{\"a\":1}");
    expect_line(fd, "");
    net_client_say(fd, "ee\n");
    expect_line(fd, "three");
    assert_int_equal(rig->last_pid, getpid());
    struct stat stat_buf;
    assert_int_equal(stat(rig->path, &stat_buf), 0);
    assert_int_equal(stat_buf.st_mode & 0777, 0600);
    close(fd);
    net_rig_await(rig, "closed 1");
}

static void test_an_end_is_told_and_the_client_may_still_read(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_client_unix(rig);
    net_client_say(fd, "one\ntwo");
    shutdown(fd, SHUT_WR);
    net_rig_await(rig, "end 1");
    assert_true(net_rig_has(rig, "message 1 3 two\nend 1"));
    expect_line(fd, "one");
    expect_line(fd, "two");
    net_send(rig->listener, 1, "later", 5, NET_REPLY);
    expect_line(fd, "later");
    net_close(rig->listener, 1, 1000, "done");
    expect_end(fd);
    net_rig_await(rig, "closed 1");
    close(fd);
}

static void test_an_end_closes_where_nobody_asks_for_it(void **state)
{
    struct net_rig *rig = *state;
    rig->ends = false;
    start(rig);
    int fd = net_client_unix(rig);
    net_client_say(fd, "one\n");
    shutdown(fd, SHUT_WR);
    expect_line(fd, "one");
    expect_end(fd);
    close(fd);
}

static void test_broken_utf8_closes(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_client_unix(rig);
    net_client_say(fd, "fine \xC3\xA9\n");
    expect_line(fd, "fine \xC3\xA9");
    net_client_say(fd, "\xC3(\n");
    expect_end(fd);
    assert_int_equal(net_rig_count(rig, "message"), 1);
    close(fd);
}

static void test_a_line_that_is_too_long_closes(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    options.limits.max_message = 1000;
    net_rig_listen(rig, &options);
    CLEANUP_FREE char *text = xcalloc(1, 2001);
    for (int is_whole = 0; is_whole <= 1; is_whole++) {
        memset(text, 'x', 1001);
        text[1001] = is_whole ? '\n' : '\0';
        int fd = net_client_unix(rig);
        text[1000] = '\n';
        net_client_write(fd, text, 1001);
        char line[1200];
        assert_true(net_client_read_line(fd, line, sizeof(line)));
        assert_int_equal(strlen(line), 1000);
        text[1000] = 'x';
        net_client_write(fd, text, is_whole ? 1002 : 1001);
        assert_true(recv(fd, line, 1, 0) <= 0);
        close(fd);
    }
    net_rig_await(rig, "closed 2");
}

/* 100 lines at once, of which 20 pass and the rest follow at 200 a second; none is lost. */
static void test_a_client_that_is_too_fast_is_slowed_down(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    options.limits.rate = 200;
    options.limits.burst = 20;
    net_rig_listen(rig, &options);
    int fd = net_client_unix(rig);
    int64_t from_ms = clock_monotonic_ms();
    for (int i = 0; i < 100; i++) {
        char line[20];
        snprintf(line, sizeof(line), "line %d\n", i);
        net_client_say(fd, line);
    }
    shutdown(fd, SHUT_WR);
    for (int i = 0; i < 100; i++) {
        char line[20];
        snprintf(line, sizeof(line), "line %d", i);
        expect_line(fd, line);
    }
    net_rig_await(rig, "end 1");
    assert_true(clock_monotonic_ms() - from_ms >= 390);
    close(fd);
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

static void test_a_pause_keeps_what_comes(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int fd = net_client_unix(rig);
    net_client_say(fd, "one\n");
    expect_line(fd, "one");
    struct pause pause = { rig, true };
    loop_call(rig->loop, pause_on_loop, &pause);
    net_client_say(fd, "two\nthree\n");
    net_rig_settle(rig);
    assert_int_equal(net_rig_count(rig, "message"), 1);
    pause.is_paused = false;
    loop_call(rig->loop, pause_on_loop, &pause);
    expect_line(fd, "two");
    expect_line(fd, "three");
    close(fd);
}

/* More than a socket buffers, in both directions, while another client is served. */
static void test_a_long_line_does_not_hold_up_others(void **state)
{
    struct net_rig *rig = *state;
    enum { LONG = 40 << 20 };
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    options.limits.max_message = LONG;
    net_rig_listen(rig, &options);
    CLEANUP_FREE char *text = xmalloc(LONG + 1);
    memset(text, 'y', LONG);
    text[LONG] = '\n';
    int slow = net_client_unix(rig);
    int quick = net_client_unix(rig);
    net_client_write(slow, text, LONG + 1);
    net_rig_await(rig, "message 1 41943040");
    net_client_say(quick, "hello\n");
    expect_line(quick, "hello");
    CLEANUP_FREE char *answer = xmalloc(LONG + 1);
    assert_true(net_client_read(slow, answer, LONG + 1));
    assert_memory_equal(answer, text, LONG + 1);
    close(slow);
    close(quick);
}

static void test_a_reply_over_the_limit_closes_and_telemetry_is_dropped(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    options.limits.max_queue = 1 << 20;
    net_rig_listen(rig, &options);
    int fd = net_client_unix(rig);
    net_rig_await(rig, "open 1");
    CLEANUP_FREE char *text = xmalloc(10000);
    memset(text, 'z', 10000);
    for (int i = 0; i < 1000; i++) {
        int length = snprintf(text, 20, "%d", i);
        text[length] = 'z';
        net_send(rig->listener, 1, text, 10000, NET_TELEMETRY);
    }
    net_send(rig->listener, 1, "reply", 5, NET_REPLY);
    loop_flush(rig->loop);
    assert_false(net_rig_has(rig, "closed 1"));
    CLEANUP_FREE char *line = xmalloc(20000);
    int last = -1;
    int count = 0;
    for (;;) {
        assert_true(net_client_read_line(fd, line, 20000));
        if (strcmp(line, "reply") == 0) {
            break;
        }
        assert_true(atoi(line) > last);
        last = atoi(line);
        count++;
    }
    assert_int_equal(last, 999);
    assert_in_range(count, 50, 500);
    for (int i = 0; i < 1000; i++) {
        net_send(rig->listener, 1, text, 10000, NET_REPLY);
    }
    loop_flush(rig->loop);
    char rest[4096];
    while (recv(fd, rest, sizeof(rest), 0) > 0) {
    }
    net_rig_await(rig, "closed 1");
    close(fd);
}

static void test_too_many_clients_are_sent_away(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    options.limits.max_connections = 2;
    net_rig_listen(rig, &options);
    int first = net_client_unix(rig);
    int second = net_client_unix(rig);
    net_rig_await(rig, "open 2");
    int third = net_client_unix(rig);
    expect_end(third);
    close(third);
    close(first);
    net_rig_await(rig, "closed 1");
    int fourth = net_client_unix(rig);
    net_client_say(fourth, "hello\n");
    expect_line(fourth, "hello");
    close(second);
    close(fourth);
}

/* Between two meetings at the barrier the loop accepts no connection. */
static void wait_on_loop(void *data)
{
    pthread_barrier_wait(data);
    pthread_barrier_wait(data);
}

/* Clients without a descriptor are rejected instead of waiting forever. */
static void test_a_want_of_descriptors_passes(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    struct rlimit before, little;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    loop_post(rig->loop, wait_on_loop, &barrier);
    pthread_barrier_wait(&barrier);
    int fds[3];
    for (int i = 0; i < 3; i++) {
        fds[i] = net_client_unix(rig);
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    little = before;
    little.rlim_cur = (rlim_t)fds[2] + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &little), 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++) {
        expect_end(fds[i]);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    for (int i = 0; i < 3; i++) {
        close(fds[i]);
    }
    int fd = net_client_unix(rig);
    net_client_say(fd, "hello\n");
    expect_line(fd, "hello");
    close(fd);
    pthread_barrier_destroy(&barrier);
}

/* Another user with access to the directory and the socket. */
static void test_other_users_are_sent_away(void **state)
{
    struct net_rig *rig = *state;
    if (geteuid() != 0) {
        skip();
    }
    start(rig);
    assert_int_equal(chmod(rig->directory, 0755), 0);
    assert_int_equal(chmod(rig->path, 0666), 0);
    pid_t pid = fork();
    if (pid == 0) {
        enum { NOBODY = 65534 };
        char byte;
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        snprintf(address.sun_path, sizeof(address.sun_path), "%s", rig->path);
        int fd = setresuid(NOBODY, NOBODY, NOBODY) == 0 ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
        bool is_connected = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
        _exit(is_connected && recv(fd, &byte, 1, 0) == 0 ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_false(net_rig_has(rig, "open"));
}

static void test_who_says_nothing_is_closed(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    options.limits.idle_ms = 100;
    net_rig_listen(rig, &options);
    int fd = net_client_unix(rig);
    expect_end(fd);
    close(fd);
}

static void test_a_client_that_is_refused_is_closed(void **state)
{
    struct net_rig *rig = *state;
    rig->refuses = true;
    start(rig);
    int fd = net_client_unix(rig);
    expect_end(fd);
    assert_false(net_rig_has(rig, "closed"));
    close(fd);
}

/* A client that does not read cannot delay closing, and gets no further data. */
static void test_the_end_sends_what_waits_and_has_a_limit(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    int reader = net_client_unix(rig);
    int sleeper = net_client_unix(rig);
    net_rig_await(rig, "open 2");
    CLEANUP_FREE char *text = xmalloc(10 << 20);
    memset(text, 'w', 10 << 20);
    net_send(rig->listener, 1, "bye", 3, NET_REPLY);
    net_send(rig->listener, 2, text, 10 << 20, NET_REPLY);
    int64_t from_ms = clock_monotonic_ms();
    int limit_ms = NET_END_MS;
    net_listener_close(TAKE(rig->listener), limit_ms);
    assert_in_range(clock_monotonic_ms() - from_ms, limit_ms - 10, limit_ms + NET_SLACK_MS);
    expect_line(reader, "bye");
    expect_end(reader);
    assert_true(net_rig_has(rig, "closed 1") && net_rig_has(rig, "closed 2"));
    assert_int_equal(access(rig->path, F_OK), -1);
    close(reader);
    close(sleeper);
}

static void test_a_path_is_taken_over_only_from_the_dead(void **state)
{
    struct net_rig *rig = *state;
    struct br_error err = { 0 };
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", rig->path);
    int left = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(left, (struct sockaddr *)&address, sizeof(address)), 0);
    close(left);
    net_rig_listen(rig, &options);
    assert_null(net_listen(rig->loop, &options, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "another program listens"));
    int fd = net_client_unix(rig);
    net_client_say(fd, "hello\n");
    expect_line(fd, "hello");
    close(fd);
}

static void test_options_that_cannot_be_used_are_errors(void **state)
{
    struct net_rig *rig = *state;
    char path[200] = "/tmp/";
    memset(path + 5, 'p', sizeof(path) - 6);
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    struct br_error err = { 0 };
    options.unix_path = path;
    assert_null(net_listen(rig->loop, &options, &err));
    assert_non_null(strstr(err.message, "199"));
    options.unix_path = NULL;
    assert_null(net_listen(rig->loop, &options, &err));
    options.unix_path = "/nonexistent/socket";
    assert_null(net_listen(rig->loop, &options, &err));
    options.unix_path = rig->path;
    options.limits.max_queue = 0;
    assert_null(net_listen(rig->loop, &options, &err));
    options.limits.max_queue = 1;
    options.fds[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    options.fd_count = 1;
    assert_null(net_listen(rig->loop, &options, &err));
    assert_non_null(strstr(err.message, "not a listening stream socket"));
}

static void test_a_socket_that_listens_is_inherited(void **state)
{
    struct net_rig *rig = *state;
    struct net_listener_options options = net_rig_options(rig, NET_LINES);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", rig->path);
    options.fds[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    options.fd_count = 1;
    assert_int_equal(bind(options.fds[0], (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(options.fds[0], 5), 0);
    net_rig_listen(rig, &options);
    int fd = net_client_unix(rig);
    net_client_say(fd, "hello\n");
    expect_line(fd, "hello");
    close(fd);
    net_listener_close(TAKE(rig->listener), 1000);
    assert_int_equal(unlink(rig->path), 0);
}

static void test_many_clients_come_and_go(void **state)
{
    struct net_rig *rig = *state;
    start(rig);
    for (int round = 0; round < 10; round++) {
        int fds[20];
        for (int i = 0; i < 20; i++) {
            fds[i] = net_client_unix(rig);
            net_client_say(fds[i], "hello\n");
        }
        for (int i = 0; i < 20; i++) {
            expect_line(fds[i], "hello");
            close(fds[i]);
        }
    }
    net_rig_await(rig, "closed 200");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_lines_come_and_go_whole),
        TEST(test_an_end_is_told_and_the_client_may_still_read),
        TEST(test_an_end_closes_where_nobody_asks_for_it),
        TEST(test_broken_utf8_closes),
        TEST(test_a_line_that_is_too_long_closes),
        TEST(test_a_client_that_is_too_fast_is_slowed_down),
        TEST(test_a_pause_keeps_what_comes),
        TEST(test_a_long_line_does_not_hold_up_others),
        TEST(test_a_reply_over_the_limit_closes_and_telemetry_is_dropped),
        TEST(test_too_many_clients_are_sent_away),
        TEST(test_a_want_of_descriptors_passes),
        TEST(test_other_users_are_sent_away),
        TEST(test_who_says_nothing_is_closed),
        TEST(test_a_client_that_is_refused_is_closed),
        TEST(test_the_end_sends_what_waits_and_has_a_limit),
        TEST(test_a_path_is_taken_over_only_from_the_dead),
        TEST(test_options_that_cannot_be_used_are_errors),
        TEST(test_a_socket_that_listens_is_inherited),
        TEST(test_many_clients_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
