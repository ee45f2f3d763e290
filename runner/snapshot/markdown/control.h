/* Classifies controls. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_CONTROL_H
#define RUNNER_SNAPSHOT_MARKDOWN_CONTROL_H

#include "runner/snapshot/markdown/context.h"

/*
 * Returns the kind of control for its annotation: "button", "link", "input", "select" and so on;
 * NULL if it is not a control. Static.
 */
const char *markdown_control(const struct markdown *markdown, int node);

/* The same for MARKDOWN_TYPES: "email", "select-one", "link". Static. */
const char *markdown_typed(const struct markdown *markdown, int node);

/* Returns whether it is written as its text in brackets. */
bool markdown_is_button(const struct markdown *markdown, int node);

/* Returns whether it holds a value: a field or a list of options. */
bool markdown_is_field(const struct markdown *markdown, int node);

/* Returns the type of an <input> as written in the page; "text" if it has none. */
const char *markdown_input_type(const struct markdown *markdown, int node);

/* <input> of type button, submit, reset or image. */
bool markdown_is_button_input(const struct markdown *markdown, int node);

#endif
