/* A text alternative under construction, and the limits for all texts of a page. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NAMING_H
#define RUNNER_SNAPSHOT_SEMANTICS_NAMING_H

#include "runner/snapshot/semantics/facts.h"
#include "runner/snapshot/semantics/name_text.h"

enum { SNAPSHOT_NAME_LIMIT = 10000 /* bytes */ };

struct snapshot_naming {
    struct snapshot_facts *facts;
    struct name_text text;
    uint32_t *rounds; /* for each node: the last text that visited it */
    uint32_t round;
    int nodes;        /* in this text, with content */
    int steps;        /* left for this text; -1: they did not suffice */
    size_t total;     /* bytes of all texts */
    size_t work;      /* steps of all texts */
    bool is_left_out; /* the named element itself is in data-no-ai: its content may be used */
    bool is_inert;    /* the same for inert */
    bool is_value;    /* the text is a value: parts that operate the widget, or options, do not
                         belong to it */
};

/* An element that contributes to a text. */
struct naming_element {
    int node;
    bool is_root;       /* the element that is named; others are parts of it */
    bool is_referenced; /* reached by aria-labelledby: further references are not followed */
    bool shows_hidden;  /* a hidden element was referenced: all its content counts */
    bool is_known;      /* visited before in this text: its value was not used */
    bool stands_alone;  /* a box that separates words */
};

/* Requires roles; names also require the values. The facts must outlive it. Never NULL. */
struct snapshot_naming *snapshot_naming_create(struct snapshot_facts *facts);
void snapshot_naming_destroy(struct snapshot_naming *naming);

/* Discards the text. */
void naming_clear(struct snapshot_naming *naming);

/* Begins the text of an element, the root. */
struct naming_element naming_begin(struct snapshot_naming *naming, int node);

/* Returns the text; NULL: none. Borrowed from the arena. */
const char *naming_finish(struct snapshot_naming *naming);

/* Counts a step; false when the limit is reached: the caller must then return. */
bool naming_take_step(struct snapshot_naming *naming);

/* Begins to collect text from a node. */
struct naming_element naming_meet(struct snapshot_naming *naming, int node);

/* Separates the next text from the previous word. */
void naming_set_apart(struct snapshot_naming *naming, bool is_apart);

#endif
