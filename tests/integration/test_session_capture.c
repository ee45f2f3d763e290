/* Pictures that Chrome does not deliver: each way to get one, in order, and failure of all. */
#include "tests/integration/session_rig.h"

#include <string.h>

static const char screenshot[] = "{'type':'screenshot','timeout':6000}";

/* The expected commands of each way, for rig_expect_order(). */
static const char capture[] = "{'method':'Page.captureScreenshot','sessionId':'S1'}";
static const char capture_anew[] = "{'method':'Page.captureScreenshot','sessionId':'S2'}";
/* Without it, the page would get the size of the window. */
static const char screen[] = "{'method':'Emulation.setDeviceMetricsOverride','sessionId':'S2'}";
static const char *const ladder[] = {
    capture,
    "Page.bringToFront",
    capture,
    "Page.startScreencast",
    "Page.stopScreencast",
    capture,
    "{'method':'Target.attachToTarget','params':{'targetId':'T1'}}",
    screen,
    capture_anew,
    NULL,
};
static const char *const rungs[] = {
    "the first try",
    "bringing the tab to the front",
    "making Chrome draw",
    "a new session",
};
enum { RUNGS = sizeof(rungs) / sizeof(rungs[0]) };

static void expect_logs(struct rig *rig, size_t blocked)
{
    for (size_t i = 0; i < blocked; i++) {
        CLEANUP_FREE char *words = xasprintf("the capture blocked: %s", rungs[i]);
        rig_expect_log(rig, "screenshot", words);
    }
}

static void expect_steps(struct rig *rig, size_t blocked)
{
    assert_int_equal(rig_count(rig, "Page.bringToFront"), blocked > 0);
    assert_int_equal(rig_count(rig, "Page.startScreencast"), blocked > 1);
    assert_int_equal(rig_count(rig, "Page.stopScreencast"), blocked > 1);
    assert_int_equal(rig_count(rig, capture_anew), blocked > 2);
    assert_int_equal(rig_count(rig, screen), blocked > 2);
    assert_int_equal(rig_count(rig, "Target.detachFromTarget"), 0);
    expect_logs(rig, blocked);
}

static void test_screenshot_when_blocked_takes_the_next_step(void **state)
{
    (void)state;
    for (size_t blocked = 1; blocked < RUNGS; blocked++) {
        struct rig rig;
        rig_start(&rig);
        CLEANUP_FREE char *rule =
            xasprintf("{'serve':'Page.captureScreenshot','ignore':true,'times':%zu}", blocked);
        rig_play(&rig, rule);
        rig_expect(&rig, screenshot, (struct outcome){ .attempts = 1 });
        assert_int_equal(rig.response->post.width, 16);
        assert_int_equal(rig_count(&rig, "Page.captureScreenshot"), blocked + 1);
        expect_steps(&rig, blocked);
        CLEANUP_FREE char *words = xasprintf("the capture came by: %s", rungs[blocked]);
        rig_expect_log(&rig, "screenshot", words);
        if (blocked == RUNGS - 1) {
            rig_expect_order(&rig, ladder);
        }
        rig_close(&rig);
    }
}

/* A refusal takes no time. */
static void test_screenshot_when_refused_takes_the_next_step_at_once(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot','error':{'code':-32000,"
                  "'message':'Internal error'},'times':1}");
    rig_expect(rig, screenshot, (struct outcome){ .attempts = 1 });
    assert_true(is_soon(rig->took_ms, 1000));
    rig_expect_log(rig, "screenshot", "Internal error");
    expect_steps(rig, 1);
}

/* The error of a tab that has not drawn yet, or whose GPU process has just died. */
#define UNDRAWN                                                                                    \
    "{'serve':'Page.captureScreenshot','error':{'code':-32000,"                                    \
    "'message':'Unable to capture screenshot'}"

static void test_screenshot_when_nothing_is_drawn_yet_asks_again(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, UNDRAWN ",'times':5}");
    rig_expect(rig, screenshot, (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(rig, "Page.captureScreenshot"), 6);
    expect_steps(rig, 0);
}

static void test_screenshot_when_nothing_is_ever_drawn_takes_the_next_step(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, UNDRAWN "}");
    rig_run(rig, "{'type':'screenshot','timeout':12000}");
    assert_false(rig->response->success);
    assert_non_null(strstr(rig->response->error.message, "Unable to capture screenshot"));
    rig_expect_order(rig, ladder);
}

static void test_screenshot_when_no_step_helps_times_out(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot','ignore':true}");
    rig_run(rig, screenshot);
    assert_false(rig->response->success);
    assert_int_equal(rig->response->error.code, BR_TIMEOUT);
    assert_null(rig->response->post.bytes);
    rig_expect_order(rig, ladder);
    expect_logs(rig, RUNGS);
    /* The page still exists, the old one or a new one. */
    rig_expect(rig, "{'type':'click','selector':'#go'}", (struct outcome){ .attempts = 1 });
}

/* If time is left, the page is opened again as the last resort. */
static void test_screenshot_when_only_a_new_page_helps_opens_one(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot','ignore':true,'times':4}");
    rig_expect(rig, "{'type':'screenshot','timeout':14000}",
               (struct outcome){ .attempts = 2, .is_recovered = true });
    assert_non_null(rig->response->post.bytes);
    /* Chrome would crash with a page that has a pending capture: the tab is closed instead. */
    assert_int_equal(rig_count(rig, "Page.crash"), 0);
    assert_int_equal(rig_count(rig, "{'method':'Runtime.terminateExecution','sessionId':'S1'}"), 1);
    assert_int_equal(rig_count(rig, "Target.createTarget"), 2);
    assert_true(rig_count(rig, "{'method':'Target.closeTarget','params':{'targetId':'T1'}}") > 0);
    assert_int_equal(rig_count(rig, "{'method':'Page.captureScreenshot','sessionId':'S3'}"), 1);
}

/* An accompanying picture is omitted; the action itself succeeds. */
static void test_picture_that_goes_along_when_it_does_not_come_is_left_out(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot','ignore':true}");
    rig_expect(rig, "{'type':'click','selector':'#go','screenshots':'both','timeout':4000}",
               (struct outcome){ .attempts = 1 });
    assert_null(rig->response->pre.bytes);
    assert_null(rig->response->post.bytes);
    assert_string_equal(rig->response->url, RIG_URL);
    rig_expect_log(rig, "screenshot", "the pre picture could not be taken");
    rig_expect_log(rig, "screenshot", "the post picture could not be taken");
    assert_int_equal(rig_count(rig, "Target.createTarget"), 1);
}

static void test_picture_that_goes_along_when_it_comes_is_there(void **state)
{
    struct rig *rig = *state;
    rig_expect(rig, "{'type':'click','selector':'#go','screenshots':'both'}",
               (struct outcome){ .attempts = 1 });
    assert_non_null(rig->response->pre.bytes);
    assert_non_null(rig->response->post.bytes);
    rig_expect(rig, "{'type':'click','selector':'#go','screenshots':'post'}",
               (struct outcome){ .attempts = 1 });
    assert_null(rig->response->pre.bytes);
    assert_non_null(rig->response->post.bytes);
    assert_int_equal(rig_count(rig, "Page.captureScreenshot"), 3);
}

/* The page is lost during the capture: the action itself was done, and is not repeated. */
static void test_picture_that_goes_along_when_the_connection_drops_is_left_out(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot'," RIG_CLOSE);
    rig_expect(rig, "{'type':'click','selector':'#go','screenshots':'post'}",
               (struct outcome){ .attempts = 1 });
    assert_null(rig->response->post.bytes);
    rig_expect_log(rig, "screenshot", "the post picture could not be taken");
    rig_expect(rig, "{'type':'click','selector':'#go','screenshots':'post'}",
               (struct outcome){ .attempts = 1, .is_recovered = true });
    assert_non_null(rig->response->post.bytes);
    assert_int_equal(rig_count(rig, "Fake.accepted"), 2);
}

/* A page of 2000 px in a viewport of 720: Chrome's replies, and its picture of the whole. */
static const char tall_page[] =
    "{'serve':'Page.getLayoutMetrics','reply':{'cssContentSize':{'x':0,'y':0,'width':1280,"
    "'height':2000},'cssVisualViewport':{'pageX':0,'pageY':0,'offsetX':0,'offsetY':0,'clientWidth':"
    "1280,"
    "'clientHeight':720},'cssLayoutViewport':{'pageX':0,'pageY':0}}}";

static void test_tiles_come_from_one_capture(void **state)
{
    struct rig *rig = *state;
    static const double tops[] = { 0, 684, 1368 };
    static const double heights[] = { 720, 720, 632 };
    rig_play(rig, tall_page);
    rig_expect(rig, "{'type':'screenshot','tiles':true}", (struct outcome){ .attempts = 1 });
    assert_null(rig->response->post.bytes);
    assert_int_equal(rig->response->tile_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct br_tile *tile = &rig->response->tiles[i];
        assert_true(tile->x == 0 && tile->y == tops[i]);
        assert_true(tile->width == 1280 && tile->height == heights[i]);
        assert_int_equal(tile->picture.width, 16);
        assert_non_null(tile->picture.bytes);
    }
    /*
     * Two more, of one pixel each, made Chrome draw the whole document: see page/whole.h. The first
     * picture after that is taken twice.
     */
    assert_int_equal(rig_count(rig, "Page.captureScreenshot"), 4);
    assert_int_equal(rig_count(rig, "{'method':'Page.captureScreenshot','params':{"
                                    "'clip':{'height':2000.0}}}"),
                     2);
}

/* After it has just begun to draw the whole document, Chrome may deliver an incomplete picture. */
static void test_tiles_when_parts_are_missing_at_first_are_taken_again(void **state)
{
    struct rig *rig = *state;
    static const char blank[] =
        "{'serve':'Page.captureScreenshot','times':1,'reply':{'data':'"
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4"
        "AAAAAElFTkSuQmCC"
        "'}}";
    rig_play(rig, tall_page);
    rig_play(rig, blank);
    /* The two captures that make Chrome draw come before. */
    rig_play(rig, "{'serve':'Page.captureScreenshot','times':2,'reply':{'data':''}}");
    rig_expect(rig, "{'type':'screenshot','tiles':true}", (struct outcome){ .attempts = 1 });
    assert_int_equal(rig->response->tile_count, 3);
    assert_int_equal(rig->response->tiles[0].picture.width, 16);
    assert_int_equal(rig_count(rig, "Page.captureScreenshot"), 5);
}

/* The page dies during the capture: no tile from before appears twice. */
static void test_tiles_when_the_page_crashes_come_again(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, tall_page);
    rig_play(rig, "{'serve':'Page.captureScreenshot'," RIG_CRASH);
    rig_expect(rig, "{'type':'screenshot','tiles':true}",
               (struct outcome){ .attempts = 2, .is_recovered = true });
    assert_int_equal(rig->response->tile_count, 3);
}

static void test_screenshot_over_max_bytes_is_left_out(void **state)
{
    struct rig *rig = *state;
    rig_expect(rig, "{'type':'screenshot','maxBytes':10}", (struct outcome){ .attempts = 1 });
    assert_null(rig->response->post.bytes);
    rig_expect_log(rig, "screenshot", "is scaled to 8x");
    rig_expect_log(rig, "screenshot", "gets quality 5");
    rig_expect_log(rig, "screenshot", "the picture is left out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screenshot_when_blocked_takes_the_next_step),
        RIG_TEST(test_screenshot_when_refused_takes_the_next_step_at_once),
        RIG_TEST(test_screenshot_when_nothing_is_drawn_yet_asks_again),
        RIG_TEST(test_screenshot_when_nothing_is_ever_drawn_takes_the_next_step),
        RIG_TEST(test_screenshot_when_no_step_helps_times_out),
        RIG_TEST(test_screenshot_when_only_a_new_page_helps_opens_one),
        RIG_TEST(test_picture_that_goes_along_when_it_does_not_come_is_left_out),
        RIG_TEST(test_picture_that_goes_along_when_it_comes_is_there),
        RIG_TEST(test_picture_that_goes_along_when_the_connection_drops_is_left_out),
        RIG_TEST(test_tiles_come_from_one_capture),
        RIG_TEST(test_tiles_when_parts_are_missing_at_first_are_taken_again),
        RIG_TEST(test_tiles_when_the_page_crashes_come_again),
        RIG_TEST(test_screenshot_over_max_bytes_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
