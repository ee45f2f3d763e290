/* Text that is typed. */
#ifndef RUNNER_PAGE_ELEMENT_TYPING_H
#define RUNNER_PAGE_ELEMENT_TYPING_H

#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct element;
struct page;

/*
 * What has the focus is an editor that goes by keys, not by the selection of the document: goes to
 * the end of its text, or with is_cleared empties it. INVALID_ACTION when it takes no text.
 */
bool typing_enter_editor(struct page *page, bool is_cleared, struct br_error *err);

/*
 * Types text into what has the focus, key by key, with delay_ms between keys. Long text without a
 * delay is inserted by the line. UNKNOWN_ERROR when a field has not changed by it.
 */
bool page_type(struct page *page, const char *text, int64_t delay_ms, struct br_error *err);

/* Whether what has the focus, there, holds no text; otherwise UNKNOWN_ERROR. */
bool typing_check_empty(struct page *page, const struct element *focused, struct br_error *err);

/*
 * What was given the focus is known to what is typed next, in the same action: takes the element
 * over. NULL: nothing was.
 */
void typing_set_field(struct page *page, struct element *element);

#endif
