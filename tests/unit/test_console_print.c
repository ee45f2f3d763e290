/* Console events: parsed from messages, stored by tab, printed as lines and serialised again. */
#include "runner/base/memory.h"
#include "runner/console/print.h"
#include "runner/console/read.h"
#include "runner/console/values.h"
#include "runner/console/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct console_style plain = { 0 };

static struct console_event *read_event(const char *payload)
{
    const char *field = NULL;
    const char *why = NULL;
    json_auto_t *json = json_loads(payload, JSON_ALLOW_NUL, NULL);
    json_auto_t *source = json_loads("{\"tabId\":7,\"url\":\"http://localhost:3000/x\"}", 0, NULL);
    struct console_event *event = console_read(json, source, 1000, &field, &why);
    if (!event) {
        fail_msg("%s: %s %s", payload, field, why ? why : "is missing");
    }
    return event;
}

/* The arguments of a log, as JSON without brackets, and how they are shown. */
static void shows(const char *args, const char *expected)
{
    CLEANUP_FREE char *payload = xasprintf("{\"method\":\"log\",\"args\":[%s]}", args);
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct console_event *event = read_event(payload);
    console_add_args(&text, &plain, event->args, event->count);
    if (strcmp(text.data, expected) != 0) {
        fail_msg("%s\nis shown as\n%s\nnot as\n%s", args, text.data, expected);
    }
    console_event_destroy(event);
}

#define STRING(text) "{\"type\":\"string\",\"value\":\"" text "\"}"
#define NUMBER(text) "{\"type\":\"number\",\"value\":" text "}"

static void values_of_all_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *args, *expected;
    } cases[] = {
        { STRING("two words"), "two words" },
        { STRING("a\\n\\tb"), "a\n\tb" },
        { NUMBER("42"), "42" },
        { NUMBER("-0.0"), "-0" },
        { NUMBER("0.1"), "0.1" },
        { NUMBER("1e21"), "1e+21" },
        { NUMBER("1e20"), "100000000000000000000" },
        { NUMBER("0.00001"), "0.00001" },
        { NUMBER("1e-7"), "1e-7" },
        { NUMBER("\"NaN\""), "NaN" },
        { NUMBER("\"-Infinity\""), "-Infinity" },
        { "{\"type\":\"boolean\",\"value\":true}", "true" },
        { "{\"type\":\"null\",\"value\":null}", "null" },
        { "{\"type\":\"undefined\"}", "undefined" },
        { "{\"type\":\"object\",\"value\":{}}", "{}" },
        { "{\"type\":\"object\",\"value\":{\"a\":" NUMBER("1") ",\"b c\":" STRING("x") "}}",
          "{a: 1, 'b c': 'x'}" },
        { "{\"type\":\"object\",\"className\":\"Shop\",\"value\":{\"a\":" NUMBER("1") "}}",
          "Shop {a: 1}" },
        { "{\"type\":\"array\",\"value\":[]}", "[]" },
        { "{\"type\":\"array\",\"value\":[" STRING("a") "," NUMBER("2") "]}", "(2) ['a', 2]" },
        { "{\"type\":\"function\",\"name\":\"go\",\"value\":\"function go() {}\"}", "ƒ go() {}" },
        { "{\"type\":\"function\",\"name\":\"Shop\",\"value\":\"class Shop {}\"}",
          "class Shop {}" },
        { "{\"type\":\"array\",\"value\":[{\"type\":\"function\",\"name\":\"go\",\"value\":"
          "\"function go() {}\"}]}",
          "[ƒ go()]" },
        { "{\"type\":\"dom\",\"tagName\":\"DIV\"}", "<div>" },
        { "{\"type\":\"dom\",\"tagName\":\"A\",\"value\":{\"id\":\"x\",\"className\":\"y z\"}}",
          "<a id=\"x\" class=\"y z\">" },
        { "{\"type\":\"dom\",\"value\":\"<p>Hi</p>\"}", "<p>Hi</p>" },
        { "{\"type\":\"circular\",\"value\":\"[Circular]\"}", "[Circular]" },
        { "{\"type\":\"error\",\"value\":\"TypeError: x\"}", "TypeError: x" },
        { "{\"type\":\"error\",\"value\":\"Error: x\",\"stack\":\"Error: x\\n    at a.js:1:2\"}",
          "Error: x\n    at a.js:1:2" },
        { "{\"type\":\"error\",\"value\":\"Error: x\",\"stack\":\"go@a.js:1:2\"}",
          "Error: x\ngo@a.js:1:2" },
        { "{\"type\":\"error\",\"value\":{\"name\":\"E\",\"message\":\"m\",\"stack\":\"E: m\\n at "
          "b\"}}",
          "E: m\n at b" },
        { "{\"type\":\"symbol\",\"value\":\"Symbol(a)\"}", "Symbol(a)" },
        { "{\"type\":\"symbol\"}", "Symbol(…)" },
        { "{\"type\":\"accessor\"}", "(...)" },
        { "{\"type\":\"bigint\",\"value\":\"10\"}", "10n" },
        { "{\"type\":\"bigint\",\"value\":\"10n\"}", "10n" },
        { "{\"type\":\"date\",\"value\":\"2025-10-07T00:00:00.000Z\"}",
          "2025-10-07T00:00:00.000Z" },
        { "{\"type\":\"regexp\",\"value\":\"/a+/gi\"}", "/a+/gi" },
        { "{\"type\":\"promise\",\"displayValue\":\"Promise {<pending>}\"}",
          "Promise {<pending>}" },
        { "{\"type\":\"map\",\"value\":[[" STRING("k") "," NUMBER("1") "]]}", "Map(1) {'k' => 1}" },
        { "{\"type\":\"map\",\"size\":120,\"truncated\":true,\"displayedEntries\":1,\"entries\":"
          "[{\"key\":" STRING("k") ",\"value\":" NUMBER("1") "}]}",
          "Map(120) {'k' => 1, … 119 more}" },
        { "{\"type\":\"set\",\"size\":2,\"truncated\":false,\"values\":[" NUMBER("1") "," STRING(
              "b") "]}",
          "Set(2) {1, 'b'}" },
        { "{\"type\":\"array\",\"truncated\":true,\"totalLength\":1001,\"value\":[" NUMBER(
              "1") "]}",
          "(1001) [1, … 1000 more]" },
        { "{\"type\":\"map\",\"value\":{\"size\":1,\"entries\":[{\"key\":" NUMBER(
              "1") ",\"value\":" NUMBER("2") "}]}}",
          "Map(1) {1 => 2}" },
        { "{\"type\":\"set\",\"value\":[" NUMBER("1") "," NUMBER("2") "]}", "Set(2) {1, 2}" },
        { "{\"type\":\"set\",\"value\":{\"values\":[" NUMBER("1") "]}}", "Set(1) {1}" },
        { "{\"type\":\"weakmap\"}", "WeakMap" },
        { "{\"type\":\"weakset\",\"displayValue\":\"WeakSet {…}\"}", "WeakSet {…}" },
        { "{\"type\":\"arraybuffer\",\"displayValue\":\"ArrayBuffer(8)\"}", "ArrayBuffer(8)" },
        { "{\"type\":\"typedarray\",\"className\":\"Uint8Array\",\"value\":[1,2]}",
          "Uint8Array(2) [1, 2]" },
        { "{\"type\":\"dataview\"}", "DataView" },
        { "{\"type\":\"max-depth\",\"value\":\"[Max depth]\"}", "…" },
        /* Without a type: as JSON. */
        { "{\"a\":[1,\"x\"]}", "{\"a\":[1,\"x\"]}" },
        { "\"x\"", "\"x\"" },
        { "{\"type\":\"of another version\",\"value\":1}",
          "{\"type\":\"of another version\",\"value\":1}" },
        { "{\"type\":\"object\",\"value\":{\"id\":42,\"n\":{\"m\":\"x\"}}}",
          "{id: 42, n: {\"m\":\"x\"}}" },
        { "{\"type\":\"array\",\"value\":\"Array(3)\"}", "Array(3)" },
        { "{\"type\":\"string\"}", "" },
        { "{\"type\":\"number\"}", "NaN" },
        { STRING("a") "," NUMBER("1") "," STRING("b"), "a 1 b" },
        { "", "" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        shows(cases[i].args, cases[i].expected);
    }
    for (int kind = 0; kind < KIND_JSON; kind++) {
        enum console_kind found;
        assert_true(console_kind_find(console_kind_name((enum console_kind)kind), &found));
        assert_int_equal(found, kind);
    }
    enum console_kind found;
    assert_false(console_kind_find("json", &found));
}

static void formats(void **state)
{
    (void)state;
    shows(STRING("%s is %d of %i, %f%%") "," STRING("x") "," NUMBER("3.9") "," STRING(
              "7px") "," NUMBER("0.5"),
          "x is 3 of 7, 0.5%");
    shows(STRING("%cred%c %o") "," STRING("color: red") "," STRING("") ",{\"type\":\"array\","
                                                                       "\"value\":[1]}," STRING(
                                                                           "more"),
          "red [1] more");
    shows(STRING("%s and %s") "," STRING("one"), "one and %s");
    shows(STRING("100%") "," STRING("%s"), "100% %s");
    shows(STRING("%s"), "%s");
    shows(STRING("%d") "," STRING("x"), "NaN");
    shows(STRING("%x %s") "," STRING("a"), "%x a");
}

static void long_values_have_a_line_a_member(void **state)
{
    (void)state;
    shows(
        "{\"type\":\"object\",\"value\":{\"first\":" STRING(
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") ",\"second\":{\"type\":\"array\",\"value\":["
                                                       "1,2]},\"third\":" STRING("bbbbbbbbbbbbbbbbb"
                                                                                 "bbbbbbbbbbbbbbbbb"
                                                                                 "b") "}}",
        "{\n  first: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',\n  second: (2) [1, 2],\n"
        "  third: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'\n}");
}

static void limits(void **state)
{
    (void)state;
    /* 3000 levels, which the parser refuses, and 1500, which it accepts. */
    struct strbuf deep = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < 300; i++) {
        strbuf_add_string(&deep, "{\"type\":\"array\",\"value\":[");
    }
    strbuf_add_string(&deep, "1");
    for (int i = 0; i < 300; i++) {
        strbuf_add_string(&deep, "]}");
    }
    shows(deep.data, "[[[[[[[[[[[[[[[[[[[[…]]]]]]]]]]]]]]]]]]]]");
    strbuf_finish(&deep);
    struct strbuf many = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&many, "{\"method\":\"log\",\"args\":[{\"type\":\"array\",\"value\":[0");
    for (int i = 1; i < 5000; i++) {
        strbuf_add_string(&many, ",1");
    }
    strbuf_add_string(&many, "]}]}");
    struct console_event *event = read_event(many.data);
    assert_int_equal(event->args[0].count, CONSOLE_MAX_MEMBERS);
    assert_int_equal(event->args[0].left_out, 4000);
    strbuf_finish(&many);
    console_event_destroy(event);
    char text[30001];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    CLEANUP_FREE char *payload =
        xasprintf("{\"method\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"%s\"}]}", text);
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    event = read_event(payload);
    console_add_args(&shown, &plain, event->args, 1);
    assert_true(shown.length < CONSOLE_TEXT_MAX + 100);
    assert_non_null(strstr(shown.data, "… (30000 characters)"));
    console_event_destroy(event);
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *payload, *source, *field, *why;
    } cases[] = {
        { "{}", "null", "payload.method", NULL },
        { "{\"method\":1}", "null", "payload.method", "must be a string" },
        { "{\"method\":\"lug\",\"args\":[]}", "null", "payload.method",
          "is not a known console method" },
        { "{\"method\":\"log\"}", "null", "payload.args", NULL },
        { "{\"method\":\"log\",\"args\":{}}", "null", "payload.args", "must be an array" },
        { "{\"method\":\"log\",\"args\":[],\"location\":1}", "null", "payload.location",
          "must be an object" },
        { "{\"method\":\"log\",\"args\":[]}", "[]", "source", "must be an object" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *field = NULL;
        const char *why = NULL;
        json_auto_t *payload = json_loads(cases[i].payload, 0, NULL);
        json_auto_t *source = json_loads(cases[i].source, JSON_DECODE_ANY, NULL);
        assert_null(console_read(payload, source, 0, &field, &why));
        assert_string_equal(field, cases[i].field);
        if (cases[i].why) {
            assert_string_equal(why, cases[i].why);
        } else {
            assert_null(why);
        }
    }
}

static void tables(void **state)
{
    (void)state;
    static const char rows[] = "{\"method\":\"table\",\"args\":[{\"type\":\"array\",\"value\":["
                               "{\"name\":\"Zoë\",\"n\":1},{\"n\":\"日本\"},5]}";
    static const struct {
        size_t columns;
        const char *more, *expected;
    } cases[] = {
        { 0, "]}",
          "\n┌─────────┬───────┬────────┬───────┐\n"
          "│ (index) │ name  │ n      │ Value │\n"
          "├─────────┼───────┼────────┼───────┤\n"
          "│ 0       │ 'Zoë' │ 1      │       │\n"
          "│ 1       │       │ '日本' │       │\n"
          "│ 2       │       │        │ 5     │\n"
          "└─────────┴───────┴────────┴───────┘" },
        { 0, ",{\"type\":\"array\",\"value\":[{\"type\":\"string\",\"value\":\"n\"}]}]}",
          "\n┌─────────┬────────┐\n"
          "│ (index) │ n      │\n"
          "├─────────┼────────┤\n"
          "│ 0       │ 1      │\n"
          "│ 1       │ '日本' │\n"
          "│ 2       │        │\n"
          "└─────────┴────────┘" },
        { 24, ",{\"type\":\"array\",\"value\":[\"n\"]}]}",
          "\n┌─────────┬────────┐\n"
          "│ (index) │ n      │\n"
          "├─────────┼────────┤\n"
          "│ 0       │ 1      │\n"
          "│ 1       │ '日本' │\n"
          "│ 2       │        │\n"
          "└─────────┴────────┘" },
        { 19, ",{\"type\":\"array\",\"value\":[\"n\"]}]}",
          "\n┌───────┬───────┐\n"
          "│ (ind… │ n     │\n"
          "├───────┼───────┤\n"
          "│ 0     │ 1     │\n"
          "│ 1     │ '日…  │\n"
          "│ 2     │       │\n"
          "└───────┴───────┘" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *payload = xasprintf("%s%s", rows, cases[i].more);
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        const struct console_style style = { .columns = cases[i].columns };
        struct console_event *event = read_event(payload);
        const struct console_effect effect = { .is_shown = true };
        console_add_body(&text, &style, event, &effect);
        assert_string_equal(text.data, cases[i].expected);
        console_event_destroy(event);
    }
}

/* Prints consecutive calls of a tab, without prefixes. */
static void tab_says(struct console_tab *tab, const char *payload, int64_t time_ms,
                     const char *expected)
{
    const struct console_print print = { .methods = UINT32_MAX,
                                         .time = TIME_NONE,
                                         .source = SOURCE_NONE };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct console_event *event = read_event(payload);
    event->time_ms = time_ms;
    struct console_effect effect = console_tab_apply(tab, event);
    if (console_print_wants(&print, event, &effect)) {
        console_add_event(&text, &print, event, &effect, time_ms);
    }
    if (strcmp(text.data, expected) != 0) {
        fail_msg("%s\nprints\n%s\nnot\n%s", payload, text.data, expected);
    }
    free(effect.text);
    console_event_destroy(event);
}

#define CALL(method, args) "{\"method\":\"" method "\",\"args\":[" args "]}"

static void groups_counters_and_timers(void **state)
{
    (void)state;
    struct console_tab tab = { .id = xstrdup("7") };
    tab_says(&tab, CALL("group", STRING("outer")), 0, "log: ▼ outer\n");
    tab_says(&tab, CALL("warn", STRING("a\\nb")), 0, "warn:   a\n    b\n");
    tab_says(&tab, CALL("groupCollapsed", ""), 0, "log:   ▶ console.group\n");
    tab_says(&tab, CALL("log", STRING("x")), 0, "log:     x\n");
    tab_says(&tab, CALL("groupEnd", ""), 0, "");
    tab_says(&tab, CALL("groupEnd", ""), 0, "");
    tab_says(&tab, CALL("groupEnd", ""), 0, "");
    tab_says(&tab, CALL("log", STRING("x")), 0, "log: x\n");
    tab_says(&tab, CALL("group", ""), 0, "log: ▼ console.group\n");
    tab_says(&tab, CALL("clear", ""), 0, "log: (the console was cleared)\n");
    tab_says(&tab, CALL("log", STRING("x")), 0, "log: x\n");
    tab_says(&tab, CALL("count", ""), 0, "log: default: 1\n");
    tab_says(&tab, CALL("count", STRING("a")), 0, "log: a: 1\n");
    tab_says(&tab, CALL("count", STRING("default")), 0, "log: default: 2\n");
    tab_says(&tab, CALL("countReset", ""), 0, "");
    tab_says(&tab, CALL("count", ""), 0, "log: default: 1\n");
    tab_says(&tab, CALL("countReset", STRING("b")), 0, "warn: Count for 'b' does not exist\n");
    tab_says(&tab, CALL("timeEnd", STRING("t")), 0, "warn: Timer 't' does not exist\n");
    tab_says(&tab, CALL("time", STRING("t")), 100, "");
    tab_says(&tab, CALL("time", STRING("t")), 110, "warn: Timer 't' already exists\n");
    tab_says(&tab, CALL("timeLog", STRING("t") "," NUMBER("5")), 120, "log: t: 20 ms 5\n");
    tab_says(&tab, CALL("timeEnd", STRING("t")), 350, "log: t: 250 ms\n");
    tab_says(&tab, CALL("timeEnd", STRING("t")), 360, "warn: Timer 't' does not exist\n");
    tab_says(&tab, CALL("assert", "{\"type\":\"boolean\",\"value\":true}"), 0, "");
    tab_says(&tab, CALL("assert", "{\"type\":\"boolean\",\"value\":false}," STRING("no")), 0,
             "error: Assertion failed: no\n");
    tab_says(&tab, CALL("assert", NUMBER("0")), 0, "error: Assertion failed\n");
    tab_says(&tab, CALL("assert", NUMBER("1") "," STRING("x")), 0, "");
    tab_says(&tab, CALL("assert", STRING("message alone")), 0,
             "error: Assertion failed: message alone\n");
    tab_says(&tab, "{\"method\":\"trace\",\"args\":[],\"stack\":\"at f\\nat g\"}", 0,
             "log: Trace\n  at f\n  at g\n");
    for (int i = 0; i < 3 * TAB_MAX_LABELS; i++) {
        CLEANUP_FREE char *payload =
            xasprintf(CALL("time", "{\"type\":\"number\",\"value\":%d}"), i);
        tab_says(&tab, payload, 0, "");
    }
    assert_int_equal(tab.label_count, TAB_MAX_LABELS);
    for (int i = 0; i < 3 * TAB_MAX_GROUPS; i++) {
        struct console_event group = { .method = CONSOLE_GROUP };
        free(console_tab_apply(&tab, &group).text);
    }
    assert_int_equal(tab.groups, TAB_MAX_GROUPS);
    console_tab_finish(&tab);
}

/* Returns the template with the text in place of each @. Caller frees. */
static char *fill(const char *template, const char *text)
{
    struct strbuf filled = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *at = template; *at; at++) {
        if (*at == '@') {
            strbuf_add_string(&filled, text);
        } else {
            strbuf_add(&filled, at, 1);
        }
    }
    return strbuf_take(&filled);
}

/* Without our own colours, a coloured line has no control characters. */
static void nothing_reaches_the_terminal(void **state)
{
    (void)state;
    const struct console_print print = {
        .methods = UINT32_MAX, .has_location = true, .source = SOURCE_TITLE, .style = { true, 60 }
    };
    static const char evil[] =
        "\\u001b[31m\\u009b2J\\u0007\\r\\b\\u202e\\u2066\\u200f\\u0000\\u0085é";
    static const char *const args[] = {
        "{\"type\":\"string\",\"value\":\"@\"}",
        ("{\"type\":\"object\",\"className\":\"@\",\"value\":{\"@\":{\"type\":\"string\","
         "\"value\":\"@\"}}}"),
        "{\"type\":\"function\",\"name\":\"@\",\"value\":\"@\"}",
        "{\"type\":\"dom\",\"tagName\":\"@\",\"value\":{\"id\":\"@\"}}",
        "{\"type\":\"dom\",\"value\":\"<@\"}",
        "{\"type\":\"error\",\"value\":\"@\",\"stack\":\"@\"}",
        "{\"type\":\"symbol\",\"value\":\"@\"}",
        "{\"type\":\"date\",\"displayValue\":\"@\"}",
        "{\"type\":\"map\",\"value\":[[{\"type\":\"string\",\"value\":\"@\"},1]]}",
        "{\"raw\":\"@\"}",
        "{\"type\":\"array\",\"value\":[{\"a\":\"@\"}]}",
    };
    for (int method = 0; method < CONSOLE_METHODS; method++) {
        for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
            /* The parser rejects a key with U+0000. */
            CLEANUP_FREE char *arg = fill(args[i], i == 1 ? "\\u001b]0;x\\u0007\\u202e" : evil);
            CLEANUP_FREE char *payload = xasprintf(
                "{\"method\":\"%s\",\"args\":[%s],\"stack\":\"%s\",\"location\":{\"url\":\"%s\"}}",
                console_method_name((enum console_method)method), arg, evil, evil);
            struct console_event *event = read_event(payload);
            free(event->source.title);
            event->source.title = xstrdup("\033]0;x\a\xC2\x9B");
            struct console_tab tab = { .id = xstrdup("7") };
            CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
            struct console_effect effect = console_tab_apply(&tab, event);
            console_add_event(&text, &print, event, &effect, 0);
            console_add_notice(&text, &print, 0, event->source.title);
            for (const char *at = text.data; *at; at++) {
                bool is_ours = *at == '\033' && at[1] == '[' && strspn(at + 2, "0123456789") > 0 &&
                               at[2 + strspn(at + 2, "0123456789")] == 'm';
                bool is_control = (unsigned char)*at < ' ' && *at != '\n' && *at != '\t';
                bool is_c1 = at[0] == '\xC2' && (unsigned char)at[1] < 0xA0;
                bool is_bidi = strncmp(at, "\u202e", 3) == 0 || strncmp(at, "\u2066", 3) == 0 ||
                               strncmp(at, "\u200f", 3) == 0;
                if ((is_control && !is_ours) || is_c1 || is_bidi || *at == '\x7f') {
                    fail_msg("%s prints %s", payload, text.data);
                }
            }
            /* Escape sequences of a page are not converted to ours. */
            assert_null(strstr(text.data, "\033[31m\\u{9b}"));
            json_auto_t *json = console_payload_json(event);
            strbuf_clear(&text);
            console_add_json_line(&text, json);
            for (const char *at = text.data; *at; at++) {
                assert_false((unsigned char)*at < ' ' && *at != '\n');
                assert_false(at[0] == '\xC2' && (unsigned char)at[1] < 0xA0);
            }
            assert_null(strstr(text.data, "\u202e"));
            json_auto_t *again = json_loads(text.data, JSON_ALLOW_NUL, NULL);
            assert_true(json_equal(json, again));
            free(effect.text);
            console_tab_finish(&tab);
            console_event_destroy(event);
        }
    }
}

/* A serialised event is parsed to the same event. */
static void events_are_written_again(void **state)
{
    (void)state;
    static const char payload[] =
        "{\"method\":\"log\",\"args\":[" STRING("x") "," NUMBER("1.5") "," NUMBER(
            "\"NaN\"") "," NUMBER("\"-0\"") ",{\"type\":\"null\",\"value\":null},{\"type\":"
                                            "\"undefined\"},"
                                            "{\"type\":\"boolean\",\"value\":false},"
                                            "{\"type\":\"object\",\"value\":{\"a\":{\"type\":"
                                            "\"array\",\"value\":[" NUMBER(
                                                "1") "]}},"
                                                     "\"className\":\"C\"},{\"type\":\"map\","
                                                     "\"value\":[[" STRING("k") "," NUMBER(
                                                         "2") "]]},"
                                                              "{\"type\":\"error\",\"value\":"
                                                              "\"Error: x\",\"stack\":\"Error: "
                                                              "x\\n at y\"},"
                                                              "{\"type\":\"dom\",\"value\":\"<p>\","
                                                              "\"tagName\":\"P\"},{\"raw\":1}],"
                                                              "\"location\":{\"url\":\"http://x/"
                                                              "\",\"line\":3,\"column\":4},"
                                                              "\"stack\":\"at z\"}";
    struct console_event *event = read_event(payload);
    json_auto_t *expected = json_loads(payload, 0, NULL);
    json_auto_t *json = console_payload_json(event);
    CLEANUP_FREE char *written = json_dumps(json, 0);
    if (!json_equal(json, expected)) {
        fail_msg("%s", written);
    }
    json_auto_t *source = console_source_json(event);
    assert_int_equal(json_integer_value(json_object_get(source, "tabId")), 7);
    console_event_destroy(event);
}

static void prefixes(void **state)
{
    (void)state;
    struct console_print print = {
        .methods = UINT32_MAX, .time = TIME_ISO, .has_location = true, .has_latency = true
    };
    const struct console_effect effect = { .is_shown = true, .level = LEVEL_INFO };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct console_event *event = read_event("{\"method\":\"info\",\"args\":[" STRING(
        "Grüße\\nx") "],\"location\":{\"url\":\"http://localhost:3000/"
                     "a.js\",\"line\":4,\"column\":2}}");
    assert_true(console_add_event(&text, &print, event, &effect, 1012));
    assert_string_equal(text.data, "[1970-01-01T00:00:01.000Z] [localhost:3000] info: Grüße "
                                   "(http://localhost:3000/a.js:4:2) +12 ms\n  x\n");
    strbuf_clear(&text);
    print.filter = "GRÜSSE";
    assert_false(console_add_event(&text, &print, event, &effect, 1012));
    assert_int_equal(text.length, 0);
    print.filter = "GRÜ";
    print.source = SOURCE_URL;
    print.time = TIME_NONE;
    print.has_location = print.has_latency = false;
    assert_true(console_add_event(&text, &print, event, &effect, 1012));
    assert_string_equal(text.data, "[http://localhost:3000/x] info: Grüße\n  x\n");
    static const struct {
        const char *url, *host;
    } hosts[] = {
        { "https://example.org/a", "example.org" },
        { "https://example.org:8443", "example.org:8443" },
        { "file:///home/x.html", "file:" },
        { "unknown", "unknown" },
        { "", "tab 7" },
        { "http://[::1]:80/", "[::1]" },
    };
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        free(event->source.url);
        event->source.url = xstrdup(hosts[i].url);
        CLEANUP_FREE char *host = console_host(event);
        assert_string_equal(host, hosts[i].host);
    }
    console_event_destroy(event);
}

static void words_for_levels(void **state)
{
    (void)state;
    assert_int_equal(console_methods_named("warn"), 1U << CONSOLE_WARN);
    assert_int_equal(console_methods_named("warning"), 1U << CONSOLE_WARN);
    assert_int_equal(console_methods_named("startGroup"), 1U << CONSOLE_GROUP);
    assert_int_equal(console_methods_named("endGroup"), 1U << CONSOLE_GROUP_END);
    assert_int_equal(console_methods_named("table"), 1U << CONSOLE_TABLE);
    assert_int_equal(console_methods_named("error"), 1U << CONSOLE_ERROR | 1U << CONSOLE_ASSERT);
    assert_true(console_methods_named("log") & 1U << CONSOLE_TIME_END);
    assert_false(console_methods_named("log") & 1U << CONSOLE_INFO);
    assert_int_equal(console_methods_named("loud"), 0);
    assert_int_equal(console_methods_named(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds),
        cmocka_unit_test(formats),
        cmocka_unit_test(long_values_have_a_line_a_member),
        cmocka_unit_test(limits),
        cmocka_unit_test(refuses),
        cmocka_unit_test(tables),
        cmocka_unit_test(groups_counters_and_timers),
        cmocka_unit_test(nothing_reaches_the_terminal),
        cmocka_unit_test(events_are_written_again),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(words_for_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
