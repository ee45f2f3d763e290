#include "runner/formats/event_json.h"

#include "runner/base/event.h"
#include "runner/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(struct br_event *event, const char *wanted)
{
    event->timestamp_ms = 5;
    json_auto_t *line = event_json(event);
    json_auto_t *pattern = json_loads(wanted, 0, NULL);
    assert_non_null(pattern);
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);
    CLEANUP_FREE char *expected = json_dumps(pattern, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, expected);
    br_event_release(event);
}

static void test_line_has_cursor_and_session(void **state)
{
    (void)state;
    struct br_event *event = event_create(BR_EVENT_NAVIGATION);
    event->sequence = 7;
    free((char *)event->session_id);
    event->session_id = xstrdup("shop");
    event->action_id = 3;
    event->as.navigation.step = BR_NAVIGATION_LOADED;
    event->as.navigation.url = xstrdup("http://a.test/");
    expect(event, "{\"kind\":\"event\",\"session\":\"shop\",\"cursor\":\"7\",\"event\":{\"name\":"
                  "\"navigation\",\"timestamp\":5,\"actionId\":3,\"navigation\":{\"step\":"
                  "\"loaded\",\"url\":\"http://a.test/\"}}}");
}

static void test_momentary_event_has_no_cursor(void **state)
{
    (void)state;
    struct br_event *event = event_create(BR_EVENT_PROGRESS);
    event->as.progress.what = BR_PROGRESS_WAITING;
    event->as.progress.text = xstrdup("the load");
    expect(event, "{\"kind\":\"event\",\"session\":\"\",\"event\":{\"name\":\"progress\","
                  "\"timestamp\":5,\"progress\":{\"state\":\"waiting\",\"text\":\"the load\"}}}");
}

static void test_action_tells_its_end(void **state)
{
    (void)state;
    struct br_event *event = event_create(BR_EVENT_ACTION);
    event->as.action.is_over = true;
    event->as.action.type = xstrdup("click");
    event->as.action.code = BR_TIMEOUT;
    event->as.action.error = xstrdup("late");
    event->as.action.duration_ms = 9;
    expect(event, "{\"kind\":\"event\",\"session\":\"\",\"event\":{\"name\":\"action\","
                  "\"timestamp\":5,\"action\":{\"over\":true,\"type\":\"click\",\"success\":false,"
                  "\"errorCode\":\"TIMEOUT\",\"error\":\"late\",\"durationMs\":9}}}");
}

static void test_each_kind_has_something_to_tell(void **state)
{
    (void)state;
    for (int kind = BR_EVENT_CONSOLE; kind <= BR_EVENT_DROPPED; kind++) {
        struct br_event *event = event_create((enum br_event_kind)kind);
        json_auto_t *line = event_json(event);
        const json_t *told = json_object_get(line, "event");
        assert_string_equal(json_string_value(json_object_get(told, "name")),
                            br_event_name((enum br_event_kind)kind));
        assert_true(json_object_size(told) >= 3);
        br_event_release(event);
    }
}

static void test_names_are_bits(void **state)
{
    (void)state;
    assert_int_equal(event_kinds_named("console"), 1u << BR_EVENT_CONSOLE);
    assert_int_equal(event_kinds_named("dialog"), 1u << BR_EVENT_DIALOG);
    assert_true(event_kinds_named("logs") & 1u << BR_EVENT_EXCEPTION);
    assert_true(event_kinds_named("all") & 1u << BR_EVENT_NETWORK);
    assert_int_equal(event_kinds_named("nothing"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_has_cursor_and_session),
        cmocka_unit_test(test_momentary_event_has_no_cursor),
        cmocka_unit_test(test_action_tells_its_end),
        cmocka_unit_test(test_each_kind_has_something_to_tell),
        cmocka_unit_test(test_names_are_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
