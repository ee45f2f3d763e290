/* Filling fields of any kind, and submitting forms. */
#ifndef RUNNER_PAGE_ELEMENT_FILL_H
#define RUNNER_PAGE_ELEMENT_FILL_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/*
 * Sets the value of a field (text, number, boolean, or an array of texts) by typing, choosing or
 * checking. Returns false with an error if it did not get the value. Adds a description of the
 * field to `entry`: { tag, type, name, id, private, value, changed, why }.
 */
bool page_fill(struct page *page, const struct page_target *target, const json_t *value,
               json_t *entry, struct br_error *err);

/*
 * Submits the form that contains all these elements (an array of page_fill_place()): by a click on
 * its button, otherwise by requestSubmit(). *ret_is_submitted: the page had a submit event, or was
 * left.
 */
bool page_submit(struct page *page, const json_t *places, int64_t patience_ms,
                 bool *ret_is_submitted, struct br_error *err);

/* Returns the place of an element found by page_fill(), from its entry; NULL: not found. */
json_t *page_fill_place(json_t *entry);

#endif
