/* Pages for tests with what their nodes mean and where they are seen, as a test wants them. */
#ifndef TESTS_UNIT_SNAPSHOT_PAGE_H
#define TESTS_UNIT_SNAPSHOT_PAGE_H

#include "runner/snapshot/outline/create.h"
#include "snapshot_builder.h"

/* At most so many nodes. */
enum { TEST_PAGE_NODES = 120000 };

struct test_page {
    struct snapshot_tree *tree;
    struct snapshot_semantics semantics;
    struct snapshot_visibility visibility;
    struct snapshot_ids *ids;
    int body;
};

/* "Shop" at http://shop.example/, 1280x800, with a body and nothing in it. */
void test_page_init(struct test_page *page);
void test_page_finish(struct test_page *page);

/* Around each test of cmocka's: its state is such a page. */
int test_page_set_up(void **state);
int test_page_tear_down(void **state);

/* An element in view, a block; without a name where that is NULL, otherwise with one of its
 * attributes. ROLE_GENERIC is layout alone. */
int test_page_add(struct test_page *page, int parent, const char *tag, enum snapshot_role role,
                  const char *name);

/* An element in the flow of the text around it, which is its name. */
int test_page_add_inline(struct test_page *page, int parent, const char *tag,
                         enum snapshot_role role, const char *text);

int test_page_text(struct test_page *page, int parent, const char *text);

static inline struct node_semantics *test_page_semantics(struct test_page *page, int node)
{
    return &page->semantics.nodes[node];
}

static inline struct snapshot_placement *test_page_sight(struct test_page *page, int node)
{
    return &page->visibility.placements[node];
}

static inline struct snapshot_layout *test_page_layout(struct test_page *page, int node)
{
    return &page->tree->layouts[page->tree->nodes[node].layout];
}

/* Ends the tree and makes its outline. */
struct outline *test_page_outline(struct test_page *page, const struct outline_options *options);

#endif
