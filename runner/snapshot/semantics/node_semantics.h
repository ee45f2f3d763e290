/* What one node of a page is: its role, accessible name, states and value. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NODE_SEMANTICS_H
#define RUNNER_SNAPSHOT_SEMANTICS_NODE_SEMANTICS_H

#include "runner/snapshot/semantics/role.h"

#include <stdbool.h>

/* CSS pixels of the sides of a picture that is no icon: it is worth a line although it has no name.
 */
enum { SNAPSHOT_MIN_PICTURE = 48 };

/* How a node came to be of interest. */
enum snapshot_category {
    CATEGORY_STRUCTURAL,  /* layout alone: its children stand in its place */
    CATEGORY_INTERACTIVE, /* reacts to a person, but says so to no assistive technology */
    CATEGORY_SEMANTIC,    /* has a role that says something */
};

enum snapshot_name_from {
    NAME_FROM_NOTHING,
    NAME_FROM_CONTENT,   /* of the element itself */
    NAME_FROM_ELEMENT,   /* of another one: label, legend, caption, aria-labelledby */
    NAME_FROM_ATTRIBUTE, /* aria-label, alt, value, title and the like */
    NAME_FROM_PLACEHOLDER,
};

enum snapshot_check { CHECK_NONE, CHECK_FALSE, CHECK_TRUE, CHECK_MIXED };

/* What aria-owns puts elsewhere, of each node; NULL where it does so with nothing. */
struct snapshot_owned {
    int *owners; /* the node that it stands in, behind the children that are there; NONE */
    int *first;  /* of an owner: the first that it owns, in its order; NONE */
    int *next;   /* of what is owned: the next of the same owner; NONE */
};

/* Strings are borrowed from the semantics or the tree; NULL: absent. */
struct node_semantics {
    enum snapshot_role role; /* UNKNOWN: text, pseudo-elements, what is not rendered at all */
    /* Of a label: the role of the control that nobody sees but it; UNKNOWN: it labels one that is
     * there to be seen, or none. Its name and states are the control's. */
    enum snapshot_role stands_for;
    enum snapshot_category category;
    const char *name; /* whitespace collapsed, as text-transform shows it; never "" */
    enum snapshot_name_from name_from;
    const char *description;  /* aria-describedby, aria-description, a title that is not the name */
    const char *value;        /* of controls, as a person reads it; never one that is_private */
    const char *url;          /* of links and images, as the attribute has it */
    const char *placeholder;  /* when it is not the name */
    const char *test_id;      /* data-testid, data-test-id, data-test, data-cy */
    const char *test_id_name; /* which of them */
    int level;                /* of headings and tree items, from 1; 0: none */
    int row_span, column_span;                                /* of cells; 0 or 1: none */
    enum snapshot_check checked, pressed, expanded, selected; /* MIXED of the first two only */
    const char *current;   /* aria-current: "page", "true" and so on; NULL: it is not */
    const char *has_popup; /* "menu", "dialog" and so on */
    bool is_hidden;  /* a person does not see it: not rendered, visibility, size zero and clipped */
    bool is_ignored; /* not in the accessibility tree: hidden, aria-hidden, inert, presentational */
    bool is_inert;   /* seen, and cannot be used: inert, or behind an open modal */
    bool is_disabled; /* by itself, its fieldset, or aria-disabled */
    bool is_required, is_readonly, is_invalid, is_focused, is_busy, is_multiline,
        is_multiselectable;
    bool is_focusable;
    bool is_modal;
    bool is_editable; /* contenteditable begins here */
    bool
        is_private; /* a password, a card number, a one-time code: its value is nobody's business */
    bool is_left_out; /* data-no-ai: it and all below is not shown */
};

#endif
