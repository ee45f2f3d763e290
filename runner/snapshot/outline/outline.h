/*
 * What is shown of a page: the second pass. Structural nodes give their place to their children,
 * text is joined and stands once, names that repeat the content are dropped.
 */
#ifndef RUNNER_SNAPSHOT_OUTLINE_OUTLINE_H
#define RUNNER_SNAPSHOT_OUTLINE_OUTLINE_H

#include "runner/snapshot/semantics/semantics.h"
#include "runner/snapshot/semantics/visibility.h"

struct outline_options {
    int root;            /* a node; NONE: the page */
    bool is_interactive; /* only what a person operates, and the regions and headings around it */
    bool is_in_viewport; /* only what is in the viewport */
    bool is_all;         /* each element of the first pass, nothing is hoisted */
    bool keeps_left_out; /* shows what data-no-ai is on */
    bool has_all_ids;    /* each node that is no text gets one; otherwise what is operable or takes
                            the focus, regions, frames, pictures, and what scrolls */
    int depth;           /* of what is shown, from 1; 0: any */
    const char *find_text; /* only what says this, in any case, and its ancestors; NULL: all */
    enum snapshot_role find_role; /* only these, and their ancestors; UNKNOWN: all */
};

/* Indexes into outline.items; NONE: -1. */
struct outline_item {
    int node;   /* of the tree; of text: the first of its nodes that is in view, else the first */
    int parent; /* item; -1 of the topmost */
    int first_child, next, last_child;
    uint32_t id; /* 0: none */
    /* Joined, whitespace collapsed, transformed as it is rendered; NULL: no text. An element has it
     * where a single text is all that is in it. */
    const char *text;
    bool is_operable; /* something to click, choose from or type into, also when it is no role */
    bool is_name_repeated; /* the children say what the name says: it need not be printed */
    bool is_match;         /* of find_text and find_role; its descendants are shown, too */
    bool is_continued;  /* on a line with its previous sibling: no block begins or ends between */
    bool is_left_out;   /* data-no-ai is on it: nothing else is known of it */
    bool is_cut;        /* it has children that options.depth does not show */
    bool is_scrollable; /* there is more in it than is to be seen at once */
    bool scrolls_down;  /* there is more above or below */
};

struct outline {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct snapshot_visibility *visibility;
    struct outline_item *items; /* parents before their children, in document order */
    int count;
    size_t capacity;
    int left_out; /* subtrees that data-no-ai is on */
    bool is_all;  /* as it was asked for */
    struct arena *arena;
};

void outline_destroy(struct outline *outline);

static inline const struct node_semantics *outline_semantics(const struct outline *outline,
                                                             int item)
{
    return &outline->semantics->nodes[outline->items[item].node];
}

static inline const struct snapshot_node *outline_node(const struct outline *outline, int item)
{
    return &outline->tree->nodes[outline->items[item].node];
}

/* The item is text of the page, not an element. */
static inline bool outline_is_text(const struct outline *outline, int item)
{
    enum snapshot_kind kind = outline_node(outline, item)->kind;
    return kind == SNAPSHOT_TEXT || kind == SNAPSHOT_PSEUDO;
}

#endif
