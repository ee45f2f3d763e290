#include "runner/base/network_event.h"
#include "runner/formats/network_filter.h"

#include "runner/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char events[] =
    "{\"networkEvents\":["
    "{\"url\":\"http://a/\",\"type\":\"document\",\"status\":200,\"sizes\":{\"response\":100}},"
    "{\"url\":\"http://a/x\",\"type\":\"fetch\",\"status\":200,\"sizes\":{\"response\":20}},"
    "{\"url\":\"http://a/s.css\",\"type\":\"stylesheet\",\"status\":404},"
    "{\"url\":\"http://a/p.png\",\"type\":\"image\",\"error\":\"net::ERR_FAILED\"},"
    "{\"url\":\"http://a/q.png\",\"type\":\"image\",\"status\":200,\"canceled\":true},"
    "{\"url\":\"ws://a/\",\"type\":\"websocket\",\"status\":101},"
    "{\"url\":\"http://a/favicon.ico\",\"type\":\"other\",\"status\":404,"
    "\"initiator\":{\"type\":\"other\"}},"
    "{\"url\":\"http://a/none\",\"status\":204}]}";

static json_t *parsed(const char *text)
{
    struct br_error err;
    return json_parse(text, strlen(text), "a test", &err);
}

static json_int_t told(const json_t *response, const char *name)
{
    return json_integer_value(json_object_get(json_object_get(response, "networkSummary"), name));
}

static void test_each_filter_shows_more_than_the_one_before(void **state)
{
    static const size_t shown[] = {
        [BR_NETWORK_ALL] = 8,    [BR_NETWORK_XHR] = 5,  [BR_NETWORK_DOCUMENT] = 3,
        [BR_NETWORK_FAILED] = 2, [BR_NETWORK_NONE] = 0,
    };
    (void)state;
    for (int filter = BR_NETWORK_ALL; filter <= BR_NETWORK_NONE; filter++) {
        json_auto_t *response = parsed(events);
        network_filter_apply(response, (enum br_network_filter)filter);
        size_t count = json_array_size(json_object_get(response, "networkEvents"));
        assert_int_equal(count, shown[filter]);
        assert_int_equal(told(response, "leftOut"), 8 - count);
        assert_int_equal(told(response, "failed"), count == 8 ? 0 : 2);
        assert_int_equal(told(response, "transferSize"), count == 8 ? 0 : 120);
    }
}

static void test_a_second_filter_keeps_the_summary_of_the_first(void **state)
{
    (void)state;
    json_auto_t *response = parsed(events);
    network_filter_apply(response, BR_NETWORK_XHR);
    network_filter_apply(response, BR_NETWORK_XHR);
    assert_int_equal(told(response, "leftOut"), 3);
    network_filter_apply(response, BR_NETWORK_NONE);
    assert_int_equal(told(response, "requests"), 8);
    assert_int_equal(told(response, "failed"), 2);
    assert_int_equal(told(response, "leftOut"), 8);
}

static void test_what_is_no_list_of_events_stays(void **state)
{
    static const char *const odd[] = { "{}", "{\"networkEvents\":null}", "{\"networkEvents\":[]}" };
    (void)state;
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        json_auto_t *response = parsed(odd[i]);
        json_auto_t *before = json_deep_copy(response);
        network_filter_apply(response, BR_NETWORK_NONE);
        assert_true(json_equal(response, before));
    }
}

static void test_only_chromes_own_icon_may_be_missing(void **state)
{
    static const struct {
        const char *url, *type, *initiator;
        bool is_icon;
    } cases[] = {
        { "http://a/favicon.ico", "other", "other", true },
        { "https://a:8/favicon.ico", "other", "other", true },
        { "http://a/b/favicon.ico", "other", "other", false },
        { "http://a/favicon.ico?1", "other", "other", false },
        { "http://a/favicon.ico", "fetch", "script", false },
        { "http://a/favicon.ico", "document", "other", false },
        { "favicon.ico", "other", "other", false },
        { NULL, "other", "other", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct br_network_event event = {
            .url = (char *)cases[i].url,
            .type = (char *)cases[i].type,
            .initiator_type = (char *)cases[i].initiator,
            .status = 404,
        };
        assert_int_equal(network_event_is_icon(&event), cases[i].is_icon);
        assert_int_equal(network_event_has_failed(&event), !cases[i].is_icon);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_filter_shows_more_than_the_one_before),
        cmocka_unit_test(test_a_second_filter_keeps_the_summary_of_the_first),
        cmocka_unit_test(test_what_is_no_list_of_events_stays),
        cmocka_unit_test(test_only_chromes_own_icon_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
