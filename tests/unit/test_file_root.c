#include "runner/base/file.h"

#include "runner/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* folder/{inside,sub/deep,leads-in,leads-out,leads-up,broken}, folder2/, outside */
static char top[] = "/tmp/test-file-root-XXXXXX";

static char *at(const char *name)
{
    return xasprintf("%s/%s", top, name);
}

static void put(const char *name, const char *text)
{
    struct br_error err;
    CLEANUP_FREE char *path = at(name);
    assert_true(file_write(path, text, strlen(text), &err));
}

static void make_directory(const char *name)
{
    CLEANUP_FREE char *path = at(name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void make_link(const char *name, const char *target)
{
    CLEANUP_FREE char *path = at(name);
    assert_int_equal(symlink(target, path), 0);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(top)) {
        return -1;
    }
    make_directory("folder");
    make_directory("folder/sub");
    make_directory("folder2");
    put("folder/inside", "in");
    put("folder/sub/deep", "deep");
    put("folder2/other", "out");
    put("outside", "out");
    make_link("folder/leads-in", "sub/deep");
    make_link("folder/leads-out", "../outside");
    make_link("folder/leads-up", "..");
    make_link("folder/broken", "../not-there");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    CLEANUP_FREE char *command = xasprintf("rm -rf %s", top);
    return system(command);
}

static struct file_root *open_root(void)
{
    struct br_error err;
    CLEANUP_FREE char *path = at("folder");
    struct file_root *root = file_root_open(path, &err);
    assert_non_null(root);
    return root;
}

static const char *const inside[] = { "folder/inside",
                                      "folder/sub/deep",
                                      "folder/leads-in",
                                      "folder/sub/../inside",
                                      "folder/./inside",
                                      "folder2/../folder/inside",
                                      "folder/leads-up/folder/inside" };
static const char *const outside[] = {
    "outside",          "folder/../outside",        "folder/leads-out", "folder/leads-up/outside",
    "folder2/other",    "folder/leads-up/not-yet",  "folder/broken",    "folder/nowhere/file",
    "not-there/either", "folder/sub/../../outside",
};

static void test_only_what_is_below_is_read(void **state)
{
    (void)state;
    struct file_root *root = open_root();
    struct br_error err;
    size_t size;
    for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
        CLEANUP_FREE char *path = at(inside[i]);
        CLEANUP_FREE char *text = file_read_in(root, path, 100, &size, &err);
        if (!text) {
            fail_msg("%s: %s", path, err.message);
        }
    }
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        CLEANUP_FREE char *path = at(outside[i]);
        assert_null(file_read_in(root, path, 100, &size, &err));
        if (err.code != BR_POLICY_DENIED || !strstr(err.message, "⟨files⟩")) {
            fail_msg("%s: %s", path, err.message);
        }
    }
    file_root_close(root);
}

static void test_only_what_is_below_is_written(void **state)
{
    (void)state;
    struct file_root *root = open_root();
    struct br_error err;
    size_t size;
    CLEANUP_FREE char *path = at("folder/sub/new");
    assert_true(file_write_in(root, path, "new", 3, &err));
    assert_true(file_write_in(root, path, "again", 5, &err));
    CLEANUP_FREE char *text = file_read(path, 100, &size, &err);
    assert_string_equal(text, "again");
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        CLEANUP_FREE char *other = at(outside[i]);
        assert_false(file_write_in(root, other, "x", 1, &err));
        assert_int_equal(err.code, BR_POLICY_DENIED);
    }
    CLEANUP_FREE char *kept = at("outside");
    CLEANUP_FREE char *as_before = file_read(kept, 100, &size, &err);
    assert_string_equal(as_before, "out");
    file_root_close(root);
}

/* A link that replaces a directory between the check and the opening. */
static void test_a_link_that_came_meanwhile_is_not_followed(void **state)
{
    (void)state;
    struct file_root *root = open_root();
    struct br_error err;
    make_directory("folder/swapped");
    put("folder/swapped/other", "in");
    CLEANUP_FREE char *path = at("folder/swapped/other");
    CLEANUP_FREE char *resolved = file_root_resolve(root, path, &err);
    assert_non_null(resolved);
    CLEANUP_FREE char *directory = at("folder/swapped");
    unlink(path);
    rmdir(directory);
    make_link("folder/swapped", "../folder2");
    assert_int_equal(file_root_open_path(root, resolved, O_RDONLY), -1);
    assert_true(errno == ELOOP || errno == ENOTDIR);
    unlink(directory);
    file_root_close(root);
}

static void test_a_directory_is_looked_through(void **state)
{
    (void)state;
    struct file_root *root = open_root();
    struct br_error err;
    CLEANUP_FREE char *sub = at("folder/sub");
    CLEANUP_FREE char *folder = at("folder");
    assert_true(file_root_holds_all(root, sub, &err));
    assert_false(file_root_holds_all(root, folder, &err));
    assert_int_equal(err.code, BR_POLICY_DENIED);
    file_root_close(root);
}

static void test_a_root_of_nothing_holds_nothing(void **state)
{
    (void)state;
    struct file_root *root = file_root_nothing();
    struct br_error err;
    size_t size;
    CLEANUP_FREE char *path = at("folder/inside");
    assert_null(file_read_in(root, path, 100, &size, &err));
    assert_non_null(strstr(err.message, "⟨files⟩ none"));
    assert_false(file_write_in(root, path, "x", 1, &err));
    file_root_close(root);
    CLEANUP_FREE char *file = at("outside");
    assert_null(file_root_open(file, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_is_below_is_read),
        cmocka_unit_test(test_only_what_is_below_is_written),
        cmocka_unit_test(test_a_link_that_came_meanwhile_is_not_followed),
        cmocka_unit_test(test_a_directory_is_looked_through),
        cmocka_unit_test(test_a_root_of_nothing_holds_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
