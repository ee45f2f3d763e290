#include "runner/base/memory.h"
#include "runner/cdp/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Makes a copy without a spare byte, so that sanitizers detect reads beyond its end. */
static char *copy(const char *text, size_t length)
{
    char *result = xmalloc(length + 1);
    memcpy(result, text, length);
    result[length] = '\0';
    return result;
}

static struct cdp_message *scan(const char *text)
{
    return cdp_message_scan(copy(text, strlen(text)), strlen(text));
}

static void assert_slice(struct cdp_slice slice, const char *expected)
{
    if (!cdp_slice_equals(slice, expected ? expected : "")) {
        fail_msg("\"%.*s\" is not \"%s\"", (int)slice.length, slice.text, expected);
    }
}

static const struct {
    const char *text;
    enum cdp_message_kind kind;
    int64_t id;
    const char *method, *session_id, *result, *failure, *params;
} good[] = {
    { "{\"id\":1,\"result\":{}}", CDP_REPLY, 1, NULL, NULL, "{}", NULL, NULL },
    { "{\"id\":9007199254740993,\"result\":{\"a\":[1,{\"b\":2}]},\"sessionId\":\"S\"}", CDP_REPLY,
      9007199254740993, NULL, "S", "{\"a\":[1,{\"b\":2}]}", NULL, NULL },
    /* The id comes last, and an id in the result is ignored. */
    { "{\"result\":{\"id\":5,\"method\":\"x\"},\"id\":2}", CDP_REPLY, 2, NULL, NULL,
      "{\"id\":5,\"method\":\"x\"}", NULL, NULL },
    { "{\"error\":{\"code\":-32000,\"message\":\"no\"},\"id\":3}", CDP_REPLY, 3, NULL, NULL, NULL,
      "{\"code\":-32000,\"message\":\"no\"}", NULL },
    /* Chrome's reply to a message that it could not parse. */
    { "{\"error\":{\"code\":-32700,\"message\":\"JSON: no\"}}", CDP_REPLY, -1, NULL, NULL, NULL,
      "{\"code\":-32700,\"message\":\"JSON: no\"}", NULL },
    { "{\"method\":\"Page.loadEventFired\",\"params\":{\"timestamp\":1.5e3},\"sessionId\":\"AB\"}",
      CDP_EVENT, 0, "Page.loadEventFired", "AB", NULL, NULL, "{\"timestamp\":1.5e3}" },
    { "{\"method\":\"Target.x\"}", CDP_EVENT, 0, "Target.x", NULL, NULL, NULL, NULL },
    { " \t\r\n{ \"id\" : 4 , \"result\" : [ 1 , 2 ] , \"sessionId\" : \"S\" } \r\n", CDP_REPLY, 4,
      NULL, "S", "[ 1 , 2 ]", NULL, NULL },
    { "{\"id\":6,\"result\":null}", CDP_REPLY, 6, NULL, NULL, "null", NULL, NULL },
    { "{\"id\":7,\"result\":\"text, with } and ] and \\\" in it\\\\\"}", CDP_REPLY, 7, NULL, NULL,
      "\"text, with } and ] and \\\" in it\\\\\"", NULL, NULL },
    { "{\"\\\"id\\\"\":1,\"\\u0069d\":2,\"\":3,\"id\":8}", CDP_REPLY, 8, NULL, NULL, NULL, NULL,
      NULL },
    { "{\"a\\\\\":{\"}\":\"{\"},\"id\":9}", CDP_REPLY, 9, NULL, NULL, NULL, NULL, NULL },
    { "{\"id\":10,\"result\":{\"text\":\"\\\\\\\"}\",\"more\":[[[]]]}}", CDP_REPLY, 10, NULL, NULL,
      "{\"text\":\"\\\\\\\"}\",\"more\":[[[]]]}", NULL, NULL },
    { "{\"id\":-1}", CDP_REPLY, -1, NULL, NULL, NULL, NULL, NULL },
    { "{\"id\":11,\"result\":true,\"unknown\":false}", CDP_REPLY, 11, NULL, NULL, "true", NULL,
      NULL },
    { "{\"method\":\"Runtime.x\",\"params\":{\"s\":\"\xC3\xA4\xF0\x9F\x98\x80\"}}", CDP_EVENT, 0,
      "Runtime.x", NULL, NULL, NULL, "{\"s\":\"\xC3\xA4\xF0\x9F\x98\x80\"}" },
};

static void test_scan_when_it_is_a_message_finds_its_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        CLEANUP_CDP_MESSAGE struct cdp_message *message = scan(good[i].text);
        if (!message) {
            fail_msg("not taken: %s", good[i].text);
        }
        assert_int_equal(message->kind, good[i].kind);
        assert_int_equal(message->id, good[i].id);
        assert_slice(message->method, good[i].method);
        assert_slice(message->session_id, good[i].session_id);
        assert_slice(message->result, good[i].result);
        assert_slice(message->failure, good[i].failure);
        assert_slice(message->params, good[i].params);
        assert_int_equal(message->link.is_droppable, good[i].kind == CDP_EVENT);
        assert_true(message->link.size > strlen(good[i].text));
    }
}

static void test_scan_when_it_is_no_message_gives_null(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "{",
        "}",
        "{}",
        "[]",
        "null",
        "garbage",
        "\"id\"",
        "{\"a\":1}",
        "[{\"id\":1}]",
        "{\"id\"}",
        "{\"id\":}",
        "{\"id\":,}",
        "{id:1}",
        "{\"id\":\"1\"}",
        "{\"id\":1.5}",
        "{\"id\":null}",
        "{\"id\":1e3}",
        "{\"id\":{}}",
        "{\"id\":1",
        "{\"id\":1}x",
        "{\"id\":1}}",
        "{\"id\":1,}",
        "{\"id\":1,,\"a\":1}",
        "{\"id\":1 \"a\":1}",
        "{\"id\":1]",
        "{\"method\":5}",
        "{\"method\":\"\"}",
        "{\"method\":\"x}",
        "{\"method\":\"x\\\"}",
        "{\"params\":{}}",
        "{\"id\":1,\"result\":{}",
        "{\"id\":1,\"result\":[}",
        "{\"id\":1,\"result\":\"",
        "HTTP/1.1 200 OK\r\n\r\n{\"id\":1}",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP_CDP_MESSAGE struct cdp_message *message = scan(bad[i]);
        if (message) {
            fail_msg("taken: %s", bad[i]);
        }
    }
}

static void test_scan_when_there_is_a_nul_inside_gives_null(void **state)
{
    (void)state;
    static const char text[] = "{\"id\":1,\"result\":\0{}}";
    assert_null(cdp_message_scan(copy(text, sizeof(text) - 1), sizeof(text) - 1));
    static const char behind[] = "{\"id\":1}\0{\"id\":2}";
    assert_null(cdp_message_scan(copy(behind, sizeof(behind) - 1), sizeof(behind) - 1));
}

static void test_scan_when_truncated_anywhere_gives_null(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        size_t length = strlen(good[i].text);
        while (length > 0 && good[i].text[length - 1] != '}') {
            length--;
        }
        while (length-- > 0) {
            CLEANUP_CDP_MESSAGE struct cdp_message *message =
                cdp_message_scan(copy(good[i].text, length), length);
            if (message) {
                fail_msg("taken: %.*s", (int)length, good[i].text);
            }
        }
    }
}

static void test_scan_when_huge_keeps_the_text_where_it_is(void **state)
{
    (void)state;
    static const char head[] = "{\"id\":77,\"result\":{\"data\":\"";
    static const char tail[] = "\"},\"sessionId\":\"S\"}";
    size_t data_length = (size_t)64 * 1024 * 1024;
    size_t length = strlen(head) + data_length + strlen(tail);
    char *text = xmalloc(length + 1);
    memcpy(text, head, strlen(head));
    memset(text + strlen(head), 'A', data_length);
    memcpy(text + strlen(head) + data_length, tail, sizeof(tail));
    CLEANUP_CDP_MESSAGE struct cdp_message *message = cdp_message_scan(text, length);
    assert_non_null(message);
    assert_ptr_equal(message->text, text);
    assert_int_equal(message->id, 77);
    assert_slice(message->session_id, "S");
    struct cdp_slice data = cdp_slice_string(message->result, "data");
    assert_int_equal(data.length, data_length);
    assert_ptr_equal(data.text, text + strlen(head));
}

static void test_slice_string_when_the_member_is_there_gives_its_text(void **state)
{
    (void)state;
    static const struct {
        const char *object, *key, *value;
    } cases[] = {
        { "{\"data\":\"QUJD\"}", "data", "QUJD" },
        { "{ \"a\" : { \"data\" : \"no\" } , \"data\" : \"yes\" }", "data", "yes" },
        { "{\"a\":[\"data\",\"x\"],\"b\":1,\"data\":\"z\"}", "data", "z" },
        { "{\"data\":\"\"}", "data", "" },
        { "{\"data\":5}", "data", "" },
        { "{\"data\":null,\"x\":\"y\"}", "data", "" },
        { "{\"x\":\"data\"}", "data", "" },
        { "{}", "data", "" },
        { "[\"data\"]", "data", "" },
        { "\"data\"", "data", "" },
        { "{\"data\":\"cut", "data", "" },
        { "{\"data\"", "data", "" },
        { "{\"data\":", "data", "" },
        { "{\"a\":[1},\"data\":\"x\"]", "data", "x" },
        { "", "data", "" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t length = strlen(cases[i].object);
        CLEANUP_FREE char *text = copy(cases[i].object, length);
        struct cdp_slice object = { .text = text, .length = length };
        assert_slice(cdp_slice_string(object, cases[i].key), cases[i].value);
    }
    assert_slice(cdp_slice_string((struct cdp_slice){ 0 }, "data"), "");
}

static void test_slice_string_when_the_slice_ends_early_stays_inside(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":1,\"data\":\"value\"}";
    for (size_t length = 0; length < strlen(text) - 1; length++) {
        /* Not NUL-terminated. */
        char *piece = xmalloc(length + (length == 0));
        memcpy(piece, text, length);
        struct cdp_slice object = { .text = piece, .length = length };
        struct cdp_slice value = cdp_slice_string(object, "data");
        assert_true(value.length == 0 || length >= strlen("{\"a\":1,\"data\":\"value\""));
        free(piece);
    }
}

static void test_create_when_there_is_no_text_is_an_empty_one(void **state)
{
    (void)state;
    CLEANUP_CDP_MESSAGE struct cdp_message *interrupt = cdp_message_create(CDP_INTERRUPT, NULL);
    assert_null(interrupt->text);
    CLEANUP_CDP_MESSAGE struct cdp_message *closed = cdp_message_create(CDP_CLOSED, "gone");
    assert_string_equal(closed->text, "gone");
    assert_false(closed->link.is_droppable);
    cdp_message_destroy(NULL);
}

/* The first caller parses it, and the others get the same object. */
static void test_share_when_parsed_is_parsed_once(void **state)
{
    (void)state;
    struct cdp_message *first =
        scan("{\"method\":\"a.b\",\"params\":{\"x\":1},\"sessionId\":\"S\"}");
    first->link.goes_first = true;
    struct cdp_message *second = cdp_message_share(first);
    CLEANUP_CDP_MESSAGE struct cdp_message *third = cdp_message_share(second);
    assert_ptr_equal(first->text, second->text);
    assert_true(third->link.is_droppable && third->link.goes_first);
    json_t *params = cdp_message_params(second);
    assert_int_equal(json_integer_value(json_object_get(params, "x")), 1);
    assert_ptr_equal(cdp_message_params(first), params);
    cdp_message_destroy(first);
    cdp_message_destroy(second);
    assert_ptr_equal(cdp_message_params(third), params);
    assert_slice(third->session_id, "S");
    assert_int_equal(json_integer_value(json_object_get(params, "x")), 1);
}

static void test_params_when_there_are_none_or_they_are_broken(void **state)
{
    (void)state;
    CLEANUP_CDP_MESSAGE struct cdp_message *without = scan("{\"method\":\"a.b\"}");
    assert_int_equal(json_object_size(cdp_message_params(without)), 0);
    assert_true(json_is_object(cdp_message_params(without)));
    CLEANUP_CDP_MESSAGE struct cdp_message *broken = scan("{\"method\":\"a.b\",\"params\":{1}}");
    assert_null(cdp_message_params(broken));
    assert_null(cdp_message_params(broken));
}

static void test_take_text_changes_the_id_and_hides_the_session(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t id;
        const char *taken;
    } cases[] = {
        { "{\"id\":12,\"result\":{}}", 7, "{\"id\":7 ,\"result\":{}}" },
        { "{\"id\":12,\"result\":{}}", 34, "{\"id\":34,\"result\":{}}" },
        { "{\"id\":1,\"result\":{}}", -2147483647 - 1, "{\"id\":-2147483648,\"result\":{}}" },
        { "{\"result\":{\"id\":5},\"id\":123}", 6, "{\"result\":{\"id\":5},\"id\":6  }" },
        { "{\"id\":1,\"result\":{},\"sessionId\":\"S\"}", 2,
          "{\"id\":2,\"result\":{},\"sessionId\":\"S\"}" },
        { "{\"id\":1,\"result\":{},\"sessionId\":\"R\"}", 2,
          "{\"id\":2,\"result\":{}                }" },
        { "{\"id\":1,\"result\":{} , \"sessionId\" : \"R\" }", 20,
          "{\"id\":20,\"result\":{}                     }" },
        { "{ \"sessionId\":\"R\" ,\"method\":\"a.b\"}", 2,
          "{                  \"method\":\"a.b\"}" },
        { "{\"method\":\"a.b\",\"sessionId\":\"R\",\"params\":{\"id\":1}}", 2,
          "{\"method\":\"a.b\"                ,\"params\":{\"id\":1}}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t length = 0;
        CLEANUP_FREE char *text =
            cdp_message_take_text(scan(cases[i].text), cases[i].id, "R", &length);
        assert_string_equal(text, cases[i].taken);
        assert_int_equal(length, strlen(cases[i].taken));
    }
    size_t length = 0;
    CLEANUP_FREE char *kept = cdp_message_take_text(scan(cases[5].text), 1, NULL, &length);
    assert_string_equal(kept, cases[5].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_when_it_is_a_message_finds_its_parts),
        cmocka_unit_test(test_scan_when_it_is_no_message_gives_null),
        cmocka_unit_test(test_scan_when_there_is_a_nul_inside_gives_null),
        cmocka_unit_test(test_scan_when_truncated_anywhere_gives_null),
        cmocka_unit_test(test_scan_when_huge_keeps_the_text_where_it_is),
        cmocka_unit_test(test_slice_string_when_the_member_is_there_gives_its_text),
        cmocka_unit_test(test_slice_string_when_the_slice_ends_early_stays_inside),
        cmocka_unit_test(test_share_when_parsed_is_parsed_once),
        cmocka_unit_test(test_params_when_there_are_none_or_they_are_broken),
        cmocka_unit_test(test_take_text_changes_the_id_and_hides_the_session),
        cmocka_unit_test(test_create_when_there_is_no_text_is_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
