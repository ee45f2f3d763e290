/* A page while it is written as Markdown. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_CONTEXT_H
#define RUNNER_SNAPSHOT_MARKDOWN_CONTEXT_H

#include "runner/snapshot/dom/selector.h"
#include "runner/snapshot/markdown/markdown.h"
#include "runner/snapshot/markdown/writer.h"
#include "runner/snapshot/outline/outline.h"

/* More columns of a table are not told apart. */
enum { MARKDOWN_MAX_COLUMNS = 100 };

struct markdown_table {
    int node; /* NONE: in no table, or in one that only lays out */
    int columns;
    int rows; /* so far */
    int column;
    int spans[MARKDOWN_MAX_COLUMNS]; /* of each column: rows that a cell above takes up yet */
};

/* What an element around has put away. */
struct markdown_saved {
    size_t length; /* of the text, or of what is in front of each line */
    int number;
};

struct markdown {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct outline_options *options;
    const struct markdown_options *how;
    struct selector_map *selectors;
    struct markdown_writer writer;
    struct markdown_saved *saved;
    size_t saved_count, saved_capacity;
    int number; /* of the next item of the list; 0: it is not numbered */
    struct markdown_table table;
};

#endif
