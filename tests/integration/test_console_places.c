/*
 * The hub and the scripts of pages: events that wait for a script, their order, and how waits end.
 */
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/thread.h"
#include "runner/console/scripts.h"
#include "runner/servers/console_bridge/hub.h"
#include "tests/integration/fake_server.h"
#include "tests/slowness.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_MS = 60000, LOOK_MS = 50, SCRIPTS = 300 };

/* Column 1 of a script is line 11, column 1 of app.ts. */
static const char map[] = "{\"sources\":[\"app.ts\"],\"mappings\":\"AAUA\"}";

/*
 * A server and a hub. Requests for slow.js are answered when the gate is open, those for none.js
 * with 404.
 */
struct rig {
    struct fake_server *server;
    pthread_t thread;
    struct loop *loop;
    struct console_hub *hub;
    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t changed;
    struct strbuf told;
    bool is_open, is_ending;
    size_t requests;
};

static void answer(int fd, int status, const char *body)
{
    CLEANUP_FREE char *text =
        xasprintf("HTTP/1.1 %d Said\r\nContent-Length: %zu\r\n\r\n%s", status, strlen(body), body);
    /* The client may have disconnected. */
    ssize_t ignored = send(fd, text, strlen(text), MSG_NOSIGNAL);
    (void)ignored;
}

static bool await_gate(struct rig *rig)
{
    pthread_mutex_lock(&rig->mutex);
    rig->requests++;
    pthread_cond_broadcast(&rig->changed);
    while (!rig->is_open && !rig->is_ending) {
        pthread_cond_wait(&rig->changed, &rig->mutex);
    }
    bool is_open = rig->is_open;
    pthread_mutex_unlock(&rig->mutex);
    return is_open;
}

static bool is_ending(struct rig *rig)
{
    pthread_mutex_lock(&rig->mutex);
    bool is = rig->is_ending;
    pthread_mutex_unlock(&rig->mutex);
    return is;
}

static void *serve(void *data)
{
    struct rig *rig = data;
    while (!is_ending(rig)) {
        char request[4000];
        int fd = fake_server_take_request(rig->server, request, sizeof(request),
                                          deadline_in_ms(LOOK_MS));
        if (fd < 0) {
            continue;
        }
        if (strstr(request, "/none")) {
            answer(fd, 404, "");
        } else if (strstr(request, ".map")) {
            answer(fd, 200, map);
        } else if (!strstr(request, "/slow") || await_gate(rig)) {
            answer(fd, 200, "f();\n//# sourceMappingURL=app.js.map\n");
        }
        close(fd);
    }
    return NULL;
}

static void on_text(void *data, const char *text, bool is_urgent)
{
    struct rig *rig = data;
    (void)is_urgent;
    pthread_mutex_lock(&rig->mutex);
    strbuf_add_string(&rig->told, text);
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->mutex);
}

static void start(struct rig *rig)
{
    struct br_error err = { 0 };
    *rig = (struct rig){ .server = fake_server_create(), .told = STRBUF_INIT(STRBUF_UNCAPPED) };
    pthread_mutex_init(&rig->mutex, NULL);
    condition_init(&rig->changed);
    rig->loop = loop_create(false, &err);
    assert_non_null(rig->server);
    assert_non_null(rig->loop);
    struct console_hub_options options = { .loop = rig->loop };
    options.output.on_text = on_text;
    options.output.data = rig;
    options.output.print = (struct console_print)CONSOLE_PRINT_INIT;
    options.output.print.has_location = true;
    options.output.print.time = TIME_NONE;
    options.output.print.source = SOURCE_NONE;
    rig->hub = console_hub_create(&options, &err);
    assert_non_null(rig->hub);
    assert_int_equal(thread_start(&rig->thread, serve, rig), 0);
    console_hub_open(rig->hub, 1, NULL);
}

static void set(struct rig *rig, bool *flag)
{
    pthread_mutex_lock(&rig->mutex);
    *flag = true;
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->mutex);
}

static void finish(struct rig *rig)
{
    console_hub_destroy(rig->hub);
    set(rig, &rig->is_ending);
    pthread_join(rig->thread, NULL);
    loop_destroy(rig->loop);
    fake_server_destroy(rig->server);
    strbuf_finish(&rig->told);
    pthread_cond_destroy(&rig->changed);
    pthread_mutex_destroy(&rig->mutex);
}

/* `script` NULL: without a location. */
static void say(struct rig *rig, int tab, const char *method, const char *text, const char *script)
{
    const char *url = fake_server_url(rig->server);
    CLEANUP_FREE char *place =
        script ? xasprintf(",\"location\":{\"url\":\"%s/%s\",\"line\":1,\"column\":1}", url, script)
               : xstrdup("");
    CLEANUP_FREE char *message = xasprintf(
        "{\"version\":\"1.0.0\",\"type\":\"console_event\",\"timestamp\":\"2025-10-07T12:34:56Z\","
        "\"source\":{\"tabId\":%d,\"url\":\"%s/\"},\"payload\":{\"method\":\"%s\",\"args\":[{"
        "\"type\":\"string\",\"value\":\"%s\"}]%s}}",
        tab, url, method, text, place);
    console_hub_message(rig->hub, 1, message, strlen(message));
}

/* Returns the position of the text in the output; fails the test if it does not appear. */
static size_t await(struct rig *rig, const char *text)
{
    struct deadline deadline = deadline_in_ms(PATIENCE_MS);
    const char *found;
    pthread_mutex_lock(&rig->mutex);
    while (!(found = strstr(rig->told.data, text)) &&
           condition_wait(&rig->changed, &rig->mutex, deadline)) {
    }
    size_t at = found ? (size_t)(found - rig->told.data) : 0;
    pthread_mutex_unlock(&rig->mutex);
    if (!found) {
        fail_msg("\"%s\" was not told", text);
    }
    return at;
}

static void await_request(struct rig *rig)
{
    struct deadline deadline = deadline_in_ms(PATIENCE_MS);
    pthread_mutex_lock(&rig->mutex);
    while (rig->requests == 0 && condition_wait(&rig->changed, &rig->mutex, deadline)) {
    }
    assert_true(rig->requests > 0);
    pthread_mutex_unlock(&rig->mutex);
}

static void test_order_while_a_script_is_waited_for(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig);
    CLEANUP_FREE char *mapped =
        xasprintf("log: first (%s/app.ts:11:1)\nlog: ▼ inside\nlog:   last (%s/app.ts:11:1)\n",
                  fake_server_url(rig.server), fake_server_url(rig.server));
    say(&rig, 1, "log", "first", "slow.js");
    say(&rig, 1, "group", "inside", NULL);
    say(&rig, 1, "log", "last", "slow.js");
    await_request(&rig);
    say(&rig, 2, "log", "of another tab", NULL);
    size_t other = await(&rig, "log: of another tab\n");
    set(&rig, &rig.is_open);
    assert_true(other < await(&rig, mapped));
    finish(&rig);
}

static void test_the_end_waits_for_nothing(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig);
    CLEANUP_FREE char *plain =
        xasprintf("log: first (%s/slow.js:1:1)\nlog: second\nconnection 1 gone\n",
                  fake_server_url(rig.server));
    say(&rig, 1, "log", "first", "slow.js");
    say(&rig, 1, "log", "second", NULL);
    await_request(&rig);
    int64_t began_ms = clock_monotonic_ms();
    console_hub_destroy(TAKE(rig.hub));
    assert_true(is_soon(clock_monotonic_ms() - began_ms, SCRIPTS_WAIT_MS));
    await(&rig, plain);
    finish(&rig);
}

static void test_who_goes_is_told_to_the_end(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig);
    CLEANUP_FREE char *mapped =
        xasprintf("log: first (%s/app.ts:11:1)\nconnection 1 gone\n", fake_server_url(rig.server));
    say(&rig, 1, "log", "first", "slow.js");
    console_hub_close(rig.hub, 1);
    await_request(&rig);
    set(&rig, &rig.is_open);
    await(&rig, mapped);
    finish(&rig);
}

/* More scripts than are kept, and than can be fetched at once: nothing is lost in any case. */
static void test_many_scripts(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig);
    for (int i = 0; i < SCRIPTS; i++) {
        CLEANUP_FREE char *text = xasprintf("call %d.", i);
        CLEANUP_FREE char *script = xasprintf("%s.js?%d", i % 3 ? "app" : "none", i);
        say(&rig, i % 5, "log", text, script);
    }
    size_t last[5] = { 0 };
    for (int i = 0; i < SCRIPTS; i++) {
        CLEANUP_FREE char *text = xasprintf("log: call %d. ", i);
        size_t at = await(&rig, text);
        assert_true(i < 5 || at > last[i % 5]);
        last[i % 5] = at;
    }
    /* The first one is among those that were fetched. */
    CLEANUP_FREE char *plain = xasprintf("call 0. (%s/none.js?0:1:1)", fake_server_url(rig.server));
    CLEANUP_FREE char *mapped = xasprintf("call 1. (%s/app.ts:11:1)", fake_server_url(rig.server));
    await(&rig, plain);
    await(&rig, mapped);
    finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_while_a_script_is_waited_for),
        cmocka_unit_test(test_the_end_waits_for_nothing),
        cmocka_unit_test(test_who_goes_is_told_to_the_end),
        cmocka_unit_test(test_many_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
