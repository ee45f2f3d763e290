/* CSS selectors that find elements of a page again. */
#ifndef RUNNER_SNAPSHOT_DOM_SELECTOR_H
#define RUNNER_SNAPSHOT_DOM_SELECTOR_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

struct selector_map;

/* Takes linear time. The tree must outlive it. Never NULL. */
struct selector_map *selector_map_create(const struct snapshot_tree *tree);
void selector_map_destroy(struct selector_map *map);

/*
 * Adds a selector that matches only this element when searched in its document and all open shadow
 * roots, as actions do: by id, test id, name or label, otherwise by path. It contains no `<`, `|`
 * or line break, and no `>` after a hyphen. Returns false and adds nothing if there is none: in
 * closed shadow roots and in the browser's own controls.
 */
bool selector_add(const struct selector_map *map, int node, struct strbuf *text);

#endif
