/* How debug-bridge's relay parses messages, and the members of its sessions. */
#include "runner/base/memory.h"
#include "runner/servers/debug_bridge/messages.h"
#include "runner/servers/debug_bridge/peers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool scan(const char *text, struct bridge_message *message)
{
    return bridge_scan(text, strlen(text), message);
}

static void scan_finds_the_top_level(void **state)
{
    (void)state;
    struct bridge_message message;
    const char *text = " { \"a\" : {\"type\":\"inner\", \"requestId\":[\"}\"]}, \"type\":\"click\","
                       "\"requestId\" : 7,\"appId\":\"\\u0061b\" , \"protocolVersion\":1 } \n";
    assert_true(scan(text, &message));
    assert_true(bridge_value_is(message.type, "click"));
    assert_false(bridge_value_is(message.type, "clic"));
    assert_int_equal(text[message.close], '}');
    assert_int_equal(message.origin.length, 0);
    assert_false(message.is_empty);
    char *id = bridge_value_text(message.request_id);
    char *app = bridge_value_text(message.app_id);
    assert_string_equal(id, "7");
    assert_string_equal(app, "ab");
    assert_null(bridge_value_text(message.origin));
    free(id);
    free(app);
    assert_true(scan("{}", &message));
    assert_true(message.is_empty);
    assert_int_equal(message.close, 1);
}

static void scan_refuses(void **state)
{
    (void)state;
    struct bridge_message message;
    static const char *const broken[] = {
        "",           " ",
        "[]",         "null",
        "{",          "}",
        "{}}",        "{} x",
        "{\"a\"}",    "{\"a\":}",
        "{\"a\":1",   "{\"a\":1,}",
        "{,}",        "{\"a\":1 \"b\":2}",
        "{a:1}",      "{\"a:1}",
        "{\"a\":\"}", "{\"a\":[1}",
        "{\"a\":1,",  "{\"a\" 1}",
    };
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        if (scan(broken[i], &message)) {
            fail_msg("taken for an object: %s", broken[i]);
        }
    }
    assert_false(bridge_scan("{\"a\":\"\0\"}", 9, &message));
}

static const char *names(const struct peer *peer)
{
    static char text[200];
    size_t length = 0;
    char *event = bridge_event_text(peer, true, &length);
    snprintf(text, sizeof(text), "%s", strstr(event, "\"connectedApps\""));
    free(event);
    return text;
}

static void sessions_know_who_is_there(void **state)
{
    (void)state;
    struct peers peers = { 0 };
    struct peer *one = peers_add(&peers, "s", true, "a", 1);
    struct peer *two = peers_add(&peers, "s", true, "a", 2);
    struct peer *agent = peers_add(&peers, "s", false, "", 3);
    struct peer *other = peers_add(&peers, "t", true, "b", 4);
    assert_ptr_equal(peers_find(&peers, 2), two);
    assert_null(peers_find(&peers, 5));
    assert_ptr_equal(one->session, agent->session);
    assert_ptr_not_equal(one->session, other->session);
    assert_string_equal(names(agent), "\"connectedApps\":[\"a\"],\"connectedAgents\":1}");
    peers_remove(&peers, two, 100);
    peer_free(two);
    peers_remove(&peers, agent, 100);
    assert_string_equal(names(agent), "\"connectedApps\":[\"a\"],\"connectedAgents\":0}");
    peer_free(agent);
    peers_sweep(&peers, 10000, 1000);
    assert_int_equal(peers.sessions.count, 2);
    peers_remove(&peers, other, 9500);
    peer_free(other);
    peers_sweep(&peers, 10000, 1000);
    assert_int_equal(peers.sessions.count, 2);
    peers_sweep(&peers, 10500, 1000);
    assert_int_equal(peers.sessions.count, 1);
    peers_finish(&peers);
}

static void names_are_given_again(void **state)
{
    (void)state;
    struct peers peers = { 0 };
    char *names[BRIDGE_FREE_IDS + 2];
    for (size_t i = 0; i < BRIDGE_FREE_IDS + 2; i++) {
        names[i] = xstrdup(peers_add(&peers, "s", true, "", i + 1)->name);
        assert_true(i == 0 || strcmp(names[i], names[i - 1]) != 0);
    }
    for (size_t i = 0; i < BRIDGE_FREE_IDS + 2; i++) {
        struct peer *peer = peers_find(&peers, i + 1);
        peers_remove(&peers, peer, 0);
        peer_free(peer);
    }
    /* The two oldest are forgotten; an agent never gets the name of an app. */
    assert_string_not_equal(peers_add(&peers, "s", false, "", 100)->name, names[2]);
    assert_string_equal(peers_add(&peers, "s", true, "", 101)->name, names[2]);
    assert_string_equal(peers_add(&peers, "s", true, "given", 102)->name, "given");
    assert_string_equal(peers_add(&peers, "s", true, "", 103)->name, names[3]);
    for (size_t i = 0; i < BRIDGE_FREE_IDS + 2; i++) {
        free(names[i]);
    }
    peers_finish(&peers);
}

static void results_go_to_who_asked_first(void **state)
{
    (void)state;
    struct peers peers = { 0 };
    struct peer *app = peers_add(&peers, "s", true, "a", 1);
    assert_int_equal(peer_take_asked(app, "x"), 0);
    peer_note_asked(app, "x", 2);
    peer_note_asked(app, NULL, 3);
    peer_note_asked(app, "x", 4);
    assert_int_equal(peer_take_asked(app, "y"), 0);
    assert_int_equal(peer_take_asked(app, "x"), 2);
    assert_int_equal(peer_take_asked(app, "x"), 4);
    assert_int_equal(peer_take_asked(app, "x"), 0);
    peer_note_asked(app, "z", 5);
    assert_int_equal(peer_take_asked(app, NULL), 3);
    assert_int_equal(peer_take_asked(app, "z"), 5);
    for (uint64_t i = 0; i <= BRIDGE_MAX_ASKED; i++) {
        char id[24];
        snprintf(id, sizeof(id), "%d", (int)i);
        peer_note_asked(app, id, i + 10);
    }
    assert_int_equal(peer_take_asked(app, "0"), 0);
    assert_int_equal(peer_take_asked(app, "1"), 11);
    peers_finish(&peers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scan_finds_the_top_level),      cmocka_unit_test(scan_refuses),
        cmocka_unit_test(sessions_know_who_is_there),    cmocka_unit_test(names_are_given_again),
        cmocka_unit_test(results_go_to_who_asked_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
