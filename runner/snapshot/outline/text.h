/* An outline as text. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_TEXT_H
#define RUNNER_SNAPSHOT_OUTLINE_TEXT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"

/*
 * One line an item, indented by two spaces: role, name, id, what is not as usual.
 *
 *     navigation "Main" e2
 *       link "Home" e3 current
 *     heading 2 "Sign in"
 *     "Use the name of" link "your account" e6 "to sign in."
 *     textbox "Email" e7 required = "ann@example.org"
 *     button "Sign in" e9 disabled
 *
 * What is on one line of the page is on one line here. A colon stands before what is in an element:
 * `link e4: heading 3 "Shoes" "20 EUR"`. Items of lists begin with `- `, definitions of terms with
 * `: `; a row of a table is its cells with ` | ` between them, or, where one takes more than a
 * line, a list of cells that begin with `| `. `(below the viewport)` tells where what follows is.
 *
 * Text of the page stands in quotes, `"` and `\` in it behind a `\`: it cannot pass for a line of
 * ours. Cells and choices have none where nothing in them could be taken for an id or a control.
 * *ret_cut is how many items were left out for max_tokens.
 */
void print_text(const struct outline *outline, const struct print_options *options,
                struct strbuf *text, int *ret_cut);

#endif
