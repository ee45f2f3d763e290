/* The replies of DOMSnapshot.captureSnapshot, which a tree is made of. */
#ifndef RUNNER_SNAPSHOT_DOM_DECODE_H
#define RUNNER_SNAPSHOT_DOM_DECODE_H

#include "runner/snapshot/dom/tree.h"

/*
 * Adds the documents of one process: the `result` of DOMSnapshot.captureSnapshot. Takes
 * ownership of text, which has a NUL behind its length and is written to. *ret_part is what the
 * documents know it by. UNKNOWN_ERROR for what is no such reply, LIMIT_EXCEEDED; the tree is as it
 * was then, but for the memory.
 */
bool snapshot_tree_add(struct snapshot_tree *tree, char *text, size_t length, int *ret_part,
                       struct br_error *err);

#endif
