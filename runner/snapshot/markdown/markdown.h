/* What the files of markdown*.c share. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H
#define RUNNER_SNAPSHOT_MARKDOWN_MARKDOWN_H

#include "runner/snapshot/markdown/markdown_writer.h"
#include "runner/snapshot/outline/print.h"
#include "runner/snapshot/dom/selector.h"

/* What becomes of a node. Told from the node alone: it is asked when it begins and when it ends. */
enum markdown_form {
    FORM_NOTHING, /* nor of what is in it */
    FORM_LEFT_OUT,
    FORM_TEXT,
    FORM_GENERATED, /* by CSS */
    FORM_PLAIN,     /* what is in it stands in its place */
    FORM_BOX,       /* apart from what stands beside it */
    FORM_BLOCK,
    FORM_BREAK,
    FORM_RULE,
    FORM_HEADING,
    FORM_LIST,
    FORM_ITEM,
    FORM_QUOTE,
    FORM_PREFORMATTED,
    FORM_CODE,
    FORM_STRONG,
    FORM_EMPHASIS,
    FORM_STRIKE,
    FORM_TERM,
    FORM_DEFINITION,
    FORM_TABLE,
    FORM_ROW,
    FORM_CELL,
    FORM_IMAGE,
    FORM_FIELD,
    FORM_LINK,   /* its text, its address */
    FORM_BUTTON, /* its text */
    FORM_FORM,
    FORM_FRAME,
};

/* More columns of a table are not told apart. */
enum { MARKDOWN_MAX_COLUMNS = 100 };

struct markdown_table {
    int node; /* NONE: in no table, or in one that only lays out */
    int columns;
    int rows; /* so far */
    int column;
    int spans[MARKDOWN_MAX_COLUMNS]; /* of each column: rows that a cell above takes up yet */
};

/* What an element around has put away. */
struct markdown_saved {
    size_t length; /* of the text, or of what is in front of each line */
    int number;
};

struct markdown {
    const struct snapshot_tree *tree;
    const struct snapshot_semantics *semantics;
    const struct outline_options *options;
    struct selector_map *selectors;
    struct markdown_writer writer;
    struct markdown_saved *saved;
    size_t saved_count, saved_capacity;
    int number; /* of the next item of the list; 0: it is not numbered */
    struct markdown_table table;
};

/* markdown_form.c */
enum markdown_form markdown_form(const struct markdown *markdown, int node);

/* markdown_leaf.c: what is written all at once. False for other forms. */
bool markdown_leaf(struct markdown *markdown, int node, enum markdown_form form);

/* "<!-- form-start: SELECTOR -->", a paragraph of its own; NONE: without a selector. */
void markdown_marker(struct markdown *markdown, const char *name, int node);

/*
 * markdown_control.c: what a control is called behind its `<!--`: "button", "link", "input",
 * "select" and so on; NULL for what is no control. Static.
 */
const char *markdown_control(const struct markdown *markdown, int node);

/* Whether its text is all that it says, and stands between brackets. */
bool markdown_is_button(const struct markdown *markdown, int node);

/* Whether it holds a value: a field, a list to choose from. */
bool markdown_is_field(const struct markdown *markdown, int node);

void markdown_field(struct markdown *markdown, int node);

/* "<!--button:#id-->" right behind what was written last; nothing for what is no control, or when
 * no selector finds it. */
void markdown_annotate(struct markdown *markdown, int node);

/* Controls that are boxes of their own stand by themselves. */
void markdown_set_apart(struct markdown *markdown, int node);

/* "checked", "disabled" and the like, in parentheses. */
void markdown_states(struct markdown *markdown, int node);

/* "(address)", of a link or a picture; "data:" and "javascript:" without what follows. */
void markdown_address(struct markdown *markdown, int node, const char *reference);

/* markdown_table.c: a table of data, whose cells are one line each. */
void markdown_table_begin(struct markdown *markdown, int node);
void markdown_table_end(struct markdown *markdown);
void markdown_row_begin(struct markdown *markdown, int node);
void markdown_row_end(struct markdown *markdown, int node);
void markdown_cell_begin(struct markdown *markdown);
void markdown_cell_end(struct markdown *markdown, int node);
bool markdown_is_row(const struct markdown *markdown, int node);
bool markdown_is_cell(const struct markdown *markdown, int node);

#endif
