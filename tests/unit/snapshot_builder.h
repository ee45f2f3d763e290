/* Pages for tests, node by node, as if they had been decoded. */
#ifndef TESTS_UNIT_SNAPSHOT_BUILDER_H
#define TESTS_UNIT_SNAPSHOT_BUILDER_H

#include "runner/base/arena.h"
#include "runner/snapshot/dom/decode.h"

/* A document below the element of its frame; the page's own with NONE. Returns its root. */
int build_document(struct snapshot_tree *tree, int owner);

/* Their strings are borrowed. Attributes follow their element at once. */
int build_element(struct snapshot_tree *tree, int parent, const char *tag);
void build_attribute(struct snapshot_tree *tree, const char *name, const char *value);
int build_text(struct snapshot_tree *tree, int parent, const char *text);

/* Gives the node a row of the layout, display: block or as text; borrowed until the next one. */
struct snapshot_layout *build_box(struct snapshot_tree *tree, int node, float x, float y,
                                  float width, float height);

/* To the row of the layout that was built last. */
void build_line(struct snapshot_tree *tree, float x, float y, float width, float height);

/*
 * Elements and text from markup that is well-formed, without entities and comments; each gets a row
 * of the layout, of 100 by 20 at 0,0. Blocks are told from what stands in lines by their names.
 */
void build_markup(struct snapshot_tree *tree, struct arena *arena, int parent, const char *markup);

#endif
