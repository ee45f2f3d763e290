#include "runner/hints/wording.h"

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_error_in_the_words_of_each_front_end(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_POLICY_DENIED, "x is refused by ⟨deny⟩ private");
    error_hint(&err, "use ⟨temp-profile⟩ or another ⟨project⟩");
    struct br_error other = err;
    wording_error(BR_WORDING_COMMAND_LINE, &err);
    assert_string_equal(err.message, "x is refused by --deny private");
    assert_string_equal(err.hint, "use --temp-profile or another --project");
    wording_error(BR_WORDING_MEMBERS, &other);
    assert_string_equal(other.message, "x is refused by `policy.deny` private");
    assert_string_equal(other.hint, "use `temp_profile` or another `project`");
}

/* Text of a page or user may look like a setting. */
static void test_what_is_no_setting_stays(void **state)
{
    (void)state;
    static const char *const texts[] = { "", "⟨", "⟨⟩", "⟨files", "⟨nothing⟩ of ours", "files⟩" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CLEANUP_FREE char *text = xstrdup(texts[i]);
        wording_text(BR_WORDING_COMMAND_LINE, &text);
        assert_string_equal(text, texts[i]);
    }
    char *none = NULL;
    wording_text(BR_WORDING_MEMBERS, &none);
    assert_null(none);
}

static void test_a_text_that_grows_is_cut(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_POLICY_DENIED, "x");
    memset(err.hint, 'a', sizeof(err.hint) - 1);
    err.hint[sizeof(err.hint) - 1] = '\0';
    memcpy(err.hint + 8, "⟨no-eval⟩", strlen("⟨no-eval⟩"));
    wording_error(BR_WORDING_MEMBERS, &err);
    assert_int_equal(strlen(err.hint), sizeof(err.hint) - 1);
    assert_memory_equal(err.hint, "aaaaaaaa`policy.no_eval`aaa", 27);
}

/* The browser's messages are unchanged; hints are ours. */
static void test_logs(void **state)
{
    (void)state;
    struct br_log log = { .source = BR_SOURCE_BROWSER,
                          .message = xstrdup("⟨files⟩"),
                          .hint = xstrdup("⟨files⟩") };
    wording_log(BR_WORDING_COMMAND_LINE, &log);
    assert_string_equal(log.message, "⟨files⟩");
    assert_string_equal(log.hint, "--files");
    log.source = BR_SOURCE_TOOL;
    wording_log(BR_WORDING_COMMAND_LINE, &log);
    assert_string_equal(log.message, "--files");
    free(log.message);
    free(log.hint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_in_the_words_of_each_front_end),
        cmocka_unit_test(test_what_is_no_setting_stays),
        cmocka_unit_test(test_a_text_that_grows_is_cut),
        cmocka_unit_test(test_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
