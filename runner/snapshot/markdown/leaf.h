/* Writes nodes whose children need no visit. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_LEAF_H
#define RUNNER_SNAPSHOT_MARKDOWN_LEAF_H

#include "runner/snapshot/markdown/form.h"

/* Returns false for other forms. */
bool markdown_leaf(struct markdown *markdown, int node, enum markdown_form form);

#endif
