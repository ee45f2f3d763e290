/* The setup of most tests of the connection: a fake browser, a connection to it and one client. */
#ifndef TESTS_INTEGRATION_CDP_FIXTURE_H
#define TESTS_INTEGRATION_CDP_FIXTURE_H

#include "tests/integration/fake_browser.h"
#include "tests/slowness.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Long enough for any machine: a wait that reaches it is a failure. */
#define FIXTURE_PATIENCE_MS slow_ms(60000)

struct cdp_fixture {
    struct fake_browser *fake;
    struct loop *loop;
    struct cdp_connection *connection;
    struct cdp_client *client;
    size_t event_count; /* events received by the client */
    char last_event[64];
    char last_session[64];
    json_int_t last_number; /* params.n of the last event; -1 without */
};

static inline void fixture_on_event(void *data, const char *session_id, const char *method,
                                    json_t *params)
{
    struct cdp_fixture *fixture = data;
    fixture->event_count++;
    snprintf(fixture->last_event, sizeof(fixture->last_event), "%s", method);
    snprintf(fixture->last_session, sizeof(fixture->last_session), "%s", session_id);
    fixture->last_number = (json_int_t)json_member_number(params, "n", -1);
}

static inline void fixture_open(struct cdp_fixture *fixture, enum fake_mode mode,
                                const char *transcript)
{
    struct br_error err;
    *fixture = (struct cdp_fixture){ .fake = fake_browser_start(mode, transcript) };
    fixture->loop = loop_create(false, &err);
    assert_non_null(fixture->loop);
    struct transport *transport = fake_browser_connect(fixture->fake, fixture->loop);
    fixture->connection = cdp_connection_create(transport, &err);
    assert_non_null(fixture->connection);
    fixture->client = cdp_client_create(fixture->connection, fixture_on_event, fixture);
}

static inline void fixture_close(struct cdp_fixture *fixture)
{
    cdp_client_destroy(fixture->client);
    cdp_connection_destroy(fixture->connection);
    loop_destroy(fixture->loop);
    fake_browser_finish(fixture->fake);
}

/* Returns the text `value` of a call's result; "" with an error on failure. Caller frees. */
static inline char *fixture_call(struct cdp_client *client, const char *session_id,
                                 const char *method, struct br_error *err)
{
    json_auto_t *result = NULL;
    *err = (struct br_error){ 0 };
    cdp_call(client, session_id, method, NULL, &result, err);
    const char *value = json_member_string(result, "value");
    return xstrdup(value ? value : "");
}

static inline void assert_call(struct cdp_client *client, const char *method, const char *expected)
{
    struct br_error err;
    CLEANUP_FREE char *value = fixture_call(client, NULL, method, &err);
    if (strcmp(value, expected) != 0) {
        fail_msg("%s: \"%s\" instead of \"%s\": %s", method, value, expected, err.message);
    }
}

static inline void assert_error(const struct br_error *err, enum br_code code, const char *words)
{
    if (err->code != code || !strstr(err->message, words)) {
        fail_msg("%s: %s (wanted: %s, %s)", br_code_name(err->code), err->message,
                 br_code_name(code), words);
    }
}

static inline void assert_call_fails(struct cdp_client *client, const char *method,
                                     enum br_code code, const char *words)
{
    struct br_error err;
    CLEANUP_FREE char *value = fixture_call(client, NULL, method, &err);
    assert_string_equal(value, "");
    assert_error(&err, code, words);
}

static inline bool fixture_never(void *data)
{
    (void)data;
    return false;
}

/* Waits until the client learns that the connection is closed. */
static inline void fixture_await_close(struct cdp_client *client, const char *words)
{
    struct br_error err;
    struct deadline deadline = deadline_in_ms(FIXTURE_PATIENCE_MS);
    assert_false(cdp_wait(client, fixture_never, NULL, "the end", deadline, &err));
    assert_error(&err, BR_DISCONNECTED, words);
}

/* Runs each test over both transports: the state is the mode. */
static inline enum fake_mode fixture_mode(void **state)
{
    return *(const enum fake_mode *)*state;
}

__attribute__((unused)) static enum fake_mode fixture_pipe = FAKE_PIPE;
__attribute__((unused)) static enum fake_mode fixture_websocket = FAKE_WEBSOCKET;

#define OVER_PIPE(test)                                                                            \
    {                                                                                              \
#test " (pipe)", test, NULL, NULL, &fixture_pipe                                           \
    }
#define OVER_WEBSOCKET(test)                                                                       \
    {                                                                                              \
#test " (websocket)", test, NULL, NULL, &fixture_websocket                                 \
    }
#define OVER_BOTH(test) OVER_PIPE(test), OVER_WEBSOCKET(test)

#endif
