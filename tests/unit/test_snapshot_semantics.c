/* Semantics of nodes: a case is markup, whose element with id="x" is described. */
#include "case_table.h"
#include "runner/base/memory.h"
#include "snapshot_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/decode.h"
#include "runner/snapshot/semantics/semantics.h"

struct page {
    struct snapshot_tree *tree;
    struct arena *arena;
    struct snapshot_semantics *semantics;
};

static bool has(const struct snapshot_tree *tree, int node, const char *name)
{
    return snapshot_attribute(tree, node, name) != NULL;
}

/* Sets the reply's data that markup cannot express, from attributes. */
static void complete(struct snapshot_tree *tree, int i)
{
    struct snapshot_node *node = &tree->nodes[i];
    const struct snapshot_node *parent =
        node->parent == SNAPSHOT_NONE ? NULL : &tree->nodes[node->parent];
    node->is_svg =
        node->tag == TAG_SVG || (parent && parent->is_svg && parent->tag != TAG_FOREIGNOBJECT);
    node->shadow = parent && parent->shadow != SNAPSHOT_LIGHT ? SNAPSHOT_OPEN : SNAPSHOT_LIGHT;
    if (parent && has(tree, node->parent, "shadow")) {
        node->shadow = SNAPSHOT_OPEN;
    }
    if (has(tree, i, "assigned")) {
        node->shadow = SNAPSHOT_LIGHT;
    }
    node->is_checked = has(tree, i, "checked");
    node->is_selected = has(tree, i, "selected");
    node->is_mixed = has(tree, i, "mixed");
    node->is_clickable = has(tree, i, "listens");
    node->value = node->tag == TAG_INPUT ? snapshot_attribute(tree, i, "value") : NULL;
    struct snapshot_layout *layout =
        node->layout == SNAPSHOT_NONE ? NULL : &tree->layouts[node->layout];
    if (!layout) {
        return;
    }
    const struct snapshot_layout *above =
        parent && parent->layout != SNAPSHOT_NONE ? &tree->layouts[parent->layout] : NULL;
    layout->is_invisible = has(tree, i, "invisible") || (above && above->is_invisible);
    layout->is_in_top_layer = has(tree, i, "top");
    layout->has_pointer = has(tree, i, "pointer") || (above && above->has_pointer);
    layout->has_border = has(tree, i, "border");
    layout->has_dots = has(tree, i, "dots");
    if (has(tree, i, "upper") || (above && above->transform == TRANSFORM_UPPER)) {
        layout->transform = TRANSFORM_UPPER;
    }
    layout->skips_content = has(tree, i, "skips");
    if (has(tree, i, "hidden") ||
        (parent && parent->layout == SNAPSHOT_NONE && parent->parent > 0)) {
        node->layout = SNAPSHOT_NONE;
        node->layout_count = 0;
    }
}

static void open_page(struct page *page, const char *markup)
{
    struct br_error err;
    page->tree = snapshot_tree_create(1280, 800);
    page->arena = arena_create();
    int root = build_document(page->tree, SNAPSHOT_NONE);
    int body = build_element(page->tree, root, "body");
    build_box(page->tree, body, 0, 0, 1280, 800);
    build_markup(page->tree, page->arena, body, markup);
    for (int i = 0; i < page->tree->node_count; i++) {
        complete(page->tree, i);
    }
    assert_true(snapshot_tree_finish(page->tree, &err));
    page->semantics = snapshot_semantics_create(page->tree);
}

static void close_page(struct page *page)
{
    snapshot_semantics_destroy(page->semantics);
    arena_destroy(page->arena);
    snapshot_tree_destroy(page->tree);
}

static int find(const struct snapshot_tree *tree, const char *id)
{
    for (int i = 0; i < tree->node_count; i++) {
        const char *other = snapshot_attribute(tree, i, "id");
        if (other && strcmp(other, id) == 0) {
            return i;
        }
    }
    return SNAPSHOT_NONE;
}

static void add_text(struct strbuf *out, const char *before, const char *text)
{
    if (text) {
        strbuf_add_format(out, " %s'%s'", before, text);
    }
}

static void add_check(struct strbuf *out, const char *name, enum snapshot_check check)
{
    static const char *const ways[] = { "", "=no", "", "=mixed" };
    if (check != CHECK_NONE) {
        strbuf_add_format(out, " %s%s", name, ways[check]);
    }
}

static void add_flag(struct strbuf *out, const char *name, bool is_so)
{
    if (is_so) {
        strbuf_add_format(out, " %s", name);
    }
}

/* Writes "checkbox 'Name' checked=no disabled": role, name, and unusual states. */
static void describe(const struct node_semantics *semantics, struct strbuf *out)
{
    strbuf_add_string(out, snapshot_role_name(semantics->role));
    if (semantics->stands_for != ROLE_UNKNOWN) {
        strbuf_add_format(out, " for %s", snapshot_role_name(semantics->stands_for));
    }
    add_text(out, "", semantics->name);
    add_text(out, "description=", semantics->description);
    add_text(out, "value=", semantics->value);
    add_text(out, "placeholder=", semantics->placeholder);
    add_check(out, "checked", semantics->checked);
    add_check(out, "pressed", semantics->pressed);
    add_check(out, "expanded", semantics->expanded);
    add_check(out, "selected", semantics->selected);
    if (semantics->level > 0) {
        strbuf_add_format(out, " level=%d", semantics->level);
    }
    add_flag(out, "disabled", semantics->is_disabled);
    add_flag(out, "required", semantics->is_required);
    add_flag(out, "readonly", semantics->is_readonly);
    add_flag(out, "invalid", semantics->is_invalid);
    add_flag(out, "multiline", semantics->is_multiline);
    add_flag(out, "multiselectable", semantics->is_multiselectable);
    add_flag(out, "modal", semantics->is_modal);
    add_flag(out, "editable", semantics->is_editable);
    add_flag(out, "private", semantics->is_private);
    add_flag(out, "left out", semantics->is_left_out);
    add_flag(out, "ignored", semantics->is_ignored);
    add_flag(out, "hidden", semantics->is_hidden);
    add_flag(out, "inert", semantics->is_inert);
}

/* Opens the page of a case and returns what is known of the element with id="x". */
static const struct node_semantics *open_case(struct page *page, const struct case_row *row)
{
    open_page(page, row->input);
    int node = find(page->tree, "x");
    assert_int_not_equal(node, SNAPSHOT_NONE);
    return &page->semantics->nodes[node];
}

static void run_description(const struct case_row *row, struct strbuf *actual)
{
    struct page page;
    describe(open_case(&page, row), actual);
    close_page(&page);
}

static void run_name(const struct case_row *row, struct strbuf *actual)
{
    static const char *const froms[] = { "nothing", "content", "element", "attribute",
                                         "placeholder" };
    struct page page;
    const struct node_semantics *semantics = open_case(&page, row);
    describe(semantics, actual);
    strbuf_add_format(actual, " from %s", froms[semantics->name_from]);
    close_page(&page);
}

static void run_category(const struct case_row *row, struct strbuf *actual)
{
    static const char *const categories[] = { "structural", "interactive", "semantic" };
    struct page page;
    strbuf_add_string(actual, categories[open_case(&page, row)->category]);
    close_page(&page);
}

static void test_cases(void **state)
{
    static const struct case_part parts[] = {
        { "roles of elements", run_description },
        { "roles of tables", run_description },
        { "roles of drawings", run_description },
        { "roles that authors give", run_description },
        { "names", run_description },
        { "names leave out what is inert", run_description },
        { "names have what is owned", run_description },
        { "states", run_description },
        { "values and what is private", run_description },
        { "what is kept from models", run_description },
        { "labels of hidden controls", run_name },
        { "categories", run_category },
    };
    (void)state;
    CASE_TABLE_CHECK("semantics.txt", parts);
}

/* Names of nested elements, and of references to one large text, are computed in time. */
static void test_names_that_are_nested_are_bounded(void **state)
{
    enum { DEPTH = 15000 };
    struct br_error err;
    struct snapshot_tree *tree = snapshot_tree_create(1280, 800);
    int node = build_document(tree, SNAPSHOT_NONE);
    (void)state;
    for (int i = 0; i < DEPTH; i++) {
        node = build_element(tree, node, i % 2 ? "div" : "button");
        build_attribute(tree, "aria-labelledby", "x y");
        build_attribute(tree, "id", i % 3 ? "x" : "y");
        build_box(tree, node, 0, 0, 1, 1);
        build_box(tree, build_text(tree, node, "word"), 0, 0, 1, 1);
    }
    assert_true(snapshot_tree_finish(tree, &err));
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    const char *name = semantics->nodes[1].name;
    assert_non_null(name);
    assert_true(strlen(name) < 10000);
    snapshot_semantics_destroy(semantics);
    snapshot_tree_destroy(tree);
}

static void test_a_long_name_is_cut_between_characters(void **state)
{
    enum { COUNT = 6000 };
    struct strbuf markup = STRBUF_INIT(STRBUF_UNCAPPED);
    struct page page;
    (void)state;
    strbuf_add_string(&markup, "<button id=\"x\">a");
    for (int i = 0; i < COUNT; i++) {
        strbuf_add_string(&markup, "\xC3\xA9");
    }
    strbuf_add_string(&markup, "</button>");
    open_page(&page, markup.data);
    assert_int_equal(strlen(page.semantics->nodes[find(page.tree, "x")].name), 9999);
    close_page(&page);
    strbuf_finish(&markup);
}

/* <div><::first-letter>C<b>ancel</b></div>: the letter comes before its element. */
static void test_a_first_letter_is_of_its_word(void **state)
{
    struct snapshot_tree *tree = snapshot_tree_create(1280, 720);
    struct br_error err;
    int block = build_element(tree, build_document(tree, SNAPSHOT_NONE), "DIV");
    int letter = build_text(tree, block, "C");
    build_box(tree, letter, 0, 0, 10, 10);
    int text = build_text(tree, build_element(tree, block, "B"), "\n Cancel");
    build_box(tree, text, 10, 0, 40, 10);
    tree->nodes[letter].kind = SNAPSHOT_PSEUDO;
    tree->nodes[letter].name = "::first-letter";
    tree->layouts[tree->nodes[letter].layout].text = " C";
    tree->layouts[tree->nodes[text].layout].text = "ancel";
    int other = build_text(tree, block, "Cargo");
    build_box(tree, other, 50, 0, 40, 10);
    tree->layouts[tree->nodes[other].layout].text = "argo";
    (void)state;
    assert_true(snapshot_tree_finish(tree, &err));
    assert_string_equal(snapshot_layout(tree, text)->text, "Cancel");
    assert_null(snapshot_layout(tree, letter)->text);
    assert_string_equal(snapshot_layout(tree, other)->text, "argo");
    snapshot_tree_destroy(tree);
}

static json_t *chromes(int64_t id, const char *role, const char *name, const char *checked)
{
    return json_pack("{s:I, s:b, s:{s:s}, s:{s:s}, s:[{s:s, s:{s:s}}, {s:s, s:{s:b}}]}",
                     "backendDOMNodeId", (json_int_t)id, "ignored", 0, "role", "value", role,
                     "name", "value", name, "properties", "name", "checked", "value", "value",
                     checked, "name", "disabled", "value", "value", 1);
}

static void test_chromes_tree_wins(void **state)
{
    static const char reply[] =
        "{\"documents\":[{\"nodes\":{\"parentIndex\":[-1,0,1,1],\"nodeType\":[9,1,1,1],"
        "\"nodeName\":[0,1,2,2],\"nodeValue\":[-1,-1,-1,-1],\"backendNodeId\":[1,2,3,4],"
        "\"attributes\":[[],[],[],[]]},"
        "\"layout\":{\"nodeIndex\":[0,1,2,3],\"styles\":[[],[],[],[]],"
        "\"bounds\":[[0,0,9,9],[0,0,9,9],[0,0,9,9],[0,0,9,9]],\"text\":[-1,-1,-1,-1]},"
        "\"textBoxes\":{\"layoutIndex\":[],\"bounds\":[],\"start\":[],\"length\":[]}}],"
        "\"strings\":[\"#document\",\"BODY\",\"MY-BOX\"]}";
    struct br_error err;
    int part = 0;
    struct snapshot_tree *tree = snapshot_tree_create(1280, 800);
    (void)state;
    assert_true(snapshot_tree_add(tree, xstrdup(reply), strlen(reply), &part, &err));
    assert_true(snapshot_tree_finish(tree, &err));
    struct snapshot_semantics *semantics = snapshot_semantics_create(tree);
    assert_int_equal(semantics->nodes[2].role, ROLE_GENERIC);
    json_t *nodes = json_array();
    json_array_append_new(nodes, chromes(3, "checkbox", " Agree\n to it ", "mixed"));
    json_array_append_new(nodes, chromes(77, "button", "Nobody", "true"));
    snapshot_semantics_apply(semantics, tree, part, nodes, false);
    assert_int_equal(semantics->nodes[2].role, ROLE_CHECKBOX);
    assert_string_equal(semantics->nodes[2].name, "Agree to it");
    assert_int_equal(semantics->nodes[2].checked, CHECK_MIXED);
    assert_true(semantics->nodes[2].is_disabled);
    assert_false(semantics->nodes[3].is_ignored);
    snapshot_semantics_apply(semantics, tree, part, nodes, true);
    assert_true(semantics->nodes[3].is_ignored);
    assert_false(semantics->nodes[2].is_ignored);
    json_decref(nodes);
    snapshot_semantics_destroy(semantics);
    snapshot_tree_destroy(tree);
}

/* Chrome's names do not consider what is private or kept from models: then ours stay. */
static void test_chromes_names_tell_no_secrets(void **state)
{
    static const struct {
        const char *markup, *name;
    } cases[] = {
        { "<button id=\"x\">a</button><input name=\"cvc\" value=\"4  1\"/>", "a 4 1" },
        { "<button id=\"x\">a</button><div contenteditable=\"\" id=\"cvc\">4 1</div>", "a 4 1" },
        { "<button id=\"x\">a</button><p id=\"p\" data-no-ai=\"\">b</p>", "b" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page page;
        open_page(&page, cases[i].markup);
        int node = find(page.tree, "x");
        /* The builder assigns no parts. */
        struct snapshot_part part = { .first_node = 0, .end_node = page.tree->node_count };
        page.tree->parts = &part;
        json_t *nodes = json_array();
        json_array_append_new(
            nodes, chromes(page.tree->nodes[node].backend_id, "button", cases[i].name, "false"));
        snapshot_semantics_apply(page.semantics, page.tree, 0, nodes, false);
        assert_string_equal(page.semantics->nodes[node].name, "a");
        assert_true(page.semantics->nodes[node].is_disabled);
        page.tree->parts = NULL;
        json_decref(nodes);
        close_page(&page);
    }
}

static void test_role_names(void **state)
{
    (void)state;
    assert_int_equal(snapshot_role_from_name("img"), ROLE_IMAGE);
    assert_int_equal(snapshot_role_from_name("Presentation"), ROLE_NONE);
    assert_int_equal(snapshot_role_from_name("ColorWell"), ROLE_COLOR_WELL);
    assert_int_equal(snapshot_role_from_name("no role"), ROLE_UNKNOWN);
    assert_int_equal(snapshot_role_from_name(""), ROLE_UNKNOWN);
    assert_string_equal(snapshot_role_name(ROLE_DISCLOSURE_TRIANGLE), "DisclosureTriangle");
    assert_string_equal(snapshot_role_name(ROLE_UNKNOWN), "");
    assert_true(snapshot_role_is(ROLE_SWITCH, IS_OPERABLE));
    assert_false(snapshot_role_is(ROLE_HEADING, IS_OPERABLE));
    assert_true(snapshot_role_is(ROLE_MAIN, IS_REGION));
    assert_false(snapshot_role_is(ROLE_LIST, IS_REGION));
    assert_true(snapshot_role_is(ROLE_LIST, IS_REGION | IS_PART_OF_NAMES));
    assert_true(snapshot_role_is(ROLE_UNKNOWN, IS_LAYOUT));
    assert_false(snapshot_role_is(ROLE_UNKNOWN, IS_OPERABLE | IS_REGION));
    /* The last row of the table is that of the last role. */
    assert_true(snapshot_role_is(ROLE_VIDEO, IS_MEDIUM));
    assert_string_equal(snapshot_role_name(ROLE_VIDEO), "Video");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_names_that_are_nested_are_bounded),
        cmocka_unit_test(test_a_long_name_is_cut_between_characters),
        cmocka_unit_test(test_a_first_letter_is_of_its_word),
        cmocka_unit_test(test_chromes_tree_wins),
        cmocka_unit_test(test_chromes_names_tell_no_secrets),
        cmocka_unit_test(test_role_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
