/* A page as Markdown. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H
#define RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

/* How controls are written and annotated. */
enum markdown_style {
    MARKDOWN_ROLES, /* `[email: Name = value]<!--input:SELECTOR-->`, by roles, with states */
    MARKDOWN_TYPES, /* `[email: value]<!--email:SELECTOR-->`, by HTML's types, as BROP has it;
                       labels are annotated, too */
    MARKDOWN_BARE,  /* the same, `<!--SELECTOR-->` */
};

struct markdown_options {
    enum markdown_style style;
    int text_length;         /* characters of a text; 0: any */
    bool has_no_annotations; /* neither selectors nor markers */
    const bool *is_dropped; /* of each node of the tree: it and what is in it is omitted; or NULL */
};

/*
 * What there is to read, with links, controls and forms annotated by a selector that
 * finds them: `<!--button:#id-->`, `<!-- form-start: #id -->`. From the tree itself, not an
 * outline.
 */
void print_markdown(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct outline_options *options, const struct markdown_options *how,
                    struct strbuf *text);

/*
 * The same as text alone: a line a block, an empty line between paragraphs, tabs between the cells
 * of a row. What fields hold, pictures and what data-no-ai is on are not in it.
 */
void print_plain(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                 const struct outline_options *options, struct strbuf *text);

#endif
