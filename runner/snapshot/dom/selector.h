/* CSS selectors by which elements of a page are found again. */
#ifndef RUNNER_SNAPSHOT_DOM_SELECTOR_H
#define RUNNER_SNAPSHOT_DOM_SELECTOR_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

struct selector_map;

/* Linear. The tree outlives it. Never NULL. */
struct selector_map *selector_map_create(const struct snapshot_tree *tree);
void selector_map_destroy(struct selector_map *map);

/*
 * Adds a selector that finds the element, and no other one of its document, when it is looked for
 * in the document and in each open shadow root, as the actions do: its id, test id, name or label,
 * or else its path. It holds no `<`, `|` or line break, and no `>` behind a hyphen. False, with
 * nothing added, when there is none: in closed shadow roots and in the browser's own controls.
 */
bool selector_add(const struct selector_map *map, int node, struct strbuf *text);

#endif
