#include "runner/formats/ndjson.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/formats/response_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct output {
    struct strbuf text;
    size_t line_count;
    size_t refused_line; /* counted from 1; 0: none */
};

static bool on_line(void *data, const char *line, size_t length, struct br_error *err)
{
    struct output *output = data;
    if (++output->line_count == output->refused_line) {
        return error_set(err, BR_DISCONNECTED, "nobody reads");
    }
    /* A whole line in one call. */
    assert_ptr_equal(memchr(line, '\n', length), line + length - 1);
    strbuf_add(&output->text, line, length);
    return true;
}

static struct br_response *response_with_pictures(size_t pre_size, size_t post_size)
{
    struct br_response *response = response_create(2, "click");
    struct br_capture *captures[] = { &response->pre, &response->post };
    size_t sizes[] = { pre_size, post_size };
    response->success = true;
    for (size_t i = 0; i < 2; i++) {
        if (sizes[i] == 0) {
            continue;
        }
        *captures[i] = (struct br_capture){
            .bytes = xmalloc(sizes[i]),
            .size = sizes[i],
            .media_type = "image/png",
            .width = 4,
            .height = 3,
            .scale = 2,
            .captured_at_ms = 5,
        };
        for (size_t byte = 0; byte < sizes[i]; byte++) {
            captures[i]->bytes[byte] = (unsigned char)(byte * 7 + i);
        }
    }
    return response;
}

static void assert_lines(struct ndjson_writer writer, const struct br_response *response,
                         const char *expected)
{
    struct output output = { .text = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct br_error err;
    writer.on_line = on_line;
    writer.data = &output;
    assert_true(ndjson_write_response(&writer, response, NULL, &err));
    assert_string_equal(output.text.data, expected);
    strbuf_finish(&output.text);
}

#define BEGIN                                                                                      \
    "{\"kind\":\"response\",\"id\":2,\"type\":\"click\",\"success\":true,\"logs\":[],"             \
    "\"networkEvents\":[],\"metrics\":{\"jsErrors\":0,\"networkErrors\":0,"                        \
    "\"totalErrors\":0,\"consecutiveErrors\":0,\"totalActions\":0,\"totalJsErrors\":0,"            \
    "\"totalNetworkErrors\":0},"
#define END ",\"attempts\":1,\"recovered\":false,\"durationMs\":0}\n"
#define IMAGE(data)                                                                                \
    "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":"   \
    "\"" data "\"}}"
#define CAPTURE "{\"width\":4,\"height\":3,\"scale\":2,\"bytes\":6,\"capturedAt\":5,\"tokens\":1"

static void test_lines(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_with_pictures(0, 6);
    static const char whole[] = BEGIN
        "\"screenshots\":{\"post\":" IMAGE("AQgPFh0k") "},\"captures\":{\"post\":" CAPTURE "}}" END;
    assert_lines((struct ndjson_writer)NDJSON_WRITER_INIT, response, whole);
    assert_lines((struct ndjson_writer){ .chunk_size = 0 }, response, whole);
    assert_lines((struct ndjson_writer){ .chunk_size = 8 }, response, whole);
    assert_lines(
        (struct ndjson_writer){ .chunk_size = 7 }, response,
        "{\"kind\":\"chunk\",\"id\":\"2-post\",\"index\":0,\"total\":2,"
        "\"data\":\"AQgPFh0\"}\n"
        "{\"kind\":\"chunk\",\"id\":\"2-post\",\"index\":1,\"total\":2,\"data\":\"k\"}\n" BEGIN
        "\"screenshots\":{\"post\":" IMAGE("") "},\"captures\":{\"post\":" CAPTURE
                                               ",\"chunks\":{\"id\":\"2-post\",\"total\":2}}}" END);
}

/* Characters that act on terminals or in CI logs are escaped; JSON readers get the same text. */
static void test_lines_are_harmless(void **state)
{
    (void)state;
    static const char text[] = "\x7F \xC2\x9B \xD8\x9C \xE2\x80\xAE \xE2\x81\xA6 \xE2\x82\xAC "
                               "\xC3\xBC ##[add-mask]x ###[ # ##";
    json_auto_t *root = json_pack("{s:s}", text, text);
    CLEANUP_FREE char *line = json_line(root, NULL);
    static const char said[] = "\"\\u007f \\u009b \\u061c \\u202e \\u2066 \xE2\x82\xAC \xC3\xBC "
                               "##\\u005badd-mask]x ###\\u005b # ##\"";
    CLEANUP_FREE char *wanted = xasprintf("{%s:%s}", said, said);
    assert_string_equal(line, wanted);
    json_auto_t *read = json_loads(line, 0, NULL);
    assert_true(json_equal(read, root));
}

static void test_default_chunk_size(void **state)
{
    (void)state;
    struct ndjson_writer writer = NDJSON_WRITER_INIT;
    assert_int_equal(writer.chunk_size, 204800);
}

/* Joins the data of all chunks of an id, whose indexes must be in the order of the lines. */
static char *join_chunks(const char *lines, const char *id, size_t *ret_total)
{
    struct strbuf joined = STRBUF_INIT(STRBUF_UNCAPPED);
    *ret_total = 0;
    for (const char *line = lines; *line; line = strchr(line, '\n') + 1) {
        struct br_error err;
        json_auto_t *root = json_parse(line, (size_t)(strchr(line, '\n') - line), "line", &err);
        assert_non_null(root);
        if (strcmp(json_member_string(root, "kind"), "chunk") == 0 &&
            strcmp(json_member_string(root, "id"), id) == 0) {
            assert_int_equal(json_member_number(root, "index", -1), *ret_total);
            strbuf_add_string(&joined, json_member_string(root, "data"));
            ++*ret_total;
        }
    }
    return strbuf_take(&joined);
}

static void test_chunks_joined_are_the_whole(void **state)
{
    (void)state;
    static const size_t chunk_sizes[] = { 1, 3, 4, 1000, 1335, 1336, 1337, 5000 };
    CLEANUP_RESPONSE struct br_response *response = response_with_pictures(1000, 7);
    CLEANUP_FREE char *whole = br_response_to_json(response);
    struct br_error err;
    json_auto_t *expected = json_parse(whole, strlen(whole), "whole", &err);
    for (size_t i = 0; i < sizeof(chunk_sizes) / sizeof(chunk_sizes[0]); i++) {
        struct output output = { .text = STRBUF_INIT(STRBUF_UNCAPPED) };
        struct ndjson_writer writer = { .chunk_size = chunk_sizes[i],
                                        .on_line = on_line,
                                        .data = &output };
        assert_true(ndjson_write_response(&writer, response, NULL, &err));
        static const struct {
            const char *key, *id;
            size_t length;
        } pictures[] = { { "pre", "2-pre", 1336 }, { "post", "2-post", 12 } };
        for (size_t k = 0; k < 2; k++) {
            size_t total;
            CLEANUP_FREE char *joined = join_chunks(output.text.data, pictures[k].id, &total);
            const char *data;
            assert_int_equal(json_unpack(expected, "{s:{s:{s:{s:s}}}}", "screenshots",
                                         pictures[k].key, "source", "data", &data),
                             0);
            if (pictures[k].length > chunk_sizes[i]) {
                assert_string_equal(joined, data);
                assert_int_equal(total, (pictures[k].length + chunk_sizes[i] - 1) / chunk_sizes[i]);
            } else {
                assert_int_equal(total, 0);
                assert_non_null(strstr(output.text.data, data));
            }
        }
        strbuf_finish(&output.text);
    }
}

static void test_summary(void **state)
{
    (void)state;
    struct output output = { .text = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct ndjson_writer writer = { .on_line = on_line, .data = &output };
    struct br_error err;
    struct ndjson_summary summary = {
        .actions = 3,
        .failed = 1,
        .duration_ms = 12,
        .total_errors = 2,
        .consecutive_errors = 1,
        .last_action = (char[]){ "wait" },
    };
    assert_true(ndjson_write_summary(&writer, &summary, &err));
    struct ndjson_summary stopped = { .stopped_by = "input" };
    error_set(&stopped.error, BR_INVALID_ACTION, "no instruction found");
    assert_true(ndjson_write_summary(&writer, &stopped, &err));
    assert_string_equal(
        output.text.data,
        "{\"kind\":\"summary\",\"actions\":3,\"failed\":1,\"aborted\":false,\"durationMs\":12,"
        "\"totalErrors\":2,\"consecutiveErrors\":1,\"lastAction\":\"wait\"}\n"
        "{\"kind\":\"summary\",\"actions\":0,\"failed\":0,\"aborted\":true,"
        "\"stoppedBy\":\"input\",\"error\":\"no instruction found\",\"durationMs\":0,"
        "\"totalErrors\":0,\"consecutiveErrors\":0}\n");
    strbuf_finish(&output.text);
}

/* One line, the message, with the complete picture regardless of chunks. */
static void test_message(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_with_pictures(0, 100);
    struct output output = { .text = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct ndjson_writer writer = {
        .chunk_size = 10, .on_line = on_line, .data = &output, .provider = "openai"
    };
    struct br_error err;
    assert_true(ndjson_write_response(&writer, response, NULL, &err));
    assert_int_equal(output.line_count, 1);
    json_auto_t *message = json_parse(output.text.data, output.text.length, "message", &err);
    const char *role = NULL;
    const char *text = NULL;
    const char *url = NULL;
    assert_true(json_read(message, "message", &err, "{s:s, s:[{s:s}, {s:{s:s}}]}", "role", &role,
                          "content", "text", &text, "image_url", "url", &url));
    assert_string_equal(role, "user");
    assert_non_null(strstr(text, "\"type\":\"click\""));
    assert_int_equal(strlen(url), strlen("data:image/png;base64,") + 136);
    strbuf_finish(&output.text);
}

static void test_refused_line(void **state)
{
    (void)state;
    CLEANUP_RESPONSE struct br_response *response = response_with_pictures(3, 3);
    for (size_t refused = 1; refused <= 5; refused++) {
        struct output output = { .text = STRBUF_INIT(STRBUF_UNCAPPED), .refused_line = refused };
        struct ndjson_writer writer = { .chunk_size = 2, .on_line = on_line, .data = &output };
        struct br_error err = { 0 };
        assert_false(ndjson_write_response(&writer, response, NULL, &err));
        assert_string_equal(err.message, "nobody reads");
        assert_int_equal(output.line_count, refused);
        strbuf_finish(&output.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lines_are_harmless),
        cmocka_unit_test(test_default_chunk_size),
        cmocka_unit_test(test_chunks_joined_are_the_whole),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_refused_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
