#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"
#include "runner/privacy/masking.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/formats/har.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char secret[] = "cat, \"7\" \\ nine";

static int secrets_set_up(void **state)
{
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, secret, NULL);
    *state = secrets;
    return 0;
}

static int secrets_tear_down(void **state)
{
    secrets_destroy(*state);
    return 0;
}

static void test_logs(void **state)
{
    struct log_list logs = { 0 };
    for (int i = 0; i < 2; i++) {
        struct br_log *log = log_add(&logs, BR_LOG_INFO, BR_SOURCE_BROWSER, "console", secret);
        log->location = xasprintf("http://h/?q=%s:1:1", secret);
        log->stack = i ? xasprintf("at %s\nat f", secret) : NULL;
        log->generated_location = i ? xstrdup(secret) : NULL;
    }
    masking_logs(*state, &logs);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(logs.items[i].message, "***");
        assert_string_equal(logs.items[i].location, "http://h/?q=***:1:1");
    }
    assert_null(logs.items[0].stack);
    assert_string_equal(logs.items[1].stack, "at ***\nat f");
    assert_string_equal(logs.items[1].generated_location, "***");
    log_list_finish(&logs);
}

/* Masking makes a text with a short secret longer: the cut is at whole characters. */
static void test_a_full_message(void **state)
{
    (void)state;
    struct secrets *secrets = secrets_create();
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "click");
    char *message = response->error.message;
    size_t size = sizeof(response->error.message);
    secrets_add(secrets, "ab", NULL);
    size_t length = (size_t)snprintf(message, size, "%s", size % 2 ? "ab: " : "ab:");
    for (; length + 2 < size; length += 2) {
        memcpy(message + length, "\xC3\xA9", 3);
    }
    masking_response(secrets, response, false);
    assert_true(strncmp(message, "***:", 4) == 0);
    length = strlen(message);
    assert_memory_equal(message + length - 2, "\xC3\xA9", 2);
    secrets_destroy(secrets);
}

/* Fills all texts of a response, with numbers and so on, so that no field is forgotten here. */
static void fill(struct br_response *response)
{
    error_set(&response->error, BR_EVAL_ERROR, "threw %s", secret);
    error_hint(&response->error, "do not throw %s", secret);
    response->label = xstrdup(secret);
    response->url = xstrdup("http://h/?q=cat%2C+%227%22+%5C+nine&a");
    response->title = xstrdup(secret);
    response_set_result(
        response, json_pack("{s:i, s:s, s:[s]}", "n", 7, "t", "a cat, \"7\" \\ nine\n", "u", ""));
    response->network_events = xcalloc(1, sizeof(*response->network_events));
    response->network_event_count = 1;
    struct br_network_event *event = response->network_events;
    network_event_init(event);
    char **const texts[] = {
        &event->url,           &event->error, &event->status_text, &event->redirected_to,
        &event->initiator_url, &event->body,  &event->post_data,
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        *texts[i] = xstrdup(secret);
    }
    event->request_headers = xcalloc(1, sizeof(struct br_header));
    event->request_header_count = 1;
    event->request_headers[0] = (struct br_header){ xstrdup("X-Own"), xstrdup(secret) };
    response_add_download(response, &(struct br_download){
                                        .url = xstrdup(secret),
                                        .suggested_name = xstrdup(secret),
                                    });
}

static void test_response(void **state)
{
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "click");
    fill(response);
    masking_response(*state, response, true);
    response_write_values(response);
    const struct br_network_event *event = response->network_events;
    const struct {
        const char *text, *shown;
    } cases[] = {
        { response->error.message, "threw ***" },
        { response->error.hint, "do not throw ***" },
        { response->label, "***" },
        { response->url, "http://h/?q=***&a" },
        { response->title, "***" },
        { response->result, "{\"n\":7,\"t\":\"a ***\\n\",\"u\":[\"\"]}" },
        { event->url, "***" },
        { event->error, "***" },
        { event->status_text, "***" },
        { event->redirected_to, "***" },
        { event->initiator_url, "***" },
        { event->body, "***" },
        { event->post_data, "***" },
        { event->request_headers[0].value, "***" },
        { response->downloads[0].url, "***" },
        { response->downloads[0].suggested_name, "***" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_string_equal(cases[i].text, cases[i].shown);
    }
}

/* Like posted data: by name. */
static void test_addresses(void **state)
{
    (void)state;
    struct secrets *none = secrets_create();
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "navigate");
    response->url = xstrdup("https://me:abc@h/?api_key=abc&page=2#id_token=abc");
    response->title = xstrdup("h/?api_key=abc&page=2");
    error_set(&response->error, BR_NAVIGATION_FAILED, "https://h/?sig=abc was not reached");
    masking_response(none, response, true);
    assert_string_equal(response->url, "https://me:***@h/?api_key=***&page=2#id_token=***");
    assert_string_equal(response->title, "h/?api_key=***&page=2");
    assert_string_equal(response->error.message, "https://h/?sig=*** was not reached");
    free(response->title);
    response->title = xstrdup("What? key=value");
    masking_response(none, response, true);
    assert_string_equal(response->title, "What? key=value");
    secrets_destroy(none);
}

static void test_result_that_was_asked_for(void **state)
{
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "evaluate");
    fill(response);
    masking_response(*state, response, false);
    response_write_values(response);
    assert_non_null(strstr(response->result, "nine"));
    assert_string_equal(response->title, "***");
}

/* Masking changes only the secrets; the rest of the JSON stays the same. */
static void test_json(void **state)
{
    static const struct {
        const char *secret, *text, *shown;
    } cases[] = {
        { "1234", "{\"a\":1234,\"b\":\"1234\"}", "{\"a\":1234,\"b\":\"***\"}" },
        { "nabc", "[\"x\\nabc\"]", "[\"x\\nabc\"]" },
        { "\":\"x", "{\"a\":\"x\",\"b\":\"\\\":\\\"x\"}", "{\"a\":\"x\",\"b\":\"***\"}" },
        { "a\"b\"", "[\"a\\\"b\\\"\",\"\\\\\"]", "[\"***\",\"\\\\\"]" },
        { "über€", "[\"\\u00fcber\\u20ac\"]", "[\"***\"]" },
        { "keys", "{\"keys\":\"a%6Beys\"}", "{\"***\":\"a***\"}" },
        { "nothing", "[\"some\"]", "[\"some\"]" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        struct secrets *secrets = secrets_create();
        secrets_add(secrets, cases[i].secret, NULL);
        json_auto_t *value = json_parse(cases[i].text, strlen(cases[i].text), "it", &err);
        json_auto_t *before = json_deep_copy(value);
        json_auto_t *shown = masking_json(secrets, value);
        CLEANUP_FREE char *text = json_dumps(shown, JSON_COMPACT | JSON_ENSURE_ASCII);
        assert_string_equal(text, cases[i].shown);
        assert_true(json_equal(value, before)); /* the value may be shared */
        secrets_destroy(secrets);
    }
    assert_null(masking_json(NULL, NULL));
}

/* Secrets that were not typed are found by the names of fields. */
static void test_posted_in_archive(void **state)
{
    (void)state;
    struct br_network_event event;
    network_event_init(&event);
    event.url = xstrdup("http://h/?token=a");
    event.post_data = xstrdup("user=me&password=abc");
    for (int keeps_secrets = 0; keeps_secrets < 2; keeps_secrets++) {
        json_auto_t *entry = har_entry(&event, "page_1", keeps_secrets);
        json_t *request = json_object_get(entry, "request");
        assert_string_equal(json_member_string(json_object_get(request, "postData"), "text"),
                            keeps_secrets ? "user=me&password=abc" : "user=me&password=***");
        assert_string_equal(json_member_string(request, "url"),
                            keeps_secrets ? "http://h/?token=a" : "http://h/?token=***");
    }
    network_event_finish(&event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_logs, secrets_set_up, secrets_tear_down),
        cmocka_unit_test(test_a_full_message),
        cmocka_unit_test_setup_teardown(test_response, secrets_set_up, secrets_tear_down),
        cmocka_unit_test_setup_teardown(test_result_that_was_asked_for, secrets_set_up,
                                        secrets_tear_down),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_posted_in_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
