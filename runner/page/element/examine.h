/* Descriptions of elements and documents for programs. */
#ifndef RUNNER_PAGE_ELEMENT_EXAMINE_H
#define RUNNER_PAGE_ELEMENT_EXAMINE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/*
 * Waits for the target and returns its record: { tag, attributes, text, html, box, styles, … } from
 * scripts/elements/examine.js, and its role and name if these are certain. `properties` is an array
 * of names of computed styles; NULL: the default ones. The caller decrefs.
 */
bool page_examine(struct page *page, const struct page_target *target, json_t *properties,
                  json_t **ret_record, struct br_error *err);

/*
 * Returns the records of all elements that match now: { found, elements, denied }; zero matches are
 * not an error.
 */
bool page_examine_all(struct page *page, const struct page_target *target, json_t *properties,
                      json_t **ret_records, struct br_error *err);

/*
 * Returns the markup of the target's element, or of the page's document, at most max_length
 * characters, and metadata of its document: { text, length, leftOut, url, title, metadata }. With
 * max_length 0 the text is empty. Without has_scripts it lacks scripts, styles, handlers and
 * comments. The caller decrefs.
 */
bool page_read_markup(struct page *page, const struct page_target *target, int64_t max_length,
                      bool has_scripts, json_t **ret_answer, struct br_error *err);

#endif
