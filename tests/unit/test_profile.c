#include "profiles/profile.h"

#include "profiles/tree.h"
#include "tests/unit/profile_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
    char *notice = NULL;
    size_t descriptors = open_descriptors();
    for (size_t i = 0; i < 2; i++) {
        assert_true(profile_prepare(place->profile, &notice, &err));
        assert_null(notice);
    }
    assert_int_equal(open_descriptors(), descriptors);
    assert_int_equal(stat(place->profile, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    assert_int_equal(stat(place->config, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0700);
    /* The check leaves nothing behind: an empty directory can be removed. */
    assert_int_equal(rmdir(place->profile), 0);
}

static void test_prepare_says_what_it_removed(void **state)
{
    struct place *place = *state;
    struct br_error err;
    CLEANUP_FREE char *notice = NULL;
    lock_set(place, host_name(), dead_pid(place));
    write_file(place->profile, "Cookies", 1);
    assert_true(profile_prepare(place->profile, &notice, &err));
    assert_non_null(strstr(notice, "removed the lock"));
    assert_false(exists(place->profile, "SingletonLock"));
    assert_true(exists(place->profile, "Cookies"));
}

static void test_prepare_when_a_file_is_in_the_way(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char *notice = NULL;
    write_file(place->root, "config", 1);
    assert_false(profile_prepare(place->profile, &notice, &err));
    assert_null(notice);
    assert_int_equal(err.code, BR_UNKNOWN_ERROR);
    assert_non_null(strstr(err.message, place->config));
    assert_non_null(strstr(err.hint, "⟨profile⟩ DIR"));
    assert_non_null(strstr(err.hint, "⟨temp-profile⟩"));
    assert_style(err.message);
    assert_style(err.hint);
}

static void test_prepare_through_links(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char *notice = NULL;
    CLEANUP_FREE char *real = xasprintf("%s/real", place->root);
    CLEANUP_FREE char *link = xasprintf("%s/link", place->root);
    CLEANUP_FREE char *below = xasprintf("%s/below/the/link", link);
    CLEANUP_FREE char *dangling = xasprintf("%s/dangling", place->root);
    make_tree(real);
    make_link(real, place->root, "link");
    make_link("/nowhere", place->root, "dangling");
    assert_true(profile_prepare(link, &notice, &err));
    assert_true(profile_prepare(below, &notice, &err));
    assert_true(exists(real, "below/the/link"));
    assert_false(profile_prepare(dangling, &notice, &err));
    assert_non_null(strstr(err.message, dangling));
}

/* Called in a child: returns whether the profile is refused, with its path and the reason. */
static bool is_refused(const char *path, const char *reason)
{
    struct br_error err = { .code = BR_OK };
    char *notice = NULL;
    return !profile_prepare(path, &notice, &err) && !notice && err.code == BR_UNKNOWN_ERROR &&
           strstr(err.message, path) && strstr(err.message, reason) && err.hint[0];
}

enum { CHILD_FINE, CHILD_FAILED, CHILD_MAY_NOT };

static int child_status(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Root may write everywhere, so an unprivileged child runs the test. */
static void test_prepare_without_rights(void **state)
{
    static const mode_t modes[] = { 0555, 0333, 0666, 0 };
    struct place *place = *state;
    assert_int_equal(chmod(place->root, 0755), 0);
    for (size_t i = 0; i < COUNT(modes); i++) {
        CLEANUP_FREE char *path = xasprintf("%s/mode-%zu", place->root, i);
        CLEANUP_FREE char *below = xasprintf("%s/below", path);
        assert_int_equal(mkdir(path, 0700), 0);
        pid_t pid = fork();
        if (pid == 0) {
            bool is_root = geteuid() == 0;
            bool has_no_rights =
                chmod(path, modes[i]) == 0 &&
                (!is_root || (chown(path, 65534, 65534) == 0 && setuid(65534) == 0));
            bool is_fine = has_no_rights && is_refused(path, "Permission denied") &&
                           (modes[i] == 0333 || is_refused(below, "Permission denied"));
            _exit(is_fine ? CHILD_FINE : CHILD_FAILED);
        }
        assert_int_equal(child_status(pid), CHILD_FINE);
    }
}

/* Uses mounts in the namespace of a child, which end with it. */
static void test_prepare_without_space(void **state)
{
    static const struct {
        const char *options;
        unsigned long flags;
        const char *reason; /* NULL: accepted */
    } cases[] = {
        { "size=16k", 0, "No space left on device" },
        { "size=64m,nr_inodes=1", 0, "No space left on device" },
        { "size=64m", MS_RDONLY, "Read-only file system" },
        { "size=64m", 0, NULL },
    };
    struct place *place = *state;
    make_tree(place->profile);
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t pid = fork();
        if (pid == 0) {
            struct br_error err;
            char *notice = NULL;
            bool is_mounted =
                unshare(CLONE_NEWNS) == 0 &&
                mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                mount("none", place->profile, "tmpfs", cases[i].flags, cases[i].options) == 0;
            bool is_fine = cases[i].reason ? is_refused(place->profile, cases[i].reason)
                                           : profile_prepare(place->profile, &notice, &err);
            _exit(!is_mounted ? CHILD_MAY_NOT : is_fine ? CHILD_FINE : CHILD_FAILED);
        }
        int status = child_status(pid);
        if (status == CHILD_MAY_NOT) {
            skip();
        }
        assert_int_equal(status, CHILD_FINE);
    }
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

    CLEANUP_FREE char *ours = directory_switch(place->profile);
    pid_t pid = process_start(place, &(struct process_options){ .argument = ours });
    lock_set(place, host_name(), pid);
    assert_false(profile_remove("shop", deadline_in_ms(20000), &err));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    process_end(place, pid);
    assert_true(profile_remove("shop", deadline_in_ms(20000), &err));
    assert_false(profile_remove("anoter", deadline_in_ms(20000), &err));
    assert_string_equal(err.hint, "did you mean 'another'?");
    assert_style(err.message);
    assert_true(profile_remove("another", deadline_in_ms(20000), &err));
    assert_true(profile_list_read(&list, &err));
    assert_int_equal(list.count, 0);
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
    atomic_bool is_writing; /* the first files exist */
    struct deadline end;
};

/* Creates files and directories in the tree until its end, like the last processes of a browser. */
static void *write_on(void *data)
{
    struct writer *writer = data;
    char path[192];
    for (int i = 0; i < 16 || !deadline_passed(writer->end); i++) {
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

static void test_tree_clear_keeps_the_directory(void **state)
{
    struct place *place = *state;
    struct stat before;
    struct stat after;
    CLEANUP_FREE char *top = xasprintf("%s/top", place->root);
    CLEANUP_FREE char *deep = xasprintf("%s/a/b", top);
    CLEANUP_FREE char *outside = xasprintf("%s/outside", place->root);
    make_tree(deep);
    make_tree(outside);
    write_file(deep, "file", 1);
    write_file(top, "file", 1);
    write_file(outside, "kept", 1);
    make_link(outside, top, "link");
    assert_int_equal(stat(top, &before), 0);
    tree_clear(top);
    tree_clear("/nowhere/at/all");
    assert_int_equal(stat(top, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_true(exists(outside, "kept"));
    assert_int_equal(rmdir(top), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_project_check_for_names),
        cmocka_unit_test(test_project_default_for_directories),
        PLACE_TEST(test_project_directory_by_environment),
        PLACE_TEST(test_project_directory_of_the_working_directory),
        PLACE_TEST(test_prepare_creates_private_directories),
        PLACE_TEST(test_prepare_says_what_it_removed),
        PLACE_TEST(test_prepare_when_a_file_is_in_the_way),
        PLACE_TEST(test_prepare_through_links),
        PLACE_TEST(test_prepare_without_rights),
        PLACE_TEST(test_prepare_without_space),
        PLACE_TEST(test_list_and_remove),
        PLACE_TEST(test_tree_remove_follows_no_link),
        PLACE_TEST(test_tree_remove_while_somebody_writes),
        PLACE_TEST(test_tree_clear_keeps_the_directory),
        PLACE_TEST(test_tree_size_counts_no_link_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
