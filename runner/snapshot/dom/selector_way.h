/* The parts of selectors; for selector.c only. */
#ifndef RUNNER_SNAPSHOT_DOM_SELECTOR_WAY_H
#define RUNNER_SNAPSHOT_DOM_SELECTOR_WAY_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

/* What may identify an element by itself, the best first. */
enum selector_way { WAY_ID, WAY_TEST_ID, WAY_NAME, WAY_NAME_AND_VALUE, WAY_LABEL, WAYS };

/* Returns false, perhaps with a part added, when the element has no such property. */
bool selector_add_way(const struct snapshot_tree *tree, int node, enum selector_way way,
                      struct strbuf *text);

/* Adds the element's tag name for a selector. */
void selector_add_tag(const struct snapshot_tree *tree, int node, struct strbuf *text);

/* Adds the value in quotes. */
void selector_add_string(struct strbuf *text, const char *value);

#endif
