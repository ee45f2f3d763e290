/* Waits of a page after input, and after navigating. */
#include "tests/integration/page_rig.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"

#define ASKED PAGE_RIG_EVENT("Page.frameRequestedNavigation", "'frameId':'T1'")
#define BEGUN(type)                                                                                \
    PAGE_RIG_EVENT("Page.frameStartedNavigating",                                                  \
                   "'frameId':'T1','url':'http://page.test/b','navigationType':'" type "'")
#define WITHIN(type)                                                                               \
    PAGE_RIG_EVENT("Page.navigatedWithinDocument",                                                 \
                   "'frameId':'T1','url':'http://page.test/first#b','navigationType':'" type "'")
#define LIFE(name)                                                                                 \
    PAGE_RIG_EVENT("Page.lifecycleEvent", "'frameId':'T1','loaderId':'L50','name':'" name "'")
#define ANSWER                                                                                     \
    PAGE_RIG_EVENT("Network.requestWillBeSent",                                                    \
                   "'requestId':'L50','loaderId':'L50','frameId':'T1','type':'Document',"          \
                   "'wallTime':1700000000,'request':{'url':'http://page.test/b','method':'GET'}")  \
    PAGE_RIG_EVENT("Network.responseReceived",                                                     \
                   "'requestId':'L50','frameId':'T1','response':{'status':418}")
#define NAVIGATED                                                                                  \
    PAGE_RIG_EVENT("Page.frameNavigated",                                                          \
                   "'frame':{'id':'T1','loaderId':'L50','url':'http://page.test/b'}")

static void start(struct page_rig *rig)
{
    struct br_error err;
    int status = 0;
    page_rig_open(rig);
    assert_true(page_navigate(rig->page, "http://page.test/first", PAGE_LOAD, &status, &err));
    assert_int_equal(status, 200);
    assert_string_equal(page_url(rig->page), "http://page.test/first");
    assert_false(navigation_is_under_way(rig->page));
}

static int set_up(void **state)
{
    return page_rig_begin(state, start);
}

static void test_settle_when_nothing_was_set_off_returns_at_once(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 1;
    int64_t began_ms = clock_monotonic_ms();
    page_act(rig->page);
    assert_true(page_settle(rig->page, page_mark(rig->page), false, &status, &err));
    assert_int_equal(status, 0);
    assert_true(page_has_acted(rig->page));
    assert_true(is_soon(clock_monotonic_ms() - began_ms, 1000));
}

static void test_settle_when_a_document_comes_waits_for_its_load(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 0;
    struct page_mark before = page_mark(rig->page);
    page_rig_play(rig, ASKED);
    assert_true(navigation_is_under_way(rig->page));
    fake_play(rig->fake, BEGUN("differentDocument") ANSWER LIFE("init")
                             NAVIGATED LIFE("DOMContentLoaded") LIFE("load"));
    assert_true(page_settle(rig->page, before, true, &status, &err));
    assert_int_equal(status, 418);
    assert_string_equal(page_url(rig->page), "http://page.test/b");
    assert_true(page_document(rig->page)->is_loaded);
    assert_int_equal(page_mark(rig->page).documents, before.documents + 1);
}

/* The navigation only leads to a place in the document: there is nothing to load. */
static void test_settle_when_only_the_fragment_changes_is_done(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 1;
    struct page_mark before = page_mark(rig->page);
    page_rig_play(rig, ASKED BEGUN("sameDocument") WITHIN("fragment"));
    assert_false(navigation_is_under_way(rig->page));
    assert_true(page_settle(rig->page, before, true, &status, &err));
    assert_int_equal(status, 0);
    assert_string_equal(page_url(rig->page), "http://page.test/first#b");
    assert_int_equal(page_mark(rig->page).documents, before.documents);
    assert_int_equal(page_mark(rig->page).fragments, before.fragments + 1);
}

/* A script that pushes states meanwhile does not end a navigation to another document. */
static void test_settle_when_states_are_pushed_still_waits_for_the_document(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 0;
    struct page_mark before = page_mark(rig->page);
    page_rig_play(rig, ASKED BEGUN("differentDocument") WITHIN("historyApi"));
    assert_true(navigation_is_under_way(rig->page));
    fake_play(rig->fake, ANSWER LIFE("init") NAVIGATED LIFE("load"));
    assert_true(page_settle(rig->page, before, true, &status, &err));
    assert_string_equal(page_url(rig->page), "http://page.test/b");
}

static void test_settle_when_a_navigation_has_to_come_and_does_not_times_out(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 0;
    page_rig_limit(rig, 300);
    assert_false(page_settle(rig->page, page_mark(rig->page), true, &status, &err));
    assert_int_equal(err.code, BR_TIMEOUT);
}

/* The navigation started by input is only reported. */
static void test_settle_when_the_document_does_not_come_is_logged(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 0;
    struct page_mark before = page_mark(rig->page);
    page_rig_play(rig, ASKED);
    page_rig_limit(rig, 300);
    assert_true(page_settle(rig->page, before, false, &status, &err));
    page_rig_expect_log(rig, "the navigation that followed");
}

static void test_navigate_when_it_is_a_download_stays(void **state)
{
    struct page_rig *rig = *state;
    struct br_error err;
    int status = 0;
    page_rig_play(rig, "{'serve':'Page.navigate','reply':{'frameId':'$frame','isDownload':true}}");
    assert_false(page_navigate(rig->page, "http://page.test/file", PAGE_LOAD, &status, &err));
    assert_int_equal(err.code, BR_NAVIGATION_FAILED);
    assert_string_equal(page_url(rig->page), "http://page.test/first");
    assert_false(navigation_is_under_way(rig->page));
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, page_rig_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_settle_when_nothing_was_set_off_returns_at_once),
        TEST(test_settle_when_a_document_comes_waits_for_its_load),
        TEST(test_settle_when_only_the_fragment_changes_is_done),
        TEST(test_settle_when_states_are_pushed_still_waits_for_the_document),
        TEST(test_settle_when_a_navigation_has_to_come_and_does_not_times_out),
        TEST(test_settle_when_the_document_does_not_come_is_logged),
        TEST(test_navigate_when_it_is_a_download_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
