/* Writes an outline as text. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_TEXT_H
#define RUNNER_SNAPSHOT_OUTLINE_TEXT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"

#include <stddef.h>

/*
 * Writes one line per item, indented by two spaces: role, name, id, and whatever differs from the
 * usual state.
 *
 *     navigation "Main" e2
 *       link "Home" e3 current
 *     heading 2 "Sign in"
 *     "Use the name of" link "your account" e6 "to sign in."
 *     textbox "Email" e7 required = "ann@example.org"
 *     button "Sign in" e9 disabled
 *
 * What is on one line of the page is on one line here. A colon precedes an element's content: `link
 * e4: heading 3 "Shoes" "20 EUR"`. Items of lists begin with `- `, definitions of terms with `: `.
 * The cells of a table row are separated by ` | `; if a cell needs more than a line, the row is a
 * list of cells that begin with `| `. `(below the viewport)` gives the place of the lines that
 * follow.
 *
 * Text of the page is in quotes, with `"` and `\` escaped by `\`, so that it cannot be mistaken for
 * our output. Cells and choices are unquoted if they cannot be taken for an id or a control.
 * *ret_cut is the number of items omitted for max_tokens.
 */
void print_text(const struct outline *outline, const struct print_options *options,
                struct strbuf *text, int *ret_cut);

/* Returns about how many tokens a model needs for it; rather too many than too few. */
int print_tokens(const char *text, size_t length);

#endif
