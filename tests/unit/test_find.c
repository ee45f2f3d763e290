#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/chrome/find.h"
#include "tests/slowness.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A temporary directory with two folders, both in PATH, "first" before "second". */
struct place {
    char root[64];
    char *path; /* the original PATH */
};

static int place_create(void **state)
{
    static const char *const folders[] = { "first", "second" };
    struct br_error err;
    struct place *place = xcalloc(1, sizeof(*place));
    snprintf(place->root, sizeof(place->root), "/tmp/br-test-XXXXXX");
    assert_non_null(mkdtemp(place->root));
    for (size_t i = 0; i < COUNT(folders); i++) {
        CLEANUP_FREE char *folder = xasprintf("%s/%s", place->root, folders[i]);
        assert_true(tree_create(folder, &err));
    }
    CLEANUP_FREE char *path =
        xasprintf(":first:%s/first::/nowhere:%s/second", place->root, place->root);
    place->path = xstrdup(getenv("PATH"));
    setenv("HOME", place->root, 1);
    setenv("PATH", path, 1);
    unsetenv("BROWSER_RUNNER_CHROME");
    *state = place;
    return 0;
}

static int place_destroy(void **state)
{
    struct br_error err;
    struct place *place = *state;
    setenv("PATH", place->path, 1);
    assert_true(tree_remove(place->root, deadline_in_ms(slow_ms(20000)), &err));
    free(place->path);
    free(place);
    return 0;
}

/* Makes a shell script in the place; returns its path. Caller frees. */
static char *make_script(const struct place *place, const char *name, mode_t mode,
                         const char *script)
{
    char *path = xasprintf("%s/%s", place->root, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void make_program(const struct place *place, const char *name)
{
    free(make_script(place, name, 0755, "exit 0"));
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

static const struct chrome_place places[] = {
    { "chrome", "windows", "chrome-of-second" }, { "chrome", "linux", "chrome-of-nobody" },
    { "chrome", "linux", "chrome-of-second" },   { "chromium", "linux", "/nowhere/chromium" },
    { "chromium", "linux", "chromium-of-both" }, { "headless-shell", "linux", "/bin/sh" },
    { "edge", "macos", "chrome-of-second" },
};

static void test_find_among_places(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *wanted;
        const char *found; /* relative to the place's root, or absolute; NULL: nothing */
    } cases[] = {
        { NULL, "second/chrome-of-second" },
        { "chrome", "second/chrome-of-second" },
        { "chromium", "first/chromium-of-both" },
        { "headless-shell", "/bin/sh" },
        { "edge", NULL },
        { "brave", "second/brave" },
        { "not-executable", NULL },
        { "folder", NULL },
        { "opera", NULL },
    };
    struct br_error err;
    make_program(place, "second/chrome-of-second");
    make_program(place, "second/chromium-of-both");
    make_program(place, "first/chromium-of-both");
    make_program(place, "second/brave");
    free(make_script(place, "first/not-executable", 0644, ""));
    CLEANUP_FREE char *folder = xasprintf("%s/first/folder", place->root);
    assert_true(tree_create(folder, &err));

    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *found = chrome_find_among(places, COUNT(places), cases[i].wanted, &err);
        if (!cases[i].found) {
            assert_null(found);
            assert_int_equal(err.code, BR_BROWSER_NOT_FOUND);
            assert_non_null(strstr(err.message, cases[i].wanted));
            assert_non_null(strstr(err.hint, platform_install_command()));
            assert_non_null(strstr(err.hint, "never"));
            continue;
        }
        CLEANUP_FREE char *expected = cases[i].found[0] == '/'
                                          ? xstrdup(cases[i].found)
                                          : xasprintf("%s/%s", place->root, cases[i].found);
        assert_non_null(found);
        assert_string_equal(found, expected);
    }
}

static void test_find_among_places_when_there_is_none(void **state)
{
    (void)state;
    struct br_error err;
    assert_null(chrome_find_among(places, 5, NULL, &err));
    assert_int_equal(err.code, BR_BROWSER_NOT_FOUND);
    assert_non_null(strstr(err.message, "chrome-of-nobody, chrome-of-second, /nowhere/chromium"));
    assert_null(chrome_find_among(places, 5, "chromum", &err));
    assert_string_equal(err.hint, "Did you mean 'chromium'?");
}

static void test_find_by_path(void **state)
{
    struct place *place = *state;
    struct br_error err;
    make_program(place, "first/browser");
    CLEANUP_FREE char *absolute = xasprintf("%s/first/browser", place->root);
    CLEANUP_FREE char *plain = make_script(place, "plain", 0644, "");
    CLEANUP_FREE char *found = chrome_find(absolute, &err);
    assert_string_equal(found, absolute);

    char before[4096];
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(place->root), 0);
    CLEANUP_FREE char *relative = chrome_find("first/browser", &err);
    assert_int_equal(chdir(before), 0);
    assert_non_null(relative);
    assert_string_equal(relative, absolute);

    const char *const wrong[][2] = {
        { "/nowhere/chrome", "No such file" },
        { place->root, "Is a directory" },
        { plain, "Permission denied" },
        { "/dev/null", "/dev/null" },
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_null(chrome_find(wrong[i][0], &err));
        assert_int_equal(err.code, BR_BROWSER_NOT_FOUND);
        assert_non_null(strstr(err.message, wrong[i][0]));
        assert_non_null(strstr(err.message, wrong[i][1]));
        assert_non_null(strstr(err.hint, "⟨chrome⟩ PATH"));
    }
}

static void test_find_by_the_environment(void **state)
{
    struct place *place = *state;
    struct br_error err;
    make_program(place, "first/mine");
    make_program(place, "second/theirs");
    CLEANUP_FREE char *mine = xasprintf("%s/first/mine", place->root);
    CLEANUP_FREE char *theirs = xasprintf("%s/second/theirs", place->root);

    setenv("BROWSER_RUNNER_CHROME", mine, 1);
    CLEANUP_FREE char *by_path = chrome_find(NULL, &err);
    assert_string_equal(by_path, mine);
    CLEANUP_FREE char *by_argument = chrome_find(theirs, &err);
    assert_string_equal(by_argument, theirs);

    setenv("BROWSER_RUNNER_CHROME", "theirs", 1);
    CLEANUP_FREE char *by_name = chrome_find(NULL, &err);
    assert_string_equal(by_name, theirs);

    setenv("BROWSER_RUNNER_CHROME", "/nowhere/chrome", 1);
    assert_null(chrome_find(NULL, &err));
    assert_int_equal(strncmp(err.message, "BROWSER_RUNNER_CHROME: ", 23), 0);

    /* Empty counts as unset: a command of the table is found in PATH. */
    setenv("BROWSER_RUNNER_CHROME", "", 1);
    make_program(place, "second/google-chrome-stable");
    CLEANUP_FREE char *usual = chrome_find(NULL, &err);
    CLEANUP_FREE char *expected = xasprintf("%s/second/google-chrome-stable", place->root);
    assert_string_equal(usual, expected);
    unsetenv("BROWSER_RUNNER_CHROME");
}

static void test_places_are_of_known_platforms(void **state)
{
    (void)state;
    size_t count = 0;
    const struct chrome_place *usual = chrome_places(&count);
    assert_true(count > 10);
    for (size_t i = 0; i < count; i++) {
        assert_true(strcmp(usual[i].platform, "linux") == 0 ||
                    strcmp(usual[i].platform, "macos") == 0 ||
                    strcmp(usual[i].platform, "windows") == 0);
        assert_true(usual[i].name[0] && usual[i].place[0]);
    }
}

static void test_version_of_programs(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *script;
        const char *version; /* NULL: an error */
        enum br_code code;
    } cases[] = {
        { "test \"$1\" = --version && echo 'Chromium 156.0.8078.79 built on Debian '",
          "Chromium 156.0.8078.79 built on Debian", BR_OK },
        { "printf 'Chrome 1.2'; printf '.3.4'; echo noise >&2", "Chrome 1.2.3.4", BR_OK },
        { "echo first 1.20.3.400; echo second; exit 3", "first 1.20.3.400", BR_OK },
        { "echo 'false (GNU coreutils) 9.1'", NULL, BR_BROWSER_NOT_FOUND },
        { "echo '1..2.3 .4.5. 1.2 .3.4'", NULL, BR_BROWSER_NOT_FOUND },
        { "exit 1", NULL, BR_UNKNOWN_ERROR },
        { "echo; echo second", NULL, BR_UNKNOWN_ERROR },
    };
    struct br_error err;
    setenv("PATH", place->path, 1);
    size_t descriptors = open_descriptors();
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *path = make_script(place, "browser", 0755, cases[i].script);
        CLEANUP_FREE char *version = chrome_version(path, deadline_in_ms(slow_ms(20000)), &err);
        if (cases[i].version) {
            assert_non_null(version);
            assert_string_equal(version, cases[i].version);
        } else {
            assert_null(version);
            assert_int_equal(err.code, cases[i].code);
        }
    }
    assert_null(chrome_version("/nowhere/chrome", deadline_in_ms(20000), &err));
    assert_int_equal(err.code, BR_BROWSER_NOT_FOUND);
    assert_int_equal(open_descriptors(), descriptors);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_version_when_it_hangs(void **state)
{
    struct place *place = *state;
    struct br_error err;
    setenv("PATH", place->path, 1);
    CLEANUP_FREE char *pid_path = xasprintf("%s/pid", place->root);
    CLEANUP_FREE char *script =
        xasprintf("sleep 600 & echo $! >%s.new; mv %s.new %s; printf unfinished; wait", pid_path,
                  pid_path, pid_path);
    CLEANUP_FREE char *path = make_script(place, "browser", 0755, script);
    int64_t before = clock_monotonic_ms();
    assert_null(chrome_version(path, deadline_in_ms(slow_ms(2000)), &err));
    assert_true(clock_monotonic_ms() - before < slow_ms(2000 + 10000));
    assert_int_equal(err.code, BR_TIMEOUT);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);

    int pid = 0;
    FILE *file = fopen(pid_path, "re");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &pid), 1);
    fclose(file);
    struct deadline deadline = deadline_in_ms(slow_ms(20000));
    while (platform_process_is_alive(pid) && !deadline_passed(deadline)) {
        poll(NULL, 0, 5);
    }
    assert_false(platform_process_is_alive(pid));
}

int main(void)
{
#define PLACE_TEST(test) cmocka_unit_test_setup_teardown(test, place_create, place_destroy)
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_find_among_places),
        PLACE_TEST(test_find_among_places_when_there_is_none),
        PLACE_TEST(test_find_by_path),
        PLACE_TEST(test_find_by_the_environment),
        cmocka_unit_test(test_places_are_of_known_platforms),
        PLACE_TEST(test_version_of_programs),
        PLACE_TEST(test_version_when_it_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
