#include "profiles/profile.h"
#include "profiles/run_directory.h"
#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A directory of the test's own, which HOME, XDG_CONFIG_HOME and TMPDIR lead to. */
struct place {
    char root[32];
    char *config;
    char *tmp;     /* the root itself: run directories have long names */
    char *profile; /* of a project "shop"; not created */
};

static int place_create(void **state)
{
    struct place *place = xcalloc(1, sizeof(*place));
    snprintf(place->root, sizeof(place->root), "/tmp/XXXXXX");
    assert_non_null(mkdtemp(place->root));
    place->config = xasprintf("%s/config", place->root);
    place->tmp = xstrdup(place->root);
    place->profile = xasprintf("%s/browser-runner/projects/shop/browser", place->config);
    setenv("HOME", place->root, 1);
    setenv("XDG_CONFIG_HOME", place->config, 1);
    setenv("TMPDIR", place->tmp, 1);
    *state = place;
    return 0;
}

static int place_destroy(void **state)
{
    struct br_error err;
    struct place *place = *state;
    assert_true(tree_remove(place->root, deadline_in_ms(2000), &err));
    free(place->config);
    free(place->tmp);
    free(place->profile);
    free(place);
    return 0;
}

static bool exists(const char *directory, const char *name)
{
    struct stat info;
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    return lstat(path, &info) == 0;
}

static void write_file(const char *directory, const char *name, size_t size)
{
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++) {
        fputc('x', file);
    }
    assert_int_equal(fclose(file), 0);
}

static void make_link(const char *target, const char *directory, const char *name)
{
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    assert_int_equal(symlink(target, path), 0);
}

static void make_tree(const char *path)
{
    struct br_error err;
    assert_true(tree_create(path, &err));
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

static void test_project_check_for_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_valid;
    } cases[] = {
        { "shop", true }, { "My.Shop_2-b", true }, { "...", true },
        { "", false },    { ".", false },          { "..", false },
        { "a/b", false }, { "a b", false },        { "\xc3\xa4", false },
    };
    struct br_error err;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(profile_project_check(cases[i].name, &err), cases[i].is_valid);
    }
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.hint, "100"));

    char name[PROFILE_PROJECT_MAX + 2];
    memset(name, 'a', sizeof(name));
    name[PROFILE_PROJECT_MAX + 1] = '\0';
    assert_false(profile_project_check(name, &err));
    name[PROFILE_PROJECT_MAX] = '\0';
    assert_true(profile_project_check(name, &err));
}

static void test_project_default_for_directories(void **state)
{
    (void)state;
    /* The hashes come from another implementation of FNV-1a. */
    static const struct {
        const char *directory;
        const char *project;
    } cases[] = {
        { "/home/me/shop", "shop-5485c6f1" },
        { "/", "project-2a0c975e" },
        { "/home/me/my shop (2)", "my-shop-2-fa696cac" },
        { "/srv/\xc3\x84", "project-b9d8061b" },
        { "/a/..b", "..b-6575ffa0" },
    };
    struct br_error err;
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *project = profile_project_default(cases[i].directory);
        assert_string_equal(project, cases[i].project);
        assert_true(profile_project_check(project, &err));
    }
    char directory[302] = "/";
    memset(directory + 1, 'x', 300);
    CLEANUP_FREE char *project = profile_project_default(directory);
    assert_true(profile_project_check(project, &err));
    assert_int_equal(strlen(project), PROFILE_PROJECT_MAX);
}

static void test_project_directory_by_environment(void **state)
{
    struct place *place = *state;
    struct br_error err;
    CLEANUP_FREE char *by_config = profile_project_directory("shop", &err);
    assert_string_equal(by_config, place->profile);

    setenv("XDG_CONFIG_HOME", "relative", 1);
    CLEANUP_FREE char *by_home = profile_project_directory("shop", &err);
    CLEANUP_FREE char *expected =
        xasprintf("%s/.config/browser-runner/projects/shop/browser", place->root);
    assert_string_equal(by_home, expected);

    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    assert_null(profile_project_directory("shop", &err));
    assert_non_null(strstr(err.message, "HOME"));
    assert_null(profile_project_directory("../shop", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

static void test_project_directory_of_the_working_directory(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char before[4096];
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(place->tmp), 0);
    CLEANUP_FREE char *directory = profile_project_directory(NULL, &err);
    CLEANUP_FREE char *relative = profile_directory_absolute("new/profile", &err);
    CLEANUP_FREE char *existing = profile_directory_absolute("/tmp/./../proc/..", &err);
    assert_int_equal(chdir(before), 0);

    CLEANUP_FREE char *project = profile_project_default(place->tmp);
    CLEANUP_FREE char *expected =
        xasprintf("%s/browser-runner/projects/%s/browser", place->config, project);
    CLEANUP_FREE char *expected_relative = xasprintf("%s/new/profile", place->tmp);
    assert_string_equal(directory, expected);
    assert_string_equal(relative, expected_relative);
    assert_string_equal(existing, "/");
    assert_null(profile_directory_absolute("", &err));
}

static void test_prepare_creates_private_directories(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct stat info;
    assert_true(profile_prepare(place->profile, &err));
    assert_true(profile_prepare(place->profile, &err));
    assert_int_equal(stat(place->profile, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    assert_int_equal(stat(place->config, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
}

static void test_prepare_when_a_file_is_in_the_way(void **state)
{
    struct place *place = *state;
    struct br_error err;
    write_file(place->root, "config", 1);
    assert_false(profile_prepare(place->profile, &err));
    assert_non_null(strstr(err.message, place->config));
    assert_non_null(strstr(err.hint, "--profile"));
}

/* Root may write everywhere: a child without its rights asks. */
static void test_prepare_when_not_writable(void **state)
{
    struct place *place = *state;
    make_tree(place->profile);
    assert_int_equal(chmod(place->root, 0755), 0);
    CLEANUP_FREE char *path = xasprintf("%s/readonly", place->root);
    assert_int_equal(mkdir(path, 0555), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct br_error err = { .code = BR_OK };
        bool has_rights = geteuid() != 0 || setuid(65534) == 0;
        bool is_refused = has_rights && !profile_prepare(path, &err) && strstr(err.message, path) &&
                          strstr(err.message, "Permission denied") && err.hint[0];
        _exit(is_refused ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* A stopped process with a command line as given; ended by process_end. */
static pid_t process_start(const char *name, const char *argument)
{
    char *argv[] = { (char *)name, (char *)"-c",     (char *)"kill -STOP $$",
                     (char *)"sh", (char *)argument, NULL };
    char *environment[] = { NULL };
    pid_t pid = 0;
    assert_int_equal(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environment), 0);
    /* Its arguments can be read from here on; right after posix_spawn they are empty at times. */
    int status = 0;
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
    return pid;
}

static void process_end(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static pid_t dead_pid(void)
{
    pid_t pid = process_start("sh", "x");
    process_end(pid);
    return pid;
}

static void lock_set(const struct place *place, const char *host, int pid)
{
    static const char *const names[] = { "SingletonLock", "SingletonSocket", "SingletonCookie" };
    CLEANUP_FREE char *target = xasprintf("%s-%d", host, pid);
    make_tree(place->profile);
    for (size_t i = 0; i < COUNT(names); i++) {
        CLEANUP_FREE char *path = xasprintf("%s/%s", place->profile, names[i]);
        unlink(path);
        make_link(i == 0 ? target : "/nowhere", place->profile, names[i]);
    }
}

static enum profile_lock_state lock_state(const struct place *place)
{
    struct br_error err;
    struct profile_lock lock;
    assert_true(profile_lock_inspect(place->profile, &lock, &err));
    return lock.state;
}

static const char *host_name(void)
{
    static char name[256];
    assert_true(platform_host_name(name, sizeof(name)));
    return name;
}

static void test_lock_of_living_processes(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = xasprintf("--user-data-dir=%s", place->profile);
    CLEANUP_FREE char *detour = xasprintf("--user-data-dir=%s/../browser", place->profile);
    const struct {
        const char *name;
        const char *argument;
        enum profile_lock_state state;
    } cases[] = {
        { "/usr/lib/chromium/chromium", ours, PROFILE_LOCK_HELD },
        { "sh", ours, PROFILE_LOCK_HELD },
        { "sh", detour, PROFILE_LOCK_HELD },
        { "chrome", "--user-data-dir=browser", PROFILE_LOCK_HELD },
        { "chrome", "--lang=de", PROFILE_LOCK_HELD },
        { "chrome", "--user-data-dir=/tmp", PROFILE_LOCK_STALE },
        { "/chrome/sh", "--user-data-dir=/tmp", PROFILE_LOCK_STALE },
        { "/chrome/sh", "--lang=de", PROFILE_LOCK_STALE },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t pid = process_start(cases[i].name, cases[i].argument);
        lock_set(place, host_name(), pid);
        enum profile_lock_state found = lock_state(place);
        process_end(pid);
        assert_int_equal(found, cases[i].state);
        assert_int_equal(lock_state(place), PROFILE_LOCK_STALE);
    }
}

static void test_lock_of_a_zombie(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *ours = xasprintf("--user-data-dir=%s", place->profile);
    pid_t pid = process_start("chrome", ours);
    siginfo_t info;
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    lock_set(place, host_name(), pid);
    assert_int_equal(lock_state(place), PROFILE_LOCK_STALE);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_lock_by_its_target(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct profile_lock lock;
    assert_true(profile_lock_inspect(place->profile, &lock, &err));
    assert_int_equal(lock.state, PROFILE_LOCK_NONE);

    static const struct {
        const char *target;
        enum profile_lock_state state;
        const char *host;
        int pid;
    } cases[] = {
        { "no-such-host-77", PROFILE_LOCK_OTHER_HOST, "no-such-host", 77 },
        { "nonsense", PROFILE_LOCK_STALE, "", 0 },
        { "host-", PROFILE_LOCK_STALE, "", 0 },
        { "host-12x", PROFILE_LOCK_STALE, "", 0 },
        { "host-0", PROFILE_LOCK_STALE, "", 0 },
        { "host-99999999999999999999", PROFILE_LOCK_STALE, "", 0 },
    };
    make_tree(place->profile);
    CLEANUP_FREE char *path = xasprintf("%s/SingletonLock", place->profile);
    for (size_t i = 0; i < COUNT(cases); i++) {
        make_link(cases[i].target, place->profile, "SingletonLock");
        assert_true(profile_lock_inspect(place->profile, &lock, &err));
        assert_int_equal(lock.state, cases[i].state);
        assert_string_equal(lock.host, cases[i].host);
        assert_int_equal(lock.pid, cases[i].pid);
        assert_int_equal(unlink(path), 0);
    }
    write_file(place->profile, "SingletonLock", 1);
    assert_int_equal(lock_state(place), PROFILE_LOCK_STALE);
}

static void test_prepare_removes_a_stale_lock(void **state)
{
    struct place *place = *state;
    struct br_error err;
    lock_set(place, host_name(), dead_pid());
    write_file(place->profile, "Cookies", 1);
    assert_true(profile_prepare(place->profile, &err));
    assert_false(exists(place->profile, "SingletonLock"));
    assert_false(exists(place->profile, "SingletonSocket"));
    assert_false(exists(place->profile, "SingletonCookie"));
    assert_true(exists(place->profile, "Cookies"));
}

static void test_prepare_when_in_use(void **state)
{
    struct place *place = *state;
    struct br_error err;
    CLEANUP_FREE char *ours = xasprintf("--user-data-dir=%s", place->profile);
    pid_t pid = process_start("chrome", ours);
    CLEANUP_FREE char *number = xasprintf("process %d", (int)pid);
    lock_set(place, host_name(), pid);
    bool is_prepared = profile_prepare(place->profile, &err);
    bool is_broken = profile_lock_break(place->profile, &err);
    process_end(pid);
    assert_false(is_prepared);
    assert_false(is_broken);
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_non_null(strstr(err.message, number));
    assert_non_null(strstr(err.hint, "--temp-profile"));
    assert_non_null(strstr(err.hint, "--project NAME"));
    assert_true(exists(place->profile, "SingletonSocket"));
}

static void test_prepare_when_another_host_has_it(void **state)
{
    struct place *place = *state;
    struct br_error err;
    lock_set(place, "elsewhere", 4711);
    assert_false(profile_prepare(place->profile, &err));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_non_null(strstr(err.message, "'elsewhere'"));
    assert_non_null(strstr(err.hint, "profile unlock"));
    assert_true(exists(place->profile, "SingletonLock"));

    assert_true(profile_lock_break(place->profile, &err));
    assert_false(exists(place->profile, "SingletonLock"));
    assert_true(profile_prepare(place->profile, &err));
}

static void test_list_and_remove(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct profile_list list;
    assert_true(profile_list_read(&list, &err));
    assert_int_equal(list.count, 0);
    profile_list_finish(&list);

    CLEANUP_FREE char *other = profile_project_directory("another", &err);
    CLEANUP_FREE char *none = xasprintf("%s/browser-runner/projects/empty", place->config);
    make_tree(other);
    make_tree(none);
    lock_set(place, "elsewhere", 4711);
    write_file(place->profile, "Local State", 100000);
    assert_true(profile_list_read(&list, &err));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.entries[0].project, "another");
    assert_int_equal(list.entries[0].last_used_ms, 0);
    assert_int_equal(list.entries[0].lock.state, PROFILE_LOCK_NONE);
    assert_string_equal(list.entries[1].project, "shop");
    assert_string_equal(list.entries[1].directory, place->profile);
    assert_true(list.entries[1].size_bytes >= 100000);
    assert_true(llabs(list.entries[1].last_used_ms - clock_wall_ms()) < 60000);
    assert_int_equal(list.entries[1].lock.state, PROFILE_LOCK_OTHER_HOST);
    profile_list_finish(&list);

    assert_false(profile_remove("shop", deadline_in_ms(2000), &err));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_false(profile_remove("anoter", deadline_in_ms(2000), &err));
    assert_string_equal(err.hint, "Did you mean 'another'?");
    assert_true(profile_remove("another", deadline_in_ms(2000), &err));
    assert_true(profile_list_read(&list, &err));
    assert_int_equal(list.count, 1);
    profile_list_finish(&list);
}

static void test_tree_remove_follows_no_link(void **state)
{
    struct place *place = *state;
    struct br_error err;
    CLEANUP_FREE char *outside = xasprintf("%s/outside", place->root);
    CLEANUP_FREE char *victim = xasprintf("%s/victim/a/b", place->root);
    CLEANUP_FREE char *top = xasprintf("%s/victim", place->root);
    CLEANUP_FREE char *link = xasprintf("%s/link", place->root);
    make_tree(outside);
    make_tree(victim);
    write_file(outside, "kept", 1);
    write_file(victim, "file", 1);
    make_link(outside, victim, "to-directory");
    make_link("/nowhere", victim, "to-nothing");
    make_link(outside, place->root, "link");
    size_t descriptors = open_descriptors();

    assert_true(tree_remove(top, deadline_in_ms(0), &err));
    assert_true(tree_remove(link, deadline_in_ms(0), &err));
    assert_true(tree_remove(link, deadline_in_ms(0), &err));
    assert_false(exists(place->root, "victim"));
    assert_false(exists(place->root, "link"));
    assert_true(exists(outside, "kept"));
    assert_int_equal(open_descriptors(), descriptors);
}

struct writer {
    char directory[128];
    atomic_bool is_writing; /* the first files are there */
    struct deadline end;
};

/* Makes files and directories in the tree until its end, as the last processes of a browser do. */
static void *write_on(void *data)
{
    struct writer *writer = data;
    char path[192];
    for (int i = 0; !deadline_passed(writer->end); i++) {
        snprintf(path, sizeof(path), "%s/%d", writer->directory, i);
        if (i % 2) {
            mkdir(path, 0700);
        } else {
            close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        }
        atomic_store(&writer->is_writing, i > 10);
        if (i % 16 == 0) {
            mkdir(writer->directory, 0700);
        }
    }
    return NULL;
}

static void test_tree_remove_while_somebody_writes(void **state)
{
    struct place *place = *state;
    struct br_error err = { .message = "" };
    struct writer writer = { .end = deadline_in_ms(200) };
    CLEANUP_FREE char *top = xasprintf("%s/busy", place->root);
    snprintf(writer.directory, sizeof(writer.directory), "%s/deep", top);
    make_tree(writer.directory);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_on, &writer), 0);
    while (!atomic_load(&writer.is_writing)) {
        sched_yield();
    }
    bool is_removed = tree_remove(top, deadline_in_ms(20000), &err);
    pthread_join(thread, NULL);
    assert_string_equal(err.message, "");
    assert_true(is_removed);
    assert_false(exists(place->root, "busy"));
}

static void test_tree_size_counts_no_link_target(void **state)
{
    struct place *place = *state;
    write_file(place->root, "large", 1 << 20);
    CLEANUP_FREE char *directory = xasprintf("%s/sized/below", place->root);
    CLEANUP_FREE char *top = xasprintf("%s/sized", place->root);
    CLEANUP_FREE char *large = xasprintf("%s/large", place->root);
    make_tree(directory);
    write_file(directory, "file", 50000);
    make_link(large, directory, "link");
    uint64_t size = tree_size(top);
    assert_in_range(size, 50000, 200000);
    assert_int_equal(tree_size("/nowhere/at/all"), 0);
}

static void test_run_directory_when_created(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct stat info;
    size_t descriptors = open_descriptors();
    struct run_directory *run = run_directory_create(true, &err);
    assert_non_null(run);
    CLEANUP_FREE char *expected =
        xasprintf("%s/browser-runner-%u-%d-%" PRIu64 "-", place->tmp, (unsigned int)geteuid(),
                  (int)getpid(), platform_process_start_time(getpid()));
    const char *path = run_directory_path(run);
    assert_int_equal(strncmp(path, expected, strlen(expected)), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    assert_true(exists(path, "tmp"));
    assert_true(exists(path, "profile"));
    assert_string_equal(strrchr(run_directory_tmp(run), '/'), "/tmp");
    assert_string_equal(strrchr(run_directory_profile(run), '/'), "/profile");
    write_file(run_directory_profile(run), "Cookies", 1);

    struct run_directory *second = run_directory_create(false, &err);
    assert_non_null(second);
    assert_null(run_directory_profile(second));
    assert_true(exists(run_directory_profile(run), "Cookies"));
    assert_true(run_directory_remove(second, deadline_in_ms(2000), &err));
    run_directory_destroy(second);

    assert_true(run_directory_remove(run, deadline_in_ms(2000), &err));
    assert_int_not_equal(stat(path, &info), 0);
    run_directory_destroy(run);
    assert_int_equal(open_descriptors(), descriptors);
}

static void test_run_directory_when_tmpdir_is_unusable(void **state)
{
    struct place *place = *state;
    struct br_error err;
    const char *missing = "/nowhere";
    setenv("TMPDIR", missing, 1);
    assert_null(run_directory_create(false, &err));
    assert_non_null(strstr(err.message, missing));
    assert_non_null(strstr(err.hint, "TMPDIR"));

    /* Too long for Chrome's socket in it. */
    CLEANUP_FREE char *long_base =
        xasprintf("%s/a-directory-with-a-name-that-leaves-no-room-for-sockets", place->root);
    make_tree(long_base);
    setenv("TMPDIR", long_base, 1);
    struct run_directory *run = run_directory_create(false, &err);
    assert_non_null(run);
    assert_int_equal(strncmp(run_directory_path(run), "/tmp/browser-runner-", 20), 0);
    assert_true(strlen(run_directory_tmp(run)) +
                    strlen("/org.chromium.Chromium.XXXXXX/SingletonSocket") <
                108);
    assert_true(run_directory_remove(run, deadline_in_ms(2000), &err));
    run_directory_destroy(run);
}

/* Makes a run directory by name, with a file in it; returns the name. Caller frees. */
static char *make_run(const struct place *place, unsigned int uid, int pid, uint64_t start_time)
{
    static int count = 0;
    char *name =
        xasprintf("browser-runner-%u-%d-%" PRIu64 "-abcd%02d", uid, pid, start_time, count++);
    CLEANUP_FREE char *tmp = xasprintf("%s/%s/tmp/org.chromium.Chromium.a", place->tmp, name);
    make_tree(tmp);
    write_file(tmp, "SingletonCookie", 1);
    return name;
}

static void sweep(void)
{
    struct br_error err;
    struct run_directory *run = run_directory_create(false, &err);
    assert_non_null(run);
    assert_true(run_directory_remove(run, deadline_in_ms(2000), &err));
    run_directory_destroy(run);
}

static void test_sweep_takes_the_dead_only(void **state)
{
    struct place *place = *state;
    unsigned int uid = geteuid();
    pid_t living = process_start("sh", "x");
    uint64_t start_time = platform_process_start_time(living);
    CLEANUP_FREE char *of_living = make_run(place, uid, living, start_time);
    CLEANUP_FREE char *of_reused_pid = make_run(place, uid, living, start_time - 1);
    CLEANUP_FREE char *of_dead = make_run(place, uid, dead_pid(), 1);
    CLEANUP_FREE char *of_other_user = make_run(place, uid + 1, dead_pid(), 1);
    CLEANUP_FREE char *locked = make_run(place, uid, dead_pid(), 1);
    CLEANUP_FREE char *locked_path = xasprintf("%s/%s", place->tmp, locked);
    int fd = open(locked_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    CLEANUP_FREE char *outside = xasprintf("%s/outside", place->root);
    CLEANUP_FREE char *link = xasprintf("browser-runner-%u-%d-1-abcdef", uid, (int)dead_pid());
    make_tree(outside);
    write_file(outside, "kept", 1);
    make_link(outside, place->tmp, link);
    write_file(place->tmp, "browser-runner-notes", 1);

    sweep();
    process_end(living);
    close(fd);
    assert_true(exists(place->tmp, of_living));
    assert_false(exists(place->tmp, of_reused_pid));
    assert_false(exists(place->tmp, of_dead));
    assert_true(exists(place->tmp, of_other_user));
    assert_true(exists(place->tmp, locked));
    assert_true(exists(outside, "kept"));
    assert_true(exists(place->tmp, "browser-runner-notes"));

    sweep();
    assert_false(exists(place->tmp, of_living));
    assert_false(exists(place->tmp, locked));
}

int main(void)
{
#define PLACE_TEST(test) cmocka_unit_test_setup_teardown(test, place_create, place_destroy)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_project_check_for_names),
        cmocka_unit_test(test_project_default_for_directories),
        PLACE_TEST(test_project_directory_by_environment),
        PLACE_TEST(test_project_directory_of_the_working_directory),
        PLACE_TEST(test_prepare_creates_private_directories),
        PLACE_TEST(test_prepare_when_a_file_is_in_the_way),
        PLACE_TEST(test_prepare_when_not_writable),
        PLACE_TEST(test_lock_of_living_processes),
        PLACE_TEST(test_lock_of_a_zombie),
        PLACE_TEST(test_lock_by_its_target),
        PLACE_TEST(test_prepare_removes_a_stale_lock),
        PLACE_TEST(test_prepare_when_in_use),
        PLACE_TEST(test_prepare_when_another_host_has_it),
        PLACE_TEST(test_list_and_remove),
        PLACE_TEST(test_tree_remove_follows_no_link),
        PLACE_TEST(test_tree_remove_while_somebody_writes),
        PLACE_TEST(test_tree_size_counts_no_link_target),
        PLACE_TEST(test_run_directory_when_created),
        PLACE_TEST(test_run_directory_when_tmpdir_is_unusable),
        PLACE_TEST(test_sweep_takes_the_dead_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
