/* Events from requests, and the state of the main document. */
#include "runner/base/response.h"
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
    assert_string_equal(response->network_events[0].url, "http://x/");
    assert_string_equal(response->network_events[1].url, "http://x/i.png");
    assert_int_equal(response->network_events[1].status, 404);
    assert_true(response->network_events[1].timestamp_ms == 1700000000500);
    assert_int_equal(response->metrics.network_errors, 1);
    network_finish(&recorder);
}

static void test_redirect_goes_on_under_its_id(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    assert_false(network_awaits_document(&recorder));
    request(&recorder, "L1", "Document", "http://x/a");
    assert_true(network_awaits_document(&recorder));
    apply(&recorder, "Network.requestWillBeSent",
          json_pack("{s:s, s:s, s:s, s:{s:i}, s:{s:s, s:s}}", "requestId", "L1", "type", "Document",
                    "frameId", "main", "redirectResponse", "status", 302, "request", "url",
                    "http://x/b", "method", "GET"));
    assert_int_equal(recorder.request_count, 1);
    assert_int_equal(recorder.log.event_count, 1);
    assert_int_equal(recorder.log.events[0].status, 302);
    respond(&recorder, "L1", 200);
    finish(&recorder, "L1");
    assert_string_equal(recorder.log.events[1].url, "http://x/b");
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
    assert_int_equal(recorder.log.errors, 1);
    assert_int_equal(recorder.log.event_count, 2);
    assert_true(recorder.log.events[1].is_canceled);
    assert_null(recorder.log.events[1].error);
    request(&recorder, "L3", "Document", "http://x/");
    fail_request(&recorder, "L3", "net::ERR_CONNECTION_REFUSED", false);
    assert_string_equal(network_document_failure(&recorder, "L3"), "net::ERR_CONNECTION_REFUSED");
    /* An error status with an empty body is a response, too. */
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

static void test_what_is_for_another_program(void **state)
{
    static const char *const own[] = { "http://a/",         "https://a/",         "data:,x",
                                       "blob:null/1",       "about:blank",        "file:///a",
                                       "chrome-error://x/", "edge://settings/",   "brave://newtab/",
                                       "vivaldi://about/",  "opera://startpage/", "" };
    static const char *const others[] = { "tel:1",     "mailto:a@b.c", "intent://a",
                                          "foo-bar:x", "httpx://a",    "microsoft-edge:https://a" };
    (void)state;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        assert_false(network_is_external(own[i]));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_true(network_is_external(others[i]));
    }
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

static void apply_text(struct network_recorder *recorder, const char *method, const char *params)
{
    struct br_error err = { 0 };
    apply(recorder, method, json_parse(params, strlen(params), "test", &err));
}

static void test_times_and_sizes(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    apply_text(&recorder, "Network.requestWillBeSent",
               "{\"requestId\":\"1\",\"type\":\"Fetch\",\"timestamp\":10,\"request\":{\"url\":"
               "\"http://x/\",\"method\":\"POST\",\"hasPostData\":true,\"postData\":\"a=1\"},"
               "\"initiator\":{\"type\":\"script\",\"stack\":{\"callFrames\":[{\"url\":"
               "\"http://x/a.js\",\"lineNumber\":4}]}}}");
    apply_text(&recorder, "Network.responseReceived",
               "{\"requestId\":\"1\",\"response\":{\"status\":200,\"mimeType\":\"text/css\","
               "\"protocol\":\"h2\",\"remoteIPAddress\":\"::1\",\"remotePort\":443,\"timing\":{"
               "\"requestTime\":10.002,\"dnsStart\":1,\"dnsEnd\":2,\"connectStart\":2,"
               "\"connectEnd\":12,\"sslStart\":4,\"sslEnd\":12,\"sendStart\":12,\"sendEnd\":13,"
               "\"receiveHeadersEnd\":33}}}");
    apply_text(&recorder, "Network.dataReceived", "{\"requestId\":\"1\",\"dataLength\":70}");
    apply_text(&recorder, "Network.loadingFinished",
               "{\"requestId\":\"1\",\"timestamp\":10.045,\"encodedDataLength\":50}");
    const struct br_network_event *event = &recorder.log.events[0];
    assert_string_equal(event->type, "fetch");
    assert_string_equal(event->remote_address, "[::1]:443");
    assert_string_equal(event->initiator_url, "http://x/a.js");
    assert_int_equal(event->initiator_line, 5);
    assert_true(event->request_bytes == 3 && event->response_bytes == 50);
    assert_true(event->decoded_bytes == 70);
    assert_float_equal(event->duration_ms, 45, 0.001);
    assert_float_equal(event->timings.blocked_ms, 3, 0.001);
    assert_float_equal(event->timings.dns_ms, 1, 0.001);
    assert_float_equal(event->timings.connect_ms, 10, 0.001);
    assert_float_equal(event->timings.tls_ms, 8, 0.001);
    assert_float_equal(event->timings.wait_ms, 20, 0.001);
    assert_float_equal(event->timings.receive_ms, 10, 0.001);
    assert_float_equal(recorder.transfer_bytes, 50, 0.001);
    network_finish(&recorder);
}

/* Headers arrive in events of their own, before or after the request. */
static void test_headers_in_any_order(void **state)
{
    (void)state;
    static const char extra[] = "{\"requestId\":\"1\",\"headers\":{\"Cookie\":\"a=b\"}}";
    for (int is_early = 0; is_early < 2; is_early++) {
        struct network_recorder recorder = { .log.keeps_headers = true };
        if (is_early) {
            apply_text(&recorder, "Network.requestWillBeSentExtraInfo", extra);
        }
        request(&recorder, "1", "Fetch", "http://x/");
        if (!is_early) {
            apply_text(&recorder, "Network.requestWillBeSentExtraInfo", extra);
        }
        finish(&recorder, "1");
        assert_int_equal(recorder.log.events[0].request_header_count, 1);
        assert_string_equal(recorder.log.events[0].request_headers[0].value, "a=b");
        network_finish(&recorder);
    }
    struct network_recorder recorder = { .log.keeps_headers = true };
    for (int i = 0; i < 1000; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%d", i);
        apply(&recorder, "Network.responseReceivedExtraInfo",
              json_pack("{s:s, s:{s:s}}", "requestId", id, "headers", "a", "b"));
    }
    assert_true(recorder.extras.count < 100);
    network_finish(&recorder);
}

static void test_the_body_of_an_error_is_wanted(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    struct network_wanted wanted;
    for (int status = 200; status <= 500; status += 300) {
        request(&recorder, "1", "Fetch", "http://x/");
        respond(&recorder, "1", status);
        apply_text(&recorder, "Network.dataReceived", "{\"requestId\":\"1\",\"dataLength\":7}");
        finish(&recorder, "1");
        assert_int_equal(network_take_wanted(&recorder, &wanted), status == 500);
    }
    assert_int_equal(wanted.event, 1);
    free(wanted.request_id);
    assert_false(network_take_wanted(&recorder, &wanted));
    /* 4095 bytes and a character of two: the character is omitted entirely. */
    char body[5000];
    memset(body, 'x', sizeof(body) - 1);
    memcpy(body + 4095, "\xc3\xa9", 2);
    body[sizeof(body) - 1] = '\0';
    network_set_body(&recorder, &wanted, body, strlen(body));
    assert_int_equal(strlen(recorder.log.events[1].body), 4095);
    assert_true(recorder.log.events[1].is_body_cut);
    wanted.event = 7;
    network_set_body(&recorder, &wanted, body, strlen(body));
    network_finish(&recorder);
}

static void test_errors_that_do_not_end_are_told_once(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    size_t index = 0;
    request(&recorder, "1", "Fetch", "http://x/");
    respond(&recorder, "1", 404);
    assert_true(network_has_bare_failing(&recorder));
    assert_null(network_failing(&recorder, &index));
    apply_text(&recorder, "Network.dataReceived", "{\"requestId\":\"1\",\"dataLength\":7}");
    index = 0;
    assert_string_equal(network_failing(&recorder, &index), "1");
    network_set_failing_body(&recorder, "1", "gone", 4);
    network_tell_failing(&recorder);
    network_tell_failing(&recorder);
    finish(&recorder, "1");
    assert_int_equal(recorder.log.event_count, 1);
    assert_int_equal(recorder.request_count, 0);
    assert_string_equal(recorder.log.events[0].body, "gone");
    network_finish(&recorder);
}

static void test_web_sockets(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    static const struct {
        const char *method, *params;
    } steps[] = {
        { "webSocketCreated", "{\"requestId\":\"1\",\"url\":\"ws://x/\"}" },
        { "webSocketHandshakeResponseReceived",
          "{\"requestId\":\"1\",\"response\":{\"status\":101}}" },
        { "webSocketFrameSent", "{\"requestId\":\"1\"}" },
        { "webSocketClosed", "{\"requestId\":\"1\"}" },
        { "webSocketCreated", "{\"requestId\":\"2\",\"url\":\"ws://y/\"}" },
        { "webSocketFrameError",
          "{\"requestId\":\"2\",\"errorMessage\":\"Unexpected response code: 403\"}" },
        { "webSocketClosed", "{\"requestId\":\"2\"}" },
        { "webSocketClosed", "{\"requestId\":\"2\"}" },
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        CLEANUP_FREE char *method = xasprintf("Network.%s", steps[i].method);
        apply_text(&recorder, method, steps[i].params);
    }
    assert_int_equal(recorder.log.event_count, 3);
    assert_int_equal(recorder.request_count, 0);
    assert_string_equal(recorder.log.events[0].web_socket, "opened");
    assert_int_equal(recorder.log.events[0].status, 101);
    assert_string_equal(recorder.log.events[1].web_socket, "closed");
    assert_string_equal(recorder.log.events[2].web_socket, "failed");
    assert_int_equal(recorder.log.events[2].status, 403);
    assert_int_equal(recorder.log.errors, 1);
    for (int i = 0; i < 500; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%d", i);
        apply(&recorder, "Network.webSocketCreated",
              json_pack("{s:s, s:s}", "requestId", id, "url", "ws://z/"));
    }
    assert_true(recorder.sockets.count < 500);
    network_finish(&recorder);
}

static bool is_about_resource(struct network_recorder *recorder, const char *method, const char *id)
{
    json_auto_t *params = json_pack("{s:{s:s*}}", "entry", "networkRequestId", id);
    network_name_entry(recorder, method, params);
    return json_member_bool(json_object_get(params, "entry"), NETWORK_IS_RESOURCE, false);
}

/* Chrome's log entry comes during the request, or just after its end. */
static void test_entries_about_resources(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        bool is_resource;
    } cases[] = {
        { "Image", true },     { "Stylesheet", true }, { "Script", true }, { "Font", true },
        { "Document", false }, { "Fetch", false },     { "XHR", false },   { "Other", false },
    };
    struct network_recorder recorder = { 0 };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool is_resource = cases[i].is_resource;
        request(&recorder, "7", cases[i].type, "http://x/a");
        request(&recorder, "8", "Image", "http://x/b");
        assert_int_equal(is_about_resource(&recorder, "Log.entryAdded", "7"), is_resource);
        assert_false(is_about_resource(&recorder, "Audits.issueAdded", "7"));
        fail_request(&recorder, "8", "net::ERR_FAILED", false);
        fail_request(&recorder, "7", "net::ERR_FAILED", false);
        assert_int_equal(is_about_resource(&recorder, "Log.entryAdded", "7"), is_resource);
    }
    assert_false(is_about_resource(&recorder, "Log.entryAdded", "9"));
    assert_false(is_about_resource(&recorder, "Log.entryAdded", NULL));
    network_finish(&recorder);
}

static void request_at(struct network_recorder *recorder, const char *id, const char *type,
                       double wall_time)
{
    apply(recorder, "Network.requestWillBeSent",
          json_pack("{s:s, s:s, s:s, s:f, s:{s:s, s:s}}", "requestId", id, "type", type, "frameId",
                    "main", "wallTime", wall_time, "request", "url", id, "method", "GET"));
}

static void test_events_are_ordered_by_their_start(void **state)
{
    (void)state;
    struct network_recorder recorder = { 0 };
    request_at(&recorder, "http://x/beacon", "Fetch", 1700000000.25);
    request_at(&recorder, "http://x/", "Document", 1700000000.5);
    request_at(&recorder, "http://x/a", "Script", 1700000000.5);
    request_at(&recorder, "http://x/b", "Image", 1700000000.75);
    request_at(&recorder, "http://x/c", "Image", 1700000000.75);
    const char *const ended[] = { "http://x/c", "http://x/a", "http://x/b", "http://x/",
                                  "http://x/beacon" };
    for (size_t i = 0; i < sizeof(ended) / sizeof(ended[0]); i++) {
        finish(&recorder, ended[i]);
    }
    CLEANUP_RESPONSE struct br_response *response = response_create(1, "start");
    network_take_events(&recorder, response);
    const char *const wanted[] = { "http://x/beacon", "http://x/", "http://x/a", "http://x/c",
                                   "http://x/b" };
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        assert_string_equal(response->network_events[i].url, wanted[i]);
    }
    network_finish(&recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document_and_its_parts),
        cmocka_unit_test(test_redirect_goes_on_under_its_id),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_only_http_has_a_status),
        cmocka_unit_test(test_what_is_for_another_program),
        cmocka_unit_test(test_requests_of_a_frame_that_went_on_are_forgotten),
        cmocka_unit_test(test_odd_events_and_limits),
        cmocka_unit_test(test_times_and_sizes),
        cmocka_unit_test(test_headers_in_any_order),
        cmocka_unit_test(test_the_body_of_an_error_is_wanted),
        cmocka_unit_test(test_errors_that_do_not_end_are_told_once),
        cmocka_unit_test(test_web_sockets),
        cmocka_unit_test(test_entries_about_resources),
        cmocka_unit_test(test_events_are_ordered_by_their_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
