#include "runner/base/cut.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/cutter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

/* Feeds the text in pieces of `piece` bytes, like a transport. Caller frees. */
static char *feed(const char *text, size_t piece)
{
    struct cutter cutter = { 0 };
    size_t length = strlen(text);
    size_t kept = 0;
    char *message = xmalloc(length + 1);
    for (size_t at = 0; at < length; at += piece) {
        size_t next = length - at < piece ? length - at : piece;
        memcpy(message + kept, text + at, next);
        kept = cutter_feed(&cutter, message, kept + next);
    }
    message[kept] = '\0';
    return message;
}

static void add_many(struct strbuf *text, const char *piece, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_add_string(text, piece);
    }
}

/* Makes {"args":[{"value":"…"}],"url":"b"} with `count` copies of the piece. Caller frees. */
static char *message_of(const char *key, const char *piece, size_t count)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_format(&text, "{\"args\":[{\"%s\" : \"", key);
    add_many(&text, piece, count);
    strbuf_add_string(&text, "\"},17],\"end\":\"\\\"b\\\\\"}");
    return strbuf_take(&text);
}

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (!root) {
        fail_msg("%s at %d of %.200s", error.text, error.position, text);
    }
    return root;
}

static const size_t pieces[] = { 1, 7, 4096, 40000, SIZE_MAX / 2 };
enum { PIECES = sizeof(pieces) / sizeof(pieces[0]) };

static void test_feed_when_it_is_short_changes_nothing(void **state)
{
    (void)state;
    const char *const texts[] = {
        "{}",
        "[]",
        "",
        "{\"a\":[1,2,{\"b\":\"\\u20ac\\\"\"}],\"c\":null, \"url\" :\"x\",\"d\":[[],[[\"\\\\\"]]]}",
        "}}]]\"",
        "not JSON at all, \"open",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (size_t k = 0; k < PIECES; k++) {
            CLEANUP_FREE char *cut = feed(texts[i], pieces[k]);
            assert_string_equal(cut, texts[i]);
        }
    }
}

static void test_feed_when_a_text_is_long_cuts_it_and_says_so(void **state)
{
    (void)state;
    const struct {
        const char *key, *piece;
        size_t count, most, kept; /* pieces; UTF-8 bytes */
        const char *mark;
    } cases[] = {
        { "value", "x", 50000, CUTTER_TEXT, CUTTER_TEXT, "x… (50000 characters)" },
        { "value", "€", 50000, CUTTER_TEXT, CUTTER_TEXT - 1, "€… (50000 characters)" },
        { "value", "\\u20ac", 50000, CUTTER_TEXT, CUTTER_TEXT - 1, "€… (50000 characters)" },
        { "value", "\\u00e9", 16024, CUTTER_TEXT, CUTTER_TEXT, "é… (16024 characters)" },
        { "value", "\\ud83d\\ude00", 20000, CUTTER_TEXT, CUTTER_TEXT, "😀… (40000 characters)" },
        { "value", "\\u0001", 16049, CUTTER_TEXT, CUTTER_TEXT, "\001… (16049 characters)" },
        { "value", "x", 20000, CUTTER_TEXT, CUTTER_TEXT, "x… (20000 characters)" },
        { "value", "\\n\\\"", 50000, CUTTER_TEXT, CUTTER_TEXT, "\n\"… (100000 characters)" },
        { "value", "\\\\", 50000, CUTTER_TEXT, CUTTER_TEXT, "\\… (50000 characters)" },
        { "url", "x", 50000, CUT_URL, CUT_URL, "x… (50000 characters)" },
        { "documentURL", "x", 50000, CUT_URL, CUT_URL, "x… (50000 characters)" },
        { "postData", "x", 500000, CUTTER_POST_DATA, CUTTER_POST_DATA, "x… (500000 characters)" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *text = message_of(cases[i].key, cases[i].piece, cases[i].count);
        for (size_t k = 0; k < PIECES; k++) {
            CLEANUP_FREE char *cut = feed(text, pieces[k]);
            json_auto_t *root = parse(cut);
            json_t *value =
                json_object_get(json_array_get(json_object_get(root, "args"), 0), cases[i].key);
            const char *shown = json_string_value(value);
            size_t length = json_string_length(value);
            size_t mark = strlen(strstr(cases[i].mark, "…"));
            assert_int_equal(length - mark, cases[i].kept);
            assert_string_equal(shown + length - strlen(cases[i].mark), cases[i].mark);
            assert_string_equal(json_string_value(json_object_get(root, "end")), "\"b\\");
            assert_int_equal(json_array_size(json_object_get(root, "args")), 2);
        }
    }
}

/* A text that exceeds the limit by no more than the mark is not cut, however it is escaped. */
static void test_feed_when_a_text_is_near_its_limit_counts_its_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *piece;
        size_t size; /* bytes of UTF-8 */
    } cases[] = { { "x", 1 }, { "\\n", 1 },     { "\\u0001", 1 },       { "\\u00e9", 2 },
                  { "€", 3 }, { "\\u20ac", 3 }, { "\\ud83d\\ude00", 4 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const size_t most = (CUT_URL + CUT_MARK_MAX) / cases[i].size;
        for (size_t count = most - 20; count < most + 20; count++) {
            CLEANUP_FREE char *text = message_of("url", cases[i].piece, count);
            CLEANUP_FREE char *cut = feed(text, 1000);
            if (count <= most) {
                assert_string_equal(cut, text);
            } else {
                json_auto_t *root = parse(cut);
                json_t *args = json_object_get(root, "args");
                json_t *value = json_object_get(json_array_get(args, 0), "url");
                const char *mark = strstr(json_string_value(value), "… (");
                size_t kept = CUT_URL / cases[i].size * cases[i].size;
                assert_non_null(mark);
                assert_int_equal(mark - json_string_value(value), kept);
            }
        }
    }
}

static void test_feed_when_an_array_is_endless_ends_it_with_a_mark(void **state)
{
    (void)state;
    const char *const items[] = { "1", "{\"a\":[1,2]}", "\"x,y]\"", "[[[1]]]" };
    for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_format(&text, "{\"args\":[[%s", items[i]);
        for (size_t k = 0; k < 3 * CUTTER_ITEMS; k++) {
            strbuf_add_format(&text, ",%s", items[i]);
        }
        strbuf_add_string(&text, "],7],\"end\":8}");
        for (size_t k = 0; k < PIECES; k++) {
            CLEANUP_FREE char *cut = feed(text.data, pieces[k]);
            json_auto_t *root = parse(cut);
            json_t *outer = json_object_get(root, "args");
            json_t *list = json_array_get(outer, 0);
            assert_int_equal(json_array_size(list), CUTTER_ITEMS + 1);
            assert_string_equal(json_string_value(json_array_get(list, CUTTER_ITEMS)), "…");
            assert_int_equal(json_integer_value(json_array_get(outer, 1)), 7);
            assert_int_equal(json_integer_value(json_object_get(root, "end")), 8);
        }
    }
}

static void test_feed_when_a_message_is_large_takes_no_more_items(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, "{\"args\":[");
    for (size_t i = 0; i < 2000; i++) {
        strbuf_add_string(&text, i ? ",{\"list\":[\"" : "{\"list\":[\"");
        add_many(&text, "x", 10000);
        strbuf_add_string(&text, "\",2]}");
    }
    strbuf_add_string(&text, "],\"end\":8}");
    CLEANUP_FREE char *cut = feed(text.data, 100000);
    json_auto_t *root = parse(cut);
    assert_true(strlen(cut) < CUTTER_MESSAGE + 20000);
    json_t *args = json_object_get(root, "args");
    assert_true(json_array_size(args) > 100);
    assert_string_equal(json_string_value(json_array_get(args, json_array_size(args) - 1)), "…");
    assert_int_equal(json_integer_value(json_object_get(root, "end")), 8);
}

static void test_telemetry_when_asked_tells_kinds_apart(void **state)
{
    (void)state;
    const struct {
        const char *text;
        enum telemetry kind;
    } cases[] = {
        { "{\"method\":\"Runtime.consoleAPICalled\",\"params\":{}}", TELEMETRY_SAYING },
        { "{\"method\":\"Audits.issueAdded\"}", TELEMETRY_SAYING },
        { "{\"method\":\"Network.webSocketFrameSent\"}", TELEMETRY_USELESS },
        { "{\"method\":\"Network.webSocketClosed\"}", TELEMETRY_CUT },
        { "{\"method\":\"Page.frameNavigated\"}", TELEMETRY_NONE },
        { "{\"method\":\"Runtime.executionContextCreated\"}", TELEMETRY_NONE },
        { "{\"method\":\"Netw", TELEMETRY_NONE },
        { "{\"id\":1,\"result\":{}}", TELEMETRY_NONE },
        { "", TELEMETRY_NONE },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(telemetry_of(cases[i].text, strlen(cases[i].text)), cases[i].kind);
    }
}

static void test_cut_text_when_it_is_long_says_how_long(void **state)
{
    (void)state;
    char text[301] = "";
    for (size_t i = 0; i < 100; i++) {
        memcpy(text + 3 * i, "€", 3);
    }
    CLEANUP_FREE char *cut = cut_text(text, 10);
    assert_string_equal(cut, "€€€… (100 characters)");
    CLEANUP_FREE char *whole = cut_text(text, 300 - CUT_MARK_MAX);
    assert_string_equal(whole, text);
    assert_null(cut_text(NULL, 10));
    assert_int_equal(cut_count("a😀", 5), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feed_when_it_is_short_changes_nothing),
        cmocka_unit_test(test_feed_when_a_text_is_long_cuts_it_and_says_so),
        cmocka_unit_test(test_feed_when_a_text_is_near_its_limit_counts_its_bytes),
        cmocka_unit_test(test_feed_when_an_array_is_endless_ends_it_with_a_mark),
        cmocka_unit_test(test_feed_when_a_message_is_large_takes_no_more_items),
        cmocka_unit_test(test_telemetry_when_asked_tells_kinds_apart),
        cmocka_unit_test(test_cut_text_when_it_is_long_says_how_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
