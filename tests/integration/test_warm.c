/* Named sessions, their workers and channels, over a fake browser. */
#include "tests/integration/fake_browser.h"

#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/loop/loop.h"
#include "runner/sessions/channel.h"
#include "runner/sessions/sessions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WAIT_MS = 60000, CLIENTS = 6, TEXTS = 10 };

#define URL       "http://page.test/first"
#define LONG_WAIT "{\"type\":\"wait\",\"ms\":60000,\"timeout\":70000}"

struct world {
    struct fake_browser *fake;
    struct loop *loop;
    struct sessions *sessions;
    json_t *settings;
};

/* What a client receives. */
struct ear {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    json_t *lines;
    size_t done;
};

static void on_line(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length)
{
    (void)what;
    (void)id;
    struct ear *ear = data;
    pthread_mutex_lock(&ear->mutex);
    json_array_append_new(ear->lines, json_loadb(line, length, 0, NULL));
    pthread_cond_broadcast(&ear->changed);
    pthread_mutex_unlock(&ear->mutex);
}

static void on_done(void *data)
{
    struct ear *ear = data;
    pthread_mutex_lock(&ear->mutex);
    ear->done++;
    pthread_cond_broadcast(&ear->changed);
    pthread_mutex_unlock(&ear->mutex);
}

static void ear_init(struct ear *ear)
{
    *ear = (struct ear){ .lines = json_array() };
    pthread_mutex_init(&ear->mutex, NULL);
    condition_init(&ear->changed);
}

static void ear_finish(struct ear *ear)
{
    json_decref(ear->lines);
    pthread_cond_destroy(&ear->changed);
    pthread_mutex_destroy(&ear->mutex);
}

static void ear_await(struct ear *ear, size_t done)
{
    struct deadline deadline = deadline_in_ms(WAIT_MS);
    pthread_mutex_lock(&ear->mutex);
    while (ear->done < done && condition_wait(&ear->changed, &ear->mutex, deadline)) {
    }
    bool is_there = ear->done >= done;
    pthread_mutex_unlock(&ear->mutex);
    assert_true(is_there);
}

static const char *ear_text(struct ear *ear, size_t line, const char *member)
{
    pthread_mutex_lock(&ear->mutex);
    const char *text = json_member_string(json_array_get(ear->lines, line), member);
    pthread_mutex_unlock(&ear->mutex);
    return text ? text : "";
}

static struct channel *connect_ear(struct worker *worker, struct ear *ear)
{
    const struct channel_options options = {
        .handler = { .data = ear, .on_line = on_line, .on_done = on_done },
    };
    ear_init(ear);
    return channel_open(worker, &options);
}

static void feed(struct channel *channel, const char *text)
{
    channel_feed(channel, text, strlen(text), WAIT_MS);
}

static void world_open(struct world *world)
{
    struct br_error err;
    *world = (struct world){ .fake = fake_browser_start(FAKE_WEBSOCKET, "page.jsonl") };
    world->loop = loop_create(false, &err);
    assert_non_null(world->loop);
    world->sessions = sessions_create(world->loop, false);
    CLEANUP_FREE char *url =
        xasprintf("ws%s/devtools/browser/fake", fake_browser_url(world->fake) + strlen("http"));
    world->settings = json_pack("{s:{s:s}, s:{s:i}}", "browser", "connect", url, "session",
                                "screenshots", BR_SCREENSHOTS_NONE);
}

static void world_close(struct world *world)
{
    sessions_destroy(world->sessions);
    loop_destroy(world->loop);
    json_decref(world->settings);
    fake_browser_finish(world->fake);
}

static struct worker *open_session(struct world *world, const char *name)
{
    struct br_error err;
    bool is_new = false;
    struct worker *worker = sessions_open(world->sessions, name, world->settings, &is_new, &err);
    if (!worker) {
        fail_msg("%s", err.message);
    }
    return worker;
}

/* Waits until an action of this type runs. */
static void await_action(struct worker *worker, const char *type)
{
    struct deadline deadline = deadline_in_ms(WAIT_MS);
    for (;;) {
        json_auto_t *state = worker_describe(worker);
        const char *action = json_member_string(state, "action");
        if (action && strcmp(action, type) == 0) {
            return;
        }
        assert_false(deadline_passed(deadline));
        sched_yield();
    }
}

static void test_answers_belong_to_their_questions(void **state)
{
    (void)state;
    struct world world;
    struct ear ears[CLIENTS];
    struct channel *channels[CLIENTS];
    world_open(&world);
    struct worker *worker = open_session(&world, "shared");
    for (int i = 0; i < CLIENTS; i++) {
        channels[i] = connect_ear(worker, &ears[i]);
    }
    for (int n = 0; n < TEXTS; n++) {
        for (int i = 0; i < CLIENTS; i++) {
            CLEANUP_FREE char *text =
                xasprintf("{\"type\":\"logs\",\"label\":\"client %d text %d\"}", i, n);
            feed(channels[i], text);
        }
    }
    for (int i = 0; i < CLIENTS; i++) {
        ear_await(&ears[i], TEXTS);
        for (int n = 0; n < TEXTS; n++) {
            CLEANUP_FREE char *label = xasprintf("client %d text %d", i, n);
            assert_string_equal(ear_text(&ears[i], (size_t)n, "label"), label);
        }
        channel_close(channels[i]);
        ear_finish(&ears[i]);
    }
    worker_release(worker);
    world_close(&world);
}

static void test_cancel_ends_what_runs_and_nothing_else(void **state)
{
    (void)state;
    struct br_error err;
    struct world world;
    struct ear mine;
    struct ear other;
    world_open(&world);
    struct worker *worker = open_session(&world, "one");
    struct channel *channel = connect_ear(worker, &mine);
    struct channel *beside = connect_ear(worker, &other);
    feed(channel, "{\"type\":\"start\",\"url\":\"" URL "\"}");
    feed(channel, LONG_WAIT);
    await_action(worker, "wait");
    feed(beside, "{\"type\":\"logs\"}");
    assert_string_equal(channel_cancel(beside, 0, &err), "waiting");
    assert_null(channel_cancel(channel, 3, &err)); /* that of the other channel */
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_string_equal(channel_cancel(channel, 1, &err), "over");
    assert_string_equal(channel_cancel(channel, 2, &err), "running");
    ear_await(&mine, 2);
    ear_await(&other, 1);
    assert_string_equal(ear_text(&mine, 1, "errorCode"), "CANCELLED");
    assert_string_equal(ear_text(&other, 0, "errorCode"), "CANCELLED");
    assert_string_equal(channel_cancel(channel, 2, &err), "over");
    assert_string_equal(channel_cancel(channel, 0, &err), "over");
    feed(channel, "{\"type\":\"logs\"}");
    ear_await(&mine, 3);
    assert_true(json_member_bool(json_array_get(mine.lines, 2), "success", false));
    channel_close(channel);
    channel_close(beside);
    ear_finish(&mine);
    ear_finish(&other);
    worker_release(worker);
    world_close(&world);
}

static void test_a_waiting_action_is_cancelled_by_its_id(void **state)
{
    (void)state;
    struct br_error err;
    struct world world;
    struct ear ear;
    world_open(&world);
    struct worker *worker = open_session(&world, "one");
    struct channel *channel = connect_ear(worker, &ear);
    feed(channel, "{\"type\":\"start\",\"url\":\"" URL "\"}");
    feed(channel, LONG_WAIT);
    feed(channel, "[{\"type\":\"logs\"},{\"type\":\"logs\"},{\"type\":\"logs\"}]");
    await_action(worker, "wait");
    assert_string_equal(channel_cancel(channel, 4, &err), "waiting");
    for (uint64_t id = 6; id < 6 + 2000; id++) {
        assert_null(channel_cancel(channel, id, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
    }
    feed(channel, "[{\"type\":\"logs\"},{\"type\":\"clack\"},{\"type\":\"logs\"}]");
    assert_string_equal(channel_cancel(channel, 8, &err), "waiting");
    assert_null(channel_cancel(channel, 9, &err));
    channel_cancel(channel, 2, &err);
    ear_await(&ear, 4);
    feed(channel, "[{\"type\":\"logs\"},{\"type\":\"logs\"}]");
    ear_await(&ear, 5);
    static const char *const codes[] = { "", "CANCELLED",      "",          "CANCELLED", "",
                                         "", "INVALID_ACTION", "CANCELLED", "",          "" };
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        assert_string_equal(ear_text(&ear, i, "errorCode"), codes[i]);
    }
    channel_close(channel);
    ear_finish(&ear);
    worker_release(worker);
    world_close(&world);
}

static void test_what_waits_too_long_is_told_for_what(void **state)
{
    (void)state;
    struct world world;
    struct ear first;
    struct ear late;
    world_open(&world);
    struct worker *worker = open_session(&world, "busy");
    struct channel *channel = connect_ear(worker, &first);
    struct channel *waiting = connect_ear(worker, &late);
    feed(channel, "{\"type\":\"start\",\"url\":\"" URL "\"}");
    feed(channel, LONG_WAIT);
    await_action(worker, "wait");
    channel_feed(waiting, "{\"type\":\"logs\"}", strlen("{\"type\":\"logs\"}"), 1);
    struct deadline begun = deadline_in_ms(1);
    while (!deadline_passed(begun)) {
        sched_yield();
    }
    sessions_sweep(world.sessions);
    ear_await(&late, 1);
    assert_string_equal(ear_text(&late, 0, "errorCode"), "TIMEOUT");
    assert_non_null(strstr(ear_text(&late, 0, "error"), "busy with wait"));
    /* Closing a channel ends its pending actions. */
    channel_close(channel);
    feed(waiting, "{\"type\":\"logs\"}");
    ear_await(&late, 2);
    channel_close(waiting);
    ear_finish(&first);
    ear_finish(&late);
    worker_release(worker);
    world_close(&world);
}

static void count_end(void *data)
{
    on_done(data);
}

static void test_stop_answers_all_that_waits(void **state)
{
    (void)state;
    struct world world;
    struct ear ear;
    struct ear end;
    struct br_error err;
    world_open(&world);
    ear_init(&end);
    struct worker *worker = open_session(&world, "one");
    struct channel *channel = connect_ear(worker, &ear);
    feed(channel, "{\"type\":\"start\",\"url\":\"" URL "\"}");
    feed(channel, LONG_WAIT);
    await_action(worker, "wait");
    feed(channel, "{\"type\":\"logs\"}");
    worker_stop(worker, count_end, &end);
    ear_await(&ear, 3);
    ear_await(&end, 1);
    for (size_t i = 1; i < 3; i++) {
        assert_string_equal(ear_text(&ear, i, "errorCode"), "CANCELLED");
    }
    feed(channel, "{\"type\":\"logs\"}");
    ear_await(&ear, 4);
    assert_string_equal(ear_text(&ear, 3, "errorCode"), "CANCELLED");
    worker_stop(worker, count_end, &end); /* one that has already ended */
    ear_await(&end, 2);
    assert_null(sessions_find(world.sessions, "one", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    channel_close(channel);
    ear_finish(&ear);
    ear_finish(&end);
    worker_release(worker);
    world_close(&world);
}

static void test_the_journal_is_read_while_an_action_runs(void **state)
{
    (void)state;
    struct world world;
    struct ear ear;
    struct br_error err;
    static const char text[] = "{\"type\":\"logs\"}";
    world_open(&world);
    struct worker *worker = open_session(&world, "one");
    struct channel *channel = connect_ear(worker, &ear);
    feed(channel, "{\"type\":\"start\",\"url\":\"" URL "\"}");
    feed(channel, LONG_WAIT);
    await_action(worker, "wait");
    CLEANUP_ACTION struct br_action *action = br_action_from_json(text, strlen(text), &err);
    CLEANUP_RESPONSE struct br_response *response = worker_peek(worker, action, &err);
    assert_non_null(response);
    assert_true(response->success);
    assert_non_null(strstr(response->result, "entries"));
    channel_close(channel);
    ear_finish(&ear);
    worker_release(worker);
    world_close(&world);
}

static void test_what_cannot_be_opened_is_told_to_who_asks(void **state)
{
    (void)state;
    struct world world;
    struct ear ear;
    struct br_error err;
    bool is_new = false;
    world_open(&world);
    json_auto_t *settings = json_pack("{s:{s:i}}", "session", "quality", 1000);
    struct worker *worker = sessions_open(world.sessions, "bad", settings, &is_new, &err);
    assert_non_null(worker);
    struct channel *channel = connect_ear(worker, &ear);
    feed(channel, "{\"type\":\"logs\"}");
    ear_await(&ear, 1);
    assert_string_equal(ear_text(&ear, 0, "kind"), "error");
    channel_close(channel);
    ear_finish(&ear);
    worker_release(worker);
    world_close(&world);
}

static void test_names_and_browsers_are_checked(void **state)
{
    (void)state;
    struct world world;
    struct br_error err;
    bool is_new = false;
    world_open(&world);
    assert_null(sessions_open(world.sessions, "a/b", NULL, &is_new, &err));
    assert_null(sessions_open(world.sessions, "", NULL, &is_new, &err));
    struct worker *first = sessions_open(world.sessions, "taken", world.settings, NULL, &err);
    assert_non_null(first);
    assert_null(sessions_open(world.sessions, "taken", world.settings, NULL, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    worker_release(first);
    struct worker *worker = open_session(&world, "one");
    json_auto_t *same = json_pack("{s:{}}", "browser");
    json_auto_t *other = json_pack("{s:{s:s}}", "browser", "profile", "/elsewhere");
    struct worker *again = sessions_open(world.sessions, "one", same, &is_new, &err);
    assert_ptr_equal(again, worker);
    assert_false(is_new);
    assert_null(sessions_open(world.sessions, "one", other, &is_new, &err));
    assert_non_null(strstr(err.message, "profile"));
    worker_release(again);
    worker_release(worker);
    world_close(&world);
}

/* `part` and `member` of the second session's settings differ from the first's. */
static void check_refused(const char *part, const char *member, json_t *value, const char *message)
{
    struct world world;
    struct ear ears[2];
    struct br_error err;
    bool is_new = false;
    world_open(&world);
    struct worker *first = open_session(&world, "first");
    struct channel *channel = connect_ear(first, &ears[0]);
    feed(channel, "{\"type\":\"logs\"}");
    ear_await(&ears[0], 1);
    json_auto_t *settings = json_deep_copy(world.settings);
    json_object_set_new(json_object_get(settings, part), member, value);
    struct worker *second = sessions_open(world.sessions, "second", settings, &is_new, &err);
    assert_non_null(second);
    struct channel *refused = connect_ear(second, &ears[1]);
    feed(refused, "{\"type\":\"logs\"}");
    ear_await(&ears[1], 1);
    assert_non_null(strstr(ear_text(&ears[1], 0, "error"), message));
    /* A later client gets the same reason. */
    feed(refused, "{\"type\":\"logs\"}");
    ear_await(&ears[1], 2);
    assert_non_null(strstr(ear_text(&ears[1], 1, "error"), message));
    channel_close(channel);
    channel_close(refused);
    ear_finish(&ears[0]);
    ear_finish(&ears[1]);
    worker_release(first);
    worker_release(second);
    world_close(&world);
}

static void test_sessions_with_other_rules_do_not_share_a_browser(void **state)
{
    (void)state;
    check_refused("session", "deny", json_pack("[s]", "private"), "the same rules about URLs");
}

static void test_options_of_a_shared_browser_are_not_ignored(void **state)
{
    (void)state;
    check_refused("browser", "chromeArgs", json_pack("[s]", "--proxy-server=localhost:1"),
                  "another --chrome-arg");
    check_refused("browser", "stablePixels", json_true(), "another --stable-pixels");
}

static void test_events_come_to_who_subscribes(void **state)
{
    (void)state;
    struct world world;
    struct ear ear;
    world_open(&world);
    struct worker *worker = open_session(&world, "one");
    struct channel *channel = connect_ear(worker, &ear);
    channel_subscribe(channel, 1u << BR_EVENT_ACTION);
    feed(channel, "{\"type\":\"logs\"}");
    ear_await(&ear, 1);
    assert_string_equal(ear_text(&ear, 0, "kind"), "event");
    assert_string_equal(ear_text(&ear, 1, "kind"), "event");
    assert_string_equal(ear_text(&ear, 2, "kind"), "response");
    channel_subscribe(channel, 0);
    feed(channel, "{\"type\":\"logs\"}");
    ear_await(&ear, 2);
    assert_int_equal(json_array_size(ear.lines), 4);
    channel_close(channel);
    ear_finish(&ear);
    worker_release(worker);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_belong_to_their_questions),
        cmocka_unit_test(test_cancel_ends_what_runs_and_nothing_else),
        cmocka_unit_test(test_a_waiting_action_is_cancelled_by_its_id),
        cmocka_unit_test(test_what_waits_too_long_is_told_for_what),
        cmocka_unit_test(test_stop_answers_all_that_waits),
        cmocka_unit_test(test_the_journal_is_read_while_an_action_runs),
        cmocka_unit_test(test_what_cannot_be_opened_is_told_to_who_asks),
        cmocka_unit_test(test_names_and_browsers_are_checked),
        cmocka_unit_test(test_sessions_with_other_rules_do_not_share_a_browser),
        cmocka_unit_test(test_options_of_a_shared_browser_are_not_ignored),
        cmocka_unit_test(test_events_come_to_who_subscribes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
