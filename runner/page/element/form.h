/* Form controls. */
#ifndef RUNNER_PAGE_ELEMENT_FORM_H
#define RUNNER_PAGE_ELEMENT_FORM_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/* The options to choose in a list. */
struct page_choice {
    const char *by; /* "value", "label", "option" (label or else value) or "index" (from 0); NULL:
                       the target is the option itself */
    json_t *wanted; /* array of values, labels or indexes; borrowed */
};

/*
 * Chooses an option of a <select>, or in a multiple one exactly the wanted options, with the events
 * of a user's choice. UNKNOWN_ERROR if the page undoes it. *ret_selected is an array of { index,
 * value, label } of the selected options; the caller decrefs; NULL: unknown.
 */
bool page_select(struct page *page, const struct page_target *target,
                 const struct page_choice *choice, json_t **ret_selected, struct br_error *err);

/* Sets a checkbox, radio button or switch to this state, by a click if necessary. */
bool page_check(struct page *page, const struct page_target *target, bool is_checked,
                struct br_error *err);

/*
 * Sets the files (an array of absolute paths) of a file input, which may be hidden; without an
 * element that of the open file chooser. On any other element they are dropped. An input for
 * directories takes a directory; with is_directory it must be such an input.
 */
bool page_upload(struct page *page, const struct page_target *target, const json_t *paths,
                 bool is_directory, struct br_error *err);

#endif
