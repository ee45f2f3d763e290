#include "runner/sessions/settings.h"

#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_defaults_are_left_out(void **state)
{
    (void)state;
    const struct br_browser_options browser = BR_BROWSER_OPTIONS_INIT;
    const struct br_session_options session = BR_SESSION_OPTIONS_INIT;
    json_auto_t *written = settings_write(&browser, &session);
    CLEANUP_FREE char *text = json_dumps(written, JSON_COMPACT);
    assert_string_equal(text, "{\"browser\":{},\"session\":{}}");
}

static void test_what_is_written_is_read(void **state)
{
    (void)state;
    static const char *const args[] = { "--a", "--b=c", NULL };
    static const char *const deny[] = { "private", NULL };
    struct br_browser_options browser = BR_BROWSER_OPTIONS_INIT;
    struct br_session_options session = BR_SESSION_OPTIONS_INIT;
    browser.profile = "/p";
    browser.headed = true;
    browser.chrome_args = args;
    browser.window_width = 800;
    session.isolated = true;
    session.screenshots = BR_SCREENSHOTS_NONE;
    session.limits.max_pixels = 0;
    session.device_pixel_ratio = 1.5;
    session.max_consecutive_errors = 0;
    session.policy.deny = deny;
    session.policy.no_eval = true;
    json_auto_t *written = settings_write(&browser, &session);
    struct settings settings;
    struct br_error err;
    assert_true(settings_read(written, &settings, &err));
    json_auto_t *again = settings_write(&settings.browser, &settings.session);
    assert_true(json_equal(written, again));
    assert_string_equal(settings.browser.profile, "/p");
    assert_string_equal(settings.browser.chrome_args[1], "--b=c");
    assert_null(settings.browser.chrome_args[2]);
    assert_int_equal(settings.session.screenshots, BR_SCREENSHOTS_NONE);
    assert_true(settings.session.limits.max_pixels == 0);
    assert_int_equal(settings.session.quality, 25);
    settings_finish(&settings);
}

static void test_nothing_is_all_defaults(void **state)
{
    (void)state;
    struct settings settings;
    struct br_error err;
    assert_true(settings_read(NULL, &settings, &err));
    assert_int_equal(settings.session.timeout_ms, 15000);
    settings_finish(&settings);
}

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "{\"browser\":{\"nope\":1}}", "browser.nope" },
        { "{\"session\":{\"timeoutMs\":\"1\"}}", "session.timeoutMs" },
        { "{\"session\":{\"timeoutMs\":1.5}}", "session.timeoutMs" },
        { "{\"session\":{\"timeoutMs\":1e12}}", "session.timeoutMs" },
        { "{\"session\":{\"isolated\":1}}", "session.isolated" },
        { "{\"session\":{\"allow\":\"x\"}}", "session.allow" },
        { "{\"session\":{\"allow\":[\"x\",1]}}", "session.allow" },
        { "{\"browser\":[]}", "browser" },
        { "[]", "settings" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *root = json_loads(cases[i].text, 0, NULL);
        struct settings settings;
        struct br_error err;
        assert_false(settings_read(root, &settings, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_non_null(strstr(err.message, cases[i].words));
        settings_finish(&settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_left_out),
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_nothing_is_all_defaults),
        cmocka_unit_test(test_what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
