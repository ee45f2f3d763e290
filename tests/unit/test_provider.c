#include "runner/formats/provider.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/formats/response_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define IMAGE(type, data)                                                                          \
    "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"" type                   \
    "\",\"data\":\"" data "\"}}"
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define CAPTURES                                                                                   \
    "\"captures\":{\"pre\":{\"width\":4,\"height\":3,\"capturedAt\":1732200000000},"               \
    "\"post\":{\"width\":5,\"height\":6,\"capturedAt\":1732200001000}}"
/* The same as JSON inside a JSON string. */
#define CAPTURES_QUOTED                                                                            \
    "\\\"captures\\\":{\\\"pre\\\":{\\\"width\\\":4,\\\"height\\\":3,"                             \
    "\\\"capturedAt\\\":1732200000000},\\\"post\\\":{\\\"width\\\":5,\\\"height\\\":6,"            \
    "\\\"capturedAt\\\":1732200001000}}"
#define TWO_PICTURES                                                                               \
    "{\"id\":1,\"title\":\"\xC3\xBC\\u0000\",\"scale\":0.1,\"logs\":[{\"message\":\"m\"}],"        \
    "\"screenshots\":{\"pre\":" IMAGE("image/png", "AQgPFh0k") ",\"post\":" IMAGE(                 \
        "image/jpeg", "YQ==") "}," CAPTURES "}"
#define REST                                                                                       \
    "{\\\"id\\\":1,\\\"title\\\":\\\"\xC3\xBC\\\\u0000\\\",\\\"scale\\\":0.1,"                     \
    "\\\"logs\\\":[{\\\"message\\\":\\\"m\\\"}]," CAPTURES_QUOTED "}"
#define REST_WITH_LOG(provider)                                                                    \
    "{\\\"id\\\":1,\\\"title\\\":\\\"\xC3\xBC\\\\u0000\\\",\\\"scale\\\":0.1,"                     \
    "\\\"logs\\\":[{\\\"message\\\":\\\"m\\\"},{\\\"type\\\":\\\"info\\\",\\\"message\\\":\\\""    \
    "2 pictures were left out: " provider " takes none\\\",\\\"timestamp\\\":1732200001000,"       \
    "\\\"source\\\":\\\"tool\\\",\\\"category\\\":\\\"provider\\\",\\\"level\\\":2}]"              \
    "," CAPTURES_QUOTED "}"

static json_t *parse(const char *text)
{
    struct br_error err;
    json_t *value = json_parse(text, strlen(text), "test", &err);
    assert_non_null(value);
    return value;
}

/* Also checks that the response is unchanged. */
static void assert_message(const char *provider, const char *response, const char *expected)
{
    struct br_error err = { 0 };
    json_auto_t *value = parse(response);
    json_auto_t *before = json_deep_copy(value);
    json_auto_t *message = provider_message(provider, value, &err);
    assert_string_equal(err.message, "");
    assert_non_null(message);
    CLEANUP_FREE char *text = json_line(message, NULL);
    assert_string_equal(text, expected);
    assert_true(json_equal(value, before));
}

static void test_message_with_pictures(void **state)
{
    (void)state;
    assert_message("anthropic", TWO_PICTURES,
                   "{\"role\":\"user\",\"content\":[" TEXT(REST) "," IMAGE(
                       "image/png", "AQgPFh0k") "," IMAGE("image/jpeg", "YQ==") "]}");
    assert_message("openai", TWO_PICTURES,
                   "{\"role\":\"user\",\"content\":[" TEXT(
                       REST) ",{\"type\":\"image_url\",\"image_url\":{\"url\":"
                             "\"data:image/png;base64,AQgPFh0k\"}},{\"type\":\"image_url\","
                             "\"image_url\":{\"url\":\"data:image/jpeg;base64,YQ==\"}}]}");
    assert_message("gemini", TWO_PICTURES,
                   "{\"role\":\"user\",\"parts\":[{\"text\":\"" REST
                   "\"},{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AQgPFh0k\"}},"
                   "{\"inlineData\":{\"mimeType\":\"image/jpeg\",\"data\":\"YQ==\"}}]}");
    assert_message("none", TWO_PICTURES, TWO_PICTURES);
}

static void test_message_of_provider_without_pictures(void **state)
{
    (void)state;
    assert_message("anthropic-text", TWO_PICTURES,
                   "{\"role\":\"user\",\"content\":[" TEXT(REST_WITH_LOG(
                       "anthropic-text")) "," TEXT("[picture left out: 4x3 at "
                                                   "2024-11-21T14:40:00Z]") "," TEXT("[picture "
                                                                                     "left out: "
                                                                                     "5x6 at "
                                                                                     "2024-11-"
                                                                                     "21T14:40:"
                                                                                     "01Z]") "]}");
    assert_message("deepseek", TWO_PICTURES,
                   "{\"role\":\"user\",\"content\":\"" REST_WITH_LOG("deepseek") "\"}");
    assert_message("deepseek",
                   "{\"screenshots\":{\"post\":" IMAGE("image/jpeg", "YQ==") "},\"logs\":null}",
                   "{\"role\":\"user\",\"content\":\"{\\\"logs\\\":[{\\\"type\\\":\\\"info\\\","
                   "\\\"message\\\":\\\"1 picture was left out: deepseek takes none\\\","
                   "\\\"timestamp\\\":0,\\\"source\\\":\\\"tool\\\","
                   "\\\"category\\\":\\\"provider\\\",\\\"level\\\":2}]}\"}");
}

static void test_message_without_pictures(void **state)
{
    (void)state;
    static const struct {
        const char *provider, *expected;
    } cases[] = {
        { "anthropic", "{\"role\":\"user\",\"content\":[" TEXT("{\\\"id\\\":1}") "]}" },
        { "anthropic-text", "{\"role\":\"user\",\"content\":[" TEXT("{\\\"id\\\":1}") "]}" },
        { "openai", "{\"role\":\"user\",\"content\":[" TEXT("{\\\"id\\\":1}") "]}" },
        { "openai-text", "{\"role\":\"user\",\"content\":[" TEXT("{\\\"id\\\":1}") "]}" },
        { "gemini", "{\"role\":\"user\",\"parts\":[{\"text\":\"{\\\"id\\\":1}\"}]}" },
        { "deepseek", "{\"role\":\"user\",\"content\":\"{\\\"id\\\":1}\"}" },
        { "none", "{\"id\":1}" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_message(cases[i].provider, "{\"id\":1}", cases[i].expected);
    }
}

/* A placeholder for a picture is part of the response's text; no picture is reported as omitted. */
static void test_placeholder_stays(void **state)
{
    (void)state;
    static const char response[] = "{\"screenshots\":{\"post\":" TEXT("[picture left out]") "}}";
    static const char quoted[] = "{\\\"screenshots\\\":{\\\"post\\\":{\\\"type\\\":\\\"text\\\","
                                 "\\\"text\\\":\\\"[picture left out]\\\"}}}";
    CLEANUP_FREE char *deepseek = xasprintf("{\"role\":\"user\",\"content\":\"%s\"}", quoted);
    CLEANUP_FREE char *gemini =
        xasprintf("{\"role\":\"user\",\"parts\":[{\"text\":\"%s\"}]}", quoted);
    assert_message("deepseek", response, deepseek);
    assert_message("gemini", response, gemini);
}

static void test_image_block_has_no_other_fields(void **state)
{
    (void)state;
    assert_message(
        "anthropic",
        "{\"screenshots\":{\"post\":{\"type\":\"image\",\"width\":3,\"source\":{\"type\":"
        "\"base64\",\"more\":1,\"media_type\":\"image/jpeg\",\"data\":\"YQ==\"}}}}",
        "{\"role\":\"user\",\"content\":[" TEXT("{}") "," IMAGE("image/jpeg", "YQ==") "]}");
}

#define TILES                                                                                      \
    "{\"screenshots\":{\"tiles\":[" IMAGE("image/png", "AQgPFh0k") "," TEXT("[gone]") "," IMAGE(   \
        "image/jpeg", "YQ==") "]}}"

static void test_tiles_become_blocks_in_their_order(void **state)
{
    (void)state;
    static const char rest[] = "{\\\"screenshots\\\":{\\\"tiles\\\":[{\\\"type\\\":\\\"text\\\","
                               "\\\"text\\\":\\\"[gone]\\\"}]}}";
    CLEANUP_FREE char *expected =
        xasprintf("{\"role\":\"user\",\"content\":[" TEXT("%s") "," IMAGE(
                      "image/png", "AQgPFh0k") "," IMAGE("image/jpeg", "YQ==") "]}",
                  rest);
    assert_message("anthropic", TILES, expected);
}

/* Returns the response from the text of the message. Caller decrefs. */
static json_t *rest_of(const json_t *message)
{
    const json_t *block = json_array_get(json_object_get(message, "content"), 0);
    return parse(json_member_string(block, "text"));
}

static void test_tokens_are_those_of_the_provider(void **state)
{
    (void)state;
    static const char response[] = "{\"screenshots\":{\"post\":" IMAGE(
        "image/png", "YQ==") "},\"captures\":{\"post\":"
                             "{\"width\":1280,\"height\":720,\"tokens\":7}}}";
    static const struct {
        const char *provider;
        int tokens;
    } cases[] = { { "anthropic", 1196 }, { "openai", 1105 }, { "anthropic-text", 0 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        json_auto_t *value = parse(response);
        json_auto_t *message = provider_message(cases[i].provider, value, &err);
        json_auto_t *rest = rest_of(message);
        const json_t *post = json_object_get(json_object_get(rest, "captures"), "post");
        assert_int_equal(json_integer_value(json_object_get(post, "tokens")), cases[i].tokens);
        assert_int_equal(json_object_size(post), cases[i].tokens ? 3 : 2);
    }
}

/* A picture that the provider refuses would stay in the history and break the conversation. */
static void test_picture_that_may_be_refused_is_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *provider;
        int width, height;
        bool is_out;
    } cases[] = {
        { "anthropic", 2000, 2000, false },
        { "anthropic", 2001, 5, true },
        { "anthropic", 5, 8001, true },
        { "openai", 2001, 5, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        CLEANUP_FREE char *response =
            xasprintf("{\"screenshots\":{\"post\":" IMAGE(
                          "image/png", "YQ==") "},\"captures\":"
                                               "{\"post\":{\"width\":%d,\"height\":%d}}}",
                      cases[i].width, cases[i].height);
        json_auto_t *value = parse(response);
        json_auto_t *message = provider_message(cases[i].provider, value, &err);
        CLEANUP_FREE char *text = json_line(message, NULL);
        assert_int_equal(strstr(text, "YQ==") == NULL, cases[i].is_out);
        assert_int_equal(strstr(text, "1 picture was left out: anthropic refuses requests of more "
                                      "than 20 pictures with one of more than 2000 pixels") != NULL,
                         cases[i].is_out);
    }
}

/* Anthropic counts the bytes of the base64. */
static void test_too_many_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *provider;
        size_t length;
        bool is_out;
    } cases[] = {
        { "anthropic", 5 * 1024 * 1024, false },
        { "anthropic", 5 * 1024 * 1024 + 4, true },
        { "gemini", 5 * 1024 * 1024 + 4, false },
        { "gemini", 20 * 1024 * 1024 + 4, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err;
        CLEANUP_FREE char *data = xcalloc(cases[i].length + 1, 1);
        memset(data, 'A', cases[i].length);
        CLEANUP_FREE char *response = xasprintf(
            "{\"screenshots\":{\"post\":" IMAGE("image/png", "%s") "},\"captures\":"
                                                                   "{\"post\":{\"width\":9,"
                                                                   "\"height\":9}}}",
            data);
        json_auto_t *value = parse(response);
        json_auto_t *message = provider_message(cases[i].provider, value, &err);
        CLEANUP_FREE char *text = json_line(message, NULL);
        assert_int_equal(strstr(text, "AAAAAAAAAAAA") == NULL, cases[i].is_out);
        assert_int_equal(strstr(text, "1 picture was left out: ") != NULL, cases[i].is_out);
        assert_int_equal(strstr(text, " MB in base64; set maxBytes") != NULL, cases[i].is_out);
    }
}

static void test_bad_responses(void **state)
{
    (void)state;
    static const struct {
        const char *response, *message;
    } cases[] = {
        { "[1]", "a response must be an object" },
        { "{\"screenshots\":{\"post\":" IMAGE("image/jpeg", "") "}}",
          "screenshots.post has no data" },
        { "{\"screenshots\":{\"pre\":{\"type\":\"image\"}}}",
          "screenshots.pre: image block: \"source\" is missing" },
        { "{\"screenshots\":{\"pre\":{\"type\":\"image\",\"source\":{\"type\":\"url\","
          "\"media_type\":\"image/png\",\"data\":\"YQ==\"}}}}",
          "screenshots.pre: url of image/png is not a picture in base64" },
        { "{\"screenshots\":{\"pre\":" IMAGE("text/html", "YQ==") "}}",
          "screenshots.pre: base64 of text/html is not a picture in base64" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        json_auto_t *response = parse(cases[i].response);
        assert_null(provider_message("openai", response, &err));
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.code, BR_INVALID_ACTION);
    }
    struct br_error err = { 0 };
    json_auto_t *response = parse("{\"screenshots\":{\"post\":" IMAGE("image/png", "Y!==") "}}");
    assert_null(provider_message("deepseek", response, &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
    assert_int_equal(strncmp(err.message, "screenshots.post: ", 18), 0);
}

static void test_unknown_provider(void **state)
{
    (void)state;
    static const struct {
        const char *name, *hint;
    } cases[] = {
        { "opnai", "did you mean \"openai\"?" },
        { "Anthropic", "did you mean \"anthropic\"?" },
        { "llama",
          "known are: anthropic, anthropic-text, openai, openai-text, gemini, deepseek, none" },
        { "", "known are: anthropic, anthropic-text, openai, openai-text, gemini, deepseek, none" },
    };
    json_auto_t *response = json_object();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct br_error err = { 0 };
        assert_false(provider_check(cases[i].name, &err));
        assert_int_equal(err.code, BR_INVALID_ACTION);
        assert_string_equal(err.hint, cases[i].hint);
        assert_null(provider_message(cases[i].name, response, &err));
        assert_string_equal(err.hint, cases[i].hint);
    }
    struct br_error err = { 0 };
    assert_true(provider_check("gemini", &err));
}

static void test_pdf_is_no_text(void **state)
{
    (void)state;
    assert_message("anthropic-text",
                   "{\"type\":\"pdf\",\"result\":{\"bytes\":3,\"data\":\"YWJj\"}}",
                   "{\"role\":\"user\",\"content\":[" TEXT(
                       "{\\\"type\\\":\\\"pdf\\\",\\\"result\\\":{\\\"bytes\\\":3,\\\"omitted\\\":"
                       "\\\"data: the bytes are no text; name a file for them\\\"}}") "]}");
    /* What a page has returned may look the same. */
    assert_message("anthropic-text",
                   "{\"type\":\"evaluate\",\"result\":{\"bytes\":3,\"data\":\"YWJj\"}}",
                   "{\"role\":\"user\",\"content\":[" TEXT(
                       "{\\\"type\\\":\\\"evaluate\\\",\\\"result\\\":{\\\"bytes\\\":3,"
                       "\\\"data\\\":\\\"YWJj\\\"}}") "]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_with_pictures),
        cmocka_unit_test(test_message_of_provider_without_pictures),
        cmocka_unit_test(test_message_without_pictures),
        cmocka_unit_test(test_placeholder_stays),
        cmocka_unit_test(test_image_block_has_no_other_fields),
        cmocka_unit_test(test_tiles_become_blocks_in_their_order),
        cmocka_unit_test(test_tokens_are_those_of_the_provider),
        cmocka_unit_test(test_picture_that_may_be_refused_is_left_out),
        cmocka_unit_test(test_too_many_bytes),
        cmocka_unit_test(test_bad_responses),
        cmocka_unit_test(test_unknown_provider),
        cmocka_unit_test(test_pdf_is_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
