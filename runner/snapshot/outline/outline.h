/*
 * What is shown of a page: the second pass. Structural nodes are replaced by their children,
 * adjacent texts are joined, and names that repeat the content are dropped.
 */
#ifndef RUNNER_SNAPSHOT_OUTLINE_OUTLINE_H
#define RUNNER_SNAPSHOT_OUTLINE_OUTLINE_H

#include "runner/snapshot/semantics/semantics.h"
#include "runner/snapshot/semantics/visibility.h"

struct outline_options {
    int root;              /* a node; NONE: the page */
    bool is_interactive;   /* only controls, and the regions and headings around them */
    bool is_in_viewport;   /* only what is in the viewport */
    bool is_all;           /* every element of the first pass; nothing is dissolved */
    bool keeps_left_out;   /* shows elements with data-no-ai */
    bool has_all_ids;      /* every element gets an id; otherwise controls, focusable elements,
                              regions, frames, pictures and scrollable elements */
    int depth;             /* levels to show, from 1; 0: all */
    const char *find_text; /* only items with this text, ignoring case, and their ancestors;
                              NULL: all */
    enum snapshot_role find_role; /* only this role and its ancestors; UNKNOWN: all */
};

/* Indexes into outline.items; NONE: -1. */
struct outline_item {
    int node;   /* of the tree; for text: its first node in view, or else the first */
    int parent; /* item; -1 at the top */
    int first_child, next, last_child;
    uint32_t id; /* 0: none */
    /*
     * Joined, whitespace collapsed, as transformed by CSS; NULL: no text. Set for an element if a
     * single text is all its content.
     */
    const char *text;
    bool is_operable;      /* can be clicked, chosen or typed into, even without such a role */
    bool is_name_repeated; /* the children repeat the name, which need not be printed */
    bool is_match;         /* matches find_text and find_role; its descendants are shown, too */
    bool is_continued;     /* continues the line of its previous sibling: no block boundary between
                              them */
    bool is_left_out;      /* has data-no-ai: only its existence is shown */
    bool is_cut;           /* has children below options.depth */
    bool is_scrollable;    /* has more content than is visible at once */
    bool scrolls_down;     /* vertically */
};

struct outline {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct snapshot_visibility *visibility;
    struct outline_item *items; /* parents before children, in document order */
    int count;
    size_t capacity;
    int left_out; /* number of subtrees with data-no-ai */
    bool is_all;  /* as requested */
    struct arena *arena;
};

struct snapshot_ids;

/*
 * Creates the outline of a page. All arguments are borrowed and must outlive the outline; `ids`
 * supplies the ids. Never NULL.
 */
struct outline *outline_create(const struct snapshot_tree *tree,
                               const struct snapshot_semantics *semantics,
                               const struct snapshot_visibility *visibility,
                               const struct outline_options *options, struct snapshot_ids *ids);
void outline_destroy(struct outline *outline);

/* Maps each node of the tree to its item; NONE: no item. Caller frees. */
int *outline_index_nodes(const struct outline *outline);

static inline const struct node_semantics *outline_semantics(const struct outline *outline,
                                                             int item)
{
    return &outline->semantics->nodes[outline->items[item].node];
}

static inline const struct snapshot_node *outline_node(const struct outline *outline, int item)
{
    return &outline->tree->nodes[outline->items[item].node];
}

/* Returns whether the item is text of the page, not an element. */
static inline bool outline_is_text(const struct outline *outline, int item)
{
    enum snapshot_kind kind = outline_node(outline, item)->kind;
    return kind == SNAPSHOT_TEXT || kind == SNAPSHOT_PSEUDO;
}

#endif
