/* The steps of a capture, and reuse of pictures, without a session. */
#include "tests/integration/page_rig.h"

#include "runner/base/error.h"
#include "runner/base/response.h"
#include "runner/page/core/wire.h"
#include "runner/page/picture/capture.h"
#include "runner/page/picture/look.h"
#include "runner/page/picture/request.h"

#include <string.h>

#define WITHHELD                                                                                   \
    "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':'~browserRunner.withheld("  \
    "'},'reply':{'result':{'type':'object','value':{'left':0,'top':0,'boxes':[]}}}}\n"

static const struct page_capture viewport = { .format = PAGE_JPEG, .quality = 60 };

static void take(struct page_rig *rig, bool is_wanted, struct br_error *err)
{
    struct br_capture capture = { 0 };
    bool is_done = page_capture(rig->page, &viewport, &capture, err);
    assert_int_equal(is_done, is_wanted);
    assert_int_equal(capture.width, is_wanted ? 16 : 0);
    capture_finish(&capture);
}

static void test_capture_when_all_is_well_asks_once(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    page_rig_play(rig, WITHHELD);
    take(rig, true, &err);
    assert_int_equal(fake_count(rig->fake, "Page.captureScreenshot"), 1);
    assert_int_equal(fake_count(rig->fake, "Page.bringToFront"), 0);
}

/* Each step gets a share of the remaining time, so that the next one has time, too. */
static void test_capture_when_it_blocks_climbs_within_the_deadline(void **state)
{
    struct page_rig *rig = *state;
    static const char *const ladder[] = {
        "{'method':'Page.captureScreenshot','sessionId':'S1'}",
        "Page.bringToFront",
        "{'method':'Page.captureScreenshot','sessionId':'S1'}",
        "Page.startScreencast",
        "{'method':'Page.captureScreenshot','sessionId':'S1'}",
        "{'method':'Emulation.setDeviceMetricsOverride','sessionId':'S2'}",
        "{'method':'Page.captureScreenshot','sessionId':'S2'}",
        NULL,
    };
    struct br_error err;
    page_rig_play(rig, WITHHELD "{'serve':'Page.captureScreenshot','ignore':true,'times':3}");
    page_rig_limit(rig, slow_ms(6000));
    take(rig, true, &err);
    fake_expect_order(rig->fake, ladder);
    page_rig_expect_log(rig, "the capture blocked: the first try");
    page_rig_expect_log(rig, "the capture came by: a new session");
}

/* Neither other ways to capture nor the search for withheld areas are tried to the end. */
static void test_capture_when_the_page_is_stuck_is_given_up_at_once(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    page_rig_play(rig, "{'serve':'Page.captureScreenshot','ignore':true}\n"
                       "{'serve':'Runtime.callFunctionOn','ignore':true}");
    page_rig_limit(rig, slow_ms(3000));
    take(rig, false, &err);
    assert_false(deadline_passed(page_deadline(rig->page)));
    assert_int_equal(err.code, BR_TIMEOUT);
    assert_int_equal(fake_count(rig->fake, "Page.captureScreenshot"), 1);
    assert_int_equal(fake_count(rig->fake, "Page.bringToFront"), 0);
}

/* A tab behind another one is not drawn: it is first brought to the front. */
static void test_capture_when_another_tab_is_in_front_comes_to_the_front_first(void **state)
{
    struct page_rig *rig = *state;
    static const char *const order[] = { "Page.bringToFront", "Page.captureScreenshot", NULL };
    struct br_error err;
    page_rig_play(rig, WITHHELD PAGE_RIG_GO_ON
                  "{'event':{'method':'Target.attachedToTarget','params':{'sessionId':'S7',"
                  "'waitingForDebugger':false,'targetInfo':{'targetId':'N7','type':'page',"
                  "'openerId':'T1','url':'http://page.test/new'}}}}");
    take(rig, true, &err);
    take(rig, true, &err);
    fake_expect_order(rig->fake, order);
    assert_int_equal(fake_count(rig->fake, "Page.bringToFront"), 1);
}

/* The picture after an action is reused before the next one, as long as no event arrives. */
static void test_look_serves_once_and_not_after_news(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    struct br_capture first = { 0 };
    struct br_capture again = { 0 };
    page_rig_play(rig, WITHHELD "{'serve':'Page.handleJavaScriptDialog','reply':{}}");
    assert_true(page_capture(rig->page, &viewport, &first, &err));
    page_keep_look(rig->page, &viewport, &first);
    assert_true(page_take_look(rig->page, &viewport, &again));
    assert_int_equal(again.size, first.size);
    assert_memory_equal(again.bytes, first.bytes, first.size);
    capture_finish(&again);
    assert_false(page_take_look(rig->page, &viewport, &again)); /* it was already used */
    page_keep_look(rig->page, &viewport, &first);
    const struct page_capture other = { .format = PAGE_PNG };
    assert_false(page_take_look(rig->page, &other, &again)); /* it was taken with other options */
    page_rig_play(
        rig, PAGE_RIG_EVENT("Page.javascriptDialogOpening", "'type':'alert','message':'Hello'"));
    page_keep_look(rig->page, &viewport, &first);
    assert_true(page_take_look(rig->page, &viewport, &again)); /* newer than the dialog */
    capture_finish(&again);
    page_keep_look(rig->page, &viewport, &first);
    page_rig_play(
        rig, PAGE_RIG_EVENT("Page.javascriptDialogOpening", "'type':'alert','message':'Again'"));
    assert_false(page_take_look(rig->page, &viewport, &again));
    capture_finish(&first);
}

/* A look is as old as the last picture from Chrome; before the first one, as the clock. */
static void test_look_when_it_is_old_is_not_served(void **state)
{
    struct page_rig *rig = *state;
    unsigned char bytes[] = "a picture";
    const struct br_capture picture = { .bytes = bytes, .size = sizeof(bytes) };
    struct br_capture again = { 0 };
    page_keep_look(rig->page, &viewport, &picture);
    assert_false(page_take_look(rig->page, &viewport, &again));
    look_note_capture(rig->page);
    page_keep_look(rig->page, &viewport, &picture);
    assert_true(page_take_look(rig->page, &viewport, &again));
    capture_finish(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE_RIG_TEST(test_capture_when_all_is_well_asks_once),
        PAGE_RIG_TEST(test_capture_when_it_blocks_climbs_within_the_deadline),
        PAGE_RIG_TEST(test_capture_when_the_page_is_stuck_is_given_up_at_once),
        PAGE_RIG_TEST(test_capture_when_another_tab_is_in_front_comes_to_the_front_first),
        PAGE_RIG_TEST(test_look_serves_once_and_not_after_news),
        PAGE_RIG_TEST(test_look_when_it_is_old_is_not_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
