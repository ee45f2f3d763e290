#include "runner/checks/suite_load.h"

#include "runner/base/action.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/json_position.h"
#include "runner/base/rfc3339.h"
#include "runner/checks/init.h"
#include "runner/checks/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/test-suite-XXXXXX";

static char *path_of(const char *name)
{
    return xasprintf("%s/%s", directory, name);
}

static void write_file(const char *name, const char *text)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = path_of(name);
    assert_true(file_write(path, text, strlen(text), &err));
}

static void remove_file(const char *name)
{
    CLEANUP_FREE char *path = path_of(name);
    assert_int_equal(unlink(path), 0);
}

static struct suite *load(const char *text, struct strbuf *problems)
{
    CLEANUP_FREE char *path = path_of("smoke.json");
    write_file("smoke.json", text);
    struct suite *suite = suite_load(path, problems);
    remove_file("smoke.json");
    return suite;
}

/* Loads a valid text. Caller destroys. */
static struct suite *load_good(const char *text)
{
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    struct suite *suite = load(text, &problems);
    if (!suite) {
        fail_msg("%s", problems.data);
    }
    assert_int_equal(problems.length, 0);
    return suite;
}

#define CHECKS(checks) "{\"baseUrl\": \"http://host:3000/app/x\", \"checks\": [" checks "]}"

static void test_a_short_suite_has_all_defaults(void **state)
{
    (void)state;
    struct suite *suite = load_good(CHECKS("{\"name\": \"home\", \"url\": \"/\"}"));
    assert_int_equal(suite->check_count, 1);
    assert_int_equal(suite->viewport_count, 1);
    assert_null(suite->server.command);
    const struct suite_check *check = &suite->checks[0];
    assert_string_equal(check->id, "home@desktop");
    assert_string_equal(check->name, "home");
    assert_string_equal(check->url, "http://host:3000/");
    assert_ptr_equal(check->viewport, &suite->viewports[0]);
    assert_int_equal(check->viewport->width, 1280);
    assert_int_equal(check->viewport->height, 720);
    assert_true(check->viewport->scale == 1);
    assert_null(check->actions[0]);
    assert_null(check->hide[0]);
    assert_null(check->remove[0]);
    assert_null(check->mask[0]);
    assert_null(check->tags[0]);
    assert_null(check->selector);
    assert_null(check->ready.selector);
    assert_true(check->threshold == 0.1);
    assert_int_equal(check->max_diff_pixels, -1);
    assert_true(check->max_diff_ratio == -1);
    assert_int_equal(check->timeout_ms, 0);
    assert_int_equal(check->retries, -1);
    assert_false(check->is_frozen || check->is_full_page || check->counts_antialias ||
                 check->expects_no_errors || check->is_skipped);
    assert_int_equal(check->frozen_at_ms, 1767225600000);
    assert_int_equal(check->random_seed, 1);
    CLEANUP_FREE char *baselines = path_of("smoke.baselines");
    assert_string_equal(suite->shown_baselines, baselines);
    assert_non_null(strstr(suite->baselines, "/smoke.baselines"));
    suite_destroy(suite);
}

static void test_every_member_is_read(void **state)
{
    (void)state;
    struct suite *suite = load_good(
        "\xEF\xBB\xBF{\"$schema\": \"./s\", \"baseUrl\": \"http://h/\", \"baselines\": \"b/../c\","
        "\"server\": {\"command\": \"npm start\", \"url\": \"health\", \"timeout\": 5,"
        "             \"directory\": \".\", \"reuse\": true},"
        "\"viewports\": {\"wide\": {\"width\": 2000, \"height\": 900, \"scale\": 1.5},"
        "                \"phone\": \"iphone\", \"small\": {\"preset\": \"pixel\", \"width\": "
        "300}},"
        "\"checks\": [{\"name\": \"a.b_c-1\", \"url\": \"x\", \"viewports\": [\"small\", \"wide\"],"
        "  \"ready\": {\"selector\": \"#a\", \"text\": \"t\", \"expression\": \"e\","
        "              \"networkIdle\": true},"
        "  \"hide\": [\"h1\", \"h2\"], \"remove\": [\"r\"], \"mask\": [\"m\"],"
        "  \"freeze\": {\"time\": \"1970-01-01T00:00:01.5+00:00\", \"seed\": 4294967295},"
        "  \"selector\": \"main\", \"threshold\": 0, \"antialias\": true, \"maxDiffPixels\": 3e2,"
        "  \"maxDiffRatio\": 0.25, \"allowSizeChange\": 3, \"expectNoErrors\": true, \"timeout\": "
        "7, \"retries\": 0,"
        "  \"skip\": \"later\", \"tags\": [\"t@1\"]}]}");
    assert_string_equal(suite->server.command[0], "/bin/sh");
    assert_string_equal(suite->server.command[2], "npm start");
    assert_null(suite->server.command[3]);
    assert_string_equal(suite->server.url, "http://h/health");
    assert_int_equal(suite->server.timeout_ms, 5);
    assert_true(suite->server.is_reused);
    assert_int_equal(suite->viewport_count, 3);
    assert_string_equal(suite->viewports[1].preset, "iphone");
    assert_int_equal(suite->viewports[1].width, 402);
    assert_true(suite->viewports[1].is_mobile);
    assert_int_equal(suite->viewports[2].width, 300);
    assert_int_equal(suite->viewports[2].height, 847); /* the preset's */
    assert_int_equal(suite->check_count, 2);
    assert_string_equal(suite->checks[0].id, "a.b_c-1@small");
    assert_string_equal(suite->checks[1].id, "a.b_c-1@wide");
    const struct suite_check *check = &suite->checks[1];
    assert_int_equal(check->viewport->width, 2000);
    assert_true(check->viewport->scale == 1.5);
    assert_string_equal(check->ready.selector, "#a");
    assert_string_equal(check->ready.text, "t");
    assert_string_equal(check->ready.expression, "e");
    assert_true(check->ready.network_idle);
    assert_string_equal(check->hide[1], "h2");
    assert_null(check->hide[2]);
    assert_string_equal(check->remove[0], "r");
    assert_string_equal(check->mask[0], "m");
    assert_true(check->is_frozen);
    assert_int_equal(check->frozen_at_ms, 1500);
    assert_int_equal(check->random_seed, 4294967295u);
    assert_string_equal(check->selector, "main");
    assert_true(check->threshold == 0);
    assert_true(check->counts_antialias);
    assert_int_equal(check->max_diff_pixels, 300);
    assert_true(check->max_diff_ratio == 0.25);
    assert_int_equal(check->allowed_size_change, 3);
    assert_true(check->expects_no_errors);
    assert_int_equal(check->timeout_ms, 7);
    assert_int_equal(check->retries, 0);
    assert_true(check->is_skipped);
    assert_string_equal(check->skip_reason, "later");
    assert_string_equal(check->tags[0], "t@1");
    assert_non_null(strstr(suite->baselines, "/c"));
    assert_null(strstr(suite->baselines, ".."));
    suite_destroy(suite);
}

static void test_defaults_hold_member_by_member(void **state)
{
    (void)state;
    struct suite *suite = load_good(
        "{\"baseUrl\": \"http://h/\", \"defaults\": {\"hide\": [\"a\", \"b\"], \"fullPage\": true,"
        " \"ready\": {\"selector\": \"#a\", \"networkIdle\": true}, \"retries\": 2,"
        " \"freeze\": {\"seed\": 9}, \"actions\": [{\"type\": \"back\"}], \"skip\": \"why\"},"
        "\"checks\": [{\"name\": \"a\", \"url\": \"/\"},"
        "  {\"name\": \"b\", \"url\": \"/\", \"hide\": [\"c\"], \"ready\": {\"selector\": \"#b\"},"
        "   \"freeze\": true, \"selector\": \"main\", \"skip\": false, \"actions\": []},"
        "  {\"name\": \"c\", \"url\": \"/\", \"freeze\": false, \"hide\": []}]}");
    const struct suite_check *a = &suite->checks[0], *b = &suite->checks[1], *c = &suite->checks[2];
    assert_string_equal(a->hide[1], "b");
    assert_true(a->is_full_page && a->is_frozen && a->is_skipped);
    assert_string_equal(a->skip_reason, "why");
    assert_int_equal(a->random_seed, 9);
    assert_int_equal(a->retries, 2);
    assert_string_equal(a->actions[0]->type, "back");
    assert_string_equal(b->hide[0], "c");
    assert_null(b->hide[1]);
    assert_string_equal(b->ready.selector, "#b");
    assert_true(b->ready.network_idle);
    assert_true(b->is_frozen);
    assert_int_equal(b->random_seed, 9);
    /* A picture of an element is not one of the whole page. */
    assert_string_equal(b->selector, "main");
    assert_false(b->is_full_page || b->is_skipped);
    assert_null(b->skip_reason);
    assert_null(b->actions[0]);
    assert_false(c->is_frozen);
    assert_null(c->hide[0]);
    suite_destroy(suite);
}

static void test_only_skips_all_others(void **state)
{
    (void)state;
    struct suite *suite = load_good(
        "{\"baseUrl\": \"http://h/\", \"viewports\": {\"x\": {}, \"y\": {}}, \"checks\": ["
        "{\"name\": \"a\", \"url\": \"/\"}, {\"name\": \"b\", \"url\": \"/\", \"only\": true},"
        "{\"name\": \"c\", \"url\": \"/\", \"skip\": \"mine\"},"
        "{\"name\": \"d\", \"url\": \"/\", \"skip\": true, \"only\": true}]}");
    static const bool skipped[] = { true, true, false, false, true, true, true, true };
    assert_int_equal(suite->check_count, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(suite->checks[i].is_skipped, skipped[i]);
    }
    assert_string_equal(suite->checks[0].skip_reason, "another check has \"only\"");
    assert_string_equal(suite->checks[4].skip_reason, "mine");
    assert_null(suite->checks[6].skip_reason);
    suite_destroy(suite);
}

static void test_actions_in_all_three_forms(void **state)
{
    (void)state;
    write_file("login.xml", "<batch><browser_action><type>navigate</type><url>login</url>"
                            "</browser_action><browser_action><type>click</type>"
                            "<selector>#go</selector></browser_action></batch>");
    struct suite *suite = load_good(CHECKS(
        "{\"name\": \"a\", \"url\": \"/\", \"actions\": {\"file\": \"login.xml\"}},"
        "{\"name\": \"b\", \"url\": \"/\", \"actions\": {\"file\": \"login.xml\"}},"
        "{\"name\": \"c\", \"url\": \"/\", \"actions\": \"<type>press</type><key>Enter</key>\"},"
        "{\"name\": \"d\", \"url\": \"/\", \"actions\": [{\"type\": \"navigate\","
        "  \"url\": \"http://other/\"}, {\"type\": \"type\", \"text\": \"x\"}]}"));
    struct br_action **a = suite->checks[0].actions, **d = suite->checks[3].actions;
    assert_string_equal(a[0]->type, "navigate");
    assert_string_equal(json_member_string(a[0]->params, "url"), "http://host:3000/app/login");
    assert_string_equal(a[1]->type, "click");
    assert_null(a[2]);
    assert_ptr_equal(suite->checks[1].actions, a);
    assert_string_equal(suite->checks[2].actions[0]->type, "press");
    assert_string_equal(json_member_string(d[0]->params, "url"), "http://other/");
    assert_string_equal(d[1]->type, "type");
    assert_null(d[2]);
    suite_destroy(suite);
    remove_file("login.xml");
}

/* Each text has the listed problems, each beginning with what follows "smoke.json". */
static void test_problems_have_their_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *problems[9]; /* NULL-terminated */
    } cases[] = {
        { "", { ":1:1: is no JSON" } },
        { "{\n  \"checks\": [\n    {\"name\": \"a\" \"url\"}]}",
          { ":3:22: is no JSON: '}' expected near '\"url\"'" } },
        { "{ // first\n}", { ":1:3: is no JSON: " } },
        { "[]", { ":1:1: takes an object, not an array" } },
        { "{}", { ":1:1: needs \"checks\"" } },
        { CHECKS(""), { ":1:39: checks: is empty" } },
        { "{\"checks\": 3}", { ":1:2: checks: takes an array, not a number" } },
        { CHECKS("{\"name\": \"a\", \"nmae\": \"b\", \"url\": \"\"}"),
          { ":1:64: checks[0].nmae: is unknown; did you mean \"name\"?",
            ":1:77: checks[0].url: is empty" } },
        { CHECKS("{}"),
          { ":1:50: checks[0]: needs a \"name\"", ":1:50: checks[0]: needs a \"url\"" } },
        { CHECKS("{\"name\": \"a\", \"url\": \"/\", \"url\": \"/\"}"),
          { ":1:76: \"url\" is given twice" } },
        { CHECKS("{\"name\": \"a\", \"u\\u0072l\": \"/\", \"url\": \"/\"}"),
          { ":1:81: \"url\" is given twice" } },
        { CHECKS("{\"name\": \"a\", \"url\": \"/\"},\n{\"name\": \"A\", \"url\": \"/\"},"
                 "{\"name\": \"a\", \"url\": \"/\"}"),
          { ":2:2: checks[1].name: \"A\" and \"a\" are the same file",
            ":2:28: checks[2].name: \"a\"" } },
        { CHECKS(
              "{\"name\": \"é/e\", \"url\": \"/\", \"threshold\": \"x\", \"retries\": 1.5,"
              "\"timeout\": 0, \"maxDiffRatio\": 1.01, \"hide\": \"x\", \"tags\": [\"a,b\", 3]}"),
          { ":1:51: checks[0].name: \"é/e\" cannot be part of a file name",
            ":1:78: checks[0].threshold: takes a number, not text",
            ":1:96: checks[0].retries: takes a whole number, not 1.5",
            ":1:111: checks[0].timeout: 0 is not between 1 and 86400000",
            ":1:125: checks[0].maxDiffRatio: 1.01 is not between 0 and 1",
            ":1:147: checks[0].hide: takes an array of text, not text",
            ":1:169: checks[0].tags[0]: \"a,b\" is not a tag",
            ":1:176: checks[0].tags[1]: takes text, not a number" } },
        { "{\"nope\": 1,\n\"defaults\": {\"threshold\": 2},\n\"baseUrl\": 5,\n"
          "\"checks\": []}",
          { ":1:2: nope: is unknown", ":2:14: defaults.threshold: 2 is not",
            ":3:1: baseUrl: takes text", ":4:1: checks: is empty" } },
        { CHECKS("{\"name\": \"a\", \"url\": \"localhost:3000/x\"}"),
          { ":1:64: checks[0].url: \"localhost:3000/x\" is no http, https, file, data or about "
            "URL; "
            "write it with its scheme: http://localhost:3000/x" } },
        { "{\"checks\": [{\"name\": \"a\", \"url\": \"/\"}]}",
          { ":1:27: checks[0].url: \"/\" is relative and there is no \"baseUrl\"" } },
        { "{\"viewports\": {\"a b\": {\"widht\": 1}, \"c\": \"ipad\"}, \"checks\": [{\"name\": "
          "\"a\","
          "\"url\": \"about:blank\", \"viewports\": [\"d\", \"c\", \"c\"]}]}",
          { ":1:16: viewports.a b: \"a b\" cannot be",
            ":1:24: viewports.a b.widht: is unknown; did you mean \"width\"?",
            ":1:37: viewports.c: there is no preset \"ipad\"",
            ":1:111: checks[0].viewports[0]: is unknown",
            ":1:121: checks[0].viewports[2]: \"c\" is given twice" } },
        { CHECKS("{\"name\": \"a\", \"url\": \"/\", \"fullPage\": true, \"selector\": \"x\"}"),
          { ":1:94: checks[0].selector: a picture shows the whole page or an element" } },
        { CHECKS("{\"name\": \"a\", \"url\": \"/\", \"actions\": [{\"type\": \"clik\"},"
                 "{\"type\": \"start\", \"url\": \"/\"}, {\"type\": \"click\", \"selektor\": 1}, "
                 "{}]}"),
          { ":1:88: checks[0].actions[0]: unknown action type \"clik\"; did you mean \"click\"?",
            ":1:105: checks[0].actions[1]: start: is not for checks; the check opens its page",
            ":1:136: checks[0].actions[2]: click.selektor: is not a parameter",
            ":1:170: checks[0].actions[3]: needs a \"type\"" } },
        { CHECKS(
              "{\"name\": \"a\", \"url\": \"/\", \"actions\": \"<browser_action action='back'/>\\n"
              "<browser_action action='x'/>\\n<stop>\"}"),
          { ":1:76: checks[0].actions: line 2, column 1: unknown action type \"x\"",
            ":1:76: checks[0].actions: line 3, column 1: " } },
        { CHECKS("{\"name\": \"a\", \"url\": \"/\", \"actions\": {\"file\": \"none.xml\"}}"),
          { ":1:88: checks[0].actions.file: cannot read " } },
        { "{\"baselines\": \"../x/..\", \"checks\": [{\"name\": \"a\", \"url\": \"about:blank\"}]}",
          { ":1:2: baselines: \"../x/..\" is not a separate folder" } },
        { "{\"server\": {\"command\": []}, \"checks\": [{\"name\": \"a\", \"url\": "
          "\"about:blank\"}]}",
          { ":1:2: server: needs a \"url\"", ":1:13: server.command: is empty" } },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
        CLEANUP_FREE char *path = path_of("smoke.json");
        assert_null(load(cases[i].text, &problems));
        char *line = problems.data;
        for (size_t j = 0; cases[i].problems[j]; j++) {
            const char *wanted = cases[i].problems[j];
            bool is_there = strncmp(line, path, strlen(path)) == 0 &&
                            strncmp(line + strlen(path), wanted, strlen(wanted)) == 0;
            if (!is_there) {
                fail_msg("case %zu, problem %zu: not \"%s\" but:\n%s", i, j, wanted, problems.data);
            }
            line = strchr(line, '\n') + 1;
        }
        if (*line) {
            fail_msg("case %zu: one more problem: %s", i, line);
        }
    }
}

static void test_a_missing_file_is_told_with_the_cure(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *path = path_of("none.json");
    assert_null(suite_load(path, &problems));
    assert_non_null(strstr(problems.data, "none.json: cannot read"));
    assert_non_null(strstr(problems.data, "check --init"));
}

static void test_of_many_problems_the_first_are_told(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, "{\"baseUrl\": \"http://h/\", \"checks\": [0");
    for (int i = 0; i < 5000; i++) {
        strbuf_add_format(&text, ",\n{\"name\": \"c%d\", \"url\": \"/\", \"x\": 1}", i);
    }
    strbuf_add_string(&text, "]}");
    assert_null(load(text.data, &problems));
    assert_non_null(strstr(problems.data, ":100:29: checks[99].x: is unknown"));
    assert_null(strstr(problems.data, "checks[100]"));
    assert_non_null(strstr(problems.data, "smoke.json: and 4901 more problems\n"));
}

/* Writes a suite of `count` checks in `viewports` viewports. */
static void write_many(struct strbuf *text, int count, int viewports)
{
    strbuf_add_string(text, "{\"baseUrl\": \"http://h/\", \"viewports\": {");
    for (int i = 0; i < viewports; i++) {
        strbuf_add_format(text, "%s\"v%d\": {}", i ? "," : "", i);
    }
    strbuf_add_string(text, "}, \"defaults\": {\"hide\": [\"h\"]}, \"checks\": [");
    for (int i = 0; i < count; i++) {
        strbuf_add_format(text, "%s{\"name\": \"c%d\", \"url\": \"/\"}", i ? "," : "", i);
    }
    strbuf_add_string(text, "]}");
}

static void test_ten_thousand_checks_are_the_limit(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    write_many(&text, 100, 100);
    struct suite *suite = load_good(text.data);
    assert_int_equal(suite->check_count, 10000);
    assert_string_equal(suite->checks[9999].id, "c99@v99");
    /* Values from the defaults are shared. */
    assert_ptr_equal(suite->checks[9999].hide, suite->checks[0].hide);
    suite_destroy(suite);
    strbuf_clear(&text);
    write_many(&text, 101, 100);
    assert_null(load(text.data, &problems));
    assert_non_null(strstr(problems.data, "checks[100]: more than 10000 checks"));
}

static void test_what_is_too_large_is_refused(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *text = xmalloc(SUITE_MAX_BYTES + 2);
    memset(text, ' ', SUITE_MAX_BYTES + 1);
    text[SUITE_MAX_BYTES + 1] = '\0';
    assert_null(load(text, &problems));
    assert_non_null(strstr(problems.data, "more than 8388608"));
}

static void test_addresses_are_resolved(void **state)
{
    (void)state;
    static const struct {
        const char *base, *reference, *url;
    } cases[] = {
        { "http://h", "", "http://h" },
        { "http://h", "a", "http://h/a" },
        { "http://h", "/a", "http://h/a" },
        { "http://h?q", "a", "http://h/a" },
        { "http://h:1/a/b?q=/x#f", "c?d", "http://h:1/a/c?d" },
        { "http://h:1/a/b?q=/x#f", "/c", "http://h:1/c" },
        { "http://h:1/a/b?q#f", "?d", "http://h:1/a/b?d" },
        { "http://h:1/a/b?q#f", "#d", "http://h:1/a/b?q#d" },
        { "http://h:1/a/b?q#f", "", "http://h:1/a/b?q" },
        { "https://h/a/", "//other/x", "https://other/x" },
        { "http://h/a/", "../b", "http://h/b" },
        { "file:///s/site/", "/", "file:///s/site/index.html" },
        { "file:///s/site/", "/a.html?x#y", "file:///s/site/a.html?x#y" },
        { "file:///s/site/", "a/?x", "file:///s/site/a/index.html?x" },
        { "file:///s/site/one.html", "two.html", "file:///s/site/two.html" },
        { "file:///s/site/one.html", "#top", "file:///s/site/one.html#top" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *url = url_of_suite(cases[i].base, cases[i].reference);
        assert_string_equal(url, cases[i].url);
    }
    CLEANUP_FREE char *escaped = url_from_path("/a b/ü#?%.html");
    assert_string_equal(escaped, "file:///a%20b/%C3%BC%23%3F%25.html");
}

static void test_addresses_move_to_another_site(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        { "http://a:1/x?y#z", "http://a:1/", "https://b/", "https://b/x?y#z" },
        { "http://a:1/app/x", "http://a:1/app/", "https://b/new/", "https://b/new/x" },
        { "http://a:1/x", "http://a:1/app/", "https://b/new/", "https://b/x" },
        { "http://a:1", "http://a:1", "https://b/", "https://b" },
        { "http://a:12/x", "http://a:1/", "https://b/", "http://a:12/x" },
        { "http://other/x", "http://a:1/", "https://b/", "http://other/x" },
        { "file:///r/site/x.html?1", "file:///r/site/", "file:///t/site/",
          "file:///t/site/x.html?1" },
        { "file:///r/else/x.html", "file:///r/site/", "file:///t/site/", "file:///r/else/x.html" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_FREE char *moved = url_move(cases[i][0], cases[i][1], cases[i][2]);
        assert_string_equal(moved, cases[i][3]);
    }
}

static void test_a_folder_as_base(void **state)
{
    (void)state;
    CLEANUP_FREE char *site = path_of("my site");
    assert_int_equal(mkdir(site, 0700), 0);
    struct suite *suite =
        load_good("{\"baseUrl\": \"my site\", \"checks\": [{\"name\": \"a\", \"url\": \"/\"}]}");
    assert_int_equal(strncmp(suite->checks[0].url, "file:///", 8), 0);
    assert_non_null(strstr(suite->checks[0].url, "/my%20site/index.html"));
    suite_destroy(suite);
    assert_int_equal(rmdir(site), 0);
}

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms; /* -1: invalid */
    } cases[] = {
        { "1970-01-01", 0 },
        { "2026-01-01T00:00:00Z", 1767225600000 },
        { "2026-01-01T00:00:00.25Z", 1767225600250 },
        { "2026-01-01T01:30:00+01:30", 1767225600000 },
        { "2025-12-31T23:00:00-01:00", 1767225600000 },
        { "2024-02-29", 1709164800000 },
        { "2026-02-29", -1 },
        { "2026-04-31T00:00:00Z", -1 },
        { "2026-1-1", -1 },
        { "2026-01-01T00:00:00", -1 },
        { "2026-01-01T00:00Z", -1 },
        { "2026-01-01T24:00:00Z", -1 },
        { "2026-01-01T00:00:00.1234Z", -1 },
        { "2026-01-01T00:00:00.Z", -1 },
        { "2026-01-01 ", -1 },
        { "1969-12-31", -1 },
        { "1970-01-01T00:00:00+01:00", -1 },
        { "now", -1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms = -1;
        assert_int_equal(rfc3339_parse(cases[i].text, &ms), cases[i].ms >= 0);
        assert_int_equal(ms, cases[i].ms);
    }
}

/* Reads the output of init, with the suite's reader and as JSON. */
static struct suite *load_written(const char *path, json_t **ret_json)
{
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    *ret_json = json_load_file(path, 0, NULL);
    struct suite *suite = suite_load(path, &problems);
    if (!suite) {
        fail_msg("%s", problems.data);
    }
    return suite;
}

static void test_init_writes_a_suite_of_a_site(void **state)
{
    (void)state;
    static const char *const urls[] = { "http://h:3000", "http://h:3000/about/team.html",
                                        "http://h:3000/about/team/?x=1",
                                        "http://h:3000/about/team" };
    static const char *const names[] = { "home", "about-team", "about-team-x-1", "about-team-2" };
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = path_of("first.json");
    assert_true(check_init(path, urls, 4, &err));
    json_auto_t *json = NULL;
    struct suite *suite = load_written(path, &json);
    assert_string_equal(json_member_string(json, "$schema"), "./smoke.schema.json");
    assert_string_equal(json_member_string(json, "baseUrl"), "http://h:3000/");
    assert_int_equal(suite->check_count, 8);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(suite->checks[2 * i].name, names[i]);
        assert_string_equal(suite->checks[2 * i].viewport->name, "desktop");
        assert_string_equal(suite->checks[2 * i + 1].viewport->preset, "iphone");
    }
    assert_string_equal(suite->checks[0].url, "http://h:3000/");
    assert_string_equal(suite->checks[4].url, "http://h:3000/about/team/?x=1");
    suite_destroy(suite);

    assert_false(check_init(path, urls, 1, &err));
    assert_non_null(strstr(err.message, "already exists"));
    CLEANUP_FREE char *schema = path_of("smoke.schema.json");
    json_auto_t *written = json_load_file(schema, 0, NULL);
    assert_non_null(json_object_get(written, "$defs"));
    remove_file("first.json");
    remove_file("smoke.schema.json");
}

static void test_init_of_other_sites_and_files(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = path_of("first.json");
    static const char *const sites[] = { "https://a/x", "https://b/x" };
    assert_true(check_init(path, sites, 2, &err));
    json_auto_t *json = NULL;
    struct suite *suite = load_written(path, &json);
    assert_null(json_object_get(json, "baseUrl"));
    assert_string_equal(suite->checks[2].url, "https://b/x");
    assert_string_equal(suite->checks[2].name, "x-2");
    suite_destroy(suite);
    remove_file("first.json");
    remove_file("smoke.schema.json");

    CLEANUP_FREE char *site = path_of("site");
    CLEANUP_FREE char *first = path_of("site/index.html");
    CLEANUP_FREE char *second = path_of("site/two.html");
    assert_int_equal(mkdir(site, 0700), 0);
    write_file("site/index.html", "1");
    write_file("site/two.html", "2");
    const char *const files[] = { first, second };
    assert_true(check_init(path, files, 2, &err));
    json_auto_t *of_files = NULL;
    suite = load_written(path, &of_files);
    assert_string_equal(json_member_string(of_files, "baseUrl"), "site/");
    assert_string_equal(suite->checks[0].name, "home");
    assert_string_equal(suite->checks[2].name, "two");
    CLEANUP_FREE char *wanted = url_from_path(second);
    assert_string_equal(suite->checks[2].url, wanted);
    suite_destroy(suite);
    remove_file("first.json");
    remove_file("smoke.schema.json");
    remove_file("site/index.html");
    remove_file("site/two.html");
    assert_int_equal(rmdir(site), 0);
}

static void test_init_takes_addresses_without_a_scheme(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = path_of("first.json");
    static const char *const sites[] = { "localhost:3000", "localhost:3000/a.html", "127.0.0.1/x",
                                         "example.com/about" };
    static const char *const wanted[] = { "http://localhost:3000/", "http://localhost:3000/a.html",
                                          "http://127.0.0.1/x", "https://example.com/about" };
    json_auto_t *json = NULL;
    assert_true(check_init(path, sites, 4, &err));
    struct suite *suite = load_written(path, &json);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(suite->checks[2 * i].url, wanted[i]);
        assert_true(suite->checks[2 * i].strict > 0);
    }
    suite_destroy(suite);
    remove_file("first.json");
    remove_file("smoke.schema.json");
}

static void test_init_refuses_what_is_no_page(void **state)
{
    (void)state;
    CLEANUP_FREE char *path = path_of("first.json");
    static const struct {
        const char *url, *message;
    } cases[] = {
        { "data:text/html,x", "is no http, https or file URL" },
        { "ftp://h/x", "is no http, https or file URL" },
        { "no-such-file.html", "there is no page at no-such-file.html" },
        { "./localhost:3000", "there is no page at ./localhost:3000" },
        { "about", "there is no page at about" },
        { "http://", "is no http, https or file URL" },
    };
    struct br_error err = { 0 };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_false(check_init(path, &cases[i].url, 1, &err));
        assert_non_null(strstr(err.message, cases[i].message));
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_false(check_init(path, NULL, 0, &err));
    static const char *const fine[] = { "http://h/" };
    assert_false(check_init("/no/such/folder/first.json", fine, 1, &err));
    assert_non_null(strstr(err.message, "cannot write /no/such/folder/first.json"));
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_short_suite_has_all_defaults),
        cmocka_unit_test(test_every_member_is_read),
        cmocka_unit_test(test_defaults_hold_member_by_member),
        cmocka_unit_test(test_only_skips_all_others),
        cmocka_unit_test(test_actions_in_all_three_forms),
        cmocka_unit_test(test_problems_have_their_places),
        cmocka_unit_test(test_a_missing_file_is_told_with_the_cure),
        cmocka_unit_test(test_of_many_problems_the_first_are_told),
        cmocka_unit_test(test_ten_thousand_checks_are_the_limit),
        cmocka_unit_test(test_what_is_too_large_is_refused),
        cmocka_unit_test(test_addresses_are_resolved),
        cmocka_unit_test(test_a_folder_as_base),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_addresses_move_to_another_site),
        cmocka_unit_test(test_init_writes_a_suite_of_a_site),
        cmocka_unit_test(test_init_of_other_sites_and_files),
        cmocka_unit_test(test_init_takes_addresses_without_a_scheme),
        cmocka_unit_test(test_init_refuses_what_is_no_page),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
