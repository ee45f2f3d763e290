/* The words that print_text() writes for an item. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_WORDS_H
#define RUNNER_SNAPSHOT_OUTLINE_WORDS_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"
#include "runner/snapshot/outline/quote.h"

/* Returns the word for an element in the text form: "button", "clickable", "iframe". */
const char *words_role(const struct outline *outline, int item);

/* Returns the name to print for an element; NULL: none. */
const char *words_name(const struct outline *outline, int item);

/* Returns whether only the element's text is printed: for a paragraph, a cell, a list item. */
bool words_are_none(const struct outline *outline, int item);

/* Writes an element's role, name, id, states and value; a text in quotes. */
void words_of_item(const struct outline *outline, const struct print_options *options, int item,
                   struct strbuf *line);

/* Returns whether the children are the choices of a closed list, which words_of_item() writes. */
bool words_tell_children(const struct outline *outline, int item);

/*
 * Returns the tokens of each item's words plus `base`, for print_cut(); 0 for the choices of a
 * closed list if they are written with it. Caller frees.
 */
int *words_costs(const struct outline *outline, const struct print_options *options, int base,
                 bool are_choices_told);

#endif
