/* A name under construction: pieces with collapsed whitespace, and the separation of words. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NAME_TEXT_H
#define RUNNER_SNAPSHOT_SEMANTICS_NAME_TEXT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

struct name_text {
    struct strbuf whole; /* cut at its maximum */
    struct strbuf piece; /* scratch */
    size_t left;         /* bytes of pieces that may still be examined */
    bool needs_space;    /* the next text does not continue a word */
};

/* Returns whether the box separates words. */
static inline bool name_text_is_apart(const struct snapshot_layout *layout)
{
    return !layout || layout->display != DISPLAY_INLINE;
}

/* Adds a separate text, such as an attribute; NULL adds nothing. */
void name_text_add_apart(struct name_text *text, const char *piece);

/* Adds a text node: as rendered, or as in the DOM if it is not rendered. */
void name_text_add_node(struct name_text *text, const struct snapshot_tree *tree, int node);

/* Adds the content of ::before or ::after, or its alternative text in CSS. */
void name_text_add_pseudo(struct name_text *text, const struct snapshot_tree *tree, int node);

#endif
