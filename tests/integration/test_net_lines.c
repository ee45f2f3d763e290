/* What only lines over a Unix socket have; test_net.c has what they share with WebSockets. */
#include "tests/integration/net_rig.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_lines_come_and_go_whole(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_client_say(fd, "{\"a\":1}\n\nthr");
    net_rig_expect(rig, fd, "{\"a\":1}");
    net_rig_expect(rig, fd, "");
    net_client_say(fd, "ee\n");
    net_rig_expect(rig, fd, "three");
    assert_int_equal(rig->last_pid, getpid());
    struct stat stat_buf;
    assert_int_equal(stat(rig->path, &stat_buf), 0);
    assert_int_equal(stat_buf.st_mode & 0777, 0600);
    net_rig_leave(rig, fd);
    net_rig_await(rig, "closed 1");
}

static void test_an_end_is_told_and_the_client_may_still_read(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_client_say(fd, "one\ntwo");
    shutdown(fd, SHUT_WR);
    net_rig_await(rig, "end 1");
    assert_true(net_rig_has(rig, "message 1 3 two\nend 1"));
    net_rig_expect(rig, fd, "one");
    net_rig_expect(rig, fd, "two");
    net_send(rig->listener, 1, "later", 5, NET_REPLY);
    net_rig_expect(rig, fd, "later");
    net_close(rig->listener, 1, 1000, "done");
    net_rig_expect_end(rig, fd, 0);
    net_rig_await(rig, "closed 1");
}

static void test_an_end_closes_where_nobody_asks_for_it(void **state)
{
    struct net_rig *rig = *state;
    rig->options.handler.on_end = NULL;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_client_say(fd, "one\n");
    shutdown(fd, SHUT_WR);
    net_rig_expect(rig, fd, "one");
    net_rig_expect_end(rig, fd, 0);
}

static void test_broken_utf8_closes(void **state)
{
    struct net_rig *rig = *state;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_rig_expect_echo(rig, fd, "fine \xC3\xA9");
    net_rig_say(rig, fd, "\xC3(");
    net_rig_expect_end(rig, fd, 0);
    assert_int_equal(net_rig_count(rig, "message"), 1);
}

/* With its newline, and already without it. */
static void test_a_line_that_is_too_long_closes(void **state)
{
    struct net_rig *rig = *state;
    rig->options.limits.max_message = 1000;
    net_rig_listen(rig);
    for (int is_whole = 0; is_whole <= 1; is_whole++) {
        CLEANUP_FREE char *text = letters(1002, 'x');
        char byte;
        int fd = net_rig_open(rig);
        net_rig_expect_echo(rig, fd, text + 2);
        text[1001] = '\n';
        net_client_write(fd, text, is_whole ? 1002 : 1001);
        assert_true(recv(fd, &byte, 1, 0) <= 0);
    }
    net_rig_await(rig, "closed 2");
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
    net_rig_listen(rig);
    struct rlimit before, little;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    loop_post(rig->loop, wait_on_loop, &barrier);
    pthread_barrier_wait(&barrier);
    int fds[3];
    for (int i = 0; i < 3; i++) {
        fds[i] = net_rig_open(rig);
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    little = before;
    little.rlim_cur = (rlim_t)fds[2] + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &little), 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++) {
        net_rig_expect_end(rig, fds[i], 0);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    for (int i = 0; i < 3; i++) {
        net_rig_leave(rig, fds[i]);
    }
    int fd = net_rig_open(rig);
    net_rig_expect_echo(rig, fd, "hello");
    pthread_barrier_destroy(&barrier);
}

/* Another user with access to the directory and the socket. */
static void test_other_users_are_sent_away(void **state)
{
    struct net_rig *rig = *state;
    if (geteuid() != 0) {
        skip();
    }
    net_rig_listen(rig);
    assert_int_equal(chmod(rig->directory, 0755), 0);
    assert_int_equal(chmod(rig->path, 0666), 0);
    pid_t pid = fork();
    if (pid == 0) {
        enum { NOBODY = 65534 };
        char byte;
        struct sockaddr_un address = net_rig_address(rig);
        int fd = setresuid(NOBODY, NOBODY, NOBODY) == 0 ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
        bool is_connected = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
        _exit(is_connected && recv(fd, &byte, 1, 0) == 0 ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_false(net_rig_has(rig, "open"));
}

static void test_a_client_that_is_refused_is_closed(void **state)
{
    struct net_rig *rig = *state;
    rig->refuses = true;
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_rig_expect_end(rig, fd, 0);
    assert_false(net_rig_has(rig, "closed"));
}

/* A socket that is bound to the rig's path. */
static int bound_socket(const struct net_rig *rig)
{
    struct sockaddr_un address = net_rig_address(rig);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

static void test_a_path_is_taken_over_only_from_the_dead(void **state)
{
    struct net_rig *rig = *state;
    close(bound_socket(rig));
    net_rig_listen(rig);
    net_rig_expect_refusal(rig, "another program listens", "");
    int fd = net_rig_open(rig);
    net_rig_expect_echo(rig, fd, "hello");
}

static void test_options_that_cannot_be_used_are_errors(void **state)
{
    struct net_rig *rig = *state;
    char path[200] = "/tmp/";
    memset(path + 5, 'p', sizeof(path) - 6);
    rig->options.unix_path = path;
    net_rig_expect_refusal(rig, "199", "");
    rig->options.unix_path = NULL;
    net_rig_expect_refusal(rig, "", "");
    rig->options.unix_path = "/nonexistent/socket";
    net_rig_expect_refusal(rig, "", "");
    rig->options.unix_path = rig->path;
    rig->options.limits.max_queue = 0;
    net_rig_expect_refusal(rig, "", "");
    rig->options.limits.max_queue = 1;
    rig->options.fds[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    rig->options.fd_count = 1;
    net_rig_expect_refusal(rig, "not a listening stream socket", "");
}

static void test_a_socket_that_listens_is_inherited(void **state)
{
    struct net_rig *rig = *state;
    rig->options.fds[0] = bound_socket(rig);
    rig->options.fd_count = 1;
    assert_int_equal(listen(rig->options.fds[0], 5), 0);
    net_rig_listen(rig);
    int fd = net_rig_open(rig);
    net_rig_expect_echo(rig, fd, "hello");
    net_rig_leave(rig, fd);
    net_listener_close(TAKE(rig->listener), 1000);
    assert_int_equal(unlink(rig->path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_LINES(test_lines_come_and_go_whole),
        OVER_LINES(test_an_end_is_told_and_the_client_may_still_read),
        OVER_LINES(test_an_end_closes_where_nobody_asks_for_it),
        OVER_LINES(test_broken_utf8_closes),
        OVER_LINES(test_a_line_that_is_too_long_closes),
        OVER_LINES(test_a_want_of_descriptors_passes),
        OVER_LINES(test_other_users_are_sent_away),
        OVER_LINES(test_a_client_that_is_refused_is_closed),
        OVER_LINES(test_a_path_is_taken_over_only_from_the_dead),
        OVER_LINES(test_options_that_cannot_be_used_are_errors),
        OVER_LINES(test_a_socket_that_listens_is_inherited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
