#include "runner/base/network_event.h"
#include "runner/formats/image_block.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/formats/response_json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct br_capture capture_of(const char *bytes)
{
    return (struct br_capture){
        .bytes = (unsigned char *)xstrdup(bytes),
        .size = strlen(bytes),
        .media_type = "image/jpeg",
        .width = 1280,
        .height = 720,
        .scale = 1,
        .captured_at_ms = 1732200000000,
    };
}

static void test_block_has_no_other_fields(void **state)
{
    (void)state;
    struct br_capture capture = capture_of("hello?>");
    json_auto_t *block = image_block(&capture);
    json_auto_t *empty = image_block_without_data(&capture);
    CLEANUP_FREE char *text = json_line(block, NULL);
    CLEANUP_FREE char *empty_text = json_line(empty, NULL);
    assert_string_equal(text, "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":"
                              "\"image/jpeg\",\"data\":\"aGVsbG8/Pg==\"}}");
    assert_string_equal(empty_text, "{\"type\":\"image\",\"source\":{\"type\":\"base64\","
                                    "\"media_type\":\"image/jpeg\",\"data\":\"\"}}");
    capture_finish(&capture);
}

static void assert_response(const struct br_response *response, const char *expected)
{
    CLEANUP_FREE char *text = br_response_to_json(response);
    assert_string_equal(text, expected);
}

static void test_absent_fields(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "stop");
    response->success = true;
    assert_response(response, "{\"kind\":\"response\",\"id\":1,\"type\":\"stop\",\"success\":true,"
                              "\"logs\":[],\"networkEvents\":[],"
                              "\"metrics\":{\"jsErrors\":0,\"networkErrors\":0,"
                              "\"totalErrors\":0,\"consecutiveErrors\":0,\"totalActions\":0,"
                              "\"totalJsErrors\":0,\"totalNetworkErrors\":0},"
                              "\"attempts\":1,\"recovered\":false,\"durationMs\":0}");
}

static void test_all_fields(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(2, "click");
    response->success = true;
    response->label = xstrdup("the button");
    response->url = xstrdup("http://localhost/");
    response->title = xstrdup("");
    response->http_status = 404;
    response_set_result(response, json_pack("{s:i, s:[n, f]}", "z", 1, "a", 0.1));
    response->attempts = 3;
    response->recovered = true;
    response->duration_ms = 83;
    response->metrics = (struct br_metrics){
        .load_time_ms = 83.14,
        .ttfb_ms = 0.26,
        .fcp_ms = 12.96,
        .lcp_ms = 0,
        .dom_content_loaded_ms = 5,
        .memory_usage_bytes = 1e9,
        .session_duration_ms = 0.04,
        .cls = 0.12345,
        .inp_ms = 48,
        .long_tasks = 2,
        .long_task_ms = 123.45,
        .nodes = -1,
        .layouts = 3,
        .transfer_bytes = 4096,
        .js_errors = 1,
        .network_errors = 2,
        .total_errors = 4,
        .consecutive_errors = 1,
    };
    response->logs = xcalloc(2, sizeof(*response->logs));
    response->log_count = 2;
    response->logs[0] = (struct br_log){
        .type = BR_LOG_ERROR,
        .source = BR_SOURCE_BROWSER,
        .timestamp_ms = 1732200000000,
        .message = xstrdup("a\nb"),
        .category = xstrdup("console"),
        .location = xstrdup("http://localhost/:1:2"),
        .stack = xstrdup("f (x:1:2)"),
    };
    response->logs[1] = (struct br_log){
        .type = BR_LOG_VERBOSE,
        .source = BR_SOURCE_TOOL,
        .message = xstrdup(""),
    };
    response->network_events = xcalloc(2, sizeof(*response->network_events));
    response->network_event_count = 2;
    struct br_network_event *events = response->network_events;
    network_event_init(&events[0]);
    events[0].url = xstrdup("http://localhost/");
    events[0].method = xstrdup("GET");
    events[0].status = 404;
    events[0].timings.wait_ms = 12.34;
    events[0].request_bytes = 0;
    events[0].body = xstrdup("gone");
    events[0].is_body_cut = true;
    network_event_init(&events[1]);
    events[1].url = xstrdup("http://nowhere/");
    events[1].method = xstrdup("POST");
    events[1].error = xstrdup("net::ERR_NAME_NOT_RESOLVED");
    events[1].timestamp_ms = 7;
    response->pre = capture_of("a");
    response->post = capture_of("b");
    response->post.scale = 1568.0 / 2400;
    assert_response(
        response,
        "{\"kind\":\"response\",\"id\":2,\"type\":\"click\",\"label\":\"the button\","
        "\"success\":true,\"url\":\"http://localhost/\",\"title\":\"\",\"httpStatus\":404,"
        "\"logs\":[{\"type\":\"error\",\"message\":\"a\\nb\",\"timestamp\":1732200000000,"
        "\"source\":\"browser\",\"category\":\"console\",\"level\":4,"
        "\"location\":\"http://localhost/:1:2\",\"stack\":\"f (x:1:2)\"},"
        "{\"type\":\"verbose\",\"message\":\"\",\"timestamp\":0,\"source\":\"tool\",\"level\":0}],"
        "\"networkEvents\":[{\"url\":\"http://localhost/\",\"method\":\"GET\",\"status\":404,"
        "\"timestamp\":0,\"timings\":{\"wait\":12.3},\"sizes\":{\"request\":0},"
        "\"body\":\"gone\",\"bodyCut\":true},{\"url\":\"http://nowhere/"
        "\",\"method\":\"POST\",\"timestamp\":7,"
        "\"error\":\"net::ERR_NAME_NOT_RESOLVED\"}],"
        "\"metrics\":{\"loadTime\":83.1,\"memoryUsage\":1000000000,\"jsErrors\":1,"
        "\"networkErrors\":2,\"ttfb\":0.3,\"fcp\":13,\"lcp\":0,\"domContentLoaded\":5,"
        "\"sessionDuration\":0,\"totalErrors\":4,\"consecutiveErrors\":1,\"totalActions\":0,"
        "\"totalJsErrors\":0,\"totalNetworkErrors\":0,"
        "\"cls\":0.1235,\"inp\":48,\"longTasks\":2,\"longTaskTime\":123.5,\"layouts\":3,"
        "\"transferSize\":4096},"
        "\"screenshots\":{\"pre\":{\"type\":\"image\",\"source\":{\"type\":\"base64\","
        "\"media_type\":\"image/jpeg\",\"data\":\"YQ==\"}},"
        "\"post\":{\"type\":\"image\",\"source\":{\"type\":\"base64\","
        "\"media_type\":\"image/jpeg\",\"data\":\"Yg==\"}}},"
        "\"captures\":{\"pre\":{\"width\":1280,\"height\":720,\"scale\":1,\"bytes\":1,"
        "\"capturedAt\":1732200000000,\"tokens\":1196},\"post\":{\"width\":1280,\"height\":720,"
        "\"scale\":0.653333,\"bytes\":1,\"capturedAt\":1732200000000,\"tokens\":1196}},"
        "\"result\":{\"z\":1,\"a\":[null,0.1]},"
        "\"attempts\":3,\"recovered\":true,\"durationMs\":83}");
}

static void test_failure(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "click");
    response->error = (struct br_error){ .code = BR_TARGET_NOT_FOUND, .message = "no #go" };
    assert_response(response,
                    "{\"kind\":\"response\",\"id\":1,\"type\":\"click\",\"success\":false,"
                    "\"error\":\"no #go\",\"errorCode\":\"TARGET_NOT_FOUND\","
                    "\"errorCategory\":\"automation\","
                    "\"logs\":[],\"networkEvents\":[],"
                    "\"metrics\":{\"jsErrors\":0,\"networkErrors\":0,"
                    "\"totalErrors\":0,\"consecutiveErrors\":0,\"totalActions\":0,"
                    "\"totalJsErrors\":0,\"totalNetworkErrors\":0},"
                    "\"attempts\":1,\"recovered\":false,\"durationMs\":0}");
    response->error = (struct br_error){ .hint = "did you mean #gone?" };
    json_auto_t *root = response_json(response, 0);
    assert_string_equal(json_string_value(json_object_get(root, "hint")), "did you mean #gone?");
}

static void test_one_picture_only(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "click");
    response->post = capture_of("b");
    json_auto_t *root = response_json(response, 0);
    static const char *const names[] = { "screenshots", "captures" };
    for (size_t i = 0; i < 2; i++) {
        const json_t *object = json_object_get(root, names[i]);
        assert_int_equal(json_object_size(object), 1);
        assert_non_null(json_object_get(object, "post"));
    }
}

static void test_tiles(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(7, "screenshot");
    response->tiles = xcalloc(2, sizeof(*response->tiles));
    response->tile_count = 2;
    for (int i = 0; i < 2; i++) {
        response->tiles[i] = (struct br_tile){
            .picture = capture_of(i == 0 ? "a" : "a picture that is larger"),
            .y = i * 684.5,
            .width = 1280,
            .height = 720,
        };
    }
    json_auto_t *root = response_json(response, 8);
    CLEANUP_FREE char *screenshots = json_line(json_object_get(root, "screenshots"), NULL);
    CLEANUP_FREE char *captures = json_line(json_object_get(root, "captures"), NULL);
    assert_string_equal(screenshots,
                        "{\"tiles\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\","
                        "\"media_type\":\"image/jpeg\",\"data\":\"YQ==\"}},"
                        "{\"type\":\"image\",\"source\":{\"type\":\"base64\","
                        "\"media_type\":\"image/jpeg\",\"data\":\"\"}}]}");
    assert_string_equal(captures,
                        "{\"tiles\":[{\"width\":1280,\"height\":720,\"scale\":1,\"bytes\":1,"
                        "\"capturedAt\":1732200000000,\"tokens\":1196,"
                        "\"place\":{\"x\":0,\"y\":0,\"width\":1280,\"height\":720}},"
                        "{\"width\":1280,\"height\":720,\"scale\":1,\"bytes\":24,"
                        "\"capturedAt\":1732200000000,\"tokens\":1196,"
                        "\"place\":{\"x\":0,\"y\":684.5,\"width\":1280,\"height\":720},"
                        "\"chunks\":{\"id\":\"7-tile-02\",\"total\":4}}]}");
}

static void test_results(void **state)
{
    (void)state;
    static const struct {
        const char *result, *expected;
    } cases[] = {
        { "null", "null" },
        { "true", "true" },
        { "\"x\"", "\"x\"" },
        { "12.34", "12.34" },
        { "0.30000000000000004", "0.30000000000000004" },
        { "[100000000000000000000,7]", "[1e20,7]" },
        { "\"a\\u0000b\"", "\"a\\u0000b\"" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_RESPONSE struct br_response *response = response_create(1, "evaluate");
        struct br_error err;
        response_set_result(response,
                            json_parse(cases[i].result, strlen(cases[i].result), "it", &err));
        json_auto_t *root = response_json(response, 0);
        CLEANUP_FREE char *text = json_line(json_object_get(root, "result"), NULL);
        assert_string_equal(text, cases[i].expected);
    }
}

static void test_numbers_that_json_cannot_hold(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "click");
    response->metrics.load_time_ms = NAN;
    response->metrics.lcp_ms = INFINITY;
    response->metrics.fcp_ms = 1e300;
    response->metrics.ttfb_ms = 1;
    json_auto_t *root = response_json(response, 0);
    const json_t *metrics = json_object_get(root, "metrics");
    assert_int_equal(json_object_size(metrics), 8);
    assert_int_equal(json_integer_value(json_object_get(metrics, "ttfb")), 1);
}

static void test_broken_utf8(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "click");
    response->title = xstrdup("caf\xE9");
    response->label = xstrdup("\xC0\x80");
    response->url = xstrdup("http://\xFF/");
    response->logs = xcalloc(1, sizeof(*response->logs));
    response->log_count = 1;
    response->logs[0].message = xstrdup("a\xF0\x9F\x98z\xF0\x9F\x98\x80");
    response->error = (struct br_error){ .message = "\x80", .hint = "\x80" };
    CLEANUP_FREE char *text = br_response_to_json(response);
    static const char *const parts[] = {
        "\"title\":\"caf\xEF\xBF\xBD\"",
        "\"label\":\"\xEF\xBF\xBD\xEF\xBF\xBD\"",
        "\"url\":\"http://\xEF\xBF\xBD/\"",
        "\"message\":\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\xF0\x9F\x98\x80\"",
        "\"error\":\"\xEF\xBF\xBD\"",
        "\"hint\":\"\xEF\xBF\xBD\"",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!strstr(text, parts[i])) {
            fail_msg("%s is not in %s", parts[i], text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_has_no_other_fields),
        cmocka_unit_test(test_absent_fields),
        cmocka_unit_test(test_all_fields),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_one_picture_only),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_numbers_that_json_cannot_hold),
        cmocka_unit_test(test_broken_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
