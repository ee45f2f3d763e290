#include "snapshot_page.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOX_WIDTH = 100, BOX_HEIGHT = 20 };

void test_page_init(struct test_page *page)
{
    *page = (struct test_page){
        .tree = snapshot_tree_create(1280, 800),
        .semantics.nodes = xcalloc(TEST_PAGE_NODES, sizeof(struct node_semantics)),
        .visibility.placements = xcalloc(TEST_PAGE_NODES, sizeof(struct snapshot_placement)),
        .ids = snapshot_ids_create(),
        .strings = arena_create(),
    };
    int root = build_document(page->tree, SNAPSHOT_NONE);
    page->tree->documents[0].url = "http://shop.example/";
    page->tree->documents[0].title = "Shop";
    page->body = test_page_add(page, root, "BODY", ROLE_GENERIC, NULL);
}

void test_page_finish(struct test_page *page)
{
    snapshot_tree_destroy(page->tree);
    free(page->semantics.nodes);
    free(page->visibility.placements);
    snapshot_ids_destroy(page->ids);
    arena_destroy(page->strings);
}

static void see(struct test_page *page, int node)
{
    assert(node < TEST_PAGE_NODES);
    build_box(page->tree, node, 0, 0, BOX_WIDTH, BOX_HEIGHT);
    page->visibility.placements[node] = (struct snapshot_placement){
        .place = PLACE_IN_VIEW,
        .occluder = SNAPSHOT_NONE,
        .box = { 0, 0, BOX_WIDTH, BOX_HEIGHT },
    };
}

int test_page_add(struct test_page *page, int parent, const char *tag, enum snapshot_role role,
                  const char *name)
{
    int node = build_element(page->tree, parent, tag);
    see(page, node);
    page->semantics.nodes[node] = (struct node_semantics){
        .role = role,
        .category = role == ROLE_GENERIC ? CATEGORY_STRUCTURAL : CATEGORY_SEMANTIC,
        .name = name,
        .name_from = name ? NAME_FROM_ATTRIBUTE : NAME_FROM_NOTHING,
    };
    return node;
}

int test_page_add_inline(struct test_page *page, int parent, const char *tag,
                         enum snapshot_role role, const char *text)
{
    int node = test_page_add(page, parent, tag, role, text);
    page->semantics.nodes[node].name_from = NAME_FROM_CONTENT;
    test_page_layout(page, node)->display = DISPLAY_INLINE;
    test_page_text(page, node, text);
    return node;
}

int test_page_text(struct test_page *page, int parent, const char *text)
{
    int node = build_text(page->tree, parent, text);
    see(page, node);
    return node;
}

/* What a word of a line sets; VALUE is an enum's. NUMBER, BOX and TEXT are read after `=`. */
struct word {
    const char *name;
    enum { NODE, LAYOUT, SEMANTICS, PLACEMENT } owner;
    enum { FLAG, VALUE, NUMBER, BOX, TEXT } kind;
    size_t offset;
    int value;
};

static const struct word words[] = {
    { "clickable", NODE, FLAG, offsetof(struct snapshot_node, is_clickable), 0 },
    { "of-widget", NODE, VALUE, offsetof(struct snapshot_node, shadow), SNAPSHOT_USER_AGENT },
    { "typed", NODE, TEXT, offsetof(struct snapshot_node, value), 0 },
    { "invisible", LAYOUT, FLAG, offsetof(struct snapshot_layout, is_invisible), 0 },
    { "pointer", LAYOUT, FLAG, offsetof(struct snapshot_layout, has_pointer), 0 },
    { "scrolls", LAYOUT, FLAG, offsetof(struct snapshot_layout, scrolls_y), 0 },
    { "block", LAYOUT, VALUE, offsetof(struct snapshot_layout, display), DISPLAY_BLOCK },
    { "inline", LAYOUT, VALUE, offsetof(struct snapshot_layout, display), DISPLAY_INLINE },
    { "in-row", LAYOUT, VALUE, offsetof(struct snapshot_layout, display), DISPLAY_TABLE_CELL },
    { "uppercase", LAYOUT, VALUE, offsetof(struct snapshot_layout, transform), TRANSFORM_UPPER },
    { "capitalize", LAYOUT, VALUE, offsetof(struct snapshot_layout, transform),
      TRANSFORM_CAPITALIZE },
    { "layout", LAYOUT, BOX, offsetof(struct snapshot_layout, x), 0 },
    { "reacts", SEMANTICS, VALUE, offsetof(struct node_semantics, category), CATEGORY_INTERACTIVE },
    { "by-content", SEMANTICS, VALUE, offsetof(struct node_semantics, name_from),
      NAME_FROM_CONTENT },
    { "by-label", SEMANTICS, VALUE, offsetof(struct node_semantics, name_from), NAME_FROM_ELEMENT },
    { "selected", SEMANTICS, VALUE, offsetof(struct node_semantics, selected), CHECK_TRUE },
    { "hidden", SEMANTICS, FLAG, offsetof(struct node_semantics, is_hidden), 0 },
    { "ignored", SEMANTICS, FLAG, offsetof(struct node_semantics, is_ignored), 0 },
    { "disabled", SEMANTICS, FLAG, offsetof(struct node_semantics, is_disabled), 0 },
    { "required", SEMANTICS, FLAG, offsetof(struct node_semantics, is_required), 0 },
    { "private", SEMANTICS, FLAG, offsetof(struct node_semantics, is_private), 0 },
    { "editable", SEMANTICS, FLAG, offsetof(struct node_semantics, is_editable), 0 },
    { "focusable", SEMANTICS, FLAG, offsetof(struct node_semantics, is_focusable), 0 },
    { "left-out", SEMANTICS, FLAG, offsetof(struct node_semantics, is_left_out), 0 },
    { "level", SEMANTICS, NUMBER, offsetof(struct node_semantics, level), 0 },
    { "value", SEMANTICS, TEXT, offsetof(struct node_semantics, value), 0 },
    { "url", SEMANTICS, TEXT, offsetof(struct node_semantics, url), 0 },
    { "current", SEMANTICS, TEXT, offsetof(struct node_semantics, current), 0 },
    { "test-id", SEMANTICS, TEXT, offsetof(struct node_semantics, test_id), 0 },
    { "covered", PLACEMENT, FLAG, offsetof(struct snapshot_placement, is_occluded), 0 },
    { "above", PLACEMENT, VALUE, offsetof(struct snapshot_placement, place), PLACE_ABOVE },
    { "below", PLACEMENT, VALUE, offsetof(struct snapshot_placement, place), PLACE_BELOW },
    { "box", PLACEMENT, BOX, offsetof(struct snapshot_placement, box), 0 },
};

/* Takes the letters up to one of `ends`, and moves behind them. */
static const char *take(struct test_page *page, const char **at, const char *ends)
{
    size_t length = strcspn(*at, ends);
    const char *text = arena_copy(page->strings, *at, length);
    *at += length;
    return text;
}

/* Takes a text in quotes, and moves behind it. */
static const char *take_quoted(struct test_page *page, const char **at)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *c = *at + 1;
    for (; *c && *c != '"'; c++) {
        bool is_escaped = *c == '\\';
        c += is_escaped;
        strbuf_add(&text, is_escaped && *c == 'n' ? "\n" : c, 1);
    }
    if (*c != '"') {
        fail_msg("a text without its end: %s", *at);
    }
    *at = c + 1;
    return arena_copy(page->strings, text.data, text.length);
}

static void set_word(struct test_page *page, int node, const char *name, const char *text)
{
    const struct word *word = words;
    while (word < words + sizeof(words) / sizeof(words[0]) && strcmp(word->name, name) != 0) {
        word++;
    }
    if (word == words + sizeof(words) / sizeof(words[0]) ||
        (text != NULL) != (word->kind >= NUMBER)) {
        fail_msg("no word for an element: %s", name);
    }
    void *owners[] = { [NODE] = &page->tree->nodes[node],
                       [LAYOUT] = test_page_layout(page, node),
                       [SEMANTICS] = test_page_semantics(page, node),
                       [PLACEMENT] = test_page_sight(page, node) };
    void *member = (char *)owners[word->owner] + word->offset;
    float *box = member; /* x, y, width, height */
    switch (word->kind) {
    case FLAG:
        *(bool *)member = true;
        break;
    case VALUE:
        *(int *)member = word->value;
        break;
    case NUMBER:
        *(int *)member = atoi(text);
        break;
    case BOX:
        assert_int_equal(sscanf(text, "%f,%f,%f,%f", box, box + 1, box + 2, box + 3), 4);
        break;
    case TEXT:
        *(const char **)member = text;
        break;
    }
}

/* Returns the node that the line describes. */
static int read_line(struct test_page *page, int parent, const char *at)
{
    int node = SNAPSHOT_NONE;
    if (*at == '"') {
        node = test_page_text(page, parent, take_quoted(page, &at));
    } else {
        const char *tag = take(page, &at, " ");
        const char *rest = at + (*at == ' ');
        enum snapshot_role role = snapshot_role_from_name(take(page, &rest, " :"));
        at = role == ROLE_UNKNOWN ? at : rest;
        bool is_inline = *at == ':';
        at += is_inline;
        const char *name = strncmp(at, " \"", 2) == 0 ? (at++, take_quoted(page, &at)) : NULL;
        role = role == ROLE_UNKNOWN ? ROLE_GENERIC : role;
        node = is_inline ? test_page_add_inline(page, parent, tag, role, name)
                         : test_page_add(page, parent, tag, role, name);
    }
    while (*at == ' ') {
        at++;
        const char *name = take(page, &at, " =");
        const char *text = NULL;
        if (*at == '=') {
            at++;
            text = *at == '"' ? take_quoted(page, &at) : take(page, &at, " ");
        }
        set_word(page, node, name, text);
    }
    assert_string_equal(at, "");
    return node;
}

void test_page_read(struct test_page *page, const char *lines)
{
    enum { MAX_DEPTH = 16 };
    int parents[MAX_DEPTH + 1] = { page->body };
    CLEANUP_FREE char *copy = xstrdup(lines);
    for (char *at = copy; at;) {
        const char *line = strsep(&at, "\n");
        size_t depth = strspn(line, " ") / 2;
        assert_in_range(depth, 0, MAX_DEPTH - 1);
        parents[depth + 1] = read_line(page, parents[depth], line + 2 * depth);
    }
}

struct outline *test_page_outline(struct test_page *page, const struct outline_options *options)
{
    struct br_error err;
    bool is_whole = snapshot_tree_finish(page->tree, &err);
    assert(is_whole);
    (void)is_whole;
    return outline_create(page->tree, &page->semantics, &page->visibility, options, page->ids);
}

int test_page_set_up(void **state)
{
    struct test_page *page = xcalloc(1, sizeof(*page));
    test_page_init(page);
    *state = page;
    return 0;
}

int test_page_tear_down(void **state)
{
    test_page_finish(*state);
    free(*state);
    return 0;
}
