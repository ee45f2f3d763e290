/* The console hub: sources on many threads, limits, and events of our own pages. */
#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/servers/console_bridge/hub.h"
#include "tests/slowness.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, CALLS = 300 };

/* The hub's output; used by its thread until that has ended. */
struct heard {
    struct strbuf text;
    size_t lines, urgent;
    size_t replies;
    size_t dropped; /* the sum of all replies */
    char last_reply[2000];
    atomic_int rooms;
    pthread_mutex_t gate; /* blocks on_text while it is locked */
    pthread_cond_t came;  /* a text did */
};

static void on_text(void *data, const char *text, bool is_urgent)
{
    struct heard *heard = data;
    pthread_mutex_lock(&heard->gate);
    strbuf_add_string(&heard->text, text);
    heard->lines++;
    heard->urgent += is_urgent;
    pthread_cond_signal(&heard->came);
    pthread_mutex_unlock(&heard->gate);
}

static void on_reply(void *data, uint64_t id, const char *text, bool is_answer)
{
    struct heard *heard = data;
    (void)id;
    (void)is_answer;
    const char *dropped = strstr(text, "\"dropped\":");
    heard->replies++;
    heard->dropped += dropped ? strtoul(dropped + strlen("\"dropped\":"), NULL, 10) : 0;
    snprintf(heard->last_reply, sizeof(heard->last_reply), "%s", text);
}

static void on_room(void *data)
{
    struct heard *heard = data;
    atomic_fetch_add(&heard->rooms, 1);
}

static struct console_hub *start(struct heard *heard, struct console_hub_options options)
{
    struct br_error err = { 0 };
    *heard = (struct heard){ .text = STRBUF_INIT(STRBUF_UNCAPPED) };
    pthread_mutex_init(&heard->gate, NULL);
    condition_init(&heard->came);
    options.output.print.time = TIME_NONE;
    options.output.print.methods = UINT32_MAX;
    options.output.on_text = on_text;
    options.output.data = heard;
    struct console_hub *hub = console_hub_create(&options, &err);
    assert_non_null(hub);
    console_hub_watch_room(hub, on_room, heard);
    return hub;
}

static void finish(struct heard *heard)
{
    strbuf_finish(&heard->text);
    pthread_cond_destroy(&heard->came);
    pthread_mutex_destroy(&heard->gate);
}

/* Waits until the hub has handed over a text with this part. */
static bool await_text(struct heard *heard, const char *part)
{
    struct deadline deadline = deadline_in_ms(slow_ms(10000));
    pthread_mutex_lock(&heard->gate);
    bool has_come = false;
    do {
        has_come = strstr(heard->text.data, part);
    } while (!has_come && condition_wait(&heard->came, &heard->gate, deadline));
    pthread_mutex_unlock(&heard->gate);
    return has_come;
}

/* Returns a console_event. Caller frees. */
static char *call_text(const char *method, int tab, const char *text)
{
    return xasprintf(
        "{\"version\":\"1.0.0\",\"type\":\"console_event\",\"timestamp\":\"2025-10-07T12:34:56Z\","
        "\"source\":{\"tabId\":%d},\"payload\":{\"method\":\"%s\",\"args\":[{\"type\":\"string\","
        "\"value\":\"%s\"}]}}",
        tab, method, text);
}

static bool post(struct console_hub *hub, uint64_t id, const char *method, int tab,
                 const char *text)
{
    CLEANUP_FREE char *message = call_text(method, tab, text);
    return console_hub_message(hub, id, message, strlen(message));
}

struct sender {
    struct console_hub *hub;
    uint64_t id;
};

static void *send_all(void *data)
{
    struct sender *sender = data;
    console_hub_open(sender->hub, sender->id, NULL);
    for (int i = 0; i < CALLS; i++) {
        post(sender->hub, sender->id, "count", i % 2, "x");
    }
    console_hub_close(sender->hub, sender->id);
    return NULL;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text += strlen(part);
    }
    return count;
}

static void sources_are_apart(void **state)
{
    (void)state;
    struct heard heard;
    struct console_hub *hub = start(&heard, (struct console_hub_options){ 0 });
    pthread_t threads[THREADS];
    struct sender senders[THREADS];
    for (int i = 0; i < THREADS; i++) {
        senders[i] = (struct sender){ hub, (uint64_t)i + 1 };
        assert_int_equal(pthread_create(&threads[i], NULL, send_all, &senders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    console_hub_destroy(hub);
    /* Each tab of each source counts from 1 to half of the calls. */
    CLEANUP_FREE char *last = xasprintf("log: x: %d\n", CALLS / 2);
    CLEANUP_FREE char *beyond = xasprintf("log: x: %d\n", CALLS / 2 + 1);
    assert_int_equal(count_of(heard.text.data, "log: x: 1\n"), 2 * THREADS);
    assert_int_equal(count_of(heard.text.data, last), 2 * THREADS);
    assert_int_equal(count_of(heard.text.data, beyond), 0);
    assert_int_equal(count_of(heard.text.data, " gone\n"), THREADS);
    finish(&heard);
}

static void a_tab_has_its_limit(void **state)
{
    (void)state;
    struct heard heard;
    struct console_peer peer = { .data = &heard, .on_reply = on_reply };
    struct console_hub *hub = start(&heard, (struct console_hub_options){ .max_rate = 10 });
    console_hub_open(hub, 1, &peer);
    int64_t began_ms = clock_monotonic_ms();
    for (int i = 0; i < 500; i++) {
        post(hub, 1, "log", 1, "plain");
    }
    post(hub, 1, "error", 1, "severe");
    post(hub, 1, "log", 2, "elsewhere");
    console_hub_destroy(hub);
    size_t shown = count_of(heard.text.data, "log: plain");
    size_t allowed = 20 + (size_t)(clock_monotonic_ms() - began_ms) * 10 / 1000;
    if (shown < 10 || shown > allowed) {
        fail_msg("%zu of 500 were shown", shown);
    }
    assert_int_equal(count_of(heard.text.data, "error: severe"), 1);
    assert_int_equal(count_of(heard.text.data, "log: elsewhere"), 1);
    assert_int_equal(count_of(heard.text.data, "dropped"), 1);
    assert_non_null(strstr(heard.last_reply, "\"RATE_LIMIT\""));
    assert_int_equal(heard.dropped, 500 - shown);
    finish(&heard);
}

static void a_source_forgets_old_tabs(void **state)
{
    (void)state;
    struct heard heard;
    struct console_hub *hub = start(&heard, (struct console_hub_options){ 0 });
    console_hub_open(hub, 1, NULL);
    for (int i = 0; i <= CONSOLE_MAX_TABS; i++) {
        post(hub, 1, "count", i, "x");
    }
    post(hub, 1, "count", CONSOLE_MAX_TABS, "x");
    post(hub, 1, "count", 0, "x");
    console_hub_destroy(hub);
    assert_int_equal(count_of(heard.text.data, "log: x: 2\n"), 1);
    assert_int_equal(count_of(heard.text.data, "log: x: 1\n"), CONSOLE_MAX_TABS + 2);
    finish(&heard);
}

static void asks_to_pause(void **state)
{
    (void)state;
    struct heard heard;
    struct console_hub *hub = start(&heard, (struct console_hub_options){ 0 });
    char text[1 << 16];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    console_hub_open(hub, 1, NULL);
    pthread_mutex_lock(&heard.gate);
    size_t count = 0;
    while (post(hub, 1, "log", 1, text)) {
        count++;
        assert_true(count < 1000);
    }
    assert_true(count > 200);
    assert_int_equal(atomic_load(&heard.rooms), 0);
    pthread_mutex_unlock(&heard.gate);
    console_hub_destroy(hub);
    assert_int_equal(atomic_load(&heard.rooms), 1);
    assert_int_equal(count_of(heard.text.data, "log: xxx"), count + 1);
    finish(&heard);
}

static void events_of_our_own(void **state)
{
    (void)state;
    struct heard heard;
    struct console_hub *hub = start(&heard, (struct console_hub_options){ .output.is_json = true });
    struct console_event *event = xcalloc(1, sizeof(*event));
    event->method = CONSOLE_WARN;
    event->args = xcalloc(1, sizeof(*event->args));
    event->args[0] = (struct console_value){ .kind = KIND_BIGINT, .text = xstrdup("10") };
    event->count = 1;
    event->source.tab = xstrdup("A1B2");
    event->source.url = xstrdup("http://localhost/");
    event->time_ms = 1000;
    console_hub_open(hub, CONSOLE_OWN_ID, NULL);
    assert_true(console_hub_event(hub, CONSOLE_OWN_ID, event, 100));
    console_hub_event(hub, CONSOLE_OWN_ID + 1, xcalloc(1, sizeof(*event)),
                      100); /* belongs to no tab */
    console_hub_destroy(hub);
    assert_non_null(strstr(
        heard.text.data,
        "{\"kind\":\"console\",\"connection\":1,\"timestamp\":\"1970-01-01T00:00:01.000Z\","
        "\"level\":\"warn\",\"groups\":0,\"text\":\"10n\",\"source\":{\"tabId\":\"A1B2\",\"url\":"
        "\"http://localhost/"
        "\"},\"method\":\"warn\",\"args\":[{\"type\":\"bigint\",\"value\":\"10\"}]}\n"));
    assert_int_equal(heard.lines, 3);
    finish(&heard);
}

/* One message must not keep the hub from all other sources for long. */
static void refuses_floods(void **state)
{
    (void)state;
    static const struct {
        size_t items;
        int replies;
    } cases[] = { { 3, 3 }, { 10000, CONSOLE_MAX_INVALID }, { CONSOLE_MAX_JSON_VALUES + 1, 1 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct heard heard;
        struct console_peer peer = { .data = &heard, .on_reply = on_reply };
        struct console_hub *hub = start(&heard, (struct console_hub_options){ 0 });
        CLEANUP_STRBUF struct strbuf batch = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_string(&batch, "[0");
        for (size_t j = 1; j < cases[i].items; j++) {
            strbuf_add_string(&batch, ",0");
        }
        strbuf_add_string(&batch, "]");
        console_hub_open(hub, 1, &peer);
        console_hub_message(hub, 1, batch.data, batch.length);
        post(hub, 1, "log", 1, "later");
        console_hub_destroy(hub);
        assert_int_equal(heard.replies, cases[i].replies);
        assert_non_null(strstr(heard.last_reply, "\"INVALID_MESSAGE\""));
        assert_int_equal(count_of(heard.text.data, "log: later"), 1);
        finish(&heard);
    }
}

/* Lines of one message, which the hub takes at once, are handed over as one text up to a limit. */
static void holds_lines(void **state)
{
    static const struct {
        size_t max_held, texts, urgent;
        const char *last; /* method of the third call */
    } cases[] = {
        /* The connection's line and that of its end are urgent. */
        { 0, 5, 2, "log" },    { 0, 5, 3, "warn" },
        { 4000, 2, 2, "log" }, { 50, 3, 2, "log" }, /* two lines exceed it */
        { 50, 3, 3, "warn" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct heard heard;
        struct console_hub_options options = { .output.max_held = cases[i].max_held };
        struct console_hub *hub = start(&heard, options);
        CLEANUP_STRBUF struct strbuf batch = STRBUF_INIT(STRBUF_UNCAPPED);
        for (size_t j = 0; j < 3; j++) {
            CLEANUP_FREE char *message =
                call_text(j < 2 ? "log" : cases[i].last, 1, "a line of thirty characters....");
            strbuf_add_format(&batch, "%s%s", j ? "," : "[", message);
        }
        strbuf_add_string(&batch, "]");
        console_hub_open(hub, 1, NULL);
        console_hub_message(hub, 1, batch.data, batch.length);
        console_hub_destroy(hub);
        assert_int_equal(count_of(heard.text.data, "a line of thirty characters....\n"), 3);
        assert_int_equal(heard.lines, cases[i].texts);
        assert_int_equal(heard.urgent, cases[i].urgent);
        finish(&heard);
    }
}

/* Lines that the hub writes by the clock do not wait for a call that never comes. */
static void hands_over_the_last_lines(void **state)
{
    (void)state;
    struct heard heard;
    struct console_hub_options options = { .max_rate = 10, .output.max_held = 4000 };
    struct console_hub *hub = start(&heard, options);
    console_hub_open(hub, 1, NULL);
    for (int i = 0; i < 100; i++) {
        post(hub, 1, "log", 1, "plain");
    }
    bool has_come = await_text(&heard, "dropped");
    console_hub_destroy(hub);
    assert_true(has_come);
    finish(&heard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_apart),
        cmocka_unit_test(a_tab_has_its_limit),
        cmocka_unit_test(a_source_forgets_old_tabs),
        cmocka_unit_test(asks_to_pause),
        cmocka_unit_test(events_of_our_own),
        cmocka_unit_test(refuses_floods),
        cmocka_unit_test(holds_lines),
        cmocka_unit_test(hands_over_the_last_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
