/* File choosers, which are never shown. */
#ifndef RUNNER_PAGE_ELEMENT_CHOOSER_H
#define RUNNER_PAGE_ELEMENT_CHOOSER_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_node;

/* Has the choosers of a session's frames told instead of shown, without waiting. */
void chooser_intercept(struct page *page, const char *session_id);

/* Applies the event of a chooser that opens, or of a document that takes it along; false for any
 * but the first. */
bool chooser_on_event(struct page *page, const char *session_id, const char *method,
                      json_t *params);

/*
 * The field that a chooser is open for; waits for one until the deadline. INVALID_ACTION: none.
 * What it has of the chooser is borrowed until the next event.
 */
bool chooser_await(struct page *page, struct deadline deadline, struct page_node *ret_node,
                   struct br_error *err);

/* It was answered, or the page is another one now; lets go of the field. */
void chooser_forget(struct page *page);

void chooser_init(struct page *page);
void chooser_finish(struct page *page);

#endif
