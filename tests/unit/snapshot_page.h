/* A page made by hand: the nodes, what they mean and where they are seen, as a test wants them. */
#ifndef TESTS_UNIT_SNAPSHOT_PAGE_H
#define TESTS_UNIT_SNAPSHOT_PAGE_H

#include "runner/snapshot/outline.h"

/* All arrays are owned; nodes are added below those that are there already. */
struct page {
    struct snapshot_tree *tree; /* node 0 is the document, 1 is body */
    struct snapshot_semantics semantics;
    struct snapshot_visibility visibility;
    struct snapshot_ids *ids;
    size_t meaning_capacity, sight_capacity;
};

enum { PAGE_BODY = 1 };

void page_init(struct page *page);
void page_finish(struct page *page);

/* An element of such a name and role, a block in view; ROLE_GENERIC is of no interest. */
int page_add(struct page *page, int parent, const char *name, enum snapshot_role role);

/* The same with an accessible name; a control without a text in it has it from an attribute. */
int page_add_named(struct page *page, int parent, const char *name, enum snapshot_role role,
                   const char *accessible_name);

/* A control with its name in it as a text. */
int page_add_control(struct page *page, int parent, const char *name, enum snapshot_role role,
                     const char *text);

int page_add_text(struct page *page, int parent, const char *text);

/* Of an element that was added last, and of any. */
struct snapshot_meaning *page_meaning(struct page *page, int node);
struct snapshot_sight *page_sight(struct page *page, int node);
struct snapshot_layout *page_layout(struct page *page, int node);

/* Ends the tree and makes its outline. */
struct outline *page_outline(struct page *page, const struct outline_options *options);

#endif
