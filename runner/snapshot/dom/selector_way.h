/* The parts that selectors are made of; for selector.c only. */
#ifndef RUNNER_SNAPSHOT_DOM_SELECTOR_WAY_H
#define RUNNER_SNAPSHOT_DOM_SELECTOR_WAY_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

/* What may find an element by itself, the best first. */
enum selector_way { WAY_ID, WAY_TEST_ID, WAY_NAME, WAY_NAME_AND_VALUE, WAY_LABEL, WAYS };

/* False, maybe with a part added, when the element has nothing of that. */
bool selector_add_way(const struct snapshot_tree *tree, int node, enum selector_way way,
                      struct strbuf *text);

/* The name of an element, as selectors have it. */
void selector_add_tag(const struct snapshot_tree *tree, int node, struct strbuf *text);

/* In quotes. */
void selector_add_string(struct strbuf *text, const char *value);

#endif
