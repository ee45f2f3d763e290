#include "snapshot_page.h"

#include "runner/base/memory.h"

#include <assert.h>

enum { BOX_WIDTH = 100, BOX_HEIGHT = 20 };

void test_page_init(struct test_page *page)
{
    *page = (struct test_page){
        .tree = snapshot_tree_create(1280, 800),
        .semantics.nodes = xcalloc(TEST_PAGE_NODES, sizeof(struct node_semantics)),
        .visibility.placements = xcalloc(TEST_PAGE_NODES, sizeof(struct snapshot_placement)),
        .ids = snapshot_ids_create(),
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
