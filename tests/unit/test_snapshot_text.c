/* The text form: lines and words, and that no page can forge a line. */
#include "runner/base/memory.h"
#include "runner/snapshot/outline/print.h"
#include "snapshot_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FIRST "page \"Shop\" http://shop.example/ 1280x800\n"

/* Caller frees. */
static char *text_of(struct test_page *page, const struct outline_options *options,
                     const struct print_options *print)
{
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct outline *outline = test_page_outline(page, options);
    int cut = 0;
    print_text(outline, print, &text, &cut);
    outline_destroy(outline);
    return strbuf_take(&text);
}

static void assert_text_with(struct test_page *page, const struct print_options *print,
                             const char *expected)
{
    struct outline_options options = { .root = SNAPSHOT_NONE };
    CLEANUP_FREE char *text = text_of(page, &options, print);
    assert_string_equal(text, expected);
}

static void assert_text(struct test_page *page, const char *expected)
{
    assert_text_with(page, &(struct print_options){ 0 }, expected);
}

static void test_empty_page(void **state)
{
    assert_text(*state, FIRST);
}

static void test_controls_and_regions(void **state)
{
    struct test_page *page = *state;
    int nav = test_page_add(page, page->body, "NAV", ROLE_NAVIGATION, "Main");
    int home = test_page_add_inline(page, nav, "A", ROLE_LINK, "Home");
    test_page_semantics(page, home)->current = "page";
    int heading = test_page_add_inline(page, page->body, "H2", ROLE_HEADING, "Sign in");
    test_page_semantics(page, heading)->level = 2;
    int email = test_page_add(page, page->body, "INPUT", ROLE_TEXTBOX, "Email");
    test_page_semantics(page, email)->is_required = true;
    test_page_semantics(page, email)->value = "ann@example.org";
    int password = test_page_add(page, page->body, "INPUT", ROLE_TEXTBOX, "Password");
    test_page_semantics(page, password)->is_private = true;
    page->tree->nodes[password].value = "secret";
    int button = test_page_add_inline(page, page->body, "BUTTON", ROLE_BUTTON, "Go");
    test_page_semantics(page, button)->is_disabled = true;
    test_page_layout(page, button)->display = DISPLAY_BLOCK;
    assert_text(page, FIRST "navigation \"Main\" e1\n"
                            "  link \"Home\" e2 current\n"
                            "heading 2 \"Sign in\"\n"
                            "textbox \"Email\" e3 required = \"ann@example.org\"\n"
                            "textbox \"Password\" e4 = (hidden)\n"
                            "button \"Go\" e5 disabled\n");
}

/* An icon without words: its target is all that identifies it. */
static void test_links_without_a_name_say_where_they_lead(void **state)
{
    struct test_page *page = *state;
    static const char *const urls[] = { "/share/mail?from=x", "#", "javascript:void(0)", NULL };
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        int link = test_page_add(page, page->body, "A", ROLE_LINK, NULL);
        test_page_semantics(page, link)->url = urls[i];
    }
    int named = test_page_add(page, page->body, "A", ROLE_LINK, "Mail");
    test_page_semantics(page, named)->url = "/mail";
    int around = test_page_add(page, page->body, "A", ROLE_LINK, NULL);
    test_page_semantics(page, around)->url = "/cat";
    test_page_add(page, around, "IMG", ROLE_IMAGE, "A cat");
    int drawn = test_page_add(page, page->body, "A", ROLE_LINK, NULL);
    test_page_semantics(page, drawn)->url = "/dog";
    int image = test_page_add(page, drawn, "IMG", ROLE_IMAGE, NULL);
    test_page_sight(page, image)->box = (struct snapshot_box){ 0, 0, 64, 64 };
    assert_text(page, FIRST "link e1 /share/mail…\n"
                            "link e2\n"
                            "link e3\n"
                            "link e4\n"
                            "link \"Mail\" e5\n"
                            "link e6: image \"A cat\" e7\n"
                            "link e8 /dog: image e9\n");
}

static void test_text_flows_around_what_is_in_it(void **state)
{
    struct test_page *page = *state;
    int paragraph = test_page_add(page, page->body, "P", ROLE_PARAGRAPH, NULL);
    test_page_text(page, paragraph, "See ");
    int bold = test_page_add(page, paragraph, "B", ROLE_STRONG, NULL);
    test_page_layout(page, bold)->display = DISPLAY_INLINE;
    test_page_text(page, bold, "all");
    test_page_text(page, paragraph, " of ");
    test_page_add_inline(page, paragraph, "A", ROLE_LINK, "the guide");
    test_page_text(page, paragraph, ".  ");
    test_page_add(page, paragraph, "BR", ROLE_LINE_BREAK, NULL);
    test_page_text(page, paragraph, "Then go.");
    int other = test_page_add(page, page->body, "P", ROLE_PARAGRAPH, NULL);
    test_page_text(page, other, "Another.");
    page->tree->nodes[bold].tag = TAG_B;
    assert_text(page, FIRST "\"See all of\" link \"the guide\" e1\n"
                            "\"Then go.\"\n"
                            "\"Another.\"\n");
}

/* A sign alone in its block has a meaning; between two things on a line it only separates them. */
static void test_signs_without_a_word(void **state)
{
    struct test_page *page = *state;
    static const char *const alone[] = { "\u2713", "\u2013", "+",      "?",
                                         "\u2192", "\u00bd", "\u25cf", "|" };
    for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
        int paragraph = test_page_add(page, page->body, "P", ROLE_PARAGRAPH, NULL);
        test_page_text(page, paragraph, alone[i]);
    }
    static const char *const between[] = { "|", "\u2192", "+", "\u2717", "," };
    for (size_t i = 0; i < sizeof(between) / sizeof(between[0]); i++) {
        int paragraph = test_page_add(page, page->body, "P", ROLE_PARAGRAPH, NULL);
        test_page_add_inline(page, paragraph, "A", ROLE_LINK, "A");
        test_page_text(page, paragraph, between[i]);
        test_page_add_inline(page, paragraph, "A", ROLE_LINK, "B");
        test_page_text(page, paragraph, i < 2 ? "." : "+");
    }
    int list = test_page_add(page, page->body, "UL", ROLE_LIST, NULL);
    for (int i = 0; i < 3; i++) {
        int item = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
        test_page_text(page, item, i == 0 ? "Path" : i == 1 ? "/" : "\u2713");
    }
    assert_text(page, FIRST
                "\"\u2713\"\n\"\u2013\"\n\"+\"\n\"?\"\n\"\u2192\"\n\"\u00bd\"\n\"\u25cf\"\n\"|\"\n"
                "link \"A\" e1 link \"B\" e2\n"
                "link \"A\" e3 link \"B\" e4\n"
                "link \"A\" e5 link \"B\" e6 \"+\"\n"
                "link \"A\" e7 \"\u2717\" link \"B\" e8 \"+\"\n"
                "link \"A\" e9 link \"B\" e10 \"+\"\n"
                "- \"Path\"\n- \"\u2713\"\n");
}

static void test_lists(void **state)
{
    struct test_page *page = *state;
    int list = test_page_add(page, page->body, "UL", ROLE_LIST, NULL);
    int item = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_text(page, item, "One");
    item = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_add_inline(page, item, "A", ROLE_LINK, "Two");
    int inner = test_page_add(page, item, "UL", ROLE_LIST, NULL);
    int deep = test_page_add(page, inner, "LI", ROLE_LISTITEM, NULL);
    test_page_text(page, deep, "Three");
    deep = test_page_add(page, inner, "LI", ROLE_LISTITEM, NULL);
    test_page_text(page, deep, "Four");
    test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    int last = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_text(page, last, "Five");
    assert_text(page, FIRST "- \"One\"\n"
                            "- link \"Two\" e1\n"
                            "  - \"Three\"\n"
                            "  - \"Four\"\n"
                            "- \"Five\"\n");
}

static int add_cell(struct test_page *page, int row, const char *text)
{
    int cell = test_page_add(page, row, "TD", ROLE_CELL, NULL);
    test_page_layout(page, cell)->display = DISPLAY_TABLE_CELL;
    if (text) {
        test_page_text(page, cell, text);
    }
    return cell;
}

static void test_tables(void **state)
{
    struct test_page *page = *state;
    int table = test_page_add(page, page->body, "TABLE", ROLE_TABLE, "Fruit");
    int row = test_page_add(page, table, "TR", ROLE_ROW, NULL);
    add_cell(page, row, "Apple");
    add_cell(page, row, "3.50");
    add_cell(page, row, NULL);
    test_page_add_inline(page, add_cell(page, row, NULL), "BUTTON", ROLE_BUTTON, "Buy");
    row = test_page_add(page, table, "TR", ROLE_ROW, NULL);
    test_page_semantics(page, row)->selected = CHECK_TRUE;
    add_cell(page, row, "Pear");
    add_cell(page, row, "e3 of them");
    row = test_page_add(page, table, "TR", ROLE_ROW, NULL);
    int cell = add_cell(page, row, NULL);
    int list = test_page_add(page, cell, "UL", ROLE_LIST, NULL);
    int item = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_text(page, item, "Red");
    item = test_page_add(page, list, "LI", ROLE_LISTITEM, NULL);
    test_page_text(page, item, "Green");
    add_cell(page, row, "1");
    assert_text(page, FIRST "table \"Fruit\"\n"
                            "  Apple | 3.50 |  | button \"Buy\" e1\n"
                            "  row selected: Pear | \"e3 of them\"\n"
                            "  - | - \"Red\"\n"
                            "      - \"Green\"\n"
                            "    | \"1\"\n");
}

/* The line would contain only the indentation. */
static void test_row_of_one_empty_cell(void **state)
{
    struct test_page *page = *state;
    int table = test_page_add(page, page->body, "TABLE", ROLE_TABLE, "Fruit");
    add_cell(page, test_page_add(page, table, "TR", ROLE_ROW, NULL), NULL);
    add_cell(page, test_page_add(page, table, "TR", ROLE_ROW, NULL), "Apple");
    int row = test_page_add(page, table, "TR", ROLE_ROW, NULL);
    add_cell(page, row, NULL);
    add_cell(page, row, NULL);
    assert_text(page, FIRST "table \"Fruit\"\n"
                            "  Apple\n"
                            "   | \n");
}

static void test_control_that_holds_more(void **state)
{
    struct test_page *page = *state;
    int link = test_page_add(page, page->body, "A", ROLE_LINK, "Shoes 20 EUR");
    test_page_semantics(page, link)->name_from = NAME_FROM_CONTENT;
    int heading = test_page_add_inline(page, link, "H3", ROLE_HEADING, "Shoes");
    test_page_semantics(page, heading)->level = 3;
    test_page_text(page, link, "20 EUR");
    int card = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, card)->category = CATEGORY_INTERACTIVE;
    page->tree->nodes[card].is_clickable = true;
    test_page_text(page, card, "Open");
    int bare = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, bare)->category = CATEGORY_INTERACTIVE;
    test_page_semantics(page, bare)->test_id = "close";
    assert_text(page, FIRST "link e1: heading 3 \"Shoes\" \"20 EUR\"\n"
                            "clickable \"Open\" e2\n"
                            "clickable test id \"close\" e3\n");
}

static void test_choices(void **state)
{
    struct test_page *page = *state;
    int select = test_page_add(page, page->body, "SELECT", ROLE_COMBOBOX, "Colour");
    test_page_semantics(page, select)->value = "Red";
    static const char *const names[] = { "Red", "Green", "a \"b\"" };
    for (size_t i = 0; i < 3; i++) {
        int option = build_element(page->tree, select, "OPTION");
        test_page_semantics(page, option)->role = ROLE_OPTION;
        test_page_semantics(page, option)->category = CATEGORY_SEMANTIC;
        test_page_semantics(page, option)->name = names[i];
        test_page_semantics(page, option)->is_hidden = true;
    }
    assert_text(page, FIRST "combobox \"Colour\" e1 = \"Red\" of Red | Green | \"a \\\"b\\\"\"\n");
    for (int option = page->tree->nodes[select].first_child; option != SNAPSHOT_NONE;
         option = page->tree->nodes[option].next) {
        bool is_green = strcmp(test_page_semantics(page, option)->name, "Green") == 0;
        test_page_semantics(page, option)->is_left_out = is_green;
    }
    assert_text(page, FIRST "combobox \"Colour\" e1 = \"Red\" of Red | \"a \\\"b\\\"\" "
                            "(left out: data-no-ai)\n");
}

static void test_places(void **state)
{
    struct test_page *page = *state;
    for (int i = 0; i < 10; i++) {
        int button = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "B");
        test_page_sight(page, button)->place = i < 2    ? PLACE_ABOVE
                                               : i < 5  ? PLACE_IN_VIEW
                                               : i == 7 ? PLACE_IN_VIEW
                                                        : PLACE_BELOW;
        test_page_sight(page, button)->is_occluded = i == 3;
    }
    assert_text(page, FIRST "button \"B\" e1\n"
                            "button \"B\" e2\n"
                            "button \"B\" e3\n"
                            "button \"B\" e4 covered\n"
                            "button \"B\" e5\n"
                            "button \"B\" e6\n"
                            "button \"B\" e7\n"
                            "button \"B\" e8\n"
                            "(below the viewport)\n"
                            "button \"B\" e9\n"
                            "button \"B\" e10\n");
}

static void test_frames_and_what_is_left_out(void **state)
{
    struct test_page *page = *state;
    int frame = test_page_add(page, page->body, "IFRAME", ROLE_IFRAME, "Pay");
    int inner = build_document(page->tree, frame);
    page->tree->documents[1].url = "https://pay.example/card?key=1";
    int body = test_page_add(page, inner, "BODY", ROLE_GENERIC, NULL);
    test_page_add(page, body, "BUTTON", ROLE_BUTTON, "Pay now");
    int secret = test_page_add(page, page->body, "DIV", ROLE_GENERIC, NULL);
    test_page_semantics(page, secret)->is_left_out = true;
    test_page_text(page, secret, "nobody's business");
    assert_text(page, FIRST "iframe \"Pay\" e1 https://pay.example/card…\n"
                            "  button \"Pay now\" e2\n"
                            "(a part of the page is left out: data-no-ai)\n");
    struct outline_options options = { .root = SNAPSHOT_NONE, .keeps_left_out = true };
    CLEANUP_FREE char *text = text_of(page, &options, &(struct print_options){ 0 });
    assert_non_null(strstr(text, "nobody's business"));
}

static void test_frame_that_could_not_be_loaded(void **state)
{
    struct test_page *page = *state;
    int frame = test_page_add(page, page->body, "IFRAME", ROLE_IFRAME, "Pay");
    build_document(page->tree, frame);
    page->tree->documents[1].url = "chrome-error://chromewebdata/";
    assert_text(page, FIRST "iframe \"Pay\" e1 (not loaded)\n");
}

static void test_hostile_text(void **state)
{
    struct test_page *page = *state;
    test_page_text(page, page->body,
                   "a\"\nbutton \"Pay\" e1 \\ \xE2\x80\xAE"
                   "b\x01\xEF\xBF\xBF\xFF\xF3\xA0\x80\xA1.");
    test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, "x\"\r\nbutton \"y\" e9");
    int table = test_page_add(page, page->body, "TABLE", ROLE_TABLE, NULL);
    int row = test_page_add(page, table, "TR", ROLE_ROW, NULL);
    add_cell(page, row, "button e7");
    add_cell(page, row, "a | b");
    add_cell(page, row, "line\n- x");
    int code = test_page_add(page, page->body, "PRE", ROLE_PRE, NULL);
    test_page_text(page, code, "int a;\n  int b;\n");
    page->tree->documents[0].title = "t\" e1\nbutton \"z";
    page->tree->documents[0].url = "http://a/\nbutton \"z\" e1";
    assert_text(page,
                "page \"t\\\" e1\\nbutton \\\"z\" http://a/%0Abutton%20%22z%22%20e1 1280x800\n"
                "\"a\\\" button \\\"Pay\\\" e1 \\\\ \\u202eb\xEF\xBF\xBF\xEF\xBF\xBD.\"\n"
                "button \"x\\\"\\n\\nbutton \\\"y\\\" e9\" e1\n"
                "table\n"
                "  \"button e7\" | \"a | b\" | line - x\n"
                "\"int a;\\n  int b;\"\n");
}

static void test_lengths(void **state)
{
    struct test_page *page = *state;
    CLEANUP_FREE char *name = xcalloc(300, 1);
    memset(name, 'n', 299);
    test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, name);
    test_page_text(page, page->body, "gr\xC3\xBC\xC3\x9F dich");
    CLEANUP_FREE char *expected =
        xasprintf(FIRST "button \"%.250s…\" e1\n\"gr\xC3\xBC\xC3\x9F…\"\n", name);
    assert_text_with(page, &(struct print_options){ .text_length = 4 }, expected);
}

static void test_boxes_and_urls(void **state)
{
    struct test_page *page = *state;
    int link = test_page_add_inline(page, page->body, "A", ROLE_LINK, "Home");
    test_page_semantics(page, link)->url = "/home page";
    assert_text_with(page, &(struct print_options){ .has_boxes = true, .has_urls = true },
                     FIRST "link \"Home\" e1 /home%20page [0,0,100,20]\n");
}

/* Ten thousand nested lists: no quadratic time or size. */
static void test_deep_nesting(void **state)
{
    struct test_page *page = *state;
    enum { LEVELS = 9000, MAX_BYTES = 4 * 1000 * 1000 };
    int around = page->body;
    for (int i = 0; i < LEVELS; i++) {
        around = test_page_add(page, around, "UL", ROLE_LIST, NULL);
        around = test_page_add(page, around, "LI", ROLE_LISTITEM, NULL);
        test_page_text(page, around, "x");
    }
    struct outline_options options = { .root = SNAPSHOT_NONE };
    CLEANUP_FREE char *text = text_of(page, &options, &(struct print_options){ 0 });
    assert_true(strlen(text) < MAX_BYTES);
    int lines = 0;
    for (const char *at = strchr(text, '\n'); at; at = strchr(at + 1, '\n')) {
        lines++;
    }
    assert_int_equal(lines, LEVELS + 1);
}

/* Long flowing text is split into lines; otherwise one change would change all of it. */
static void test_lines_do_not_grow_without_end(void **state)
{
    struct test_page *page = *state;
    enum { COUNT = 1000, LONGEST = 500 };
    for (int i = 0; i < COUNT; i++) {
        test_page_add_inline(page, page->body, "BUTTON", ROLE_BUTTON, "Go");
    }
    struct outline_options options = { .root = SNAPSHOT_NONE };
    CLEANUP_FREE char *text = text_of(page, &options, &(struct print_options){ 0 });
    int buttons = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") < LONGEST);
    }
    for (const char *at = strstr(text, "button"); at; at = strstr(at + 1, "button")) {
        buttons++;
    }
    assert_int_equal(buttons, COUNT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_page_set_up, test_page_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_empty_page),
        TEST(test_controls_and_regions),
        TEST(test_links_without_a_name_say_where_they_lead),
        TEST(test_text_flows_around_what_is_in_it),
        TEST(test_signs_without_a_word),
        TEST(test_lists),
        TEST(test_tables),
        TEST(test_row_of_one_empty_cell),
        TEST(test_control_that_holds_more),
        TEST(test_choices),
        TEST(test_places),
        TEST(test_frames_and_what_is_left_out),
        TEST(test_frame_that_could_not_be_loaded),
        TEST(test_hostile_text),
        TEST(test_lengths),
        TEST(test_boxes_and_urls),
        TEST(test_deep_nesting),
        TEST(test_lines_do_not_grow_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
