#include "runner/cli/access.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int set_up(void **state)
{
    char *directory = xstrdup("/tmp/access-XXXXXX");
    assert_non_null(mkdtemp(directory));
    *state = directory;
    unsetenv("BROWSER_RUNNER_TOKEN");
    return 0;
}

static int tear_down(void **state)
{
    CLEANUP_FREE char *path = xasprintf("%s/access", (char *)*state);
    unlink(path);
    rmdir(*state);
    free(*state);
    return 0;
}

static bool read_text(const char *directory, const char *text, size_t size,
                      struct cli_options *options, struct access *access, struct br_error *err)
{
    CLEANUP_FREE char *path = xasprintf("%s/access", directory);
    struct br_error ignored;
    assert_true(file_write(path, text, size, &ignored));
    options->access_file = path;
    bool is_read = access_read(access, options, err);
    options->access_file = NULL;
    return is_read;
}

static void expect(const char *const *list, const char *first, const char *second)
{
    assert_string_equal(list[0], first);
    if (second) {
        assert_string_equal(list[1], second);
    }
    assert_null(list[second ? 2 : 1]);
}

static void test_a_file(void **state)
{
    static const char text[] = "# who may connect\n"
                               "\n"
                               "token\tone\r\n"
                               "  token  two  \n"
                               " # not this one: token three\n"
                               "allow-origin https://app.example:8443\n"
                               "allow-host box.internal";
    struct br_error err = { 0 };
    struct access access;
    struct cli_options options = { .token = "of the command line" };
    cli_list_add(&options.allowed_origins, "null");
    assert_true(read_text(*state, text, strlen(text), &options, &access, &err));
    const struct net_access lists = access_lists(&access);
    expect(lists.tokens, "one", "two");
    expect(lists.origins, "null", "https://app.example:8443");
    expect(lists.hosts, "box.internal", NULL);
    access_finish(&access);
    assert_true(read_text(*state, "", 0, &options, &access, &err));
    expect(access_lists(&access).tokens, "of the command line", NULL);
    access_finish(&access);
    options.token = NULL;
    assert_true(access_read(&access, &options, &err));
    assert_null(access_lists(&access).tokens);
    access_finish(&access);
    free(options.allowed_origins.items);
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *text, *message, *hint;
    } cases[] = {
        { "token a\nS3CRET\n", "line 2: the first word of the line is not a rule",
          "token, allow-origin" },
        { "Token S3CRET", "line 1: the first word", "begin it with" },
        { "tokenS3CRET", "line 1: the first word", "begin it with" },
        { "\n\n token \n", "line 3: token: the value is missing", "remove the line" },
        { "token S3CRET # of mine", "line 1: token: a token has no spaces", "line of its own" },
        { "token S3CRET\x01", "line 1: token: the value has a control character", "remove" },
        { "token S3C\rRET", "line 1: token: the value has a control character", "remove" },
        { "allow-origin", "allow-origin: the value is missing", "add it" },
        { "allow-origin *", "allow-origin: this is not the origin", "as browsers send it" },
        { "allow-origin https://a.example/", "not the origin", "without a path" },
        { "allow-origin https://A.example", "not the origin", "lower case" },
        { "allow-origin https://a.example:443", "not the origin", "usual port" },
        { "allow-origin http://a.example:80", "not the origin", "usual port" },
        { "allow-origin a.example", "not the origin", "https://" },
        { "allow-origin https://a.example https://b.example", "not the origin", "browsers" },
        { "allow-origin chrome-extension://ABC", "not the origin", "browsers" },
        { "allow-host https://a.example", "allow-host: this is not the name", "without a scheme" },
        { "allow-host a.example:80", "not the name", "a port" },
        { "allow-host a b", "not the name", "a port" },
    };
    struct cli_options options = { 0 };
    struct br_error err = { 0 };
    struct access access;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (read_text(*state, cases[i].text, strlen(cases[i].text), &options, &access, &err) ||
            !strstr(err.message, cases[i].message) || !strstr(err.hint, cases[i].hint) ||
            !strstr(err.message, "--access-file: /tmp/access-")) {
            fail_msg("%s: %s; %s", cases[i].text, err.message, err.hint);
        }
        assert_null(strstr(err.message, "S3C"));
        assert_null(access.text);
    }
    assert_false(read_text(*state, "token a\ntoken b\0c\n", 18, &options, &access, &err));
    assert_non_null(strstr(err.message, "line 2: the line has a NUL"));
    static const char *const fine[] = { "allow-origin null", "allow-origin http://[::1]:3000",
                                        "allow-origin chrome-extension://abcdef",
                                        "allow-origin https://a.example:80" };
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        if (!read_text(*state, fine[i], strlen(fine[i]), &options, &access, &err)) {
            fail_msg("%s: %s", fine[i], err.message);
        }
        access_finish(&access);
    }
}

static void test_what_is_no_such_file(void **state)
{
    static const struct {
        mode_t mode;
        bool is_fine;
    } modes[] = { { 0400, true },  { 0600, true },  { 0640, true },  { 0440, true },
                  { 0644, false }, { 0660, false }, { 0604, false }, { 0602, false } };
    CLEANUP_FREE char *path = xasprintf("%s/access", (char *)*state);
    struct cli_options options = { .access_file = path };
    struct br_error err = { 0 };
    struct access access;
    assert_false(access_read(&access, &options, &err));
    assert_non_null(strstr(err.message, path));
    assert_true(file_write(path, "token a\n", 8, &err));
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        assert_int_equal(chmod(path, modes[i].mode), 0);
        assert_int_equal(access_read(&access, &options, &err), modes[i].is_fine);
        if (!modes[i].is_fine) {
            assert_non_null(strstr(err.message, "other users can read or change it"));
            assert_non_null(strstr(err.hint, "chmod 600"));
        }
        access_finish(&access);
    }
    options.access_file = *state;
    assert_false(access_read(&access, &options, &err));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_file),
        TEST(test_mistakes),
        TEST(test_what_is_no_such_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
