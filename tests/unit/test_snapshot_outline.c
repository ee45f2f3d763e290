/* The content of outlines: dissolved, joined, repeated and found items; ids. */
#include "case_table.h"
#include "runner/base/memory.h"
#include "snapshot_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "runner/base/strbuf.h"

/* Writes "main(heading=Shop e1, text)": roles, names to print, texts and ids. */
static void describe(const struct outline *outline, struct strbuf *text)
{
    int depth = 0;
    for (int i = 0; i < outline->count; i++) {
        const struct outline_item *item = &outline->items[i];
        const struct node_semantics *semantics = &outline->semantics->nodes[item->node];
        int parent = item->parent;
        int level = 0;
        for (; parent != SNAPSHOT_NONE; parent = outline->items[parent].parent) {
            level++;
        }
        for (; depth > level; depth--) {
            strbuf_add(text, ")", 1);
        }
        bool is_first =
            item->parent != SNAPSHOT_NONE && outline->items[item->parent].first_child == i;
        strbuf_add_string(text, is_first ? "(" : i ? (item->is_continued ? "+" : ",") : "");
        depth = level;
        strbuf_add_string(text, outline_is_text(outline, i) ? "text"
                                : item->is_left_out         ? "left-out"
                                                            : snapshot_role_name(semantics->role));
        if (semantics->name && !item->is_name_repeated && !outline_is_text(outline, i)) {
            strbuf_add_format(text, "=%s", semantics->name);
        }
        if (item->text) {
            strbuf_add_format(text, "'%s'", item->text);
        }
        if (item->id) {
            strbuf_add_format(text, " e%u", item->id);
        }
    }
    for (; depth > 0; depth--) {
        strbuf_add(text, ")", 1);
    }
}

static void add_outline(struct test_page *page, const struct outline_options *options,
                        struct strbuf *text)
{
    struct outline *outline = test_page_outline(page, options);
    describe(outline, text);
    outline_destroy(outline);
}

static void assert_outline_with(struct test_page *page, const struct outline_options *options,
                                const char *expected)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    add_outline(page, options, &text);
    assert_string_equal(text.data, expected);
}

/* "usual", "interactive", "all", "find=TEXT" or "role=ROLE". */
static struct outline_options options_of(const char *word)
{
    struct outline_options options = { .root = SNAPSHOT_NONE };
    if (strcmp(word, "interactive") == 0) {
        options.is_interactive = true;
    } else if (strcmp(word, "all") == 0) {
        options.is_all = true;
    } else if (strncmp(word, "find=", 5) == 0) {
        options.find_text = word + 5;
    } else if (strncmp(word, "role=", 5) == 0) {
        options.find_role = snapshot_role_from_name(word + 5);
    } else if (strcmp(word, "usual") != 0) {
        fail_msg("no option of an outline: %s", word);
    }
    return options;
}

/* The lines of a page, then "with OPTION" for each of its outlines, by default "with usual". */
static void run_outlines(const struct case_row *row, struct strbuf *actual)
{
    static const char with[] = "\nwith ";
    struct test_page page;
    CLEANUP_FREE char *input = xstrdup(row->input);
    char *at = strstr(input, with);
    if (at) {
        *at++ = '\0';
    }
    test_page_init(&page);
    test_page_read(&page, input);
    do {
        const char *line = at ? strsep(&at, "\n") : "with usual";
        struct outline_options options = options_of(line + strlen("with "));
        add_outline(&page, &options, actual);
        strbuf_add_string(actual, "\n");
    } while (at);
    test_page_finish(&page);
}

static void test_outlines(void **state)
{
    (void)state;
    static const struct case_part parts[] = { { "outlines", run_outlines } };
    CASE_TABLE_CHECK("outline.txt", parts);
}

/* Texts that nearly repeat a name, at each of its letters: compared in linear time. */
static void test_names_that_repeat_themselves(void **state)
{
    enum { BUTTONS = 100, IMAGES = 50, LENGTH = 1000 };
    struct test_page *page = *state;
    char name[LENGTH + 1];
    memset(name, 'a', LENGTH);
    name[LENGTH] = '\0';
    CLEANUP_FREE char *other = xasprintf("%.600sb", name);
    for (int i = 0; i < BUTTONS; i++) {
        int button = test_page_add(page, page->body, "BUTTON", ROLE_BUTTON, name);
        for (int k = 0; k < IMAGES; k++) {
            test_page_add(page, button, "IMG", ROLE_IMAGE, other);
        }
    }
    struct outline_options options = { .root = SNAPSHOT_NONE };
    struct outline *outline = test_page_outline(page, &options);
    assert_int_equal(outline->count, BUTTONS * (1 + IMAGES));
    outline_destroy(outline);
}

static const char shop[] = "MAIN main\n"
                           "  H2 heading: \"Fruit\" level=2\n"
                           "  \"All of it.\"\n"
                           "  TABLE table\n"
                           "    TR row\n"
                           "      TD cell\n"
                           "        \"Apple\"\n"
                           "      TD cell\n"
                           "        BUTTON button: \"Buy\"\n"
                           "    TR row\n"
                           "      TD cell\n"
                           "        \"Pear\" below\n"
                           "      TD cell\n"
                           "        BUTTON button: \"Buy\" below\n"
                           "  H2 heading: \"About\" level=2\n"
                           "  \"We are many.\"";

static void test_interactive_only(void **state)
{
    test_page_read(*state, shop);
    assert_outline_with(*state,
                        &(struct outline_options){ .root = SNAPSHOT_NONE, .is_interactive = true },
                        "main e1(heading=Fruit,table(row(cell'Apple',cell(button=Buy e2)),"
                        "row(cell'Pear',cell(button=Buy e3))))");
}

static void test_viewport_only(void **state)
{
    test_page_read(*state, shop);
    assert_outline_with(
        *state, &(struct outline_options){ .root = SNAPSHOT_NONE, .is_in_viewport = true },
        "main e1(heading=Fruit+text'All of it.',table(row(cell'Apple',cell(button=Buy e2)),"
        "row(cell'Pear')),heading=About+text'We are many.')");
}

static void test_find(void **state)
{
    test_page_read(*state, shop);
    assert_outline_with(*state,
                        &(struct outline_options){ .root = SNAPSHOT_NONE, .find_text = "PEAR" },
                        "main e1(table(row(cell'Pear',cell(button=Buy e2))))");
    assert_outline_with(
        *state, &(struct outline_options){ .root = SNAPSHOT_NONE, .find_role = ROLE_HEADING },
        "main e1(heading=Fruit,heading=About)");
    assert_outline_with(
        *state, &(struct outline_options){ .root = SNAPSHOT_NONE, .find_text = "plum" }, "");
}

static void test_depth_and_root(void **state)
{
    struct test_page *page = *state;
    test_page_read(page, shop);
    assert_outline_with(page, &(struct outline_options){ .root = SNAPSHOT_NONE, .depth = 1 },
                        "main e1");
    int row = SNAPSHOT_NONE;
    for (int i = 0; i < page->tree->node_count; i++) {
        row = page->semantics.nodes[i].role == ROLE_ROW ? i : row;
    }
    assert_outline_with(page, &(struct outline_options){ .root = row },
                        "row(cell'Pear',cell(button=Buy e2))");
    page->semantics.nodes[page->body].is_left_out = true;
    assert_outline_with(page, &(struct outline_options){ .root = row }, "left-out");
}

static void test_ids(void **state)
{
    struct test_page *page = *state;
    test_page_read(page, shop);
    assert_outline_with(
        page, &(struct outline_options){ .root = SNAPSHOT_NONE, .has_all_ids = true, .depth = 2 },
        "main e1(heading=Fruit e2+text'All of it.',table e3,heading=About e4+text'We are many.')");
    struct outline_options all = { .root = SNAPSHOT_NONE, .is_all = true };
    struct outline *outline = test_page_outline(page, &all);
    int elements = 0;
    for (int i = 0; i < outline->count; i++) {
        elements += outline->items[i].id != 0;
    }
    int expected = 0;
    for (int i = 0; i < page->tree->node_count; i++) {
        expected += page->tree->nodes[i].kind == SNAPSHOT_ELEMENT;
    }
    assert_int_equal(elements, expected);
    outline_destroy(outline);
}

/* Linear time for every kind of large page. */
static void test_large_pages_end_in_time(void **state)
{
    struct test_page *page = *state;
    int around = page->body;
    for (int i = 0; i < 15000; i++) {
        around = test_page_add(page, around, "DIV", ROLE_GENERIC, "aaaaaaaaaaaaaaaaaaaaaaaa");
        test_page_semantics(page, around)->category = CATEGORY_INTERACTIVE;
        test_page_semantics(page, around)->name_from = NAME_FROM_CONTENT;
        page->tree->nodes[around].is_clickable = true;
        test_page_text(page, around, "aaaaaaaaaaaaaaaaaaaaaaaa");
    }
    for (int i = 0; i < 20000; i++) {
        test_page_add_inline(page, page->body, "A", ROLE_LINK, "aaaaaaaaaaaaaaaaaaaaaaaa");
    }
    clock_t begin = clock();
    struct outline *outline =
        test_page_outline(page, &(struct outline_options){ .root = SNAPSHOT_NONE });
    assert_true(outline->count > 20000);
    outline_destroy(outline);
    assert_true((clock() - begin) / CLOCKS_PER_SEC < 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_page_set_up, test_page_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlines),
        TEST(test_names_that_repeat_themselves),
        TEST(test_interactive_only),
        TEST(test_viewport_only),
        TEST(test_find),
        TEST(test_depth_and_root),
        TEST(test_ids),
        TEST(test_large_pages_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
