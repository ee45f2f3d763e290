/* The semantics of a node: role, accessible name, states and value. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_NODE_SEMANTICS_H
#define RUNNER_SNAPSHOT_SEMANTICS_NODE_SEMANTICS_H

#include "runner/snapshot/semantics/role.h"

#include <stdbool.h>

/*
 * A picture with sides of at least this many CSS pixels is no icon: it is shown even without a
 * name.
 */
enum { SNAPSHOT_MIN_PICTURE = 48 };

/* Why a node is shown. */
enum snapshot_category {
    CATEGORY_STRUCTURAL,  /* layout only: replaced by its children */
    CATEGORY_INTERACTIVE, /* reacts to input, but is not exposed to assistive technology */
    CATEGORY_SEMANTIC,    /* has a meaningful role */
};

enum snapshot_name_from {
    NAME_FROM_NOTHING,
    NAME_FROM_CONTENT,   /* of the element itself */
    NAME_FROM_ELEMENT,   /* of another element: label, legend, caption, aria-labelledby */
    NAME_FROM_ATTRIBUTE, /* aria-label, alt, value, title and so on */
    NAME_FROM_PLACEHOLDER,
};

enum snapshot_check { CHECK_NONE, CHECK_FALSE, CHECK_TRUE, CHECK_MIXED };

/* The effect of aria-owns, for each node; the arrays are NULL if nothing is owned. */
struct snapshot_owned {
    int *owners; /* the owner, in which it follows the children; NONE */
    int *first;  /* of an owner: the first node that it owns; NONE */
    int *next;   /* of an owned node: the next of the same owner; NONE */
};

/* Strings are borrowed from the semantics or the tree; NULL: absent. */
struct node_semantics {
    enum snapshot_role role; /* UNKNOWN: text, pseudo-elements, nodes that are not rendered */
    /*
     * Of a label: the role of a control that is visible only as this label; UNKNOWN: the control is
     * visible itself, or there is none. The label then has the control's name and states.
     */
    enum snapshot_role stands_for;
    enum snapshot_category category;
    const char *name; /* whitespace collapsed, text-transform applied; never "" */
    enum snapshot_name_from name_from;
    const char *description;   /* aria-describedby, aria-description, or a title that is not the
                                  name */
    const char *value;         /* of a control, as a person reads it; NULL if is_private */
    const char *url;           /* of links and images, as in the attribute */
    const char *placeholder;   /* if it is not the name */
    const char *test_id;       /* from data-testid, data-test-id, data-test or data-cy */
    const char *test_id_name;  /* that attribute's name */
    int level;                 /* of headings and tree items, from 1; 0: none */
    int row_span, column_span; /* of cells; 0 or 1: no span */
    enum snapshot_check checked, pressed, expanded, selected; /* only the first two can be MIXED */
    const char *current;   /* aria-current: "page", "true" and so on; NULL: not current */
    const char *has_popup; /* "menu", "dialog" and so on */
    bool is_hidden;        /* invisible: not rendered, visibility, or clipped at size zero */
    bool is_ignored; /* not in the accessibility tree: hidden, aria-hidden, inert, presentational */
    bool is_inert;   /* visible but unusable: inert, or behind an open modal dialog */
    bool is_disabled; /* itself, by its fieldset, or by aria-disabled */
    bool is_required, is_readonly, is_invalid, is_focused, is_busy, is_multiline,
        is_multiselectable;
    bool is_focusable;
    bool is_modal;
    bool is_editable; /* the outermost contenteditable element */
    bool is_private;  /* a password, a card number, a one-time code: its value is never shown */
    bool is_left_out; /* data-no-ai: it and its descendants are not shown */
};

#endif
