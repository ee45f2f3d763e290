/* A page as Markdown. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H
#define RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

/*
 * What there is to read, with links, controls and forms annotated by a selector that
 * finds them: `<!--button:#id-->`, `<!-- form-start: #id -->`. From the tree itself, not an
 * outline.
 */
void print_markdown(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct outline_options *options, int text_length, struct strbuf *text);

#endif
