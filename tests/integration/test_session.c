/* A session whose browser or page is lost: what is repeated, what is not, and what is reported. */
#include "tests/integration/session_rig.h"

#include <string.h>

static const char click[] = "{'type':'click','selector':'#go'}";
static const char evaluate[] = "{'type':'evaluate','expression':'6 * 7'}";
static const char evaluated[] = "{'method':'Runtime.evaluate','params':{'expression':'~6 * 7'}}";
static const char screenshot[] = "{'type':'screenshot'}";

/* `retryOptions` of an action, as its last member. */
#define LISTED ",'retryOptions':{'retryOnErrors':['TargetClosedError']}}"

static const char press[] =
    "{'method':'Input.dispatchMouseEvent','params':{'type':'mousePressed'}}";
static const char visit[] = "{'method':'Page.navigate','params':{'url':'" RIG_URL "'}}";
static const char visit_second[] =
    "{'method':'Page.navigate','params':{'url':'http://page.test/second'}}";

static const struct outcome fine = { .attempts = 1 };
static const struct outcome repeated = { .attempts = 2, .is_recovered = true };

static void test_session_when_all_is_well_says_what_the_page_is(void **state)
{
    struct rig *rig = *state;
    assert_int_equal(rig->response->http_status, 200);
    assert_string_equal(rig->response->url, RIG_URL);
    assert_string_equal(rig->response->title, "A page");
    rig_expect(rig, click, fine);
    rig_expect(rig, evaluate, fine);
    assert_string_equal(rig->response->result, "42");
    rig_expect(rig, screenshot, fine);
    assert_int_equal(rig->response->post.width, 16);
    assert_int_equal(rig_count(rig, "Fake.accepted"), 1);
    assert_int_equal(rig_count(rig, "Target.createTarget"), 1);
    assert_int_equal(rig_count(rig, visit), 1);
    assert_int_equal(rig_count(rig, press), 1);
    assert_false(rig_has_log(rig, "browser", ""));
}

static void test_action_when_it_is_a_part_leaves_the_description_to_the_next(void **state)
{
    struct rig *rig = *state;
    static const char describes[] =
        "{'method':'Runtime.callFunctionOn','params':{'functionDeclaration':'~describe('}}";
    rig_play(rig, "{'event':{'method':'Network.requestWillBeSent','sessionId':'$session','params':"
                  "{'requestId':'9','loaderId':'$last:L','frameId':'$frame','type':'Fetch',"
                  "'timestamp':1,'wallTime':1,'documentURL':'http://page.test/first',"
                  "'request':{'url':'http://page.test/data','method':'GET','headers':{}}}}}");
    rig_play(rig, "{'event':{'method':'Network.loadingFailed','sessionId':'$session','params':"
                  "{'requestId':'9','timestamp':2,'type':'Fetch','errorText':'net::ERR_FAILED'}}}");
    size_t before = rig_count(rig, describes);
    rig->is_part = true;
    rig_expect(rig, click, fine);
    assert_string_equal(rig->response->url, RIG_URL);
    assert_null(rig->response->title);
    assert_int_equal(rig->response->network_event_count, 0);
    assert_int_equal(rig_count(rig, describes), before);
    /* After a failure its command does not go on. */
    rig_play(rig, "{'serve':'Runtime.evaluate','times':1,'reply':{'result':{},'exceptionDetails':"
                  "{'text':'thrown'}}}");
    rig_expect(rig, evaluate, (struct outcome){ BR_EVAL_ERROR, 1, false });
    assert_string_equal(rig->response->title, "A page");
    assert_int_equal(rig->response->network_event_count, 1);
}

static void test_action_when_the_connection_dropped_before_recovers(void **state)
{
    struct rig *rig = *state;
    enum { ROUNDS = 5 };
    for (size_t i = 1; i <= ROUNDS; i++) {
        if (i % 2) {
            rig_drop(rig, "{'close':true}");
        } else {
            rig_play(rig, "{'close':true}");
        }
        rig_expect(rig, click, (struct outcome){ .is_recovered = true });
        /* Its end may have been noticed already; otherwise the first command notices it. */
        assert_in_range(rig->response->attempts, 1, i % 2 ? 1 : 2);
        assert_string_equal(rig->response->url, RIG_URL);
        rig_expect_log(rig, "browser", "the connection to the browser");
        rig_expect_log(rig, "browser", "the browser was connected again");
        rig_expect_log(rig, "browser", "the page was opened again at " RIG_URL);
        assert_int_equal(rig_count(rig, "Fake.accepted"), 1 + i);
        assert_int_equal(rig_count(rig, "Target.createTarget"), 1 + i);
        assert_int_equal(rig_count(rig, visit), 1 + i);
        assert_int_equal(rig_count(rig, press), i);
        rig_expect(rig, evaluate, fine);
    }
    /* If only the connection broke, the old tab still exists. */
    assert_true(rig_count(rig, "{'method':'Target.closeTarget','params':{'targetId':'T1'},"
                               "'connection':2}") > 0);
}

static void test_navigate_when_the_page_is_lost_is_repeated(void **state)
{
    (void)state;
    static const char *const drops[] = {
        /* Before its reply, and between the reply and the document. */
        "{'serve':'Page.navigate','params':{'url':'http://page.test/second'}," RIG_CLOSE,
        "{'serve':'Page.navigate','params':{'url':'http://page.test/second'},'times':1,"
        "'reply':{'frameId':'$frame','loaderId':'$new:L'},'then':[{'close':true}]}",
        "{'serve':'Page.navigate','params':{'url':'http://page.test/second'}," RIG_CRASH,
    };
    for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
        struct rig rig;
        rig_start(&rig);
        rig_play(&rig, drops[i]);
        rig_expect(&rig, "{'type':'navigate','url':'http://page.test/second'}", repeated);
        assert_int_equal(rig.response->http_status, 200);
        assert_string_equal(rig.response->url, "http://page.test/second");
        assert_int_equal(rig_count(&rig, visit_second), 2);
        /* It did not return to its earlier URL in between. */
        assert_int_equal(rig_count(&rig, visit), 1);
        rig_expect_log(&rig, "retry", "attempt 1 of 4 failed: ");
        rig_close(&rig);
    }
}

static void test_start_when_the_connection_drops_is_repeated(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        bool was_open;
    } drops[] = {
        { "{'serve':'Target.createTarget'," RIG_CLOSE, false },
        { "{'serve':'Target.attachToTarget'," RIG_CLOSE, false },
        { "{'serve':'Network.enable'," RIG_CLOSE, false },
        { "{'serve':'Page.navigate'," RIG_CLOSE, true },
    };
    for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
        struct rig rig;
        rig_open(&rig, NULL);
        rig_play(&rig, drops[i].rule);
        /* Without an open page there is nothing to recover. */
        rig_expect(&rig, "{'type':'start','url':'" RIG_URL "'}",
                   drops[i].was_open ? repeated : fine);
        assert_int_equal(rig_count(&rig, "Fake.accepted"), 2);
        assert_int_equal(rig_count(&rig, "{'method':'Page.navigate','connection':2}"), 1);
        rig_expect(&rig, evaluate, fine);
        rig_close(&rig);
    }
}

static const char drop_at_press[] =
    "{'serve':'Input.dispatchMouseEvent','params':{'type':'mousePressed'}," RIG_CLOSE;

static void test_click_when_dropped_after_the_press_is_not_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, drop_at_press);
    rig_expect(rig, click,
               (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1, .is_recovered = true });
    rig_expect_hint(rig, "may have reached the page");
    rig_expect_hint(rig, "retryOptions.retryOnErrors");
    rig_expect_log(rig, "hint", "may have reached the page");
    rig_expect_log(rig, "browser", "the page was opened again at " RIG_URL);
    assert_int_equal(rig_count(rig, press), 1);
    assert_int_equal(rig_count(rig, visit), 2);
    rig_expect(rig, click, fine);
    assert_int_equal(rig_count(rig, press), 2);
}

static void test_click_when_dropped_and_listed_is_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, drop_at_press);
    rig_expect(rig, "{'type':'click','selector':'#go'" LISTED, repeated);
    assert_int_equal(rig_count(rig, press), 2);
    assert_int_equal(rig_count(rig, "Fake.accepted"), 2);
}

static void test_click_when_dropped_before_the_press_is_repeated(void **state)
{
    (void)state;
    static const char *const drops[] = {
        "{'serve':'Page.createIsolatedWorld'," RIG_CLOSE,
        RIG_ELEMENTS("aim") RIG_CLOSE,
        RIG_ELEMENTS("steady") RIG_CLOSE,
        "{'serve':'Input.dispatchMouseEvent','params':{'type':'mouseMoved'}," RIG_CLOSE,
        RIG_ELEMENTS("hit") RIG_CLOSE,
    };
    for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
        struct rig rig;
        rig_open(&rig, NULL);
        rig_expect(&rig, "{'type':'start','url':'" RIG_URL "'}", fine);
        /* So that a new world is needed. */
        rig_play(&rig, "{'event':{'method':'Runtime.executionContextsCleared','sessionId':'S1',"
                       "'params':{}}}");
        rig_play(&rig, drops[i]);
        rig_expect(&rig, click, repeated);
        assert_int_equal(rig_count(&rig, press), 1);
        rig_close(&rig);
    }
}

/*
 * No time is left for recovery, but the possible effect is reported. The connection must drop in
 * the last 300 ms: if a busy machine is later, repeat.
 */
static void test_click_when_dropped_at_its_deadline_says_that_it_may_have_arrived(void **state)
{
    (void)state;
    enum { ROUNDS = 20 };
    bool is_done = false;
    for (int i = 0; i < ROUNDS && !is_done; i++) {
        struct rig rig;
        rig_start(&rig);
        rig_play(&rig, "{'serve':'Input.dispatchMouseEvent','params':{'type':'mousePressed'},"
                       "'ignore':true,'times':1,'then':[{'delay':1750},{'close':true}]}");
        rig_run(&rig, "{'type':'click','selector':'#go','timeout':2000}");
        assert_false(rig.response->success);
        is_done = rig.response->error.code != BR_TIMEOUT;
        if (is_done) {
            assert_int_equal(rig.response->error.code, BR_DISCONNECTED);
            assert_int_equal(rig.response->attempts, 1);
            assert_false(rig.response->recovered);
            assert_int_equal(rig_count(&rig, "Fake.accepted"), 1);
            rig_expect_hint(&rig, "may have reached the page");
            rig_expect(&rig, click, (struct outcome){ .attempts = 1, .is_recovered = true });
            assert_int_equal(rig_count(&rig, press), 2);
        }
        rig_close(&rig);
    }
    assert_true(is_done);
}

/* The check that the click arrived belongs to the lost page: the click itself was acknowledged. */
static void test_click_when_dropped_after_its_answer_is_not_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Input.dispatchMouseEvent','params':{'type':'mouseReleased'},"
                  "'reply':{},'times':1,'then':[{'close':true}]}");
    struct browser_life *life = rig_life(rig);
    rig_run(rig, click);
    assert_int_equal(rig->response->attempts, 1);
    assert_int_equal(rig_count(rig, press), 1);
    rig_await_drop(life);
    /* The loss is noticed by the commands after the click, or before the next action. */
    rig_expect(rig, evaluate,
               (struct outcome){ .attempts = 1, .is_recovered = !rig->response->recovered });
    assert_int_equal(rig_count(rig, "Fake.accepted"), 2);
}

static void test_type_when_dropped_after_a_key_is_not_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Input.dispatchKeyEvent','params':{'key':'b'}," RIG_CLOSE);
    rig_expect(rig, "{'type':'type','selector':'#name','text':'abc'}",
               (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1, .is_recovered = true });
    rig_expect_hint(rig, "may have reached the page");
    assert_int_equal(rig_count(rig, "{'method':'Input.dispatchKeyEvent','params':"
                                    "{'type':'keyDown','key':'a'}}"),
                     1);
}

static void test_evaluate_when_dropped_is_repeated_only_if_listed(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.evaluate'," RIG_CLOSE);
    rig_expect(rig, evaluate,
               (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1, .is_recovered = true });
    rig_expect_hint(rig, "may have reached the page");
    assert_int_equal(rig_count(rig, evaluated), 1);
    rig_play(rig, "{'serve':'Runtime.evaluate'," RIG_CLOSE);
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'" LISTED, repeated);
    assert_int_equal(rig_count(rig, evaluated), 3);
    assert_string_equal(rig->response->result, "42");
}

static void test_select_when_repeated_has_the_result_of_the_last_try_alone(void **state)
{
    struct rig *rig = *state;
    /* The first try is abandoned during its wait: the page is about to be lost. */
    rig_play(rig, RIG_ELEMENTS("select") RIG_FOUND("1", "{}") "}");
    rig_play(rig,
             RIG_ELEMENTS("select")
                 RIG_FOUND("1", "{}") ",'times':1,"
                                      "'then':[{'event':{'method':'Page.frameStartedLoading',"
                                      "'sessionId':'$session','params':{'frameId':'$frame'}}}]}");
    rig_play(rig, RIG_ELEMENTS("chosen") "'reply':{'result':{'type':'object','value':{}}}}");
    rig_play(rig, RIG_ELEMENTS("chosen") "'times':1,'reply':{'result':{'type':'object',"
                                         "'value':{'selected':['two']}}},'then':[{'close':true}]}");
    rig_expect(rig, "{'type':'select','selector':'#list','value':'two'" LISTED, repeated);
    assert_null(rig->response->result);
}

#define PAGE_EVENT(method, params)                                                                 \
    "{'event':{'method':'" method "','sessionId':'$session','params':{" params "}}}"
#define DESCRIBED(title)                                                                           \
    "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':'~browserRunner.describe('" \
    "},"                                                                                           \
    "'reply':{'result':{'type':'object','value':{'url':'http://page.test/next','title':'" title    \
    "'}}}"

/* The new document has no title yet when the click has ended. */
static void test_click_when_a_document_begins_is_answered_with_its_title(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, DESCRIBED("The next page") "}");
    rig_play(rig,
             DESCRIBED("") ",'times':1,'then':[" PAGE_EVENT(
                 "Page.lifecycleEvent",
                 "'frameId':'$frame','loaderId':'N1','name':'load'") "," PAGE_EVENT("Page."
                                                                                    "frameStoppedLo"
                                                                                    "ading",
                                                                                    "'frameId':'$"
                                                                                    "frame'") "]}");
    rig_play(
        rig,
        "{'serve':'Input.dispatchMouseEvent','params':{'type':'mouseReleased'},"
        "'reply':{},'times':1,'then':[{'batch':[" PAGE_EVENT(
            "Page.frameStartedLoading",
            "'frameId':'$frame'") "," PAGE_EVENT("Page.lifecycleEvent",
                                                 "'frameId':'$frame','loaderId':'N1','name':'"
                                                 "init'") "," PAGE_EVENT("Page.frameNavigated",
                                                                         "'type':'Navigation',"
                                                                         "'frame':{'id':'$"
                                                                         "frame','loaderId':'"
                                                                         "N1',"
                                                                         "'url':'http://"
                                                                         "page.test/next'}") "]}]"
                                                                                             "}");
    rig_expect(rig, "{'type':'click','selector':'#go'}", fine);
    assert_string_equal(rig->response->title, "The next page");
}

/* On the same connection: only the page's process has ended. */
static void test_screenshot_when_the_page_crashes_is_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot'," RIG_CRASH);
    rig_expect(rig, screenshot, repeated);
    assert_non_null(rig->response->post.bytes);
    rig_expect_log(rig, "browser", "the page crashed");
    rig_expect_log(rig, "browser", "the page was opened again at " RIG_URL);
    assert_false(rig_has_log(rig, "browser", "connected again"));
    assert_int_equal(rig_count(rig, "Fake.accepted"), 1);
    assert_int_equal(rig_count(rig, "Target.createTarget"), 2);
    assert_int_equal(rig_count(rig, "{'method':'Page.captureScreenshot','sessionId':'S2'}"), 1);
    assert_true(rig_count(rig, "{'method':'Target.closeTarget','params':{'targetId':'T1'}}") > 0);
}

static void test_click_when_the_page_crashes_after_the_press_is_not_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig,
             "{'serve':'Input.dispatchMouseEvent','params':{'type':'mousePressed'}," RIG_CRASH);
    rig_expect(rig, click,
               (struct outcome){ .code = BR_PAGE_CRASHED, .attempts = 1, .is_recovered = true });
    rig_expect_hint(rig, "list PAGE_CRASHED in");
    assert_int_equal(rig_count(rig, press), 1);
}

static const char tab_closed[] = "{'event':{'method':'Target.detachedFromTarget','params':"
                                 "{'sessionId':'S1','targetId':'T1'}}}";

static void test_action_when_the_tab_was_closed_recovers(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, tab_closed);
    rig_expect(rig, click, (struct outcome){ .is_recovered = true });
    assert_in_range(rig->response->attempts, 1, 2);
    rig_expect_log(rig, "browser", "the page was closed");
    assert_int_equal(rig_count(rig, "Fake.accepted"), 1);
    assert_int_equal(rig_count(rig, visit), 2);
    assert_int_equal(rig_count(rig, press), 1);
}

static void test_wait_when_the_tab_is_closed_meanwhile_is_repeated(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, RIG_ELEMENTS("count") "'ignore':true,'times':1,'then':["
                                        "{'event':{'method':'Target.detachedFromTarget','params':"
                                        "{'sessionId':'$session','targetId':'$frame'}}}]}");
    rig_expect(rig, "{'type':'wait','selector':'#late'}", repeated);
    assert_int_equal(rig_count(rig, "Fake.accepted"), 1);
}

/* Chrome's reply to a command in a session that has just ended. */
static void test_action_when_its_session_is_not_found_recovers(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Page.captureScreenshot','session':'S1','error':{'code':-32001,"
                  "'message':'Session with given id not found.'},'then':["
                  "{'event':{'method':'Target.detachedFromTarget','params':"
                  "{'sessionId':'$session','targetId':'$frame'}}}]}");
    rig_expect(rig, screenshot, repeated);
}

/* The data is no valid message: what follows cannot be trusted. */
static void test_action_when_garbage_comes_recovers(void **state)
{
    struct rig *rig = *state;
    rig_drop(rig, "{'text':'Segmentation fault'}");
    rig_expect(rig, click, (struct outcome){ .attempts = 1, .is_recovered = true });
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'times':1,'then':["
                  "{'text':'Segmentation fault'}]}");
    rig_expect(rig, evaluate,
               (struct outcome){ .code = BR_DISCONNECTED, .attempts = 1, .is_recovered = true });
    rig_expect_log(rig, "browser", "no DevTools message: Segmentation fault");
    assert_int_equal(rig_count(rig, "Fake.accepted"), 3);
}

/* Input that could not be parsed is answered and numbered like actions. */
static void test_refuse_what_is_no_action(void **state)
{
    struct rig *rig = *state;
    static const char text[] = "{\"type\":\"clik\"}";
    static const char *const types[] = { "clik", NULL };
    struct br_error err;
    assert_null(br_action_from_json(text, strlen(text), &err));
    for (size_t i = 0; i < 2; i++) {
        struct br_response *response = br_session_refuse(rig->session, types[i], &err);
        assert_int_equal(response->id, i + 2);
        assert_string_equal(response->type, types[i] ? types[i] : "unknown");
        assert_false(response->success);
        assert_int_equal(response->error.code, BR_INVALID_ACTION);
        assert_string_equal(response->error.message, err.message);
        assert_int_equal(response->metrics.consecutive_errors, 0);
        br_response_destroy(response);
    }
    rig_expect(rig, click, (struct outcome){ .attempts = 1 });
    assert_int_equal(rig->response->id, 4);
}

static void count_event(void *data, const struct br_event *event)
{
    (void)event;
    ++*(int *)data;
}

/* A page that has just been created does not count as a long wait. */
static void test_progress_of_a_quick_start_tells_of_no_wait(void **state)
{
    (void)state;
    int told = 0;
    struct rig rig;
    struct br_error err;
    rig_open(&rig, NULL);
    struct br_sink sink = { .on_event = count_event,
                            .data = &told,
                            .kinds = 1u << BR_EVENT_PROGRESS };
    assert_true(br_session_subscribe(rig.session, &sink, &err));
    rig_expect(&rig, "{'type':'start','url':'" RIG_URL "'}", (struct outcome){ .attempts = 1 });
    assert_true(told == 0 || rig.took_ms >= 500);
    rig_close(&rig);
}

static void keep_arguments(void *data, const struct br_event *event)
{
    char **arguments = data;
    free(*arguments);
    *arguments = xstrdup(event->as.log.arguments ? event->as.log.arguments : "");
}

/*
 * The page calls console.log() while it describes itself, and is then busy for longer than it has
 * for the description: the values have a time limit of their own, 2 s.
 */
static void test_action_when_the_page_is_busy_at_its_end_waits_for_values(void **state)
{
    struct rig *rig = *state;
    struct br_error err;
    CLEANUP_FREE char *arguments = NULL;
    struct br_sink sink = { .on_event = keep_arguments,
                            .data = &arguments,
                            .kinds = 1u << BR_EVENT_CONSOLE,
                            .wants_values = true };
    assert_true(br_session_subscribe(rig->session, &sink, &err));
    rig_play(rig,
             "{'serve':'Runtime.callFunctionOn','params':{'objectGroup':'browserRunnerValues'},"
             "'reply':{'result':{'type':'object','deepSerializedValue':{'type':'array',"
             "'value':[{'type':'object','value':[['a',{'type':'array','value':["
             "{'type':'number','value':7}]}]]},"
             "{'type':'array','value':[{'type':'number','value':0}]}]}}}}");
    rig_play(rig, "{'serve':'Performance.getMetrics','ignore':true,'times':1,'then':["
                  "{'event':{'method':'Runtime.consoleAPICalled','sessionId':'$session','params':"
                  "{'type':'log','timestamp':1,'executionContextId':1,'args':[{'type':'object',"
                  "'className':'Object','description':'Object','objectId':'O1','preview':"
                  "{'type':'object','description':'Object','overflow':false,'properties':["
                  "{'name':'a','type':'object','subtype':'array','value':'Array(1)'}]}}]}}},"
                  "{'delay':700}]}");
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
    assert_non_null(arguments);
    if (!strstr(arguments, ":7}")) {
        fail_msg("only the beginnings: %s", arguments);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress_of_a_quick_start_tells_of_no_wait),
        RIG_TEST(test_action_when_the_page_is_busy_at_its_end_waits_for_values),
        RIG_TEST(test_refuse_what_is_no_action),
        RIG_TEST(test_session_when_all_is_well_says_what_the_page_is),
        RIG_TEST(test_action_when_it_is_a_part_leaves_the_description_to_the_next),
        RIG_TEST(test_action_when_the_connection_dropped_before_recovers),
        cmocka_unit_test(test_navigate_when_the_page_is_lost_is_repeated),
        cmocka_unit_test(test_start_when_the_connection_drops_is_repeated),
        RIG_TEST(test_click_when_dropped_after_the_press_is_not_repeated),
        RIG_TEST(test_click_when_dropped_and_listed_is_repeated),
        cmocka_unit_test(test_click_when_dropped_before_the_press_is_repeated),
        cmocka_unit_test(test_click_when_dropped_at_its_deadline_says_that_it_may_have_arrived),
        RIG_TEST(test_click_when_dropped_after_its_answer_is_not_repeated),
        RIG_TEST(test_type_when_dropped_after_a_key_is_not_repeated),
        RIG_TEST(test_evaluate_when_dropped_is_repeated_only_if_listed),
        RIG_TEST(test_select_when_repeated_has_the_result_of_the_last_try_alone),
        RIG_TEST(test_click_when_a_document_begins_is_answered_with_its_title),
        RIG_TEST(test_screenshot_when_the_page_crashes_is_repeated),
        RIG_TEST(test_click_when_the_page_crashes_after_the_press_is_not_repeated),
        RIG_TEST(test_action_when_the_tab_was_closed_recovers),
        RIG_TEST(test_wait_when_the_tab_is_closed_meanwhile_is_repeated),
        RIG_TEST(test_action_when_its_session_is_not_found_recovers),
        RIG_TEST(test_action_when_garbage_comes_recovers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
