/* The text form: lines and words, and that no page can forge a line. */
#include "case_table.h"
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

/* Writes the text without its first line, which is always the same. */
static void run_text(const struct case_row *row, struct strbuf *actual)
{
    struct test_page page;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    test_page_init(&page);
    test_page_read(&page, row->input);
    CLEANUP_FREE char *text = text_of(&page, &options, &(struct print_options){ 0 });
    assert_memory_equal(text, FIRST, sizeof(FIRST) - 1);
    strbuf_add_string(actual, text + sizeof(FIRST) - 1);
    test_page_finish(&page);
}

static void test_texts(void **state)
{
    (void)state;
    static const struct case_part parts[] = { { "texts", run_text } };
    CASE_TABLE_CHECK("outline_text.txt", parts);
}

static void test_empty_page(void **state)
{
    assert_text(*state, FIRST);
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
    static const char *const cells[] = { "button e7", "a | b", "line\n- x" };
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        int cell = test_page_add(page, row, "TD", ROLE_CELL, NULL);
        test_page_layout(page, cell)->display = DISPLAY_TABLE_CELL;
        test_page_text(page, cell, cells[i]);
    }
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
        cmocka_unit_test(test_texts),
        TEST(test_empty_page),
        TEST(test_choices),
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
