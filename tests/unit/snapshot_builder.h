/* Builds pages for tests, node by node, as if decoded. */
#ifndef TESTS_UNIT_SNAPSHOT_BUILDER_H
#define TESTS_UNIT_SNAPSHOT_BUILDER_H

#include "runner/base/arena.h"
#include "runner/snapshot/dom/decode.h"

/* Adds a document below its frame's element; with NONE the page's own. Returns its root. */
int build_document(struct snapshot_tree *tree, int owner);

/* Strings are borrowed. Add attributes directly after their element. */
int build_element(struct snapshot_tree *tree, int parent, const char *tag);
void build_attribute(struct snapshot_tree *tree, const char *name, const char *value);
int build_text(struct snapshot_tree *tree, int parent, const char *text);

/* Gives the node a row of the layout, as a block or as text; borrowed until the next one. */
struct snapshot_layout *build_box(struct snapshot_tree *tree, int node, float x, float y,
                                  float width, float height);

/* Adds a line to the row built last. */
void build_line(struct snapshot_tree *tree, float x, float y, float width, float height);

/*
 * Adds elements and text from well-formed markup without entities and comments; each gets a row of
 * the layout, of 100 by 20 at 0,0. Blocks and inline elements are distinguished by tag.
 */
void build_markup(struct snapshot_tree *tree, struct arena *arena, int parent, const char *markup);

#endif
