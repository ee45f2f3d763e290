/* The connection and its clients with a browser that replies. */
#include "tests/integration/cdp_fixture.h"
#include "tests/slowness.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>

static void test_call_when_the_reply_is_late_times_out_and_the_next_is_fine(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "late_reply.jsonl");
    struct br_error err;
    int64_t id = cdp_send(fixture.client, NULL, "Slow.call", NULL, &err);
    cdp_client_set_deadline(fixture.client, deadline_in_ms(50));
    assert_false(cdp_receive(fixture.client, id, "Slow.call", NULL, &err));
    assert_error(&err, BR_TIMEOUT, "Slow.call");
    cdp_client_set_deadline(fixture.client, deadline_in_ms(FIXTURE_PATIENCE_MS));
    fake_browser_signal(fixture.fake, "timed out");
    assert_call(fixture.client, "Next.call", "next");
    fixture_close(&fixture);
}

/* Counts in last_number, and keeps value and session. */
static void on_late(void *data, const char *session_id, json_t *result)
{
    struct cdp_fixture *fixture = data;
    fixture->last_number++;
    snprintf(fixture->last_event, sizeof(fixture->last_event), "%s",
             json_member_string(result, "value"));
    snprintf(fixture->last_session, sizeof(fixture->last_session), "%s", session_id);
}

static void test_reply_when_it_comes_too_late_is_passed_to_its_function(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state), "late_reply.jsonl");
    int64_t id = cdp_send(fixture.client, "S", "Slow.call", NULL, &err);
    cdp_client_expect_late(fixture.client, id, on_late);
    cdp_client_set_deadline(fixture.client, deadline_in_ms(50));
    assert_false(cdp_receive(fixture.client, id, "Slow.call", NULL, &err));
    cdp_client_set_deadline(fixture.client, deadline_in_ms(FIXTURE_PATIENCE_MS));
    assert_int_equal(fixture.last_number, 0);
    fake_browser_signal(fixture.fake, "timed out");
    id = cdp_send(fixture.client, NULL, "Next.call", NULL, &err);
    cdp_client_expect_late(fixture.client, id, on_late);
    assert_true(cdp_receive(fixture.client, id, "Next.call", NULL, &err));
    assert_int_equal(fixture.last_number, 1); /* for the first one only */
    assert_string_equal(fixture.last_event, "late");
    assert_string_equal(fixture.last_session, "S");
    fixture_close(&fixture);
}

static void test_call_when_refused_fails_with_the_browsers_words(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "error_reply.jsonl");
    assert_call_fails(fixture.client, "Page.navigate", BR_UNKNOWN_ERROR,
                      "Page.navigate: Invalid parameters: Failed to deserialize params.url");
    assert_call_fails(fixture.client, "Page.reload", BR_PAGE_CRASHED, "Page.reload: Session");
    assert_call_fails(fixture.client, "Page.stop", BR_UNKNOWN_ERROR, "without a reason");
    assert_call(fixture.client, "Page.enable", "fine");
    fixture_close(&fixture);
}

static void test_call_when_an_unknown_id_comes_ignores_it(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "unknown_id.jsonl");
    assert_call(fixture.client, "First.call", "first");
    assert_call(fixture.client, "Second.call", "second");
    assert_int_equal(fixture.event_count, 0);
    fixture_close(&fixture);
}

static void test_receive_when_replies_are_out_of_order_finds_each(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    json_t *result = NULL;
    fixture_open(&fixture, fixture_mode(state), "out_of_order.jsonl");
    int64_t one = cdp_send(fixture.client, NULL, "One.call", NULL, &err);
    int64_t two = cdp_send(fixture.client, NULL, "Two.call", json_object(), &err);
    int64_t three = cdp_send(fixture.client, NULL, "Three.call", NULL, &err);
    assert_true(one > 0 && two > one && three > two);
    assert_true(cdp_receive(fixture.client, one, "One.call", &result, &err));
    assert_string_equal(json_member_string(result, "value"), "1");
    json_decref(result);
    assert_int_equal(fixture.last_number, 1);
    assert_false(cdp_receive(fixture.client, two, "Two.call", &result, &err));
    assert_error(&err, BR_UNKNOWN_ERROR, "Two.call: not two");
    assert_true(cdp_receive(fixture.client, three, "Three.call", NULL, &err));
    /* An id that was never given out is an error at once. */
    assert_false(cdp_receive(fixture.client, -1, "No.call", NULL, &err));
    fixture_close(&fixture);
}

enum { STORM = 10000, STORM_EVENT = 4000 };

static void test_events_when_nobody_reads_are_dropped_over_the_cap_and_counted(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state), "event_storm.jsonl");
    int64_t id = cdp_send(fixture.client, NULL, "Storm.start", NULL, &err);
    fake_browser_await(fixture.fake, "sent");
    /* The reply comes after all of them, and is not dropped. */
    assert_true(cdp_receive(fixture.client, id, "Storm.start", NULL, &err));
    size_t dropped = cdp_client_take_dropped(fixture.client);
    assert_true(dropped > 0);
    assert_int_equal(fixture.event_count + dropped, STORM);
    assert_true(fixture.event_count * STORM_EVENT < (size_t)40 * 1024 * 1024);
    assert_int_equal(cdp_client_take_dropped(fixture.client), 0);
    assert_call(fixture.client, "Next.call", "next");
    fixture_close(&fixture);
}

static void test_messages_when_split_at_every_byte_are_whole(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "split_everywhere.jsonl");
    assert_call(fixture.client, "First.call", "first \xC3\xA4 \xF0\x9F\x98\x80");
    assert_int_equal(fixture.last_number, 7);
    assert_string_equal(fixture.last_event, "Some.event");
    assert_string_equal(fixture.last_session, "");
    assert_call(fixture.client, "Second.call", "second");
    assert_int_equal(fixture.last_number, 8);
    assert_call(fixture.client, "Third.call", "third");
    assert_int_equal(fixture.last_number, 9);
    assert_int_equal(fixture.event_count, 3);
    fixture_close(&fixture);
}

static void test_messages_when_joined_in_one_read_are_apart(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    json_t *result = NULL;
    fixture_open(&fixture, fixture_mode(state), "joined.jsonl");
    int64_t one = cdp_send(fixture.client, NULL, "One.call", NULL, &err);
    int64_t two = cdp_send(fixture.client, NULL, "Two.call", NULL, &err);
    assert_true(cdp_receive(fixture.client, two, "Two.call", &result, &err));
    assert_string_equal(json_member_string(result, "value"), "2");
    json_decref(result);
    assert_int_equal(fixture.event_count, 5000);
    assert_int_equal(fixture.last_number, 4999);
    assert_true(cdp_receive(fixture.client, one, "One.call", &result, &err));
    assert_string_equal(json_member_string(result, "value"), "1");
    json_decref(result);
    assert_int_equal(fixture.last_number, 5000);
    fixture_close(&fixture);
}

static void test_messages_when_halves_come_with_others_are_whole(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "half_messages.jsonl");
    assert_call(fixture.client, "One.call", "1");
    assert_int_equal(fixture.event_count, 3);
    assert_int_equal(fixture.last_number, 3);
    fixture_close(&fixture);
}

/* What a fake browser on a busy machine can send before it is considered stuck. */
enum { LARGE_REPLY = 32 * 1024 * 1024 / (SLOWNESS_DEFAULT * SLOWNESS_DEFAULT) };

/*
 * It arrives in thousands of pieces: scanning or copying all of it for each would take forever. The
 * result uses little more memory than the reply, and a small reply does not keep a whole buffer.
 */
static void test_call_raw_when_the_reply_is_large_gives_it_without_waste(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    size_t length = LARGE_REPLY;
    CLEANUP_FREE char *transcript =
        xasprintf("{\"split\":4096}\n"
                  "{\"expect\":\"Small.call\"}\n"
                  "{\"reply\":{\"value\":\"small\"}}\n"
                  "{\"expect\":\"Large.call\"}\n"
                  "{\"batch\":[{\"event\":{\"method\":\"Some.event\",\"params\":{\"n\":1}}},"
                  "{\"reply\":{\"data\":\"$bytes:%zu\"}},"
                  "{\"event\":{\"method\":\"Some.event\",\"params\":{\"n\":2}}}]}\n"
                  "{\"expect\":\"Next.call\"}\n"
                  "{\"reply\":{\"value\":\"next\"}}\n",
                  length);
    fixture_open(&fixture, fixture_mode(state), transcript);
    /* The fake browser answers no probe while it composes the large reply. */
    cdp_connection_judge_by(fixture.connection, NULL, NULL, FIXTURE_PATIENCE_MS);
    struct cdp_message *small =
        cdp_receive_raw(fixture.client, cdp_send(fixture.client, NULL, "Small.call", NULL, &err),
                        "Small.call", &err);
    assert_non_null(small);
    assert_true(malloc_usable_size(small->text) < 256);
    cdp_message_destroy(small);
    struct cdp_message *reply =
        cdp_receive_raw(fixture.client, cdp_send(fixture.client, NULL, "Large.call", NULL, &err),
                        "Large.call", &err);
    assert_non_null(reply);
    struct cdp_slice data = cdp_slice_string(reply->result, "data");
    assert_int_equal(data.length, length);
    assert_int_equal(data.text[0], 'A');
    assert_int_equal(data.text[length - 1], 'A');
    assert_int_equal(reply->text[reply->length], '\0');
    assert_true(malloc_usable_size(reply->text) < reply->length + 64 * 1024);
    cdp_message_destroy(reply);
    assert_call(fixture.client, "Next.call", "next");
    assert_int_equal(fixture.event_count, 2);
    assert_int_equal(fixture.last_number, 2);
    fixture_close(&fixture);
}

static void test_call_when_its_session_ends_fails_at_once(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state), "session_ended.jsonl");
    cdp_client_adopt(fixture.client, "S1");
    cdp_client_adopt(fixture.client, "S2");
    int64_t pending = cdp_send(fixture.client, "S1", "Runtime.evaluate", NULL, &err);
    int64_t other = cdp_send(fixture.client, "S2", "Runtime.evaluate", NULL, &err);
    assert_false(cdp_receive(fixture.client, pending, "Runtime.evaluate", NULL, &err));
    assert_error(&err, BR_PAGE_CRASHED, "Runtime.evaluate: the page was closed");
    assert_true(cdp_receive(fixture.client, other, "Runtime.evaluate", NULL, &err));
    assert_call(fixture.client, "Next.call", "next");
    /* The event before the end, and the end itself; none after it. */
    assert_int_equal(fixture.event_count, 2);
    assert_string_equal(fixture.last_event, "Target.detachedFromTarget");
    fixture_close(&fixture);
}

/*
 * Chrome does not report the end of sessions below a detached one, and does not reply to their
 * calls.
 */
static void test_call_when_the_session_above_its_own_ends_fails_at_once(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state),
                 "{\"expect\":\"Target.setAutoAttach\"}\n"
                 "{\"event\":{\"method\":\"Target.attachedToTarget\",\"params\":"
                 "{\"sessionId\":\"frame\"},\"sessionId\":\"page\"}}\n"
                 "{\"event\":{\"method\":\"Target.attachedToTarget\",\"params\":"
                 "{\"sessionId\":\"worker\"},\"sessionId\":\"frame\"}}\n"
                 "{\"reply\":{\"value\":\"1\"}}\n"
                 "{\"expect\":\"Runtime.evaluate\",\"session\":\"worker\"}\n"
                 "{\"expect\":\"Runtime.evaluate\",\"session\":\"other\",\"as\":\"other\"}\n"
                 "{\"event\":{\"method\":\"Target.detachedFromTarget\",\"params\":"
                 "{\"sessionId\":\"page\"}}}\n"
                 "{\"reply\":{\"value\":\"of another\"},\"to\":\"other\"}\n");
    cdp_client_adopt(fixture.client, "page");
    assert_call(fixture.client, "Target.setAutoAttach", "1");
    int64_t below = cdp_send(fixture.client, "worker", "Runtime.evaluate", NULL, &err);
    int64_t other = cdp_send(fixture.client, "other", "Runtime.evaluate", NULL, &err);
    assert_false(cdp_receive(fixture.client, below, "Runtime.evaluate", NULL, &err));
    assert_error(&err, BR_PAGE_CRASHED, "Runtime.evaluate: the page was closed");
    assert_true(cdp_receive(fixture.client, other, "Runtime.evaluate", NULL, &err));
    fixture_close(&fixture);
}

static void test_events_when_there_are_two_clients_go_to_whom_they_belong(void **state)
{
    struct cdp_fixture fixture;
    struct cdp_fixture second = { 0 };
    fixture_open(&fixture, fixture_mode(state), "two_clients.jsonl");
    second.client = cdp_client_create(fixture.connection, fixture_on_event, &second);
    cdp_client_adopt(second.client, "S1");
    assert_call(fixture.client, "First.call", "first");
    cdp_drain(second.client);
    assert_int_equal(fixture.event_count, 1);
    assert_string_equal(fixture.last_event, "Browser.event");
    assert_int_equal(second.event_count, 2);
    assert_int_equal(second.last_number, 2);
    assert_string_equal(second.last_session, "S1");
    /* The last client that adopts a session gets its events. */
    cdp_client_adopt(fixture.client, "S1");
    assert_call(fixture.client, "Second.call", "second");
    assert_int_equal(fixture.last_number, 4);
    cdp_drain(second.client);
    assert_int_equal(second.event_count, 2);
    cdp_client_destroy(second.client);
    assert_call(fixture.client, "Third.call", "third");
    fixture_close(&fixture);
}

enum { THREADS = 8, CALLS = 400 / SLOWNESS_DEFAULT };

struct caller {
    struct cdp_connection *connection;
    int thread;
    int wrong_count;
};

static void *call_many(void *data)
{
    struct caller *caller = data;
    struct cdp_client *client = cdp_client_create(caller->connection, NULL, NULL);
    cdp_client_set_deadline(client, deadline_in_ms(FIXTURE_PATIENCE_MS));
    for (int i = 0; i < CALLS; i++) {
        struct br_error err;
        json_auto_t *result = NULL;
        bool is_fine =
            cdp_call(client, i % 2 ? "S" : NULL, "Echo.call",
                     json_pack("{s:i, s:i}", "thread", caller->thread, "number", i), &result, &err);
        if (!is_fine || json_member_number(result, "thread", -1) != caller->thread ||
            json_member_number(result, "number", -1) != i) {
            caller->wrong_count++;
        }
    }
    cdp_client_destroy(client);
    return NULL;
}

static void test_calls_from_many_threads_get_their_own_answers(void **state)
{
    struct cdp_fixture fixture;
    pthread_t threads[THREADS];
    struct caller callers[THREADS];
    fixture_open(&fixture, fixture_mode(state), "echo.jsonl");
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){ .connection = fixture.connection, .thread = i };
        assert_int_equal(pthread_create(&threads[i], NULL, call_many, &callers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(callers[i].wrong_count, 0);
    }
    fixture_close(&fixture);
}

static void test_call_when_chrome_could_not_read_it_is_not_sent(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err;
    fixture_open(&fixture, fixture_mode(state), "{\"serve\":\"Echo.call\",\"reply\":{}}");
    /* The object of the parameters counts as one level. */
    for (int depth = 299; depth <= 300; depth++) {
        json_t *value = json_array();
        for (int i = 1; i < depth; i++) {
            value = json_pack("[o]", value);
        }
        json_t *params = json_pack("{s:o}", "value", value);
        assert_int_equal(cdp_call(fixture.client, NULL, "Echo.call", params, NULL, &err),
                         depth == 299);
    }
    assert_error(&err, BR_INVALID_ACTION, "Echo.call: the parameters are nested deeper than 300");
    /* Not UTF-8. */
    assert_false(cdp_call(fixture.client, "\xFF", "Echo.call", json_object(), NULL, &err));
    assert_error(&err, BR_INVALID_ACTION, "Echo.call");
    assert_true(cdp_call(fixture.client, NULL, "Echo.call", NULL, NULL, &err));
    fixture_close(&fixture);
}

static void test_post_when_the_reply_comes_drops_it(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "{\"serve\":\"*\",\"reply\":{\"value\":\"any\"}}");
    for (int i = 0; i < 100; i++) {
        cdp_post(fixture.client, "S1", "Posted.call", json_pack("{s:i}", "n", i));
    }
    assert_call(fixture.client, "Next.call", "any");
    fixture_close(&fixture);
}

static void test_event_when_its_params_are_no_json_is_skipped(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state),
                 "{\"expect\":\"First.call\"}\n"
                 "{\"text\":\"{\\\"method\\\":\\\"Bad.event\\\",\\\"params\\\":{1}}\"}\n"
                 "{\"event\":{\"method\":\"Good.event\"}}\n"
                 "{\"reply\":{\"value\":\"1\"}}\n");
    assert_call(fixture.client, "First.call", "1");
    assert_int_equal(fixture.event_count, 1);
    assert_string_equal(fixture.last_event, "Good.event");
    fixture_close(&fixture);
}

static bool has_event(void *data)
{
    const struct cdp_fixture *fixture = data;
    return fixture->event_count > 0;
}

static void test_wait_and_pause_apply_events_until_their_end(void **state)
{
    struct cdp_fixture fixture;
    struct br_error err = { 0 };
    fixture_open(&fixture, fixture_mode(state),
                 "{\"accept\":true}\n{\"wait\":\"go\"}\n{\"event\":{\"method\":\"Some.event\"}}\n"
                 "{\"expect\":\"First.call\"}\n{\"reply\":{\"value\":\"1\"}}");
    struct deadline patience = deadline_in_ms(FIXTURE_PATIENCE_MS);
    assert_false(
        cdp_wait(fixture.client, has_event, &fixture, "the event", deadline_in_ms(20), &err));
    assert_error(&err, BR_TIMEOUT, "waiting for the event");
    fake_browser_signal(fixture.fake, "go");
    assert_true(cdp_wait(fixture.client, has_event, &fixture, "the event", patience, &err));
    assert_true(cdp_wait(fixture.client, has_event, &fixture, "the event", patience, &err));
    struct deadline earliest = deadline_in_ms(20);
    assert_true(cdp_pause(fixture.client, 20, &err));
    assert_true(deadline_passed(earliest));
    /* The client's own deadline limits every wait. */
    cdp_client_set_deadline(fixture.client, deadline_in_ms(20));
    assert_false(cdp_pause(fixture.client, FIXTURE_PATIENCE_MS, &err));
    assert_error(&err, BR_TIMEOUT, "pause");
    cdp_client_set_deadline(fixture.client, patience);
    assert_call(fixture.client, "First.call", "1");
    fixture_close(&fixture);
}

static void test_break_when_set_ends_calls_until_mended(void **state)
{
    struct cdp_fixture fixture;
    fixture_open(&fixture, fixture_mode(state), "{\"serve\":\"*\",\"reply\":{\"value\":\"any\"}}");
    cdp_client_break(fixture.client, BR_PAGE_CRASHED, "the page has crashed");
    assert_call_fails(fixture.client, "Any.call", BR_PAGE_CRASHED, "the page has crashed");
    cdp_client_break(fixture.client, BR_OK, "");
    assert_call(fixture.client, "Any.call", "any");
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVER_BOTH(test_call_when_the_reply_is_late_times_out_and_the_next_is_fine),
        OVER_BOTH(test_reply_when_it_comes_too_late_is_passed_to_its_function),
        OVER_BOTH(test_call_when_refused_fails_with_the_browsers_words),
        OVER_BOTH(test_call_when_an_unknown_id_comes_ignores_it),
        OVER_BOTH(test_receive_when_replies_are_out_of_order_finds_each),
        OVER_BOTH(test_events_when_nobody_reads_are_dropped_over_the_cap_and_counted),
        OVER_BOTH(test_messages_when_split_at_every_byte_are_whole),
        OVER_BOTH(test_messages_when_joined_in_one_read_are_apart),
        OVER_PIPE(test_messages_when_halves_come_with_others_are_whole),
        OVER_BOTH(test_call_raw_when_the_reply_is_large_gives_it_without_waste),
        OVER_BOTH(test_call_when_its_session_ends_fails_at_once),
        OVER_BOTH(test_call_when_the_session_above_its_own_ends_fails_at_once),
        OVER_BOTH(test_events_when_there_are_two_clients_go_to_whom_they_belong),
        OVER_BOTH(test_calls_from_many_threads_get_their_own_answers),
        OVER_BOTH(test_call_when_chrome_could_not_read_it_is_not_sent),
        OVER_BOTH(test_post_when_the_reply_comes_drops_it),
        OVER_BOTH(test_event_when_its_params_are_no_json_is_skipped),
        OVER_BOTH(test_wait_and_pause_apply_events_until_their_end),
        OVER_BOTH(test_break_when_set_ends_calls_until_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
