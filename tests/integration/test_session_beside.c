/* Sessions of one browser, each on its own thread. */
#include "tests/integration/session_rig.h"

#include "runner/base/clock.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { MAX_BESIDE = 4, ACTIONS = 12 };

/* The rig's session is the first; each other one is a rig of its own without a browser. */
struct company {
    struct rig rig;
    struct rig beside[MAX_BESIDE];
    size_t count;
};

static struct rig open_beside(struct rig *first)
{
    struct br_error err;
    struct br_session_options options = rig_options();
    struct rig rig = { .fake = first->fake, .timeout_ms = options.timeout_ms };
    options.isolated = true;
    rig.session = br_session_open(first->browser, &options, &err);
    if (!rig.session) {
        fail_msg("%s", err.message);
    }
    return rig;
}

static void company_open(struct company *company, size_t count)
{
    *company = (struct company){ .count = count };
    rig_open(&company->rig, NULL);
    for (size_t i = 0; i < count; i++) {
        company->beside[i] = open_beside(&company->rig);
    }
}

static void company_start(struct company *company)
{
    for (size_t i = 0; i < company->count; i++) {
        rig_expect(&company->beside[i], "{'type':'start','url':'" RIG_URL "'}",
                   (struct outcome){ .attempts = 1 });
    }
}

static void close_beside(struct rig *rig)
{
    br_response_destroy(TAKE(rig->response));
    rig_end_session(rig);
    if (rig->late) {
        fail_msg("%s", rig->late);
    }
}

static void company_close(struct company *company)
{
    for (size_t i = 0; i < company->count; i++) {
        close_beside(&company->beside[i]);
    }
    rig_close(&company->rig);
}

static void test_each_session_has_a_context_of_its_own(void **state)
{
    (void)state;
    struct company company;
    company_open(&company, 3);
    company_start(&company);
    assert_int_equal(rig_count(&company.rig, "Fake.accepted"), 1);
    assert_int_equal(rig_count(&company.rig, "Target.createBrowserContext"), 3);
    for (int i = 1; i <= 3; i++) {
        CLEANUP_FREE char *pattern =
            xasprintf("{'method':'Target.createTarget','params':{'browserContextId':'C%d'}}", i);
        assert_int_equal(rig_count(&company.rig, pattern), 1);
    }
    /* `stop` only closes the session's own page and context. */
    rig_expect(&company.beside[1], "{'type':'stop'}", (struct outcome){ .attempts = 1 });
    rig_await_count(&company.rig, "Target.disposeBrowserContext", 1);
    assert_int_equal(rig_count(&company.rig, "{'method':'Target.disposeBrowserContext','params':"
                                             "{'browserContextId':'C2'}}"),
                     1);
    rig_expect(&company.beside[0], "{'type':'evaluate','expression':'6 * 7'}",
               (struct outcome){ .attempts = 1 });
    rig_expect(&company.beside[1], "{'type':'start','url':'" RIG_URL "'}",
               (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(&company.rig, "Fake.accepted"), 1);
    company_close(&company);
}

/* Threads. */

struct player {
    pthread_t thread;
    pthread_barrier_t *barrier;
    struct rig *rig;
    const char *kill; /* step played by this thread that ends the browser for all; NULL: none */
    int failed, recovered;
    bool is_broken; /* an unexpected response */
};

static void act(struct player *player, const char *action)
{
    const struct br_response *response = rig_run(player->rig, action);
    player->failed += !response->success;
    player->recovered += response->recovered;
    player->is_broken |= !response->success && response->error.code != BR_DISCONNECTED;
}

static void *play(void *data)
{
    static const char again[] = "{'type':'evaluate','expression':'6 * 7','retryOptions':"
                                "{'retryDelay':10,'retryOnErrors':['DISCONNECTED']}}";
    static const char *const actions[] = {
        "{'type':'navigate','url':'http://page.test/second'}",
        "{'type':'screenshot'}",
        again,
    };
    struct player *player = data;
    pthread_barrier_wait(player->barrier);
    if (!player->rig->response) {
        rig_run(player->rig, "{'type':'start','url':'" RIG_URL "'}");
        player->failed += !player->rig->response->success;
    }
    for (size_t i = 0; i < ACTIONS; i++) {
        if (player->kill && i == ACTIONS / 2) {
            rig_play(player->rig, player->kill);
        }
        act(player, actions[i % 3]);
    }
    /* However fast the others were: each acts once more after the browser was killed. */
    pthread_barrier_wait(player->barrier);
    act(player, again);
    return NULL;
}

static void play_all(struct company *company, struct player *players, const char *kill)
{
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)company->count);
    for (size_t i = 0; i < company->count; i++) {
        players[i] = (struct player){
            .barrier = &barrier,
            .rig = &company->beside[i],
            .kill = i == 0 ? kill : NULL,
        };
        assert_int_equal(pthread_create(&players[i].thread, NULL, play, &players[i]), 0);
    }
    for (size_t i = 0; i < company->count; i++) {
        pthread_join(players[i].thread, NULL);
    }
    pthread_barrier_destroy(&barrier);
}

/* None has started before: the first one starts the browser for all. */
static void test_sessions_that_begin_at_once_share_one_browser(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        struct company company;
        struct player players[MAX_BESIDE];
        company_open(&company, MAX_BESIDE);
        play_all(&company, players, NULL);
        for (size_t i = 0; i < MAX_BESIDE; i++) {
            assert_int_equal(players[i].failed, 0);
            assert_int_equal(players[i].recovered, 0);
        }
        assert_int_equal(rig_count(&company.rig, "Fake.accepted"), 1);
        assert_int_equal(rig_count(&company.rig, "Target.createBrowserContext"), MAX_BESIDE);
        company_close(&company);
    }
}

static void test_when_the_browser_is_killed_it_comes_back_once_and_all_go_on(void **state)
{
    (void)state;
    for (size_t count = 2; count <= MAX_BESIDE; count++) {
        struct company company;
        struct player players[MAX_BESIDE];
        company_open(&company, count);
        company_start(&company);
        play_all(&company, players, "{'close':true}");
        for (size_t i = 0; i < count; i++) {
            assert_false(players[i].is_broken);
            assert_true(players[i].failed <= 1);
            rig_expect(&company.beside[i], "{'type':'evaluate','expression':'6 * 7'}",
                       (struct outcome){ .attempts = 1 });
        }
        assert_true(players[0].recovered + players[0].failed > 0);
        assert_int_equal(rig_count(&company.rig, "Fake.accepted"), 2);
        company_close(&company);
    }
}

struct interrupter {
    struct rig *to_interrupt;
    pid_t acting; /* the thread that must be waiting first */
};

static void *interrupt(void *data)
{
    struct interrupter *interrupter = data;
    fake_browser_await(interrupter->to_interrupt->fake, "now");
    await_asleep(interrupter->acting);
    br_session_interrupt(interrupter->to_interrupt->session);
    return NULL;
}

/* A sink: sets the mark "now" when an action begins. */
static void on_event(void *data, const struct br_event *event)
{
    if (event->kind == BR_EVENT_ACTION && !event->as.action.is_over) {
        fake_browser_mark(data, "now");
    }
}

static void test_an_interrupt_of_one_does_not_touch_the_others(void **state)
{
    (void)state;
    pthread_t thread;
    struct company company;
    company_open(&company, 2);
    company_start(&company);
    struct interrupter interrupter = { &company.beside[0], gettid() };
    const struct br_sink sink = { .on_event = on_event, .data = company.rig.fake };
    struct br_error err;
    assert_true(br_session_subscribe(company.beside[0].session, &sink, &err) > 0);
    assert_int_equal(pthread_create(&thread, NULL, interrupt, &interrupter), 0);
    rig_run(&company.beside[0], "{'type':'wait','ms':20000}");
    pthread_join(thread, NULL);
    assert_true(company.beside[0].took_ms < 20000);
    assert_false(company.beside[0].response->success);
    rig_expect(&company.beside[1], "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
    rig_drop(&company.rig, "{'close':true}");
    rig_expect(&company.beside[1], "{'type':'screenshot'}",
               (struct outcome){ .attempts = 1, .is_recovered = true });
    rig_expect(&company.beside[0], "{'type':'screenshot'}",
               (struct outcome){ .code = BR_CANCELLED });
    company_close(&company);
}

/* The first one may end its page and start again, while the others work. */
static void test_when_the_first_stops_the_others_keep_the_browser(void **state)
{
    (void)state;
    struct company company;
    company_open(&company, 2);
    company_start(&company);
    rig_expect(&company.rig, "{'type':'start','url':'" RIG_URL "'}",
               (struct outcome){ .attempts = 1 });
    rig_expect(&company.rig, "{'type':'stop'}", (struct outcome){ .attempts = 1 });
    for (size_t i = 0; i < company.count; i++) {
        rig_expect(&company.beside[i], "{'type':'evaluate','expression':'6 * 7'}",
                   (struct outcome){ .attempts = 1 });
    }
    rig_expect(&company.rig, "{'type':'start','url':'" RIG_URL "'}",
               (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(&company.rig, "Fake.accepted"), 1);
    close_beside(&company.beside[--company.count]);
    rig_expect(&company.rig, "{'type':'stop'}", (struct outcome){ .attempts = 1 });
    rig_expect(&company.beside[0], "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
    company_close(&company);
}

/* Two browsers share one I/O thread. */
static void test_browsers_may_share_a_loop(void **state)
{
    (void)state;
    struct rig first;
    struct rig second;
    struct br_error err;
    rig_start(&first);
    second = (struct rig){ .fake = fake_browser_start(FAKE_WEBSOCKET, "page.jsonl") };
    const char *host = fake_browser_url(second.fake) + strlen("http");
    CLEANUP_FREE char *url = xasprintf("ws%s/devtools/browser/fake", host);
    struct br_browser_options options = { .connect = url, .loop_of = first.browser };
    struct br_session_options session = rig_options();
    second.browser = br_browser_open(&options, &err);
    assert_non_null(second.browser);
    second.timeout_ms = session.timeout_ms;
    second.session = br_session_open(second.browser, &session, &err);
    rig_expect(&second, "{'type':'start','url':'" RIG_URL "'}", (struct outcome){ .attempts = 1 });
    rig_expect(&first, "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
    assert_int_equal(rig_count(&first, "Fake.accepted"), 1);
    assert_int_equal(rig_count(&second, "Fake.accepted"), 1);
    rig_close(&second);
    rig_expect(&first, "{'type':'screenshot'}", (struct outcome){ .attempts = 1 });
    rig_close(&first);
}

static void test_a_browser_that_stays_goes_on_without_sessions(void **state)
{
    (void)state;
    for (int stays = 0; stays <= 1; stays++) {
        struct br_error err;
        struct rig rig;
        rig_open(&rig, NULL);
        CLEANUP_FREE char *url =
            xasprintf("ws%s/devtools/browser/fake", fake_browser_url(rig.fake) + strlen("http"));
        struct br_browser_options options = { .connect = url, .stays = stays };
        struct br_session_options session = rig_options();
        struct br_browser *browser = br_browser_open(&options, &err);
        for (int i = 0; i < 2; i++) {
            br_session_close(rig.session);
            rig.session = br_session_open(browser, &session, &err);
            rig_expect(&rig, "{'type':'start','url':'" RIG_URL "'}",
                       (struct outcome){ .attempts = 1 });
        }
        assert_int_equal(rig_count(&rig, "Fake.accepted"), stays ? 1 : 2);
        br_session_close(TAKE(rig.session));
        br_browser_close(browser);
        rig_close(&rig);
    }
}

/* Invalid options are refused before anything is started. */
static void test_options_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    static const struct br_session_options cases[] = {
        { .isolated = true, .context = "shared" },
        { .session_id = "" },
        { .session_id = "a b" },
        { .session_id = "01234567890123456789012345678901234567890123456789012345678901234" },
    };
    struct br_error err;
    struct br_browser_options options = BR_BROWSER_OPTIONS_INIT;
    struct br_browser *browser = br_browser_open(&options, &err);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_session_options session = rig_options();
        session.isolated = cases[i].isolated;
        session.context = cases[i].context;
        session.session_id = cases[i].session_id;
        assert_null(br_session_open(browser, &session, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
    }
    br_browser_close(browser);
    options.window_width = -1;
    assert_null(br_browser_open(&options, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

/* The browser announces attached tabs to all of its clients. */
static void test_tabs_of_another_context_are_none_of_the_page(void **state)
{
    (void)state;
    static const struct {
        const char *context, *opener;
        bool is_own;
    } cases[] = { { "C2", "T7", false }, { "C1", "T1", true } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct company company;
        company_open(&company, 1);
        company_start(&company);
        CLEANUP_FREE char *event = xasprintf(
            "{'event':{'method':'Target.attachedToTarget','params':{'sessionId':'S9',"
            "'waitingForDebugger':false,'targetInfo':{'targetId':'T9','type':'page','title':'',"
            "'url':'about:blank','attached':true,'openerId':'%s','browserContextId':'%s'}}}}",
            cases[i].opener, cases[i].context);
        rig_play(&company.rig, "{'serve':'Runtime.runIfWaitingForDebugger','reply':{}}");
        rig_play(&company.rig, event);
        rig_expect(&company.beside[0], "{'type':'evaluate','expression':'6 * 7'}",
                   (struct outcome){ .attempts = 1 });
        bool is_taken = rig_has_log(&company.beside[0], "browser", "the page opened tab 2");
        assert_int_equal(is_taken, cases[i].is_own);
        rig_await_count(&company.rig, "Target.detachFromTarget", !cases[i].is_own);
        company_close(&company);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_session_has_a_context_of_its_own),
        cmocka_unit_test(test_sessions_that_begin_at_once_share_one_browser),
        cmocka_unit_test(test_when_the_browser_is_killed_it_comes_back_once_and_all_go_on),
        cmocka_unit_test(test_an_interrupt_of_one_does_not_touch_the_others),
        cmocka_unit_test(test_when_the_first_stops_the_others_keep_the_browser),
        cmocka_unit_test(test_browsers_may_share_a_loop),
        cmocka_unit_test(test_a_browser_that_stays_goes_on_without_sessions),
        cmocka_unit_test(test_options_that_contradict_each_other_are_refused),
        cmocka_unit_test(test_tabs_of_another_context_are_none_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
