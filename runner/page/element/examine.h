/* What elements and documents are, for programs that read them. */
#ifndef RUNNER_PAGE_ELEMENT_EXAMINE_H
#define RUNNER_PAGE_ELEMENT_EXAMINE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/*
 * The record of the target, once it is there: { tag, attributes, text, html, box, styles, … } as
 * scripts/elements/examine.js makes it, and its role and name where these are certain. `properties`
 * is an array of names of computed styles, or NULL for the usual ones. The caller decrefs.
 */
bool page_examine(struct page *page, const struct page_target *target, json_t *properties,
                  json_t **ret_record, struct br_error *err);

/* The same of all that match now: { found, elements, denied }; none is no error. */
bool page_examine_all(struct page *page, const struct page_target *target, json_t *properties,
                      json_t **ret_records, struct br_error *err);

/*
 * The markup of the target's element, or without one of the page's document, at most so many
 * characters; and what its document says of itself: { text, length, leftOut, url, title, metadata
 * }. Of max_length 0 the text is empty. The caller decrefs.
 */
bool page_read_markup(struct page *page, const struct page_target *target, int64_t max_length,
                      json_t **ret_answer, struct br_error *err);

#endif
