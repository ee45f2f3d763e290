/* The server of a suite: real processes, which are started, waited for and ended. */
#include "runner/checks/server.h"

#include "runner/base/clock.h"
#include "runner/base/file.h"
#include "runner/checks/server_guard.h"
#include "tests/slowness.h"

#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/test-server-XXXXXX";

/* Returns an unused port; it is not given to others for a while. */
static int free_port(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t length = sizeof(address);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    close(fd);
    return ntohs(address.sin_port);
}

/* Starts a server by a shell command in which $PORT is an unused port. */
struct rig {
    int port;
    char url[64];
    char *script;
    char *command[4];
    struct suite_server options;
};

static char shell[] = "/bin/sh", flag[] = "-c";

static struct rig rig_make(const char *scheme, const char *script)
{
    struct rig rig = { .port = free_port() };
    snprintf(rig.url, sizeof(rig.url), "%s://127.0.0.1:%d/", scheme, rig.port);
    rig.script = xasprintf("PORT=%d; %s", rig.port, script);
    return rig;
}

static struct suite_server *rig_options(struct rig *rig)
{
    rig->command[0] = shell;
    rig->command[1] = flag;
    rig->command[2] = rig->script;
    rig->options = (struct suite_server){
        .command = rig->command,
        .directory = directory,
        .url = rig->url,
        .timeout_ms = (int)slow_ms(20000),
    };
    return &rig->options;
}

/* Reads a process id from a file of the directory. */
static pid_t read_pid(const char *name)
{
    struct br_error err = { 0 };
    size_t size = 0;
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    CLEANUP_FREE char *text = file_read(path, 100, &size, &err);
    assert_non_null(text);
    unlink(path);
    return (pid_t)strtol(text, NULL, 10);
}

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

/* Returns whether it ends soon. */
static bool is_gone_soon(pid_t pid)
{
    struct deadline deadline = deadline_in_ms(slow_ms(10000));
    while (!is_gone(pid) && !deadline_passed(deadline)) {
        usleep(20 * 1000);
    }
    return is_gone(pid);
}

static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

#define SERVE "python3 -m http.server $PORT --bind 127.0.0.1"

static void test_a_server_is_ended_with_its_children(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "echo $$ > parent; " SERVE " & echo $! > child; wait");
    struct server *server = server_start(rig_options(&rig), -1, &err);
    assert_non_null(server);
    assert_false(server_is_reused(server));
    assert_true(server_check(server, &err));
    pid_t parent = read_pid("parent");
    pid_t child = read_pid("child");
    assert_false(is_gone(parent));
    assert_false(is_gone(child));
    server_stop(server);
    assert_no_children();
    assert_true(is_gone(parent));
    /* It now belongs to the reaper, not to us. */
    assert_true(is_gone_soon(child));
    free(rig.script);
}

/* Longer than the time between SIGTERM and SIGKILL, and until killed processes have ended. */
enum { STOPPED_MS = 15000 };

/* Forks twice and leaves the session, repeatedly: nothing links it to the server any more. */
#define DAEMON                                                                                     \
    "cat > daemon.py <<'END'\n"                                                                    \
    "import os, socket, sys, time, signal\n"                                                       \
    "if os.fork(): os._exit(0)\n"                                                                  \
    "os.setsid()\n"                                                                                \
    "if os.fork(): os._exit(0)\n"                                                                  \
    "os.setsid() if os.getpid() != os.getsid(0) else None\n"                                       \
    "os.environ.clear()\n"                                                                         \
    "for fd in (0, 1, 2): os.close(fd)\n"                                                          \
    "ask = lambda *_: os._exit(open('asked', 'w').write('1') * 0)\n"                               \
    "signal.signal(signal.SIGTERM, signal.SIG_IGN if sys.argv[1] == 'deaf' else ask)\n"            \
    "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()\n"                                  \
    "open('daemon', 'w').write(str(os.getpid()))\n"                                                \
    "time.sleep(600)\n"                                                                            \
    "END\n"                                                                                        \
    "env -i python3 daemon.py \"$HOW\"; until [ -s daemon ]; do sleep 0.05; done; "

static void remove_script(void)
{
    CLEANUP_FREE char *path = xasprintf("%s/daemon.py", directory);
    unlink(path);
}

static void test_what_has_left_its_session_is_ended(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool is_deaf; /* ignores SIGTERM: it is killed */
        bool is_ready;
    } cases[] = {
        { "HOW=; " DAEMON "exec " SERVE, false, true },
        { "HOW=deaf; " DAEMON "exec " SERVE, true, true },
        { "HOW=; " DAEMON "exit 3", false, false }, /* it ends by itself before it is ready */
        { "HOW=; " DAEMON "exec sleep 600", false, false }, /* it never becomes ready */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        struct rig rig = rig_make("http", cases[i].script);
        struct suite_server *options = rig_options(&rig);
        options->timeout_ms = (int)slow_ms(cases[i].is_ready ? 20000 : 3000);
        struct server *server = server_start(options, -1, &err);
        assert_int_equal(server != NULL, cases[i].is_ready);
        int64_t before_ms = clock_monotonic_ms();
        server_stop(server);
        assert_true(clock_monotonic_ms() - before_ms < slow_ms(STOPPED_MS));
        assert_true(is_gone_soon(read_pid("daemon")));
        if (!cases[i].is_deaf) {
            read_pid("asked"); /* SIGTERM was enough */
        }
        assert_no_children();
        remove_script();
        free(rig.script);
    }
}

static void test_an_early_end_is_told_with_the_last_output(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "echo first; printf '\\033[31mboom\\033[0m\\n' >&2; exit 3");
    int64_t before_ms = clock_monotonic_ms();
    assert_null(server_start(rig_options(&rig), -1, &err));
    assert_non_null(strstr(err.message, "ended with exit code 3"));
    assert_non_null(strstr(err.message, "first\nboom"));
    assert_true(clock_monotonic_ms() - before_ms < slow_ms(15000));
    assert_no_children();
    free(rig.script);
}

static void test_a_server_that_never_listens_is_a_timeout(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "echo warming up; echo $$ > pid; exec sleep 1000");
    struct suite_server *options = rig_options(&rig);
    options->timeout_ms = (int)slow_ms(2000);
    assert_null(server_start(options, -1, &err));
    assert_int_equal(err.code, BR_TIMEOUT);
    assert_non_null(strstr(err.message, "no server listens there"));
    assert_non_null(strstr(err.message, "warming up"));
    assert_true(is_gone(read_pid("pid")));
    assert_no_children();
    free(rig.script);
}

/* Answers every connection with the contents of the file `answer`. */
#define ANSWER                                                                                     \
    "exec python3 -c \"import socket,sys\n"                                                        \
    "s=socket.create_server(('127.0.0.1',$PORT))\n"                                                \
    "while True:\n"                                                                                \
    "  c=s.accept()[0]; c.recv(4096); c.sendall(b'%s'); c.close()\""

static void test_only_a_status_below_500_is_ready(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        bool is_ready;
        const char *message;
    } cases[] = {
        { "HTTP/1.1 404 Not Found\\r\\n\\r\\n", true, NULL },
        { "HTTP/1.0 302 Found\\r\\nLocation: /x\\r\\n\\r\\n", true, NULL },
        { "HTTP/1.1 503 Busy\\r\\n\\r\\n", false, "it answers with HTTP status 503" },
        { "SSH-2.0-x\\r\\n", false, "gives no answer of HTTP" },
        { "", false, "gives no answer of HTTP" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        CLEANUP_FREE char *script = xasprintf(ANSWER, cases[i].answer);
        struct rig rig = rig_make("http", script);
        struct suite_server *options = rig_options(&rig);
        options->timeout_ms = (int)slow_ms(cases[i].is_ready ? 20000 : 3000);
        struct server *server = server_start(options, -1, &err);
        assert_int_equal(server != NULL, cases[i].is_ready);
        if (!server) {
            assert_int_equal(err.code, BR_TIMEOUT);
            assert_non_null(strstr(err.message, cases[i].message));
        }
        server_stop(server);
        assert_no_children();
        free(rig.script);
    }
}

static void test_with_https_it_is_enough_that_it_listens(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("https", "exec " SERVE);
    struct server *server = server_start(rig_options(&rig), -1, &err);
    assert_non_null(server);
    server_stop(server);
    assert_no_children();
    free(rig.script);
}

static void test_a_taken_port_is_an_error_unless_it_may_be_reused(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "echo $$ > pid; exec " SERVE);
    struct server *first = server_start(rig_options(&rig), -1, &err);
    assert_non_null(first);
    pid_t pid = read_pid("pid");

    assert_null(server_start(&rig.options, -1, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.message, "a server already listens at http://127.0.0.1:"));
    assert_non_null(strstr(err.hint, "reuse"));

    rig.options.is_reused = true;
    struct server *second = server_start(&rig.options, -1, &err);
    assert_non_null(second);
    assert_true(server_is_reused(second));
    assert_true(server_check(second, &err));
    server_stop(second);
    assert_false(is_gone(pid));
    server_stop(first);
    assert_true(is_gone(pid));
    free(rig.script);
}

static void test_a_server_that_ends_later_is_told(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "echo $$ > pid; exec " SERVE);
    struct server *server = server_start(rig_options(&rig), -1, &err);
    assert_non_null(server);
    assert_int_equal(kill(read_pid("pid"), SIGKILL), 0);
    struct deadline deadline = deadline_in_ms(slow_ms(20000));
    while (server_check(server, &err) && !deadline_passed(deadline)) {
        usleep(20 * 1000);
    }
    assert_false(server_check(server, &err));
    assert_non_null(strstr(err.message, "the server ended by signal 9 while the checks ran"));
    server_stop(server);
    assert_no_children();
    free(rig.script);
}

static void test_an_interrupt_ends_the_wait(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "exec sleep 1000");
    int fd = eventfd(1, EFD_CLOEXEC);
    int64_t before_ms = clock_monotonic_ms();
    assert_null(server_start(rig_options(&rig), fd, &err));
    assert_non_null(strstr(err.message, "interrupted"));
    assert_true(clock_monotonic_ms() - before_ms < slow_ms(15000));
    assert_no_children();
    close(fd);
    free(rig.script);
}

static void test_much_output_holds_nobody_up(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "yes 'a line of output' | head -n 60000; echo the last one;"
                                      " exit 1");
    assert_null(server_start(rig_options(&rig), -1, &err));
    assert_non_null(strstr(err.message, "a line of output\nthe last one"));
    free(rig.script);
}

static void test_a_missing_program_is_told(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    char name[] = "no-such-program";
    char *command[] = { name, NULL };
    struct rig rig = rig_make("http", "");
    rig_options(&rig)->command = command;
    assert_null(server_start(&rig.options, -1, &err));
    assert_non_null(strstr(err.message, "cannot start the server no-such-program"));
    assert_no_children();
    free(rig.script);
}

static void test_who_ignores_sigterm_is_killed(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "trap '' TERM; echo $$ > pid; exec " SERVE);
    struct server *server = server_start(rig_options(&rig), -1, &err);
    assert_non_null(server);
    pid_t pid = read_pid("pid");
    int64_t before_ms = clock_monotonic_ms();
    server_stop(server);
    int64_t took_ms = clock_monotonic_ms() - before_ms;
    assert_true(took_ms >= 4900 && took_ms < slow_ms(15000));
    assert_true(is_gone(pid));
    assert_no_children();
    free(rig.script);
}

/* Without a free descriptor its end cannot be awaited as usual: it must be ended all the same. */
static void test_a_server_is_ended_without_a_free_descriptor(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rlimit before;
    struct rig rig = rig_make("http", "echo $$ > pid; exec " SERVE);
    struct server *server = server_start(rig_options(&rig), -1, &err);
    assert_non_null(server);
    pid_t pid = read_pid("pid");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = { 0, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool is_done = server_stop(server);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(is_gone_soon(pid));
    assert_true(is_done);
    assert_no_children();
    free(rig.script);
}

static void test_a_server_whose_guard_was_killed_may_go_on(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct rig rig = rig_make("http", "echo $PPID > guard; echo $$ > pid; exec " SERVE);
    struct server *server = server_start(rig_options(&rig), -1, &err);
    assert_non_null(server);
    pid_t pid = read_pid("pid");
    assert_int_equal(kill(read_pid("guard"), SIGKILL), 0);
    assert_false(server_stop(server));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_no_children();
    free(rig.script);
}

/* The runner of a server is killed, and cannot end what it started. */
static void be_killed(struct rig *rig)
{
    struct br_error err = { 0 };
    if (server_start(rig_options(rig), -1, &err)) {
        raise(SIGKILL);
    }
    _exit(1);
}

static void test_a_server_ends_when_its_runner_is_killed(void **state)
{
    (void)state;
    struct rig rig =
        rig_make("http", "HOW=; " DAEMON "echo $$ > parent; " SERVE " & echo $! > child; wait");
    int status = 0;
    pid_t runner = fork();
    if (runner == 0) {
        be_killed(&rig);
    }
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_true(is_gone_soon(read_pid("daemon")));
    remove_script();
    assert_true(is_gone_soon(read_pid("parent")));
    assert_true(is_gone_soon(read_pid("child")));
    free(rig.script);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(directory);
}

int main(int argc, char **argv)
{
    if (server_guard_is_wanted(argc, argv)) {
        return server_guard_run(argc, argv);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_server_ends_when_its_runner_is_killed),
        cmocka_unit_test(test_a_server_is_ended_with_its_children),
        cmocka_unit_test(test_what_has_left_its_session_is_ended),
        cmocka_unit_test(test_an_early_end_is_told_with_the_last_output),
        cmocka_unit_test(test_a_server_that_never_listens_is_a_timeout),
        cmocka_unit_test(test_only_a_status_below_500_is_ready),
        cmocka_unit_test(test_with_https_it_is_enough_that_it_listens),
        cmocka_unit_test(test_a_taken_port_is_an_error_unless_it_may_be_reused),
        cmocka_unit_test(test_a_server_that_ends_later_is_told),
        cmocka_unit_test(test_an_interrupt_ends_the_wait),
        cmocka_unit_test(test_much_output_holds_nobody_up),
        cmocka_unit_test(test_a_missing_program_is_told),
        cmocka_unit_test(test_who_ignores_sigterm_is_killed),
        cmocka_unit_test(test_a_server_is_ended_without_a_free_descriptor),
        cmocka_unit_test(test_a_server_whose_guard_was_killed_may_go_on),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
