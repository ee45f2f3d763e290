/* How a session recovers, what it leaves behind, and when it gives up. */
#include "tests/integration/session_rig.h"

#include "runner/base/clock.h"

#include <string.h>
#include <unistd.h>

static const char click[] = "{'type':'click','selector':'#go'}";
static const char evaluate[] = "{'type':'evaluate','expression':'6 * 7'}";
static const char screenshot[] = "{'type':'screenshot'}";

/* `retryOptions` of an action, as its last member. */
#define ONCE ",'retryOptions':{'maxRetries':0}}"

static const char press[] =
    "{'method':'Input.dispatchMouseEvent','params':{'type':'mousePressed'}}";
static const char visit[] = "{'method':'Page.navigate','params':{'url':'" RIG_URL "'}}";

static const struct outcome fine = { .attempts = 1 };
static const struct outcome repeated = { .attempts = 2, .is_recovered = true };

static void test_recovery_when_the_new_connection_drops_too_goes_on(void **state)
{
    (void)state;
    static const char *const drops[] = {
        "{'serve':'Target.createTarget'," RIG_CLOSE,
        "{'serve':'Page.enable'," RIG_CLOSE,
        "{'serve':'Page.addScriptToEvaluateOnNewDocument','params':{'worldName':"
        "'browser-runner-refill'}," RIG_CLOSE,
        "{'serve':'Page.navigate'," RIG_CLOSE,
    };
    for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
        struct rig rig;
        rig_start(&rig);
        rig_play(&rig, drops[i]);
        rig_drop(&rig, "{'close':true}");
        rig_expect(&rig, click, (struct outcome){ .is_recovered = true });
        assert_int_equal(rig_count(&rig, "Fake.accepted"), 3);
        assert_int_equal(rig_count(&rig, press), 1);
        rig_expect(&rig, evaluate, fine);
        rig_close(&rig);
    }
}

static const char any_refill[] = "{'method':'Page.addScriptToEvaluateOnNewDocument','params':"
                                 "{'worldName':'browser-runner-refill'}}";

/* In the error; or in the logs, if the action itself failed. */
static void expect_told(const struct rig *rig, const char *words)
{
    if (!strstr(rig->response->error.message, words)) {
        rig_expect_log(rig, "browser", words);
    }
}

/* The browser is available, but the page's server is not. */
static void test_recovery_when_the_page_is_not_reached_fails_and_is_tried_again(void **state)
{
    struct rig *rig = *state;
    rig_drop(rig, "{'serve':'Page.navigate','times':1,'reply':{'frameId':'$frame','loaderId':"
                  "'$new:L','errorText':'net::ERR_CONNECTION_REFUSED'}}\n"
                  "{'close':true}");
    rig_expect(rig, click, (struct outcome){ .code = BR_NAVIGATION_FAILED, .attempts = 1 });
    expect_told(rig, "the page could not be opened again");
    expect_told(rig, RIG_URL " was not reached");
    assert_int_equal(rig_count(rig, press), 0);
    rig_expect(rig, click, (struct outcome){ .attempts = 1, .is_recovered = true });
    assert_string_equal(rig->response->url, RIG_URL);
    /* The page's state was kept for it. */
    assert_int_equal(rig_count(rig, any_refill), 2);
}

static void test_recovery_when_nobody_connects_gives_up_after_three(void **state)
{
    (void)state;
    static const char *const refusals[] = { "{'refuse':503}", "{'refuse':0}" };
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct rig rig;
        rig_start(&rig);
        rig_play(&rig, refusals[i]);
        rig_drop(&rig, "{'close':true}");
        rig_expect(&rig, "{'type':'click','selector':'#go','timeout':10000" ONCE,
                   (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1 });
        assert_true(rig.took_ms < 2000 + RIG_SLACK_MS);
        expect_told(&rig, "3 starts failed in a row");
        assert_int_equal(rig_count(&rig, "Fake.refused"), 3);
        assert_int_equal(rig_count(&rig, press), 0);
        rig_expect_log(&rig, "browser", "start 1 of 3 failed");
        rig_expect_log(&rig, "browser", "start 2 of 3 failed");
        rig_play(&rig, "{'refuse':false}");
        rig_expect(&rig, click, (struct outcome){ .attempts = 1, .is_recovered = true });
        assert_string_equal(rig.response->url, RIG_URL);
        assert_int_equal(rig_count(&rig, press), 1);
        rig_close(&rig);
    }
}

/* It accepts all connections, and drops them at the first command. */
static void test_recovery_when_every_connection_drops_ends_in_time(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Target.createTarget','ignore':true,'then':[{'close':true}]}");
    rig_drop(rig, "{'close':true}");
    rig_expect(rig, "{'type':'click','selector':'#go','timeout':10000" ONCE,
               (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1 });
    expect_told(rig, "3 starts failed in a row");
    assert_int_equal(rig_count(rig, "Target.createTarget"), 1 + 3);
    /* Retries do not repeat all of it. */
    rig_expect(rig, click, (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1 });
    assert_int_equal(rig_count(rig, "Target.createTarget"), 1 + 6);
}

/* The kernel accepts the new connection, but no data arrives. */
static void test_recovery_when_the_new_connection_is_not_answered_ends_in_time(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.callFunctionOn','ignore':true,'times':1,'then':["
                  "{'close':true},{'wait':'enough'}]}");
    rig_expect(rig, "{'type':'click','selector':'#go','timeout':1500}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    assert_non_null(strstr(rig->response->error.message, "timed out connecting"));
    fake_browser_signal(rig->fake, "enough");
    rig_expect(rig, click, (struct outcome){ .attempts = 1, .is_recovered = true });
}

/* A browser that was not launched here keeps what we leave behind. */
static void expect_no_tab_is_left(struct rig *rig)
{
    size_t count = rig_count(rig, "Target.attachToTarget");
    assert_true(rig_end_session(rig) < RIG_SLACK_MS);
    for (size_t i = 1; i <= count; i++) {
        CLEANUP_FREE char *closing =
            xasprintf("{'method':'Target.closeTarget','params':{'targetId':'T%zu'}}", i);
        struct deadline deadline = deadline_in_ms(slow_ms(20000));
        while (rig_count(rig, closing) == 0) {
            if (deadline_passed(deadline)) {
                fail_msg("tab %zu of %zu was left behind", i, count);
            }
            usleep(1000);
        }
    }
    rig_close(rig);
}

static void test_session_when_it_ends_leaves_no_tab_behind(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig);
    rig_expect(&rig, "{'type':'start','url':'" RIG_URL "'}", fine);
    expect_no_tab_is_left(&rig);
}

static void test_session_when_tabs_crashed_leaves_none_behind(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig);
    rig_play(&rig, "{'serve':'Page.captureScreenshot'," RIG_CRASH);
    rig_expect(&rig, screenshot, repeated);
    expect_no_tab_is_left(&rig);
}

static void test_session_when_the_connection_dropped_leaves_no_tab_behind(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig);
    rig_drop(&rig, "{'close':true}");
    rig_expect(&rig, click, (struct outcome){ .is_recovered = true });
    expect_no_tab_is_left(&rig);
}

/* Including the tab of the failed recovery. */
static void test_session_when_a_recovery_was_dropped_leaves_no_tab_behind(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig);
    rig_play(&rig, "{'serve':'Page.navigate'," RIG_CLOSE);
    rig_drop(&rig, "{'close':true}");
    rig_expect(&rig, click, (struct outcome){ .is_recovered = true });
    expect_no_tab_is_left(&rig);
}

static void test_session_when_its_start_was_dropped_leaves_no_tab_behind(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_play(&rig, "{'serve':'Page.navigate'," RIG_CLOSE);
    rig_expect(&rig, "{'type':'start','url':'" RIG_URL "'}", repeated);
    expect_no_tab_is_left(&rig);
}

/* What was started is stopped, although the action's time is over. */
static void test_action_when_it_timed_out_stops_what_it_began(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *action, *end;
    } cases[] = {
        { "{'serve':'Runtime.evaluate','ignore':true}",
          "{'type':'evaluate','expression':'for (;;);','timeout':300}",
          "Runtime.terminateExecution" },
        { "{'serve':'Page.navigate','ignore':true}",
          "{'type':'navigate','url':'http://page.test/second','timeout':300}", "Page.stopLoading" },
    };
    enum { ROUNDS = 5 };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;
        rig_open(&rig, NULL);
        rig_expect(&rig, "{'type':'start','url':'" RIG_URL "','maxConsecutiveErrors':0}", fine);
        rig_play(&rig, cases[i].rule);
        for (size_t round = 1; round <= ROUNDS; round++) {
            rig_expect(&rig, cases[i].action,
                       (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
            rig_await_count(&rig, cases[i].end, round);
        }
        rig_close(&rig);
    }
}

static const char throws[] =
    "{'serve':'Runtime.evaluate','reply':{'result':{'type':'object'},'exceptionDetails':{"
    "'text':'Uncaught','exception':{'type':'object','description':'Error: no'}}}}";

static void expect_totals(const struct rig *rig, int total, int consecutive)
{
    assert_int_equal(rig->response->metrics.total_errors, total);
    assert_int_equal(rig->response->metrics.consecutive_errors, consecutive);
}

static void expect_limit(struct rig *rig, const char *name)
{
    /* Until then commands of the last action may still arrive. */
    rig_await_count(rig, "Fake.left", 1);
    size_t before = rig_count(rig, "{}");
    for (int i = 0; i < 3; i++) {
        rig_expect(rig, i == 1 ? click : evaluate, (struct outcome){ .code = BR_LIMIT_EXCEEDED });
        rig_expect_hint(rig, name);
        assert_true(rig->took_ms < RIG_SLACK_MS);
    }
    assert_int_equal(rig_count(rig, "{}"), before);
}

/* Then a `start` begins with counters at 0. */
static void expect_new_start(struct rig *rig)
{
    rig_expect(rig, "{'type':'stop'}", (struct outcome){ 0 });
    rig_expect(rig, "{'type':'start','url':'" RIG_URL "'}", fine);
    expect_totals(rig, 0, 0);
    assert_int_equal(rig->response->metrics.failures[BR_LIMIT_EXCEEDED], 3);
}

static void test_session_when_actions_fail_in_a_row_ends(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, throws);
    for (int i = 1; i <= 3; i++) {
        assert_false(rig_has_log(rig, "session", ""));
        rig_expect(rig, evaluate, (struct outcome){ .code = BR_EVAL_ERROR, .attempts = 1 });
        expect_totals(rig, i, i);
    }
    rig_expect_log(rig, "session", "3 actions in a row failed: the page was closed");
    expect_limit(rig, "maxConsecutiveErrors");
    expect_totals(rig, 3, 3);
    expect_new_start(rig);
}

static void test_session_when_too_many_actions_fail_in_all_ends(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_expect(&rig,
               "{'type':'start','url':'" RIG_URL
               "','maxConsecutiveErrors':2,'totalErrorThreshold':3}",
               fine);
    rig_play(&rig, throws);
    for (int i = 1; i <= 3; i++) {
        rig_expect(&rig, evaluate, (struct outcome){ .code = BR_EVAL_ERROR, .attempts = 1 });
        expect_totals(&rig, i, 1);
        if (i < 3) {
            rig_expect(&rig, click, fine);
            expect_totals(&rig, i, 0);
        }
    }
    rig_expect_log(&rig, "session", "3 actions in all failed");
    expect_limit(&rig, "totalErrorThreshold");
    expect_new_start(&rig);
    rig_close(&rig);
}

static void test_session_when_limits_are_off_goes_on(void **state)
{
    (void)state;
    enum { MANY = 12 };
    struct rig rig;
    rig_open(&rig, NULL);
    rig_expect(&rig,
               "{'type':'start','url':'" RIG_URL
               "','maxConsecutiveErrors':0,'totalErrorThreshold':0}",
               fine);
    rig_play(&rig, throws);
    for (int i = 1; i <= MANY; i++) {
        rig_expect(&rig, evaluate, (struct outcome){ .code = BR_EVAL_ERROR, .attempts = 1 });
        expect_totals(&rig, i, i);
    }
    rig_expect(&rig, click, fine);
    expect_totals(&rig, MANY, 0);
    rig_close(&rig);
}

/* A failed action counts, even if its page was recovered. */
static void test_session_when_the_browser_drops_again_and_again_ends(void **state)
{
    struct rig *rig = *state;
    for (int i = 1; i <= 3; i++) {
        rig_play(rig,
                 "{'serve':'Input.dispatchMouseEvent','params':{'type':'mousePressed'}," RIG_CLOSE);
        rig_expect(
            rig, click,
            (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1, .is_recovered = true });
        expect_totals(rig, i, i);
    }
    expect_limit(rig, "maxConsecutiveErrors");
}

/*
 * Cookies of a browser that was not launched here must not be read, and its local storage persists.
 */
static void expect_refill(struct rig *rig, int connection)
{
    static const char refill[] =
        "{'method':'Page.addScriptToEvaluateOnNewDocument','sessionId':'S2','params':{'source':"
        "'~\\'local\\':\\'nothing\\',\\'session\\':true'}}";
    static const char *const order[] = {
        visit,
        "{'method':'Page.addScriptToEvaluateOnNewDocument','sessionId':'S2','params':{'source':"
        "'~cart'}}",
        "{'method':'Page.navigate','sessionId':'S2'}",
        "{'method':'Page.removeScriptToEvaluateOnNewDocument','sessionId':'S2','params':"
        "{'identifier':'R5'}}",
        NULL,
    };
    rig_expect_order(rig, order);
    assert_int_equal(rig_count(rig, refill), 1);
    assert_int_equal(rig_count(rig, any_refill), 1);
    assert_int_equal(rig_count(rig, "Page.removeScriptToEvaluateOnNewDocument"), 1);
    assert_int_equal(rig_count(rig, "Storage.getCookies"), 0);
    assert_int_equal(rig_count(rig, "Storage.setCookies"), 0);
    assert_int_equal(rig_count(rig, "Target.getTargets"), 0);
    assert_int_equal(rig_count(rig, "Fake.accepted"), connection);
}

static void test_recovery_when_the_page_crashed_refills_session_storage(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'event':{'method':'Inspector.targetCrashed','sessionId':'S1','params':{}}}");
    rig_expect(rig, click, (struct outcome){ .is_recovered = true });
    expect_refill(rig, 1);
}

static void test_recovery_when_connected_again_refills_session_storage_only(void **state)
{
    struct rig *rig = *state;
    rig_drop(rig, "{'close':true}");
    rig_expect(rig, click, (struct outcome){ .is_recovered = true });
    expect_refill(rig, 2);
}

/*
 * An element lost with the page is not reported as STALE_NODE, which would ask for a new snapshot.
 */
static void test_snapshot_of_an_element_when_the_page_crashes_says_so(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, RIG_ELEMENTS("keep") RIG_CRASH);
    rig_expect(rig, "{'type':'snapshot','selector':'#go'" ONCE,
               (struct outcome){ .code = BR_PAGE_CRASHED, .attempts = 1, .is_recovered = true });
    assert_int_equal(rig_count(rig, "{'method':'Runtime.callFunctionOn','params':"
                                    "{'functionDeclaration':'~elements.keep('}}"),
                     1);
    rig_expect(rig, evaluate, fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovery_when_the_new_connection_drops_too_goes_on),
        RIG_TEST(test_recovery_when_the_page_is_not_reached_fails_and_is_tried_again),
        cmocka_unit_test(test_recovery_when_nobody_connects_gives_up_after_three),
        RIG_TEST(test_recovery_when_every_connection_drops_ends_in_time),
        RIG_TEST(test_recovery_when_the_new_connection_is_not_answered_ends_in_time),
        cmocka_unit_test(test_session_when_it_ends_leaves_no_tab_behind),
        cmocka_unit_test(test_session_when_tabs_crashed_leaves_none_behind),
        cmocka_unit_test(test_session_when_the_connection_dropped_leaves_no_tab_behind),
        cmocka_unit_test(test_session_when_a_recovery_was_dropped_leaves_no_tab_behind),
        cmocka_unit_test(test_session_when_its_start_was_dropped_leaves_no_tab_behind),
        cmocka_unit_test(test_action_when_it_timed_out_stops_what_it_began),
        RIG_TEST(test_session_when_actions_fail_in_a_row_ends),
        cmocka_unit_test(test_session_when_too_many_actions_fail_in_all_ends),
        cmocka_unit_test(test_session_when_limits_are_off_goes_on),
        RIG_TEST(test_session_when_the_browser_drops_again_and_again_ends),
        RIG_TEST(test_recovery_when_the_page_crashed_refills_session_storage),
        RIG_TEST(test_snapshot_of_an_element_when_the_page_crashes_says_so),
        RIG_TEST(test_recovery_when_connected_again_refills_session_storage_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
