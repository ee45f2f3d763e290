#include "runner/base/file.h"

#include "runner/base/memory.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/test-file-XXXXXX";

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

static void test_what_is_written_is_read(void **state)
{
    (void)state;
    static const char *const contents[] = { "", "first", "a longer second one", "3" };
    CLEANUP_FREE char *path = xasprintf("%s/file", directory);
    for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        struct br_error err = { 0 };
        struct stat info;
        size_t size = 0;
        assert_true(file_write(path, contents[i], strlen(contents[i]), &err));
        CLEANUP_FREE char *text = file_read(path, 100, &size, &err);
        assert_string_equal(text, contents[i]);
        assert_int_equal(size, strlen(contents[i]));
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
    }
    unlink(path);
}

static void test_limits_and_places_are_refused(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    size_t size = 0;
    CLEANUP_FREE char *path = xasprintf("%s/file", directory);
    CLEANUP_FREE char *nowhere = xasprintf("%s/none/file", directory);
    assert_true(file_write(path, "12345", 5, &err));
    assert_null(file_read(path, 4, &size, &err));
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
    unlink(path);
    assert_null(file_read(path, 4, &size, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_null(file_read(directory, 4, &size, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_false(file_write(nowhere, "1", 1, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    /* A failed write leaves no temporary file. */
    assert_false(file_write(directory, "1", 1, &err));
    glob_t found;
    CLEANUP_FREE char *pattern = xasprintf("%s.*", directory);
    assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

static void test_what_is_no_file_is_never_waited_for(void **state)
{
    (void)state;
    CLEANUP_FREE char *pipe = xasprintf("%s/pipe", directory);
    CLEANUP_FREE char *link = xasprintf("%s/link", directory);
    CLEANUP_FREE char *nowhere = xasprintf("%s/nowhere", directory);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink(pipe, link), 0);
    const struct {
        const char *path, *reason, *hint;
    } cases[] = {
        { pipe, "is not a file: it is a pipe", "regular file" },
        { link, "is not a file: it is a pipe", "regular file" },
        { directory, "is not a file: it is a directory", "regular file" },
        { "/dev/zero", "is not a file: it is a device", "regular file" },
        { nowhere, "cannot read", "relative path" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        size_t size = 0;
        assert_false(file_check_in(NULL, cases[i].path, 100, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_non_null(strstr(err.message, cases[i].path));
        assert_non_null(strstr(err.message, cases[i].reason));
        assert_non_null(strstr(err.hint, cases[i].hint));
        assert_null(file_read(cases[i].path, 100, &size, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
    }
    unlink(pipe);
    unlink(link);
}

static void test_a_check_knows_a_limit(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = xasprintf("%s/file", directory);
    assert_true(file_write(path, "12345", 5, &err));
    assert_true(file_check_in(NULL, path, 5, &err));
    assert_false(file_check_in(NULL, path, 4, &err));
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
    assert_non_null(strstr(err.message, "has 5 bytes, more than 4"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_limits_and_places_are_refused),
        cmocka_unit_test(test_what_is_no_file_is_never_waited_for),
        cmocka_unit_test(test_a_check_knows_a_limit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
