/* What a real browser's page does, as sinks of the C API are told of it. */
#include "runner/base/action.h"
#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "tests/slowness.h"

#include <browser_runner/session.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What a sanitizer takes beside is several times as much. */
#if SLOWNESS_DEFAULT > 1
enum { MAX_MEMORY_KB = 1024 * 1024 };
#else
enum { MAX_MEMORY_KB = 64 * 1024 };
#endif

enum { MAX_HEARD = 4096, FLOOD = 100 * 1000, FLOOD_MS = 5000 };

/* A sink that keeps events, and checks that their numbers have no gaps. */
struct ear {
    const struct br_event *heard[MAX_HEARD];
    size_t count;
    uint64_t dropped, said; /* entries that were not looked at; that were, repeats included */
    uint64_t sequence;
    bool has_gap;
    int64_t latest_ms; /* the longest that an entry of a page was on its way */
};

static struct br_browser *browser;
static struct br_session *session;
static struct ear ear;

static void hear(void *data, const struct br_event *event)
{
    struct ear *to = data;
    if (event->sequence) {
        to->has_gap |= to->sequence && event->sequence != to->sequence + 1;
        to->sequence = event->sequence;
    }
    to->dropped += event->kind == BR_EVENT_DROPPED ? event->as.dropped : 0;
    if (event->kind == BR_EVENT_CONSOLE) {
        int64_t way_ms = clock_wall_ms() - event->timestamp_ms;
        to->latest_ms = way_ms > to->latest_ms ? way_ms : to->latest_ms;
        to->said += event->as.log.count ? (uint64_t)event->as.log.count : 1;
    }
    if (to->count < MAX_HEARD) {
        to->heard[to->count++] = br_event_hold(event);
    }
}

static void forget(void)
{
    while (ear.count) {
        br_event_release(ear.heard[--ear.count]);
    }
    ear = (struct ear){ 0 };
}

static void act(const char *text)
{
    struct br_error err = { 0 };
    struct br_action *action = br_action_from_json(text, strlen(text), &err);
    if (!action) {
        fail_msg("%s: %s", text, err.message);
    }
    struct br_response *response = br_session_run(session, action);
    if (!response->success) {
        fail_msg("%s: %s", text, response->error.message);
    }
    br_response_destroy(response);
    br_action_destroy(action);
}

static void evaluate(const char *expression)
{
    json_t *action = json_pack("{s:s, s:s, s:i}", "type", "evaluate", "expression", expression,
                               "timeout", 120000);
    char *text = json_dumps(action, 0);
    act(text);
    free(text);
    json_decref(action);
}

static int set_up(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    struct br_browser_options of_browser = BR_BROWSER_OPTIONS_INIT;
    of_browser.temp_profile = true;
    of_browser.no_sandbox = true;
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    options.screenshots = BR_SCREENSHOTS_NONE;
    options.session_id = "events";
    browser = br_browser_open(&of_browser, &err);
    session = browser ? br_session_open(browser, &options, &err) : NULL;
    const struct br_sink sink = { .on_event = hear, .data = &ear, .wants_values = true };
    if (!session || !br_session_subscribe(session, &sink, &err)) {
        fail_msg("%s", err.message);
    }
    act("{\"type\":\"start\",\"url\":\"about:blank\"}");
    forget();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    br_session_close(session);
    br_browser_close(browser);
    forget();
    return 0;
}

/* The arguments of the only console call that was heard; the caller frees. */
static json_t *arguments_of_call(void)
{
    for (size_t i = 0; i < ear.count; i++) {
        if (ear.heard[i]->kind == BR_EVENT_CONSOLE) {
            return json_loads(ear.heard[i]->as.log.arguments, 0, NULL);
        }
    }
    return NULL;
}

static void test_arguments_are_typed(void **state)
{
    (void)state;
    static const struct {
        const char *argument, *value;
    } cases[] = {
        { "'text'", "{\"type\":\"string\",\"value\":\"text\"}" },
        { "1.5", "{\"type\":\"number\",\"value\":1.5}" },
        { "NaN", "{\"type\":\"number\",\"value\":\"NaN\"}" },
        { "-0", "{\"type\":\"number\",\"value\":\"-0\"}" },
        { "10n", "{\"type\":\"bigint\",\"value\":\"10n\"}" },
        { "undefined", "{\"type\":\"undefined\"}" },
        { "null", "{\"type\":\"null\"}" },
        { "({a: {b: [1, 'x']}})",
          "{\"type\":\"object\",\"value\":[[\"a\",{\"type\":\"object\",\"value\":[[\"b\",{\"type\":"
          "\"array\",\"value\":[{\"type\":\"number\",\"value\":1},{\"type\":\"string\",\"value\":"
          "\"x\"}]}]]}]]}" },
        { "new Map([[1, new Set([2])]])",
          "{\"type\":\"map\",\"value\":[[{\"type\":\"number\",\"value\":1},{\"type\":\"set\","
          "\"value\":[{\"type\":\"number\",\"value\":2}]}]]}" },
        { "new Date(0)", "{\"type\":\"date\",\"value\":\"1970-01-01T00:00:00.000Z\"}" },
        { "/a/g", "{\"type\":\"regexp\",\"value\":{\"pattern\":\"a\",\"flags\":\"g\"}}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *expression = xasprintf("console.table(%s), 1", cases[i].argument);
        forget();
        evaluate(expression);
        json_t *arguments = arguments_of_call();
        json_t *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
        if (!arguments || !json_equal(json_array_get(arguments, 0), value)) {
            CLEANUP_FREE char *text = arguments ? json_dumps(arguments, 0) : NULL;
            fail_msg("%s is %s", cases[i].argument, text ? text : "nothing");
        }
        json_decref(value);
        json_decref(arguments);
    }
    assert_false(ear.has_gap);
}

static void test_what_is_too_large_is_told_shortly(void **state)
{
    (void)state;
    evaluate("console.log(Array.from({length: 100000}, (_, i) => ({i})), 'x'.repeat(1e6)), 1");
    json_t *arguments = arguments_of_call();
    CLEANUP_FREE char *text = json_dumps(arguments, 0);
    assert_in_range(strlen(text), 50, 60000);
    assert_string_equal(json_string_value(json_object_get(json_array_get(arguments, 0), "type")),
                        "array");
    json_decref(arguments);
}

static void test_method_and_steps_of_an_action(void **state)
{
    (void)state;
    evaluate("console.group('g'), setTimeout(() => { throw new Error('late') }), 1");
    evaluate("new Promise(done => setTimeout(done, 100))");
    const char *method = NULL;
    bool has_thrown = false;
    int begun = 0;
    int over = 0;
    for (size_t i = 0; i < ear.count; i++) {
        const struct br_event *event = ear.heard[i];
        assert_string_equal(event->session_id, "events");
        assert_int_equal(event->generation, 1);
        method = event->kind == BR_EVENT_CONSOLE ? event->as.log.method : method;
        has_thrown |= event->kind == BR_EVENT_EXCEPTION && strstr(event->as.log.message, "late");
        begun += event->kind == BR_EVENT_ACTION && !event->as.action.is_over;
        over +=
            event->kind == BR_EVENT_ACTION && event->as.action.is_over && event->as.action.success;
    }
    assert_string_equal(method, "startGroup");
    assert_true(has_thrown);
    assert_int_equal(begun, 2);
    assert_int_equal(over, 2);
}

static void test_whoever_idles_is_told_soon(void **state)
{
    (void)state;
    evaluate("window.timer = setInterval(() => console.log('tick', {at: Date.now()}), 20), 1");
    forget();
    struct deadline deadline = deadline_in_ms(slow_ms(20000));
    while (ear.said < 25 && !deadline_passed(deadline)) {
        br_session_poll(session, NULL, 0, 50);
    }
    uint64_t said = ear.said;
    int64_t latest_ms = ear.latest_ms;
    evaluate("clearInterval(timer), 1");
    assert_true(said >= 25);
    assert_true(latest_ms < slow_ms(2000) && is_soon(latest_ms, 50 + 30));
    /* With a longer wait it is woken up for them. */
    evaluate("setTimeout(() => console.log('once'), 100), 1");
    forget();
    int64_t began_ms = clock_monotonic_ms();
    br_session_poll(session, NULL, 0, (int)slow_ms(3000));
    assert_int_equal(ear.said, 1);
    assert_true(ear.latest_ms < slow_ms(2000) && is_soon(ear.latest_ms, 50 + 30));
    assert_in_range(clock_monotonic_ms() - began_ms, slow_ms(3000) - 10, slow_ms(3000 + 2000));
}

static long resident_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void test_a_flood_takes_bounded_memory(void **state)
{
    (void)state;
    evaluate("1");
    long before_kb = resident_kb();
    forget();
    CLEANUP_FREE char *flood =
        xasprintf("new Promise(done => { let said = 0; const timer = setInterval(() => {"
                  "for (let i = 0; i < %d; i++) console.log('flood', said++, {a: {b: said}});"
                  "if (said >= %d) { clearInterval(timer); done(said); } }, 50); })",
                  FLOOD * 50 / FLOOD_MS, FLOOD);
    evaluate(flood);
    for (int i = 0; i < 10; i++) {
        br_session_poll(session, NULL, 0, 100);
    }
    assert_false(ear.has_gap);
    assert_true(ear.dropped > 0);
    assert_int_equal(ear.said + ear.dropped, FLOOD);
    assert_in_range(resident_kb() - before_kb, 0, MAX_MEMORY_KB);
}

static void test_secrets_are_in_no_sink(void **state)
{
    (void)state;
    static const char *const secrets[] = { "hunter2-of-mine", "4929123456789012", "t0k3n-header" };
    evaluate("document.body.innerHTML = '<input id=p type=password><input id=c "
             "autocomplete=cc-number>', 1");
    act("{\"type\":\"type\",\"selector\":\"#p\",\"text\":\"hunter2-of-mine\"}");
    act("{\"type\":\"type\",\"selector\":\"#c\",\"text\":\"4929123456789012\"}");
    evaluate("console.log('typed', p.value, {card: c.value, at: 'http://a/?token=t0k3n-header'}),"
             "fetch('http://127.0.0.1:9/?q=' + p.value, {method: 'POST', body: c.value, mode:"
             "'no-cors', headers: {Accept: 'a'}}).catch(() => 1)");
    evaluate("alert(p.value + c.value), 1");
    bool has_dialog = false;
    bool has_request = false;
    for (size_t i = 0; i < ear.count; i++) {
        const struct br_event *event = ear.heard[i];
        const char *const texts[] = {
            event->kind <= BR_EVENT_LOG ? event->as.log.message : NULL,
            event->kind <= BR_EVENT_LOG ? event->as.log.arguments : NULL,
            event->kind == BR_EVENT_NETWORK ? event->as.network.event.url : NULL,
            event->kind == BR_EVENT_REQUEST ? event->as.network.event.post_data : NULL,
            event->kind == BR_EVENT_DIALOG ? event->as.dialog.message : NULL,
        };
        has_dialog |= event->kind == BR_EVENT_DIALOG;
        has_request |= event->kind == BR_EVENT_NETWORK;
        for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
            for (size_t s = 0; texts[t] && s < sizeof(secrets) / sizeof(secrets[0]); s++) {
                if (strstr(texts[t], secrets[s])) {
                    fail_msg("%s in an event %s: %s", secrets[s], br_event_name(event->kind),
                             texts[t]);
                }
            }
        }
    }
    assert_true(has_dialog);
    assert_true(has_request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_arguments_are_typed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_too_large_is_told_shortly, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_method_and_steps_of_an_action, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whoever_idles_is_told_soon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_flood_takes_bounded_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_secrets_are_in_no_sink, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
