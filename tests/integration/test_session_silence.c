/* A page or a browser that does not respond any more. It takes seconds until that is certain. */
#include "tests/integration/session_rig.h"

#include <string.h>

static const char evaluate_short[] = "{'type':'evaluate','expression':'6 * 7','timeout':1000}";
static const struct outcome late = { .code = BR_TIMEOUT, .attempts = 1 };

/* The browser responds all the time, so only the page is stuck. */
static void test_page_when_silent_for_long_is_ended_and_comes_back(void **state)
{
    struct rig *rig = *state;
    static const char *const order[] = {
        "Runtime.evaluate",
        "{'method':'Page.crash','sessionId':'S1'}",
        "Target.createTarget",
        "{'method':'Page.navigate','sessionId':'S2'}",
        "{'method':'Runtime.evaluate','sessionId':'S2'}",
        NULL,
    };
    rig_play(rig, "{'silent':'S1'}");
    rig_expect(rig, evaluate_short, late);
    assert_true(rig->took_ms >= 1000);
    rig_expect(rig, evaluate_short, late);
    assert_non_null(strstr(rig->response->error.message, "the page has not answered for"));
    assert_int_equal(rig_count(rig, "Page.crash"), 0);
    /* The page was not even asked: no second script was sent. */
    assert_int_equal(rig_count(rig, "{'method':'Runtime.evaluate','params':"
                                    "{'expression':'~6 * 7'}}"),
                     1);
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7','timeout':20000}",
               (struct outcome){ .attempts = 1, .is_recovered = true });
    assert_true(rig->took_ms < 4000 + RIG_SLACK_MS);
    assert_string_equal(rig->response->result, "42");
    rig_expect_log(rig, "browser", "the page has not answered for");
    rig_expect_order(rig, order);
    assert_int_equal(rig_count(rig, "Page.crash"), 1);
    assert_int_equal(rig_count(rig, "Fake.accepted"), 1);
}

/* A page that was only slow is kept. */
static void test_page_when_it_answers_again_is_left_alone(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'times':1}\n"
                  "{'serve':'Runtime.callFunctionOn','ignore':true,'times':1}");
    rig_expect(rig, evaluate_short, late);
    rig_expect(rig, "{'type':'click','selector':'#go'}", (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(rig, "Page.crash"), 0);
    assert_int_equal(rig_count(rig, "Target.createTarget"), 1);
}

/* An action with enough time recovers the page itself. */
static void test_wait_when_the_page_is_silent_for_long_ends_it_at_the_deadline(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'silent':'S1'}");
    rig_expect(rig, "{'type':'wait','selector':'#late','timeout':9000}", late);
    assert_non_null(strstr(rig->response->error.hint, "opened again for the next action"));
    rig_expect(rig, "{'type':'wait','selector':'#late'}",
               (struct outcome){ .attempts = 1, .is_recovered = true });
    assert_int_equal(rig_count(rig, "Page.crash"), 1);
}

/* 2 s of silence, then 3 s without a reply to the probe: it is given up. */
static void test_browser_when_silent_is_given_up_and_connected_again(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'silent':true}");
    rig_expect(rig, "{'type':'wait','selector':'#late'}",
               (struct outcome){ .attempts = 2, .is_recovered = true });
    assert_in_range(rig->took_ms, 4500, 5000 + RIG_SLACK_MS);
    rig_expect_log(rig, "browser", "the browser does not answer any more");
    rig_expect_log(rig, "retry", "BROWSER_CRASHED");
    assert_true(rig_count(rig, "{'method':'Browser.getVersion','connection':1}") > 0);
    assert_int_equal(rig_count(rig, "Fake.accepted"), 2);
}

/* A browser that replies to the probe is alive, however slow everything else is. */
static void test_browser_when_it_only_says_its_version_is_waited_for(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'times':1,'then':["
                  "{'serve':'Browser.getVersion','times':1,'ignore':true,'then':[{'delay':1000},"
                  "{'reply':{}},{'mark':'told'}]}]}");
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7','timeout':5500}", late);
    fake_browser_await(rig->fake, "told");
    assert_int_equal(rig_count(rig, "Fake.accepted"), 1);
    rig_expect(rig, "{'type':'click','selector':'#go'}", (struct outcome){ .attempts = 1 });
}

/* Its end is not awaited, nor is that of a browser that does not even read. */
static void test_session_when_the_browser_is_deaf_ends_at_once(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'times':1,'then':["
                  "{'wait':'enough'}]}");
    rig_expect(rig, evaluate_short, late);
    assert_true(rig_end_session(rig) < RIG_SLACK_MS);
    fake_browser_signal(rig->fake, "enough");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_page_when_silent_for_long_is_ended_and_comes_back),
        RIG_TEST(test_page_when_it_answers_again_is_left_alone),
        RIG_TEST(test_wait_when_the_page_is_silent_for_long_ends_it_at_the_deadline),
        RIG_TEST(test_browser_when_silent_is_given_up_and_connected_again),
        RIG_TEST(test_browser_when_it_only_says_its_version_is_waited_for),
        RIG_TEST(test_session_when_the_browser_is_deaf_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
