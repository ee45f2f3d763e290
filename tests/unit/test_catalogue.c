#include "runner/base/log.h"
#include "runner/hints/advice.h"
#include "runner/hints/catalogue.h"
#include "runner/observe/log_hints.h"
#include "runner/observe/stream.h"

#include "case_table.h"
#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_ENTRIES = 1000, MAX_HINTS = 10 };

/* Messages of Chromium 156 and earlier versions, of V8, and of this program: the table's first
 * part. */
static struct {
    struct case_table table;
    size_t count;
} known;

static int read_known(void **state)
{
    (void)state;
    known.table = case_table_read("catalogue.txt");
    while (known.count < known.table.count &&
           strcmp(known.table.rows[known.count].part, "messages") == 0) {
        known.count++;
    }
    return 0;
}

static int free_known(void **state)
{
    (void)state;
    case_table_finish(&known.table);
    return 0;
}

/* Whether the error that a message of the table means concerns a page, and not our browser. */
static bool is_of_pages(const struct case_row *row)
{
    static const char *const codes[] = { "EVAL_ERROR", "UNKNOWN_ERROR", "NAVIGATION_FAILED",
                                         "RATE_LIMITED" };
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (strncmp(row->expected, codes[i], strlen(codes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void run_message(const struct case_row *row, struct strbuf *actual)
{
    const struct catalogue_entry *entry = catalogue_find(row->input);
    if (entry) {
        strbuf_add_format(actual, "%s %s %s", br_code_name(entry->code), entry->category,
                          entry->hint);
    } else {
        strbuf_add_string(actual, "unknown");
    }
}

/* Each entry is the first match of one of these texts, so none is hidden by an earlier entry. */
static void test_find_reaches_every_entry(void **state)
{
    (void)state;
    bool is_reached[MAX_ENTRIES] = { false };
    const struct catalogue_entry *first = catalogue_find(known.table.rows[0].input);
    assert_true(catalogue_count() <= MAX_ENTRIES);
    for (size_t i = 0; i < known.count; i++) {
        const struct catalogue_entry *entry = catalogue_find(known.table.rows[i].input);
        assert_in_range(entry - first, 0, catalogue_count() - 1);
        is_reached[entry - first] = true;
    }
    for (size_t i = 0; i < catalogue_count(); i++) {
        if (!is_reached[i]) {
            fail_msg("\"%s\" is no text's first match", first[i].pattern);
        }
    }
}

static void test_entries_are_well_formed(void **state)
{
    (void)state;
    static const char *const categories[] = { "javascript", "network", "resource", "automation" };
    const struct catalogue_entry *first = catalogue_find(known.table.rows[0].input);
    for (size_t i = 0; i < catalogue_count(); i++) {
        const struct catalogue_entry *entry = &first[i];
        size_t known_categories = 0;
        for (size_t j = 0; j < sizeof(categories) / sizeof(categories[0]); j++) {
            known_categories += strcmp(entry->category, categories[j]) == 0;
        }
        size_t pattern_length = strlen(entry->pattern);
        size_t hint_length = strlen(entry->hint);
        if (known_categories != 1 || entry->code == BR_OK || pattern_length < 10 ||
            entry->pattern[0] == '*' || entry->pattern[pattern_length - 1] == '*' ||
            hint_length < 10 || entry->hint[hint_length - 1] == '.' ||
            strstr(entry->hint, ". ") != NULL ||
            hint_length + 128 >= sizeof(((struct br_error *)0)->hint)) {
            fail_msg("\"%s\": %s", entry->pattern, entry->hint);
        }
    }
}

static void test_find_in_long_text(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 20 };
    static const char end[] = "net::ERR_UNSAFE_PORT";
    CLEANUP_FREE char *text = xcalloc(1, LENGTH + sizeof(end));
    memset(text, 'n', LENGTH);
    assert_null(catalogue_find(text));
    memcpy(text + LENGTH, end, sizeof(end));
    const struct catalogue_entry *entry = catalogue_find(text);
    assert_non_null(entry);
    assert_string_equal(entry->pattern, end);
}

static void test_find_in_broken_text(void **state)
{
    (void)state;
    const struct catalogue_entry *entry =
        catalogue_find("\x80\xFF\xC3 TypeError: \xED\xA0\x80\xF0\x9F is not a function \xE2\x82");
    assert_non_null(entry);
    assert_string_equal(entry->pattern, "TypeError:*is not a function");
    char every_byte[256];
    for (int i = 0; i < 255; i++) {
        every_byte[i] = (char)(i + 1);
    }
    every_byte[255] = '\0';
    assert_null(catalogue_find(every_byte));
}

/* The pieces of a pattern must be in order and must not overlap. */
static void test_find_with_pieces_out_of_order(void **state)
{
    (void)state;
    assert_null(catalogue_find("failed Loading chunk 3"));
    assert_null(catalogue_find("is not a function, TypeError:"));
    assert_non_null(catalogue_find("failed Loading chunk 3 failed"));
    assert_null(catalogue_find("net::ERR_IN_CHUNKED"));
}

static struct br_error refused_at(const char *url)
{
    struct br_error err;
    error_set(&err, BR_NAVIGATION_FAILED, "%s was not reached: net::ERR_CONNECTION_REFUSED", url);
    return err;
}

static bool says_local_server(const char *hint)
{
    return strstr(hint, "development server does not seem to run: start it yourself") != NULL;
}

/* The address of a refused connection, as an argument and in the message. */
static void run_address(const struct case_row *row, struct strbuf *actual)
{
    struct br_error with_url = refused_at("x");
    struct br_error without_url = refused_at(row->input);
    catalogue_explain(&with_url, row->input);
    catalogue_explain(&without_url, NULL);
    assert_non_null(strstr(with_url.hint, "no server listens there: start it"));
    bool is_local = says_local_server(with_url.hint);
    strbuf_add_string(actual, is_local ? "local" : "elsewhere");
    if (says_local_server(without_url.hint) != is_local) {
        strbuf_add_format(actual, ", and not so by the message alone: %s", without_url.hint);
    }
}

static void test_cases(void **state)
{
    static const struct case_part parts[] = {
        { "messages", run_message },
        { "addresses", run_address },
        { "other texts", run_message },
    };
    (void)state;
    CASE_TABLE_CHECK("catalogue.txt", parts);
}

static void test_explain_takes_url_before_message(void **state)
{
    (void)state;
    struct br_error err = refused_at("http://localhost:3000/");
    catalogue_explain(&err, "http://example.com/");
    assert_false(says_local_server(err.hint));
    char long_url[2000] = "http://";
    memset(long_url + 7, 'a', sizeof(long_url) - 8);
    err = refused_at("x");
    catalogue_explain(&err, long_url);
    assert_string_not_equal(err.hint, "");
    assert_false(says_local_server(err.hint));
}

/* Only a refused connection means that no server is running. */
static void test_explain_other_failure_at_loopback(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_NAVIGATION_FAILED, "not reached: net::ERR_CONNECTION_RESET");
    catalogue_explain(&err, "http://localhost:3000/");
    assert_string_not_equal(err.hint, "");
    assert_false(says_local_server(err.hint));
}

static void test_explain_leaves_what_is_there(void **state)
{
    (void)state;
    struct br_error err = refused_at("http://localhost/");
    error_hint(&err, "as it was");
    catalogue_explain(&err, NULL);
    assert_string_equal(err.hint, "as it was");
    assert_int_equal(err.code, BR_NAVIGATION_FAILED);
    error_set(&err, BR_UNKNOWN_ERROR, "something odd");
    catalogue_explain(&err, "http://localhost/");
    assert_string_equal(err.hint, "");
    struct br_error none = { 0 };
    catalogue_explain(&none, NULL);
    assert_string_equal(none.hint, "");
}

static void test_advise(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_TIMEOUT, "timed out waiting for the load event");
    assert_false(error_advise(&err, ADVICE_WAIT));
    error_advise(&err, ADVICE_LOAD);
    assert_string_equal(br_error_category(&err), "network");
    assert_non_null(strstr(err.hint, "domcontentloaded"));
    catalogue_explain(&err, "http://localhost/");
    assert_non_null(strstr(err.hint, "domcontentloaded"));
    error_advise(&err, ADVICE_NAVIGATION);
    assert_string_equal(br_error_category(&err), "automation");
    assert_non_null(strstr(err.hint, "waitForNavigation"));
    error_advise(&err, ADVICE_PAGE_GONE);
    assert_non_null(strstr(err.hint, "`start`"));
    error_set(&err, BR_EVAL_ERROR, "another one");
    assert_string_equal(br_error_category(&err), "javascript");
    assert_string_equal(err.hint, "");
}

static void test_status_hint(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *hint;
    } cases[] = {
        { 401, "login" },   { 403, "access" },  { 404, "no such page" },
        { 429, "fewer" },   { 502, "backend" }, { 503, "overloaded" },
        { 504, "backend" }, { 500, "its log" }, { 418, "refused" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_non_null(strstr(status_hint(cases[i].status), cases[i].hint));
    }
}

/* A message that quotes the instruction is not classified by the quotation. */
static void test_explain_quoted_text(void **state)
{
    (void)state;
    struct br_error err;
    error_set(&err, BR_TARGET_NOT_FOUND, "no element matches \"text=net::ERR_CONNECTION_REFUSED\"");
    catalogue_explain(&err, NULL);
    assert_string_equal(err.hint, "");
    assert_string_equal(br_error_category(&err), "automation");
    error_set(&err, BR_TIMEOUT, "timed out waiting for text \"net::ERR_CONNECTION_REFUSED\"");
    error_advise(&err, ADVICE_WAIT);
    catalogue_explain(&err, NULL);
    assert_non_null(strstr(err.hint, "picture"));
    assert_string_equal(br_error_category(&err), "automation");
}

static void test_category(void **state)
{
    (void)state;
    static const struct {
        enum br_code code;
        const char *message, *category;
    } cases[] = {
        { BR_EVAL_ERROR, "the script threw Error: mine", "javascript" },
        { BR_EVAL_ERROR, "the script threw TypeError: Failed to fetch", "network" },
        { BR_EVAL_ERROR, "the script threw RangeError: Array buffer allocation failed",
          "resource" },
        { BR_NAVIGATION_FAILED, "x was not reached: net::ERR_NEW_ONE", "network" },
        { BR_NAVIGATION_FAILED, "x was not reached: net::ERR_OUT_OF_MEMORY", "resource" },
        { BR_NAVIGATION_FAILED, "Page.navigate: Not attached to an active page", "automation" },
        { BR_RATE_LIMITED, "slowly", "network" },
        { BR_TIMEOUT, "late", "automation" },
        { BR_BROWSER_CRASHED, "Chrome ended with exit code 1: No space left on device",
          "resource" },
        { BR_BROWSER_CRASHED, "Chrome ended by signal 5", "automation" },
        { BR_STALE_NODE, "gone", "automation" },
        { BR_OK, "", "automation" },
        { (enum br_code)1000, "?", "automation" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        error_set(&err, cases[i].code, "%s", cases[i].message);
        catalogue_explain(&err, NULL);
        assert_string_equal(br_error_category(&err), cases[i].category);
    }
    for (int code = BR_OK; code <= BR_UNKNOWN_ERROR; code++) {
        struct br_error err = { .code = (enum br_code)code };
        assert_non_null(br_error_category(&err));
    }
}

/* System errors end with the C library's text. */
static void test_category_of_errno(void **state)
{
    (void)state;
    static const int numbers[] = { ENOSPC, ENOMEM, EAGAIN };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct br_error err;
        error_set_errno(&err, BR_UNKNOWN_ERROR, numbers[i], "cannot write x");
        catalogue_explain(&err, NULL);
        assert_string_equal(br_error_category(&err), "resource");
        assert_string_not_equal(err.hint, "");
    }
}

static void add_log(struct log_list *logs, enum br_log_type type, const char *category,
                    const char *message, const char *location)
{
    struct br_log *log = log_add(logs, type, BR_SOURCE_BROWSER, category, message);
    log->location = xstrdup(location);
}

/* Counts the hints in a list; all must have the format of a hint. */
static size_t count_hints(const struct log_list *logs)
{
    size_t count = 0;
    for (size_t i = 0; i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        if (strcmp(log->category, "hint") == 0) {
            assert_int_equal(log->type, BR_LOG_INFO);
            assert_int_equal(log->source, BR_SOURCE_TOOL);
            count++;
        }
    }
    return count;
}

static void test_hint_logs(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 0);
    add_log(&logs, BR_LOG_ERROR, "javascript", "Uncaught ReferenceError: a is not defined", NULL);
    add_log(&logs, BR_LOG_ERROR, "javascript", "Uncaught ReferenceError: b is not defined", NULL);
    add_log(&logs, BR_LOG_WARNING, "console", "TypeError: Failed to fetch", NULL);
    add_log(&logs, BR_LOG_INFO, "console", "RangeError: Maximum call stack size exceeded", NULL);
    add_log(&logs, BR_LOG_ERROR, "console", "order 404 saved", "http://localhost/:1:1");
    log_tool(&logs, BR_LOG_ERROR, "network", "the page answered with HTTP status 404");
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 8);
    assert_string_equal(logs.items[6].category, "hint");
    assert_non_null(strstr(logs.items[6].message, "spelling"));
    assert_non_null(strstr(logs.items[7].message, "networkEvents"));
    assert_int_equal(count_hints(&logs), 2);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 8);
    log_list_finish(&logs);
}

/* A page's messages about timeouts, crashes and sandboxes do not concern our browser. */
static void test_hint_logs_of_automation(void **state)
{
    (void)state;
    for (size_t i = 0; i < known.count; i++) {
        struct log_list logs = { 0 };
        const struct case_row *row = &known.table.rows[i];
        add_log(&logs, BR_LOG_ERROR, "console", row->input, NULL);
        log_hints_add(&logs, "");
        assert_int_equal(count_hints(&logs), is_of_pages(row));
        assert_false(is_of_pages(row) && strstr(row->expected, " automation "));
        log_list_finish(&logs);
    }
}

static void test_hint_logs_loopback(void **state)
{
    (void)state;
    static const char refused[] = "Failed to load resource: net::ERR_CONNECTION_REFUSED";
    static const struct {
        const char *category, *message, *location;
        bool is_loopback;
    } cases[] = {
        { "network", refused, "http://localhost:4000/api", true },
        { "network", refused, "http://localhost:4000/api:1:2", true },
        { "network", refused, "http://example.com/api", false },
        { "network", refused, NULL, false },
        /* The location of a WebSocket error is its page. */
        { "network",
          "WebSocket connection to 'ws://example.com/' failed: Error in connection establishment: "
          "net::ERR_CONNECTION_REFUSED",
          "http://localhost:3000/", false },
        { "network",
          "WebSocket connection to 'ws://127.0.0.1:24678/' failed: Error in connection "
          "establishment: net::ERR_CONNECTION_REFUSED",
          "http://example.com/", true },
        /* The location of a console call is its script. */
        { "console", "it is net::ERR_CONNECTION_REFUSED", "http://localhost:3000/a.js:1:1", false },
        { NULL, "it is net::ERR_CONNECTION_REFUSED", "http://localhost:3000/a.js:1:1", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct log_list logs = { 0 };
        struct br_log *log =
            log_add(&logs, BR_LOG_ERROR, BR_SOURCE_BROWSER, cases[i].category, cases[i].message);
        log->location = xstrdup(cases[i].location);
        log_hints_add(&logs, "");
        assert_int_equal(logs.count, 2);
        assert_int_equal(says_local_server(logs.items[1].message), cases[i].is_loopback);
        log_list_finish(&logs);
    }
}

static void test_hint_logs_limit(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    for (size_t i = 0; i < known.count; i++) {
        add_log(&logs, BR_LOG_ERROR, "console", known.table.rows[i].input, NULL);
    }
    log_hints_add(&logs, "");
    assert_int_equal(count_hints(&logs), MAX_HINTS);
    assert_int_equal(logs.count, known.count + MAX_HINTS);
    log_list_finish(&logs);
}

static void test_hint_logs_of_full_list(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    for (size_t i = 0; i < LOG_MAX_ENTRIES - 1; i++) {
        add_log(&logs, BR_LOG_ERROR, "console", known.table.rows[i % known.count].input, NULL);
    }
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, LOG_MAX_ENTRIES);
    assert_int_equal(count_hints(&logs), 1);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, LOG_MAX_ENTRIES);
    assert_int_equal(logs.dropped, 0);
    log_list_finish(&logs);
}

/* Text far from the beginning of a log entry is data, not the event. */
static void test_hint_logs_of_long_text(void **state)
{
    (void)state;
    static const char words[] = "TypeError: Failed to fetch \xFF";
    char *text = xcalloc(1, LOG_MAX_TEXT + 1);
    memset(text, 'x', LOG_MAX_TEXT);
    memcpy(text + LOG_MAX_TEXT - strlen(words), words, strlen(words));
    struct log_list logs = { 0 };
    add_log(&logs, BR_LOG_ERROR, "console", text, NULL);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 1);
    memcpy(text, words, strlen(words));
    add_log(&logs, BR_LOG_ERROR, "console", text, NULL);
    log_hints_add(&logs, "");
    assert_int_equal(logs.count, 3);
    assert_non_null(strstr(logs.items[2].message, "xxx…\")")); /* the text is quoted in part */
    log_list_finish(&logs);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_find_reaches_every_entry),
        cmocka_unit_test(test_entries_are_well_formed),
        cmocka_unit_test(test_find_in_long_text),
        cmocka_unit_test(test_find_in_broken_text),
        cmocka_unit_test(test_find_with_pieces_out_of_order),
        cmocka_unit_test(test_explain_takes_url_before_message),
        cmocka_unit_test(test_explain_other_failure_at_loopback),
        cmocka_unit_test(test_explain_leaves_what_is_there),
        cmocka_unit_test(test_explain_quoted_text),
        cmocka_unit_test(test_advise),
        cmocka_unit_test(test_status_hint),
        cmocka_unit_test(test_category),
        cmocka_unit_test(test_category_of_errno),
        cmocka_unit_test(test_hint_logs),
        cmocka_unit_test(test_hint_logs_of_automation),
        cmocka_unit_test(test_hint_logs_loopback),
        cmocka_unit_test(test_hint_logs_limit),
        cmocka_unit_test(test_hint_logs_of_full_list),
        cmocka_unit_test(test_hint_logs_of_long_text),
    };
    return cmocka_run_group_tests(tests, read_known, free_known);
}
