/* Writes a page as Markdown. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H
#define RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/semantics/semantics.h"

/* How controls are written and annotated. */
enum markdown_style {
    MARKDOWN_ROLES, /* `[email: Name = value]<!--input:SELECTOR-->`: by role, with states */
    MARKDOWN_TYPES, /* `[email: value]<!--email:SELECTOR-->`: by HTML type, as BROP does; labels
                       are annotated, too */
    MARKDOWN_BARE,  /* as MARKDOWN_TYPES, but with `<!--SELECTOR-->` */
};

struct markdown_options {
    enum markdown_style style;
    int text_length;         /* limit of characters of a text; 0: none */
    bool has_no_annotations; /* omit selectors and markers */
    const bool *is_dropped;  /* for each node of the tree: omit it with its children; or NULL */
};

/*
 * Writes the readable content; links, controls and forms are annotated with a selector that finds
 * them: `<!--button:#id-->`, `<!-- form-start: #id -->`. Works on the tree, not on an outline.
 */
void print_markdown(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct outline_options *options, const struct markdown_options *how,
                    struct strbuf *text);

/*
 * Writes the content as plain text: one line per block, an empty line between paragraphs, tabs
 * between the cells of a row. Omits values of fields, pictures and data-no-ai.
 */
void print_plain(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                 const struct outline_options *options, struct strbuf *text);

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
