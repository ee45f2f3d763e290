/* Interrupts, a browser that several threads restart, and concurrent sessions. */
#include "tests/integration/session_rig.h"

#include "runner/base/json.h"
#include "runner/cdp/client.h"
#include "runner/chrome/browser.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct interrupter {
    struct rig *rig;
    pid_t acting;     /* the thread that must be waiting first; 0: do not check */
    int64_t delay_us; /* after the mark "now" */
    bool was_waiting;
    int64_t at_ms; /* when it was interrupted */
};

static void *interrupt(void *data)
{
    struct interrupter *interrupter = data;
    fake_browser_await(interrupter->rig->fake, "now");
    interrupter->was_waiting = interrupter->acting && await_asleep(interrupter->acting);
    usleep((useconds_t)interrupter->delay_us);
    interrupter->at_ms = clock_monotonic_ms();
    br_session_interrupt(interrupter->rig->session);
    return NULL;
}

/* Runs an action that is interrupted after the mark "now", when it is waiting. It must end soon. */
static void run_interrupted(struct rig *rig, const char *action)
{
    pthread_t thread;
    struct interrupter interrupter = { .rig = rig, .acting = gettid() };
    assert_int_equal(pthread_create(&thread, NULL, interrupt, &interrupter), 0);
    rig_run(rig, action);
    int64_t took_ms = clock_monotonic_ms();
    pthread_join(thread, NULL);
    took_ms -= interrupter.at_ms;
    assert_false(rig->response->success);
    assert_true(interrupter.was_waiting);
    if (took_ms > RIG_SLACK_MS) {
        fail_msg("%s took %lld ms to end", action, (long long)took_ms);
    }
}

/* A sink that sets the mark "now" at a certain event. */
struct ear {
    struct fake_browser *fake;
    const char *words; /* in a log entry; "": when an action begins */
};

static void on_event(void *data, const struct br_event *event)
{
    const struct ear *ear = data;
    bool is_log = event->kind == BR_EVENT_LOG && ear->words[0];
    bool is_begin = event->kind == BR_EVENT_ACTION && !event->as.action.is_over && !ear->words[0];
    if (is_begin || (is_log && strstr(event->as.log.message, ear->words))) {
        fake_browser_mark(ear->fake, "now");
    }
}

static void listen_for(struct rig *rig, struct ear *ear, const char *words)
{
    struct br_error err;
    const struct br_sink sink = { .on_event = on_event, .data = ear };
    *ear = (struct ear){ .fake = rig->fake, .words = words };
    assert_true(br_session_subscribe(rig->session, &sink, &err) > 0);
}

/* No more actions are run, and closing takes no time. */
static void expect_interrupted(struct rig *rig)
{
    rig_expect(rig, "{'type':'start','url':'http://page.test/second'}",
               (struct outcome){ .code = BR_CANCELLED });
    assert_non_null(strstr(rig->response->error.message, "interrupted"));
    assert_int_equal(rig_count(rig, "{'method':'Page.navigate','params':"
                                    "{'url':'http://page.test/second'}}"),
                     0);
    rig_close(rig);
}

static const struct interrupt_case {
    const char *name, *steps, *action;
    const char *words; /* that set the mark "now", as for struct ear; NULL: the steps do */
} interrupt_cases[] = {
    { "a retry pause",
      "{'serve':'Runtime.evaluate','reply':{'result':{},'exceptionDetails':{'text':'no'}}}",
      "{'type':'evaluate','expression':'6 * 7','timeout':60000,"
      "'retryOptions':{'retryOnErrors':['EVAL_ERROR'],'retryDelay':20000}}",
      "attempt 1 of 4 failed" },
    { "a pause between starts",
      "{'serve':'Target.createTarget','ignore':true,'then':[{'close':true}]}\n{'close':true}",
      "{'type':'click','selector':'#go','timeout':20000}", "start 2 of 3 failed" },
    { "a recovery that opens the page",
      "{'serve':'Target.createTarget','ignore':true,'then':[{'mark':'now'}]}\n{'close':true}",
      "{'type':'click','selector':'#go','timeout':20000}", NULL },
    { "a recovery that goes back",
      "{'serve':'Page.navigate','ignore':true,'then':[{'mark':'now'}]}\n{'close':true}",
      "{'type':'click','selector':'#go','timeout':20000}", NULL },
    { "a recovery that puts storage back",
      "{'serve':'Page.addScriptToEvaluateOnNewDocument','ignore':true,'then':[{'mark':'now'}]}\n"
      "{'close':true}",
      "{'type':'click','selector':'#go','timeout':20000}", NULL },
    { "a script that does not end",
      "{'serve':'Runtime.evaluate','ignore':true,'then':[{'mark':'now'}]}",
      "{'type':'evaluate','expression':'6 * 7','timeout':20000}", NULL },
    { "a silent page",
      "{'serve':'Runtime.callFunctionOn','ignore':true,'then':[{'silent':'S1'},{'mark':'now'}]}",
      "{'type':'wait','selector':'#late','timeout':20000}", NULL },
    { "a capture that does not come",
      "{'serve':'Page.captureScreenshot','ignore':true,'then':[{'mark':'now'}]}",
      "{'type':'screenshot','timeout':20000}", NULL },
    { "a plain wait", "{'note':'nothing'}", "{'type':'wait','ms':20000}", "" },
};

static void test_action_when_interrupted_ends_at_once(void **state)
{
    const struct interrupt_case *this = *state;
    struct rig rig;
    struct ear ear;
    rig_start(&rig);
    rig_play(&rig, this->steps);
    if (this->words) {
        listen_for(&rig, &ear, this->words);
    }
    run_interrupted(&rig, this->action);
    expect_interrupted(&rig);
}

/* The kernel accepts the new connection, but no data arrives. */
static void test_recovery_when_interrupted_while_connecting_ends_at_once(void **state)
{
    (void)state;
    struct rig rig;
    rig_start(&rig);
    rig_play(&rig, "{'serve':'Runtime.callFunctionOn','ignore':true,'times':1,'then':["
                   "{'close':true},{'knock':true},{'mark':'now'},{'wait':'enough'}]}");
    run_interrupted(&rig, "{'type':'click','selector':'#go','timeout':20000}");
    fake_browser_signal(rig.fake, "enough");
    rig_close(&rig);
}

/* The silent wait belongs to the next action. */
static void test_action_when_interrupted_while_it_waits_for_a_silent_page_ends_at_once(void **state)
{
    (void)state;
    struct rig rig;
    struct ear ear;
    rig_start(&rig);
    rig_play(&rig, "{'silent':'S1'}");
    rig_expect(&rig, "{'type':'evaluate','expression':'6 * 7','timeout':300}",
               (struct outcome){ .code = BR_TIMEOUT, .attempts = 1 });
    listen_for(&rig, &ear, "");
    run_interrupted(&rig, "{'type':'click','selector':'#go','timeout':20000}");
    assert_int_equal(rig_count(&rig, "Page.crash"), 0);
    expect_interrupted(&rig);
}

/* At any moment: before the action, during it, during its recovery, after it; and twice. */
static void test_session_when_interrupted_at_any_time_ends_at_once(void **state)
{
    (void)state;
    enum { TIMES = 30 };
    for (int i = 0; i < TIMES; i++) {
        pthread_t thread;
        struct rig rig;
        rig_start(&rig);
        struct interrupter interrupter = { .rig = &rig, .delay_us = i * 400 };
        rig_play(&rig, "{'mark':'now'}\n{'close':true}");
        assert_int_equal(pthread_create(&thread, NULL, interrupt, &interrupter), 0);
        rig_run(&rig, "{'type':'click','selector':'#go','screenshots':'both'}");
        assert_true(rig.took_ms < RIG_SLACK_MS);
        pthread_join(thread, NULL);
        br_session_interrupt(rig.session);
        expect_interrupted(&rig);
    }
}

/* Threads that share a browser. */

enum { SHARERS = 8, ROUNDS = 20, SHARED_MS = 60000, CONTEXTS = 200 };

struct shared {
    struct br_browser *browser;
    pthread_barrier_t barrier;
};

struct sharer {
    pthread_t thread;
    struct shared *shared;
    uint64_t lost;             /* as for browser_ensure() */
    struct browser_life *life; /* held since the last round; NULL: none */
    struct br_error err;
    bool has_answer; /* the life that it got responds */
};

static void *ensure_once(void *data)
{
    struct sharer *sharer = data;
    struct browser_life *before = sharer->life;
    pthread_barrier_wait(&sharer->shared->barrier);
    sharer->life = browser_ensure(sharer->shared->browser, sharer->lost, NULL,
                                  deadline_in_ms(SHARED_MS), &sharer->err);
    sharer->has_answer = false;
    if (sharer->life) {
        struct cdp_connection *connection = browser_life_connection(sharer->life);
        struct cdp_client *client = cdp_client_create(connection, NULL, NULL);
        cdp_client_set_deadline(client, deadline_in_ms(SHARED_MS));
        sharer->has_answer = cdp_call(client, NULL, "Browser.getVersion", NULL, NULL, &sharer->err);
        cdp_client_destroy(client);
    }
    browser_life_release(before);
    return NULL;
}

static void ensure_on_all_threads(struct shared *shared, struct sharer *sharers, uint64_t lost)
{
    for (size_t i = 0; i < SHARERS; i++) {
        sharers[i].shared = shared;
        sharers[i].lost = lost;
        assert_int_equal(pthread_create(&sharers[i].thread, NULL, ensure_once, &sharers[i]), 0);
    }
    for (size_t i = 0; i < SHARERS; i++) {
        pthread_join(sharers[i].thread, NULL);
    }
    for (size_t i = 0; i < SHARERS; i++) {
        if (!sharers[i].has_answer) {
            fail_msg("thread %zu: %s", i, sharers[i].err.message);
        }
        assert_ptr_equal(sharers[i].life, sharers[0].life);
    }
}

static void await_end(struct browser_life *life)
{
    struct deadline deadline = deadline_in_ms(SHARED_MS);
    while (cdp_connection_is_open(browser_life_connection(life))) {
        assert_false(deadline_passed(deadline));
        usleep(1000);
    }
}

/*
 * In each round the generation has ended in another way: it was dropped, and all threads have
 * noticed; it was dropped just now; it is alive but all threads report it as unusable.
 */
static void test_ensure_when_all_threads_lost_the_browser_connects_once(void **state)
{
    (void)state;
    struct br_error err;
    struct sharer sharers[SHARERS] = { 0 };
    struct shared shared;
    struct rig rig;
    rig_open(&rig, NULL);
    struct br_browser_options options = { .connect = fake_browser_url(rig.fake) };
    shared.browser = br_browser_open(&options, &err);
    pthread_barrier_init(&shared.barrier, NULL, SHARERS);
    ensure_on_all_threads(&shared, sharers, 0);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        assert_int_equal(browser_life_generation(sharers[0].life), round);
        assert_int_equal(rig_count(&rig, "Fake.accepted"), round);
        if (round % 3) {
            rig_play(&rig, "{'close':true}");
        }
        if (round % 3 == 1) {
            await_end(sharers[0].life);
        }
        ensure_on_all_threads(&shared, sharers, round % 3 == 1 && round % 2 ? 0 : round);
    }
    for (size_t i = 0; i < SHARERS; i++) {
        browser_life_release(sharers[i].life);
    }
    br_browser_close(shared.browser);
    pthread_barrier_destroy(&shared.barrier);
    assert_int_equal(rig_count(&rig, "Fake.accepted"), ROUNDS + 1);
    rig_close(&rig);
}

/* A thread that lost an older generation gets the present one. */
static void test_ensure_when_another_has_brought_it_back_gives_that(void **state)
{
    (void)state;
    struct br_error err;
    struct rig rig;
    rig_open(&rig, NULL);
    struct br_browser_options options = { .connect = fake_browser_url(rig.fake) };
    struct br_browser *browser = br_browser_open(&options, &err);
    struct deadline deadline = deadline_in_ms(SHARED_MS);
    struct browser_life *first = browser_ensure(browser, 0, NULL, deadline, &err);
    assert_non_null(first);
    struct browser_life *second = browser_ensure(browser, 1, NULL, deadline, &err);
    assert_non_null(second);
    assert_false(cdp_connection_is_open(browser_life_connection(first)));
    struct browser_life *third = browser_ensure(browser, 1, NULL, deadline, &err);
    assert_ptr_equal(third, second);
    assert_int_equal(browser_life_generation(third), 2);
    browser_life_release(third);
    browser_life_release(first);
    browser_life_release(second);
    browser_life_release(NULL);
    br_browser_close(browser);
    rig_await_count(&rig, "Fake.accepted", 2);
    rig_close(&rig);
}

struct waiter {
    pthread_t thread;
    struct br_browser *browser;
    int64_t deadline_ms, took_ms;
    struct br_error err;
};

static void *ensure_in_vain(void *data)
{
    struct waiter *waiter = data;
    int64_t began_ms = clock_monotonic_ms();
    browser_life_release(browser_ensure(waiter->browser, 0, NULL,
                                        deadline_in_ms(waiter->deadline_ms), &waiter->err));
    waiter->took_ms = clock_monotonic_ms() - began_ms;
    return NULL;
}

static void test_ensure_when_another_thread_connects_keeps_its_own_deadline(void **state)
{
    (void)state;
    struct br_error err;
    struct fake_browser *fake =
        fake_browser_start(FAKE_WEBSOCKET, "{\"http\":{\"status\":503,\"mark\":\"asked\","
                                           "\"wait\":\"enough\"}}");
    struct br_browser_options options = { .connect = fake_browser_url(fake) };
    struct br_browser *browser = br_browser_open(&options, &err);
    struct waiter waiters[] = {
        { .browser = browser, .deadline_ms = SHARED_MS },
        { .browser = browser, .deadline_ms = 300 },
    };
    assert_int_equal(pthread_create(&waiters[0].thread, NULL, ensure_in_vain, &waiters[0]), 0);
    fake_browser_await(fake, "asked");
    assert_int_equal(pthread_create(&waiters[1].thread, NULL, ensure_in_vain, &waiters[1]), 0);
    pthread_join(waiters[1].thread, NULL);
    fake_browser_signal(fake, "enough");
    pthread_join(waiters[0].thread, NULL);
    br_browser_close(browser);
    fake_browser_finish(fake);
    if (waiters[1].took_ms > waiters[1].deadline_ms + RIG_SLACK_MS) {
        fail_msg("it took %lld ms instead of %lld", (long long)waiters[1].took_ms,
                 (long long)waiters[1].deadline_ms);
    }
    assert_int_equal(waiters[1].err.code, BR_TIMEOUT);
}

/* A server's loop that is asked for the browser's state again and again. */
struct asker {
    struct loop *loop;
    struct br_browser *browser;
    atomic_bool is_over;
    uint64_t asked;
};

static void ask(void *data)
{
    struct asker *asker = data;
    struct br_browser_status status;
    br_browser_get_status(asker->browser, &status);
    asker->asked++;
    if (!asker->is_over) {
        loop_post(asker->loop, ask, asker);
    }
}

static void do_nothing(void *data)
{
    (void)data;
}

static void test_context_when_the_loop_asks_for_its_browser_opens_its_way_out(void **state)
{
    (void)state;
    struct br_error err;
    const char *denied[] = { "private", NULL };
    const struct br_policy rules = { .deny = denied };
    const struct br_browser_options options = BR_BROWSER_OPTIONS_INIT;
    struct br_browser *browser = br_browser_open(&options, &err);
    struct contexts *contexts = browser_contexts(browser);
    struct asker asker = { .loop = browser_loop(browser), .browser = browser };
    struct policy *policy = NULL;
    assert_true(policy_create(&rules, &policy, &err));
    loop_post(asker.loop, ask, &asker);
    for (size_t i = 0; i < CONTEXTS; i++) {
        const char *name = i % 3 == 0 ? NULL : "shared";
        struct context *context = context_acquire(contexts, name, i % 3 == 2, policy, &err);
        assert_non_null(context);
        assert_int_not_equal(context_way_out(context), 0);
        context_release(context, policy);
    }
    asker.is_over = true;
    for (int i = 0; i < 2; i++) { /* ask() may have posted itself once more */
        loop_call(asker.loop, do_nothing, NULL);
    }
    br_browser_close(browser);
    policy_destroy(policy);
    assert_true(asker.asked > 0);
}

/* Sessions on their own threads. */

enum { SESSIONS = 4, ACTIONS = 25 };

static const char *const actions[] = {
    "{'type':'click','selector':'#go','retryOptions':{'retryDelay':10}}",
    "{'type':'navigate','url':'http://page.test/second',"
    "'retryOptions':{'retryDelay':10}}",
    "{'type':'evaluate','expression':'6 * 7','retryOptions':{'retryDelay':10}}",
    "{'type':'screenshot','retryOptions':{'retryDelay':10}}",
    "{'type':'click','selector':'#go','screenshots':'both',"
    "'retryOptions':{'retryDelay':10,'retryOnErrors':['TargetClosedError']}}",
};

static const char *const faults[] = {
    "{'note':'none'}",
    "{'close':true}",
    "{'serve':'Input.dispatchMouseEvent'," RIG_CLOSE,
    "{'serve':'Runtime.callFunctionOn'," RIG_CLOSE,
    "{'serve':'Page.navigate'," RIG_CLOSE,
    "{'serve':'Page.captureScreenshot'," RIG_CLOSE,
    "{'serve':'Runtime.evaluate'," RIG_CRASH,
    "{'serve':'Page.enable'," RIG_CLOSE,
    "{'refuse':503,'times':1}\n{'close':true}",
};

struct player {
    pthread_t thread;
    struct rig rig;
    unsigned seed;
    int answered, failed, recovered;
    char odd[1024]; /* the first unexpected response; "": none */
};

static size_t choose(struct player *player, size_t count)
{
    return (size_t)rand_r(&player->seed) % count;
}

static bool is_expected(const struct br_response *response)
{
    return response->success || response->error.code == BR_DISCONNECTED ||
           response->error.code == BR_PAGE_CRASHED;
}

static void *play_actions(void *data)
{
    struct player *player = data;
    struct rig *rig = &player->rig;
    for (int i = 0; i < ACTIONS; i++) {
        rig_play(rig, faults[choose(player, sizeof(faults) / sizeof(faults[0]))]);
        const char *action = actions[choose(player, sizeof(actions) / sizeof(actions[0]))];
        const struct br_response *response = rig_run(rig, action);
        player->answered += response && response->id == (uint64_t)i + 2;
        player->failed += !response->success;
        player->recovered += response->recovered;
        if (!is_expected(response) && !player->odd[0]) {
            snprintf(player->odd, sizeof(player->odd), "%d: %.100s: %.700s", i, action,
                     response->error.message);
        }
    }
    return NULL;
}

static void test_sessions_when_connections_drop_at_random_answer_every_action(void **state)
{
    (void)state;
    int recovered = 0;
    struct player players[SESSIONS] = { 0 };
    for (unsigned i = 0; i < SESSIONS; i++) {
        players[i].seed = i + 1;
        rig_open(&players[i].rig, NULL);
        rig_expect(&players[i].rig,
                   "{'type':'start','url':'" RIG_URL
                   "','maxConsecutiveErrors':0,'totalErrorThreshold':0}",
                   (struct outcome){ .attempts = 1 });
    }
    for (size_t i = 0; i < SESSIONS; i++) {
        assert_int_equal(pthread_create(&players[i].thread, NULL, play_actions, &players[i]), 0);
    }
    for (size_t i = 0; i < SESSIONS; i++) {
        pthread_join(players[i].thread, NULL);
    }
    for (size_t i = 0; i < SESSIONS; i++) {
        if (players[i].odd[0]) {
            fail_msg("session %zu: %s", i, players[i].odd);
        }
        assert_int_equal(players[i].answered, ACTIONS);
        assert_true(players[i].failed < ACTIONS);
        recovered += players[i].recovered;
        rig_close(&players[i].rig);
    }
    assert_true(recovered > ACTIONS);
}

int main(void)
{
    enum { CASES = sizeof(interrupt_cases) / sizeof(interrupt_cases[0]) };
    struct CMUnitTest interrupts[CASES];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovery_when_interrupted_while_connecting_ends_at_once),
        cmocka_unit_test(
            test_action_when_interrupted_while_it_waits_for_a_silent_page_ends_at_once),
        cmocka_unit_test(test_session_when_interrupted_at_any_time_ends_at_once),
        cmocka_unit_test(test_ensure_when_all_threads_lost_the_browser_connects_once),
        cmocka_unit_test(test_ensure_when_another_has_brought_it_back_gives_that),
        cmocka_unit_test(test_ensure_when_another_thread_connects_keeps_its_own_deadline),
        cmocka_unit_test(test_context_when_the_loop_asks_for_its_browser_opens_its_way_out),
        cmocka_unit_test(test_sessions_when_connections_drop_at_random_answer_every_action),
    };
    for (size_t i = 0; i < CASES; i++) {
        interrupts[i] = (struct CMUnitTest){
            .name = interrupt_cases[i].name,
            .test_func = test_action_when_interrupted_ends_at_once,
            .initial_state = (void *)&interrupt_cases[i],
        };
    }
    int failed = cmocka_run_group_tests(interrupts, NULL, NULL);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
