/* What is written all at once. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_LEAF_H
#define RUNNER_SNAPSHOT_MARKDOWN_LEAF_H

#include "runner/snapshot/markdown/form.h"

/* False for other forms. */
bool markdown_leaf(struct markdown *markdown, int node, enum markdown_form form);

#endif
