/* What the nodes of a page become. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_FORM_H
#define RUNNER_SNAPSHOT_MARKDOWN_FORM_H

#include "runner/snapshot/markdown/context.h"

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

enum markdown_form markdown_form(const struct markdown *markdown, int node);

#endif
