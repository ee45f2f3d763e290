/* Values serialised by Chrome, and events of a session, as messages of console-bridge. */
#include "runner/base/error.h"
#include "runner/base/event.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/console/deep_value.h"
#include "runner/console/page.h"
#include "runner/console/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *parse(const char *text)
{
    struct br_error err = { 0 };
    json_t *root = json_parse(text, strlen(text), "test", &err);
    assert_non_null(root);
    return root;
}

static void assert_json(json_t *found, const char *expected, const char *what)
{
    json_auto_t *wanted = parse(expected);
    if (!json_equal(found, wanted)) {
        CLEANUP_FREE char *text = json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY);
        fail_msg("%s is %s, not %s", what, text, expected);
    }
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *argument;
    } cases[] = {
        { "{\"type\":\"string\",\"value\":\"a\"}", "{\"type\":\"string\",\"value\":\"a\"}" },
        { "{\"type\":\"number\",\"value\":1.5}", "{\"type\":\"number\",\"value\":1.5}" },
        { "{\"type\":\"number\",\"value\":\"-0\"}", "{\"type\":\"number\",\"value\":\"-0\"}" },
        { "{\"type\":\"number\",\"value\":\"NaN\"}", "{\"type\":\"number\",\"value\":\"NaN\"}" },
        { "{\"type\":\"bigint\",\"value\":\"10\"}", "{\"type\":\"bigint\",\"value\":\"10n\"}" },
        { "{\"type\":\"boolean\",\"value\":true}", "{\"type\":\"boolean\",\"value\":true}" },
        { "{\"type\":\"null\"}", "{\"type\":\"null\",\"value\":null}" },
        { "{\"type\":\"undefined\"}", "{\"type\":\"undefined\"}" },
        { "{\"type\":\"regexp\",\"value\":{\"pattern\":\"a\",\"flags\":\"g\"}}",
          "{\"type\":\"regexp\",\"value\":\"/a/g\"}" },
        { "{\"type\":\"function\",\"description\":\"async function* f(a) { }\"}",
          "{\"type\":\"function\",\"value\":\"async function* f(a) { }\",\"name\":\"f\"}" },
        { "{\"type\":\"function\",\"description\":\"class Shop extends Base {}\"}",
          "{\"type\":\"function\",\"value\":\"class Shop extends Base {}\",\"name\":\"Shop\"}" },
        { "{\"type\":\"function\",\"description\":\"class Shop {\\n}\"}",
          "{\"type\":\"function\",\"value\":\"class Shop {…}\",\"name\":\"Shop\"}" },
        { "{\"type\":\"function\",\"description\":\"function f() {\\n}\"}",
          "{\"type\":\"function\",\"name\":\"f\"}" },
        { "{\"type\":\"map\",\"value\":[[\"a\",{\"type\":\"null\"}]]}",
          "{\"type\":\"map\",\"value\":[[{\"type\":\"string\",\"value\":\"a\"},"
          "{\"type\":\"null\",\"value\":null}]]}" },
        { "{\"type\":\"nodelist\",\"value\":[]}",
          "{\"type\":\"array\",\"value\":[],\"className\":\"NodeList\"}" },
        { "{\"type\":\"promise\",\"value\":[[\"[[PromiseState]]\",{\"type\":\"string\",\"value\":"
          "\"pending\"}]]}",
          "{\"type\":\"promise\",\"value\":{\"[[PromiseState]]\":{\"type\":\"string\",\"value\":"
          "\"pending\"}}}" },
        { "{\"type\":\"accessor\"}", "{\"type\":\"accessor\",\"value\":\"(...)\"}" },
        { "{\"type\":\"window\",\"value\":{}}", "{\"type\":\"object\",\"value\":\"Window\"}" },
        { "{\"type\":\"error\",\"description\":\"TypeError: no\\n    at x.js:1:2\"}",
          "{\"type\":\"error\",\"value\":\"TypeError: no\","
          "\"stack\":\"TypeError: no\\n    at x.js:1:2\"}" },
        { "{\"type\":\"object\",\"className\":\"Shop\",\"value\":[[\"a\",{\"type\":\"null\"}]]}",
          "{\"type\":\"object\",\"className\":\"Shop\",\"value\":{\"a\":{\"type\":\"null\","
          "\"value\":null}}}" },
        { "{\"type\":\"map\",\"value\":[[{\"type\":\"number\",\"value\":1},{\"type\":\"string\","
          "\"value\":\"x\"}]]}",
          "{\"type\":\"map\",\"value\":[[{\"type\":\"number\",\"value\":1},{\"type\":\"string\","
          "\"value\":\"x\"}]]}" },
        { "{\"type\":\"node\",\"value\":{\"nodeType\":1,\"localName\":\"b\",\"attributes\":"
          "{\"id\":\"i\"}}}",
          "{\"type\":\"dom\",\"tagName\":\"b\",\"value\":{\"id\":{\"type\":\"string\",\"value\":"
          "\"i\"}}}" },
        { "{\"type\":\"proxy\",\"description\":\"Proxy(Object)\"}",
          "{\"type\":\"object\",\"value\":\"Proxy(Object)\"}" },
        { "{\"type\":\"array\",\"leftOut\":7,\"value\":[{\"type\":\"undefined\"}]}",
          "{\"type\":\"array\",\"leftOut\":7,\"value\":[{\"type\":\"undefined\"}]}" },
        { "{}", "{\"type\":\"object\",\"value\":\"?\"}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *typed = parse(cases[i].typed);
        struct console_value value = deep_value_read(typed);
        json_auto_t *argument = console_value_json(&value);
        assert_json(argument, cases[i].argument, cases[i].typed);
        console_value_finish(&value);
    }
}

static void test_circles_are_told_from_repetitions(void **state)
{
    (void)state;
    json_auto_t *typed =
        parse("{\"type\":\"array\",\"weakLocalObjectReference\":0,\"value\":["
              "{\"type\":\"object\",\"weakLocalObjectReference\":1,\"value\":[[\"up\","
              "{\"type\":\"array\",\"weakLocalObjectReference\":0}]]},"
              "{\"type\":\"object\",\"weakLocalObjectReference\":1}]}");
    struct console_value value = deep_value_read(typed);
    json_auto_t *argument = console_value_json(&value);
    assert_json(argument,
                "{\"type\":\"array\",\"value\":["
                "{\"type\":\"object\",\"value\":{\"up\":{\"type\":\"circular\"}}},"
                "{\"type\":\"object\",\"value\":{\"up\":{\"type\":\"circular\"}}}]}",
                "a circle");
    console_value_finish(&value);
}

static size_t depth_of(const struct console_value *value)
{
    return value->count == 0 ? 0 : 1 + depth_of(&value->members[0].value);
}

static const struct console_value *innermost(const struct console_value *value)
{
    return value->count == 0 ? value : innermost(&value->members[0].value);
}

static void test_limits(void **state)
{
    (void)state;
    json_t *deep = parse("{\"type\":\"string\",\"value\":\"end\"}");
    for (int i = 0; i < 30; i++) {
        deep = json_pack("{s:s, s:[o]}", "type", "array", "value", deep);
    }
    struct console_value value = deep_value_read(deep);
    assert_int_equal(depth_of(&value), DEEP_MAX_DEPTH);
    assert_int_equal(innermost(&value)->kind, KIND_MAX_DEPTH);
    console_value_finish(&value);
    json_decref(deep);

    json_t *many = json_array();
    for (int i = 0; i < 3000; i++) {
        json_array_append_new(many, json_pack("{s:s}", "type", "null"));
    }
    json_auto_t *list = json_pack("{s:s, s:o}", "type", "array", "value", many);
    value = deep_value_read(list);
    assert_int_equal(value.count, DEEP_MAX_MEMBERS);
    assert_int_equal(value.left_out, 3000 - DEEP_MAX_MEMBERS);
    console_value_finish(&value);

    CLEANUP_FREE char *text = xmalloc(100001);
    memset(text, 'x', 100000);
    text[100000] = '\0';
    json_auto_t *long_text = json_pack("{s:s, s:s}", "type", "string", "value", text);
    value = deep_value_read(long_text);
    assert_in_range(strlen(value.text), DEEP_MAX_TEXT, DEEP_MAX_TEXT + 20);
    console_value_finish(&value);
}

/* Makes an event as a session does. */
static struct br_event *call_event(const char *method, const char *arguments)
{
    struct br_event *event = event_create(BR_EVENT_CONSOLE);
    event->as.log.method = xstrdup(method);
    event->as.log.message = xstrdup("as text");
    event->as.log.arguments = arguments ? xstrdup(arguments) : NULL;
    event->as.log.location = xstrdup("http://localhost:3000/app.js:42:15");
    event->as.log.timestamp_ms = 5000;
    return event;
}

static void test_calls(void **state)
{
    (void)state;
    static const struct {
        const char *method, *arguments, *payload;
    } cases[] = {
        { "warning", "[{\"type\":\"string\",\"value\":\"a\"}]",
          "{\"method\":\"warn\",\"args\":[{\"type\":\"string\",\"value\":\"a\"}]}" },
        { "startGroupCollapsed", "[{\"type\":\"string\",\"value\":\"console.groupCollapsed\"}]",
          "{\"method\":\"groupCollapsed\",\"args\":[]}" },
        { "endGroup", "[{\"type\":\"string\",\"value\":\"console.groupEnd\"}]",
          "{\"method\":\"groupEnd\",\"args\":[]}" },
        { "count", "[{\"type\":\"string\",\"value\":\"a: b: 3\"}]",
          "{\"method\":\"count\",\"args\":[{\"type\":\"string\",\"value\":\"a: b\"}],"
          "\"result\":\"a: b: 3\"}" },
        { "assert", "[{\"type\":\"string\",\"value\":\"console.assert\"}]",
          "{\"method\":\"assert\",\"args\":[{\"type\":\"boolean\",\"value\":false}]}" },
        { "assert", "[{\"type\":\"number\",\"value\":1}]",
          "{\"method\":\"assert\",\"args\":[{\"type\":\"boolean\",\"value\":false},"
          "{\"type\":\"number\",\"value\":1}]}" },
        { "profile", NULL,
          "{\"method\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"as text\"}]}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int times = 0;
        struct console_page page;
        atomic_uint last_tab = 6;
        console_page_init(&page, &last_tab);
        struct br_event *event = call_event(cases[i].method, cases[i].arguments);
        struct console_event *call = console_page_read(&page, event, &times);
        json_auto_t *payload = console_payload_json(call);
        json_auto_t *place = json_deep_copy(json_object_get(payload, "location"));
        json_object_del(payload, "location");
        assert_json(payload, cases[i].payload, cases[i].method);
        assert_json(place, "{\"url\":\"http://localhost:3000/app.js\",\"line\":42,\"column\":15}",
                    "the place");
        assert_int_equal(times, 1);
        console_event_destroy(call);
        br_event_release(event);
        console_page_finish(&page);
    }
}

static void test_a_timer_is_begun_before_its_end(void **state)
{
    (void)state;
    int times = 0;
    struct console_page page;
    atomic_uint last_tab = 0;
    console_page_init(&page, &last_tab);
    struct br_event *event =
        call_event("timeEnd", "[{\"type\":\"string\",\"value\":\"load: 1200.5 ms\"}]");
    struct console_event *call = console_page_read(&page, event, &times);
    struct console_event *timer = console_page_timer(call);
    assert_non_null(timer);
    assert_int_equal(timer->method, CONSOLE_TIME);
    assert_int_equal(timer->time_ms, 5000 - 1200);
    assert_string_equal(timer->args[0].text, "load");
    assert_string_equal(call->args[0].text, "load");
    assert_null(console_page_timer(timer));
    console_event_destroy(timer);
    console_event_destroy(call);
    br_event_release(event);
    console_page_finish(&page);
}

static void test_the_page_is_where_it_has_gone(void **state)
{
    (void)state;
    int times = 0;
    struct console_page page;
    atomic_uint last_tab = 0;
    console_page_init(&page, &last_tab);
    struct br_event *moved = event_create(BR_EVENT_NAVIGATION);
    console_page_set(&page, "http://a/", "A");
    moved->as.navigation.step = BR_NAVIGATION_DONE;
    moved->as.navigation.url = xstrdup("http://b/");
    assert_null(console_page_read(&page, moved, &times));
    struct br_event *event = call_event("log", "[]");
    event->as.log.count = 3;
    struct console_event *call = console_page_read(&page, event, &times);
    assert_int_equal(times, 3);
    assert_string_equal(call->source.url, "http://b/");
    assert_null(call->source.title);
    console_event_destroy(call);
    br_event_release(event);
    br_event_release(moved);
    console_page_finish(&page);
}

/* Returns "status tab" of the message; "": none. */
static const char *status_of(struct console_page *page, enum br_event_kind kind, int number,
                             int step)
{
    static char text[64];
    struct br_event *event = event_create(kind);
    if (kind == BR_EVENT_TAB) {
        event->as.tab = (struct br_tab_change){ .number = number, .step = step };
    }
    CLEANUP_FREE char *message = console_page_status(page, event);
    json_auto_t *read = message ? json_loads(message, 0, NULL) : NULL;
    const char *status = json_member_string(json_object_get(read, "payload"), "status");
    double tab = json_member_number(json_object_get(read, "source"), "tabId", 0);
    *text = '\0';
    if (status) {
        snprintf(text, sizeof(text), "%s %.0f", status, tab);
    }
    br_event_release(event);
    return text;
}

/* Returns the tab of the call; "": it is not read. */
static const char *tab_of_call(struct console_page *page, int tab, int64_t time_ms)
{
    static char text[32];
    int times = 0;
    struct br_event *event = call_event("log", "[]");
    event->tab = tab;
    event->as.log.timestamp_ms = time_ms;
    struct console_event *call = console_page_read(page, event, &times);
    snprintf(text, sizeof(text), "%s", call ? call->source.tab : "");
    console_event_destroy(call);
    br_event_release(event);
    return text;
}

static void test_each_tab_has_an_id(void **state)
{
    (void)state;
    struct console_page page;
    atomic_uint last_tab = 10; /* tabs of other sessions */
    console_page_init(&page, &last_tab);
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 1, BR_TAB_OPENED), "");
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 1, BR_TAB_ACTIVATED), "");
    assert_string_equal(tab_of_call(&page, 0, 100), "11");
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 2, BR_TAB_OPENED), "connected 12");
    assert_string_equal(tab_of_call(&page, 2, 100), "12");
    assert_string_equal(tab_of_call(&page, 2, 101), "12");
    /* Chrome reports its calls again when the tab becomes the page. */
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 2, BR_TAB_ACTIVATED), "");
    assert_string_equal(tab_of_call(&page, 0, 100), "");
    assert_string_equal(tab_of_call(&page, 0, 101), "");
    assert_string_equal(tab_of_call(&page, 0, 102), "12");
    assert_string_equal(tab_of_call(&page, 0, 102), "12");
    assert_string_equal(tab_of_call(&page, 1, 103), "11");
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 1, BR_TAB_CLOSED), "disconnected 11");
    assert_string_equal(tab_of_call(&page, 0, 104), "12");
    /* When the browser ends, all tabs are lost, and numbers start again. */
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 3, BR_TAB_OPENED), "connected 13");
    assert_string_equal(status_of(&page, BR_EVENT_PAGE, 0, 0), "");
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 1, BR_TAB_OPENED), "");
    assert_string_equal(status_of(&page, BR_EVENT_TAB, 1, BR_TAB_ACTIVATED), "");
    assert_string_equal(tab_of_call(&page, 0, 50), "12");
    console_page_finish(&page);
}

static void test_earlier_calls_of_other_tabs_are_not_read(void **state)
{
    (void)state;
    struct console_page page;
    atomic_uint last_tab = 0;
    console_page_init(&page, &last_tab);
    page.is_open = true;
    page.from_ms = 1000;
    assert_string_equal(tab_of_call(&page, 5, 999), "");
    assert_string_equal(tab_of_call(&page, 5, 1001), "2");
    assert_string_equal(tab_of_call(&page, 0, 999), "1");
    console_page_finish(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_circles_are_told_from_repetitions),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_a_timer_is_begun_before_its_end),
        cmocka_unit_test(test_the_page_is_where_it_has_gone),
        cmocka_unit_test(test_each_tab_has_an_id),
        cmocka_unit_test(test_earlier_calls_of_other_tabs_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
