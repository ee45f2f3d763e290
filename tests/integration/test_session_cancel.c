/* A cancel leaves nothing behind, and the response says CANCELLED. */
#include "tests/integration/session_rig.h"

#include "runner/base/clock.h"
#include "runner/session/run.h"

#include <browser_runner/event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* Cancels the action when the fake browser reaches a mark. */
struct canceller {
    struct rig *rig;
    const char *mark;
    bool was_running;
};

static void *cancel(void *data)
{
    struct canceller *canceller = data;
    fake_browser_await(canceller->rig->fake, canceller->mark);
    canceller->was_running = br_session_cancel(canceller->rig->session);
    return NULL;
}

static void expect_cancelled(struct rig *rig, const char *action, const char *mark)
{
    pthread_t thread;
    struct canceller canceller = { .rig = rig, .mark = mark };
    assert_int_equal(pthread_create(&thread, NULL, cancel, &canceller), 0);
    rig_expect(rig, action, (struct outcome){ .code = BR_CANCELLED });
    pthread_join(thread, NULL);
    assert_true(canceller.was_running);
}

static void test_script_when_cancelled_is_ended(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'times':1,'then':[{'mark':'now'}]}");
    expect_cancelled(rig, "{'type':'evaluate','expression':'for (;;) ;'}", "now");
    rig_await_count(rig, "{'method':'Runtime.terminateExecution','sessionId':'S1'}", 1);
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
}

/* Elements with data-no-ai, which were hidden for printing, are shown again. */
static void test_print_when_cancelled_restores_the_page(void **state)
{
    struct rig *rig = *state;
    rig_play(rig,
             "{'serve':'Runtime.callFunctionOn','reply':{'result':{'type':'number','value':1}}}\n"
             "{'serve':'Page.printToPDF','ignore':true,'times':1,'then':[{'mark':'now'}]}");
    expect_cancelled(rig, "{'type':'pdf'}", "now");
    rig_await_count(rig,
                    "{'method':'Runtime.callFunctionOn','sessionId':'S1','params':{'arguments':"
                    "[{'value':{'mode':'end'}}]}}",
                    1);
}

/* The moment of the cancel, and how often Chrome is told to stop loading. */
static void test_navigation_when_cancelled_is_stopped(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *action;
    } cases[] = {
        { "{'serve':'Page.navigate','ignore':true,'times':1,'then':[{'mark':'now'}]}",
          "{'type':'navigate','url':'http://page.test/second'}" },
        /* The server has responded. */
        { "{'serve':'Page.navigate','reply':{'frameId':'$frame','loaderId':'$new:L'},'times':1,"
          "'then':[{'mark':'now'}]}",
          "{'type':'navigate','url':'http://page.test/second'}" },
        { "{'serve':'Page.reload','reply':{},'times':1,'then':[{'mark':'now'}]}",
          "{'type':'reload'}" },
        { "{'serve':'Page.reload','ignore':true,'times':1,'then':[{'mark':'now'}]}",
          "{'type':'reload'}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;
        rig_start(&rig);
        rig_play(&rig, cases[i].rule);
        expect_cancelled(&rig, cases[i].action, "now");
        rig_await_count(&rig, "{'method':'Page.stopLoading','sessionId':'S1'}", 1);
        rig_close(&rig);
    }
}

/* Nothing is stopped if nothing is loading. */
static void test_click_when_cancelled_stops_no_page(void **state)
{
    struct rig *rig = *state;
    rig_play(rig, RIG_ELEMENTS("aim") "'ignore':true,'times':1,'then':[{'mark':'now'}]}");
    expect_cancelled(rig, "{'type':'click','selector':'#go'}", "now");
    rig_expect(rig, "{'type':'click','selector':'#go'}", (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(rig, "Page.stopLoading"), 0);
    assert_int_equal(rig_count(rig, "Runtime.terminateExecution"), 0);
}

/* Cancels when a certain event arrives, and keeps the result. */
struct listener {
    struct br_session *session;
    enum br_event_kind kind; /* ACTION: at its end */
    int told, said_true;
};

static void on_event(void *data, const struct br_event *event)
{
    struct listener *listener = data;
    if (event->kind == listener->kind &&
        (event->kind != BR_EVENT_ACTION || event->as.action.is_over)) {
        listener->told++;
        listener->said_true += br_session_cancel(listener->session);
    }
}

/* A click that navigates; and a document that has arrived and is still loading. */
static void test_page_on_its_way_when_cancelled_is_stopped(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *action;
        bool is_stopped;
    } cases[] = {
        { "{'serve':'Input.dispatchMouseEvent','params':{'type':'mouseReleased'},'reply':{},"
          "'times':1,'then':[{'event':{'method':'Page.frameRequestedNavigation','sessionId':"
          "'$session','params':{'frameId':'$frame','disposition':'currentTab',"
          "'url':'http://page.test/second'}}},{'event':{'method':'Page.frameStartedNavigating',"
          "'sessionId':'$session','params':{'frameId':'$frame','loaderId':'L9',"
          "'navigationType':'differentDocument','url':'http://page.test/second'}}}]}",
          "{'type':'click','selector':'#go'}", true },
        { "{'serve':'Page.navigate','reply':{'frameId':'$frame','loaderId':'$new:L'},'times':1,"
          "'then':[{'event':{'method':'Page.lifecycleEvent','sessionId':'$session','params':"
          "{'frameId':'$frame','loaderId':'$last:L','name':'init'}}},"
          "{'event':{'method':'Page.lifecycleEvent','sessionId':'$session','params':"
          "{'frameId':'$frame','loaderId':'$last:L','name':'DOMContentLoaded'}}},"
          "{'event':{'method':'Page.frameNavigated','sessionId':'$session','params':"
          "{'type':'Navigation','frame':{'id':'$frame','loaderId':'$last:L','url':'$url'}}}}]}",
          "{'type':'navigate','url':'http://page.test/second'}", true },
        /* It was parsed: otherwise Chrome would keep an empty document. */
        { "{'serve':'Page.navigate','reply':{'frameId':'$frame','loaderId':'$new:L'},'times':1,"
          "'then':[{'event':{'method':'Page.frameNavigated','sessionId':'$session','params':"
          "{'type':'Navigation','frame':{'id':'$frame','loaderId':'$last:L','url':'$url'}}}}]}",
          "{'type':'navigate','url':'http://page.test/second'}", false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;
        struct br_error err;
        rig_start(&rig);
        struct listener listener = { .session = rig.session, .kind = BR_EVENT_NAVIGATION };
        struct br_sink sink = { .on_event = on_event, .data = &listener };
        assert_true(br_session_subscribe(rig.session, &sink, &err));
        rig_play(&rig, cases[i].rule);
        rig_expect(&rig, cases[i].action, (struct outcome){ .code = BR_CANCELLED });
        assert_int_equal(listener.said_true, 1);
        rig_expect(&rig, "{'type':'evaluate','expression':'1'}", (struct outcome){ .attempts = 1 });
        assert_int_equal(rig_count(&rig, "{'method':'Page.stopLoading','sessionId':'S1'}"),
                         cases[i].is_stopped);
        rig_close(&rig);
    }
}

/* The page logs something while it describes itself: the action itself has succeeded by then. */
static void test_cancel_that_says_true_makes_the_answer_cancelled(void **state)
{
    (void)state;
    struct rig rig;
    struct br_error err;
    rig_start(&rig);
    struct listener listener = { .session = rig.session, .kind = BR_EVENT_CONSOLE };
    struct br_sink sink = { .on_event = on_event, .data = &listener };
    assert_true(br_session_subscribe(rig.session, &sink, &err));
    rig_play(&rig, "{'serve':'Performance.getMetrics','ignore':true,'times':1,'then':["
                   "{'event':{'method':'Runtime.consoleAPICalled','sessionId':'$session','params':"
                   "{'type':'log','args':[{'type':'string','value':'here'}],'timestamp':1}}}]}");
    rig_run(&rig, "{'type':'evaluate','expression':'6 * 7'}");
    assert_int_equal(listener.told, 1);
    assert_int_equal(listener.said_true, 1);
    assert_false(rig.response->success);
    assert_int_equal(rig.response->error.code, BR_CANCELLED);
    rig_expect_hint(&rig, "already complete");
    rig_expect(&rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
    rig_close(&rig);
}

static void test_cancel_when_the_answer_is_decided_says_false(void **state)
{
    (void)state;
    struct rig rig;
    struct br_error err;
    rig_start(&rig);
    struct listener listener = { .session = rig.session, .kind = BR_EVENT_ACTION };
    struct br_sink sink = { .on_event = on_event, .data = &listener };
    assert_true(br_session_subscribe(rig.session, &sink, &err));
    rig_expect(&rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
    assert_int_equal(listener.told, 1);
    assert_int_equal(listener.said_true, 0);
    rig_expect(&rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
    rig_close(&rig);
}

/* Cancels repeatedly until it is told to stop. */
struct hammer {
    struct br_session *session;
    atomic_bool is_over;
    atomic_int said_true;
};

static void *hammer(void *data)
{
    struct hammer *hammer = data;
    while (!atomic_load(&hammer->is_over)) {
        bool was_running = br_session_cancel(hammer->session);
        atomic_fetch_add(&hammer->said_true, was_running);
        sched_yield();
    }
    return NULL;
}

static void test_cancel_at_any_time_says_what_becomes_of_the_answer(void **state)
{
    struct rig *rig = *state;
    enum { TIMES = 60 };
    int cancelled = 0;
    for (int i = 0; i < TIMES; i++) {
        pthread_t thread;
        struct hammer hammer_data = { .session = rig->session };
        assert_int_equal(pthread_create(&thread, NULL, hammer, &hammer_data), 0);
        rig_run(rig, "{'type':'evaluate','expression':'6 * 7'}");
        atomic_store(&hammer_data.is_over, true);
        pthread_join(thread, NULL);
        bool is_cancelled = rig->response->error.code == BR_CANCELLED;
        assert_true(is_cancelled || rig->response->success);
        assert_int_equal(is_cancelled, atomic_load(&hammer_data.said_true) > 0);
        cancelled += is_cancelled;
    }
    assert_true(cancelled > 0);
}

static void *cancel_by_id(void *data)
{
    struct canceller *canceller = data;
    struct br_session *session = canceller->rig->session;
    struct br_session_status status;
    fake_browser_await(canceller->rig->fake, canceller->mark);
    br_session_get_status(session, &status);
    canceller->was_running = br_session_cancel_action(session, status.action_id - 1) ||
                             br_session_cancel_action(session, status.action_id + 1) ||
                             br_session_cancel_action(session, 0);
    canceller->was_running =
        !canceller->was_running && br_session_cancel_action(session, status.action_id);
    return NULL;
}

static void test_cancel_by_id_ends_that_action_and_no_other(void **state)
{
    struct rig *rig = *state;
    pthread_t thread;
    struct canceller canceller = { .rig = rig, .mark = "now" };
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'times':1,'then':[{'mark':'now'}]}");
    assert_int_equal(pthread_create(&thread, NULL, cancel_by_id, &canceller), 0);
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}",
               (struct outcome){ .code = BR_CANCELLED });
    pthread_join(thread, NULL);
    assert_true(canceller.was_running);
    assert_false(br_session_cancel_action(rig->session, rig->response->id));
    assert_false(br_session_cancel_action(rig->session, rig->response->id + 1));
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}", (struct outcome){ .attempts = 1 });
}

static void test_cancel_ahead_reaches_the_action_when_it_begins(void **state)
{
    struct rig *rig = *state;
    static const char action[] = "{'type':'evaluate','expression':'6 * 7'}";
    uint64_t id = rig->response->id;
    assert_false(session_cancel_ahead(rig->session, id));
    assert_true(session_cancel_ahead(rig->session, id + 2));
    rig_expect(rig, action, (struct outcome){ .attempts = 1 });
    rig_expect(rig, action, (struct outcome){ .code = BR_CANCELLED });
    rig_expect(rig, action, (struct outcome){ .attempts = 1 });
    assert_false(session_cancel_ahead(rig->session, 0)); /* nothing runs: the next one is meant */
    rig_expect(rig, action, (struct outcome){ .code = BR_CANCELLED });
    assert_true(session_cancel_ahead(rig->session, rig->response->id + 1));
    session_forget_cancel(rig->session);
    rig_expect(rig, action, (struct outcome){ .attempts = 1 });
}

static void *interrupt(void *data)
{
    struct canceller *canceller = data;
    fake_browser_await(canceller->rig->fake, canceller->mark);
    br_session_interrupt(canceller->rig->session);
    return NULL;
}

static void test_interrupt_is_cancelled_too(void **state)
{
    struct rig *rig = *state;
    pthread_t thread;
    struct canceller canceller = { .rig = rig, .mark = "now" };
    rig_play(rig, "{'serve':'Runtime.evaluate','ignore':true,'then':[{'mark':'now'}]}");
    assert_int_equal(pthread_create(&thread, NULL, interrupt, &canceller), 0);
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}",
               (struct outcome){ .code = BR_CANCELLED });
    pthread_join(thread, NULL);
    assert_non_null(strstr(rig->response->error.message, "interrupted"));
    rig_expect(rig, "{'type':'evaluate','expression':'6 * 7'}",
               (struct outcome){ .code = BR_CANCELLED });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_script_when_cancelled_is_ended),
        RIG_TEST(test_print_when_cancelled_restores_the_page),
        cmocka_unit_test(test_navigation_when_cancelled_is_stopped),
        RIG_TEST(test_click_when_cancelled_stops_no_page),
        cmocka_unit_test(test_page_on_its_way_when_cancelled_is_stopped),
        cmocka_unit_test(test_cancel_that_says_true_makes_the_answer_cancelled),
        cmocka_unit_test(test_cancel_when_the_answer_is_decided_says_false),
        RIG_TEST(test_cancel_at_any_time_says_what_becomes_of_the_answer),
        RIG_TEST(test_cancel_by_id_ends_that_action_and_no_other),
        RIG_TEST(test_cancel_ahead_reaches_the_action_when_it_begins),
        RIG_TEST(test_interrupt_is_cancelled_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
