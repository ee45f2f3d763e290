/* The envelope of console-bridge's messages, and the replies. */
#include "runner/base/memory.h"
#include "runner/console/envelope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TIME "\"timestamp\":\"2025-10-07T12:34:56.789Z\""

static enum envelope_verdict read_text(const char *text, struct envelope *envelope,
                                       struct envelope_fault *fault)
{
    json_auto_t *message = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(message);
    return envelope_read(message, envelope, fault);
}

static void reads(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum envelope_verdict verdict;
        const char *field;
    } cases[] = {
        { "{\"version\":\"1.0.0\",\"type\":\"ping\"," TIME ",\"payload\":{}}", ENVELOPE_FINE,
          NULL },
        { "{\"version\":\"1.9.12-rc.1+b\",\"type\":\"pong\"," TIME ",\"payload\":{}}",
          ENVELOPE_FINE, NULL },
        { "{\"version\":\"2.0.0\"}", ENVELOPE_UNSUPPORTED, NULL },
        { "{\"version\":\"0.9.0\"}", ENVELOPE_UNSUPPORTED, NULL },
        { "{\"version\":\"10.0.0\"}", ENVELOPE_UNSUPPORTED, NULL },
        { "{}", ENVELOPE_INVALID, "version" },
        { "{\"version\":1}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"1\"}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"1.0\"}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"01.0.0\"}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"1.0.0.0\"}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"1.0.0-\"}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"v1.0.0\"}", ENVELOPE_INVALID, "version" },
        { "{\"version\":\"1.0.0\"}", ENVELOPE_INVALID, "type" },
        { "{\"version\":\"1.0.0\",\"type\":\"pung\"}", ENVELOPE_INVALID, "type" },
        { "{\"version\":\"1.0.0\",\"type\":null}", ENVELOPE_INVALID, "type" },
        { "{\"version\":\"1.0.0\",\"type\":\"ping\"}", ENVELOPE_INVALID, "timestamp" },
        { "{\"version\":\"1.0.0\",\"type\":\"ping\",\"timestamp\":1}", ENVELOPE_INVALID,
          "timestamp" },
        { "{\"version\":\"1.0.0\",\"type\":\"ping\",\"timestamp\":\"today\"}", ENVELOPE_INVALID,
          "timestamp" },
        { "{\"version\":\"1.0.0\",\"type\":\"ping\"," TIME "}", ENVELOPE_INVALID, "payload" },
        { "{\"version\":\"1.0.0\",\"type\":\"ping\"," TIME ",\"payload\":[]}", ENVELOPE_INVALID,
          "payload" },
        { "[]", ENVELOPE_INVALID, "message" },
        { "null", ENVELOPE_INVALID, "message" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct envelope envelope;
        struct envelope_fault fault;
        if (read_text(cases[i].text, &envelope, &fault) != cases[i].verdict) {
            fail_msg("%s", cases[i].text);
        }
        if (cases[i].field) {
            assert_string_equal(fault.field, cases[i].field);
        }
    }
}

static void reads_times(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        int64_t ms;
    } cases[] = {
        { "2025-10-07T12:34:56.789Z", 1759840496789 },
        { "2025-10-07T12:34:56Z", 1759840496000 },
        { "2025-10-07T12:34:56.789123", 1759840496789 },
        { "2025-10-07T12:34:56", 1759840496000 },
        { "2025-10-07T14:34:56.789123456+02:00", 1759840496789 },
        { "2025-10-07T14:34:56+02:00", 1759840496000 },
        { "2025-10-07", -1 },
        { "2025-10-07T12:34:56.Z", -1 },
        { "2025-13-07T12:34:56Z", -1 },
        { "2025-10-07T12:34:56.7Zx", -1 },
        { "", -1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct envelope envelope;
        struct envelope_fault fault;
        CLEANUP_FREE char *text = xasprintf(
            "{\"version\":\"1.0.0\",\"type\":\"ping\",\"timestamp\":\"%s\",\"payload\":{}}",
            cases[i].time);
        bool is_fine = read_text(text, &envelope, &fault) == ENVELOPE_FINE;
        if (is_fine != (cases[i].ms >= 0) || (is_fine && envelope.time_ms != cases[i].ms)) {
            fail_msg("%s: %lld", cases[i].time, (long long)envelope.time_ms);
        }
    }
}

/* Takes ownership of the text; returns its payload. Caller decrefs. */
static json_t *payload_of(char *text)
{
    json_auto_t *message = json_loads(text, 0, NULL);
    assert_non_null(message);
    assert_string_equal(json_string_value(json_object_get(message, "version")), "1.0.0");
    free(text);
    return json_incref(json_object_get(message, "payload"));
}

static void sends_back_little(void **state)
{
    (void)state;
    const struct envelope_fault fault = { "type", NULL };
    json_auto_t *small = json_pack("{s:s}", "version", "1.0.0");
    json_auto_t *payload = payload_of(envelope_invalid(&fault, small, NULL));
    json_auto_t *expected =
        json_pack("{s:s, s:s, s:{s:s, s:O}}", "code", "INVALID_MESSAGE", "message",
                  "Missing required field: type", "details", "field", "type", "received", small);
    assert_true(json_equal(payload, expected));
    char text[5001];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    json_auto_t *large = json_pack("{s:s}", "x", text);
    for (int i = 0; i < 2; i++) {
        json_auto_t *cut =
            payload_of(envelope_invalid(&fault, i == 0 ? large : NULL, i == 0 ? NULL : text));
        const json_t *received = json_object_get(json_object_get(cut, "details"), "received");
        assert_int_equal(json_string_length(received), 1024);
    }
}

static void answers(void **state)
{
    (void)state;
    json_auto_t *with_id = json_pack("{s:i}", "id", 7);
    json_auto_t *without = json_object();
    json_auto_t *pong = payload_of(envelope_pong(with_id));
    json_auto_t *empty = payload_of(envelope_pong(without));
    assert_true(json_equal(pong, with_id));
    assert_true(json_equal(empty, without));
    json_auto_t *message = json_pack("{s:s}", "version", "0.9.0");
    json_auto_t *unsupported = payload_of(envelope_unsupported(message));
    json_auto_t *expected =
        json_pack("{s:s, s:s, s:{s:s, s:[s]}}", "code", "UNSUPPORTED_VERSION", "message",
                  "Protocol version 0.9.0 is not supported", "details", "receivedVersion", "0.9.0",
                  "supportedVersions", "1.0.0");
    assert_true(json_equal(unsupported, expected));
    json_auto_t *limit = payload_of(envelope_rate_limit(200, 5));
    assert_string_equal(json_string_value(json_object_get(limit, "code")), "RATE_LIMIT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(reads_times),
        cmocka_unit_test(sends_back_little),
        cmocka_unit_test(answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
