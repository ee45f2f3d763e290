#include "runner/base/cut.h"
#include "runner/base/log.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_create(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(7, "click");
    assert_int_equal(response->id, 7);
    assert_string_equal(response->type, "click");
    assert_int_equal(response->attempts, 1);
    assert_false(response->success);
    assert_null(response->url);
    assert_null(response->result);
    assert_null(response->pre.bytes);
    const double metrics[] = {
        response->metrics.load_time_ms,
        response->metrics.ttfb_ms,
        response->metrics.fcp_ms,
        response->metrics.lcp_ms,
        response->metrics.dom_content_loaded_ms,
        response->metrics.memory_usage_bytes,
        response->metrics.session_duration_ms,
    };
    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
        assert_true(metrics[i] < 0);
    }
    assert_int_equal(response->metrics.js_errors, 0);
    br_response_destroy(NULL);
}

static void test_destroy_frees_everything(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "x");
    struct log_list list = { 0 };
    struct br_log *log = log_add(&list, BR_LOG_INFO, BR_SOURCE_BROWSER, "console", "hello");
    log->location = xstrdup("x:1:1");
    log->stack = xstrdup("f");
    response->logs = TAKE(list.items);
    response->log_count = list.count;
    response->network_events = xcalloc(1, sizeof(*response->network_events));
    response->network_event_count = 1;
    response->network_events[0] = (struct br_network_event){ .url = xstrdup("u"),
                                                             .method = xstrdup("GET"),
                                                             .error = xstrdup("e") };
    response->pre.bytes = xmalloc(1);
    response->post.bytes = xmalloc(1);
    response->label = xstrdup("l");
    response->url = xstrdup("u");
    response->title = xstrdup("t");
    response_set_result(response, json_integer(1));
    response_set_delivered(response, json_object());
    response_write_values(response);
}

static void test_log_types(void **state)
{
    (void)state;
    static const char *const names[] = { "verbose", "debug", "info", "warning", "error" };
    enum br_log_type type;
    for (int i = BR_LOG_VERBOSE; i <= BR_LOG_ERROR; i++) {
        assert_string_equal(log_type_name((enum br_log_type)i), names[i]);
        assert_true(log_type_from_name(names[i], &type));
        assert_int_equal(type, i);
    }
    assert_false(log_type_from_name("Error", &type));
    assert_false(log_type_from_name("", &type));
}

static void test_log_add(void **state)
{
    (void)state;
    struct log_list list = { 0 };
    char message[] = "message";
    struct br_log *log = log_add(&list, BR_LOG_ERROR, BR_SOURCE_BROWSER, NULL, message);
    message[0] = 'x';
    assert_string_equal(log->message, "message");
    assert_null(log->category);
    assert_null(log->location);
    assert_int_equal(log->type, BR_LOG_ERROR);
    assert_int_equal(log->source, BR_SOURCE_BROWSER);
    assert_true(log->timestamp_ms > 1700000000000);
    log_tool(&list, BR_LOG_WARNING, "network", "%s %d", "status", 404);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[1].message, "status 404");
    assert_string_equal(list.items[1].category, "network");
    assert_int_equal(list.items[1].source, BR_SOURCE_TOOL);
    log_list_finish(&list);
    assert_null(log_add(NULL, BR_LOG_INFO, BR_SOURCE_TOOL, NULL, "nowhere"));
    assert_int_equal(list.count, 0);
    assert_null(list.items);
}

static void test_log_list_when_full(void **state)
{
    (void)state;
    struct log_list list = { 0 };
    for (int i = 0; i < LOG_MAX_ENTRIES; i++) {
        assert_non_null(log_add(&list, BR_LOG_INFO, BR_SOURCE_TOOL, NULL, "x"));
    }
    assert_null(log_add(&list, BR_LOG_INFO, BR_SOURCE_TOOL, NULL, "x"));
    log_tool(&list, BR_LOG_INFO, NULL, "x");
    assert_int_equal(list.count, LOG_MAX_ENTRIES);
    assert_int_equal(list.dropped, 2);
    log_list_finish(&list);
    assert_int_equal(list.dropped, 0);
}

/*
 * A message of `filler` x's and a character of three bytes: what is kept, and that the cut is
 * marked.
 */
static void test_long_messages_are_cut(void **state)
{
    (void)state;
    static const char mark[] = "… (more than 16336 characters)";
    static const size_t kept = LOG_MAX_TEXT - CUT_MARK_MAX;
    static const struct {
        size_t filler, length;
    } cases[] = {
        { LOG_MAX_TEXT - 4, LOG_MAX_TEXT - 1 },
        { LOG_MAX_TEXT - 3, LOG_MAX_TEXT },
        { LOG_MAX_TEXT - 2, kept + sizeof(mark) - 1 },
        { LOG_MAX_TEXT + 5, kept + sizeof(mark) - 1 },
    };
    static char message[LOG_MAX_TEXT + 20];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct log_list list = { 0 };
        memset(message, 'x', cases[i].filler);
        memcpy(message + cases[i].filler, "\xE2\x82\xAC", 4);
        const struct br_log *log = log_add(&list, BR_LOG_INFO, BR_SOURCE_TOOL, NULL, message);
        assert_int_equal(strlen(log->message), cases[i].length);
        assert_int_equal(cases[i].length < LOG_MAX_TEXT - 1, strstr(log->message, mark) != NULL);
        log_list_finish(&list);
    }
    /* Text that is not UTF-8 is kept, too. */
    struct log_list list = { 0 };
    memset(message, 0x80, sizeof(message) - 1);
    message[sizeof(message) - 1] = '\0';
    assert_true(strlen(log_add(&list, BR_LOG_INFO, BR_SOURCE_TOOL, NULL, message)->message) > kept);
    log_list_finish(&list);
}

static void test_formatted_message_is_cut_at_border(void **state)
{
    (void)state;
    struct log_list list = { 0 };
    for (int filler = 2040; filler < 2050; filler++) {
        log_tool(&list, BR_LOG_INFO, NULL, "%*s\xF0\x9F\x98\x80", filler, "");
        const char *message = list.items[list.count - 1].message;
        size_t length = strlen(message);
        assert_int_equal(length, filler <= 2043 ? filler + 4 : 2047);
        assert_int_equal(filler > 2043, strstr(message, "…") != NULL);
    }
    log_list_finish(&list);
}

/* The browser's texts of an action share a limit; the tool's own are still added. */
static void test_log_list_when_its_texts_are_long_is_full(void **state)
{
    (void)state;
    struct log_list list = { 0 };
    static char message[LOG_MAX_TEXT];
    memset(message, 'x', sizeof(message) - 1);
    for (int i = 0; i < 100; i++) {
        log_add(&list, BR_LOG_INFO, BR_SOURCE_BROWSER, "console", message);
        log_list_fold_last(&list);
    }
    assert_int_equal(list.count, 1); /* a repetition takes no room */
    while (!log_list_is_full(&list)) {
        struct br_log *log = log_add(&list, BR_LOG_INFO, BR_SOURCE_BROWSER, "console", "short");
        log->stack = xstrdup(message);
    }
    assert_in_range(list.count, LOG_MAX_BYTES / LOG_MAX_TEXT, LOG_MAX_BYTES / LOG_MAX_TEXT + 2);
    assert_null(log_add(&list, BR_LOG_INFO, BR_SOURCE_BROWSER, "console", "x"));
    assert_int_equal(list.dropped, 1);
    log_tool(&list, BR_LOG_INFO, NULL, "a word of the tool");
    assert_string_equal(list.items[list.count - 1].message, "a word of the tool");
    log_list_finish(&list);
}

static void test_capture_finish(void **state)
{
    (void)state;
    struct br_capture capture = { .bytes = xmalloc(3), .size = 3, .width = 1 };
    capture_finish(&capture);
    assert_null(capture.bytes);
    assert_int_equal(capture.size, 0);
    capture_finish(&capture);
}

static void test_folding(void **state)
{
    (void)state;
    static const struct {
        enum br_log_source source;
        const char *message, *location;
    } said[] = {
        { BR_SOURCE_BROWSER, "a", "x:1:1" }, { BR_SOURCE_BROWSER, "b", NULL },
        { BR_SOURCE_BROWSER, "a", "x:1:1" }, { BR_SOURCE_BROWSER, "a", "x:2:1" },
        { BR_SOURCE_TOOL, "t", NULL },       { BR_SOURCE_TOOL, "t", NULL },
        { BR_SOURCE_BROWSER, "b", NULL },    { BR_SOURCE_BROWSER, "b", NULL },
    };
    static const int counts[] = { 2, 3, 0, 0, 0 };
    struct log_list list = { 0 };
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        log_add(&list, BR_LOG_INFO, said[i].source, "console", said[i].message)->location =
            xstrdup(said[i].location);
    }
    log_list_fold_last(&list);
    assert_int_equal(list.count, 7);
    log_list_fold(&list);
    assert_int_equal(list.count, 5);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].count, counts[i]);
    }
    assert_int_equal(list.bytes, strlen("ax:1:1bax:2:1t")); /* of all except the last */
    log_list_finish(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_destroy_frees_everything),
        cmocka_unit_test(test_log_types),
        cmocka_unit_test(test_log_add),
        cmocka_unit_test(test_log_list_when_full),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_formatted_message_is_cut_at_border),
        cmocka_unit_test(test_log_list_when_its_texts_are_long_is_full),
        cmocka_unit_test(test_capture_finish),
        cmocka_unit_test(test_folding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
