/* Which elements are controls. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_CONTROL_H
#define RUNNER_SNAPSHOT_MARKDOWN_CONTROL_H

#include "runner/snapshot/markdown/context.h"

/*
 * What a control is called behind its `<!--`: "button", "link", "input",
 * "select" and so on; NULL for what is no control. Static.
 */
const char *markdown_control(const struct markdown *markdown, int node);

/* The same of a control in the words of MARKDOWN_TYPES: "email", "select-one", "link". Static. */
const char *markdown_typed(const struct markdown *markdown, int node);

/* Whether its text is all that it says, and stands between brackets. */
bool markdown_is_button(const struct markdown *markdown, int node);

/* Whether it holds a value: a field, a list to choose from. */
bool markdown_is_field(const struct markdown *markdown, int node);

/* The type of an <input> as it is written; "text" where it has none. */
const char *markdown_input_type(const struct markdown *markdown, int node);

/* <input> of type button, submit, reset or image. */
bool markdown_is_button_input(const struct markdown *markdown, int node);

#endif
