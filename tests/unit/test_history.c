#include "runner/formats/history.h"

#include "case_table.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/formats/ndjson.h"
#include "runner/formats/picture_slots.h"
#include "runner/formats/provider.h"
#include "runner/formats/response_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define IMAGE(data)                                                                                \
    "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/jpeg\","           \
    "\"data\":\"" data "\"}}"
#define CHUNK(id, index, total, data)                                                              \
    "{\"kind\":\"chunk\",\"id\":\"" id "\",\"index\":" #index ",\"total\":" #total                 \
    ",\"data\":\"" data "\"}\n"
#define SUMMARY "{\"kind\":\"summary\",\"actions\":1}\n"

static bool on_response(void *data, json_t *response, struct br_error *err)
{
    (void)err;
    CLEANUP_FREE char *line = json_line(response, NULL);
    strbuf_add_string(data, line);
    strbuf_add_string(data, "\n");
    return true;
}

/* Reads the text in pieces of `step` bytes. Caller finishes *ret_text. */
static bool read_text(const char *text, size_t step, struct strbuf *ret_text, struct br_error *err)
{
    CLEANUP_HISTORY_READER struct history_reader *reader =
        history_reader_create(on_response, ret_text);
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at += step) {
        size_t rest = length - at;
        if (!history_reader_feed(reader, text + at, rest < step ? rest : step, err)) {
            return false;
        }
    }
    return history_reader_end(reader, err);
}

static void assert_read(const char *text, const char *expected)
{
    static const size_t steps[] = { 1, 7, 100000 };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(STRBUF_UNCAPPED);
        struct br_error err = { 0 };
        bool is_read = read_text(text, steps[i], &output, &err);
        assert_string_equal(err.message, "");
        assert_true(is_read);
        assert_string_equal(output.data, expected);
    }
}

/* Writes the responses that are read, or "nothing", and the error. */
static void add_reading(const char *text, size_t step, struct strbuf *actual)
{
    size_t before = actual->length;
    struct br_error err = { 0 };
    if (!read_text(text, step, actual, &err)) {
        assert_int_equal(err.code, BR_INVALID_ACTION);
        strbuf_add_format(actual, "%s\n", err.message);
    } else if (actual->length == before) {
        strbuf_add_string(actual, "nothing\n");
    }
}

/* Pieces of any size, with and without a last newline, give the same. */
static void run_reading(const struct case_row *row, struct strbuf *actual)
{
    static const size_t steps[] = { 1, 7, 50, 100000 };
    CLEANUP_FREE char *line = xasprintf("%s\n", row->input);
    add_reading(row->input, steps[0], actual);
    size_t length = actual->length;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) * 2; i++) {
        CLEANUP_STRBUF struct strbuf again = STRBUF_INIT(STRBUF_UNCAPPED);
        add_reading(i % 2 ? line : row->input, steps[i / 2], &again);
        if (again.length != length || memcmp(actual->data, again.data, length) != 0) {
            strbuf_add_format(actual, "and in pieces of %zu:\n%s", steps[i / 2], again.data);
        }
    }
}

static void test_read_nothing(void **state)
{
    (void)state;
    assert_read("", "");
    assert_read(" \n\n\r\n", "");
}

#define TILES(first, second, chunks)                                                               \
    "{\"kind\":\"response\",\"screenshots\":{\"tiles\":[" IMAGE(first) "," IMAGE(                  \
        second) "]},\"captures\":{\"tiles\":[{\"bytes\":3,\"capturedAt\":1000},"                   \
                "{\"bytes\":3,\"capturedAt\":2000" chunks "}]}}"

static void test_tiles(void **state)
{
    (void)state;
    assert_read(CHUNK("2-tile-02", 0, 2, "ZG") CHUNK("2-tile-02", 1, 2, "Vm")
                    TILES("YWJj", "", ",\"chunks\":{\"id\":\"2-tile-02\",\"total\":2}"),
                TILES("YWJj", "ZGVm", "") "\n");
    struct br_error err = { 0 };
    CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(STRBUF_UNCAPPED);
    assert_false(read_text(TILES("YWJj", "", ""), 7, &output, &err));
    assert_string_equal(err.message,
                        "line 1: screenshots.tiles[1]: the picture has neither data nor chunks");

    static const char text[] = "[" TILES("YWJj", "ZGVm", "") "]";
    json_auto_t *responses = json_parse(text, sizeof(text) - 1, "test", &err);
    const json_t *screenshots = json_object_get(json_array_get(responses, 0), "screenshots");
    const json_t *tiles = json_object_get(screenshots, "tiles");
    history_clean(responses, 1, BR_NETWORK_FAILED);
    assert_false(picture_is_image(json_array_get(tiles, 0)));
    assert_true(picture_is_image(json_array_get(tiles, 1)));
    history_clean(responses, 0, BR_NETWORK_FAILED);
    assert_string_equal(json_member_string(json_array_get(tiles, 1), "text"), "[picture left out]");
}

static bool add_line(void *data, const char *line, size_t length, struct br_error *err)
{
    (void)err;
    strbuf_add(data, line, length);
    return true;
}

static void test_chunks_of_the_writer(void **state)
{
    (void)state;
    static const size_t chunk_sizes[] = { 0, 1, 7, 1000, 1335, 1336 };
    CLEANUP_RESPONSE struct br_response *response = response_create(2, "click");
    struct br_capture *captures[] = { &response->pre, &response->post };
    for (size_t i = 0; i < 2; i++) {
        size_t size = i == 0 ? 1000 : 777;
        *captures[i] = (struct br_capture){ .bytes = xcalloc(size, 1),
                                            .size = size,
                                            .media_type = "image/png",
                                            .width = 4,
                                            .height = 3 };
        memset(captures[i]->bytes, 'a' + (int)i, size);
    }
    CLEANUP_FREE char *whole = br_response_to_json(response);
    CLEANUP_FREE char *expected = xasprintf("%s\n", whole);
    for (size_t i = 0; i < sizeof(chunk_sizes) / sizeof(chunk_sizes[0]); i++) {
        CLEANUP_STRBUF struct strbuf lines = STRBUF_INIT(STRBUF_UNCAPPED);
        struct ndjson_writer writer = { .chunk_size = chunk_sizes[i],
                                        .on_line = add_line,
                                        .data = &lines };
        struct br_error err;
        assert_true(ndjson_write_response(&writer, response, NULL, &err));
        assert_true(ndjson_write_summary(&writer, &(struct ndjson_summary){ .actions = 1 }, &err));
        assert_read(lines.data, expected);
    }
}

static bool refuse(void *data, json_t *response, struct br_error *err)
{
    (void)data;
    (void)response;
    return error_set(err, BR_DISCONNECTED, "nobody reads");
}

static void test_refused_response(void **state)
{
    (void)state;
    static const char text[] = SUMMARY "{\"kind\":\"response\"}\n";
    struct br_error err = { 0 };
    CLEANUP_HISTORY_READER struct history_reader *reader = history_reader_create(refuse, NULL);
    assert_false(history_reader_feed(reader, text, sizeof(text) - 1, &err));
    assert_string_equal(err.message, "line 2: nobody reads");
    assert_int_equal(err.code, BR_DISCONNECTED);
}

/* Feeds `begin`, then the block repeatedly up to `size` bytes. */
static void assert_limit(const char *begin, const char *block, size_t size, const char *message)
{
    CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_HISTORY_READER struct history_reader *reader =
        history_reader_create(on_response, &output);
    struct br_error err = { 0 };
    bool is_fed = history_reader_feed(reader, begin, strlen(begin), &err);
    size_t length = strlen(block);
    for (size_t fed = 0; is_fed && fed <= size; fed += length) {
        is_fed = history_reader_feed(reader, block, length, &err);
    }
    assert_false(is_fed);
    assert_string_equal(err.message, message);
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
}

static void test_limits(void **state)
{
    (void)state;
    enum { MEBIBYTE = 1024 * 1024 };
    CLEANUP_FREE char *block = xmalloc(MEBIBYTE + 1);
    memset(block, ' ', MEBIBYTE);
    block[MEBIBYTE] = '\0';
    assert_limit(SUMMARY "{", block, HISTORY_LINE_MAX, "line 2 is over 64 MiB");
    assert_limit("[\n", block, HISTORY_LINE_MAX, "the array is over 64 MiB");
    block[MEBIBYTE - 1] = '\n';
    assert_limit("", block, HISTORY_INPUT_MAX, "the input is over 512 MiB");
}

static void test_limits_of_chunks(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf many = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i <= HISTORY_PENDING_MAX; i++) {
        strbuf_add_format(&many,
                          "{\"kind\":\"chunk\",\"id\":\"%zu\",\"index\":0,\"total\":2,"
                          "\"data\":\"x\"}\n",
                          i);
    }
    CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(STRBUF_UNCAPPED);
    struct br_error err = { 0 };
    assert_false(read_text(many.data, 1000, &output, &err));
    assert_string_equal(err.message,
                        "line 65: chunks of more than 64 pictures have no response yet");
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);

    CLEANUP_HISTORY_READER struct history_reader *reader =
        history_reader_create(on_response, &output);
    CLEANUP_FREE char *data = xmalloc(HISTORY_LINE_MAX / 4 + 1);
    memset(data, 'A', HISTORY_LINE_MAX / 4);
    data[HISTORY_LINE_MAX / 4] = '\0';
    for (size_t i = 0; i < 5; i++) {
        CLEANUP_FREE char *chunk = xasprintf(
            "{\"kind\":\"chunk\",\"id\":\"a\",\"index\":%zu,\"total\":9,\"data\":\"%s\"}\n", i,
            data);
        assert_int_equal(history_reader_feed(reader, chunk, strlen(chunk), &err), i < 4);
    }
    assert_string_equal(err.message, "line 5: the chunks of a are over 64 MiB");
    assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
}

/* Makes a response with pictures "PN" and "QN", whose times are N and N + 1. */
static json_t *response_at(int n, bool is_post_first)
{
    CLEANUP_FREE char *pre = xasprintf("P%d", n);
    CLEANUP_FREE char *post = xasprintf("Q%d", n);
    json_t *images[2];
    const char *data[] = { pre, post };
    for (size_t i = 0; i < 2; i++) {
        images[i] = json_pack("{s:s, s:{s:s, s:s, s:s}}", "type", "image", "source", "type",
                              "base64", "media_type", "image/jpeg", "data", data[i]);
    }
    json_t *screenshots = is_post_first
                              ? json_pack("{s:o, s:o}", "post", images[1], "pre", images[0])
                              : json_pack("{s:o, s:o}", "pre", images[0], "post", images[1]);
    return json_pack("{s:s, s:[{s:s, s:s}, {s:s, s:s}, {s:s}], s:{s:i}, s:o,"
                     " s:{s:{s:i, s:i, s:I}, s:{s:i, s:i, s:I}}}",
                     "kind", "response", "logs", "source", "browser", "message", "a", "source",
                     "tool", "message", "b", "message", "c", "metrics", "jsErrors", n,
                     "screenshots", screenshots, "captures", "pre", "width", 1280, "height", 720,
                     "capturedAt", (json_int_t)(1732200000000 + n * 1000), "post", "width", 800,
                     "height", 600, "capturedAt", (json_int_t)(1732200000000 + n * 1000 + 1000));
}

/* Returns "P0 Q0 …", with "-" for each placeholder, whose texts are checked. */
static char *pictures_of(const json_t *responses)
{
    static const char *const keys[] = { "pre", "post" };
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < json_array_size(responses) * 2; i++) {
        const json_t *response = json_array_get(responses, i / 2);
        json_t *block = json_object_get(json_object_get(response, "screenshots"), keys[i % 2]);
        const char *data = NULL;
        if (json_unpack(block, "{s:{s:s}}", "source", "data", &data) == 0) {
            strbuf_add_format(&text, " %s", data);
            continue;
        }
        CLEANUP_FREE char *line = json_line(block, NULL);
        CLEANUP_FREE char *expected = xasprintf(
            "{\"type\":\"text\",\"text\":\"[picture left out: %s at 2024-11-21T14:40:%02zuZ]\"}",
            i % 2 ? "800x600" : "1280x720", i / 2 + i % 2);
        assert_string_equal(line, expected);
        strbuf_add_string(&text, " -");
    }
    return strbuf_take(&text);
}

static void test_clean_pictures(void **state)
{
    (void)state;
    static const struct {
        size_t keep_images;
        const char *pictures;
    } cases[] = {
        { 0, " - - - - - -" },
        { 1, " - - - - - Q2" },
        { 2, " - - - - P2 Q2" },
        { 3, " - - - Q1 P2 Q2" },
        { 6, " P0 Q0 P1 Q1 P2 Q2" },
        { 7, " P0 Q0 P1 Q1 P2 Q2" },
        { SIZE_MAX, " P0 Q0 P1 Q1 P2 Q2" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) * 2; i++) {
        json_auto_t *responses = json_array();
        for (int n = 0; n < 3; n++) {
            json_array_append_new(responses, response_at(n, i % 2));
        }
        history_clean(responses, cases[i / 2].keep_images, BR_NETWORK_FAILED);
        CLEANUP_FREE char *pictures = pictures_of(responses);
        assert_string_equal(pictures, cases[i / 2].pictures);
        json_auto_t *again = json_deep_copy(responses);
        history_clean(again, cases[i / 2].keep_images, BR_NETWORK_FAILED);
        assert_true(json_equal(again, responses));
    }
}

static void test_clean_logs_and_metrics(void **state)
{
    (void)state;
    json_auto_t *responses = json_array();
    json_array_append_new(responses, response_at(0, false));
    json_array_append_new(responses, response_at(1, false));
    json_auto_t *last = json_deep_copy(json_array_get(responses, 1));
    history_clean(responses, 2, BR_NETWORK_FAILED);
    assert_true(json_equal(json_array_get(responses, 1), last));
    json_auto_t *expected = response_at(0, false);
    json_object_set_new(expected, "logs",
                        json_pack("[{s:s, s:s}]", "source", "tool", "message", "b"));
    json_object_set_new(expected, "metrics", json_null());
    json_object_set(expected, "screenshots",
                    json_object_get(json_array_get(responses, 0), "screenshots"));
    assert_true(json_equal(json_array_get(responses, 0), expected));
}

/* Cleaning odd histories adds nothing. */
static void test_clean_odd_responses(void **state)
{
    (void)state;
    static const char text[] = "[1,{},{\"logs\":7,\"screenshots\":[1]},"
                               "{\"screenshots\":{\"pre\":null}},{\"kind\":\"response\"}]";
    static const char cleaned[] = "[1,{},{\"logs\":[],\"screenshots\":[1]},"
                                  "{\"screenshots\":{\"pre\":null}},{\"kind\":\"response\"}]";
    struct br_error err;
    json_auto_t *responses = json_parse(text, sizeof(text) - 1, "test", &err);
    history_clean(responses, 0, BR_NETWORK_FAILED);
    CLEANUP_FREE char *line = json_line(responses, NULL);
    assert_string_equal(line, cleaned);
    json_auto_t *none = json_array();
    history_clean(none, 1, BR_NETWORK_FAILED);
    assert_int_equal(json_array_size(none), 0);
}

static void run_placeholder(const struct case_row *row, struct strbuf *actual)
{
    struct br_error err;
    json_auto_t *response = json_parse(row->input, row->length, "test", &err);
    json_auto_t *block =
        picture_placeholder(json_object_get(json_object_get(response, "captures"), "post"));
    assert_string_equal(json_member_string(block, "type"), "text");
    assert_false(picture_is_image(block));
    strbuf_add_string(actual, json_member_string(block, "text"));
}

/* JSON is written with ' for " below. */
static char *unquoted(const char *text)
{
    char *copy = xstrdup(text);
    for (char *at = strchr(copy, '\''); at; at = strchr(at, '\'')) {
        *at = '"';
    }
    return copy;
}

static bool gather(void *data, json_t *entry, struct br_error *err)
{
    (void)err;
    json_array_append(data, entry);
    return true;
}

/* Returns the entries of valid lines. Caller decrefs. */
static json_t *read_entries(const char *lines)
{
    json_t *entries = json_array();
    CLEANUP_HISTORY_READER struct history_reader *reader = history_reader_create(gather, entries);
    struct br_error err = { 0 };
    bool is_read =
        history_reader_feed(reader, lines, strlen(lines), &err) && history_reader_end(reader, &err);
    assert_string_equal(err.message, "");
    assert_true(is_read);
    return entries;
}

static json_t *entries_of(const char *text)
{
    CLEANUP_FREE char *lines = unquoted(text);
    return read_entries(lines);
}

/* Writes each entry as a line. */
static void add_lines(const json_t *entries, struct strbuf *text)
{
    size_t index;
    json_t *entry;
    struct br_error err = { 0 };
    json_array_foreach (entries, index, entry) {
        on_response(text, entry, &err);
    }
}

static void assert_lines(const json_t *entries, const char *expected)
{
    CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *lines = unquoted(expected);
    add_lines(entries, &output);
    assert_string_equal(output.data, lines);
}

#define OUT "[picture left out]"
#define ANTHROPIC(data)                                                                            \
    "{'type':'image','source':{'type':'base64','media_type':'image/png','data':'" data "'}}"
#define OPENAI(data)  "{'type':'image_url','image_url':{'url':'data:image/png;base64," data "'}}"
#define GEMINI(data)  "{'inlineData':{'mimeType':'image/png','data':'" data "'}}"
#define T(text)       "{'type':'text','text':'" text "'}"
#define USER(blocks)  "{'role':'user','content':[" blocks "]}\n"
#define PARTS(blocks) "{'role':'user','parts':[" blocks "]}\n"
/* A response as the text of a message, followed by its two pictures. */
#define RESPONSE_TEXT(logs, metrics)                                                               \
    "{\\'kind\\':\\'response\\',\\'logs\\':[" logs "],\\'metrics\\':" metrics                      \
    ",\\'captures\\':{\\'pre\\':{\\'width\\':3,\\'height\\':4,\\'capturedAt\\':2000},"             \
    "\\'post\\':{\\'width\\':5,\\'height\\':6,\\'capturedAt\\':1000}}}"
#define FULL     RESPONSE_TEXT("{\\'source\\':\\'tool\\'},{\\'source\\':\\'browser\\'}", "{}")
#define SHORT    RESPONSE_TEXT("{\\'source\\':\\'tool\\'}", "null")
#define OUT_PRE  "[picture left out: 3x4 at 1970-01-01T00:00:02Z]"
#define OUT_POST "[picture left out: 5x6 at 1970-01-01T00:00:01Z]"

static void test_clean_messages(void **state)
{
    (void)state;
    static const struct {
        size_t keep_images;
        const char *text, *expected;
    } cases[] = {
        /* Pictures of each format are removed, the oldest first; everything else stays. */
        { 1,
          USER(T("a") "," ANTHROPIC("YQ==")) USER(OPENAI("Yg==") "," T("b")) PARTS(GEMINI("Yw==")),
          USER(T("a") "," T(OUT)) USER(T(OUT) "," T("b")) PARTS(GEMINI("Yw==")) },
        { 0,
          PARTS("{'inline_data':{'mime_type':'image/png','data':'YQ=='}},"
                "{'inlineData':{'mimeType':'audio/wav','data':'YQ=='}},{'text':'x'}"),
          PARTS("{'text':'" OUT "'},"
                "{'inlineData':{'mimeType':'audio/wav','data':'YQ=='}},{'text':'x'}") },
        { 0, USER("{'type':'input_image','image_url':'https://a/b.png'}"),
          USER("{'type':'input_text','text':'" OUT "'}") },
        { 0,
          USER("{'type':'image','source':{'type':'url','url':'https://a/b.png'},"
               "'cache_control':{'type':'ephemeral'}}"),
          USER("{'type':'text','text':'" OUT "','cache_control':{'type':'ephemeral'}}") },
        { 1, USER(ANTHROPIC("YQ==") "," ANTHROPIC("Yg==")), USER(T(OUT) "," ANTHROPIC("Yg==")) },
        /* Pictures in tool results. */
        { 1,
          USER("{'type':'tool_result','tool_use_id':'t','content':[" ANTHROPIC(
              "YQ==") "]},{'type':'tool_result','content':'x'}") USER(OPENAI("Yg==")),
          USER("{'type':'tool_result','tool_use_id':'t','content':[" T(
              OUT) "]},{'type':'tool_result','content':'x'}") USER(OPENAI("Yg==")) },
        { 0, PARTS("{'functionResponse':{'name':'f','parts':[" GEMINI("YQ==") "]}}"),
          PARTS("{'functionResponse':{'name':'f','parts':[{'text':'" OUT "'}]}}") },
        /* Entries without a picture are unchanged, including the order of their keys. */
        { 0,
          "{'content':'x','role':'assistant','z':1,'a':[1.5,{}]}\n"
          "{'role':'assistant','content':null,'tool_calls':[{'id':'1'}]}\n"
          "{'role':'tool','tool_call_id':'1','content':'{\\'kind\\':1}'}\n"
          "{'parts':[{'functionCall':{'name':'f'}}]}\n",
          "{'content':'x','role':'assistant','z':1,'a':[1.5,{}]}\n"
          "{'role':'assistant','content':null,'tool_calls':[{'id':'1'}]}\n"
          "{'role':'tool','tool_call_id':'1','content':'{\\'kind\\':1}'}\n"
          "{'parts':[{'functionCall':{'name':'f'}}]}\n" },
        /*
         * Responses in messages like those in lines; the last response need not be the last entry.
         */
        { 1,
          USER(T(FULL) "," ANTHROPIC("YQ==") "," ANTHROPIC("Yg=="))
              PARTS("{'text':'" FULL "'}," GEMINI("Yw==") "," GEMINI("ZA==")) USER(T("go on")),
          USER(T(SHORT) "," T(OUT_PRE) "," T(OUT_POST)) PARTS(
              "{'text':'" FULL "'}," GEMINI("Yw==") ",{'text':'" OUT_POST "'}") USER(T("go on")) },
        { 0,
          "{'kind':'response','logs':[{'source':'browser'}],'metrics':{}}\n"
          "{'role':'tool','content':'" FULL "'}\n{'role':'user','content':'" FULL "'}\n",
          "{'kind':'response','logs':[],'metrics':null}\n"
          "{'role':'tool','content':'" SHORT "'}\n{'role':'user','content':'" FULL "'}\n" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_auto_t *entries = entries_of(cases[i].text);
        history_clean(entries, SIZE_MAX, BR_NETWORK_FAILED);
        if (!strstr(cases[i].text, "'browser\\'") && !strstr(cases[i].text, "'logs'")) {
            assert_lines(entries, cases[i].text);
        }
        history_clean(entries, cases[i].keep_images, BR_NETWORK_FAILED);
        assert_lines(entries, cases[i].expected);
        history_clean(entries, cases[i].keep_images, BR_NETWORK_FAILED);
        assert_lines(entries, cases[i].expected);
    }
}

/* A provider, and the messages that are converted for it. */
static void run_conversion(const struct case_row *row, struct strbuf *actual)
{
    size_t index;
    json_t *entry;
    CLEANUP_FREE char *provider = xstrndup(row->input, strcspn(row->input, " \n"));
    json_auto_t *entries = read_entries(row->input + strlen(provider) + 1);
    json_auto_t *before = json_deep_copy(entries);
    json_auto_t *messages = json_array();
    json_array_foreach (entries, index, entry) {
        struct br_error err = { 0 };
        json_t *message = provider_message(provider, entry, &err);
        if (!message) {
            assert_int_equal(err.code, BR_INVALID_ACTION);
            strbuf_add_string(actual, err.message);
            return;
        }
        json_array_append_new(messages, message);
    }
    add_lines(messages, actual);
    assert_true(json_equal(entries, before));
}

/* Conversion via another provider gives the same result as a direct one. */
static void test_convert_twice(void **state)
{
    (void)state;
    /* Anthropic's format has one picture less, which is not restored. */
    static const char *const names[] = { "openai", "gemini" };
    static const char *const ends[] = { "anthropic",      "openai",      "gemini",
                                        "anthropic-text", "openai-text", "deepseek" };
    static const char text[] =
        "{'kind':'response','id':1,'logs':[],'screenshots':{'pre':" ANTHROPIC(
            "YQ==") ",'post':" ANTHROPIC("Yg==") "},'captures':{'pre':{'width':640,'height':480,"
                                                 "'capturedAt':1000,'tokens':410},"
                                                 "'post':{'width':2500,'height':900,"
                                                 "'capturedAt':2000,'tokens':3000}}}\n";
    json_auto_t *entries = entries_of(text);
    for (size_t i = 0; i < 12; i++) {
        struct br_error err = { 0 };
        json_auto_t *first = provider_message(names[i / 6], json_array_get(entries, 0), &err);
        json_auto_t *second = provider_message(ends[i % 6], first, &err);
        json_auto_t *direct = provider_message(ends[i % 6], json_array_get(entries, 0), &err);
        assert_string_equal(err.message, "");
        CLEANUP_FREE char *got = json_line(second, NULL);
        CLEANUP_FREE char *wanted = json_line(direct, NULL);
        assert_string_equal(got, wanted);
    }
}

static void test_tables(void **state)
{
    (void)state;
    static const struct case_part parts[] = {
        { "reading", run_reading },
        { "placeholders", run_placeholder },
        { "converting", run_conversion },
        { "what has no form", run_conversion },
    };
    CASE_TABLE_CHECK("history.txt", parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_read_nothing),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_chunks_of_the_writer),
        cmocka_unit_test(test_refused_response),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limits_of_chunks),
        cmocka_unit_test(test_clean_pictures),
        cmocka_unit_test(test_clean_logs_and_metrics),
        cmocka_unit_test(test_clean_odd_responses),
        cmocka_unit_test(test_clean_messages),
        cmocka_unit_test(test_convert_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
