/* Pages for tests with arbitrary semantics and visibility. */
#ifndef TESTS_UNIT_SNAPSHOT_PAGE_H
#define TESTS_UNIT_SNAPSHOT_PAGE_H

#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/outline/outline.h"
#include "snapshot_builder.h"

/* Limit of nodes. */
enum { TEST_PAGE_NODES = 120000 };

struct test_page {
    struct snapshot_tree *tree;
    struct snapshot_semantics semantics;
    struct snapshot_visibility visibility;
    struct snapshot_ids *ids;
    struct arena *strings; /* those of test_page_read() */
    int body;
};

/* Makes the page "Shop" at http://shop.example/, 1280x800, with an empty body. */
void test_page_init(struct test_page *page);
void test_page_finish(struct test_page *page);

/* cmocka fixtures: the state is such a page. */
int test_page_set_up(void **state);
int test_page_tear_down(void **state);

/*
 * Adds a visible block element, with a name from one of its attributes; NULL: without a name.
 * ROLE_GENERIC is only layout.
 */
int test_page_add(struct test_page *page, int parent, const char *tag, enum snapshot_role role,
                  const char *name);

/* Adds an element in the flow of the surrounding text; its text is its name. */
int test_page_add_inline(struct test_page *page, int parent, const char *tag,
                         enum snapshot_role role, const char *text);

int test_page_text(struct test_page *page, int parent, const char *text);

/*
 * Adds what the lines describe; an indentation of two more spaces means inside the line before:
 *
 *     MAIN main                     an element with its role, by default generic
 *     BUTTON button "Buy" below     with a name, and words for what is unusual (snapshot_page.c)
 *     A link: "Help" url="/help"    an element in the flow of the text, which is its name
 *     "Thank you."                  a text
 *
 * \", \\ and \n are escapes in a text.
 */
void test_page_read(struct test_page *page, const char *lines);

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

/* Completes the tree and makes its outline. */
struct outline *test_page_outline(struct test_page *page, const struct outline_options *options);

#endif
