/* A token budget: what is cut first, how it is reported, and that the text stays within it. */
#include "runner/base/memory.h"
#include "runner/snapshot/outline/print.h"
#include "snapshot_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A heading, texts and buttons in view and below, in a region. */
static void build(struct test_page *page)
{
    int main = test_page_add(page, page->body, "MAIN", ROLE_MAIN, NULL);
    test_page_add(page, main, "H1", ROLE_HEADING, "Fruit");
    for (int i = 0; i < 20; i++) {
        enum snapshot_place place = i < 10 ? PLACE_IN_VIEW : PLACE_BELOW;
        int paragraph = test_page_add(page, main, "P", ROLE_PARAGRAPH, NULL);
        int text = test_page_text(page, paragraph, "Some words about fruit.");
        int button = test_page_add(page, main, "BUTTON", ROLE_BUTTON, "Buy");
        test_page_sight(page, paragraph)->place = place;
        test_page_sight(page, text)->place = place;
        test_page_sight(page, button)->place = place;
    }
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* Caller frees. */
static char *cut_text(struct test_page *page, int64_t max_tokens, int *ret_cut)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct outline *outline =
        test_page_outline(page, &(struct outline_options){ .root = SNAPSHOT_NONE });
    print_text(outline, &(struct print_options){ .max_tokens = max_tokens }, &text, ret_cut);
    outline_destroy(outline);
    return strbuf_take(&text);
}

static void assert_kept(struct test_page *page, int64_t max_tokens, int texts, int buttons,
                        int headings, const char *said)
{
    int cut = 0;
    CLEANUP_FREE char *text = cut_text(page, max_tokens, &cut);
    assert_int_equal(count_of(text, "Some words"), texts);
    assert_int_equal(count_of(text, "button \"Buy\""), buttons);
    assert_int_equal(count_of(text, "heading"), headings);
    assert_int_equal(cut > 0, said != NULL);
    if (said) {
        assert_non_null(strstr(text, said));
    } else {
        assert_null(strstr(text, "(left out"));
    }
    assert_true(print_tokens(text, strlen(text)) <= max_tokens);
}

static void test_least_useful_goes_first(void **state)
{
    build(*state);
    assert_kept(*state, 1000, 20, 20, 1, NULL);
    assert_kept(*state, 321, 10, 20, 1, "(left out for 321 tokens: 10 texts out of view)");
    assert_kept(*state, 241, 10, 10, 1,
                "(left out for 241 tokens: 10 texts out of view, 10 buttons out of view)");
    assert_kept(*state, 151, 0, 10, 1, " 10 texts");
    assert_kept(*state, 71, 0, 0, 1, " 10 buttons");
    assert_kept(*state, 59, 0, 0, 0, " 1 main");
}

static void test_order_within_a_kind(void **state)
{
    struct test_page *page = *state;
    static const char *const names[] = { "First", "Second", "Third" };
    for (size_t i = 0; i < 3; i++) {
        test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, names[i]);
    }
    int cut = 0;
    CLEANUP_FREE char *whole = cut_text(page, 1000, &cut);
    assert_int_equal(cut, 0);
    assert_non_null(strstr(whole, "Third"));
    CLEANUP_FREE char *text = cut_text(page, 79, &cut);
    assert_int_equal(cut, 1);
    assert_non_null(strstr(text, "First"));
    assert_non_null(strstr(text, "Second"));
    assert_null(strstr(text, "Third"));
}

static void test_inert_and_headings_out_of_view_go_before_controls(void **state)
{
    struct test_page *page = *state;
    int inert = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Behind");
    test_page_semantics(page, inert)->is_inert = true;
    int heading = test_page_add(page, page->body, "H2", ROLE_HEADING, "Far away");
    int below = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Below");
    test_page_sight(page, heading)->place = PLACE_BELOW;
    test_page_sight(page, below)->place = PLACE_BELOW;
    test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "Seen");
    static const char *const order[] = { "Behind", "Far away", "Below", "Seen" };
    int cut = 0;
    for (int tokens = 120; tokens > 0; tokens--) {
        CLEANUP_FREE char *text = cut_text(page, tokens, &cut);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(strstr(text, order[i]) != NULL, i >= cut);
        }
    }
    assert_int_equal(cut, 4);
}

static void test_controls_go_whole(void **state)
{
    struct test_page *page = *state;
    int link = test_page_add(page, page->body, "A", ROLE_LINK, "Shoes");
    test_page_add(page, link, "H3", ROLE_HEADING, "Shoes");
    test_page_text(page, link, "Twenty Euro");
    int cut = 0;
    CLEANUP_FREE char *text = cut_text(page, 60, &cut);
    assert_int_equal(cut, 3);
    assert_null(strstr(text, "Twenty"));
    assert_null(strstr(text, "link e1"));
}

static void test_json_is_cut_too(void **state)
{
    build(*state);
    struct outline *outline =
        test_page_outline(*state, &(struct outline_options){ .root = SNAPSHOT_NONE });
    int cut = 0;
    json_auto_t *json = print_json(outline, &(struct print_options){ .max_tokens = 590 }, &cut);
    outline_destroy(outline);
    assert_true(cut > 0);
    CLEANUP_FREE char *text = json_dumps(json, JSON_COMPACT);
    assert_int_equal(count_of(text, "Some words"), 10);
    assert_non_null(strstr(text, "left out for 590 tokens: 10 texts out of view"));
}

static void test_estimate(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int least, most;
    } cases[] = {
        { "", 0, 0 },
        { "button \"Save\" e12\n", 5, 9 },
        { "The quick brown fox jumps over the lazy dog.", 10, 12 },
        { "1234567890", 3, 5 },
        { "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", 2, 5 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int tokens = print_tokens(cases[i].text, strlen(cases[i].text));
        assert_in_range(tokens, cases[i].least, cases[i].most);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_page_set_up, test_page_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_least_useful_goes_first),
        TEST(test_order_within_a_kind),
        TEST(test_inert_and_headings_out_of_view_go_before_controls),
        TEST(test_controls_go_whole),
        TEST(test_json_is_cut_too),
        TEST(test_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
