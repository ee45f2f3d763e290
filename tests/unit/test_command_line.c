#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/chrome/command_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PLENTY       (INT64_C(64) << 30)

#define CHROME "/usr/lib/chromium/chromium"
#define SHELL  "/opt/chrome-headless-shell"

DEFINE_CLEANUP(char **, cleanup_argv, chrome_command_line_destroy)

/*
 * Returns what follows "name" in the only argument of that name: "", "=value"; NULL if there is
 * none.
 */
static const char *value_of(char **argv, const char *name)
{
    const char *value = NULL;
    size_t length = strlen(name);
    for (char **arg = argv + 1; *arg; arg++) {
        if (strncmp(*arg, name, length) == 0 && ((*arg)[length] == '\0' || (*arg)[length] == '=')) {
            assert_null(value);
            value = *arg + length;
        }
    }
    return value;
}

static void assert_value(char **argv, const char *name, const char *expected)
{
    const char *value = value_of(argv, name);
    if (!expected) {
        assert_null(value);
        return;
    }
    assert_non_null(value);
    assert_string_equal(value, expected);
}

/* Returns whether the comma-separated value of a switch contains the entry. */
static bool has_entry(char **argv, const char *name, const char *entry)
{
    const char *value = value_of(argv, name);
    size_t length = strlen(entry);
    for (const char *at = value; at && *at; at = strchr(at, ',')) {
        at++;
        if (strncmp(at, entry, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static struct chrome_options usual_options(void)
{
    return (struct chrome_options){ .program = CHROME,
                                    .profile_directory = "/profiles/a b",
                                    .shared_memory_free = PLENTY };
}

static char **build(const struct chrome_options *options)
{
    struct br_error err = { .message = "" };
    char **argv = chrome_command_line(options, &err);
    assert_string_equal(err.message, "");
    assert_non_null(argv);
    return argv;
}

static void test_command_line_of_usual_options(void **state)
{
    (void)state;
    struct chrome_options options = usual_options();
    CLEANUP(cleanup_argv) char **argv = build(&options);
    assert_string_equal(argv[0], CHROME);
    size_t count = 1;
    for (; argv[count + 1]; count++) {
        assert_int_equal(strncmp(argv[count], "--", 2), 0);
        CLEANUP_FREE char *name = xstrndup(argv[count], strcspn(argv[count], "="));
        assert_non_null(value_of(argv, name));
    }
    assert_string_equal(argv[count], "about:blank");
    assert_value(argv, "--remote-debugging-pipe", "=cbor");
    assert_value(argv, "--user-data-dir", "=/profiles/a b");
    assert_value(argv, "--headless", "=new");
    assert_value(argv, "--no-sandbox", NULL);
    assert_value(argv, "--window-size", NULL);
    assert_value(argv, "--disable-dev-shm-usage", NULL);
    assert_value(argv, "--no-startup-window", NULL);
    assert_value(argv, "--disable-gpu", NULL);
    assert_true(has_entry(argv, "--disable-features", "Translate"));
    assert_true(has_entry(argv, "--disable-features", "WebUIOmniboxPopup"));
    assert_true(has_entry(argv, "--enable-features", "CDPScreenshotNewSurface"));
    assert_value(argv, "--disable-partial-raster", NULL);
    assert_value(argv, "--disable-skia-runtime-opts", NULL);
    assert_value(argv, "--blink-settings",
                 "=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
                 "availablePointerTypes=4");
}

static void test_command_line_by_option(void **state)
{
    (void)state;
    static const char *const extension[] = { "--load-extension=/x", NULL };
    static const struct {
        struct chrome_options options; /* in addition to program and profile */
        const char *name;
        const char *value; /* NULL: absent */
    } cases[] = {
        { { .has_no_sandbox = true }, "--no-sandbox", "" },
        { { .has_no_page = true }, "--no-startup-window", "" },
        { { .has_stable_pixels = true }, "--disable-partial-raster", "" },
        { { .has_stable_pixels = true }, "--disable-skia-runtime-opts", "" },
        { { .is_headed = true }, "--headless", NULL },
        { { .is_headed = true }, "--hide-scrollbars", NULL },
        { { .is_headed = true }, "--mute-audio", NULL },
        { { .is_headed = true }, "--screen-info", NULL },
        { { .is_headed = true }, "--no-first-run", "" },
        { { .program = SHELL }, "--headless", "" },
        { { .program = SHELL }, "--font-render-hinting", "=none" },
        { { .program = NULL }, "--font-render-hinting", NULL },
        { { .viewport_width = 1280, .viewport_height = 720 }, "--window-size", "=1280,807" },
        { { .viewport_width = 1280, .viewport_height = 720 }, "--screen-info", "={1920x1080}" },
        { { .viewport_width = 2000, .viewport_height = 1200 }, "--screen-info", "={2000x1200}" },
        { { .program = SHELL, .viewport_width = 1280, .viewport_height = 720 },
          "--window-size",
          "=1280,720" },
        { { .shared_memory_free = 64 << 20 }, "--disable-dev-shm-usage", "" },
        { { .shared_memory_free = -1 }, "--disable-dev-shm-usage", "" },
        { { .shared_memory_free = PLENTY }, "--disable-dev-shm-usage", NULL },
        { { .program = NULL }, "--disable-extensions", "" },
        { { .user_args = extension }, "--disable-extensions", NULL },
        { { .user_args = extension }, "--load-extension", "=/x" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct chrome_options options = cases[i].options;
        options.program = options.program ? options.program : CHROME;
        options.profile_directory = "/profile";
        CLEANUP(cleanup_argv) char **argv = build(&options);
        assert_value(argv, cases[i].name, cases[i].value);
    }
}

static void test_command_line_for_stable_pixels_has_the_old_capture(void **state)
{
    (void)state;
    struct chrome_options options = usual_options();
    options.has_stable_pixels = true;
    CLEANUP(cleanup_argv) char **argv = build(&options);
    assert_true(has_entry(argv, "--disable-features", "CDPScreenshotNewSurface"));
    assert_value(argv, "--enable-features", NULL);
}

static void test_command_line_for_a_virtual_clock_draws_on_request(void **state)
{
    (void)state;
    struct chrome_options options = usual_options();
    for (int i = 0; i < 2; i++) {
        options.has_frame_control = i;
        CLEANUP(cleanup_argv) char **argv = build(&options);
        assert_value(argv, "--enable-begin-frame-control", i ? "" : NULL);
        assert_value(argv, "--run-all-compositor-stages-before-draw", i ? "" : NULL);
    }
}

static void test_command_line_without_a_page(void **state)
{
    (void)state;
    struct chrome_options options = usual_options();
    options.has_no_page = true;
    CLEANUP(cleanup_argv) char **argv = build(&options);
    for (char **arg = argv; *arg; arg++) {
        assert_string_not_equal(*arg, "about:blank");
    }
}

static void test_user_args_override(void **state)
{
    (void)state;
    static const char *const user_args[] = {
        "--force-color-profile=display-p3-d65",
        "-lang=de",
        "--mute-audio=once",
        "--window-size=800,600",
        "--proxy-server=a=b,c",
        "--proxy-server=second",
        NULL,
    };
    struct chrome_options options = usual_options();
    options.viewport_width = 1280;
    options.viewport_height = 720;
    options.user_args = user_args;
    CLEANUP(cleanup_argv) char **argv = build(&options);
    assert_value(argv, "--force-color-profile", "=display-p3-d65");
    assert_value(argv, "--lang", "=de");
    assert_value(argv, "--mute-audio", "=once");
    assert_value(argv, "--window-size", "=800,600");
    assert_value(argv, "--proxy-server", "=second");
}

static void test_features_are_merged(void **state)
{
    (void)state;
    static const char *const user_args[] = {
        "--disable-features=Mine,Translate",
        "--disable-features=,Second:a/1,",
        "--enable-features=PaintHolding<Trial,Third",
        "--disable-features=CDPScreenshotNewSurface",
        "--enable-features=Second",
        "--blink-settings=primaryHoverType=1,darkMode=1",
        "--enable-blink-features=A",
        "--enable-blink-features=B",
        "--disable-blink-features=A",
        NULL,
    };
    struct chrome_options options = usual_options();
    options.user_args = user_args;
    CLEANUP(cleanup_argv) char **argv = build(&options);
    static const struct {
        const char *name;
        const char *entry;
        bool is_there;
    } cases[] = {
        { "--disable-features", "Mine", true },
        { "--disable-features", "Translate", true },
        { "--disable-features", "HttpsUpgrades", true },
        { "--disable-features", "PaintHolding", false },
        { "--disable-features", "CDPScreenshotNewSurface", true },
        { "--disable-features", "Second:a/1", false },
        { "--disable-features", "", false },
        { "--enable-features", "PaintHolding<Trial", true },
        { "--enable-features", "Third", true },
        { "--enable-features", "Second", true },
        { "--enable-features", "CDPScreenshotNewSurface", false },
        { "--disable-blink-features", "A", true },
        { "--enable-blink-features", "A", false },
        { "--enable-blink-features", "B", true },
        { "--blink-settings", "primaryHoverType=1", true },
        { "--blink-settings", "primaryHoverType=2", false },
        { "--blink-settings", "darkMode=1", true },
        { "--blink-settings", "availableHoverTypes=2", true },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(has_entry(argv, cases[i].name, cases[i].entry), cases[i].is_there);
    }
}

static void test_features_when_none_is_left(void **state)
{
    (void)state;
    static const char *const user_args[] = { "--disable-features=CDPScreenshotNewSurface", NULL };
    struct chrome_options options = usual_options();
    options.user_args = user_args;
    CLEANUP(cleanup_argv) char **argv = build(&options);
    assert_value(argv, "--enable-features", NULL);
}

static void test_user_args_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arg;
        const char *hint;
    } cases[] = {
        { "--remote-debugging-port=9222", "⟨connect⟩" },
        { "-remote-debugging-port=9222", "⟨connect⟩" },
        { "--remote-debugging-port", "⟨connect⟩" },
        { "--remote-debugging-pipe", "always" },
        { "--user-data-dir=/x", "⟨profile⟩" },
        { "--headless", "⟨headed⟩" },
        { "--screenshot=/x.png", "shot" },
        { "https://example.com/", "⟨chrome-arg⟩ --lang=de" },
        { "", "hyphens" },
        { "--", "hyphens" },
        { "--=x", "hyphens" },
        { "---lang", "hyphens" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err;
        const char *user_args[] = { "--lang=de", cases[i].arg, NULL };
        struct chrome_options options = usual_options();
        options.user_args = user_args;
        assert_null(chrome_command_line(&options, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_non_null(strstr(err.hint, cases[i].hint));
    }
}

static void test_headless_shell_by_name_and_link(void **state)
{
    (void)state;
    struct br_error err;
    char root[] = "/tmp/br-test-XXXXXX";
    assert_non_null(mkdtemp(root));
    CLEANUP_FREE char *shell = xasprintf("%s/chromium-headless-shell", root);
    CLEANUP_FREE char *link = xasprintf("%s/browser", root);
    assert_true(tree_create(shell, &err));
    assert_int_equal(symlink(shell, link), 0);
    assert_true(chrome_is_headless_shell(shell));
    assert_true(chrome_is_headless_shell(link));
    assert_true(chrome_is_headless_shell("/nowhere/headless_shell"));
    assert_false(chrome_is_headless_shell("/nowhere/headless-shell/chrome"));
    assert_true(tree_remove(root, deadline_in_ms(20000), &err));

    struct chrome_options options = usual_options();
    options.program = SHELL;
    options.is_headed = true;
    assert_null(chrome_command_line(&options, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_non_null(strstr(err.hint, "⟨headed⟩"));
}

/* Chrome itself resolves no name: the way out does, and applies the user's mapping. */
static void test_names_are_resolved_by_the_way_out(void **state)
{
    (void)state;
    static const char *const args[] = { "--host-resolver-rules=MAP a.example 127.0.0.1", NULL };
    static const char ours[] = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";
    struct br_error err;
    struct chrome_options options = usual_options();
    options.user_args = args;
    for (int port = 0; port < 2; port++) {
        options.way_out_port = port;
        char **argv = chrome_command_line(&options, &err);
        assert_non_null(argv);
        size_t count = 0;
        for (char **arg = argv; *arg; arg++) {
            if (strstr(*arg, "host-resolver-rules")) {
                assert_string_equal(*arg, port ? ours : args[0]);
                count++;
            }
        }
        assert_int_equal(count, 1);
        chrome_command_line_destroy(argv);
    }
}

static void test_rows_have_reasons(void **state)
{
    (void)state;
    struct chrome_switch row;
    size_t count = 0;
    for (; chrome_switch_at(count, &row); count++) {
        assert_int_equal(strncmp(row.name, "--", 2), 0);
        assert_true(strlen(row.reason) > 5);
        assert_non_null(row.value);
        assert_non_null(row.condition);
    }
    assert_true(count > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_line_of_usual_options),
        cmocka_unit_test(test_command_line_by_option),
        cmocka_unit_test(test_command_line_for_stable_pixels_has_the_old_capture),
        cmocka_unit_test(test_command_line_for_a_virtual_clock_draws_on_request),
        cmocka_unit_test(test_command_line_without_a_page),
        cmocka_unit_test(test_user_args_override),
        cmocka_unit_test(test_features_are_merged),
        cmocka_unit_test(test_features_when_none_is_left),
        cmocka_unit_test(test_user_args_that_are_refused),
        cmocka_unit_test(test_headless_shell_by_name_and_link),
        cmocka_unit_test(test_names_are_resolved_by_the_way_out),
        cmocka_unit_test(test_rows_have_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
