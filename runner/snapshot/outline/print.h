/* What is written of an outline: text, JSON, the difference of two texts, and what is cut. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_PRINT_H
#define RUNNER_SNAPSHOT_OUTLINE_PRINT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct print_options {
    bool has_boxes;     /* print [x,y,width,height] in the page's viewport for items with an id */
    bool has_urls;      /* print URLs of links and pictures */
    int text_length;    /* limit of characters of a text or name; 0: none */
    int64_t max_tokens; /* 0: no limit; otherwise cuts the least useful items and reports what
                           was cut */
};

/* Returns an array of outline->count, caller frees. `costs` are the items' estimated tokens. */
bool *print_cut(const struct outline *outline, const int *costs, int64_t max_tokens, int *ret_cut);

/* Writes "(left out for 500 tokens: 120 texts, 30 links below the viewport)". */
void print_cut_line(const struct outline *outline, const bool *is_cut, int64_t max_tokens,
                    struct strbuf *line);

/* Returns {page: {context: {url, title, viewport}, body: {id, role, tag, …, children}}, cut?}. */
json_t *print_json(const struct outline *outline, const struct print_options *options,
                   int *ret_cut);

/* Returns {id, role, name?, disabled?, box} of an item with an id. Caller decrefs. */
json_t *print_json_label(const struct outline *outline, int item);

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

/*
 * Writes the difference between two texts of print_text(): removed lines (`- `) and new lines (`+
 * `), each group below its ancestors (`  `). Writes nothing for equal texts.
 */
void print_difference(const char *before, const char *after, struct strbuf *text);

#endif
