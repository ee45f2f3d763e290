/* The forms of an outline. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_PRINT_H
#define RUNNER_SNAPSHOT_OUTLINE_PRINT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

#include <jansson.h>

struct print_options {
    bool has_boxes;     /* [x,y,width,height] in the page's viewport, of what has an id */
    bool has_urls;      /* of links and pictures */
    int text_length;    /* of a text or name, characters; 0: any */
    int64_t max_tokens; /* 0: any; the least useful items are cut first, and what was cut is said */
};

/*
 * text.c: one line an item, indented by two spaces: role, name, id, what is not as usual.
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

/* json.c: {page: {context: {url, title, viewport}, body: {id, role, tag, …, children}}, cut?} */
json_t *print_json(const struct outline *outline, const struct print_options *options,
                   int *ret_cut);

/* cut.c: which items go when no more than max_tokens are wanted; an array of outline->count, caller
 * frees. `costs` are the items' estimated tokens. */
bool *print_cut(const struct outline *outline, const int *costs, int64_t max_tokens, int *ret_cut);

/* "(left out for 500 tokens: 120 texts, 30 links below the viewport)" */
void print_cut_line(const struct outline *outline, const bool *is_cut, int64_t max_tokens,
                    struct strbuf *line);

/* About how many tokens a model takes for it; rather too many than too few. */
int print_tokens(const char *text, size_t length);

/*
 * difference.c: what has changed from one text of print_text() to the next: lines that are gone
 * (`- `), new (`+ `), each run of them below its ancestors (`  `). Nothing for equal texts.
 */
void print_difference(const char *before, const char *after, struct strbuf *text);

/*
 * markdown.c: what there is to read, with links, controls and forms annotated by a selector that
 * finds them: `<!--button:#id-->`, `<!-- form-start: #id -->`. From the tree itself, not an
 * outline.
 */
void print_markdown(const struct snapshot_tree *tree, const struct snapshot_semantics *semantics,
                    const struct outline_options *options, int text_length, struct strbuf *text);

#endif
