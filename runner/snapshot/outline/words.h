/* What print_text() says of one item, and how text of the page is written in it. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_WORDS_H
#define RUNNER_SNAPSHOT_OUTLINE_WORDS_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"

/* Longer names, and addresses, are cut; characters and bytes. */
enum { WORDS_MAX_NAME = 250, WORDS_MAX_URL = 200 };

/* The bytes of the first `max` characters; all of them for 0. */
size_t words_length(const char *text, int max);

/*
 * In quotes, so that it cannot pass for anything else: quotes, backslashes and line ends behind a
 * backslash, what turns the direction of text as \u202e, what nobody sees not at all.
 */
void words_quote(struct strbuf *line, const char *text, int max);

/* Without quotes where nothing in it could be taken for ours, otherwise with them. */
void words_bare(struct strbuf *line, const char *text, int max);

/* An address without blanks and controls, cut at a length. */
void words_url(struct strbuf *line, const char *url, size_t max);

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
