/*
 * What a program hears of its browser and session beside the responses, by the public headers
 * alone: the status of both, the pid, the journal; while an action runs, and behind the browser's
 * death.
 */
#include <browser_runner/session.h>

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LIMIT_MS = 30000, STEP_US = 10000 };

static struct br_browser *browser;
static struct br_session *session;

static struct br_action *make(const char *type, const char *path, const char *text)
{
    struct br_error err;
    struct br_action *action = br_action_create(type);
    if ((path && !br_action_set_text(action, path, text, &err)) ||
        !br_action_set_number(action, "timeout", LIMIT_MS, &err) ||
        !br_action_validate(action, &err)) {
        fail_msg("%s: %s", type, err.message);
    }
    return action;
}

static void run(const char *type, const char *path, const char *text)
{
    struct br_action *action = make(type, path, text);
    struct br_response *response = br_session_run(session, action);
    if (!response->success) {
        fail_msg("%s: %s", type, response->error.message);
    }
    br_response_destroy(response);
    br_action_destroy(action);
}

static struct br_session_status status(void)
{
    struct br_session_status found;
    br_session_get_status(session, &found);
    return found;
}

static struct br_browser_status browser_status(void)
{
    struct br_browser_status found;
    br_browser_get_status(browser, &found);
    return found;
}

static int set_up(void **state)
{
    struct br_error err;
    struct br_browser_options browser_options = BR_BROWSER_OPTIONS_INIT;
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    (void)state;
    browser_options.temp_profile = true;
    options.screenshots = BR_SCREENSHOTS_NONE;
    browser = br_browser_open(&browser_options, &err);
    session = browser ? br_session_open(browser, &options, &err) : NULL;
    return session ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    br_session_close(session);
    br_browser_close(browser);
    return 0;
}

static void test_status_before_and_after_an_action(void **state)
{
    (void)state;
    assert_false(browser_status().is_there);
    assert_int_equal(browser_status().pid, 0);
    assert_int_equal(status().state, BR_SESSION_IDLE);
    assert_false(status().has_page);
    assert_int_equal(status().action_id, 0);
    assert_string_equal(status().action_type, "");
    run("start", "url", "data:text/html,<title>here</title>");
    assert_true(browser_status().is_there);
    assert_int_equal(kill((pid_t)browser_status().pid, 0), 0);
    assert_int_equal(browser_status().starts, 1);
    assert_int_equal(browser_status().sessions, 1);
    assert_int_equal(status().state, BR_SESSION_IDLE);
    assert_true(status().has_page);
    assert_int_equal(status().action_id, 1);
    assert_string_equal(status().action_type, "start");
    assert_true(status().sequence > 0 && status().action_at_ms > 0);
    assert_int_equal(status().generation, 1);
    run("stop", NULL, NULL);
    assert_false(browser_status().is_there);
    assert_int_equal(browser_status().pid, 0);
    assert_int_equal(browser_status().sessions, 0);
    assert_false(status().has_page);
}

static void *wait_for_nothing(void *data)
{
    struct br_action *action = make("wait", "selector", "#never");
    struct br_response *response = br_session_run(session, action);
    *(enum br_code *)data = response->error.code;
    br_response_destroy(response);
    br_action_destroy(action);
    return NULL;
}

/* Whatever else that says about the session, it says so within the limit. */
static void await(enum br_session_state wanted, const char *type)
{
    for (int i = 0; i < LIMIT_MS * 1000 / STEP_US; i++) {
        struct br_session_status now = status();
        if (now.state == wanted && strcmp(now.action_type, type) == 0) {
            return;
        }
        usleep(STEP_US);
    }
    fail_msg("never %d in %s", wanted, type);
}

static void test_status_while_an_action_runs(void **state)
{
    pthread_t thread;
    enum br_code code = BR_OK;
    (void)state;
    run("start", "url", "data:text/html,<title>here</title>");
    assert_int_equal(pthread_create(&thread, NULL, wait_for_nothing, &code), 0);
    await(BR_SESSION_RUNNING, "wait");
    assert_int_equal(status().action_id, 2);
    assert_true(br_session_cancel(session));
    pthread_join(thread, NULL);
    assert_int_equal(code, BR_CANCELLED);
    assert_int_equal(status().state, BR_SESSION_IDLE);
    br_session_interrupt(session);
    assert_int_equal(status().state, BR_SESSION_INTERRUPTED);
}

static void test_status_behind_the_death_of_the_browser(void **state)
{
    (void)state;
    run("start", "url", "data:text/html,<title>here</title>");
    int64_t pid = browser_status().pid;
    assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
    /* The first action may be the one that finds out. */
    struct br_action *action = make("evaluate", "expression", "1 + 1");
    br_response_destroy(br_session_run(session, action));
    br_action_destroy(action);
    run("evaluate", "expression", "1 + 1");
    assert_int_equal(browser_status().starts, 2);
    assert_true(browser_status().pid && browser_status().pid != pid);
    assert_int_equal(status().generation, 2);
}

static void test_the_journal_is_read_by_its_cursor(void **state)
{
    struct br_journal all, part, rest, console, none;
    (void)state;
    run("start", "url", "data:text/html,<title>here</title>");
    br_session_journal(session, 0, 0, 0, &all);
    assert_true(all.count > 2 && all.lost == 0 && !all.has_more);
    for (size_t i = 1; i < all.count; i++) {
        assert_true(all.events[i]->sequence > all.events[i - 1]->sequence);
    }
    run("evaluate", "expression", "console.log('one'), console.log('two'), console.log('three')");
    br_session_journal(session, all.next, 0, 1u << BR_EVENT_CONSOLE, &console);
    assert_int_equal(console.count, 3);
    assert_string_equal(console.events[2]->as.log.message, "three");
    br_session_journal(session, all.next, 2, 1u << BR_EVENT_CONSOLE, &part);
    assert_int_equal(part.count, 2);
    assert_true(part.has_more);
    br_session_journal(session, part.next, 2, 1u << BR_EVENT_CONSOLE, &rest);
    assert_int_equal(rest.count, 1);
    assert_false(rest.has_more);
    assert_true(rest.events[0] == console.events[2]);
    br_session_journal(session, rest.next, 0, 0, &none);
    assert_int_equal(none.count, 0);
    /* One that is held outlives the journal that it came with. */
    const struct br_event *kept = br_event_hold(rest.events[0]);
    br_journal_finish(&all);
    br_journal_finish(&part);
    br_journal_finish(&rest);
    br_journal_finish(&console);
    br_journal_finish(&none);
    br_journal_finish(&none);
    assert_string_equal(kept->as.log.message, "three");
    br_event_release(kept);
}

static void test_an_action_that_was_not_checked_is_refused(void **state)
{
    struct br_error err;
    (void)state;
    struct br_action *action = br_action_create("start");
    assert_true(br_action_set_text(action, "url", "about:blank", &err));
    struct br_response *response = br_session_run(session, action);
    assert_int_equal(response->error.code, BR_INVALID_ACTION);
    assert_non_null(strstr(response->error.message, "br_action_validate()"));
    assert_false(browser_status().is_there);
    br_response_destroy(response);
    br_action_destroy(action);
}

#define WITH_BROWSER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BROWSER(test_status_before_and_after_an_action),
        WITH_BROWSER(test_status_while_an_action_runs),
        WITH_BROWSER(test_status_behind_the_death_of_the_browser),
        WITH_BROWSER(test_the_journal_is_read_by_its_cursor),
        WITH_BROWSER(test_an_action_that_was_not_checked_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
