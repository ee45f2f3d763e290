/* A text while it is put together, and what all texts of a page may take together. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NAMING_H
#define RUNNER_SNAPSHOT_SEMANTICS_NAMING_H

#include "runner/snapshot/semantics/facts.h"
#include "runner/snapshot/semantics/name_text.h"

enum { SNAPSHOT_NAME_LIMIT = 10000 /* bytes */ };

struct snapshot_naming {
    struct snapshot_facts *facts;
    struct name_text text;
    uint32_t *rounds; /* of each node: the text that it was met in last */
    uint32_t round;
    int nodes;        /* of this text, that say something */
    int steps;        /* that are left for this text; -1: they did not suffice */
    size_t total;     /* bytes of all texts */
    size_t work;      /* steps of all texts */
    bool is_left_out; /* the named one itself is: what is in it may be said */
    bool is_inert;    /* likewise */
    bool is_value;    /* the text is a value: what operates it, or is chosen from, is no part */
};

/* An element that text is taken from. */
struct naming_element {
    int node;
    bool is_root;       /* the one that the text is for; others are parts of it */
    bool is_referenced; /* by aria-labelledby, or in something that is: no more references */
    bool shows_hidden;  /* the reference is to something hidden, of which all counts */
    bool is_known;      /* met before in this text: its value was not asked for */
    bool stands_alone;  /* a box that words do not run through */
};

/* After the roles are known, for names the values, too. The facts outlive it. Never NULL. */
struct snapshot_naming *snapshot_naming_create(struct snapshot_facts *facts);
void snapshot_naming_destroy(struct snapshot_naming *naming);

/* Forgets the text that was put together. */
void naming_clear(struct snapshot_naming *naming);

/* The same, and begins the text of an element: its root. */
struct naming_element naming_begin(struct snapshot_naming *naming, int node);

/* The text; NULL: there is none. Borrowed from the arena. */
const char *naming_finish(struct snapshot_naming *naming);

/* False when there are no more: whoever is told so returns. */
bool naming_take_step(struct snapshot_naming *naming);

/* A node that text is taken from now. */
struct naming_element naming_meet(struct snapshot_naming *naming, int node);

/* What comes next is no continuation of a word. */
void naming_set_apart(struct snapshot_naming *naming, bool is_apart);

#endif
