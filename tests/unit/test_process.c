/* Chrome as a process, in unusual host programs; a shell stands for Chrome. */
#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/chrome/life.h"
#include "runner/chrome/process.h"
#include "tests/slowness.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_MS slow_ms(20000)

/* Chrome prints this whenever it crashes in a container. */
#define CRASHPAD                                                                                   \
    "[1126/155143.024801:ERROR:third_party/crashpad/crashpad/util/file/file_io_posix.cc:145] "     \
    "open /sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq: No such file or directory (2)"

struct rig {
    struct loop *loop;
    struct transport *transport;
    struct process *process;
    char directory[32];
};

static void rig_start(struct rig *rig, const char *script)
{
    struct br_error err;
    char shell[] = "/bin/sh";
    char option[] = "-c";
    CLEANUP_FREE char *text = xstrdup(script);
    char *const argv[] = { shell, option, text, NULL };
    snprintf(rig->directory, sizeof(rig->directory), "/tmp/br-process-XXXXXX");
    assert_non_null(mkdtemp(rig->directory));
    rig->loop = loop_create(true, &err);
    assert_non_null(rig->loop);
    rig->process = process_start(rig->loop, argv, rig->directory, &rig->transport, &err);
    if (!rig->process) {
        fail_msg("%s", err.message);
    }
}

static void rig_end(struct rig *rig)
{
    struct br_error err;
    rig->transport->ops->destroy(rig->transport);
    process_destroy(rig->process);
    loop_destroy(rig->loop);
    assert_true(tree_remove(rig->directory, deadline_in_ms(PATIENCE_MS), &err));
}

static void await_words(struct rig *rig, const char *last_words)
{
    struct deadline end = deadline_in_ms(PATIENCE_MS);
    bool has_come = false;
    while (!has_come && !deadline_passed(end)) {
        CLEANUP_FREE char *words = process_last_words(rig->process);
        has_come = strstr(words, last_words);
        sched_yield();
    }
    assert_true(has_come);
}

/* Returns the explanation of its end, after all its output has arrived. */
static struct br_error explain(struct rig *rig, const char *last_words)
{
    struct br_error err = { 0 };
    assert_true(process_wait(rig->process, deadline_in_ms(PATIENCE_MS)));
    assert_true(process_is_over(rig->process));
    await_words(rig, last_words);
    ending_explain(rig->process, "/profile", &err);
    return err;
}

static void test_start_without_an_environment(void **state)
{
    (void)state;
    extern char **environ;
    char **before = environ;
    struct rig rig;
    environ = NULL; /* the state after clearenv() */
    rig_start(&rig, "echo \"it is in $TMPDIR\" >&2; exit 3");
    environ = before;
    CLEANUP_FREE char *expected =
        xasprintf("Chrome ended with exit code 3: it is in %s", rig.directory);
    assert_string_equal(explain(&rig, "it is in").message, expected);
    rig_end(&rig);
}

/* If a host reaps all children itself, Chrome's exit status is unknown. */
static void test_end_when_the_host_ignores_its_children_is_unknown(void **state)
{
    (void)state;
    static const char *const scripts[] = { "echo 'a word' >&2; exit 3",
                                           "echo 'a word' >&2; kill -9 $$" };
    struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct sigaction before;
    assert_int_equal(sigaction(SIGCHLD, &ignored, &before), 0);
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        struct rig rig;
        rig_start(&rig, scripts[i]);
        struct br_error err = explain(&rig, "a word\n");
        assert_int_equal(err.code, BR_BROWSER_CRASHED);
        assert_string_equal(err.message, "Chrome ended with an unknown status: a word");
        assert_non_null(strstr(err.hint, "SIGCHLD"));
        rig_end(&rig);
    }
    assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
}

static void test_end_when_the_host_reaps_all_children_is_never_made_up(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig, "echo 'a word' >&2; read end <&3; exit 3");
    await_words(&rig, "a word\n");
    /* The host may reap the child before the loop sees its end, or after. */
    assert_int_equal(kill(process_pid(rig.process), SIGKILL), 0);
    while (waitpid(-1, NULL, WNOHANG) == 0 && !process_is_over(rig.process)) {
    }
    struct br_error err = explain(&rig, "a word\n");
    if (!strstr(err.message, "by signal 9") && !strstr(err.message, "unknown")) {
        fail_msg("%s", err.message);
    }
    rig_end(&rig);
}

/* A program at its limit of file descriptors cannot read what Chrome does. */
static void test_is_not_over_for_lack_of_descriptors(void **state)
{
    (void)state;
    struct rig rig;
    struct rlimit before;
    rig_start(&rig, "echo 'a word' >&2; read end <&3");
    await_words(&rig, "a word\n");
    int free_fd = dup(STDERR_FILENO);
    assert_true(free_fd >= 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    struct rlimit none_free = { .rlim_cur = (rlim_t)free_fd + 1, .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none_free), 0);
    int refused = dup(STDERR_FILENO);
    bool is_over = process_is_over(rig.process);
    struct platform_work work = process_work(rig.process, false);
    bool is_alive = platform_process_is_alive(getpid());
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    close(free_fd);
    assert_int_equal(refused, -1);
    assert_false(is_over);
    assert_true(is_alive);
    assert_true(work.is_incomplete);
    assert_false(process_work(rig.process, false).is_incomplete);
    rig_end(&rig);
}

/* Its parent is notified only when it has freed its memory. */
static void test_is_over_from_the_moment_it_is_killed(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig, "echo 'a word' >&2; read end <&3");
    await_words(&rig, "a word\n");
    assert_false(process_is_over(rig.process));
    assert_int_equal(kill(process_pid(rig.process), SIGKILL), 0);
    assert_true(process_is_over(rig.process));
    assert_true(process_wait(rig.process, deadline_in_ms(PATIENCE_MS)));
    rig_end(&rig);
}

static void test_last_words_leave_crashpad_out(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig,
              "printf 'the reason of it all\\n" CRASHPAD "\\n" CRASHPAD "\\n' >&2; kill -6 $$");
    assert_string_equal(explain(&rig, "(2)\n").message,
                        "Chrome ended by signal 6: the reason of it all");
    rig_end(&rig);
    rig_start(&rig, "printf '" CRASHPAD "\\n' >&2; kill -6 $$");
    assert_string_equal(explain(&rig, "(2)\n").message, "Chrome ended by signal 6");
    rig_end(&rig);
}

static void test_end_for_want_of_descriptors_has_its_hint(void **state)
{
    (void)state;
    static const char *const words[] = {
        "[9:9:ERROR:base/memory/platform_shared_memory_region_posix.cc:335] Creating shared memory "
        "in /dev/shm/.org.chromium.Chromium.NeE6py failed: Too many open files (24)",
        "[9:9:ERROR:base/posix/unix_domain_socket.cc:186] recvmsg returned MSG_CTRUNC flag, FD "
        "exhaustion?",
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct rig rig;
        CLEANUP_FREE char *script = xasprintf(
            "printf '%%s\\n' '%s' >&2; printf '" CRASHPAD "\\n' >&2; kill -6 $$", words[i]);
        rig_start(&rig, script);
        struct br_error err = explain(&rig, "(2)\n");
        if (!strstr(err.message, words[i]) || !strstr(err.hint, "ulimit -n")) {
            fail_msg("%s: %s", err.message, err.hint);
        }
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_without_an_environment),
        cmocka_unit_test(test_end_when_the_host_ignores_its_children_is_unknown),
        cmocka_unit_test(test_end_when_the_host_reaps_all_children_is_never_made_up),
        cmocka_unit_test(test_is_over_from_the_moment_it_is_killed),
        cmocka_unit_test(test_is_not_over_for_lack_of_descriptors),
        cmocka_unit_test(test_last_words_leave_crashpad_out),
        cmocka_unit_test(test_end_for_want_of_descriptors_has_its_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
