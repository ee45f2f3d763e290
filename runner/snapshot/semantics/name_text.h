/* A name while it is put together: pieces with their whitespace collapsed, and what keeps words
 * apart. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NAME_TEXT_H
#define RUNNER_SNAPSHOT_SEMANTICS_NAME_TEXT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

struct name_text {
    struct strbuf whole; /* what does not fit below its max is cut off */
    struct strbuf piece; /* scratch */
    size_t left;         /* bytes of pieces that may be looked at yet */
    bool needs_space;    /* what comes next is no continuation of a word */
};

/* A box that words do not run through. */
static inline bool name_text_is_apart(const struct snapshot_layout *layout)
{
    return !layout || layout->display != DISPLAY_INLINE;
}

/* A text that is a unit of its own, such as an attribute; NULL is nothing. */
void name_text_add_apart(struct name_text *text, const char *piece);

/* A text node: as it is rendered, or as the DOM has it where it is not. */
void name_text_add_node(struct name_text *text, const struct snapshot_tree *tree, int node);

/* What ::before and ::after show, or the text that CSS has for those who do not see it. */
void name_text_add_pseudo(struct name_text *text, const struct snapshot_tree *tree, int node);

#endif
