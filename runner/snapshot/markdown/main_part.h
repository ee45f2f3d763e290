/* Finds the main part of a page: docs/reading.md has the rule. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_MAIN_PART_H
#define RUNNER_SNAPSHOT_MARKDOWN_MAIN_PART_H

#include "runner/snapshot/semantics/semantics.h"

struct main_part {
    int root;           /* a node; NONE: the page is empty */
    const char *reason; /* how it was chosen: "main", "article", "text", "page"; static */
    bool *is_dropped;   /* for each node: omitted because it is navigation or similar; owned */
};

/* Searches within `root`; NONE: within the page. */
struct main_part main_part_find(const struct snapshot_tree *tree,
                                const struct snapshot_semantics *semantics, int root);
void main_part_finish(struct main_part *part);

#endif
