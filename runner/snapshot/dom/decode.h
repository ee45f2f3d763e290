/* What decode.c and tree.c share. */
#ifndef RUNNER_SNAPSHOT_DOM_DECODE_H
#define RUNNER_SNAPSHOT_DOM_DECODE_H

#include "runner/snapshot/dom/tree.h"

/* The reply of one process. */
struct snapshot_part {
    char *text; /* owned: what the strings of its nodes point into */
    int first_node, end_node;
    int first_document, end_document;
};

/* False when the document hangs somewhere already, or the element is inside of it. */
bool snapshot_tree_hang_document(struct snapshot_tree *tree, int document, int owner);

#endif
