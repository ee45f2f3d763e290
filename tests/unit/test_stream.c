/* Events in order, masked, folded and with hints, for every subscriber. */
#include "runner/base/log.h"
#include "runner/observe/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_HEARD = 64 };

/* A sink that keeps its events. */
struct ear {
    const struct br_event *heard[MAX_HEARD];
    size_t count, all;
};

static void hear(void *data, const struct br_event *event)
{
    struct ear *ear = data;
    ear->all++;
    if (ear->count < MAX_HEARD) {
        ear->heard[ear->count++] = br_event_hold(event);
    }
}

static void forget(struct ear *ear)
{
    while (ear->count) {
        br_event_release(ear->heard[--ear->count]);
    }
}

static struct stream *listened(struct ear *ear, unsigned kinds, const struct secrets *secrets)
{
    struct stream *stream = stream_create("shop", secrets, BR_WORDING_MEMBERS);
    struct br_sink sink = { .on_event = hear, .data = ear, .kinds = kinds };
    *ear = (struct ear){ 0 };
    assert_int_equal(stream_subscribe(stream, &sink), 1);
    return stream;
}

static uint64_t say(struct stream *stream, enum br_log_type type, const char *message,
                    int64_t details_ms)
{
    struct br_log log = log_entry(type, BR_SOURCE_BROWSER, "console", message);
    log.method = xstrdup("log");
    return stream_log(stream, &log, details_ms);
}

static const char *heard(const struct ear *ear, size_t index)
{
    assert_true(index < ear->count);
    return ear->heard[index]->as.log.message;
}

static void test_events_say_what_they_belong_to(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    stream_set_generation(stream, 3);
    say(stream, BR_LOG_INFO, "before", 0);
    stream_set_action(stream, 7);
    stream_emit(stream, event_create(BR_EVENT_PROGRESS), 0);
    say(stream, BR_LOG_INFO, "during", 0);
    stream_destroy(stream);
    assert_int_equal(ear.count, 3);
    assert_int_equal(ear.heard[0]->sequence, 1);
    assert_int_equal(ear.heard[1]->sequence, 0);
    assert_int_equal(ear.heard[2]->sequence, 2);
    assert_int_equal(ear.heard[0]->action_id, 0);
    assert_int_equal(ear.heard[2]->action_id, 7);
    assert_int_equal(ear.heard[2]->generation, 3);
    /* An event outlives its stream. */
    assert_string_equal(ear.heard[2]->session_id, "shop");
    assert_int_equal(ear.heard[2]->kind, BR_EVENT_CONSOLE);
    forget(&ear);
}

static void test_a_sink_hears_what_it_wants(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 1u << BR_EVENT_EXCEPTION, NULL);
    assert_true(stream_wants(stream, BR_EVENT_EXCEPTION));
    assert_false(stream_wants(stream, BR_EVENT_CONSOLE));
    assert_false(stream_wants(NULL, BR_EVENT_CONSOLE));
    say(stream, BR_LOG_ERROR, "no exception", 0);
    struct br_log log = log_entry(BR_LOG_ERROR, BR_SOURCE_BROWSER, "javascript", "thrown");
    log.kind = "rejection";
    stream_log(stream, &log, 0);
    assert_int_equal(ear.all, 1);
    stream_unsubscribe(stream, 1);
    assert_false(stream_wants(stream, BR_EVENT_EXCEPTION));
    stream_unsubscribe(stream, 0);
    stream_unsubscribe(stream, STREAM_MAX_SINKS + 1);
    stream_destroy(stream);
    forget(&ear);
}

static void test_no_more_sinks_than_there_is_place_for(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    struct br_sink sink = { .on_event = hear, .data = &ear, .wants_values = true };
    assert_false(stream_wants_values(stream));
    for (int i = 2; i <= STREAM_MAX_SINKS; i++) {
        assert_int_equal(stream_subscribe(stream, &sink), i);
    }
    assert_int_equal(stream_subscribe(stream, &sink), 0);
    assert_true(stream_wants_values(stream));
    stream_unsubscribe(stream, 5);
    assert_int_equal(stream_subscribe(stream, &sink), 5);
    stream_destroy(stream);
    forget(&ear);
}

static void test_details_hold_back_what_follows(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    uint64_t ticket = say(stream, BR_LOG_INFO, "{…}", 60 * 1000);
    say(stream, BR_LOG_INFO, "next", 0);
    assert_int_equal(ear.count, 0);
    struct br_event *waiting = stream_waiting(stream, ticket);
    assert_int_equal(waiting->as.log.id, ticket);
    log_set_message(&waiting->as.log, "{a: 1}");
    stream_let_go(stream, ticket);
    assert_int_equal(ear.count, 2);
    assert_string_equal(heard(&ear, 0), "{a: 1}");
    assert_string_equal(heard(&ear, 1), "next");
    assert_null(stream_waiting(stream, ticket));
    stream_let_go(stream, ticket);
    assert_null(stream_waiting(NULL, ticket));
    stream_destroy(stream);
    forget(&ear);
}

static void test_details_are_waited_for_a_moment_only(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    int64_t before_us = deadline_in_ms(30).at_us;
    say(stream, BR_LOG_INFO, "late", 30);
    struct deadline due = stream_run(stream, false);
    if (ear.count == 0) { /* skipped if a busy machine let it become due */
        assert_in_range(due.at_us, before_us, deadline_in_ms(30).at_us);
    }
    while (!deadline_passed(due)) {
        usleep(1000);
    }
    stream_run(stream, false);
    assert_int_equal(ear.count, 1);
    /* The number of waiting events is limited. */
    for (int i = 0; i < 2000; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", i);
        say(stream, BR_LOG_INFO, text, 60 * 1000);
    }
    assert_in_range(ear.all, 900, 1999);
    stream_destroy(stream);
    assert_int_equal(ear.all, 2001);
    forget(&ear);
}

static void test_details_that_have_arrived_are_read_first(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    uint64_t ticket = say(stream, BR_LOG_INFO, "short", 1);
    struct deadline due = deadline_in_ms(2);
    while (!deadline_passed(due)) {
        usleep(1000);
    }
    /*
     * Its time is over, but only because this program was late: the reply may be among the next
     * messages.
     */
    say(stream, BR_LOG_INFO, "behind", 0);
    stream_run(stream, true);
    assert_int_equal(ear.count, 0);
    log_set_message(&stream_waiting(stream, ticket)->as.log, "in full");
    stream_let_go(stream, ticket);
    assert_int_equal(ear.count, 2);
    assert_string_equal(heard(&ear, 0), "in full");
    say(stream, BR_LOG_INFO, "never answered", 1);
    due = deadline_in_ms(2);
    while (!deadline_passed(due)) {
        usleep(1000);
    }
    stream_run(stream, false);
    assert_int_equal(ear.count, 3);
    stream_destroy(stream);
    forget(&ear);
}

static void test_other_tabs_are_for_who_wants_them(void **state)
{
    (void)state;
    struct ear ear;
    struct ear all = { 0 };
    struct stream *stream = listened(&ear, 0, NULL);
    assert_false(stream_wants_tabs(stream));
    const struct br_sink sink = { .on_event = hear, .data = &all, .wants_tabs = true };
    stream_subscribe(stream, &sink);
    assert_true(stream_wants_tabs(stream));
    say(stream, BR_LOG_INFO, "same", 0);
    stream_set_tab(stream, 2);
    say(stream, BR_LOG_INFO, "same", 0);
    stream_set_tab(stream, 0);
    say(stream, BR_LOG_INFO, "last", 0);
    stream_destroy(stream);
    assert_int_equal(ear.count, 2);
    assert_int_equal(ear.heard[1]->sequence, 2);
    assert_int_equal(all.count, 3);
    assert_int_equal(all.heard[1]->tab, 2);
    assert_int_equal(all.heard[1]->sequence, 0);
    forget(&ear);
    forget(&all);
}

static void test_what_is_said_again_is_counted(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    int64_t began_ms = clock_monotonic_ms();
    for (int i = 0; i < 1000; i++) {
        say(stream, BR_LOG_INFO, "again", 0);
    }
    say(stream, BR_LOG_INFO, "other", 0);
    stream_flush(stream);
    int count = 0;
    for (size_t i = 0; i + 1 < ear.count; i++) {
        assert_string_equal(heard(&ear, i), "again");
        count += ear.heard[i]->as.log.count ? ear.heard[i]->as.log.count : 1;
    }
    assert_int_equal(count, 1000);
    /* The first at once, the others in batches. */
    assert_in_range(ear.all, 3, 5 + (clock_monotonic_ms() - began_ms) / STREAM_WAIT_MS);
    /* The tool's own entries are never folded. */
    size_t before = ear.all;
    for (int i = 0; i < 3; i++) {
        struct br_log log = log_entry(BR_LOG_INFO, BR_SOURCE_TOOL, "retry", "again");
        stream_log(stream, &log, 0);
    }
    assert_int_equal(ear.all, before + 3);
    stream_destroy(stream);
    forget(&ear);
}

static void test_a_sink_may_say_something_itself(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    struct log_list logs = { .stream = stream };
    log_tool(&logs, BR_LOG_INFO, "browser", "by the list");
    assert_int_equal(logs.count, 0); /* its collector would add it */
    assert_int_equal(ear.count, 1);
    assert_int_equal(ear.heard[0]->kind, BR_EVENT_LOG);
    stream_destroy(stream);
    forget(&ear);
}

static void test_secrets_are_in_no_event(void **state)
{
    (void)state;
    struct ear ear;
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, "4929123456789012", NULL);
    struct stream *stream = listened(&ear, 0, secrets);
    say(stream, BR_LOG_INFO, "card 4929 1234 5678 9012", 0);
    struct br_log log = log_entry(BR_LOG_INFO, BR_SOURCE_BROWSER, "console", "m");
    log.method = xstrdup("log");
    log.arguments = xstrdup("[{\"type\":\"string\",\"value\":\"4929123456789012\"},"
                            "{\"type\":\"string\",\"value\":\"http://a/?token=t0k3n&b=\\\"\"}]");
    stream_log(stream, &log, 0);
    struct br_event *request = event_create(BR_EVENT_NETWORK);
    struct br_network_event *network = &request->as.network.event;
    network->url = xstrdup("http://a/?q=4929123456789012&api_key=k3y");
    network->post_data = xstrdup("{\"password\":\"hunter2\",\"note\":\"4929123456789012\"}");
    network->body = xstrdup("{\"access_token\":\"t0k3n\"}");
    network->request_headers = xcalloc(2, sizeof(struct br_header));
    network->request_headers[0] =
        (struct br_header){ xstrdup("Authorization"), xstrdup("Bearer t0k3n") };
    network->request_headers[1] =
        (struct br_header){ xstrdup("Referer"), xstrdup("http://a/?token=t0k3n") };
    network->request_header_count = 2;
    network->response_headers = xcalloc(1, sizeof(struct br_header));
    network->response_headers[0] =
        (struct br_header){ xstrdup("set-cookie"), xstrdup("sid=t0k3n") };
    network->response_header_count = 1;
    stream_emit(stream, request, 0);
    stream_flush(stream);
    assert_int_equal(ear.count, 3);
    assert_string_equal(heard(&ear, 0), "card ***");
    assert_string_equal(ear.heard[1]->as.log.arguments,
                        "[{\"type\":\"string\",\"value\":\"***\"},"
                        "{\"type\":\"string\",\"value\":\"http://a/?token=***&b=\\\"\"}]");
    network = (struct br_network_event *)&ear.heard[2]->as.network.event;
    assert_string_equal(network->url, "http://a/?q=***&api_key=***");
    assert_null(strstr(network->post_data, "hunter2"));
    assert_null(strstr(network->post_data, "4929"));
    assert_null(strstr(network->body, "t0k3n"));
    assert_string_equal(network->request_headers[0].value, "***");
    assert_string_equal(network->request_headers[1].value, "http://a/?token=***");
    assert_string_equal(network->response_headers[0].value, "***");
    stream_destroy(stream);
    secrets_destroy(secrets);
    forget(&ear);
}

static void test_errors_have_their_hint(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 0, NULL);
    say(stream, BR_LOG_ERROR, "TypeError: x is not a function", 0);
    say(stream, BR_LOG_INFO, "TypeError: y is not a function", 0);
    assert_non_null(strstr(ear.heard[0]->as.log.hint, "not a function"));
    assert_null(ear.heard[1]->as.log.hint);
    stream_destroy(stream);
    forget(&ear);
}

static void test_a_flood_is_cut_and_told(void **state)
{
    (void)state;
    struct ear ear;
    struct stream *stream = listened(&ear, 1u << BR_EVENT_DROPPED, NULL);
    uint64_t dropped = 0;
    int64_t began_ms = clock_monotonic_ms();
    for (int i = 0; i < 100 * 1000; i++) {
        char text[16];
        if (stream_is_flooded(stream)) {
            stream_drop(stream, 1);
            dropped++;
            continue;
        }
        snprintf(text, sizeof(text), "%d", i);
        say(stream, BR_LOG_INFO, text, 0);
    }
    int64_t allowed = STREAM_BURST + (1 + clock_monotonic_ms() - began_ms) * STREAM_RATE / 1000;
    assert_in_range(dropped, allowed < 100 * 1000 ? 100 * 1000 - allowed : 0,
                    100 * 1000 - STREAM_BURST);
    stream_destroy(stream);
    uint64_t told = 0;
    for (size_t i = 0; i < ear.count; i++) {
        told += ear.heard[i]->as.dropped;
    }
    assert_int_equal(told, dropped);
    assert_true(stream_is_flooded(NULL));
    stream_drop(NULL, 1);
    forget(&ear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_say_what_they_belong_to),
        cmocka_unit_test(test_a_sink_hears_what_it_wants),
        cmocka_unit_test(test_no_more_sinks_than_there_is_place_for),
        cmocka_unit_test(test_details_hold_back_what_follows),
        cmocka_unit_test(test_details_are_waited_for_a_moment_only),
        cmocka_unit_test(test_details_that_have_arrived_are_read_first),
        cmocka_unit_test(test_other_tabs_are_for_who_wants_them),
        cmocka_unit_test(test_what_is_said_again_is_counted),
        cmocka_unit_test(test_a_sink_may_say_something_itself),
        cmocka_unit_test(test_secrets_are_in_no_event),
        cmocka_unit_test(test_errors_have_their_hint),
        cmocka_unit_test(test_a_flood_is_cut_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
