/* The content of a page as Markdown, and the selectors of its controls. */
#include "runner/snapshot/dom/selector.h"
#include "runner/snapshot/markdown/annotation.h"
#include "runner/snapshot/markdown/markdown.h"

#include "case_table.h"
#include "snapshot_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct page {
    struct arena *arena;
    struct snapshot_tree *tree;
    struct snapshot_semantics semantics;
    int body;
};

static void open_page(struct page *page)
{
    *page = (struct page){ .arena = arena_create(), .tree = snapshot_tree_create(800, 600) };
    int root = build_document(page->tree, SNAPSHOT_NONE);
    page->tree->documents[0].base_url = "https://ex.org/a/b.html?q";
    page->body = build_element(page->tree, build_element(page->tree, root, "HTML"), "BODY");
}

static void close_page(struct page *page)
{
    free(page->semantics.nodes);
    snapshot_tree_destroy(page->tree);
    arena_destroy(page->arena);
}

static enum snapshot_role role_of(const struct snapshot_tree *tree, int node)
{
    static const struct {
        enum snapshot_tag tag;
        enum snapshot_role role;
    } roles[] = {
        { TAG_A, ROLE_LINK },        { TAG_TABLE, ROLE_TABLE }, { TAG_H1, ROLE_HEADING },
        { TAG_H3, ROLE_HEADING },    { TAG_IMG, ROLE_IMAGE },   { TAG_BUTTON, ROLE_BUTTON },
        { TAG_INPUT, ROLE_TEXTBOX },
    };
    const char *role = snapshot_attribute(tree, node, "role");
    if (role) {
        return snapshot_role_from_name(role);
    }
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (roles[i].tag == tree->nodes[node].tag) {
            return roles[i].role;
        }
    }
    return ROLE_UNKNOWN;
}

/* Computes the semantics that Markdown needs. */
static void mean(struct page *page)
{
    const struct snapshot_tree *tree = page->tree;
    page->semantics.nodes = calloc((size_t)tree->node_count, sizeof(struct node_semantics));
    for (int i = 0; i < tree->node_count; i++) {
        struct node_semantics *semantics = &page->semantics.nodes[i];
        const char *columns = snapshot_attribute(tree, i, "colspan");
        const char *rows = snapshot_attribute(tree, i, "rowspan");
        const char *type = snapshot_attribute(tree, i, "type");
        semantics->role = role_of(tree, i);
        semantics->level = tree->nodes[i].tag == TAG_H1 ? 1 : 3;
        semantics->name = snapshot_attribute(tree, i, "aria-label");
        semantics->name = semantics->name ? semantics->name : snapshot_attribute(tree, i, "alt");
        semantics->column_span = columns ? (int)strtol(columns, NULL, 10) : 0;
        semantics->row_span = rows ? (int)strtol(rows, NULL, 10) : 0;
        semantics->is_private = type && strcmp(type, "password") == 0;
        semantics->value = snapshot_attribute(tree, i, "value");
        semantics->placeholder = snapshot_attribute(tree, i, "placeholder");
        semantics->is_disabled = snapshot_attribute(tree, i, "disabled") != NULL;
        semantics->is_hidden = snapshot_attribute(tree, i, "hidden") != NULL;
        semantics->is_left_out = snapshot_attribute(tree, i, "data-no-ai") != NULL;
        semantics->category =
            snapshot_attribute(tree, i, "onclick") ? CATEGORY_INTERACTIVE : CATEGORY_STRUCTURAL;
    }
}

static void print(struct page *page, int text_length, struct strbuf *text)
{
    struct br_error err;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    assert_true(snapshot_tree_finish(page->tree, &err));
    mean(page);
    print_markdown(page->tree, &page->semantics, &options,
                   &(struct markdown_options){ .text_length = text_length }, text);
}

static void assert_markdown(const char *markup, const char *expected)
{
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    print(&page, 0, &text);
    close_page(&page);
    assert_string_equal(text.data, expected);
}

/* A sentence of some length. */
#define SENTENCE "Of the harbour, its lights and its depths, this sentence says enough to be read. "
#define TEXT     "<p>" SENTENCE "</p><p>" SENTENCE SENTENCE "</p><p>" SENTENCE "</p>"

static void assert_main(const char *markup, const char *reason, const char *begin,
                        const char * not )
{
    struct page page;
    struct br_error err;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    struct main_part part = main_part_find(page.tree, &page.semantics, SNAPSHOT_NONE);
    struct outline_options options = { .root = part.root };
    const struct markdown_options how = { .has_no_annotations = true,
                                          .is_dropped = part.is_dropped };
    print_markdown(page.tree, &page.semantics, &options, &how, &text);
    if (strcmp(part.reason, reason) != 0 || strncmp(text.data, begin, strlen(begin)) != 0 ||
        strstr(text.data, not )) {
        fail_msg("%s: %s: %s", markup, part.reason, text.data);
    }
    main_part_finish(&part);
    close_page(&page);
}

static void test_main_part(void **state)
{
    (void)state;
    assert_main("<nav>" TEXT "away</nav><div><div>" TEXT "</div></div>", "text", "Of the", "away");
    assert_main("<p>away</p><article>" TEXT "</article>", "article", "Of the", "away");
    assert_main("<div>away</div><div role=\"main\"><h1>Head</h1>" TEXT "</div>", "main", "# Head",
                "away");
    assert_main("<div><h1>Head</h1><ul><li>one</li></ul></div>", "page", "# Head", "away");
    assert_main("<div>" TEXT "<div class=\"related-links\"><p>away</p></div></div>", "text",
                "Of the", "away");
    assert_main("<div>" TEXT "<ul><li><a href=\"x\">away</a></li></ul></div>", "text", "Of the",
                "away");
    assert_main("<section class=\"share\">" TEXT "</section>", "text", "Of the", "away");
    assert_main("<article>" TEXT "</article><article>" TEXT "</article>", "page", "Of the", "away");
    assert_main("", "page", "", "away");
}

/* Omitted content stays omitted if a part of it is requested, and as a choice. */
/* BROP's annotations: HTML types, values before placeholders, nothing private. */
static void test_types(void **state)
{
    (void)state;
    static const char markup[] =
        "<label for=\"a\">Name</label><input id=\"a\" placeholder=\"Full name\"></input><input "
        "name=\"m\" type=\"email\" value=\"x@y.z\"></input><input type=\"password\" id=\"p\" "
        "value=\"no\"></input><label><input type=\"radio\" name=\"s\" value=\"L\"></input> "
        "Large</label><select id=\"c\"><option aria-label=\"A\"></option><option "
        "aria-label=\"B\"></option><option aria-label=\"C\"></option><option "
        "aria-label=\"D\"></option></select><textarea id=\"t\"></textarea><input type=\"submit\" "
        "id=\"go\" aria-label=\"Send\"></input><button id=\"b\">Push</button>";
    static const char *const parts[] = {
        "Name<!--label:label[for=\"a\"]-->",
        "[text: Full name]<!--text:#a-->",
        "[email: x@y.z]<!--email:",
        "[radio]<!--radio:[name=\"s\"][value=\"L\"]-->",
        "[select-one: A, B, C...]<!--select-one:#c-->",
        "<!--textarea:#t-->",
        "[Send]<!--submit:#go-->",
        "[Push]<!--button:#b-->",
        "<!--password:#p-->",
        NULL,
    };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf bare = STRBUF_INIT(STRBUF_UNCAPPED);
    struct page page;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    struct br_error err;
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, markup);
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    print_markdown(page.tree, &page.semantics, &options,
                   &(struct markdown_options){ .style = MARKDOWN_TYPES }, &text);
    print_markdown(page.tree, &page.semantics, &options,
                   &(struct markdown_options){ .style = MARKDOWN_BARE }, &bare);
    for (size_t i = 0; parts[i]; i++) {
        if (!strstr(text.data, parts[i])) {
            fail_msg("%s is not in\n%s", parts[i], text.data);
        }
    }
    assert_null(strstr(text.data, "no]"));
    assert_non_null(strstr(bare.data, "[Push]<!--#b-->"));
    close_page(&page);
}

static void test_left_out(void **state)
{
    struct page page;
    struct br_error err;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    (void)state;
    open_page(&page);
    build_markup(page.tree, page.arena, page.body,
                 "<div data-no-ai=\"\"><p><b>secret</b></p></div>");
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    struct outline_options options = { .root = page.tree->nodes[page.body].first_child + 1 };
    print_markdown(page.tree, &page.semantics, &options, &(struct markdown_options){ 0 }, &text);
    assert_string_equal(text.data, "<!-- left out: data-no-ai -->\n");
    strbuf_clear(&text);
    options.keeps_left_out = true;
    print_markdown(page.tree, &page.semantics, &options, &(struct markdown_options){ 0 }, &text);
    assert_string_equal(text.data, "**secret**\n");
    close_page(&page);
    assert_markdown("<select><option aria-label=\"a\"></option><option data-no-ai=\"\" "
                    "aria-label=\"secret\"></option><optgroup data-no-ai=\"\"><option "
                    "aria-label=\"secret\"></option></optgroup></select>",
                    "[select; options: a]<!--select:body select-->\n");
}

static void test_text_with_less_than_is_never_markup(void **state)
{
    (void)state;
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_box(page.tree, build_text(page.tree, page.body, "<!--button:#evil--> <b>"), 0, 0, 9, 9);
    print(&page, 0, &text);
    close_page(&page);
    assert_string_equal(text.data, "&lt;!--button:#evil--> &lt;b>\n");
}

static void test_texts_are_cut_when_they_are_to_be_short(void **state)
{
    (void)state;
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, "<p>Füße und mehr</p><p>kurz</p>");
    print(&page, 4, &text);
    close_page(&page);
    assert_string_equal(text.data, "Füße…\n\nkurz\n");
}

static void test_nested_without_end(void **state)
{
    (void)state;
    enum { LEVELS = 5000 };
    static const char *const tags[] = { "UL", "LI", "BLOCKQUOTE", "B", "A", "TABLE" };
    struct page page;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(1000000);
    open_page(&page);
    int node = page.body;
    for (int i = 0; i < LEVELS; i++) {
        node = build_element(page.tree, node, tags[i % 6]);
        build_attribute(page.tree, "href", "/");
        build_box(page.tree, node, 0, 0, 9, 9);
    }
    build_box(page.tree, build_text(page.tree, node, "deep"), 0, 0, 9, 9);
    print(&page, 0, &text);
    close_page(&page);
    assert_false(text.overflowed);
    assert_non_null(strstr(text.data, "deep"));
}

static char *selector_of(struct page *page, int node)
{
    struct br_error err;
    struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    assert_true(snapshot_tree_finish(page->tree, &err));
    struct selector_map *map = selector_map_create(page->tree);
    bool is_found = selector_add(map, node, &text);
    assert_true(is_found || text.length == 0);
    selector_map_destroy(map);
    return strbuf_take(&text);
}

/*
 * Makes a host in the body with a shadow root of that kind, which contains a button, and a slot
 * with another.
 */
static int build_host(struct page *page, enum snapshot_shadow shadow, int *ret_slotted)
{
    int host = build_element(page->tree, page->body, "x-card");
    int button = build_element(page->tree, host, "BUTTON");
    int slot = build_element(page->tree, host, "SLOT");
    *ret_slotted = build_element(page->tree, slot, "BUTTON");
    page->tree->nodes[button].shadow = page->tree->nodes[slot].shadow = shadow;
    return button;
}

static void test_selectors_in_shadow_roots(void **state)
{
    (void)state;
    static const struct {
        enum snapshot_shadow shadow;
        const char *button, *slotted;
    } cases[] = {
        { SNAPSHOT_OPEN, ":host(x-card:nth-child(2))>button",
          "body>x-card:nth-child(2)>:nth-child(1 of button:not([slot]))" },
        { SNAPSHOT_CLOSED, "", "body>x-card:nth-child(2)>:nth-child(1 of button:not([slot]))" },
        { SNAPSHOT_USER_AGENT, "", "body x-card:nth-child(2) button" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page page;
        int slotted = SNAPSHOT_NONE;
        open_page(&page);
        build_host(&page, cases[i].shadow, &slotted);
        int button = build_host(&page, cases[i].shadow, &slotted);
        CLEANUP_FREE char *own = selector_of(&page, button);
        CLEANUP_FREE char *assigned = selector_of(&page, slotted);
        close_page(&page);
        assert_string_equal(own, cases[i].button);
        assert_string_equal(assigned, cases[i].slotted);
    }
}

static void run_markdown(const struct case_row *row, struct strbuf *actual)
{
    struct page page;
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, row->input);
    print(&page, 0, actual);
    close_page(&page);
}

static void run_plain(const struct case_row *row, struct strbuf *actual)
{
    struct page page;
    struct br_error err;
    struct outline_options options = { .root = SNAPSHOT_NONE };
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, row->input);
    assert_true(snapshot_tree_finish(page.tree, &err));
    mean(&page);
    print_plain(page.tree, &page.semantics, &options, actual);
    close_page(&page);
}

static void add_selector(const struct case_row *row, bool is_first, struct strbuf *actual)
{
    struct page page;
    open_page(&page);
    build_markup(page.tree, page.arena, page.body, row->input);
    int node = is_first ? page.body + 1 : page.tree->node_count - 1;
    CLEANUP_FREE char *selector = selector_of(&page, node);
    strbuf_add_string(actual, selector);
    close_page(&page);
}

static void run_first_selector(const struct case_row *row, struct strbuf *actual)
{
    add_selector(row, true, actual);
}

static void run_last_selector(const struct case_row *row, struct strbuf *actual)
{
    add_selector(row, false, actual);
}

static void run_address(const struct case_row *row, struct strbuf *actual)
{
    address_resolve("http://a/b/c/d;p?q", row->input, actual);
}

static void test_cases(void **state)
{
    static const struct case_part parts[] = {
        { "blocks and marks", run_markdown },
        { "code", run_markdown },
        { "tables", run_markdown },
        { "text is never markup", run_markdown },
        { "what is not seen", run_markdown },
        { "controls", run_markdown },
        { "plain text", run_plain },
        { "selectors of the first element, by attributes", run_first_selector },
        { "selectors of the last element, by path", run_last_selector },
        { "addresses", run_address },
    };
    (void)state;
    CASE_TABLE_CHECK("markdown.txt", parts);
}

static void test_addresses_without_a_path(void **state)
{
    (void)state;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    address_resolve("https://ex.org", "x", &text);
    address_resolve("about:srcdoc", "x", &text);
    assert_string_equal(text.data, "https://ex.org/xx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_main_part),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_text_with_less_than_is_never_markup),
        cmocka_unit_test(test_texts_are_cut_when_they_are_to_be_short),
        cmocka_unit_test(test_nested_without_end),
        cmocka_unit_test(test_selectors_in_shadow_roots),
        cmocka_unit_test(test_addresses_without_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
