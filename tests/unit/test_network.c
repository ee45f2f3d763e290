/* How requests become events, and what is known of the main document. */
#include "runner/observe/network.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void apply(struct network_recorder *recorder, const char *method, json_t *params)
{
    json_auto_t *owned = params;
    assert_true(network_on_event(recorder, "main", method, owned));
}

static void request(struct network_recorder *recorder, const char *id, const char *type,
                    const char *url)
{
    apply(recorder, "Network.requestWillBeSent",
          json_pack("{s:s, s:s, s:s, s:f, s:{s:s, s:s}}", "requestId", id, "type", type, "frameId",
                    "main", "wallTime", 1700000000.5, "request", "url", url, "method", "GET"));
}

static void respond(struct network_recorder *recorder, const char *id, int status)
{
    apply(recorder, "Network.responseReceived",
          json_pack("{s:s, s:{s:i}}", "requestId", id, "response", "status", status));
}

static void finish(struct network_recorder *recorder, const char *id)
{
    apply(recorder, "Network.loadingFinished", json_pack("{s:s}", "requestId", id));
}

static void fail_request(struct network_recorder *recorder, const char *id, const char *text,
                         bool is_canceled)
{
    apply(
        recorder, "Network.loadingFailed",
        json_pack("{s:s, s:s, s:b}", "requestId", id, "errorText", text, "canceled", is_canceled));
}

static void test_document_and_its_parts(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    request(&recorder, "L1", "Document", "http://x/");
    request(&recorder, "2", "Image", "http://x/i.png");
    assert_int_equal(recorder.request_count, 2);
    respond(&recorder, "L1", 200);
    respond(&recorder, "2", 404);
    finish(&recorder, "2");
    finish(&recorder, "L1");
    assert_int_equal(recorder.request_count, 0);
    assert_int_equal(network_document_status(&recorder, "L1"), 200);
    assert_int_equal(network_document_status(&recorder, "other"), 0);
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "start");
    network_take_events(&recorder, response);
    assert_int_equal(response->network_event_count, 2);
    assert_string_equal(response->network_events[0].url, "http://x/i.png");
    assert_int_equal(response->network_events[0].status, 404);
    assert_true(response->network_events[0].timestamp_ms == 1700000000500);
    assert_int_equal(response->metrics.network_errors, 1);
    network_finish(&recorder);
}

static void test_redirect_goes_on_under_its_id(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    request(&recorder, "L1", "Document", "http://x/a");
    apply(&recorder, "Network.requestWillBeSent",
          json_pack("{s:s, s:s, s:s, s:{s:i}, s:{s:s, s:s}}", "requestId", "L1", "type", "Document",
                    "frameId", "main", "redirectResponse", "status", 302, "request", "url",
                    "http://x/b", "method", "GET"));
    assert_int_equal(recorder.request_count, 1);
    assert_int_equal(recorder.event_count, 1);
    assert_int_equal(recorder.events[0].status, 302);
    respond(&recorder, "L1", 200);
    finish(&recorder, "L1");
    assert_string_equal(recorder.events[1].url, "http://x/b");
    assert_int_equal(network_document_status(&recorder, "L1"), 200);
    network_finish(&recorder);
}

static void test_failures(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    request(&recorder, "1", "Fetch", "http://x/f");
    fail_request(&recorder, "1", "net::ERR_FAILED", false);
    request(&recorder, "2", "Fetch", "http://x/g");
    fail_request(&recorder, "2", "net::ERR_ABORTED", true);
    assert_int_equal(recorder.errors, 1);
    assert_int_equal(recorder.event_count, 1);
    request(&recorder, "L3", "Document", "http://x/");
    fail_request(&recorder, "L3", "net::ERR_CONNECTION_REFUSED", false);
    assert_string_equal(network_document_failure(&recorder, "L3"), "net::ERR_CONNECTION_REFUSED");
    /* An error status with an empty body was answered all the same. */
    request(&recorder, "L4", "Document", "http://x/404");
    respond(&recorder, "L4", 404);
    fail_request(&recorder, "L4", "net::ERR_HTTP_RESPONSE_CODE_FAILURE", false);
    assert_null(network_document_failure(&recorder, "L4"));
    assert_int_equal(network_document_status(&recorder, "L4"), 404);
    network_finish(&recorder);
}

static void test_only_http_has_a_status(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    request(&recorder, "L1", "Document", "file:///a.html");
    respond(&recorder, "L1", 200);
    assert_int_equal(network_document_status(&recorder, "L1"), 0);
    request(&recorder, "2", "Image", "data:image/png;base64,AA");
    assert_int_equal(recorder.request_count, 1);
    network_finish(&recorder);
}

static void test_requests_of_a_frame_that_went_on_are_forgotten(void **state)
{
    (void)state;
    static const struct {
        const char *id, *frame, *loader;
    } requests[] = { { "1", "main", "L1" }, { "2", "main", "L2" }, { "3", "inner", "L3" } };
    struct network_recorder recorder = { 0 };
    for (size_t i = 0; i < 3; i++) {
        apply(&recorder, "Network.requestWillBeSent",
              json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "requestId", requests[i].id, "frameId",
                        requests[i].frame, "loaderId", requests[i].loader, "request", "url",
                        "http://x/", "method", "GET"));
    }
    network_leave_frame(&recorder, "main", "L2");
    assert_int_equal(recorder.request_count, 2);
    network_leave_frame(&recorder, "inner", NULL);
    assert_int_equal(recorder.request_count, 1);
    network_leave_frame(&recorder, NULL, NULL);
    assert_int_equal(recorder.request_count, 1);
    finish(&recorder, "2");
    assert_int_equal(recorder.request_count, 0);
    network_finish(&recorder);
}

static void test_odd_events_and_limits(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    apply(&recorder, "Network.requestWillBeSent", json_object());
    apply(&recorder, "Network.loadingFinished", json_pack("{s:i}", "requestId", 5));
    finish(&recorder, "never seen");
    for (int i = 0; i < 5000; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%d", i);
        request(&recorder, id, "Fetch", "http://x/");
    }
    assert_true(recorder.request_count < 5000);
    network_forget_requests(&recorder);
    assert_int_equal(recorder.request_count, 0);
    network_finish(&recorder);
    json_auto_t *other = json_object();
    assert_false(network_on_event(&recorder, "main", "Page.loadEventFired", other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document_and_its_parts),
        cmocka_unit_test(test_redirect_goes_on_under_its_id),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_only_http_has_a_status),
        cmocka_unit_test(test_requests_of_a_frame_that_went_on_are_forgotten),
        cmocka_unit_test(test_odd_events_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
