/* The JSON form: the specified members, only unusual states, limited depth. */
#include "runner/base/memory.h"
#include "runner/snapshot/outline/print.h"
#include "snapshot_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static json_t *json_of(struct test_page *page, const struct outline_options *options,
                       const struct print_options *print)
{
    struct outline *outline = test_page_outline(page, options);
    int cut = 0;
    json_t *json = print_json(outline, print, &cut);
    outline_destroy(outline);
    return json;
}

static void assert_body(struct test_page *page, const struct outline_options *options,
                        const struct print_options *print, const char *expected)
{
    json_auto_t *json = json_of(page, options, print);
    json_auto_t *wanted = json_loads(expected, 0, NULL);
    assert_non_null(wanted);
    const json_t *body = json_object_get(json_object_get(json, "page"), "body");
    CLEANUP_FREE char *text = json_dumps(json_object_get(body, "children"), JSON_SORT_KEYS);
    CLEANUP_FREE char *wanted_text = json_dumps(wanted, JSON_SORT_KEYS);
    assert_string_equal(text, wanted_text);
}

static const struct outline_options usual = { .root = SNAPSHOT_NONE };

static void test_context(void **state)
{
    json_auto_t *json = json_of(*state, &usual, &(struct print_options){ 0 });
    CLEANUP_FREE char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, "{\"page\":{\"body\":{\"role\":\"document\",\"tag\":\"body\"},"
                              "\"context\":{\"title\":\"Shop\",\"url\":\"http://shop.example/\","
                              "\"viewport\":{\"height\":800,\"width\":1280}}}}");
}

static void test_elements(void **state)
{
    struct test_page *page = *state;
    int form = test_page_add(page, page->body, "FORM", ROLE_FORM, "Order");
    int box = test_page_add(page, form, "INPUT", ROLE_CHECKBOX, "Gift");
    test_page_semantics(page, box)->checked = CHECK_MIXED;
    test_page_semantics(page, box)->is_disabled = true;
    int name = test_page_add(page, form, "INPUT", ROLE_TEXTBOX, "Name");
    test_page_semantics(page, name)->value = "Ann";
    test_page_semantics(page, name)->placeholder = "first, last";
    test_page_semantics(page, name)->test_id = "name";
    test_page_semantics(page, name)->test_id_name = "data-cy";
    int card = test_page_add(page, form, "INPUT", ROLE_TEXTBOX, "Card");
    test_page_semantics(page, card)->is_private = true;
    page->tree->nodes[card].value = "4111";
    int link = test_page_add_inline(page, form, "A", ROLE_LINK, "Terms");
    test_page_semantics(page, link)->url = "/terms";
    test_page_sight(page, link)->place = PLACE_BELOW;
    int paragraph = test_page_add(page, form, "P", ROLE_PARAGRAPH, NULL);
    test_page_text(page, paragraph, "Thank you");
    test_page_text(page, form, "or not");
    assert_body(page, &usual, &(struct print_options){ .has_urls = true, .has_boxes = true },
                "[{\"id\":\"e1\",\"role\":\"form\",\"name\":\"Order\",\"tag\":\"form\","
                "\"box\":[0,0,100,20],\"children\":["
                "{\"id\":\"e2\",\"role\":\"checkbox\",\"name\":\"Gift\",\"tag\":\"input\","
                "\"checked\":\"mixed\",\"disabled\":true,\"box\":[0,0,100,20]},"
                "{\"id\":\"e3\",\"role\":\"textbox\",\"name\":\"Name\",\"tag\":\"input\","
                "\"value\":\"Ann\",\"placeholder\":\"first, last\",\"data-cy\":\"name\","
                "\"box\":[0,0,100,20]},"
                "{\"id\":\"e4\",\"role\":\"textbox\",\"name\":\"Card\",\"tag\":\"input\","
                "\"value_hidden\":true,\"box\":[0,0,100,20]},"
                "{\"id\":\"e5\",\"role\":\"link\",\"name\":\"Terms\",\"tag\":\"a\","
                "\"href\":\"/terms\",\"place\":\"below\",\"box\":[0,0,100,20]},"
                "{\"role\":\"paragraph\",\"tag\":\"p\",\"text\":\"Thank you\"},"
                "{\"role\":\"text\",\"text\":\"or not\"}]}]");
}

static void test_all(void **state)
{
    struct test_page *page = *state;
    int div = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, div)->is_ignored = true;
    int box = test_page_add(page, div, "INPUT", ROLE_CHECKBOX, "Gift");
    test_page_semantics(page, box)->checked = CHECK_FALSE;
    test_page_semantics(page, box)->is_hidden = true;
    assert_body(page, &(struct outline_options){ .root = SNAPSHOT_NONE, .is_all = true },
                &(struct print_options){ 0 },
                "[{\"id\":\"e1\",\"role\":\"generic\",\"tag\":\"body\",\"tier\":\"structural\","
                "\"children\":["
                "{\"id\":\"e2\",\"role\":\"generic\",\"tag\":\"div\",\"tier\":\"structural\","
                "\"ignored\":true,\"children\":["
                "{\"id\":\"e3\",\"role\":\"checkbox\",\"name\":\"Gift\",\"tag\":\"input\","
                "\"tier\":\"semantic\",\"hidden\":true,\"checked\":false}]}]}]");
}

static void test_left_out(void **state)
{
    struct test_page *page = *state;
    int div = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, div)->is_left_out = true;
    test_page_text(page, div, "secret");
    assert_body(page, &usual, &(struct print_options){ 0 },
                "[{\"role\":\"none\",\"left_out\":\"data-no-ai\"}]");
}

static void test_broken_text(void **state)
{
    struct test_page *page = *state;
    test_page_text(page, page->body, "a\xFF\xEE\x80\x81 \"b\"");
    assert_body(page, &usual, &(struct print_options){ .text_length = 4 },
                "[{\"role\":\"text\",\"text\":\"a\xEF\xBF\xBD \\\"…\"}]");
}

static int depth_of(const json_t *node)
{
    int depth = 0;
    for (; node; node = json_array_get(json_object_get(node, "children"), 0)) {
        depth++;
    }
    return depth;
}

static void test_nesting_is_bounded(void **state)
{
    struct test_page *page = *state;
    enum { LEVELS = 5000, MAX_NESTING = 500 };
    int around = page->body;
    for (int i = 0; i < LEVELS; i++) {
        around = test_page_add(page, around, "SECTION", ROLE_REGION, "R");
    }
    test_page_text(page, around, "the end");
    json_auto_t *json = json_of(page, &usual, &(struct print_options){ 0 });
    const json_t *body = json_object_get(json_object_get(json, "page"), "body");
    assert_int_equal(depth_of(body), MAX_NESTING + 1);
    assert_int_equal(json_integer_value(json_object_get(json, "flattened_below")), MAX_NESTING);
    CLEANUP_FREE char *text = json_dumps(json, 0);
    assert_non_null(strstr(text, "the end"));
    json_auto_t *read = json_loads(text, 0, NULL);
    assert_non_null(read);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_page_set_up, test_page_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_context),  TEST(test_elements),    TEST(test_all),
        TEST(test_left_out), TEST(test_broken_text), TEST(test_nesting_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
