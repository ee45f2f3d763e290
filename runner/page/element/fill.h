/* Fields that get a value, whatever they are, and forms that are sent. */
#ifndef RUNNER_PAGE_ELEMENT_FILL_H
#define RUNNER_PAGE_ELEMENT_FILL_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/*
 * Gives a field (text, number, boolean, or an array of texts) its value, by the flows that type,
 * choose and check. False with the error when it did not get one. What is known of the field is
 * added to `entry`: { tag, type, name, id, private, value, changed, why }.
 */
bool page_fill(struct page *page, const struct page_target *target, const json_t *value,
               json_t *entry, struct br_error *err);

/*
 * Submits the form that all these elements (an array of page_fill_place()) are in: by a click on
 * its button, else by requestSubmit(). *ret_is_submitted: the page has told of a submit event, or
 * was left.
 */
bool page_submit(struct page *page, const json_t *places, int64_t patience_ms,
                 bool *ret_is_submitted, struct br_error *err);

/* Where an element is that page_fill() found, from its entry; NULL: it was not found. */
json_t *page_fill_place(json_t *entry);

#endif
