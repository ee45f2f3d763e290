/* What print_text() says of one item. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_WORDS_H
#define RUNNER_SNAPSHOT_OUTLINE_WORDS_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"
#include "runner/snapshot/outline/quote.h"

/* "button", "clickable", "iframe": what an element is called in the text form. */
const char *words_role(const struct outline *outline, int item);

/* The name that is printed of an element; NULL: none. */
const char *words_name(const struct outline *outline, int item);

/* Nothing is to be said of the element itself but its text: a paragraph, a cell, a list's item. */
bool words_are_none(const struct outline *outline, int item);

/* Role, name, id, states, value of an element; the text in quotes of a text. */
void words_of_item(const struct outline *outline, const struct print_options *options, int item,
                   struct strbuf *line);

/* The children are the choices of a closed list, which words_of_item() tells. */
bool words_tell_children(const struct outline *outline, int item);

/*
 * The tokens of each item's words and `base` more, for print_cut(); nothing for the choices of a
 * closed list where they are told with it. Caller frees.
 */
int *words_costs(const struct outline *outline, const struct print_options *options, int base,
                 bool are_choices_told);

#endif
