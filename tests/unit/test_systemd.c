#include "runner/cli/systemd.h"

#include "runner/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const variables[] = { "LISTEN_PID",    "LISTEN_FDS",    "LISTEN_FDNAMES",
                                         "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID" };
enum { VARIABLES = sizeof(variables) / sizeof(variables[0]), PID, FDS = 1, NAMES, NOTIFY };

/* "self" stands for our process id. */
static void set_environment(const char *const *values)
{
    char pid[24];
    snprintf(pid, sizeof(pid), "%ld", (long)getpid());
    for (size_t i = 0; i < VARIABLES; i++) {
        if (values[i]) {
            setenv(variables[i], strcmp(values[i], "self") == 0 ? pid : values[i], 1);
        } else {
            unsetenv(variables[i]);
        }
    }
}

static void expect_no_environment(void)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        assert_null(getenv(variables[i]));
    }
}

static void test_what_is_not_as_it_should_be(void **state)
{
    (void)state;
    static const struct {
        const char *values[VARIABLES];
        const char *message; /* NULL: fine, and without a socket */
    } cases[] = {
        { { NULL }, NULL },
        { { "self", NULL }, NULL },
        { { "self", "0", "" }, NULL },
        { { NULL, "1", "cdp" }, NULL },
        { { "1", "1", "cdp" }, NULL },
        { { "self1", "1", "cdp" }, NULL },
        { { "1", "nonsense" }, NULL },
        { { "self", "" }, "LISTEN_FDS is \"\"" },
        { { "self", "-1" }, "LISTEN_FDS is \"-1\"" },
        { { "self", "+1" }, "LISTEN_FDS is \"+1\"" },
        { { "self", "1x" }, "LISTEN_FDS is \"1x\"" },
        { { "self", " 1" }, "LISTEN_FDS is \" 1\"" },
        { { "self", "1025" }, "up to 1024" },
        { { "self", "99999999999999999999" }, "not a number" },
        { { "self", "2", "cdp" }, "1 names for 2 sockets" },
        { { "self", "1", "cdp:" }, "2 names for 1 sockets" },
        { { "self", "1000" }, "is not open" },
        { { NULL, NULL, NULL, "" }, NULL },
        { { NULL, NULL, NULL, "relative" }, "neither a path" },
        { { NULL, NULL, NULL, "vsock:2:1" }, "neither a path" },
        { { NULL, NULL, NULL,
            "/0123456789012345678901234567890123456789012345678901234567890123456789"
            "01234567890123456789012345678901234567890" },
          "at most 108 bytes" },
        { { NULL, NULL, NULL, NULL, "0" }, "WATCHDOG_USEC is \"0\"" },
        { { NULL, NULL, NULL, NULL, "soon" }, "WATCHDOG_USEC is \"soon\"" },
        { { NULL, NULL, NULL, NULL, "soon", "1" }, NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct systemd systemd;
        struct br_error err = { 0 };
        set_environment(cases[i].values);
        bool is_fine = systemd_init(&systemd, &err);
        expect_no_environment();
        if (is_fine == (cases[i].message != NULL) ||
            (cases[i].message && !strstr(err.message, cases[i].message))) {
            fail_msg("case %zu: %s", i, err.message);
        }
        if (is_fine) {
            assert_int_equal(systemd.socket_count, 0);
            assert_int_equal(systemd.watchdog_ms, 0);
        }
        /* A test's own descriptors are among those of the case with 1000. */
        for (size_t j = 0; j < systemd.socket_count; j++) {
            systemd.sockets[j].fd = -1;
        }
        systemd_finish(&systemd);
    }
}

static void test_watchdog(void **state)
{
    (void)state;
    static const struct {
        const char *us, *pid;
        int ms;
    } cases[] = {
        { "30000000", "self", 30000 },
        { "2000", NULL, 2 },
        { "1", NULL, 1 },
        { "9000000000000000", NULL, INT32_MAX },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct systemd systemd;
        struct br_error err = { 0 };
        set_environment(
            (const char *const[VARIABLES]){ NULL, NULL, NULL, NULL, cases[i].us, cases[i].pid });
        assert_true(systemd_init(&systemd, &err));
        assert_int_equal(systemd.watchdog_ms, cases[i].ms);
        systemd_finish(&systemd);
    }
}

/* Three descriptors from 3 on; whatever the test has there is kept elsewhere. */
enum { SOCKETS = 3 };

static void put_sockets(int *ret_kept)
{
    for (int i = 0; i < SOCKETS; i++) {
        ret_kept[i] = fcntl(3 + i, F_DUPFD_CLOEXEC, 100);
    }
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int high = fcntl(fd, F_DUPFD, 200);
    close(fd);
    for (int i = 0; i < SOCKETS; i++) {
        assert_int_equal(dup2(high, 3 + i), 3 + i);
    }
    close(high);
}

static void put_back(const int *kept)
{
    for (int i = 0; i < SOCKETS; i++) {
        if (kept[i] >= 0) {
            dup2(kept[i], 3 + i);
            close(kept[i]);
        } else {
            close(3 + i);
        }
    }
}

static void test_sockets_by_name(void **state)
{
    (void)state;
    static const char *const known[] = { "cdp", "actions", "brop", NULL };
    static const char *const served[] = { "cdp", "actions", NULL };
    static const struct {
        const char *names, *message, *hint;
    } cases[] = {
        { "cdp:actions:cdp", NULL, NULL },
        { "cdp:web:cdp", "\"web\", a socket of the service manager (descriptor 4)",
          "one of cdp, actions, brop" },
        { "cdp::cdp", "\"\", a socket of the service manager (descriptor 4)",
          "FileDescriptorName=" },
        { NULL, "\"unknown\", a socket", "FileDescriptorName=" },
        { "cdp:cdp:brop", "brop, which is not served", "--brop" },
        { "cdp:CDP:cdp", "\"CDP\", a socket", "one of" },
    };
    int kept[SOCKETS];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct systemd systemd;
        struct br_error err = { 0 };
        put_sockets(kept);
        set_environment((const char *const[VARIABLES]){ "self", "3", cases[i].names });
        assert_true(systemd_init(&systemd, &err));
        assert_int_equal(fcntl(5, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        bool is_fine = systemd_check_names(&systemd, known, served, &err);
        assert_int_equal(is_fine, !cases[i].message);
        if (cases[i].message &&
            (!strstr(err.message, cases[i].message) || !strstr(err.hint, cases[i].hint))) {
            fail_msg("%s: %s; %s", cases[i].names, err.message, err.hint);
        }
        if (is_fine) {
            struct net_listener_options cdp = NET_LISTENER_OPTIONS_INIT;
            struct net_listener_options brop = NET_LISTENER_OPTIONS_INIT;
            systemd_take(&systemd, "cdp", &cdp);
            systemd_take(&systemd, "brop", &brop);
            assert_int_equal(cdp.fd_count, 2);
            assert_int_equal(cdp.fds[0], 3);
            assert_int_equal(cdp.fds[1], 5);
            assert_int_equal(brop.fd_count, 0);
            close(3);
            close(5);
        }
        systemd_finish(&systemd);
        assert_int_equal(fcntl(4, F_GETFD), -1);
        put_back(kept);
    }
}

static void test_too_many_sockets_of_a_name(void **state)
{
    (void)state;
    static const char *const names[] = { "cdp", NULL };
    char name[] = "cdp";
    struct systemd_socket sockets[SOCKET_MAX + 1];
    struct systemd systemd = SYSTEMD_INIT;
    struct net_listener_options listener = NET_LISTENER_OPTIONS_INIT;
    struct br_error err = { 0 };
    for (int i = 0; i <= SOCKET_MAX; i++) {
        sockets[i] = (struct systemd_socket){ .fd = 100 + i, .name = name };
    }
    systemd.sockets = sockets;
    systemd.socket_count = SOCKET_MAX;
    assert_true(systemd_check_names(&systemd, names, names, &err));
    systemd.socket_count++;
    assert_false(systemd_check_names(&systemd, names, names, &err));
    assert_non_null(strstr(err.message, "more than 8 sockets for cdp"));
    systemd_take(&systemd, NULL, &listener);
    assert_int_equal(listener.fd_count, SOCKET_MAX);
}

/* A manager's socket: at a path, or abstract. */
static void hear(const char *name)
{
    char text[200] = "";
    struct systemd systemd;
    struct br_error err = { 0 };
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    memcpy(address.sun_path, name, strlen(name));
    address.sun_path[0] = *name == '@' ? '\0' : *name;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    set_environment((const char *const[VARIABLES]){ NULL, NULL, NULL, name });
    assert_true(systemd_init(&systemd, &err));
    systemd_notify(&systemd, "READY=1\nSTATUS=fine");
    assert_int_equal(recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT), 19);
    assert_string_equal(text, "READY=1\nSTATUS=fine");
    systemd_notify_reloading(&systemd);
    memset(text, 0, sizeof(text));
    assert_true(recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT) > 0);
    unsigned long long us = 0;
    assert_int_equal(sscanf(text, "RELOADING=1\nMONOTONIC_USEC=%llu", &us), 1);
    assert_true(us > 0);
    systemd_finish(&systemd);
    close(fd);
}

static void test_notify(void **state)
{
    (void)state;
    char directory[] = "/tmp/service-XXXXXX";
    assert_non_null(mkdtemp(directory));
    CLEANUP_FREE char *path = xasprintf("%s/notify", directory);
    CLEANUP_FREE char *abstract = xasprintf("@service-test-%ld", (long)getpid());
    hear(path);
    hear(abstract);
    unlink(path);
    rmdir(directory);
    struct systemd none = SYSTEMD_INIT;
    systemd_notify(&none, "READY=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_as_it_should_be),
        cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_sockets_by_name),
        cmocka_unit_test(test_too_many_sockets_of_a_name),
        cmocka_unit_test(test_notify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
