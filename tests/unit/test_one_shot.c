/* The requests of `serve --http`: which are refused, what they run, and their answers. */
#include "runner/servers/http/one_shot.h"

#include "imaging/base64.h"
#include "runner/base/memory.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct net_answer new_answer(void)
{
    return (struct net_answer){ .status = 404, .body = STRBUF_INIT(STRBUF_UNCAPPED) };
}

static struct one_shot *ask(const char *method, const char *path, const char *query,
                            const char *body, const char *accept, struct net_answer *answer)
{
    const char *const headers[] = { accept, NULL, NULL };
    const struct net_request request = { .method = method,
                                         .path = path,
                                         .query = query,
                                         .is_allowed = true,
                                         .body = body,
                                         .body_length = strlen(body),
                                         .headers = headers };
    return one_shot_create(&request, answer);
}

static void test_batch_of_each_request(void **state)
{
    (void)state;
    static const struct {
        const char *path, *query, *body;
        const char *batch; /* NULL: refused … */
        const char *why;   /* … with this in the message */
    } cases[] = {
        { "/run", "", "[{\"type\":\"stop\"}]", "[{\"type\":\"stop\"}]", NULL },
        { "/run", "", "<type>stop</type>", "<type>stop</type>", NULL },
        { "/run", "", "", NULL, "no instruction" },
        { "/run", "", "[{\"type\":\"stop\"}", NULL, "line 1" },
        { "/shot", "url=http://a.example/%3Fq%3D1&fullPage=true&quality=7", "",
          "[{\"type\":\"start\",\"screenshots\":\"none\",\"url\":\"http://a.example/?q=1\","
          "\"quality\":7},{\"type\":\"screenshot\",\"fullPage\":true,\"quality\":7}]",
          NULL },
        { "/content", "", "{\"url\":\"http://a.example/\",\"waitFor\":\"text=12\",\"timeout\":9}",
          "[{\"type\":\"start\",\"screenshots\":\"none\",\"url\":\"http://a.example/\","
          "\"timeout\":9},{\"type\":\"wait\",\"text\":\"12\"},{\"type\":\"content\","
          "\"timeout\":9}]",
          NULL },
        { "/snapshot", "url=http://a.example/&allowHttpErrors=true", "",
          "[{\"type\":\"start\",\"screenshots\":\"none\",\"url\":\"http://a.example/\"},"
          "{\"type\":\"snapshot\"}]",
          NULL },
        { "/shot", "url=http://a.example/&hide=[%22%23a%22,%22%23b%22]", "",
          "[{\"type\":\"start\",\"screenshots\":\"none\",\"url\":\"http://a.example/\"},"
          "{\"type\":\"screenshot\",\"hide\":[\"#a\",\"#b\"]}]",
          NULL },
        { "/shot", "", "", NULL, "needs a \"url\"" },
        { "/shot", "url=http://a.example/&allowHttpErrors=1", "", NULL, "not true or false" },
        { "/shot", "url=http://a.example/&url=b", "", NULL, "given twice" },
        { "/shot", "url=http://a.example/&waitFor=", "", NULL, "wait" },
        { "/shot", "url", "", NULL, "has no value" },
        { "/shot", "=1&url=http://a.example/", "", NULL, "" },
        { "/shot", "", "[1]", NULL, "not an object" },
        { "/shot", "", "{\"url\":\"http://a.example/\",\"tiles\":true}", NULL, "several" },
        { "/shot", "type=stop&url=http://a.example/", "", NULL, "type" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct net_answer answer = new_answer();
        struct br_error err = { 0 };
        size_t length = 0;
        struct one_shot *made =
            ask("POST", cases[i].path, cases[i].query, cases[i].body, NULL, &answer);
        assert_non_null(made);
        CLEANUP_FREE char *batch = one_shot_batch(made, &length, &err);
        if (cases[i].batch) {
            json_auto_t *expected = json_loads(cases[i].batch, 0, NULL);
            json_auto_t *found = batch ? json_loads(batch, 0, NULL) : NULL;
            assert_non_null(batch);
            assert_int_equal(length, strlen(batch));
            assert_true(expected ? json_equal(expected, found) : !strcmp(batch, cases[i].batch));
        } else {
            assert_null(batch);
            assert_int_equal(err.code, BR_INVALID_ACTION);
            assert_non_null(strstr(err.message, cases[i].why));
        }
        one_shot_destroy(made);
        strbuf_finish(&answer.body);
    }
}

static void test_forms_of_an_answer(void **state)
{
    (void)state;
    static const char shot[] =
        "{\"kind\":\"response\",\"type\":\"start\",\"success\":true,\"httpStatus\":200}\n"
        "{\"kind\":\"response\",\"type\":\"screenshot\",\"success\":true,\"screenshots\":"
        "{\"post\":{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":"
        "\"image/png\",\"data\":\"aGk=\"}}}}\n{\"kind\":\"summary\",\"actions\":2}\n";
    static const char paper[] =
        "{\"kind\":\"response\",\"type\":\"start\",\"success\":true,\"httpStatus\":200}\n"
        "{\"kind\":\"response\",\"type\":\"pdf\",\"success\":true,\"result\":{\"data\":\"aGk=\"}}"
        "\n";
    static const char printed[] =
        "{\"kind\":\"response\",\"type\":\"pdf\",\"success\":true,\"result\":{\"file\":\"a\"}}\n";
    static const char spoilt[] =
        "{\"kind\":\"response\",\"type\":\"pdf\",\"success\":true,\"result\":{\"data\":\"a\"}}\n";
    static const char missing[] =
        "{\"kind\":\"response\",\"type\":\"start\",\"success\":true,\"httpStatus\":404}\n"
        "{\"kind\":\"response\",\"type\":\"content\",\"success\":true,\"result\":"
        "{\"format\":\"html\",\"content\":\"<p>\"}}\n";
    static const char failed[] = "{\"kind\":\"response\",\"type\":\"start\",\"success\":false,"
                                 "\"error\":\"x\",\"errorCode\":\"TIMEOUT\"}\n";
    static const char unopened[] =
        "{\"kind\":\"error\",\"error\":\"x\",\"errorCode\":\"BROWSER_NOT_FOUND\"}\n";
    static const struct {
        const char *path, *query, *accept, *lines;
        int status;
        const char *type, *body;
    } cases[] = {
        { "/shot", "", NULL, shot, 200, "image/png", "hi" },
        { "/shot", "", "application/json", shot, 200, "application/json", "{\"type\":\"image\"" },
        { "/shot", "", "text/html,application/JSON ;q=1", shot, 200, "application/json", "{" },
        { "/shot", "", "application/jsonx", shot, 200, "image/png", "hi" },
        { "/pdf", "", NULL, paper, 200, "application/pdf", "hi" },
        { "/pdf", "", "application/json", paper, 200, "application/json", "{\"data\":\"aGk=" },
        { "/pdf", "", NULL, printed, 200, "application/json", "{\"file\":\"a\"" },
        { "/pdf", "", NULL, spoilt, 500, "application/json", "{\"kind\":\"error" },
        { "/run", "", NULL, shot, 200, "application/x-ndjson", "{\"kind\":\"response\"" },
        { "/run", "", "application/json", shot, 200, "application/json", "{\"responses\":[{" },
        { "/run", "", "application/json", failed, 200, "application/json", "{\"responses\":[{" },
        { "/run", "", "application/json", unopened, 503, "application/json", "{\"kind\":\"error" },
        { "/run", "", NULL, unopened, 503, "application/json", "{\"kind\":\"error" },
        { "/content", "allowHttpErrors=true", NULL, missing, 200, "text/html; charset=utf-8",
          "<p>" },
        { "/content", "", NULL, missing, 502, "application/json", "{\"kind\":\"error" },
        { "/content", "", NULL, failed, 504, "application/json", "{\"kind\":\"error" },
        { "/content", "", NULL, shot, 500, "application/json", "{\"kind\":\"error" },
        { "/content", "", NULL, "", 500, "application/json", "{\"kind\":\"error" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct net_answer answer = new_answer();
        struct one_shot *made =
            ask("POST", cases[i].path, cases[i].query, "", cases[i].accept, &answer);
        assert_non_null(made);
        one_shot_answer(made, cases[i].lines, strlen(cases[i].lines), &answer);
        assert_int_equal(answer.status, cases[i].status);
        assert_string_equal(answer.content_type, cases[i].type);
        assert_int_equal(strncmp(answer.body.data, cases[i].body, strlen(cases[i].body)), 0);
        one_shot_destroy(made);
        strbuf_finish(&answer.body);
    }
}

#define SUMMARY(failed) "{\"kind\":\"summary\",\"actions\":2,\"failed\":" #failed "}\n"
#define STARTED(status)                                                                            \
    "{\"kind\":\"response\",\"type\":\"start\",\"success\":true,\"httpStatus\":" #status "}\n"
#define FAILED(code) "{\"kind\":\"response\",\"success\":false,\"errorCode\":\"" code "\"}\n"
#define CONTENT                                                                                    \
    "{\"kind\":\"response\",\"type\":\"content\",\"success\":true,\"result\":"                     \
    "{\"format\":\"html\",\"content\":\"<p>\"}}\n"

static void test_which_answers_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *path, *query, *lines;
        bool is_kept;
    } cases[] = {
        { "/run", "", "", false },
        { "/run", "", "\n", false },
        { "/run", "", "{\"kind\":\"summary\",\"actions\":2,\"failed\":1}", true },
        { "/run", "", "{}\n" SUMMARY(1), true },
        { "/run", "", "{}\n" SUMMARY(2), false },
        { "/run", "", SUMMARY(1) "{}\n", false },
        { "/run", "", "{\"kind\":\"error\"}\n", false },
        { "/run", "", STARTED(200) FAILED("CANCELLED") SUMMARY(1), true },
        { "/content", "", STARTED(200) FAILED("CANCELLED") SUMMARY(1), false },
        { "/content", "", STARTED(200) FAILED("TIMEOUT") SUMMARY(1), false },
        { "/content", "", STARTED(200) FAILED("TARGET_NOT_FOUND") SUMMARY(1), true },
        { "/content", "", STARTED(200) CONTENT SUMMARY(0), true },
        { "/content", "", STARTED(503) CONTENT SUMMARY(0), false },
        { "/content", "allowHttpErrors=true", STARTED(503) CONTENT SUMMARY(0), true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct net_answer answer = new_answer();
        struct one_shot *made = ask("POST", cases[i].path, cases[i].query, "", NULL, &answer);
        assert_non_null(made);
        assert_int_equal(one_shot_is_to_keep(made, cases[i].lines, strlen(cases[i].lines)),
                         cases[i].is_kept);
        one_shot_destroy(made);
        strbuf_finish(&answer.body);
    }
}

static void test_same_requests(void **state)
{
    (void)state;
    struct net_answer answer = new_answer();
    struct one_shot *first = ask("POST", "/run", "", "[1]", NULL, &answer);
    static const struct {
        const char *path, *query, *body, *accept;
        bool is_same;
    } cases[] = {
        { "/run", "", "[1]", "*/*", true },
        { "/run", "", "[2]", NULL, false },
        { "/run", "", "[1] ", NULL, false },
        { "/run", "a=1", "[1]", NULL, false },
        { "/run", "", "[1]", "application/json", false },
        { "/shot", "", "[1]", NULL, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct one_shot *other =
            ask("POST", cases[i].path, cases[i].query, cases[i].body, cases[i].accept, &answer);
        assert_int_equal(one_shot_equals(first, other), cases[i].is_same);
        one_shot_destroy(other);
    }
    one_shot_destroy(first);
    strbuf_finish(&answer.body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch_of_each_request),
        cmocka_unit_test(test_forms_of_an_answer),
        cmocka_unit_test(test_which_answers_are_kept),
        cmocka_unit_test(test_same_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
