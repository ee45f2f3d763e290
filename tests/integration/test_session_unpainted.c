/* Documents that cannot be painted yet: no capture is requested, and the page is kept. */
#include "tests/integration/session_rig.h"

#include "runner/base/clock.h"

#include <string.h>

#define UNPAINTED_URL "http://page.test/unpainted"

#define EVENT(method, params)                                                                      \
    "{'event':{'method':'" method "','sessionId':'$session','params':{" params "}}}"
#define OF_DOCUMENT     "'frameId':'$frame','loaderId':'$last:L',"
#define LIFECYCLE(name) EVENT("Page.lifecycleEvent", OF_DOCUMENT "'name':'" name "'")

/* A document that waits for a style sheet. */
static const char unpainted
    [] = "{'serve':'Page.navigate','params':{'url':'~unpainted'},"
         "'reply':{'frameId':'$frame','loaderId':'$new:L'},'then':[{'batch':[" EVENT(
             "Network.requestWillBeSent",
             OF_DOCUMENT "'requestId':'$last:L','type':'Document','timestamp':1,'wallTime':"
                         "1700000000,"
                         "'request':{'url':'$url','method':'GET'}") "," EVENT("Network."
                                                                              "responseReceived",
                                                                              "'requestId':'$last:"
                                                                              "L','frameId':'$"
                                                                              "frame','response':{'"
                                                                              "status':200}") "," LIFECYCLE("init") "," EVENT("Page.frameNavigated", "'type':'Navigation','frame':{'id':'$frame','loaderId':'$last:L','url':'$url'}") "," EVENT("Network.requestWillBeSent", OF_DOCUMENT "'requestId':'css','type':'Stylesheet','timestamp':3,'wallTime':1700000000,"
                                                                                                                                                                                                                                                                                         "'renderBlockingBehavior':'Blocking',"
                                                                                                                                                                                                                                                                                         "'request':{'url':'http://page.test/stalls.css','method':'GET'}") "," EVENT("Network.requestWillBeSent",
                                                                                                                                                                                                                                                                                                                                                                     OF_DOCUMENT "'requestId':'png','type':'Image','timestamp':2,'wallTime':1700000000,"
                                                                                                                                                                                                                                                                                                                                                                                 "'renderBlockingBehavior':'NonBlocking',"
                                                                                                                                                                                                                                                                                                                                                                                 "'request':{'url':'http://page.test/stalls.png','method':'GET'}") "," EVENT("Network.loadingFinished", "'requestId':'$last:L'") "," LIFECYCLE("DOMContentLoaded") "]}]}";

/* The page is asked for its next frame. */
#define FRAME_RULE                                                                                 \
    "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':'~requestAnimationFrame'},"
static const char frame_asked[] =
    "{'method':'Runtime.callFunctionOn','params':{'functionDeclaration':'~requestAnimationFrame'}}";

/* Chrome's layout between two documents, or of one that was stopped before any data arrived. */
#define LAYOUT(width, height)                                                                      \
    "{'serve':'Page.getLayoutMetrics','reply':{'cssContentSize':{'x':0,'y':0,'width':" width       \
    ",'height':" height                                                                            \
    "},'cssVisualViewport':{'pageX':0,'pageY':0,'offsetX':0,'offsetY':0,'clientWidth':1280,"       \
    "'clientHeight':720},'cssLayoutViewport':{'pageX':0,'pageY':0}}"

/* `frame` is the end of the rule for the page's next frame. */
static void start_unpainted(struct rig *rig, const char *frame)
{
    CLEANUP_FREE char *rule = xasprintf("%s%s", FRAME_RULE, frame);
    rig_start(rig);
    rig_play(rig, unpainted);
    rig_play(rig, rule);
    rig_expect(rig, "{'type':'navigate','url':'" UNPAINTED_URL "','waitUntil':'domcontentloaded'}",
               (struct outcome){ .attempts = 1 });
}

static void expect_no_capture(struct rig *rig)
{
    assert_int_equal(rig_count(rig, "Page.captureScreenshot"), 0);
    assert_int_equal(rig_count(rig, "Page.bringToFront"), 0);
    assert_int_equal(rig_count(rig, "Page.crash"), 0);
    assert_int_equal(rig_count(rig, "Target.createTarget"), 1);
}

static void test_screenshot_before_the_first_paint_names_what_is_waited_for(void **state)
{
    (void)state;
    struct rig rig;
    start_unpainted(&rig, "'ignore':true}");
    rig_expect(&rig, "{'type':'screenshot','timeout':2500}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    const char *message = rig.response->error.message;
    if (!strstr(message, "nothing of the page has been painted") ||
        !strstr(message, "http://page.test/stalls.css") || strstr(message, "stalls.png")) {
        fail_msg("%s", message);
    }
    assert_string_equal(rig.response->error.category, "network");
    rig_expect_hint(&rig, "route");
    assert_string_equal(rig.response->url, UNPAINTED_URL);
    expect_no_capture(&rig);
    /* The page is the same and usable. */
    rig_expect(&rig, "{'type':'evaluate','expression':'1'}", (struct outcome){ .attempts = 1 });
    expect_no_capture(&rig);
    rig_close(&rig);
}

/* The document itself is incomplete. */
static void test_screenshot_when_the_rest_of_the_head_is_missing_names_the_document(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, FRAME_RULE "'ignore':true}");
    rig_play(
        rig,
        "{'serve':'Page.navigate','params':{'url':'~unpainted'},"
        "'reply':{'frameId':'$frame','loaderId':'$new:L'},'then':[{'batch':[" EVENT(
            "Network.requestWillBeSent", OF_DOCUMENT
            "'requestId':'$last:L','type':'Document','wallTime':1700000000,"
            "'request':{'url':'$url','method':'GET'}") "," EVENT("Network.responseReceived",
                                                                 "'requestId':'$last:L','frameId':'"
                                                                 "$frame','response':{'status':"
                                                                 "200}") "," LIFECYCLE("init") "," EVENT("Page.frameNavigated",
                                                                                                         "'type':'Navigation','frame':{'id':'$frame','loaderId':'$last:L',"
                                                                                                         "'url':'$url'}") "]}]}");
    rig_expect(rig,
               "{'type':'navigate','url':'" UNPAINTED_URL "','waitUntil':'domcontentloaded',"
               "'timeout':1500}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    rig_expect(rig, "{'type':'screenshot','timeout':2500}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    if (!strstr(rig->response->error.message, UNPAINTED_URL)) {
        fail_msg("%s", rig->response->error.message);
    }
    expect_no_capture(rig);
}

static void test_screenshot_waits_for_the_first_paint(void **state)
{
    (void)state;
    static const struct {
        const char *frame;
        size_t asked;
    } ends[] = {
        { "'ignore':true,'times':1,'then':[" LIFECYCLE("firstPaint") "]}", 1 },
        { "'reply':{'result':{'type':'undefined'}}}", 1 },
        /* The document was replaced: the next one is asked. */
        { "'error':{'code':-32000,'message':'Execution context was destroyed.'},'times':1}", 2 },
    };
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct rig rig;
        start_unpainted(&rig, ends[i].frame);
        rig_expect(&rig, "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
        assert_int_equal(rig.response->post.width, 16);
        assert_int_equal(rig_count(&rig, frame_asked), ends[i].asked);
        /* A painted document is not asked again. */
        rig_expect(&rig, "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
        assert_int_equal(rig_count(&rig, frame_asked), ends[i].asked);
        assert_int_equal(rig_count(&rig, "Page.captureScreenshot"), 2);
        rig_close(&rig);
    }
}

/* No known request blocks painting: Chrome may need help. */
static void test_screenshot_when_nothing_holds_the_paint_up_is_captured(void **state)
{
    (void)state;
    struct rig rig;
    start_unpainted(&rig, "'ignore':true,'times':1,'then':[" EVENT("Network.loadingFinished",
                                                                   "'requestId':'css'") "]}");
    rig_expect(&rig, "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(&rig, "Page.captureScreenshot"), 1);
    rig_close(&rig);
}

/* A tab behind another one makes no frames at all. */
static void test_page_behind_another_tab_is_brought_to_the_front_before_it_is_asked(void **state)
{
    (void)state;
    static const char *const order[] = { "Page.bringToFront", frame_asked, "Page.captureScreenshot",
                                         NULL };
    struct rig rig;
    start_unpainted(&rig, "'reply':{'result':{'type':'undefined'}}}");
    rig_play(
        &rig,
        LAYOUT("1280",
               "700") "}\n{'serve':'Runtime.runIfWaitingForDebugger',"
                      "'reply':{}}\n"
                      "{'event':{'method':'Target.attachedToTarget','params':{'sessionId':'S7',"
                      "'waitingForDebugger':false,'targetInfo':{'targetId':'T7','type':'page',"
                      "'openerId':'T1'}}}}");
    rig_expect(&rig, "{'type':'evaluate','expression':'1'}", (struct outcome){ .attempts = 1 });
    rig_expect_log(&rig, "browser", "opened tab 2");
    rig_expect(&rig, "{'type':'screenshot','fullPage':true}", (struct outcome){ .attempts = 1 });
    rig_expect_order(&rig, order);
    rig_close(&rig);
}

/* Loading was stopped before any data arrived: there will never be a frame. */
static void test_screenshot_when_loading_was_stopped_early_says_so(void **state)
{
    (void)state;
    struct rig rig;
    start_unpainted(&rig, "'ignore':true,'times':1,'then':[" EVENT(
                              "Network.loadingFailed",
                              "'requestId':'css','errorText':'net::ERR_ABORTED','"
                              "canceled':true") "," EVENT("Page.frameStoppedLoading",
                                                          "'frameId':'$frame'") "]}");
    rig_expect(&rig, "{'type':'screenshot','fullPage':true}",
               (struct outcome){ .code = BR_TARGET_NOT_VISIBLE, .attempts = 1 });
    assert_non_null(strstr(rig.response->error.message, "its loading was stopped"));
    rig_expect_hint(&rig, "reload");
    expect_no_capture(&rig);
    rig_close(&rig);
}

static void test_pictures_around_an_action_before_the_first_paint_are_left_out_soon(void **state)
{
    (void)state;
    struct rig rig;
    start_unpainted(&rig, "'ignore':true}");
    rig_expect(&rig, "{'type':'evaluate','expression':'1','screenshots':'both'}",
               (struct outcome){ .attempts = 1 });
    assert_null(rig.response->pre.bytes);
    assert_null(rig.response->post.bytes);
    assert_true(rig.took_ms < 2000 + RIG_SLACK_MS);
    rig_expect_log(&rig, "screenshot", "the pre picture could not be taken: nothing of the page");
    rig_expect_log(&rig, "screenshot", "the post picture could not be taken: nothing of the page");
    expect_no_capture(&rig);
    rig_close(&rig);
}

/* Other waits for a frame report why none comes. */
static void test_action_that_times_out_before_the_first_paint_says_so(void **state)
{
    (void)state;
    struct rig rig;
    start_unpainted(&rig, "'ignore':true}");
    rig_play(&rig, "{'serve':'Input.dispatchMouseEvent','ignore':true}");
    rig_expect(&rig, "{'type':'hover','selector':'#go','timeout':1500}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    rig_expect_hint(&rig, "http://page.test/stalls.css");
    rig_close(&rig);
}

static void test_full_page_without_a_layout_waits_for_one(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, LAYOUT("1280", "700") "}");
    rig_play(rig, LAYOUT("0", "0") ",'times':3}");
    rig_expect(rig, "{'type':'screenshot','fullPage':true}", (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(rig, "{'method':'Page.captureScreenshot','params':{"
                                    "'clip':{'height':700.0}}}"),
                     1);
    assert_int_equal(rig_count(rig, "Page.getLayoutMetrics"), 4);
}

static void test_full_page_that_never_has_a_layout_times_out(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, LAYOUT("0", "0") "}");
    rig_expect(rig, "{'type':'screenshot','fullPage':true,'timeout':1000}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    assert_non_null(strstr(rig->response->error.message, "no layout yet"));
    assert_int_equal(rig_count(rig, "Page.captureScreenshot"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screenshot_before_the_first_paint_names_what_is_waited_for),
        RIG_TEST(test_screenshot_when_the_rest_of_the_head_is_missing_names_the_document),
        cmocka_unit_test(test_screenshot_waits_for_the_first_paint),
        cmocka_unit_test(test_screenshot_when_nothing_holds_the_paint_up_is_captured),
        cmocka_unit_test(test_page_behind_another_tab_is_brought_to_the_front_before_it_is_asked),
        cmocka_unit_test(test_screenshot_when_loading_was_stopped_early_says_so),
        cmocka_unit_test(test_pictures_around_an_action_before_the_first_paint_are_left_out_soon),
        cmocka_unit_test(test_action_that_times_out_before_the_first_paint_says_so),
        RIG_TEST(test_full_page_without_a_layout_waits_for_one),
        RIG_TEST(test_full_page_that_never_has_a_layout_times_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
