/* File choosers, which are intercepted and never shown. */
#ifndef RUNNER_PAGE_ELEMENT_CHOOSER_H
#define RUNNER_PAGE_ELEMENT_CHOOSER_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_node;

/* Makes Chrome report choosers of a session's frames instead of showing them, without waiting. */
void chooser_intercept(struct page *page, const char *session_id);

/*
 * Handles the opening of a chooser, and the end of a document with one; true only for the former.
 */
bool chooser_on_event(struct page *page, const char *session_id, const char *method,
                      json_t *params);

/*
 * Returns the field of the open chooser; waits for one until the deadline. INVALID_ACTION: none.
 * The node's texts are borrowed until the next event.
 */
bool chooser_await(struct page *page, struct deadline deadline, struct page_node *ret_node,
                   struct br_error *err);

/* Forgets the chooser after it was answered, or when the page has changed; releases the field. */
void chooser_forget(struct page *page);

void chooser_init(struct page *page);
void chooser_finish(struct page *page);

#endif
