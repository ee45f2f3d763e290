/*
 * Facts from which roles, names and states are computed, found once for the whole tree: what is
 * rendered, which element an id or a label refers to, what is inherited from ancestors.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_FACTS_H
#define RUNNER_SNAPSHOT_SEMANTICS_FACTS_H

#include "runner/base/arena.h"
#include "runner/snapshot/dom/attributes.h"
#include "runner/snapshot/semantics/node_semantics.h"

/* Facts of a node; those from CLIPPED_AWAY to FOLDED also hold for its descendants. */
enum snapshot_fact {
    FACT_UNSEEN = 1 << 0,      /* not rendered, or visibility: hidden */
    FACT_UNRENDERED = 1 << 1,  /* no part of it has a box */
    FACT_HAS_CONTENT = 1 << 2, /* contains something rendered: text, a box */
    FACT_HAS_LEGEND = 1 << 3,  /* a fieldset with a legend */
    FACT_ROW_HEADER = 1 << 4,  /* a header cell next to data cells */
    FACT_HAS_PART = 1 << 5,    /* contains a meaningful part of SVG */

    FACT_CLIPPED_AWAY = 1 << 6, /* in a clipping box of size zero */
    FACT_ARIA_HIDDEN = 1 << 7,
    FACT_INERT = 1 << 8,
    FACT_LEFT_OUT = 1 << 9,
    FACT_EDITABLE = 1 << 10,
    FACT_FIELDSET_OFF = 1 << 11, /* in a disabled fieldset, but not in its legend */
    FACT_ARIA_OFF = 1 << 12,     /* in an aria-disabled element */
    FACT_IN_CANVAS = 1 << 13,    /* fallback content of a canvas, for assistive technology */
    FACT_IN_SECTION = 1 << 14,   /* in sectioning content, where a header is not a banner; main
                                    has its own fact */
    FACT_IN_MAIN = 1 << 15,
    FACT_IN_GRID = 1 << 16, /* but not in a table in the grid */
    FACT_IN_LIST = 1 << 17, /* in a <select>, whose options have no boxes of their own */
    FACT_IN_FORM = 1 << 18,
    FACT_FOLDED = 1 << 19,  /* in a closed <details>, or in content skipped by CSS */
    FACT_HAS_MAP = 1 << 20, /* a document with an image map whose areas are links */
};

struct snapshot_facts {
    const struct snapshot_tree *tree;
    struct snapshot_attributes attributes;
    struct node_semantics *semantics;
    struct arena *arena;
    uint32_t *flags;  /* for each node: bits of enum snapshot_fact */
    int *scopes;      /* for each node whose ids it can refer to: a document, or a shadow host */
    int *controls;    /* for each label: its control; NONE */
    int *first_label; /* for each control: its first label in document order; NONE */
    int *next_label;  /* for each label: the next one of the same control; NONE */
    struct snapshot_owned owned;
    int *ids; /* hash table of the nodes with an id */
    size_t id_mask;
};

/*
 * `semantics` has an entry for each node, and must outlive the facts. snapshot_facts_inherit()
 * computes flags and scopes, then snapshot_references_find() ids and labels.
 */
void snapshot_facts_init(struct snapshot_facts *facts, const struct snapshot_tree *tree,
                         struct node_semantics *semantics, struct arena *arena);
void snapshot_facts_finish(struct snapshot_facts *facts);

/* Returns count + 1 times SNAPSHOT_NONE. Caller frees. */
int *snapshot_new_indices(size_t count);

/* Returns the first child with that tag among the first thousand; NONE. */
int snapshot_facts_child(const struct snapshot_facts *facts, int node, enum snapshot_tag tag);

static inline bool snapshot_fact(const struct snapshot_facts *facts, int node, unsigned fact)
{
    return (facts->flags[node] & fact) != 0;
}

/* Returns whether data-no-ai hides the node from `reader`, which is not hidden itself. */
static inline bool snapshot_is_kept_from(const struct snapshot_facts *facts, int node, int reader)
{
    return snapshot_fact(facts, node, FACT_LEFT_OUT) &&
           !snapshot_fact(facts, reader, FACT_LEFT_OUT);
}

/* Compares an input's type, ignoring case; it is "text" if absent. */
bool snapshot_is_input(const struct snapshot_facts *facts, int node, const char *type);

/* Returns whether a <select> shows its options without being opened. */
bool snapshot_is_drawn_whole(const struct snapshot_facts *facts, int select);

/* Returns whether a <label> can refer to it. */
bool snapshot_is_labelable(const struct snapshot_facts *facts, int node);

/* The steps of semantics.c. */

/* Sets role, is_ignored and is_focusable of all nodes. */
void snapshot_roles_find(struct snapshot_facts *facts);

/* Computes the flags and scopes of all nodes. */
void snapshot_facts_inherit(struct snapshot_facts *facts);

/* Requires names and states. */
void snapshot_categories_find(struct snapshot_facts *facts);

/* Sets the states of a node, except level, value and is_private. */
void snapshot_state_find(struct snapshot_facts *facts, int node);

/* Sets the levels of headings, tree items and rows. */
void snapshot_levels_find(struct snapshot_facts *facts);

/* Names from HTML and SVG, without ARIA. */

/* Returns a name from attributes of HTML; NULL: none. Borrowed. */
const char *snapshot_native_name(const struct snapshot_facts *facts, int node);

/* Returns whether the author states that it has no name: alt="", or value="" on a button. */
bool snapshot_has_empty_name(const struct snapshot_facts *facts, int node);

/* Returns the element that names an element: legend, caption, <title> of SVG; NONE. */
int snapshot_naming_child(const struct snapshot_facts *facts, int node);

/* Returns the text that an empty text field shows; NULL: none. Borrowed. */
const char *snapshot_placeholder(const struct snapshot_facts *facts, int node);

/* <input> of type button, submit or reset. */
bool snapshot_is_text_button(const struct snapshot_facts *facts, int node);

/* Returns the part of a control's value that counts in the name of another element; NULL: none. */
const char *snapshot_value_in_name(const struct snapshot_facts *facts, int node);

/* Return whether a node is named by its content; whether its content counts in other names. */
bool snapshot_is_named_by_content(const struct snapshot_facts *facts, int node);
bool snapshot_gives_content(const struct snapshot_facts *facts, int node);

#endif
