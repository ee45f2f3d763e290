#include "runner/base/log.h"
#include "runner/formats/terminal_log.h"

#include "runner/base/error.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Takes over the logs of the list. */
static struct br_response *response_of(struct log_list *logs)
{
    struct br_response *response = response_create(3, "click");
    response->success = true;
    response->logs = logs->items;
    response->log_count = logs->count;
    return response;
}

static char *text_of(enum br_log_type least, bool has_colors, const struct br_response *response)
{
    struct terminal_log log = { .least = least, .has_colors = has_colors };
    return terminal_log_text(&log, response);
}

static void add_all_types(struct log_list *logs)
{
    for (int type = BR_LOG_VERBOSE; type <= BR_LOG_ERROR; type++) {
        log_add(logs, (enum br_log_type)type, BR_SOURCE_BROWSER, "console",
                log_type_name((enum br_log_type)type));
    }
}

static void test_lines_by_level(void **state)
{
    static const char *const lines[] = {
        "browser:verbose [console] verbose\n", "browser:debug [console] debug\n",
        "browser:info [console] info\n",       "browser:warning [console] warning\n",
        "browser:error [console] error\n",
    };
    (void)state;
    struct log_list logs = { 0 };
    add_all_types(&logs);
    CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
    for (int least = BR_LOG_VERBOSE; least <= BR_LOG_ERROR; least++) {
        char expected[256] = "";
        for (int type = least; type <= BR_LOG_ERROR; type++) {
            strncat(expected, lines[type], sizeof(expected) - strlen(expected) - 1);
        }
        CLEANUP_FREE char *text = text_of((enum br_log_type)least, false, response);
        assert_string_equal(text, expected);
    }
}

static void test_colors(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    add_all_types(&logs);
    CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
    CLEANUP_FREE char *text = text_of(BR_LOG_VERBOSE, true, response);
    assert_string_equal(text, "\033[32mbrowser:verbose\033[0m [console] verbose\n"
                              "\033[32mbrowser:debug\033[0m [console] debug\n"
                              "\033[34mbrowser:info\033[0m [console] info\n"
                              "\033[33mbrowser:warning\033[0m [console] warning\n"
                              "\033[31mbrowser:error\033[0m [console] error\n");
}

static void test_page_made_text_is_harmless(void **state)
{
    static const struct {
        const char *message, *line;
    } cases[] = {
        { "", "browser:info \n" },
        { "a\nbrowser:error forged\r\n\tb", "browser:info a\\nbrowser:error forged\\r\\n\\tb\n" },
        { "\033[2J\033]0;title\a", "browser:info \\u{1b}[2J\\u{1b}]0;title\\u{7}\n" },
        { "\x7F\x08", "browser:info \\u{7f}\\u{8}\n" },
        /* C1: a terminal may interpret U+009B as the start of a sequence. */
        { "\xC2\x9B"
          "31m\xC2\x80\xC2\xA0",
          "browser:info \\u{9b}31m\\u{80}\xC2\xA0\n" },
        /* U+202E, U+2066, U+2028, U+200F, U+061C. */
        { "\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\xA8\xE2\x80\x8F\xD8\x9C",
          "browser:info \\u{202e}\\u{2066}\\u{2028}\\u{200f}\\u{61c}\n" },
        { "\x9B"
          "1m\xFFz\xE2\x82",
          "browser:info \xEF\xBF\xBD"
          "1m\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\n" },
        { "süß 漢字 🙂 C:\\new %s%n", "browser:info süß 漢字 🙂 C:\\new %s%n\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct log_list logs = { 0 };
        log_add(&logs, BR_LOG_INFO, BR_SOURCE_BROWSER, NULL, cases[i].message);
        CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
        CLEANUP_FREE char *text = text_of(BR_LOG_INFO, false, response);
        assert_string_equal(text, cases[i].line);
    }
}

static void test_location_and_category_are_harmless(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    struct br_log *log = log_add(&logs, BR_LOG_ERROR, BR_SOURCE_BROWSER, "a\033b", "m");
    log->count = 3;
    log->location = xstrdup("http://x/\033[1m:1:2");
    CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
    CLEANUP_FREE char *text = text_of(BR_LOG_ERROR, false, response);
    assert_string_equal(text, "browser:error [a\\u{1b}b] m [3 times] (http://x/\\u{1b}[1m:1:2)\n");
}

static void test_long_message_is_cut(void **state)
{
    (void)state;
    char message[LOG_MAX_TEXT];
    struct log_list logs = { 0 };
    for (size_t i = 0; i + 2 < sizeof(message); i += 2) {
        memcpy(message + i, "é", 3);
    }
    log_add(&logs, BR_LOG_ERROR, BR_SOURCE_BROWSER, "x", message)->location = xstrdup("where");
    CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
    CLEANUP_FREE char *text = text_of(BR_LOG_ERROR, false, response);
    size_t length = strlen(text);
    assert_in_range(length, TERMINAL_LINE_MAX, TERMINAL_LINE_MAX + 32);
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
    assert_string_equal(text + length - 6, "é…\n");
}

static void test_failure(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    log_add(&logs, BR_LOG_INFO, BR_SOURCE_TOOL, "hint", "look\nthere");
    log_add(&logs, BR_LOG_INFO, BR_SOURCE_TOOL, "hint", "another");
    CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
    response->success = false;
    error_set(&response->error, BR_TARGET_NOT_FOUND, "nothing is \033[1mthere");
    error_hint(&response->error, "look\nthere");
    CLEANUP_FREE char *errors = text_of(BR_LOG_ERROR, false, response);
    assert_string_equal(errors,
                        "browser:error click: TARGET_NOT_FOUND: nothing is \\u{1b}[1mthere; "
                        "look\\nthere\n");
    CLEANUP_FREE char *all = text_of(BR_LOG_INFO, false, response);
    assert_string_equal(all, "browser:info [hint] another\n"
                             "browser:error click: TARGET_NOT_FOUND: nothing is \\u{1b}[1mthere; "
                             "look\\nthere\n");
}

/* GitHub interprets commands in the log of a job. */
static void test_commands_are_broken_up(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "::error::x", "\\u{3a}:error::x" },
        { "  ::stop-commands::x", "  \\u{3a}:stop-commands::x" },
        { "a ::error::x", "a ::error::x" },
        { "a ##[add-mask]x", "a \\u{23}#[add-mask]x" },
        { "###[group]", "#\\u{23}#[group]" },
        { "## [x] #[y]", "## [x] #[y]" },
        { "\xC2\x9B"
          "31m \xE2\x80\xAE",
          "\\u{9b}31m \\u{202e}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *text = terminal_harmless(cases[i][0]);
        assert_string_equal(text, cases[i][1]);
    }
    CLEANUP_STRBUF struct strbuf lines = STRBUF_INIT(STRBUF_UNCAPPED);
    terminal_add_harmless_lines(&lines, "a\n::error::b\n\t##[c]");
    assert_string_equal(lines.data, "a\n\\u{3a}:error::b\n\t\\u{23}#[c]");
    CLEANUP_FREE char *line = terminal_one_line("a\033[1m\nb\xC2\x85");
    assert_string_equal(line, "a [1m b\\u{85}");
}

static void test_harmless(void **state)
{
    (void)state;
    CLEANUP_FREE char *text = terminal_harmless("a\033[2J\nb");
    assert_string_equal(text, "a\\u{1b}[2J\\nb");
    CLEANUP_FREE char *none = terminal_harmless("");
    assert_string_equal(none, "");
}

static void test_nothing_to_say(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    log_add(&logs, BR_LOG_WARNING, BR_SOURCE_BROWSER, NULL, "x");
    CLEANUP_RESPONSE struct br_response *response = response_of(&logs);
    CLEANUP_FREE char *text = text_of(BR_LOG_ERROR, true, response);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_by_level),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_page_made_text_is_harmless),
        cmocka_unit_test(test_location_and_category_are_harmless),
        cmocka_unit_test(test_long_message_is_cut),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_harmless),
        cmocka_unit_test(test_commands_are_broken_up),
        cmocka_unit_test(test_nothing_to_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
