/* Typing text. */
#ifndef RUNNER_PAGE_ELEMENT_TYPING_H
#define RUNNER_PAGE_ELEMENT_TYPING_H

#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct element;
struct page;

/*
 * Handles a focused editor that ignores the document's selection and reacts to keys: moves to the
 * end of its text, or with is_cleared empties it. INVALID_ACTION if it accepts no text.
 */
bool typing_enter_editor(struct page *page, bool is_cleared, struct br_error *err);

/*
 * Types text into the focused element, key by key, with delay_ms between keys. Long text without a
 * delay is inserted line by line. UNKNOWN_ERROR if a field has not changed.
 */
bool page_type(struct page *page, const char *text, int64_t delay_ms, struct br_error *err);

/* Reports the change of the focused field to the page, which otherwise happens at its blur. */
bool typing_commit(struct page *page, struct br_error *err);

/* Checks that the focused element there contains no text; otherwise UNKNOWN_ERROR. */
bool typing_check_empty(struct page *page, const struct element *focused, struct br_error *err);

/*
 * Remembers the element that was focused, for typing in the same action: takes over its content.
 * NULL: none.
 */
void typing_set_field(struct page *page, struct element *element);

#endif
