/* Decodes the replies of DOMSnapshot.captureSnapshot into a tree. */
#ifndef RUNNER_SNAPSHOT_DOM_DECODE_H
#define RUNNER_SNAPSHOT_DOM_DECODE_H

#include "runner/snapshot/dom/tree.h"

/*
 * Adds the documents of one process from the `result` of DOMSnapshot.captureSnapshot. Takes
 * ownership of text, which must have a NUL behind its length; it is modified. *ret_part identifies
 * the process's documents. Fails with UNKNOWN_ERROR for anything else than such a reply, or with
 * LIMIT_EXCEEDED; the tree then keeps its contents, though it may have used more memory.
 */
bool snapshot_tree_add(struct snapshot_tree *tree, char *text, size_t length, int *ret_part,
                       struct br_error *err);

#endif
