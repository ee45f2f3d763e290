/*
 * What roles, names and states are computed from, found once for the whole tree: what is rendered,
 * which element an id or a label refers to, what an element inherits from its ancestors.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_FACTS_H
#define RUNNER_SNAPSHOT_SEMANTICS_FACTS_H

#include "runner/base/arena.h"
#include "runner/snapshot/dom/attributes.h"
#include "runner/snapshot/semantics/node_semantics.h"

/* Of a node; those from CLIPPED_AWAY to FOLDED hold for what is below it, too. */
enum snapshot_fact {
    FACT_UNSEEN = 1 << 0,      /* not rendered, or visibility: hidden */
    FACT_UNRENDERED = 1 << 1,  /* nothing of it has a box */
    FACT_HAS_CONTENT = 1 << 2, /* something in it is rendered: text, a box */
    FACT_HAS_LEGEND = 1 << 3,  /* a fieldset with one */
    FACT_ROW_HEADER = 1 << 4,  /* a header cell whose neighbours are data */
    FACT_HAS_PART = 1 << 5,    /* a part of SVG in it means something */

    FACT_CLIPPED_AWAY = 1 << 6, /* in a box without a size that clips */
    FACT_ARIA_HIDDEN = 1 << 7,
    FACT_INERT = 1 << 8,
    FACT_LEFT_OUT = 1 << 9,
    FACT_EDITABLE = 1 << 10,
    FACT_FIELDSET_OFF = 1 << 11, /* in a disabled fieldset, and not in its legend */
    FACT_ARIA_OFF = 1 << 12,     /* in something that is aria-disabled */
    FACT_IN_CANVAS = 1 << 13,    /* what a canvas has for those who cannot see it */
    FACT_IN_SECTION = 1 << 14,   /* of what makes a header no banner; main is told apart */
    FACT_IN_MAIN = 1 << 15,
    FACT_IN_GRID = 1 << 16, /* not in a table in the grid */
    FACT_IN_LIST = 1 << 17, /* of a <select>, whose options have no boxes of their own */
    FACT_IN_FORM = 1 << 18,
    FACT_FOLDED = 1 << 19,  /* in <details> that are closed, or content that CSS skips */
    FACT_HAS_MAP = 1 << 20, /* a document with a picture whose areas are links */
};

struct snapshot_facts {
    const struct snapshot_tree *tree;
    struct snapshot_attributes attributes;
    struct node_semantics *semantics;
    struct arena *arena;
    uint32_t *flags;  /* of each node: enum snapshot_fact */
    int *scopes;      /* whose ids it sees: a document, or the host of a shadow root */
    int *controls;    /* of each label: what it labels; NONE */
    int *first_label; /* of each control, in document order; NONE */
    int *next_label;  /* of each label: the next one of the same control; NONE */
    struct snapshot_owned owned;
    int *ids; /* hash table of the nodes with an id */
    size_t id_mask;
};

/* `semantics` is of each node, and outlives the facts. Flags and scopes are
 * found by snapshot_facts_inherit(), then ids and labels by snapshot_references_find(). */
void snapshot_facts_init(struct snapshot_facts *facts, const struct snapshot_tree *tree,
                         struct node_semantics *semantics, struct arena *arena);
void snapshot_facts_finish(struct snapshot_facts *facts);

/* count + 1 times SNAPSHOT_NONE. Caller frees. */
int *snapshot_new_indices(size_t count);

/* The first child with that tag, of the first thousand; NONE. */
int snapshot_facts_child(const struct snapshot_facts *facts, int node, enum snapshot_tag tag);

static inline bool snapshot_fact(const struct snapshot_facts *facts, int node, unsigned fact)
{
    return (facts->flags[node] & fact) != 0;
}

/* Whether data-no-ai keeps the node from those who read of `reader`, which it does not keep. */
static inline bool snapshot_is_kept_from(const struct snapshot_facts *facts, int node, int reader)
{
    return snapshot_fact(facts, node, FACT_LEFT_OUT) &&
           !snapshot_fact(facts, reader, FACT_LEFT_OUT);
}

/* An input's type in any case; "text" where it has none. */
bool snapshot_is_input(const struct snapshot_facts *facts, int node, const char *type);

/* Whether a <select> shows its options without being opened. */
bool snapshot_is_drawn_whole(const struct snapshot_facts *facts, int select);

/* Something that a <label> can label. */
bool snapshot_is_labelable(const struct snapshot_facts *facts, int node);

#endif
