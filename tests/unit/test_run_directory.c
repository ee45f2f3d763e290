#include "profiles/run_directory.h"

#include "profiles/tree.h"
#include "runner/base/platform.h"
#include "tests/unit/profile_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct run_directory *run_create(bool with_profile)
{
    struct br_error err;
    char *notice = NULL;
    struct run_directory *run = run_directory_create(with_profile, &notice, &err);
    assert_non_null(run);
    assert_null(notice);
    return run;
}

static void run_end(struct run_directory *run)
{
    struct br_error err;
    assert_true(run_directory_remove(run, deadline_in_ms(slow_ms(20000)), &err));
    run_directory_destroy(run);
}

/* Makes a run directory, which sweeps; returns the notice. Caller frees. */
static char *sweep(void)
{
    struct br_error err;
    char *notice = NULL;
    struct run_directory *run = run_directory_create(false, &notice, &err);
    assert_non_null(run);
    run_end(run);
    return notice;
}

static void test_run_directory_when_created(void **state)
{
    struct place *place = *state;
    struct stat info;
    size_t descriptors = open_descriptors();
    struct run_directory *run = run_create(true);
    CLEANUP_FREE char *expected =
        xasprintf("%s/browser-runner-%u-%d-%" PRIu64 "-", place->tmp, (unsigned int)geteuid(),
                  (int)getpid(), platform_process_start_time(getpid()));
    CLEANUP_FREE char *path = xstrdup(run_directory_path(run));
    assert_int_equal(strncmp(path, expected, strlen(expected)), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    assert_true(exists(path, "tmp"));
    assert_true(exists(path, "profile"));
    assert_string_equal(strrchr(run_directory_tmp(run), '/'), "/tmp");
    assert_string_equal(strrchr(run_directory_profile(run), '/'), "/profile");
    write_file(run_directory_profile(run), "Cookies", 1);

    struct run_directory *second = run_create(false);
    assert_null(run_directory_profile(second));
    assert_true(exists(run_directory_profile(run), "Cookies"));
    run_end(second);

    run_end(run);
    assert_int_not_equal(stat(path, &info), 0);
    assert_int_equal(open_descriptors(), descriptors);
}

static void test_run_directory_when_tmpdir_is_unusable(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char *notice = NULL;
    const char *missing = "/nowhere";
    setenv("TMPDIR", missing, 1);
    assert_null(run_directory_create(false, &notice, &err));
    assert_null(notice);
    assert_non_null(strstr(err.message, missing));
    assert_non_null(strstr(err.hint, "TMPDIR"));
    assert_style(err.message);
    assert_style(err.hint);

    /* Too long for Chrome's socket in it. */
    CLEANUP_FREE char *long_base =
        xasprintf("%s/a-directory-with-a-name-that-leaves-no-room-for-sockets", place->root);
    make_tree(long_base);
    setenv("TMPDIR", long_base, 1);
    struct run_directory *run = run_directory_create(false, &notice, &err);
    free(notice);
    assert_non_null(run);
    assert_int_equal(strncmp(run_directory_path(run), "/tmp/browser-runner-", 20), 0);
    assert_true(strlen(run_directory_tmp(run)) +
                    strlen("/org.chromium.Chromium.XXXXXX/SingletonSocket") <
                108);
    run_end(run);
}

static void test_clear_tmp_between_two_browsers(void **state)
{
    (void)state;
    struct br_error err;
    struct run_directory *run = run_create(true);
    CLEANUP_FREE char *left = xasprintf("%s/org.chromium.Chromium.a", run_directory_tmp(run));
    make_tree(left);
    write_file(left, "SingletonSocket", 1);
    write_file(run_directory_tmp(run), ".org.chromium.Chromium.b", 1);
    write_file(run_directory_profile(run), "Cookies", 1);
    assert_true(run_directory_record(run, getpid(), run_directory_profile(run), &err));
    run_directory_clear_tmp(run);
    assert_true(exists(run_directory_profile(run), "Cookies"));
    assert_true(exists(run_directory_path(run), "browser"));
    assert_int_equal(rmdir(run_directory_tmp(run)), 0);
    run_directory_clear_tmp(run);
    run_end(run);
}

/* Makes a run directory by name, with a file in it; returns the name. Caller frees. */
static char *make_run(const struct place *place, unsigned int uid, int pid, uint64_t start_time)
{
    static int count = 0;
    char *name =
        xasprintf("browser-runner-%u-%d-%" PRIu64 "-abcd%02d", uid, pid, start_time, count++ % 100);
    CLEANUP_FREE char *tmp = xasprintf("%s/%s/tmp/org.chromium.Chromium.a", place->tmp, name);
    make_tree(tmp);
    write_file(tmp, "SingletonCookie", 1);
    return name;
}

static void test_sweep_takes_the_dead_only(void **state)
{
    struct place *place = *state;
    unsigned int uid = geteuid();
    pid_t living = process_start(place, &(struct process_options){ .name = "sh" });
    uint64_t start_time = platform_process_start_time(living);
    CLEANUP_FREE char *of_living = make_run(place, uid, living, start_time);
    CLEANUP_FREE char *of_reused_pid = make_run(place, uid, living, start_time - 1);
    CLEANUP_FREE char *of_dead = make_run(place, uid, dead_pid(place), 1);
    CLEANUP_FREE char *of_other_user = make_run(place, uid + 1, dead_pid(place), 1);
    CLEANUP_FREE char *locked = make_run(place, uid, dead_pid(place), 1);
    CLEANUP_FREE char *locked_path = xasprintf("%s/%s", place->tmp, locked);
    int fd = open(locked_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    CLEANUP_FREE char *outside = xasprintf("%s/outside", place->root);
    CLEANUP_FREE char *link = xasprintf("browser-runner-%u-%d-1-abcdef", uid, dead_pid(place));
    make_tree(outside);
    write_file(outside, "kept", 1);
    make_link(outside, place->tmp, link);
    write_file(place->tmp, "browser-runner-notes", 1);

    assert_null(sweep());
    process_end(place, living);
    close(fd);
    assert_true(exists(place->tmp, of_living));
    assert_false(exists(place->tmp, of_reused_pid));
    assert_false(exists(place->tmp, of_dead));
    assert_true(exists(place->tmp, of_other_user));
    assert_true(exists(place->tmp, locked));
    assert_true(exists(outside, "kept"));
    assert_true(exists(place->tmp, "browser-runner-notes"));

    assert_null(sweep());
    assert_false(exists(place->tmp, of_living));
    assert_false(exists(place->tmp, locked));
}

static char *record_text(const struct run_directory *run)
{
    CLEANUP_FREE char *path = xasprintf("%s/browser", run_directory_path(run));
    char text[8192] = "";
    FILE *file = fopen(path, "re");
    if (!file) {
        return NULL;
    }
    size_t length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    return xstrndup(text, length);
}

static void test_record_names_the_browser(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct run_directory *run = run_create(false);
    assert_true(run_directory_record(run, dead_pid(place), place->profile, &err));
    assert_null(record_text(run));

    for (size_t i = 0; i < 2; i++) {
        pid_t pid = process_start(place, &(struct process_options){ .name = "sh" });
        assert_true(run_directory_record(run, pid, place->profile, &err));
        CLEANUP_FREE char *text = record_text(run);
        CLEANUP_FREE char *expected = xasprintf("%d %" PRIu64 "\n%s", (int)pid,
                                                platform_process_start_time(pid), place->profile);
        assert_string_equal(text, expected);
        assert_false(exists(run_directory_path(run), "browser.new"));
        process_end(place, pid);
    }

    CLEANUP_FREE char *path = xasprintf("%s/browser.new", run_directory_path(run));
    make_tree(path);
    assert_false(run_directory_record(run, getpid(), place->profile, &err));
    assert_non_null(strstr(err.message, path));
    assert_style(err.message);
    run_end(run);
}

/* Makes the run directory of a dead runner with that record; returns its name. Caller frees. */
static char *make_abandoned(struct place *place, const void *record, size_t length)
{
    char *name = make_run(place, geteuid(), dead_pid(place), 1);
    CLEANUP_FREE char *path = xasprintf("%s/%s/browser", place->tmp, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(record, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return name;
}

static char *record_of(pid_t pid, uint64_t start_time, const char *profile)
{
    return xasprintf("%d %" PRIu64 "\n%s", (int)pid, start_time, profile);
}

/* As make_abandoned, with a correct record of the process. */
static char *make_orphan(struct place *place, pid_t pid, const char *profile)
{
    CLEANUP_FREE char *record = record_of(pid, platform_process_start_time(pid), profile);
    return make_abandoned(place, record, strlen(record));
}

static bool is_running(pid_t pid)
{
    siginfo_t info = { 0 };
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

static void test_sweep_ends_an_orphan_with_its_group(void **state)
{
    struct place *place = *state;
    /* As a subreaper we inherit the orphan's children, and can see how they ended. */
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    make_tree(place->profile);
    make_link(place->profile, place->root, "link");
    CLEANUP_FREE char *link = xasprintf("%s/link", place->root);
    CLEANUP_FREE char *by_link = directory_switch(link);
    CLEANUP_FREE char *ready = xasprintf("%s/ready", place->root);
    CLEANUP_FREE char *script = xasprintf("sleep 1000 & : > %s; " STOPPED, ready);
    pid_t pid = process_start(place, &(struct process_options){
                                         .script = script,
                                         .argument = by_link,
                                         .is_leader = true,
                                     });
    struct deadline end = deadline_in_ms(slow_ms(20000));
    while (!exists(place->root, "ready") && !deadline_passed(end)) {
        usleep(1000);
    }
    assert_true(exists(place->root, "ready"));
    CLEANUP_FREE char *name = make_orphan(place, pid, place->profile);
    size_t descriptors = open_descriptors();
    CLEANUP_FREE char *notice = sweep();
    CLEANUP_FREE char *expected =
        xasprintf("ended process %d, a browser whose runner was gone", (int)pid);
    assert_non_null(notice);
    assert_string_equal(notice, expected);
    assert_int_equal(open_descriptors(), descriptors);
    assert_false(exists(place->tmp, name));
    int status = process_reap(place, pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    end = deadline_in_ms(slow_ms(20000));
    pid_t member = 0;
    while ((member = waitpid(-pid, &status, WNOHANG)) == 0 && !deadline_passed(end)) {
        usleep(1000);
    }
    kill(-pid, SIGTERM);
    assert_true(member > 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* In a process group with others: those must not be killed, or this test would die, too. */
static void test_sweep_ends_an_orphan_without_a_group(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){ .argument = ours });
    pid_t other = process_start(place, &(struct process_options){ .argument = ours });
    assert_int_equal(getpgid(pid), getpgrp());
    CLEANUP_FREE char *name = make_orphan(place, pid, place->profile);
    CLEANUP_FREE char *notice = sweep();
    assert_non_null(notice);
    assert_false(exists(place->tmp, name));
    int status = process_reap(place, pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_true(is_running(other));
}

static void test_sweep_ends_several_orphans(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pids[8];
    for (size_t i = 0; i < COUNT(pids); i++) {
        pids[i] = process_start(place, &(struct process_options){
                                           .argument = ours,
                                           .is_leader = true,
                                       });
        free(make_orphan(place, pids[i], place->profile));
    }
    int64_t begin_ms = clock_monotonic_ms();
    CLEANUP_FREE char *notice = sweep();
    /* They share the grace time of 1.5 s. */
    assert_true(clock_monotonic_ms() - begin_ms < 1500 + slow_ms(4000));
    assert_style(notice);
    for (size_t i = 0; i < COUNT(pids); i++) {
        CLEANUP_FREE char *part = xasprintf("ended process %d, ", (int)pids[i]);
        assert_non_null(strstr(notice, part));
        process_reap(place, pids[i]);
    }
    size_t joints = 0;
    for (const char *at = notice; (at = strstr(at, "; ")); at++) {
        joints++;
    }
    assert_int_equal(joints, COUNT(pids) - 1);
}

/* A Chrome whose runner was just killed writes its profile and ends by itself. */
static void test_sweep_lets_a_browser_end_by_itself(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){
                                         .script = "sleep 0.1; exit 42",
                                         .argument = ours,
                                         .is_leader = true,
                                     });
    CLEANUP_FREE char *name = make_orphan(place, pid, place->profile);
    assert_null(sweep());
    assert_false(exists(place->tmp, name));
    int status = process_reap(place, pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 42);
}

/* A temporary profile is not worth waiting for. */
static void test_sweep_ends_a_temporary_browser_at_once(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *name = make_run(place, geteuid(), dead_pid(place), 1);
    CLEANUP_FREE char *profile = xasprintf("%s/%s/profile", place->tmp, name);
    CLEANUP_FREE char *record_path = xasprintf("%s/%s/browser", place->tmp, name);
    CLEANUP_FREE char *its = directory_switch(profile);
    make_tree(profile);
    /* Within the usual grace time it would end by itself. */
    pid_t pid = process_start(place, &(struct process_options){
                                         .script = "sleep 1.3; exit 42",
                                         .argument = its,
                                         .is_leader = true,
                                     });
    FILE *file = fopen(record_path, "we");
    assert_non_null(file);
    fprintf(file, "%d %" PRIu64 "\n%s", (int)pid, platform_process_start_time(pid), profile);
    fclose(file);
    CLEANUP_FREE char *notice = sweep();
    assert_non_null(notice);
    assert_false(exists(place->tmp, name));
    int status = process_reap(place, pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_sweep_spares_other_processes(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    CLEANUP_FREE char *longer = xasprintf("%s2", ours);
    CLEANUP_FREE char *spaced = xasprintf("--flag %s", ours);
    const struct {
        const char *argument;
        int later; /* ticks by which the recorded start time differs */
    } cases[] = {
        { ours, 1 },        { ours, -1 },  { "--user-data-dir=/tmp", 0 }, { longer, 0 },
        { "--lang=de", 0 }, { spaced, 0 }, { place->profile, 0 },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t pid = process_start(place, &(struct process_options){
                                             .argument = cases[i].argument,
                                             .is_leader = true,
                                         });
        uint64_t start_time = platform_process_start_time(pid) + (uint64_t)(int64_t)cases[i].later;
        CLEANUP_FREE char *record = record_of(pid, start_time, place->profile);
        CLEANUP_FREE char *name = make_abandoned(place, record, strlen(record));
        assert_null(sweep());
        assert_true(is_running(pid));
        assert_false(exists(place->tmp, name));
        process_end(place, pid);
    }
}

/* The record of a living runner is ignored. */
static void test_sweep_spares_the_browsers_of_living_runners(void **state)
{
    struct place *place = *state;
    struct br_error err;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){
                                         .argument = ours,
                                         .is_leader = true,
                                     });
    struct run_directory *run = run_create(false);
    assert_true(run_directory_record(run, pid, place->profile, &err));
    assert_null(sweep());
    assert_true(is_running(pid));
    run_end(run);
}

static void test_sweep_ignores_malformed_records(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){
                                         .argument = ours,
                                         .is_leader = true,
                                     });
    unsigned long long start = platform_process_start_time(pid);
    const char *profile = place->profile;
    /* A relative path would refer to the profile, too. */
    make_tree(profile);
    assert_int_equal(chdir("/"), 0);
    CLEANUP_FREE char *fine = record_of(pid, start, profile);
    CLEANUP_FREE char *blanks = xasprintf("%*s%s", 6000, "", fine);
    CLEANUP_FREE char *long_path = xasprintf("%d %llu\n/%*s%s", (int)pid, start, 6000, "", profile);
    char *records[] = {
        xstrdup(""),
        xstrdup("x"),
        xasprintf("%d", (int)pid),
        xasprintf("%d %llu", (int)pid, start),
        xasprintf("%d %llu\n", (int)pid, start),
        xasprintf("%d %llu %s", (int)pid, start, profile),
        xasprintf("%d %llu\n%s", (int)pid, start, profile + 1),
        xasprintf("%d %llu\n%s\n", (int)pid, start, profile),
        xasprintf("%d %llux\n%s", (int)pid, start, profile),
        xasprintf("-%d %llu\n%s", (int)pid, start, profile),
        xasprintf("-1 %llu\n%s", start, profile),
        xasprintf("0 %llu\n%s", start, profile),
        xasprintf("1 %llu\n%s", start, profile),
        xasprintf("%d 0\n%s", (int)pid, profile),
        xasprintf("99999999999999999999 %llu\n%s", start, profile),
        xasprintf("%d 99999999999999999999999\n%s", (int)pid, profile),
        xstrdup(blanks),
        xstrdup(long_path),
    };
    for (size_t i = 0; i < COUNT(records); i++) {
        CLEANUP_FREE char *name = make_abandoned(place, records[i], strlen(records[i]));
        assert_null(sweep());
        assert_true(is_running(pid));
        assert_false(exists(place->tmp, name));
        free(records[i]);
    }
    /* With a NUL at the end. */
    CLEANUP_FREE char *with_nul = make_abandoned(place, fine, strlen(fine) + 1);
    assert_null(sweep());
    assert_true(is_running(pid));
    assert_false(exists(place->tmp, with_nul));
}

/* They are neither followed nor waited for. */
static void test_sweep_ignores_records_that_are_no_files(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){
                                         .argument = ours,
                                         .is_leader = true,
                                     });
    CLEANUP_FREE char *fine = record_of(pid, platform_process_start_time(pid), place->profile);
    CLEANUP_FREE char *outside = xasprintf("%s/outside", place->root);
    FILE *file = fopen(outside, "we");
    assert_non_null(file);
    fputs(fine, file);
    fclose(file);
    enum { LINK, FIFO, DIRECTORY, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        CLEANUP_FREE char *name = make_run(place, geteuid(), dead_pid(place), 1);
        CLEANUP_FREE char *path = xasprintf("%s/%s/browser", place->tmp, name);
        int result = kind == LINK   ? symlink(outside, path)
                     : kind == FIFO ? mkfifo(path, 0600)
                                    : mkdir(path, 0700);
        assert_int_equal(result, 0);
        assert_null(sweep());
        assert_true(is_running(pid));
        assert_false(exists(place->tmp, name));
    }
    assert_true(exists(place->root, "outside"));
}

/* Two runners start at the same time: one of them ends the orphan, both continue. */
static void test_sweep_by_two_processes(void **state)
{
    enum { ENDED = 10, FOUND_NOTHING = 11 };
    struct place *place = *state;
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){
                                         .argument = ours,
                                         .is_leader = true,
                                     });
    CLEANUP_FREE char *name = make_orphan(place, pid, place->profile);
    pid_t children[2];
    for (size_t i = 0; i < COUNT(children); i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct br_error err;
            char *notice = NULL;
            struct run_directory *run = run_directory_create(false, &notice, &err);
            bool is_fine = run && run_directory_remove(run, deadline_in_ms(slow_ms(20000)), &err);
            _exit(!is_fine ? 1 : notice ? ENDED : FOUND_NOTHING);
        }
    }
    int sum = 0;
    for (size_t i = 0; i < COUNT(children); i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        sum += WEXITSTATUS(status);
    }
    assert_int_equal(sum, ENDED + FOUND_NOTHING);
    assert_false(exists(place->tmp, name));
    process_reap(place, pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_run_directory_when_created),
        PLACE_TEST(test_run_directory_when_tmpdir_is_unusable),
        PLACE_TEST(test_clear_tmp_between_two_browsers),
        PLACE_TEST(test_record_names_the_browser),
        PLACE_TEST(test_sweep_takes_the_dead_only),
        PLACE_TEST(test_sweep_ends_an_orphan_with_its_group),
        PLACE_TEST(test_sweep_ends_an_orphan_without_a_group),
        PLACE_TEST(test_sweep_ends_several_orphans),
        PLACE_TEST(test_sweep_lets_a_browser_end_by_itself),
        PLACE_TEST(test_sweep_ends_a_temporary_browser_at_once),
        PLACE_TEST(test_sweep_spares_other_processes),
        PLACE_TEST(test_sweep_spares_the_browsers_of_living_runners),
        PLACE_TEST(test_sweep_ignores_malformed_records),
        PLACE_TEST(test_sweep_ignores_records_that_are_no_files),
        PLACE_TEST(test_sweep_by_two_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
