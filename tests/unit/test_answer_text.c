/* Responses in words. */
#include "runner/formats/answer_text.h"

#include "case_table.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/utf8.h"
#include "runner/formats/response_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static json_t *parse(const char *text)
{
    CLEANUP_FREE char *json = xstrdup(text);
    for (char *c = json; *c; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

static char *text_of(const struct answer_text *options, const char *response)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *root = parse(response);
    answer_text_add(options, root, &text);
    return strbuf_take(&text);
}

/* An instruction and its response. */
static void run_answer(const struct case_row *row, struct strbuf *actual)
{
    CLEANUP_FREE char *instruction = xstrdup(row->input);
    char *response = strchr(instruction, '\n');
    assert_non_null(response);
    *response++ = '\0';
    json_auto_t *asked = parse(instruction);
    json_auto_t *answered = parse(response);
    struct answer_text options = { .instruction = asked };
    answer_text_add(&options, answered, actual);
    assert_int_equal(actual->data[actual->length - 1], '\n');
}

static void test_cases(void **state)
{
    static const struct case_part parts[] = { { "answers", run_answer } };
    (void)state;
    CASE_TABLE_CHECK("answer_text.txt", parts);
}

static void test_bare(void **state)
{
    (void)state;
    static const struct {
        const char *response, *text;
    } cases[] = {
        { "{'type':'evaluate','success':true,'url':'http://a/','result':'x'}", "x\n" },
        { "{'type':'evaluate','success':true,'url':'http://a/','result':null}", "null\n" },
        { "{'type':'evaluate','success':false,'url':'http://a/','errorCode':'EVAL_ERROR',"
          "'error':'x'}",
          "failed: EVAL_ERROR x\nat http://a/\n" },
        { "{'type':'back','success':true,'url':'http://a/'}", "went back\nat http://a/\n" },
    };
    struct answer_text options = { .is_bare = true };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_FREE char *text = text_of(&options, cases[i].response);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_pictures(void **state)
{
    (void)state;
    const struct answer_picture pictures[] = {
        { "a\033.jpg", 1280, 720, 1, 34200 },
        { "b.png", 0, 0, 0, 999 },
        { "c.png", 1, 2, 0.5, 1234567 },
    };
    struct answer_text options = { .pictures = pictures, .picture_count = COUNT(pictures) };
    CLEANUP_FREE char *text = text_of(&options, "{'type':'screenshot','success':true}");
    assert_string_equal(text, "took a picture\n"
                              "picture: a\\u{1b}.jpg 1280x720, 34 KB\n"
                              "picture: b.png, 999 bytes\n"
                              "picture: c.png 1x2 at scale 0.5, 1.2 MB\n");
}

static void test_many_errors(void **state)
{
    (void)state;
    json_auto_t *root = parse("{'type':'back','success':true,'logs':[],'networkEvents':[]}");
    for (int i = 0; i < 8; i++) {
        json_array_append_new(json_object_get(root, "logs"),
                              json_pack("{s:s, s:s}", "type", "error", "message", "m"));
        json_array_append_new(
            json_object_get(root, "networkEvents"),
            json_pack("{s:s, s:s, s:i}", "method", "GET", "url", "u", "status", 400));
    }
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    answer_text_add(&(struct answer_text){ 0 }, root, &text);
    size_t lines = 0;
    for (const char *c = text.data; *c; c++) {
        lines += *c == '\n';
    }
    assert_int_equal(lines, 1 + ANSWER_MAX_ERRORS + 1);
    assert_non_null(strstr(text.data, "… and 6 more errors\n"));

    char message[400];
    memset(message, 'm', sizeof(message));
    message[sizeof(message) - 1] = '\0';
    json_array_insert_new(json_object_get(root, "logs"), 0,
                          json_pack("{s:s, s:s}", "type", "error", "message", message));
    CLEANUP_STRBUF struct strbuf brief = STRBUF_INIT(STRBUF_UNCAPPED);
    answer_text_add(&(struct answer_text){ .is_brief = true }, root, &brief);
    assert_non_null(strstr(brief.data, "mmm…\n"));
    assert_non_null(strstr(brief.data, "… and 14 more errors\n"));
    assert_in_range(brief.length, 200, 350);
}

static void test_colors(void **state)
{
    (void)state;
    struct answer_text options = { .has_colors = true };
    CLEANUP_FREE char *text =
        text_of(&options, "{'type':'back','success':false,'errorCode':'TIMEOUT','error':'late',"
                          "'logs':[{'type':'error','message':'m'}]}");
    assert_string_equal(text, "\033[31mfailed:\033[0m TIMEOUT late\n"
                              "\033[31mbrowser:error\033[0m m\n");
}

/* Each text of a response contains control sequences of terminals; none may be printed. */
static void test_nothing_reaches_the_terminal(void **state)
{
    (void)state;
    static const char evil[] = "\\u001b]0;x\\u0007\\u001b[2J\\u009b31m\\r\\u202e\\u007f";
    static const char *const responses[] = {
        "{'type':'%s','success':true,'url':'%s','title':'%s','result':'%s'}",
        "{'type':'click','success':true,'delivered':{'element':'%s'},'result':{'%s':'%s'}}",
        "{'type':'click','success':false,'errorCode':'%s','error':'%s','hint':'%s'}",
        "{'type':'logs','success':true,'result':{'entries':[{'type':'error','message':'%s',"
        "'category':'%s','location':'%s','hint':'%s'}]}}",
        "{'type':'network','success':true,'result':{'requests':[{'method':'%s','url':'%s',"
        "'type':'%s','error':'%s'}]}}",
        "{'type':'network','success':true,'result':{'request':{'responseBody':'%s','a':'%s'}}}",
        "{'type':'tab','success':true,'result':[{'url':'%s','title':'%s'}]}",
        "{'type':'snapshot','success':true,'result':{'text':'%s','%s':1}}",
        "{'type':'snapshot','success':true,'result':{'format':'json','%s':'%s'}}",
        "{'type':'back','success':true,'logs':[{'type':'error','message':'%s','category':'%s'}],"
        "'networkEvents':[{'method':'%s','url':'%s','error':'%s','type':'%s'}]}",
        "{'type':'back','success':true,'downloads':[{'file':'%s','state':'%s'},"
        "{'suggestedName':'%s'}]}",
    };
    json_auto_t *instruction = parse("{'role':'\\u001b[1m','name':'\\u009b1m\\u007f','key':'\\r'}");
    for (size_t i = 0; i < COUNT(responses); i++) {
        CLEANUP_STRBUF struct strbuf response = STRBUF_INIT(STRBUF_UNCAPPED);
        for (const char *c = responses[i]; *c; c++) {
            bool is_place = c[0] == '%' && c[1] == 's';
            strbuf_add(&response, is_place ? evil : c, is_place ? sizeof(evil) - 1 : 1);
            c += is_place;
        }
        json_auto_t *root = parse(response.data);
        struct answer_text options = { .instruction = instruction };
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        answer_text_add(&options, root, &text);
        assert_true(text.length > 0 && text.data[text.length - 1] == '\n');
        for (size_t at = 0; at < text.length;) {
            unsigned char c = (unsigned char)text.data[at];
            size_t length = utf8_sequence(text.data + at, text.length - at);
            assert_true(length > 0);
            assert_true(c == '\n' || (c >= 0x20 && c != 0x7F));
            assert_false(c == 0xC2 && (unsigned char)text.data[at + 1] < 0xA0);
            assert_int_not_equal(memcmp(text.data + at, "\xE2\x80\xAE", length < 3 ? 3 : length),
                                 0);
            at += length;
        }
    }
}

/* A value that is no response, or has members of other types, does no harm. */
static void test_what_is_no_response(void **state)
{
    (void)state;
    static const char *const responses[] = {
        "null",
        "[]",
        "{}",
        "{'success':true}",
        "{'type':1,'success':1,'url':[],'title':{},'logs':{},'networkEvents':3}",
        "{'type':'logs','success':true,'result':[]}",
        "{'type':'logs','success':true,'result':{'entries':[1,'x',{}],'next':'x','lost':-1}}",
        "{'type':'network','success':true,'result':{'requests':[null,{}],'next':1e300}}",
        "{'type':'tab','success':true,'result':[1,{}]}",
        "{'type':'snapshot','success':true,'result':5}",
        "{'type':'click','success':true,'attempts':1e300,'httpStatus':-1e300,'delivered':1}",
        ("{'type':'back','success':true,'logs':[{'type':'error','count':1e99}],"
         "'networkEvents':[{'status':1e99,'durationMs':1e99}],'downloads':[{'bytes':1e300}]}"),
    };
    for (size_t i = 0; i < COUNT(responses); i++) {
        json_auto_t *instruction = parse("[]");
        struct answer_text options = { .instruction = instruction };
        CLEANUP_FREE char *text = text_of(&options, responses[i]);
        assert_true(*text);
    }
}

/* The tree made from a session's responses. */
static void test_real_response(void **state)
{
    (void)state;
    struct log_list logs = { 0 };
    log_add(&logs, BR_LOG_ERROR, BR_SOURCE_BROWSER, "console", "oops");
    CLEANUP_RESPONSE struct br_response *response = response_create(3, "click");
    response->logs = logs.items;
    response->log_count = logs.count;
    response->url = xstrdup("http://a/");
    response->title = xstrdup("A");
    error_set(&response->error, BR_TARGET_OBSCURED, "it is covered");
    error_hint(&response->error, "scroll");
    json_auto_t *root = response_json(response, 0);
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    answer_text_add(&(struct answer_text){ 0 }, root, &text);
    assert_string_equal(text.data, "failed: TARGET_OBSCURED it is covered\n  hint: scroll\n"
                                   "at http://a/ \"A\"\nbrowser:error [console] oops\n");
}

static void test_limit_of_the_buffer(void **state)
{
    (void)state;
    json_auto_t *root =
        json_pack("{s:s, s:b, s:o}", "type", "evaluate", "success", 1, "result", json_array());
    for (int i = 0; i < 1000; i++) {
        json_array_append_new(json_object_get(root, "result"), json_string("\n\n\n\n"));
    }
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(100);
    answer_text_add(&(struct answer_text){ 0 }, root, &text);
    assert_true(text.overflowed);
    assert_in_range(text.length, 1, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_bare),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_many_errors),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_nothing_reaches_the_terminal),
        cmocka_unit_test(test_what_is_no_response),
        cmocka_unit_test(test_real_response),
        cmocka_unit_test(test_limit_of_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
