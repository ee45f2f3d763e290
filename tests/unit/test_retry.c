#include "runner/session/retry.h"

#include "runner/actions/actions.h"
#include "runner/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Returns the policy of a click with these options (JSON), or without any for NULL. */
static struct retry_policy policy_of(const char *options)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *text =
        xasprintf("{\"type\":\"click\",\"selector\":\"a\"%s%s}",
                  options ? ",\"retryOptions\":" : "", options ? options : "");
    CLEANUP_ACTION struct br_action *action = br_action_from_json(text, strlen(text), &err);
    if (!action) {
        fail_msg("%s: %s", text, err.message);
    }
    return retry_policy_of(action, NULL);
}

static void test_rule(void **state)
{
    (void)state;
    static const char *const listed = "{\"retryOnErrors\":[\"BROWSER_CRASHED\"]}";
    static const struct {
        const char *options;
        enum br_code code;
        bool has_acted;
        int attempt;
        bool is_allowed;
    } cases[] = {
        /* Crashes, lost documents and timeouts, as long as no input was sent. */
        { NULL, BR_BROWSER_CRASHED, false, 1, true },
        { NULL, BR_PAGE_CRASHED, false, 1, true },
        { NULL, BR_DISCONNECTED, false, 1, true },
        { NULL, BR_STALE_NODE, false, 1, true },
        { NULL, BR_TIMEOUT, false, 1, true },
        { NULL, BR_BROWSER_CRASHED, true, 1, false },
        { NULL, BR_PAGE_CRASHED, true, 1, false },
        { NULL, BR_DISCONNECTED, true, 1, false },
        { NULL, BR_STALE_NODE, true, 1, false },
        { NULL, BR_TIMEOUT, true, 1, false },
        /* Failures that would repeat. */
        { NULL, BR_INVALID_ACTION, false, 1, false },
        { NULL, BR_TARGET_NOT_FOUND, false, 1, false },
        { NULL, BR_NAVIGATION_FAILED, false, 1, false },
        { NULL, BR_EVAL_ERROR, false, 1, false },
        { NULL, BR_PROFILE_IN_USE, false, 1, false },
        { NULL, BR_LIMIT_EXCEEDED, false, 1, false },
        { NULL, BR_UNKNOWN_ERROR, false, 1, false },
        /* The number of tries. */
        { NULL, BR_BROWSER_CRASHED, false, 3, true },
        { NULL, BR_BROWSER_CRASHED, false, 4, false },
        { "{\"maxRetries\":0}", BR_BROWSER_CRASHED, false, 1, false },
        { "{\"maxRetries\":1}", BR_BROWSER_CRASHED, false, 1, true },
        { "{\"maxRetries\":1}", BR_BROWSER_CRASHED, false, 2, false },
        { "{\"maxRetries\":9}", BR_BROWSER_CRASHED, false, 9, true },
        /* Other options do not set the list of errors. */
        { "{\"maxRetries\":1}", BR_BROWSER_CRASHED, true, 1, false },
        /* A given list replaces the default, and applies to input, too. */
        { listed, BR_BROWSER_CRASHED, true, 1, true },
        { listed, BR_BROWSER_CRASHED, false, 1, true },
        { listed, BR_PAGE_CRASHED, false, 1, false },
        { listed, BR_TIMEOUT, false, 1, false },
        { "{\"retryOnErrors\":[\"TARGET_NOT_FOUND\"]}", BR_TARGET_NOT_FOUND, false, 1, true },
        { "{\"retryOnErrors\":[]}", BR_BROWSER_CRASHED, false, 1, false },
        /* Names of other tools. */
        { "{\"retryOnErrors\":[\"TimeoutError\"]}", BR_TIMEOUT, true, 1, true },
        { "{\"retryOnErrors\":[\"TimeoutError\"]}", BR_PAGE_CRASHED, true, 1, false },
        { "{\"retryOnErrors\":[\"TargetClosedError\"]}", BR_PAGE_CRASHED, true, 1, true },
        { "{\"retryOnErrors\":[\"TargetClosedError\"]}", BR_BROWSER_CRASHED, true, 1, true },
        { "{\"retryOnErrors\":[\"TargetClosedError\"]}", BR_DISCONNECTED, true, 1, true },
        { "{\"retryOnErrors\":[\"TargetClosedError\"]}", BR_STALE_NODE, true, 1, false },
        { "{\"retryOnErrors\":[\"DetachedFrameError\"]}", BR_STALE_NODE, true, 1, true },
        { "{\"retryOnErrors\":[\"DetachedFrameError\",\"TIMEOUT\"]}", BR_TIMEOUT, false, 1, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct retry_policy policy = policy_of(cases[i].options);
        bool is_allowed =
            retry_is_allowed(&policy, cases[i].code, cases[i].has_acted, cases[i].attempt);
        if (is_allowed != cases[i].is_allowed) {
            fail_msg("%s, %s, %s, attempt %d: %s", cases[i].options ? cases[i].options : "default",
                     br_code_name(cases[i].code), cases[i].has_acted ? "acted" : "untouched",
                     cases[i].attempt, is_allowed ? "repeated" : "not repeated");
        }
    }
}

static void test_delay(void **state)
{
    (void)state;
    struct retry_policy policy = policy_of(NULL);
    assert_int_equal(retry_delay_ms(&policy, 1, 0.5), 1000);
    assert_int_equal(retry_delay_ms(&policy, 2, 0.5), 2000);
    assert_int_equal(retry_delay_ms(&policy, 3, 0.5), 4000);
    assert_int_equal(retry_delay_ms(&policy, 1, 0), 800);
    assert_int_equal(retry_delay_ms(&policy, 1, 1), 1200);
    assert_int_equal(retry_delay_ms(&policy, 90, 0.5), 30000);
    policy = policy_of("{\"retryDelay\":0}");
    assert_int_equal(retry_delay_ms(&policy, 50, 1), 0);
    /* A longer delay given by the user is kept. */
    policy = policy_of("{\"retryDelay\":60000}");
    assert_int_equal(retry_delay_ms(&policy, 1, 0.5), 60000);
    assert_int_equal(retry_delay_ms(&policy, 5, 0.5), 60000);
}

static void test_limit(void **state)
{
    (void)state;
    struct retry_policy policy = policy_of(NULL);
    assert_int_equal(retry_limit_ms(&policy, 1, 10000), 10000);
    /* Pauses of at most 120 and 240 ms, and three tries, share 10 s. */
    policy = policy_of("{\"maxRetries\":2,\"retryDelay\":100,\"retryOnErrors\":[\"TIMEOUT\"]}");
    assert_int_equal(retry_limit_ms(&policy, 1, 10000), 3213);
    assert_int_equal(retry_limit_ms(&policy, 3, 10000), 10000);
    policy = policy_of("{\"maxRetries\":2,\"retryOnErrors\":[\"PAGE_CRASHED\"]}");
    assert_int_equal(retry_limit_ms(&policy, 1, 10000), 10000);
    /* Pauses get half of the time: of 1.2, 2.4 and 4.8 s two fit. */
    policy = policy_of("{\"maxRetries\":9,\"retryOnErrors\":[\"TIMEOUT\"]}");
    assert_int_equal(retry_limit_ms(&policy, 1, 10000), 2133);
    /* One retry always fits if it leaves two tries some time. */
    assert_int_equal(retry_limit_ms(&policy, 1, 2000), 400);
    assert_int_equal(retry_limit_ms(&policy, 1, 1700), 1700);
}

/* Errors of elements come at the end of a wait; each try gets a part of it. */
static void test_patience(void **state)
{
    (void)state;
    struct retry_policy policy = policy_of(NULL);
    assert_int_equal(retry_patience_ms(&policy, 1, 8000), 8000);
    policy = policy_of("{\"maxRetries\":1,\"retryOnErrors\":[\"TARGET_OBSCURED\"]}");
    assert_int_equal(retry_patience_ms(&policy, 1, 8000), 3400);
    assert_int_equal(retry_limit_ms(&policy, 1, 8000), 8000);
    policy = policy_of("{\"retryOnErrors\":[\"EVAL_ERROR\"]}");
    assert_int_equal(retry_patience_ms(&policy, 1, 8000), 8000);
}

static void test_bad_options(void **state)
{
    (void)state;
    static const struct {
        const char *options, *word;
    } cases[] = {
        { "{\"retryOnErrors\":[\"TimeOutError\"]}", "TimeoutError" },
        { "{\"retryOnErrors\":\"TIMEOUT\"}", "retryOnErrors" },
        { "{\"maxRetries\":-1}", "maxRetries" },
        { "{\"maxRetries\":101}", "maxRetries" },
        { "{\"retryDelay\":-1}", "retryDelay" },
        { "{\"retries\":1}", "maxRetries" },
        { "3", "retryOptions" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        CLEANUP_FREE char *text =
            xasprintf("{\"type\":\"back\",\"retryOptions\":%s}", cases[i].options);
        CLEANUP_ACTION struct br_action *action = br_action_from_json(text, strlen(text), &err);
        assert_null(action);
        assert_int_equal(err.code, BR_INVALID_ACTION);
        CLEANUP_FREE char *said = xasprintf("%s %s", err.message, err.hint);
        if (!strstr(said, cases[i].word)) {
            fail_msg("%s: \"%s\" does not name %s", cases[i].options, said, cases[i].word);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),        cmocka_unit_test(test_delay),
        cmocka_unit_test(test_limit),       cmocka_unit_test(test_patience),
        cmocka_unit_test(test_bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
