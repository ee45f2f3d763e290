/* A page's virtual time: what it does with Chrome's replies and reports, in each order. */
#include "tests/integration/page_rig.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/page/activate.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/virtual_time.h"

#define GRANT(ms)                                                                                  \
    "{'method':'Emulation.setVirtualTimePolicy','params':{'policy':'pauseIfNetworkFetchesPending'" \
    ",'budget':" ms "}}"
#define GRANTS                                                                                     \
    "{'method':'Emulation.setVirtualTimePolicy','params':{'policy':'pauseIfNetworkFetchesPending'" \
    "}}"
#define ADVANCES "{'method':'Emulation.setVirtualTimePolicy','params':{'policy':'advance'}}"
#define NEVER_EXPIRES                                                                              \
    "{'serve':'Emulation.setVirtualTimePolicy','params':{'budget':50.0},'times':1,"                \
    "'reply':{'virtualTimeTicksBase':1000}}\n"
#define STOPS_OPENED                                                                               \
    "{'method':'Emulation.setVirtualTimePolicy','sessionId':'S7','params':{'policy':'pause'}}"
#define OPENED                                                                                     \
    "{'event':{'method':'Target.attachedToTarget','params':{'sessionId':'S7',"                     \
    "'waitingForDebugger':false,'targetInfo':{'targetId':'N7','type':'page','openerId':'T1',"      \
    "'url':'http://page.test/new'}}}}"
#define FINDS_DOCUMENT                                                                             \
    "{'serve':'Page.getFrameTree','reply':{'frameTree':{'frame':{'id':'$frame','loaderId':'L9',"   \
    "'url':'http://page.test/back'}}}}\n"                                                          \
    "{'serve':'Runtime.callFunctionOn','reply':{'result':{'type':'string','value':'complete'}}}\n"
#define FRAMES     "HeadlessExperimental.beginFrame"
#define MARK(name) "{'mark':'" name "'}"

static void start(struct page_rig *rig)
{
    struct br_error err;
    int status = 0;
    page_rig_open_virtual(rig);
    if (!page_navigate(rig->page, "http://page.test/first", PAGE_LOAD, &status, &err)) {
        fail_msg("%s", err.message);
    }
}

static int set_up(void **state)
{
    return page_rig_begin(state, start);
}

static void assert_reaches(struct page_rig *rig, int64_t age_ms)
{
    struct br_error err;
    if (!virtual_time_reach(rig->page, age_ms, &err)) {
        fail_msg("%s", err.message);
    }
}

/* The next frame is drawn only after the report that the time has passed. */
static void test_reach_draws_a_frame_after_each_step(void **state)
{
    struct page_rig *rig = *state;
    size_t frames = fake_count(rig->fake, FRAMES);
    size_t steps = fake_count(rig->fake, GRANT("50.0"));
    assert_reaches(rig, 120);
    assert_int_equal(fake_count(rig->fake, FRAMES) - frames, 3);
    assert_int_equal(fake_count(rig->fake, GRANT("50.0")) - steps, 2);
    assert_int_equal(fake_count(rig->fake, GRANT("20.0")), 1);
}

static void test_reach_when_the_age_has_passed_refuses(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    assert_reaches(rig, 100);
    assert_reaches(rig, 100);
    assert_false(virtual_time_reach(rig->page, 50, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

/* A report that comes before the reply to a grant belongs to an earlier one. */
static void test_reach_when_an_old_grant_expires_waits_for_its_own(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    assert_reaches(rig, 50);
    size_t frames = fake_count(rig->fake, FRAMES);
    fake_play(
        rig->fake,
        "{'serve':'Emulation.setVirtualTimePolicy','ignore':true,'times':1,'then':["
        "{'event':{'method':'Emulation.virtualTimeBudgetExpired','sessionId':'" PAGE_RIG_SESSION
        "','params':{}}},{'reply':{'virtualTimeTicksBase':1000}}," MARK("late") "]}");
    page_rig_limit(rig, 300);
    assert_false(virtual_time_reach(rig->page, 100, &err));
    assert_int_equal(err.code, BR_TIMEOUT);
    assert_int_equal(fake_count(rig->fake, FRAMES), frames);

    /* Its own report completes the step. */
    page_rig_limit(rig, slow_ms(10000));
    page_rig_play(rig, PAGE_RIG_EVENT("Emulation.virtualTimeBudgetExpired", ""));
    assert_reaches(rig, 100);
    assert_int_equal(fake_count(rig->fake, FRAMES), frames + 1);
}

/* After 5 s for a request that does not end, the same grant goes on: Chrome reports it once. */
static void test_reach_when_a_request_does_not_end_goes_on_with_the_grant(void **state)
{
    struct page_rig *rig = *state;
    size_t grants = fake_count(rig->fake, GRANTS);
    fake_play(rig->fake,
              PAGE_RIG_TIME(PAGE_RIG_EXPIRED) "{'serve':'Emulation.setVirtualTimePolicy',"
                                              "'params':{'budget':50.0},'times':1,"
                                              "'reply':{'virtualTimeTicksBase':1000}}");
    assert_reaches(rig, 50);
    page_rig_expect_log(rig, "a request was pending for 5 s");
    assert_int_equal(fake_count(rig->fake, GRANTS) - grants, 1);
    assert_int_equal(fake_count(rig->fake, ADVANCES), 1);
    assert_int_equal(fake_count(rig->fake, "{'method':'Emulation.setVirtualTimePolicy','params':"
                                           "{'policy':'advance','budget':50.0}}"),
                     0);
}

/* A step that a navigation interrupts is completed afterwards, because Chrome still counts it. */
static void test_stand_when_time_passes_completes_the_step_later(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    fake_play(rig->fake, NEVER_EXPIRES);
    page_rig_limit(rig, 300);
    assert_false(virtual_time_reach(rig->page, 50, &err));
    page_rig_limit(rig, slow_ms(10000));
    size_t grants = fake_count(rig->fake, GRANT("50.0"));
    virtual_time_stand(rig->page);
    assert_reaches(rig, 50);
    assert_int_equal(fake_count(rig->fake, GRANT("50.0")), grants);
}

static void test_reach_when_the_page_is_gone_ends_at_once(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int64_t began_ms = clock_monotonic_ms();
    fake_play(
        rig->fake,
        "{'serve':'Emulation.setVirtualTimePolicy','params':{'budget':50.0},"
        "'reply':{'virtualTimeTicksBase':1000},'then':["
        "{'event':{'method':'Inspector.targetCrashed','sessionId':'$session','params':{}}}]}");
    assert_false(virtual_time_reach(rig->page, 50, &err));
    assert_int_equal(err.code, BR_PAGE_CRASHED);
    assert_true(is_soon(clock_monotonic_ms() - began_ms, 2000));
}

/* Lets the page begin a step, which does not end. */
static void cut_step(struct page_rig *rig)
{
    struct br_error err;
    page_rig_limit(rig, 300);
    assert_false(virtual_time_reach(rig->page, 50, &err));
    assert_int_equal(err.code, BR_TIMEOUT);
    page_rig_limit(rig, slow_ms(10000));
}

/* A tab that was opened during a step stands also if nothing waits for the step's end. */
static void test_stand_when_a_tab_was_opened_in_a_step_stops_it(void **state)
{
    struct page_rig *rig = *state;
    fake_play(rig->fake, PAGE_RIG_GO_ON
              "{'serve':'Emulation.setVirtualTimePolicy','params':{'budget':50.0},'times':1,"
              "'reply':{'virtualTimeTicksBase':1000},'then':[" OPENED "]}");
    cut_step(rig);
    assert_int_equal(page_count_tabs(rig->page), 2);
    assert_int_equal(fake_count(rig->fake, STOPS_OPENED), 0);
    virtual_time_stand(rig->page);
    fake_await_count(rig->fake, STOPS_OPENED, 1);
}

static void test_reach_when_the_step_fails_stops_the_tab_that_it_opened(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    fake_play(rig->fake, PAGE_RIG_GO_ON
              "{'serve':'Emulation.setVirtualTimePolicy','params':{'budget':50.0},'times':1,"
              "'ignore':true,'then':[" OPENED ",{'error':'no'}," PAGE_RIG_EXPIRED "]}");
    assert_false(virtual_time_reach(rig->page, 50, &err));
    assert_int_not_equal(err.code, BR_TIMEOUT);
    fake_await_count(rig->fake, STOPS_OPENED, 1);
}

/* Tabs of one process share their time, so that the step's rest counts for both. */
static void leave_in_step(bool is_stopped)
{
    struct page_rig rig;
    struct br_error err;
    int status = 0;
    start(&rig);
    fake_play(rig.fake, NEVER_EXPIRES);
    cut_step(&rig);
    if (is_stopped) {
        virtual_time_stand(rig.page);
    }
    page_rig_play(&rig, PAGE_RIG_EVENT("Emulation.virtualTimeBudgetExpired", "") FINDS_DOCUMENT);
    size_t frames = fake_count(rig.fake, FRAMES);
    if (!page_open_tab(rig.page, &err) ||
        !page_navigate(rig.page, "http://page.test/second", PAGE_LOAD, &status, &err)) {
        fail_msg("%s", err.message);
    }
    assert_true(fake_count(rig.fake, FRAMES) > frames);
    assert_reaches(&rig, 100);
    if (!page_activate_tab(rig.page, 1, &err)) {
        fail_msg("%s", err.message);
    }
    size_t grants = fake_count(rig.fake, GRANTS);
    assert_reaches(&rig, 150);
    assert_int_equal(fake_count(rig.fake, GRANTS), grants);
    page_rig_close(&rig);
}

static void test_tab_when_it_is_left_in_a_step_completes_it(void **state)
{
    (void)state;
    leave_in_step(false);
}

static void test_tab_when_it_is_left_in_a_stopped_step_completes_it(void **state)
{
    (void)state;
    leave_in_step(true);
}

/* The page may have replaced performance.now(), which Runtime.evaluate would call. */
static void test_tab_when_it_was_opened_takes_its_age_from_our_world(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    assert_reaches(rig, 50);
    page_rig_play(rig, PAGE_RIG_GO_ON OPENED
                  "\n" FINDS_DOCUMENT
                  "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':"
                  "'~performance.now()'},'reply':{'result':{'type':'number','value':20}}}\n");
    if (!page_activate_tab(rig->page, 2, &err)) {
        fail_msg("%s", err.message);
    }
    assert_reaches(rig, 20);
    assert_false(virtual_time_reach(rig->page, 19, &err));
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, page_rig_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_reach_draws_a_frame_after_each_step),
        TEST(test_reach_when_the_age_has_passed_refuses),
        TEST(test_reach_when_an_old_grant_expires_waits_for_its_own),
        TEST(test_reach_when_a_request_does_not_end_goes_on_with_the_grant),
        TEST(test_stand_when_time_passes_completes_the_step_later),
        TEST(test_reach_when_the_page_is_gone_ends_at_once),
        TEST(test_stand_when_a_tab_was_opened_in_a_step_stops_it),
        TEST(test_reach_when_the_step_fails_stops_the_tab_that_it_opened),
        TEST(test_tab_when_it_was_opened_takes_its_age_from_our_world),
        cmocka_unit_test(test_tab_when_it_is_left_in_a_step_completes_it),
        cmocka_unit_test(test_tab_when_it_is_left_in_a_stopped_step_completes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
