#include "tests/integration/session_rig.h"

#include "runner/base/action.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/chrome/browser.h"

#include <string.h>

struct br_session_options rig_options(void)
{
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    options.timeout_ms = (int)slow_ms(10000);
    options.screenshots = BR_SCREENSHOTS_NONE;
    return options;
}

void rig_open(struct rig *rig, const struct br_session_options *options)
{
    struct br_error err;
    struct br_session_options own = options ? *options : rig_options();
    *rig = (struct rig){ .fake = fake_browser_start(FAKE_WEBSOCKET, "page.jsonl") };
    const char *host = fake_browser_url(rig->fake) + strlen("http");
    CLEANUP_FREE char *url = xasprintf("ws%s/devtools/browser/fake", host);
    rig->browser = br_browser_open(&(struct br_browser_options){ .connect = url }, &err);
    rig->timeout_ms = own.timeout_ms;
    rig->session = rig->browser ? br_session_open(rig->browser, &own, &err) : NULL;
    if (!rig->session) {
        fail_msg("%s", err.message);
    }
}

void rig_start(struct rig *rig)
{
    rig_open(rig, NULL);
    rig_expect(rig, "{'type':'start','url':'" RIG_URL "'}", (struct outcome){ .attempts = 1 });
}

int64_t rig_end_session(struct rig *rig)
{
    int64_t began_ms = clock_monotonic_ms();
    br_session_close(TAKE(rig->session));
    br_browser_close(TAKE(rig->browser));
    return clock_monotonic_ms() - began_ms;
}

void rig_close(struct rig *rig)
{
    br_response_destroy(TAKE(rig->response));
    int64_t took_ms = rig_end_session(rig);
    fake_browser_finish(rig->fake);
    if (took_ms > RIG_SLACK_MS) {
        fail_msg("the session took %lld ms to end", (long long)took_ms);
    }
    if (rig->late) {
        fail_msg("%s", rig->late);
    }
}

int rig_set_up(void **state)
{
    *state = xcalloc(1, sizeof(struct rig));
    rig_start(*state);
    return 0;
}

int rig_tear_down(void **state)
{
    rig_close(*state);
    free(*state);
    return 0;
}

struct browser_life *rig_life(struct rig *rig)
{
    struct br_error err;
    struct br_browser_status before, after;
    br_browser_get_status(rig->browser, &before);
    struct browser_life *life =
        browser_ensure(rig->browser, 0, NULL, deadline_in_ms(slow_ms(10000)), &err);
    if (!life) {
        fail_msg("%s", err.message);
    }
    br_browser_get_status(rig->browser, &after);
    assert_int_equal(after.starts, before.starts);
    return life;
}

void rig_await_drop(struct browser_life *life)
{
    struct deadline deadline = deadline_in_ms(slow_ms(20000));
    while (browser_life_is_open(life)) {
        assert_false(deadline_passed(deadline));
        usleep(1000);
    }
    browser_life_release(life);
}

void rig_drop(struct rig *rig, const char *steps)
{
    struct browser_life *life = rig_life(rig);
    rig_play(rig, steps);
    rig_await_drop(life);
}

struct br_response *rig_run(struct rig *rig, const char *text)
{
    struct br_error err;
    CLEANUP_FREE char *json = fake_quoted(text);
    CLEANUP_ACTION struct br_action *action = br_action_from_json(json, strlen(json), &err);
    if (!action) {
        fail_msg("%s: %s", text, err.message);
    }
    action->is_part = rig->is_part;
    int64_t limit_ms =
        (int64_t)json_member_number(action->params, "timeout", rig->timeout_ms) + RIG_SLACK_MS;
    int64_t began_ms = clock_monotonic_ms();
    br_response_destroy(TAKE(rig->response));
    rig->response = br_session_run(rig->session, action);
    rig->took_ms = clock_monotonic_ms() - began_ms;
    if (rig->took_ms > limit_ms && !rig->late) {
        rig->late = xasprintf("%s took %lld ms of at most %lld: %s", text, (long long)rig->took_ms,
                              (long long)limit_ms, rig->response->error.message);
    }
    return rig->response;
}

/* Describes the last action, for a test that fails. */
static char *describe(const struct rig *rig)
{
    CLEANUP_FREE char *json = br_response_to_json(rig->response);
    return xasprintf("%.4000s", json);
}

void rig_expect(struct rig *rig, const char *action, struct outcome outcome)
{
    const struct br_response *response = rig_run(rig, action);
    enum br_code code = response->success ? BR_OK : response->error.code;
    bool is_count = outcome.attempts == 0 || response->attempts == outcome.attempts;
    if (code != outcome.code || !is_count || response->recovered != outcome.is_recovered) {
        CLEANUP_FREE char *text = describe(rig);
        fail_msg("%s: wanted %s, %d attempts, %srecovered; came %s", action,
                 br_code_name(outcome.code), outcome.attempts, outcome.is_recovered ? "" : "not ",
                 text);
    }
}

bool rig_has_log(const struct rig *rig, const char *category, const char *words)
{
    for (size_t i = 0; i < rig->response->log_count; i++) {
        const struct br_log *log = &rig->response->logs[i];
        if (log->source == BR_SOURCE_TOOL && log->category &&
            strcmp(log->category, category) == 0 && strstr(log->message, words)) {
            return true;
        }
    }
    return false;
}

void rig_expect_log(const struct rig *rig, const char *category, const char *words)
{
    if (!rig_has_log(rig, category, words)) {
        CLEANUP_FREE char *text = describe(rig);
        fail_msg("no log of %s with \"%s\": %s", category, words, text);
    }
}

void rig_expect_hint(const struct rig *rig, const char *words)
{
    if (!strstr(rig->response->error.hint, words)) {
        fail_msg("the hint is \"%s\", without \"%s\"", rig->response->error.hint, words);
    }
}

void rig_play(struct rig *rig, const char *steps)
{
    fake_play(rig->fake, steps);
}

size_t rig_find(struct rig *rig, const char *pattern, size_t from)
{
    return fake_find(rig->fake, pattern, from);
}

size_t rig_count(struct rig *rig, const char *pattern)
{
    return fake_count(rig->fake, pattern);
}

void rig_await_count(struct rig *rig, const char *pattern, size_t count)
{
    fake_await_count(rig->fake, pattern, count);
}

void rig_expect_order(struct rig *rig, const char *const *patterns)
{
    fake_expect_order(rig->fake, patterns);
}
