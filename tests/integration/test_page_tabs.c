/* The tabs of a page's session: which of them is the page, and what their end means. */
#include "tests/integration/page_rig.h"

#include "runner/base/error.h"
#include "runner/page/activate.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"

#define READY                                                                                      \
    "{'serve':'Runtime.callFunctionOn','reply':{'result':{'type':'string','value':'complete'}}}\n"
#define TREE                                                                                       \
    "{'serve':'Page.getFrameTree','reply':{'frameTree':{'frame':{'id':'$frame','loaderId':'L9',"   \
    "'url':'http://page.test/back','urlFragment':'#here'}}}}\n"

/* A page of the browser opened a tab. */
#define OPENED(session, target, opener)                                                            \
    "{'event':{'method':'Target.attachedToTarget','params':{'sessionId':'" session "',"            \
    "'waitingForDebugger':false,'targetInfo':{'targetId':'" target                                 \
    "','type':'page','openerId':'" opener "','url':'http://page.test/new'}}}}\n"

static void test_tab_when_it_is_new_is_the_page(void **state)
{
    (void)state;
    struct page_rig rig;
    struct br_error err;
    page_rig_open(&rig);
    assert_true(page_open_tab(rig.page, &err));
    assert_string_equal(page_target_id(rig.page), "T2");
    assert_string_equal(page_session(rig.page), "S2");
    assert_int_equal(page_count_tabs(rig.page), 2);
    assert_true(page_has_been_nowhere(rig.page));
    page_rig_close(&rig);
    /* Both are closed with it. */
}

/* While Chrome creates the tab T9, it reports a session to a target. */
#define CREATED(session, target)                                                                   \
    "{'serve':'Target.createTarget','ignore':true,'times':1,'then':[{'event':{'method':"           \
    "'Target.attachedToTarget','params':{'sessionId':'" session "','waitingForDebugger':false,"    \
    "'targetInfo':{'targetId':'" target "','type':'page','url':''}}}},"                            \
    "{'reply':{'targetId':'T9'}}]}\n"

static void expect_new_tab(struct page_rig *rig, const char *created, const char *session)
{
    struct br_error err;
    page_rig_play(rig, created);
    assert_true(page_open_tab(rig->page, &err));
    assert_string_equal(page_target_id(rig->page), "T9");
    assert_string_equal(page_session(rig->page), session);
}

/* Asking for another session would wait while Chrome draws the new window. */
static void test_tab_when_chrome_attaches_to_it_has_that_session(void **state)
{
    expect_new_tab(*state, CREATED("S8", "T9"), "S8");
}

/* The one that is asked for is the rig's second. */
static void test_tab_when_chrome_attaches_to_another_asks_for_its_own(void **state)
{
    expect_new_tab(*state, CREATED("S8", "T8"), "S2");
}

/* Its document was loaded before, without events: its state is requested. */
static void test_tab_when_it_is_activated_says_where_it_is(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    assert_true(page_open_tab(rig->page, &err));
    page_rig_play(rig, READY TREE);
    struct page_mark before = page_mark(rig->page);
    assert_true(page_activate_tab(rig->page, 1, &err));
    assert_string_equal(page_target_id(rig->page), "T1");
    assert_string_equal(page_url(rig->page), "http://page.test/back#here");
    assert_true(page_document(rig->page)->is_loaded);
    assert_int_equal(page_mark(rig->page).documents, before.documents + 1);
}

static void test_tab_when_it_does_not_exist_is_not_found(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    assert_false(page_activate_tab(rig->page, 7, &err));
    assert_int_equal(err.code, BR_TARGET_NOT_FOUND);
    assert_false(page_close_tab(rig->page, 1, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION); /* it is the only tab */
}

static void test_tab_when_the_page_opens_one_is_kept(void **state)
{
    struct page_rig *rig = *state;
    page_rig_play(rig, PAGE_RIG_GO_ON OPENED("S7", "N7", "T1"));
    assert_int_equal(page_count_tabs(rig->page), 2);
    assert_true(tabs_has_session(rig->page, "S7"));
    assert_true(tabs_is_behind(rig->page));
    assert_string_equal(page_target_id(rig->page), "T1");
    page_rig_expect_log(rig, "the page opened tab 2");
    fake_await_count(rig->fake, "{'method':'Runtime.runIfWaitingForDebugger','sessionId':'S7'}", 1);
}

/* When the page's tab is closed, another tab becomes the page, once. */
static void test_tab_when_it_closes_itself_its_opener_is_the_page(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    page_rig_play(rig, PAGE_RIG_GO_ON OPENED("S7", "N7", "T1") READY TREE);
    assert_true(page_activate_tab(rig->page, 2, &err));
    page_rig_limit(rig, slow_ms(10000));
    fake_play(rig->fake, "{'event':{'method':'Target.detachedFromTarget','params':{'sessionId':"
                         "'S7'}}}");
    wire_ping_browser(rig->page, slow_ms(10000));
    assert_false(page_is_alive(rig->page));
    assert_true(page_leave_closed_tab(rig->page, &err));
    assert_true(page_is_alive(rig->page));
    assert_string_equal(page_target_id(rig->page), "T1");
    assert_false(page_leave_closed_tab(rig->page, &err));
}

#define CRASHED                                                                                    \
    "{'event':{'method':'Inspector.targetCrashed','sessionId':'" PAGE_RIG_SESSION "','params':{}}" \
    "}"

/* The command is sent in any case; the browser reports the crash before the fence, or behind it. */
static void test_page_when_it_ends_before_the_fence_is_untouched(void **state)
{
    (void)state;
    static const struct {
        const char *steps;
        bool is_untouched;
    } cases[] = {
        { "{'serve':'Browser.getVersion','times':1,'ignore':true,'then':[" CRASHED "]}\n"
          "{'serve':'Runtime.evaluate','ignore':true}",
          true },
        { "{'serve':'Browser.getVersion','times':1,'reply':{},'then':[" CRASHED "]}\n"
          "{'serve':'Runtime.evaluate','ignore':true}",
          false },
        { "{'serve':'Runtime.evaluate','ignore':true,'then':[" CRASHED "]}", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page_rig rig;
        struct br_error err;
        page_rig_open(&rig);
        fake_play(rig.fake, cases[i].steps);
        wire_send_fence(rig.page);
        assert_false(page_command(rig.page, "Runtime.evaluate", NULL, NULL, &err));
        assert_int_equal(err.code, BR_PAGE_CRASHED);
        assert_int_equal(wire_is_untouched(rig.page), cases[i].is_untouched);
        page_rig_close(&rig);
    }
}

static void test_page_when_the_fence_was_not_sent_is_not_untouched(void **state)
{
    (void)state;
    struct br_error err;
    struct page_rig rig;
    page_rig_open(&rig);
    page_cancel(rig.page);
    wire_send_fence(rig.page);
    page_resume(rig.page);
    fake_play(rig.fake, "{'serve':'Runtime.evaluate','ignore':true,'then':[" CRASHED "]}");
    assert_false(page_command(rig.page, "Runtime.evaluate", NULL, NULL, &err));
    assert_int_equal(err.code, BR_PAGE_CRASHED);
    assert_false(wire_is_untouched(rig.page));
    page_rig_close(&rig);
}

/* For actions that wait for nothing else. */
static void test_page_when_it_has_ended_is_known_with_the_fence(void **state)
{
    (void)state;
    struct page_rig rig;
    page_rig_open(&rig);
    wire_send_fence(rig.page);
    wire_await_fence(rig.page);
    assert_true(page_is_alive(rig.page));
    fake_play(rig.fake, "{'serve':'Browser.getVersion','ignore':true,'then':[" CRASHED "]}");
    wire_send_fence(rig.page);
    wire_await_fence(rig.page);
    assert_true(wire_is_untouched(rig.page));
    page_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tab_when_it_is_new_is_the_page),
        PAGE_RIG_TEST(test_tab_when_chrome_attaches_to_it_has_that_session),
        PAGE_RIG_TEST(test_tab_when_chrome_attaches_to_another_asks_for_its_own),
        PAGE_RIG_TEST(test_tab_when_it_is_activated_says_where_it_is),
        PAGE_RIG_TEST(test_tab_when_it_does_not_exist_is_not_found),
        PAGE_RIG_TEST(test_tab_when_the_page_opens_one_is_kept),
        PAGE_RIG_TEST(test_tab_when_it_closes_itself_its_opener_is_the_page),
        cmocka_unit_test(test_page_when_it_ends_before_the_fence_is_untouched),
        cmocka_unit_test(test_page_when_the_fence_was_not_sent_is_not_untouched),
        cmocka_unit_test(test_page_when_it_has_ended_is_known_with_the_fence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
