/* Clients of others in a real browser, over its pipe of CBOR. */
#include "tests/integration/relay_client.h"

#include "runner/cdp/client.h"
#include "runner/chrome/browser.h"
#include "tests/letters.h"

enum { ANSWER_MS = 20000, LONG_COMMAND = 900 * 1000 };

struct rig {
    struct br_browser *browser;
    struct browser_life *life;
    struct relay_place place;
};

static void open_rig(struct rig *rig)
{
    struct br_error err;
    struct br_browser_options options = BR_BROWSER_OPTIONS_INIT;
    options.temp_profile = true;
    options.stays = true;
    options.no_sandbox = true;
    rig->browser = br_browser_open(&options, &err);
    assert_non_null(rig->browser);
    rig->life = browser_ensure(rig->browser, 0, NULL, deadline_in_ms(ANSWER_MS), &err);
    assert_non_null(rig->life);
    assert_true(cdp_connection_is_cbor(browser_life_connection(rig->life)));
    relay_place_open(&rig->place, browser_life_connection(rig->life), browser_loop(rig->browser));
}

static void close_rig(struct rig *rig)
{
    relay_place_close(&rig->place);
    browser_life_release(rig->life);
    br_browser_close(rig->browser);
}

/* The reply with this id, whatever comes before it. Borrowed. */
static json_t *await_reply(struct client *client, int id)
{
    for (size_t i = 0;; i++) {
        json_t *text = await_text(client, i);
        json_t *text_id = json_object_get(text, "id");
        if (json_is_integer(text_id) && json_integer_value(text_id) == id) {
            return text;
        }
    }
}

/* The reply to a command, which is the client's own from its id to its end. */
static json_t *call(struct client *client, int id, const char *rest)
{
    CLEANUP_FREE char *text = xasprintf("{\"id\":%d,%s}", id, rest);
    assert_true(send_text(client, text));
    return await_reply(client, id);
}

static const char *result_text(json_t *reply, const char *name)
{
    const char *text = json_member_string(json_object_get(reply, "result"), name);
    if (!text) {
        CLEANUP_FREE char *shown = json_dumps(reply, JSON_COMPACT);
        fail_msg("no %s in %s", name, shown);
    }
    return text;
}

/* Opens a tab and attaches to it; its session. Caller frees. */
static char *open_tab(struct client *client, int id)
{
    json_t *created =
        call(client, id, "\"method\":\"Target.createTarget\",\"params\":{\"url\":\"about:blank\"}");
    CLEANUP_FREE char *attach =
        xasprintf("\"method\":\"Target.attachToTarget\",\"params\":{\"flatten\":true,"
                  "\"targetId\":\"%s\"}",
                  result_text(created, "targetId"));
    return xstrdup(result_text(call(client, id + 1, attach), "sessionId"));
}

static json_t *evaluate(struct client *client, int id, const char *session_id,
                        const char *expression)
{
    CLEANUP_FREE char *rest =
        xasprintf("\"method\":\"Runtime.evaluate\",\"sessionId\":\"%s\",\"params\":"
                  "{\"returnByValue\":true,\"expression\":\"%s\"}",
                  session_id, expression);
    return call(client, id, rest);
}

static const json_t *value_of(json_t *reply)
{
    return json_object_get(json_object_get(json_object_get(reply, "result"), "result"), "value");
}

static int error_code(json_t *reply)
{
    return (int)json_member_number(json_object_get(reply, "error"), "code", 0);
}

static void test_chrome_reads_what_clients_write(void **state)
{
    (void)state;
    struct rig rig;
    struct client client;
    open_rig(&rig);
    join(&client, &rig.place);
    CLEANUP_FREE char *session_id = open_tab(&client, 1);
    /* A NUL, half a pair and a whole one, text that is not ASCII, and numbers. */
    json_t *reply = evaluate(&client, 10, session_id,
                             "['\\u0000','\\ud83d','\\ud83d\\ude00','\xC3\xA4\xE2\x82\xAC']"
                             ".map(x=>[...x].map(y=>y.codePointAt(0)).join()).join(' ')");
    assert_string_equal(json_string_value(value_of(reply)), "0 55357 128512 228,8364");
    assert_string_equal(json_member_string(reply, "sessionId"), session_id);
    reply = evaluate(&client, -2147483647, session_id, "'\xF0\x9F\x98\x80'+1/3");
    assert_string_equal(json_string_value(value_of(reply)), "\xF0\x9F\x98\x80"
                                                            "0.3333333333333333");
    CLEANUP_FREE char *text = letters(LONG_COMMAND, 'A');
    CLEANUP_FREE char *expression = xasprintf("'%s'.length", text);
    reply = evaluate(&client, 2147483647, session_id, expression);
    assert_int_equal(json_integer_value(value_of(reply)), LONG_COMMAND);
    reply = evaluate(&client, 3, session_id, "'x'.repeat(5000000)");
    assert_int_equal(json_string_length(value_of(reply)), 5000000);
    assert_int_equal(error_code(call(&client, 20, "\"method\":\"No.such\"")), -32601);
    assert_int_equal(error_code(call(&client, 21, "\"method\":\"Page.enable\"")), -32601);
    leave(&client);
    close_rig(&rig);
}

/* Whether our own connection can speak to it. */
static bool has_session(struct rig *rig, const char *session_id)
{
    struct br_error err;
    struct cdp_client *own = cdp_client_create(browser_life_connection(rig->life), NULL, NULL);
    cdp_client_set_deadline(own, deadline_in_ms(ANSWER_MS));
    bool is_there = cdp_call(own, session_id, "Runtime.enable", NULL, NULL, &err);
    cdp_client_destroy(own);
    return is_there;
}

static void test_clients_see_nothing_of_each_other_and_leave_nothing(void **state)
{
    (void)state;
    struct rig rig;
    struct client first;
    struct client second;
    open_rig(&rig);
    join(&first, &rig.place);
    join(&second, &rig.place);
    CLEANUP_FREE char *of_first = open_tab(&first, 1);
    CLEANUP_FREE char *of_second = open_tab(&second, 1);
    assert_int_equal(error_code(evaluate(&second, 3, of_first, "1")), CDP_SESSION_NOT_FOUND);
    assert_int_equal(json_integer_value(value_of(evaluate(&second, 4, of_second, "1+1"))), 2);
    assert_true(has_session(&rig, of_first));
    leave(&first);
    /* Behind its detaching, on the same thread of the relay. */
    struct client last;
    join(&last, &rig.place);
    result_text(call(&last, 1, "\"method\":\"Browser.getVersion\""), "product");
    assert_false(has_session(&rig, of_first));
    assert_int_equal(json_integer_value(value_of(evaluate(&second, 5, of_second, "2+1"))), 3);
    leave(&second);
    leave(&last);
    close_rig(&rig);
}

static void test_clients_learn_that_the_browser_was_killed(void **state)
{
    (void)state;
    struct rig rig;
    struct client client;
    open_rig(&rig);
    join(&client, &rig.place);
    call(&client, 1, "\"method\":\"Browser.getVersion\"");
    send_text(&client, "{\"id\":2,\"method\":\"Browser.crash\"}");
    await_closed(&client, CDP_SINK_GONE, "");
    leave(&client);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chrome_reads_what_clients_write),
        cmocka_unit_test(test_clients_see_nothing_of_each_other_and_leave_nothing),
        cmocka_unit_test(test_clients_learn_that_the_browser_was_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
